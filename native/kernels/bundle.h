// Processes many series of one request in one call: extents, smoothing, thinning and encoding, without an array per
// series.
//
// A page requests a hundred runs of a dozen tags at once, and again for every move of the smoothing slider, so the
// overhead per series matters. The formulas are those of smoothing.h, thinning.h, bands.h and column_frame.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/bands.h"
#include "kernels/fit.h"

namespace lightboard::kernels {

// Views of the columns of one series. All spans that are used have the same length; `singles` or `doubles` is empty.
struct Placed {
    std::span<const std::int64_t> steps;
    std::span<const double> walls;
    std::span<const float> singles;
    std::span<const double> doubles;
    std::span<const double> own;  // x values, if the x axis is another metric
    bool ordered = false;         // steps are known to never decrease

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
    double unit = 0;                    // of time_ema; 0: the typical gap of the series
    std::size_t before = 0, after = 0;  // window of mean and median
};

// Extents of x, needed to choose a range. `any` is 0 for series without a usable x.
template <class X>
struct Survey {
    std::vector<std::uint8_t> ascending, any;
    std::vector<X> first, last;  // smallest and largest x
};

// X is int64 for steps, double for the other axes. `positive`: ignore x <= 0 (for a logarithmic axis).
template <class X>
Survey<X> survey(std::span<const Placed> series, XAxis axis, bool positive);

// The visible range of the x axis. [lo, hi] is divided into columns; a point is visible if it is in [inner_lo,
// inner_hi]. Steps are integers: a fractional range is rounded outwards for [lo, hi], inwards for [inner_lo, inner_hi].
template <class X>
struct Window {
    X lo, hi, inner_lo, inner_hi;
    std::size_t columns = 0;  // 0: every point
    bool bounded = true;      // false: no range, every point is inside
    XScale scale = XScale::kLinear;
};

struct FrameForm {
    bool wanted = false;
    double resolution = 1360;
    unsigned end_levels = 8;
    bool rough = false;  // while a slider moves: min and max of the range are exact, low and high are estimated
};

struct Drawn {
    Range values{}, smoothed{};    // of the points in the range; count 0 for lines that were not requested
    Fit values_fit, smoothed_fit;  // of the same points; empty if there is none
    std::vector<std::uint8_t> frame, smoothed_frame;
    // Two entries per ascending series: the nearest points left and right of the range, NaN if there is none.
    std::vector<double> edge_x, edge_value, edge_smoothed;
    bool any_edge = false;
};

// Returns the indices of the points where a window's columns begin: columns + 1 per series; column c contains the
// points from entry c to entry c + 1. All zeros for a series that is not ascending.
template <class X>
std::vector<std::uint32_t> cut_columns(std::span<const Placed> series, XAxis axis,
                                       std::span<const std::uint8_t> ascending, const Window<X>& window);

// Computes compact frames of the ascending series, and the extents of all. If Window::columns is 0: extents only.
// `cuts` may be a cached result of cut_columns for the same series and window, so that a moving slider needs no new
// search.
template <class X>
Drawn draw(std::span<const Placed> series, XAxis axis, std::span<const std::uint8_t> ascending, const Window<X>& window,
           const Smoother& smoother, const FrameForm& raw, const FrameForm& smooth,
           std::span<const std::uint32_t> cuts = {});

struct Kept {
    std::vector<std::int64_t> counts;  // per series
    std::size_t total = 0;             // if above the limit, only the counts are set
    std::vector<std::int64_t> steps;
    std::vector<double> walls, x, smoothed;  // x: only if the x axis is a metric
    std::vector<float> singles;              // the values, if all series have floats; else the doubles
    std::vector<double> doubles;
    bool single = true;
};

// Returns the points to send: those in the range plus one on each side, thinned to the columns if there are any.
template <class X>
Kept exact(std::span<const Placed> series, XAxis axis, const Window<X>& window, const Smoother& smoother,
           std::size_t limit);

// A position on x; on an integer axis it is `whole` + `part` (0 <= part < 1), so that large steps stay exact.
struct Position {
    std::int64_t whole = 0;
    double part = 0;  // on a floating-point axis: the position
};

// Returns per series and position the index of the nearest point, -1 if there is none; of several at one x the last.
template <class X>
std::vector<std::int64_t> nearest(std::span<const Placed> series, XAxis axis, std::span<const Position> positions);

struct Picked {
    std::vector<std::int64_t> steps;
    std::vector<double> walls, relative, values, smoothed;
};

// Returns the points at `indices`, one per series and position.
Picked pick(std::span<const Placed> series, std::span<const std::int64_t> indices, std::size_t positions,
            const Smoother& smoother);

// Statistics per series of the points in the range. min, max and mean are those of the finite values.
struct RangeStats {
    std::vector<std::int64_t> n, first_step, last_step, min_step, max_step;
    std::vector<double> first, last, min, max, mean;
};

template <class X>
RangeStats range_stats(std::span<const Placed> series, XAxis axis, const Window<X>& window);

}  // namespace lightboard::kernels
