// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace maskscope {
namespace {

[[noreturn]] void failWith(const std::filesystem::path& path) {
    throw Failure(ErrorKind::Input,
        "Cannot write " + printable(path.string()) + ": " + std::generic_category().message(errno)
            + ".");
}

/// Where the bytes are to lie: where a symbolic link leads, even to nothing yet.
std::filesystem::path placeOf(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    constexpr int kMostLinks = 40; // as the kernel follows
    std::error_code error;
    fs::path place = path;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(place, error)); ++i) {
        const fs::path target = fs::read_symlink(place, error);
        if (error)
            break;
        place = place.parent_path() / target; // an absolute target stays as it is
    }
    return place;
}

void refuseSpecial(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status there = fs::status(path, error);
    if (fs::is_directory(there) || (fs::exists(there) && !fs::is_regular_file(there)))
        throw Failure(ErrorKind::Input,
            "Cannot write " + printable(path.string()) + ": it is "
                + (fs::is_directory(there) ? "a folder." : "no regular file."));
}

// Independent of the final name, which may already be as long as the file system allows.
std::filesystem::path nameBeside(const std::filesystem::path& path) {
    std::random_device device;
    return path.parent_path() / (".maskscope-" + std::to_string(device()) + ".part");
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : m_path(std::move(path))
    , m_place(placeOf(m_path)) {
    refuseSpecial(m_place);
    constexpr int kTries = 16;
    for (int i = 0; i < kTries && m_descriptor < 0; ++i) {
        m_temporary = nameBeside(m_place);
        m_descriptor = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (m_descriptor < 0 && errno != EEXIST)
            failWith(m_path);
    }
    if (m_descriptor < 0)
        failWith(m_path);
}

AtomicFile::~AtomicFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            failWith(m_path);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit(Existing existing) {
    if (::fsync(m_descriptor) != 0)
        failWith(m_path);
    if (::close(std::exchange(m_descriptor, -1)) != 0)
        failWith(m_path);
    // link() takes a name only if nothing has it. Where the file system knows no hard links,
    // looking and renaming are two steps.
    if (existing == Existing::Keep) {
        // The link itself has the name.
        if (::link(m_temporary.c_str(), m_path.c_str()) == 0)
            return;
        if (errno == EEXIST || std::filesystem::exists(std::filesystem::symlink_status(m_path)))
            throw Failure(ErrorKind::Input,
                "Cannot write " + printable(m_path.string())
                    + ": it exists already: choose another name or overwrite it (--force).");
    }
    if (std::rename(m_temporary.c_str(), m_place.c_str()) != 0)
        failWith(m_path);
    m_temporary.clear();
}

void checkCanWrite(const std::filesystem::path& path, Existing existing) {
    namespace fs = std::filesystem;
    const std::string name = printable(path.string());
    const auto refuse = [&](const std::string& reason) {
        throw Failure(ErrorKind::Input, "Cannot write " + name + ": " + reason + ".");
    };
    std::error_code error;
    const fs::file_status there = fs::symlink_status(path, error);
    if (there.type() == fs::file_type::none)
        refuse(error.message());
    refuseSpecial(path);
    if (existing == Existing::Keep && fs::exists(there))
        throw Failure(ErrorKind::Input,
            name + " exists already: choose another name, or --force to replace it.");
    const fs::path place = placeOf(path);
    const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        refuse("there is no folder " + printable(folder.string()));
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        failWith(path);
}

} // namespace maskscope
