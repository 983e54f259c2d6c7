// A buffer over a file that is read sequentially: it holds the bytes from the current position on and reads more on
// request. Bytes that are already in memory are used without a copy.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace lightboard {

class FileBuffer {
  public:
    // Starts at `offset` and reads nothing at or beyond `size`, which may be less than the file's size. The caller owns
    // the descriptor.
    void open(int fd, std::uint64_t offset, std::uint64_t size);

    // `bytes` are those of a file of `size` bytes from `offset` on; they may end before the file does. The caller owns
    // them.
    void open(std::span<const std::uint8_t> bytes, std::uint64_t offset, std::uint64_t size);

    // Returns the end of the readable bytes: the size of the file, or less if it was opened with less.
    std::uint64_t end() const { return fd_ < 0 ? read_from_ : size_; }

    std::span<const std::uint8_t> view() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
    std::uint64_t offset() const { return read_from_ - static_cast<std::uint64_t>(end_ - at_); }
    void advance(std::size_t bytes) { at_ += bytes; }

    // Reads until at least `want` bytes are in view; returns false if the file ends earlier. Throws std::system_error.
    bool fill(std::size_t want);

    // Frees the memory that an unusually large record needed.
    void shrink();

  private:
    struct Free {
        void operator()(std::uint8_t* memory) const;
    };

    void make_room(std::size_t want);

    std::unique_ptr<std::uint8_t, Free> memory_;
    std::size_t capacity_ = 0;
    // Points into `memory_` or into the caller's bytes, which are never modified.
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t read_from_ = 0;
    std::uint64_t size_ = 0;
    int fd_ = -1;
};

}  // namespace lightboard
