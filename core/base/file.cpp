// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace maskscope {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw Failure(ErrorKind::Input, "Cannot read " + printable(path.string()) + ": " + why + ".");
}

std::string whyNotOpened(const std::filesystem::path& path, int number) {
    std::error_code ignored;
    if (number == ENOENT && std::filesystem::is_symlink(path, ignored))
        return "it is a link to a file that does not exist";
    if (path.empty())
        return "the name is empty";
    if (number == ENOENT)
        return "there is no such file";
    if (number == ELOOP)
        return "it is a link that leads back to itself";
    return std::generic_category().message(number);
}

/// A regular file, open for reading.
class InputFile {
public:
    // O_NONBLOCK: opening a pipe would otherwise wait for its writer.
    explicit InputFile(const std::filesystem::path& path)
        : m_path(path)
        , m_descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
        if (m_descriptor < 0)
            refuse(m_path, whyNotOpened(m_path, errno));
        struct stat status { };
        const bool known = ::fstat(m_descriptor, &status) == 0;
        if (known && S_ISREG(status.st_mode)) {
            m_size = status.st_size;
            return;
        }
        ::close(m_descriptor);
        refuse(m_path,
            known && S_ISDIR(status.st_mode) ? "it is a folder, not a file"
                                             : "it is not a regular file");
    }
    ~InputFile() { ::close(m_descriptor); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::int64_t size() const { return m_size; }

    std::vector<std::byte> read(std::size_t count) {
        std::vector<std::byte> bytes(count);
        std::size_t filled = 0;
        while (filled < count) {
            const ssize_t got = ::read(m_descriptor, bytes.data() + filled, count - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                refuse(m_path, std::generic_category().message(errno));
            if (got == 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
        return bytes;
    }

private:
    const std::filesystem::path& m_path;
    int m_descriptor;
    std::int64_t m_size = 0;
};

} // namespace

std::vector<std::byte> readFile(const std::filesystem::path& path, std::int64_t mostBytes) {
    InputFile file(path);
    if (file.size() > mostBytes)
        refuse(path,
            "it has " + std::to_string(file.size()) + " bytes, and at most "
                + std::to_string(mostBytes) + " are read");
    return file.read(static_cast<std::size_t>(file.size()));
}

std::vector<std::byte> readFileStart(const std::filesystem::path& path, std::size_t count) {
    InputFile file(path);
    return file.read(std::min(count, static_cast<std::size_t>(file.size())));
}

} // namespace maskscope
