#include "write/binning.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lightboard {
namespace {

constexpr std::size_t kCells = 1 << 16;
constexpr std::uint64_t kRest = (std::uint64_t{1} << 48) - 1;
constexpr std::size_t kBlock = 1024;  // numbers per partial sum: the error grows with n / kBlock, not with n
constexpr std::size_t kLanes = 4;     // parallel counters: equal bins of successive numbers do not delay each other
constexpr int kFew = 4;               // edges that are compared one by one

using Lanes = std::array<double, kLanes>;

// The smallest and largest number of a cell. For negative numbers, larger bits mean smaller numbers.
double least_of(std::size_t cell) {
    const std::uint64_t bits = std::uint64_t{cell} << 48;
    return std::bit_cast<double>(cell & 0x8000 ? bits | kRest : bits);
}
double most_of(std::size_t cell) {
    const std::uint64_t bits = std::uint64_t{cell} << 48;
    return std::bit_cast<double>(cell & 0x8000 ? bits : bits | kRest);
}

}  // namespace

Bins::Bins(std::span<const double> edges) : edges_(edges.begin(), edges.end()), below_(kCells) {
    if (edges_.size() < 2) throw std::invalid_argument("bins need at least two edges");
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const bool falls = i && edges_[i] < edges_[i - 1];
        if (std::isnan(edges_[i]) || falls) throw std::invalid_argument("edges of bins must increase");
    }
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        const double least = least_of(cell), most = most_of(cell);
        // NaNs are counted after the last edge, in a slot that is not reported.
        below_[cell] = static_cast<std::uint32_t>(std::isnan(least) && std::isnan(most) ? edges_.size() : up_to(least));
        if (!std::isnan(least) && !std::isnan(most)) sparse_ = sparse_ && up_to(most) - below_[cell] <= 1;
    }
    edges_.push_back(std::numeric_limits<double>::quiet_NaN());  // sentinel: no check for the end needed
}

std::size_t Bins::up_to(double value) const {
    const auto end = edges_.end();
    if (std::isnan(value)) return std::signbit(value) ? 0 : edges_.size();
    return static_cast<std::size_t>(std::upper_bound(edges_.begin(), end, value) - edges_.begin());
}

// Returns how many edges are ≤ value.
template <bool kSparse>
inline std::size_t Bins::edges_below(double value) const {
    std::size_t at = below_[std::bit_cast<std::uint64_t>(value) >> 48];
    if constexpr (kSparse) return at + (edges_[at] <= value);  // no branch, because it would be mispredicted
    for (int tries = 0; edges_[at] <= value; ++at) {
        if (++tries < kFew) continue;
        const auto from = edges_.begin() + static_cast<std::ptrdiff_t>(at);
        return static_cast<std::size_t>(std::upper_bound(from, edges_.end() - 1, value) - edges_.begin());
    }
    return at;
}

template <bool kSparse, class T>
Binned Bins::count_all(std::span<const T> values) const {
    const std::size_t edges = edges_.size() - 1;
    std::vector<std::uint64_t> slots((edges + 1) * kLanes);  // slot k: numbers with k edges ≤ them
    Lanes low, high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    double sum = 0, sum_squares = 0;
    for (std::size_t start = 0; start < values.size(); start += kBlock) {
        const std::size_t size = std::min(kBlock, values.size() - start);
        std::array<double, kBlock> block;
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(start), size, block.begin());
        Lanes sums{}, squares{};
        const std::size_t whole = size - size % kLanes;
        for (std::size_t i = 0; i < size; i += kLanes) {
            for (std::size_t lane = 0; lane < (i < whole ? kLanes : size - whole); ++lane) {
                const double value = block[i + lane];
                low[lane] = value < low[lane] ? value : low[lane];
                high[lane] = value > high[lane] ? value : high[lane];
                sums[lane] += value;
                squares[lane] += value * value;
            }
        }
        sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
        sum_squares += (squares[0] + squares[1]) + (squares[2] + squares[3]);
        for (std::size_t i = 0; i < size; ++i) ++slots[edges_below<kSparse>(block[i]) * kLanes + i % kLanes];
    }
    const auto slot = [&](std::size_t at) {
        std::uint64_t found = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) found += slots[at * kLanes + lane];
        return static_cast<std::int64_t>(found);
    };
    Binned result;
    result.counts.resize(edges - 1);
    for (std::size_t bin = 0; bin + 1 < edges; ++bin) result.counts[bin] = slot(bin + 1);
    // The slot contains numbers at or beyond the last edge, and NaNs; those equal to the edge belong to the last bin.
    if (slot(edges)) {
        const double last = edges_[edges - 1];
        result.counts.back() += std::count_if(values.begin(), values.end(), [&](T value) { return value == last; });
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // The sum is also NaN for ∞ - ∞; the sum of squares is NaN only if one of the numbers is.
    const bool spoilt = sum_squares != sum_squares;
    result.min = spoilt ? nan : *std::min_element(low.begin(), low.end());
    result.max = spoilt ? nan : *std::max_element(high.begin(), high.end());
    result.sum = sum;
    result.sum_squares = sum_squares;
    return result;
}

Binned Bins::count(std::span<const float> values) const {
    return sparse_ ? count_all<true>(values) : count_all<false>(values);
}
Binned Bins::count(std::span<const double> values) const {
    return sparse_ ? count_all<true>(values) : count_all<false>(values);
}

}  // namespace lightboard
