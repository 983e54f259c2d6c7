// Reads ranges of a local file directly into the caller's memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lightboard {

class FileRange {
  public:
    explicit FileRange(const std::string& path);
    ~FileRange();
    FileRange(const FileRange&) = delete;
    FileRange& operator=(const FileRange&) = delete;

    // Fills all of `bytes`. The system's error number when that fails, ENODATA when the file is shorter, else 0.
    int read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;

  private:
    int fd_;
    int error_;  // of opening it
};

}  // namespace lightboard
