// A window onto a file being read forwards: what is buffered from the current position on, more on request. Of bytes
// that are in memory already it is a window onto these, and nothing is copied.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace lightboard {

class FileBuffer {
  public:
    // Begins at `offset`; nothing at or beyond `size` is read, which may be less than the file has. The descriptor
    // stays the caller's.
    void open(int fd, std::uint64_t offset, std::uint64_t size);

    // The bytes of a file of `size` bytes from `offset` on; they stay the caller's and may be fewer than the file has.
    void open(std::span<const std::uint8_t> bytes, std::uint64_t offset, std::uint64_t size);

    // Where the bytes end that can be read: the size of the file, unless it was opened with fewer.
    std::uint64_t end() const { return fd_ < 0 ? read_from_ : size_; }

    std::span<const std::uint8_t> view() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
    std::uint64_t offset() const { return read_from_ - static_cast<std::uint64_t>(end_ - at_); }
    void advance(std::size_t bytes) { at_ += bytes; }

    // Reads on until at least `want` bytes are in view; false when the file ends before. Throws std::system_error.
    bool fill(std::size_t want);

    // Gives back what an unusually large record needed.
    void shrink();

  private:
    struct Free {
        void operator()(std::uint8_t* memory) const;
    };

    void make_room(std::size_t want);

    std::unique_ptr<std::uint8_t, Free> memory_;
    std::size_t capacity_ = 0;
    // Either into `memory_`, which is written to, or into the caller's bytes, which never are.
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t read_from_ = 0;
    std::uint64_t size_ = 0;
    int fd_ = -1;
};

}  // namespace lightboard
