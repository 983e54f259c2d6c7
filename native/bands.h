// Statistics over many values or many series: the range without outliers, and the bands of a group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard::kernels {

// 5 % to 95 % range as TensorBoard's "ignore outliers": of the n sorted finite values those at ceil(0.05 (n-1)) and
// floor(0.95 (n-1)) when n > 2, else the extremes. count = n; low and high are NaN when n = 0.
struct Range {
    double low, high, min, max;
    std::size_t count;
};

// Centre and scale of a compact frame that looks right both in low … high and in min … max.
struct CentreScale {
    double centre, scale;
};
CentreScale frame_scale(const Range& range);

// All arrays added count as one sample. They are looked at by finish() and must live until then.
class RobustRange {
  public:
    void add(std::span<const float> values) { singles_.push_back(values); }
    void add(std::span<const double> values) { doubles_.push_back(values); }
    Range finish() const;

  private:
    template <class Visit>
    void each_array(Visit visit) const;
    template <class Visit>
    void each_finite(Visit visit) const;
    std::vector<double> sample(std::size_t stride) const;
    Range by_cells() const;

    std::vector<std::span<const float>> singles_;
    std::vector<std::span<const double>> doubles_;
};

template <class X>
struct SeriesView {
    std::span<const X> x;
    std::span<const double> y;
};

// One entry per axis position; where count is 0 the others are NaN. quantiles: row after row, one row per asked
// quantile.
struct Bands {
    std::vector<double> mean, std, min, max, quantiles;
    std::vector<std::uint32_t> count;
};

// Statistics over the series at each axis position (ascending). A series is interpolated linearly between its own
// finite points and absent outside them; of several points at one x the later counts. ddof as in numpy.
template <class X>
Bands aggregate(std::span<const SeriesView<X>> series, std::span<const X> axis, std::span<const double> quantiles,
                unsigned ddof);

// The same per column of [lo, hi]: a series counts with the mean of its points in the column, or with its interpolated
// value at the middle of the column when it has none there; min and max are those of the points, so no extreme is
// hidden.
template <class X>
Bands aggregate_columns(std::span<const SeriesView<X>> series, X lo, X hi, std::size_t columns,
                        std::span<const double> quantiles, unsigned ddof);

}  // namespace lightboard::kernels
