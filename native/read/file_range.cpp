#include "read/file_range.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace lightboard {

FileRange::FileRange(const std::string& path)
    : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), error_(fd_ < 0 ? errno : 0) {}

FileRange::~FileRange() {
    if (fd_ >= 0) ::close(fd_);
}

int FileRange::read(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
    if (error_) return error_;
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t got = ::pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : ENODATA;
        done += static_cast<std::size_t>(got);
    }
    return 0;
}

}  // namespace lightboard
