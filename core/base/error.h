// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <variant>

namespace maskscope {

/// What went wrong, from the point of view of the person who has to act on it.
/// The command line's exit codes follow from it (see app/cli).
enum class ErrorKind {
    Usage, ///< a request, option or value that cannot be meant
    Input, ///< a file that cannot be read or written
    Model, ///< a model folder, checkpoint or tokenizer that cannot be loaded
    Memory, ///< refused before the run, or exhausted during it
    Device, ///< a device, back end or peer that is not available
    Internal, ///< anything else: a defect of this program
};

/// An error at the edge of core. `sentence` is complete, names the file, field or figure, and says
/// what to do; it is plain text, never markup.
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string sentence;
};

/// What core throws inside; turned into an Error where core ends.
class Failure : public std::exception {
public:
    Failure(ErrorKind kind, std::string sentence)
        : m_error{kind, std::move(sentence)} { }
    explicit Failure(Error error)
        : m_error(std::move(error)) { }

    const char* what() const noexcept override { return m_error.sentence.c_str(); }
    const Error& error() const noexcept { return m_error; }
    ErrorKind kind() const noexcept { return m_error.kind; }

private:
    Error m_error;
};

/// The Error that an exception stands for where core ends: a Failure's own, memory for bad_alloc,
/// an internal one with the first line of its text for anything else.
Error errorOf(const std::exception_ptr& exception);

/// A value or the Error that prevented it. `value()` on an error throws that error as a Failure.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::move(value)) { }
    Result(Error error)
        : m_state(std::move(error)) { }

    bool ok() const noexcept { return std::holds_alternative<T>(m_state); }
    explicit operator bool() const noexcept { return ok(); }

    T& value() & {
        throwIfError();
        return std::get<T>(m_state);
    }
    const T& value() const& {
        throwIfError();
        return std::get<T>(m_state);
    }
    T&& value() && {
        throwIfError();
        return std::get<T>(std::move(m_state));
    }
    const Error& error() const { return std::get<Error>(m_state); }

private:
    void throwIfError() const {
        if (!ok())
            throw Failure(std::get<Error>(m_state));
    }

    std::variant<T, Error> m_state;
};

} // namespace maskscope
