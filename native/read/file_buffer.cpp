#include "read/file_buffer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

namespace lightboard {
namespace {

constexpr std::size_t kPage = 4096;
// Small enough to stay in a core's second-level cache between reading and parsing.
constexpr std::size_t kBlock = 256 << 10;
// Space before the block, for the incomplete record at the end of the previous block.
constexpr std::size_t kFront = 64 << 10;

constexpr std::size_t round_up(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

void FileBuffer::Free::operator()(std::uint8_t* memory) const { std::free(memory); }

void FileBuffer::open(int fd, std::uint64_t offset, std::uint64_t size) {
    fd_ = fd;
    stream_ = nullptr;
    size_ = size;
    read_from_ = offset;
    at_ = end_ = memory_.get();
}

void FileBuffer::open(Stream& stream, std::uint64_t offset, std::uint64_t end) {
    open(-1, offset, end);
    stream_ = &stream;
}

void FileBuffer::open(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
    fd_ = -1;
    stream_ = nullptr;
    size_ = read_from_ = offset + bytes.size();
    at_ = bytes.data();
    end_ = bytes.data() + bytes.size();
}

void FileBuffer::make_room(std::size_t want) {
    const auto carried = static_cast<std::size_t>(end_ - at_);
    const std::size_t front = std::max(kFront, round_up(carried));
    const std::size_t needed = front + std::max(kBlock, round_up(want - std::min(want, carried)) + kPage);
    std::uint8_t* target = memory_.get();
    std::unique_ptr<std::uint8_t, Free> grown;
    if (needed > capacity_) {
        // The kernel copies to page-aligned memory several times faster.
        grown.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kPage, needed)));
        if (!grown) throw std::bad_alloc();
        target = grown.get();
    }
    if (carried) std::memmove(target + front - carried, at_, carried);
    at_ = target + front - carried;
    end_ = target + front;
    if (grown) {
        memory_ = std::move(grown);
        capacity_ = needed;
    }
}

bool FileBuffer::fill(std::size_t want) {
    if (fd_ < 0 && !stream_) return static_cast<std::size_t>(end_ - at_) >= want;
    if (want > static_cast<std::uint64_t>(end_ - at_) + (size_ - std::min(size_, read_from_))) return false;
    make_room(want);
    if (stream_) return fill_from_stream(want);
    const std::size_t room = capacity_ - static_cast<std::size_t>(end_ - memory_.get());
    // Each read ends on a block boundary of the file, so that the next one begins on a page.
    std::size_t goal = std::max(want - std::min<std::size_t>(want, end_ - at_), kBlock - read_from_ % kBlock);
    goal = static_cast<std::size_t>(std::min<std::uint64_t>({goal, room, size_ - read_from_}));
    std::uint8_t* into = memory_.get() + (end_ - memory_.get());
    while (goal) {
        const ssize_t got = ::pread(fd_, into, goal, static_cast<off_t>(read_from_));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw std::system_error(errno, std::generic_category());
        if (got == 0) break;
        end_ = into += got;
        read_from_ += static_cast<std::uint64_t>(got);
        goal -= static_cast<std::size_t>(got);
    }
    return static_cast<std::size_t>(end_ - at_) >= want;
}

// Returns as soon as the wanted bytes are there: the next ones arrive while these are parsed.
bool FileBuffer::fill_from_stream(std::size_t want) {
    std::uint8_t* into = memory_.get() + (end_ - memory_.get());
    while (static_cast<std::size_t>(end_ - at_) < want) {
        const std::size_t room = capacity_ - static_cast<std::size_t>(end_ - memory_.get());
        const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(room, size_ - read_from_));
        const std::size_t got = stream_->read({into, most});
        if (got == 0) {
            size_ = read_from_;
            return false;
        }
        end_ = into += got;
        read_from_ += got;
    }
    return true;
}

void FileBuffer::shrink() {
    if (capacity_ <= 4 * (kFront + kBlock)) return;
    memory_.reset();
    capacity_ = 0;
    at_ = end_ = nullptr;
}

}  // namespace lightboard
