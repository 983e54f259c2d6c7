// Reduces all points to the pixel columns of a chart. Which points are kept and why: docs/explanation/thinning.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard::kernels {

// m4_indices returns at most this many indices per column before it falls back to one bucket per column (see the .cpp).
inline constexpr std::size_t kMaxKeptPerColumn = 32;

// Returns the ascending indices of points that draw the same pixels as all points on `columns` columns over [lo, hi].
template <class X, class Y>
std::vector<std::int64_t> m4_indices(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns);

// The same for given inner edges of the columns (one fewer than columns, ascending), for scales that are not linear.
template <class X, class Y>
std::vector<std::int64_t> m4_indices_between(std::span<const X> x, std::span<const Y> y, X lo, X hi,
                                             std::span<const X> edges);

// One row per pixel column. An empty column has count 0 and NaN values; a column with only NaN or Inf also has count 0,
// but nonfinite > 0.
struct Columns {
    std::vector<double> first, min, max, last;
    std::vector<std::uint32_t> count;      // finite points in the column
    std::vector<std::uint32_t> nonfinite;  // which non-finite values it has, as bits of odd_kind
    std::int64_t before = -1;              // index of the last point left of lo, -1 if there is none
    std::int64_t after = -1;               // index of the first point right of hi
};

// x must not decrease; throws std::invalid_argument if it does.
template <class X, class Y>
Columns m4_columns(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns);

}  // namespace lightboard::kernels
