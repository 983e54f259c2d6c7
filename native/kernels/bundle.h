// Many series of one request in one call: surveyed, smoothed, thinned and encoded, without an array per series.
//
// A page requests a hundred runs of a dozen tags at a time, and again with every move of the smoothing slider, so the
// overhead per series matters. The formulas are those of smoothing.h, thinning.h, bands.h and column_frame.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/bands.h"

namespace lightboard::kernels {

// Views of the columns of one series. All spans that are used have the same length; `singles` or `doubles` is empty.
struct Placed {
    std::span<const std::int64_t> steps;
    std::span<const double> walls;
    std::span<const float> singles;
    std::span<const double> doubles;
    std::span<const double> own;  // x values, if another metric is the x axis
    bool ordered = false;         // steps are known never to decrease

    std::size_t size() const { return steps.size(); }
};

enum class XAxis { kStep, kWall, kRelative, kOwn };
enum class XScale { kLinear, kLog, kSymlog };

struct Smoother {
    enum class Kind { kNone, kEma, kTimeEma, kGaussian, kMean, kMedian };
    enum class By { kPoint, kStep, kWall };
    Kind kind = Kind::kNone;
    By by = By::kPoint;
    double parameter = 0;               // weight or sigma
    double unit = 0;                    // of time_ema; 0: the series' typical gap
    std::size_t before = 0, after = 0;  // window of mean and median
};

// Extents of x, needed to choose a range. Series without a usable x have any = 0.
template <class X>
struct Survey {
    std::vector<std::uint8_t> ascending, any;
    std::vector<X> first, last;  // smallest and largest x
};

// X is int64 for steps, double for the other axes. `positive`: only x above 0 count (a logarithmic axis).
template <class X>
Survey<X> survey(std::span<const Placed> series, XAxis axis, bool positive);

// The range [lo, hi] of the columns; [inner_lo, inner_hi] is what counts as within (a fractional range on whole steps
// is rounded outwards for the former, inwards for the latter).
template <class X>
struct Window {
    X lo, hi, inner_lo, inner_hi;
    std::size_t columns = 0;  // 0: every point
    bool bounded = true;      // false: no range at all, every point counts
    XScale scale = XScale::kLinear;
};

struct FrameForm {
    bool wanted = false;
    double resolution = 1360;
    unsigned end_levels = 8;
    bool rough = false;  // a slider in motion: of the range only min and max are exact, low and high are estimated
};

struct Drawn {
    Range values{}, smoothed{};  // within the range; count 0 for lines that are not wanted
    std::vector<std::uint8_t> frame, smoothed_frame;
    // Two entries per ascending series: the nearest points left and right of the range, NaN where there is none.
    std::vector<double> edge_x, edge_value, edge_smoothed;
    bool any_edge = false;
};

// Indices of the points where a window's columns begin: columns + 1 per series; column c holds the points from entry c
// to entry c + 1. All zeros for a series that is not ascending.
template <class X>
std::vector<std::uint32_t> cut_columns(std::span<const Placed> series, XAxis axis,
                                       std::span<const std::uint8_t> ascending, const Window<X>& window);

// Compact frames of the ascending series, and the extents of all. Window::columns 0: extents only. `cuts` may be a
// cached result of cut_columns for the same series and window: while a slider moves, x need not be searched again.
template <class X>
Drawn draw(std::span<const Placed> series, XAxis axis, std::span<const std::uint8_t> ascending, const Window<X>& window,
           const Smoother& smoother, const FrameForm& raw, const FrameForm& smooth,
           std::span<const std::uint32_t> cuts = {});

struct Kept {
    std::vector<std::int64_t> counts;  // per series
    std::size_t total = 0;             // above the limit: only the counts are set
    std::vector<std::int64_t> steps;
    std::vector<double> walls, x, smoothed;  // x: only if a metric is the x axis
    std::vector<float> singles;              // values: these if all series have them, else the doubles
    std::vector<double> doubles;
    bool single = true;
};

// The points to send: those in the range with one more on each side, thinned to the columns if there are any.
template <class X>
Kept exact(std::span<const Placed> series, XAxis axis, const Window<X>& window, const Smoother& smoother,
           std::size_t limit);

// A position on x; on an integer axis `whole` + `part` (0 <= part < 1), so that large steps differ.
struct Position {
    std::int64_t whole = 0;
    double part = 0;  // on a real axis: the position
};

// Per series and position the index of the nearest point, -1 where there is none; of several at one x the last.
template <class X>
std::vector<std::int64_t> nearest(std::span<const Placed> series, XAxis axis, std::span<const Position> positions);

struct Picked {
    std::vector<std::int64_t> steps;
    std::vector<double> walls, relative, values, smoothed;
};

// The points at `indices`, as many per series as there are positions.
Picked pick(std::span<const Placed> series, std::span<const std::int64_t> indices, std::size_t positions,
            const Smoother& smoother);

// Per series, over the points within the range. min, max and mean are those of the finite values.
struct RangeStats {
    std::vector<std::int64_t> n, first_step, last_step, min_step, max_step;
    std::vector<double> first, last, min, max, mean;
};

template <class X>
RangeStats range_stats(std::span<const Placed> series, XAxis axis, const Window<X>& window);

}  // namespace lightboard::kernels
