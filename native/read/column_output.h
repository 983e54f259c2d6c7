// Output of a scan's columns: a file that all threads append to, or memory.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace lightboard {

class ColumnOutput {
  public:
    ColumnOutput(int fd, std::uint64_t base) : fd_(fd), end_(fd >= 0 ? base : 0) {}

    // Appends the bytes and returns their offset.
    std::uint64_t append(const std::vector<std::uint8_t>& bytes) {
        if (fd_ < 0) {
            const std::lock_guard lock(mutex_);
            const std::uint64_t at = memory_.size();
            memory_.insert(memory_.end(), bytes.begin(), bytes.end());
            return at;
        }
        const std::uint64_t at = end_.fetch_add(bytes.size());
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t wrote =
                ::pwrite(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0)
                throw std::system_error(wrote < 0 ? errno : ENOSPC, std::generic_category(), "writing columns");
            done += static_cast<std::size_t>(wrote);
        }
        return at;
    }

    // Valid after the last append: the end offset of the columns, and the columns in memory.
    std::uint64_t end() const { return fd_ < 0 ? memory_.size() : end_.load(); }
    std::vector<std::uint8_t> take_memory() { return std::move(memory_); }

  private:
    int fd_;
    std::atomic<std::uint64_t> end_;
    std::mutex mutex_;  // guards memory_
    std::vector<std::uint8_t> memory_;
};

}  // namespace lightboard
