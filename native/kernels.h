// Whole-series numeric kernels: smoothing, thinning to pixel columns, the compact column frame, group statistics.
//
// In: spans over columns that somebody else owns. Out: vectors. Nothing here knows Python, files or policy, nothing is kept
// between calls, so every function may run on any thread. Formulas and limits are explained where the user reads them:
// docs/explanation/smoothing.md and docs/explanation/thinning.md.
//
// Compile with -ffp-contract=off: the moving average promises the same bits as the formula in Python and JavaScript doubles,
// and a fused multiply-add rounds once where they round twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard::kernels {

// ---- smoothing ------------------------------------------------------------------------------------------------------------
// All of them: output as long as the input; NaN and ±Inf come out where they went in and do not touch their neighbours;
// a series whose values are all equal is returned unchanged.

// TensorBoard's debiased exponential moving average, by point index. 0 <= weight <= 1.
template <class Y>
std::vector<double> ema(std::span<const Y> values, double weight);

// The same average with neighbours weighted by weight^(distance / unit), distance measured on x. unit > 0.
template <class X, class Y>
std::vector<double> time_ema(std::span<const X> x, std::span<const Y> values, double weight, double unit);

// Median of the positive gaps between successive x: the natural unit for time_ema. 1 when there is none.
template <class X>
double typical_gap(std::span<const X> x);

// Gaussian average, sigma in points.
template <class Y>
std::vector<double> gaussian(std::span<const Y> values, double sigma);

// Gaussian average, sigma in units of x. x may be in any order and may repeat.
template <class X, class Y>
std::vector<double> gaussian_x(std::span<const X> x, std::span<const Y> values, double sigma);

// Mean and median of the points [i - before, i + after] that exist and are finite.
template <class Y>
std::vector<double> running_mean(std::span<const Y> values, std::size_t before, std::size_t after);
template <class Y>
std::vector<double> running_median(std::span<const Y> values, std::size_t before, std::size_t after);

// ---- thinning -------------------------------------------------------------------------------------------------------------

// Most indices that m4_indices returns per column before it falls back to one bucket per column (see the .cpp).
inline constexpr std::size_t kMaxKeptPerColumn = 32;

// Indices, ascending, of the points that draw the same pixels as all of them on `columns` columns over [lo, hi].
template <class X, class Y>
std::vector<std::int64_t> m4_indices(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns);

// One row per pixel column. An empty column has count 0 and NaN values; one with only NaN or Inf has count 0 too,
// and nonfinite > 0.
struct Columns {
    std::vector<double> first, min, max, last;
    std::vector<std::uint32_t> count;      // finite points in the column
    std::vector<std::uint32_t> nonfinite;  // the others
    std::int64_t before = -1;              // index of the last point left of lo, -1 if there is none
    std::int64_t after = -1;               // index of the first point right of hi
};

// x must not decrease; throws std::invalid_argument if it does.
template <class X, class Y>
Columns m4_columns(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns);

// ---- compact frame --------------------------------------------------------------------------------------------------------

// A view of series x columns tables, row after row, as m4_columns made them.
struct ColumnTable {
    std::size_t series = 0, columns = 0;
    std::span<const double> first, min, max, last;
    std::span<const std::uint32_t> count, nonfinite;
};

struct FrameScale {
    double centre = 0;        // value that gets code 0
    double scale = 1;         // > 0; values within about this distance of centre are spaced evenly
    double resolution = 1360; // codes per unit of asinh
    unsigned end_levels = 8;  // steps for first and last between min and max: 0 leaves them out, else 2 to 16
};

// The frame drawn in docs/explanation/thinning.md; made to be compressed afterwards.
std::vector<std::uint8_t> encode_columns(const ColumnTable& table, const FrameScale& scale);

// ---- statistics -----------------------------------------------------------------------------------------------------------

// 5 % to 95 % range as TensorBoard's "ignore outliers": of the n sorted finite values those at ceil(0.05 (n-1)) and
// floor(0.95 (n-1)) when n > 2, else the extremes. count = n; low and high are NaN when n = 0.
struct Range {
    double low, high, min, max;
    std::size_t count;
};

// All arrays added count as one sample. They are looked at by finish() and must live until then.
class RobustRange {
public:
    void add(std::span<const float> values) { singles_.push_back(values); }
    void add(std::span<const double> values) { doubles_.push_back(values); }
    Range finish() const;

private:
    template <class Visit>
    void each_finite(Visit visit) const;

    std::vector<std::span<const float>> singles_;
    std::vector<std::span<const double>> doubles_;
};

template <class X>
struct SeriesView {
    std::span<const X> x;
    std::span<const double> y;
};

// One entry per axis position; where count is 0 the others are NaN. quantiles: row after row, one row per asked quantile.
struct Bands {
    std::vector<double> mean, std, min, max, quantiles;
    std::vector<std::uint32_t> count;
};

// Statistics over the series at each axis position (ascending). A series is interpolated linearly between its own finite
// points and absent outside them; of several points at one x the later counts. ddof as in numpy.
template <class X>
Bands aggregate(std::span<const SeriesView<X>> series, std::span<const X> axis, std::span<const double> quantiles,
                unsigned ddof);

// The same per column of [lo, hi]: a series counts with the mean of its points in the column, or with its interpolated value
// at the middle of the column when it has none there; min and max are those of the points, so no extreme is hidden.
template <class X>
Bands aggregate_columns(std::span<const SeriesView<X>> series, X lo, X hi, std::size_t columns,
                        std::span<const double> quantiles, unsigned ddof);

}  // namespace lightboard::kernels
