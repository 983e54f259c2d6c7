// Checksums of blocks: they equal a plain CRC, are checked on demand, and detect every flipped bit.
#undef NDEBUG
#include "base/block_sums.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <thread>

#include "base/crc32c.h"

namespace lb = lightboard;

namespace {

std::vector<std::uint8_t> random_bytes(std::size_t size) {
    std::mt19937_64 random(size);
    std::vector<std::uint8_t> bytes(size);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random()); });
    return bytes;
}

void sums_are_those_of_each_block() {
    constexpr std::size_t kBlock = lb::kSumBlockBytes;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, kBlock + 1, 4 * kBlock,
                                   9 * kBlock + 7, std::size_t{20} << 20}) {
        const auto bytes = random_bytes(size);
        const auto sums = lb::sum_blocks(bytes);
        assert(sums.size() == lb::blocks_in(size));
        for (std::size_t block = 0; block < sums.size(); ++block) {
            const std::size_t from = block * kBlock;
            assert(sums[block] == lb::crc32c_portable(bytes.data() + from, std::min(kBlock, size - from)));
        }
    }
}

void only_blocks_that_are_touched_are_checked() {
    constexpr std::size_t kBlock = lb::kSumBlockBytes;
    auto bytes = random_bytes(10 * kBlock + 100);
    const auto sums = lb::sum_blocks(bytes);
    bytes[3 * kBlock + 5] ^= 1;
    bytes.back() ^= 0x80;
    lb::BlockChecks checks(bytes, sums);
    assert(checks.check(0, 3 * kBlock));
    assert(checks.check(4 * kBlock, 10 * kBlock));
    assert(checks.check(3 * kBlock, 3 * kBlock));  // an empty range
    assert(checks.damaged().empty());
    assert(!checks.check(3 * kBlock - 1, 3 * kBlock + 1));
    assert(checks.damaged() == std::vector<std::uint64_t>{3});
    assert(checks.check(0, 3 * kBlock));
    assert(!checks.check_all() && !checks.complete());
    bytes[3 * kBlock + 5] ^= 1;
    bytes.back() ^= 0x80;
    assert(checks.check_all() && checks.complete());
    bytes[3 * kBlock + 5] ^= 1;
    bytes.back() ^= 0x80;
    lb::BlockChecks others(bytes, sums);
    assert(!others.check_all());
    assert((others.damaged() == std::vector<std::uint64_t>{3, 10}));
    assert(!checks.check(bytes.size(), bytes.size() + 1));  // beyond the end
}

void every_flipped_bit_is_noticed() {
    auto bytes = random_bytes(2 * lb::kSumBlockBytes + 11);
    const auto sums = lb::sum_blocks(bytes);
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::size_t bit = random() % (bytes.size() * 8);
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        lb::BlockChecks checks(bytes, sums);
        assert(!checks.check(bit / 8, bit / 8 + 1));
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
}

void a_sum_too_few_is_refused() {
    const auto bytes = random_bytes(lb::kSumBlockBytes + 1);
    try {
        lb::BlockChecks(bytes, std::vector<std::uint32_t>(1));
        assert(false);
    } catch (const std::invalid_argument&) {
    }
}

void threads_may_check_at_once() {
    auto bytes = random_bytes(64 * lb::kSumBlockBytes);
    const auto sums = lb::sum_blocks(bytes);
    bytes[40 * lb::kSumBlockBytes] ^= 4;
    lb::BlockChecks checks(bytes, sums);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            assert(checks.check(0, 40 * lb::kSumBlockBytes));
            assert(!checks.check_all());
        });
    threads.clear();
    assert(checks.damaged() == std::vector<std::uint64_t>{40});
}

}  // namespace

int main() {
    sums_are_those_of_each_block();
    only_blocks_that_are_touched_are_checked();
    every_flipped_bit_is_noticed();
    a_sum_too_few_is_refused();
    threads_may_check_at_once();
    std::puts("block_sums: ok");
}
