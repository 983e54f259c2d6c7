// Receives bytes from a connection that the caller has opened and closes itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard {

// Waits at most `timeout_ms` for bytes and stores what has arrived. Returns how many bytes, 0 if the peer has ended the
// connection, or the negative errno (-ETIMEDOUT: nothing arrived in time). The descriptor may be non-blocking.
std::ptrdiff_t receive(int fd, std::span<std::uint8_t> into, int timeout_ms);

}  // namespace lightboard
