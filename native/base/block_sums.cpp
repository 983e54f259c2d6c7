#include "base/block_sums.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "base/crc32c.h"

namespace lightboard {
namespace {

// With fewer bytes per thread, a second thread costs more time than it saves.
constexpr std::size_t kBytesPerThread = 8 << 20;
// A CRC instruction takes three cycles, but one can start in each cycle: this many blocks are computed interleaved.
constexpr std::size_t kLanes = 4;

std::span<const std::uint8_t> block_of(std::span<const std::uint8_t> bytes, std::size_t block) {
    const std::size_t from = block * kSumBlockBytes;
    return bytes.subspan(from, std::min(kSumBlockBytes, bytes.size() - from));
}

std::uint32_t sum_of(std::span<const std::uint8_t> bytes) { return crc32c(bytes.data(), bytes.size()); }

#if defined(LB_CRC_X86) && defined(__x86_64__)
LB_CRC_TARGET void sum_group(const std::uint8_t* data, std::uint32_t* sums) {
    std::uint64_t crc[kLanes] = {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu};
    for (std::size_t at = 0; at < kSumBlockBytes; at += 8)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            crc[lane] = _mm_crc32_u64(crc[lane], load<std::uint64_t>(data + lane * kSumBlockBytes + at));
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] = ~static_cast<std::uint32_t>(crc[lane]);
}
bool groups() {
    static const bool hardware = crc32c_in_hardware();
    return hardware;
}
#else
void sum_group(const std::uint8_t*, std::uint32_t*) {}
bool groups() { return false; }
#endif

// Computes the checksums of the blocks [first, last).
void sum_range(std::span<const std::uint8_t> bytes, std::size_t first, std::size_t last, std::uint32_t* sums) {
    std::size_t block = first;
    if (groups())
        for (; block + kLanes <= last && (block + kLanes) * kSumBlockBytes <= bytes.size(); block += kLanes)
            sum_group(bytes.data() + block * kSumBlockBytes, sums + (block - first));
    for (; block < last; ++block) sums[block - first] = sum_of(block_of(bytes, block));
}

}  // namespace

std::vector<std::uint32_t> sum_blocks(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint32_t> sums(blocks_in(bytes.size()));
    const bool shared = bytes.size() >= 2 * kBytesPerThread && std::thread::hardware_concurrency() > 1;
    std::size_t half = shared ? sums.size() / 2 : sums.size();
    std::jthread helper;
    if (shared) {
        try {
            helper = std::jthread([&, half] { sum_range(bytes, half, sums.size(), sums.data() + half); });
        } catch (const std::system_error&) {
            half = sums.size();  // the thread could not be started
        }
    }
    sum_range(bytes, 0, half, sums.data());
    return sums;
}

BlockChecks::BlockChecks(std::span<const std::uint8_t> bytes, std::span<const std::uint32_t> sums)
    : bytes_(bytes), sums_(sums.begin(), sums.end()), states_(new std::atomic<std::uint8_t>[sums.size()]()) {
    if (sums.size() != blocks_in(bytes.size())) throw std::invalid_argument("one checksum for each block is needed");
}

bool BlockChecks::check(std::size_t from, std::size_t to) {
    if (from >= to) return true;
    if (to > bytes_.size()) return false;
    const std::size_t last = blocks_in(to);
    for (std::size_t block = from / kSumBlockBytes; block < last; ++block)
        if (states_[block].load(std::memory_order_relaxed) != kGood) return check_unknown(block, last);
    return true;
}

bool BlockChecks::check_unknown(std::size_t first, std::size_t last) {
    bool good = true;
    std::uint32_t sums[kLanes];
    for (std::size_t block = first; block < last; block += kLanes) {
        const std::size_t count = std::min(kLanes, last - block);
        const auto known = [](const std::atomic<std::uint8_t>& state) { return state == kGood; };
        if (std::all_of(&states_[block], &states_[block] + count, known)) continue;
        sum_range(bytes_, block, block + count, sums);
        for (std::size_t i = 0; i < count; ++i) {
            const bool matches = sums[i] == sums_[block + i];
            good &= matches;
            const std::uint8_t before = states_[block + i].exchange(matches ? kGood : kBad);
            if (matches && before != kGood) ++good_;
            if (!matches && before == kGood) --good_;
        }
    }
    return good;
}

std::vector<std::uint64_t> BlockChecks::damaged() const {
    std::vector<std::uint64_t> blocks;
    for (std::size_t block = 0; block < sums_.size(); ++block)
        if (states_[block].load(std::memory_order_relaxed) == kBad) blocks.push_back(block);
    return blocks;
}

}  // namespace lightboard
