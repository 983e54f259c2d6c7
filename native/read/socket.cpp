#include "read/socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace lightboard {

std::ptrdiff_t receive(int fd, std::span<std::uint8_t> into, int timeout_ms) {
    while (true) {
        const ssize_t got = ::recv(fd, into.data(), into.size(), MSG_DONTWAIT);
        if (got >= 0) return got;
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return -errno;
        pollfd waiting{fd, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, timeout_ms);
        if (ready == 0) return -ETIMEDOUT;
        if (ready < 0 && errno != EINTR) return -errno;
    }
}

}  // namespace lightboard
