// Checksums of a file in blocks of fixed size: made when the file is written, checked block by block when it is used.
//
// A small block makes it cheap to check only what somebody asks for: the points of one series in a file of gigabytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lightboard {

// One checksum of 4 bytes for each 64 kB: 10 million points (200 MB) have 12 kB of them.
inline constexpr std::size_t kSumBlockBytes = 64 << 10;

constexpr std::size_t blocks_in(std::size_t bytes) { return (bytes + kSumBlockBytes - 1) / kSumBlockBytes; }

// The CRC-32C of each block; the last block may be shorter. Large input is shared by two threads.
std::vector<std::uint32_t> sum_blocks(std::span<const std::uint8_t> bytes);

// Which blocks of `bytes` are known to match their checksums. May be used by several threads at once; `bytes` must
// outlive it.
class BlockChecks {
  public:
    // Throws std::invalid_argument unless there is one checksum for each block.
    BlockChecks(std::span<const std::uint8_t> bytes, std::span<const std::uint32_t> sums);

    // Checks the blocks that [from, to) touches, each at its first use. False if one of them does not match.
    bool check(std::size_t from, std::size_t to);

    bool check_all() { return check(0, bytes_.size()); }

    // Whether every block has been checked and matches.
    bool complete() const { return good_.load(std::memory_order_relaxed) == sums_.size(); }

    // Blocks that were checked and do not match.
    std::vector<std::uint64_t> damaged() const;

  private:
    enum State : std::uint8_t { kUnchecked, kGood, kBad };
    bool check_unknown(std::size_t first, std::size_t last);

    std::span<const std::uint8_t> bytes_;
    std::vector<std::uint32_t> sums_;
    std::unique_ptr<std::atomic<std::uint8_t>[]> states_;  // two threads may check the same block: both get the same
    std::atomic<std::size_t> good_{0};                     // how many are kGood
};

}  // namespace lightboard
