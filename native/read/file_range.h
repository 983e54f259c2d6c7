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

    // Fills all of `bytes`. Returns 0, the errno if reading fails, or ENODATA if the file is too short.
    int read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;

  private:
    int fd_;
    int error_;  // errno of open()
};

}  // namespace lightboard
