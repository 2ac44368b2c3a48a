// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mapped_file.h"

#include "core/base/utf8.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace maskscope {
namespace {

class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& path)
        : m_number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) { }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_number >= 0)
            ::close(m_number);
    }
    int number() const { return m_number; }

private:
    int m_number;
};

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path, ErrorKind kindOfFailure) {
    const auto fail = [&](const std::string& reason) {
        throw Failure(
            kindOfFailure, "Cannot read " + printable(path.string()) + ": " + reason + ".");
    };
    const Descriptor file(path);
    struct stat status { };
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
        fail(std::generic_category().message(errno));
    if (S_ISDIR(status.st_mode))
        fail("it is a folder, not a file");
    if (!S_ISREG(status.st_mode))
        fail("it is not a regular file");
    if (status.st_size == 0)
        return;

    const auto size = static_cast<std::size_t>(status.st_size);
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (start == MAP_FAILED)
        fail(std::generic_category().message(errno));
    m_bytes = {static_cast<const std::byte*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_bytes(std::exchange(other.m_bytes, {})) { }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

MappedFile::~MappedFile() {
    if (!m_bytes.empty())
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

} // namespace maskscope
