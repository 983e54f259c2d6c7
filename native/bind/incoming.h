// A stream of bytes that Python fetches while the native core scans them.
//
// The Python object has two methods. `next(received)` is called at the start and whenever the current piece has ended,
// with the number of bytes that came of it; it returns the next piece or None. `close(received)` is called when no
// more bytes are wanted. A piece is (where, first bytes, length, seconds to wait for more bytes, seconds for the whole
// piece). `where` is
//
//     the descriptor of a socket    its bytes are received here, without the interpreter lock
//     a function                    it is called with a writable buffer and returns how many bytes it stored, 0 at the
//                                   end
//
// `first bytes` are those that were received together with the header of the response.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "bind/bind.h"
#include "read/file_buffer.h"

namespace lightboard::bind {

// Create and destroy it with the interpreter lock held; `read` is called without it.
class Incoming : public lb::Stream {
  public:
    explicit Incoming(nb::handle source) : source_(nb::borrow(source)) {}
    std::size_t read(std::span<std::uint8_t> into) override;
    void end() override;
    // With the interpreter lock held.
    void close();

  private:
    bool next();
    std::size_t receive(std::span<std::uint8_t> into);
    std::size_t call(std::span<std::uint8_t> into);

    nb::object source_;    // None after `close`
    nb::object function_;  // of the current piece, unless it has a socket
    std::string first_;
    std::size_t first_at_ = 0;
    int fd_ = -1;
    int timeout_ms_ = 0;
    std::chrono::steady_clock::time_point deadline_;
    std::uint64_t left_ = 0;      // of the current piece
    std::uint64_t received_ = 0;  // of the current piece
};

}  // namespace lightboard::bind
