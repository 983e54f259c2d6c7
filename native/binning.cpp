#include "binning.h"

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
constexpr std::size_t kBlock = 1024;  // sums are made of partial sums: the error grows with n / kBlock, not with n
constexpr std::size_t kLanes = 4;     // counters side by side: neighbours in one bin need not wait for each other
constexpr std::ptrdiff_t kFew = 4;    // edges that are looked at one by one

// The least number of a cell. Negative numbers grow with falling bits.
double least_of(std::size_t cell) {
    const std::uint64_t bits = std::uint64_t{cell} << 48;
    return std::bit_cast<double>(cell & 0x8000 ? bits | kRest : bits);
}

}  // namespace

Bins::Bins(std::span<const double> edges) : edges_(edges.begin(), edges.end()), below_(kCells) {
    if (edges_.size() < 2) throw std::invalid_argument("bins need at least two edges");
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        if (std::isnan(edges_[i]) || (i && edges_[i] < edges_[i - 1]))
            throw std::invalid_argument("edges of bins must increase");
    }
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        const double least = least_of(cell);
        // The cells of infinity hold NaNs as well; those are sorted out before the table is asked.
        const double from =
            std::isnan(least) ? (cell & 0x8000 ? -1 : 1) * std::numeric_limits<double>::infinity() : least;
        below_[cell] =
            static_cast<std::uint32_t>(std::upper_bound(edges_.begin(), edges_.end(), from) - edges_.begin());
    }
}

// How many edges are ≤ value, which is no NaN.
inline std::size_t Bins::edges_up_to(double value) const {
    std::size_t at = below_[std::bit_cast<std::uint64_t>(value) >> 48];
    const std::size_t size = edges_.size();
    for (std::ptrdiff_t tries = 0; at < size && edges_[at] <= value; ++at) {
        if (++tries > kFew)
            return static_cast<std::size_t>(
                std::upper_bound(edges_.begin() + static_cast<std::ptrdiff_t>(at), edges_.end(), value) -
                edges_.begin());
    }
    return at;
}

template <class T>
Binned Bins::count_all(std::span<const T> values) const {
    const std::size_t edges = edges_.size();
    // Slot k: numbers with k edges below or at them; the last slot: NaNs.
    std::vector<std::uint64_t> slots((edges + 2) * kLanes);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double sum = 0, sum_squares = 0;
    for (std::size_t start = 0; start < values.size(); start += kBlock) {
        const auto block = values.subspan(start, std::min(kBlock, values.size() - start));
        std::array<double, kLanes> sums{}, squares{};
        for (std::size_t i = 0; i < block.size(); ++i) {
            const double value = block[i];
            low = value < low ? value : low;
            high = value > high ? value : high;
            sums[i % kLanes] += value;
            squares[i % kLanes] += value * value;
        }
        sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
        sum_squares += (squares[0] + squares[1]) + (squares[2] + squares[3]);
        for (std::size_t i = 0; i < block.size(); ++i) {
            const double value = block[i];
            const std::size_t slot = value != value ? edges + 1 : edges_up_to(value);
            ++slots[slot * kLanes + i % kLanes];
        }
    }
    const auto slot = [&](std::size_t at) {
        std::uint64_t found = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) found += slots[at * kLanes + lane];
        return static_cast<std::int64_t>(found);
    };
    Binned result;
    result.counts.resize(edges - 1);
    for (std::size_t bin = 0; bin + 1 < edges; ++bin) result.counts[bin] = slot(bin + 1);
    // At the last edge or beyond: what equals it belongs to the last bin.
    if (slot(edges)) {
        result.counts.back() +=
            std::count_if(values.begin(), values.end(), [&](T value) { return value == edges_.back(); });
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const bool spoilt = slot(edges + 1) > 0;
    result.min = spoilt ? nan : low;
    result.max = spoilt ? nan : high;
    result.sum = sum;
    result.sum_squares = sum_squares;
    return result;
}

Binned Bins::count(std::span<const float> values) const { return count_all(values); }
Binned Bins::count(std::span<const double> values) const { return count_all(values); }

}  // namespace lightboard
