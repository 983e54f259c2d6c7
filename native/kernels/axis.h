// Shared by the kernels: finite numbers, distances on x that cannot overflow, and the pixel columns of a range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace lightboard::kernels {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Faster than std::isfinite in inner loops, with the same result if -ffast-math is off: Inf - Inf and NaN - NaN are
// NaN.
template <class Y>
inline bool finite(Y v) {
    return v - v == Y{0};
}

// Bits for the non-finite values of a column.
inline constexpr std::uint32_t kOddNaN = 1, kOddPlus = 2, kOddMinus = 4;

// Returns the bit of a non-finite value.
template <class Y>
std::uint32_t odd_kind(Y v) {
    return v != v ? kOddNaN : v > 0 ? kOddPlus : kOddMinus;
}

template <class Y>
bool all_equal(std::span<const Y> values) {
    return std::all_of(values.begin(), values.end(), [&](Y v) { return v == values[0]; });
}

// Returns b - a for a <= b. Steps may span all of int64, so the subtraction uses a type that cannot overflow.
inline double distance(std::int64_t a, std::int64_t b) {
    return static_cast<double>(static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a));
}
inline double distance(double a, double b) { return b - a; }

template <class X>
bool ascending(std::span<const X> x) {
    for (std::size_t i = 1; i < x.size(); ++i)
        if (!(x[i - 1] <= x[i])) return false;  // negated, so that NaN counts as unsorted
    return x.empty() || x[0] == x[0];
}

// Calls at(index) for the finite points in ascending x; points with equal x keep their order.
template <class X, class Y, class Visit>
void each_finite_by_x(std::span<const X> x, std::span<const Y> y, Visit visit) {
    const auto usable = [&](std::size_t i) {
        return finite(y[i]) && (std::is_integral_v<X> || finite(static_cast<double>(x[i])));
    };
    if (ascending(x)) {
        for (std::size_t i = 0; i < y.size(); ++i)
            if (usable(i)) visit(i);
        return;
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < y.size(); ++i)
        if (usable(i)) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    for (const std::size_t i : order) visit(i);
}

// ---- pixel columns --------------------------------------------------------------------------------------------------

// Column k of [lo, hi] contains the x with exactly k inner edges at or below them; x = hi is in the last column.
inline std::vector<std::int64_t> inner_edges(std::int64_t lo, std::int64_t hi, std::size_t columns) {
    // Edge k is the first integer >= lo + k * (hi - lo) / columns, computed without multiplication, so that steps
    // beyond 2^53 and ranges as wide as int64 are exact.
    const std::uint64_t width = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    const std::uint64_t whole = width / columns, rest = width % columns;
    std::vector<std::int64_t> edges(columns - 1);
    std::uint64_t base = static_cast<std::uint64_t>(lo), carry = 0;
    for (auto& edge : edges) {
        base += whole;
        carry += rest;
        if (carry >= columns) {
            carry -= columns;
            ++base;
        }
        edge = static_cast<std::int64_t>(base + (carry > 0));
    }
    return edges;
}

inline std::vector<double> inner_edges(double lo, double hi, std::size_t columns) {
    std::vector<double> edges(columns - 1);
    const double step = (hi - lo) / static_cast<double>(columns);
    for (std::size_t k = 0; k < edges.size(); ++k) edges[k] = lo + step * static_cast<double>(k + 1);
    return edges;
}

// Returns the first position in [begin, end) of ascending x with x >= `edge`. Galloping search: doubles its stride,
// because the result is usually near `begin`.
template <class X>
std::size_t reach(std::span<const X> x, std::size_t begin, std::size_t end, X edge) {
    constexpr std::size_t kNear = 16;
    const std::size_t near = std::min(end, begin + kNear);
    for (; begin < near; ++begin)
        if (!(x[begin] < edge)) return begin;
    std::size_t stride = kNear;
    while (begin < end && x[begin] < edge) {
        const std::size_t next = std::min(end, begin + stride);
        if (next == end || !(x[next] < edge))
            return static_cast<std::size_t>(std::lower_bound(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                                             x.begin() + static_cast<std::ptrdiff_t>(next), edge) -
                                            x.begin());
        begin = next;
        stride *= 2;
    }
    return begin;
}

// Calls visit(column, begin, end) for every column that has points. x must be ascending within [first, past).
template <class X, class Visit>
void each_column(std::span<const X> x, std::span<const X> edges, std::size_t first, std::size_t past, Visit visit) {
    std::size_t column = 0;
    for (std::size_t i = first; i < past;) {
        while (column < edges.size() && !(x[i] < edges[column])) ++column;
        const std::size_t end = column < edges.size() ? reach(x, i, past, edges[column]) : past;
        visit(column, i, end);
        i = end;
    }
}

struct Inside {
    std::size_t first, past;
};

template <class X>
Inside inside(std::span<const X> x, X lo, X hi) {
    const auto first = std::lower_bound(x.begin(), x.end(), lo);
    const auto past = std::upper_bound(first, x.end(), hi);
    return {static_cast<std::size_t>(first - x.begin()), static_cast<std::size_t>(past - x.begin())};
}

}  // namespace lightboard::kernels
