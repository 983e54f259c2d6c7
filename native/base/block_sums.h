// Checksums of a file in blocks of fixed size: made when the file is written, checked block by block when it is used.
//
// Blocks are small, so that a query verifies only the data it reads: the points of one series in a file of gigabytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lightboard {

// One checksum of 4 bytes per 64 kB: 10 million points (200 MB) need 12 kB of checksums.
inline constexpr std::size_t kSumBlockBytes = 64 << 10;

constexpr std::size_t blocks_in(std::size_t bytes) { return (bytes + kSumBlockBytes - 1) / kSumBlockBytes; }

// Returns the CRC-32C of each block; the last block may be shorter. Large input is split between two threads.
std::vector<std::uint32_t> sum_blocks(std::span<const std::uint8_t> bytes);

// Remembers which blocks of `bytes` match their checksums. Thread-safe; `bytes` must outlive it.
class BlockChecks {
  public:
    // Throws std::invalid_argument unless there is one checksum for each block.
    BlockChecks(std::span<const std::uint8_t> bytes, std::span<const std::uint32_t> sums);

    // Checks the blocks that overlap [from, to), each at its first use. Returns false if one of them does not match.
    bool check(std::size_t from, std::size_t to);

    bool check_all() { return check(0, bytes_.size()); }

    // Returns whether every block has been checked and matches.
    bool complete() const { return good_.load(std::memory_order_relaxed) == sums_.size(); }

    // Blocks that were checked and do not match.
    std::vector<std::uint64_t> damaged() const;

  private:
    enum State : std::uint8_t { kUnchecked, kGood, kBad };
    bool check_unknown(std::size_t first, std::size_t last);

    std::span<const std::uint8_t> bytes_;
    std::vector<std::uint32_t> sums_;
    std::unique_ptr<std::atomic<std::uint8_t>[]> states_;  // two threads may check the same block: same result
    std::atomic<std::size_t> good_{0};                     // number of blocks that are kGood
};

}  // namespace lightboard
