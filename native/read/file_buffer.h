// A buffer over a file that is read sequentially: it holds the bytes from the current position on and reads more on
// request. Bytes that are already in memory are used without a copy; those of a stream are parsed while they are still
// in the core's cache.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace lightboard {

// Bytes that arrive while they are read, such as those of a connection.
class Stream {
  public:
    virtual ~Stream() = default;

    // Waits for bytes, stores at most into.size() of them, and returns how many; 0: no more will come.
    virtual std::size_t read(std::span<std::uint8_t> into) = 0;

    // No more bytes are wanted.
    virtual void end() {}
};

class FileBuffer {
  public:
    // Starts at `offset` and reads nothing at or beyond `size`, which may be less than the file's size. The caller owns
    // the descriptor.
    void open(int fd, std::uint64_t offset, std::uint64_t size);

    // `bytes` are those of a file from `offset` on; they may end before the file does. The caller owns them.
    void open(std::span<const std::uint8_t> bytes, std::uint64_t offset);

    // `stream` has the bytes from `offset` to before `end`; they may end earlier. The caller owns it.
    void open(Stream& stream, std::uint64_t offset, std::uint64_t end);

    // Returns the end of the readable bytes: the size of the file, or less if it was opened with less, or if a stream
    // ended early.
    std::uint64_t end() const { return size_; }

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
    bool fill_from_stream(std::size_t want);

    std::unique_ptr<std::uint8_t, Free> memory_;
    std::size_t capacity_ = 0;
    // Points into `memory_` or into the caller's bytes, which are never modified.
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t read_from_ = 0;
    std::uint64_t size_ = 0;  // end of the readable bytes
    int fd_ = -1;
    Stream* stream_ = nullptr;
};

}  // namespace lightboard
