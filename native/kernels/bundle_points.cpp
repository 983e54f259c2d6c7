// The functions of bundle.h that return single points: exact values, the points nearest to a position, statistics.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "kernels/axis.h"
#include "kernels/bundle.h"
#include "kernels/many_smoother.h"
#include "kernels/placed.h"
#include "kernels/thinning.h"

namespace lightboard::kernels {

namespace {

// Selected points: a contiguous stretch, or a list of indices if points between are omitted.
struct Selection {
    Inside stretch{0, 0};
    bool picked = false;
    std::vector<std::int64_t> indices;

    std::size_t size() const { return picked ? indices.size() : stretch.past - stretch.first; }

    template <class Visit>
    void each(Visit visit) const {
        if (picked)
            for (const std::int64_t i : indices) visit(static_cast<std::size_t>(i));
        else
            for (std::size_t i = stretch.first; i < stretch.past; ++i) visit(i);
    }
};

template <class X>
Selection select(const Placed& one, std::span<const X> x, std::span<const double> smoothed, const Window<X>& window,
                 std::span<const X> edges) {
    Selection found;
    found.stretch = {0, x.size()};
    if (!window.bounded || x.empty()) return found;
    if (window.columns) {
        found.picked = true;
        found.indices =
            with_values(one, [&](auto values) { return m4_indices_between(x, values, window.lo, window.hi, edges); });
        if (!smoothed.empty()) {
            const auto more = m4_indices_between(x, smoothed, window.lo, window.hi, edges);
            std::vector<std::int64_t> both;
            std::set_union(found.indices.begin(), found.indices.end(), more.begin(), more.end(),
                           std::back_inserter(both));
            found.indices = std::move(both);
        }
    } else if (goes_up(one, x)) {
        const Inside range = inside(x, window.inner_lo, window.inner_hi);
        found.stretch = {range.first - (range.first > 0), std::min(x.size(), range.past + 1)};
    } else {
        found.picked = true;
        const auto within = [&](std::size_t i) { return x[i] >= window.inner_lo && x[i] <= window.inner_hi; };
        for (std::size_t i = 0; i < x.size(); ++i)
            if (within(i) || (i > 0 && within(i - 1)) || (i + 1 < x.size() && within(i + 1)))
                found.indices.push_back(static_cast<std::int64_t>(i));
    }
    return found;
}

// Removes points that have no position on the axis: x is NaN, or not positive on a log scale.
template <class X>
void drop_unplaced(Selection& found, std::span<const X> x, XAxis axis, XScale scale) {
    if (axis == XAxis::kOwn || scale == XScale::kLog) {
        if (!found.picked) {
            std::vector<std::int64_t> all;
            found.each([&](std::size_t i) { all.push_back(static_cast<std::int64_t>(i)); });
            found.indices = std::move(all);
            found.picked = true;
        }
        std::erase_if(found.indices, [&](std::int64_t i) {
            const X v = x[static_cast<std::size_t>(i)];
            return v != v || (scale == XScale::kLog && !(v > 0));
        });
    }
}

}  // namespace

template <class X>
Kept exact(std::span<const Placed> series, XAxis axis, const Window<X>& window, const Smoother& smoother,
           std::size_t limit) {
    const std::vector<X> edges = edges_of(window);
    const ManySmoother many(series, smoother);
    std::vector<std::vector<double>> smoothed(series.size());
    std::vector<Selection> chosen(series.size());
    in_parallel((series.size() + kLanes - 1) / kLanes, points_of(series), [&](std::size_t piece) {
        const std::size_t begin = piece * kLanes, end = std::min(series.size(), begin + kLanes);
        std::vector<double> room;
        if (many.enabled()) many.run(begin, std::span(smoothed).subspan(begin, end - begin));
        for (std::size_t s = begin; s < end; ++s) {
            const auto x = x_of<X>(series[s], axis, room);
            chosen[s] = select(series[s], x, std::span<const double>(smoothed[s]), window, std::span<const X>(edges));
            drop_unplaced(chosen[s], x, axis, window.scale);
        }
    });
    Kept kept;
    kept.counts.reserve(series.size());
    for (std::size_t s = 0; s < series.size(); ++s) {
        kept.counts.push_back(static_cast<std::int64_t>(chosen[s].size()));
        kept.total += chosen[s].size();
        kept.single = kept.single && series[s].doubles.empty();
    }
    if (kept.total > limit) return kept;
    kept.steps.reserve(kept.total);
    kept.walls.reserve(kept.total);
    if (kept.single)
        kept.singles.reserve(kept.total);
    else
        kept.doubles.reserve(kept.total);
    if (many.enabled()) kept.smoothed.reserve(kept.total);
    for (std::size_t s = 0; s < series.size(); ++s) {
        const Placed& one = series[s];
        chosen[s].each([&](std::size_t i) {
            kept.steps.push_back(one.steps[i]);
            kept.walls.push_back(one.walls[i]);
            if (axis == XAxis::kOwn) kept.x.push_back(one.own[i]);
            if (kept.single)
                kept.singles.push_back(one.singles[i]);
            else
                kept.doubles.push_back(value_at(one, i));
            if (many.enabled()) kept.smoothed.push_back(smoothed[s][i]);
        });
    }
    return kept;
}

namespace {

// Returns the distance of x from the position; NaN if x is NaN.
double away(std::int64_t x, const Position& position) {
    return x <= position.whole ? distance(x, position.whole) + position.part
                               : distance(position.whole, x) - position.part;
}
double away(double x, const Position& position) { return std::abs(x - position.part); }

// Returns whether `left`, which is before the position, is at least as near as `right`. Integer steps are compared as
// integers, because differences of large steps can be too small for a double.
bool left_is_nearer(std::int64_t left, std::int64_t right, const Position& p) {
    const auto whole = static_cast<std::uint64_t>(p.whole);
    const std::uint64_t back = whole - static_cast<std::uint64_t>(left),
                        ahead = static_cast<std::uint64_t>(right) - whole;
    return back <= ahead && static_cast<double>(ahead - back) >= 2 * p.part;
}
bool left_is_nearer(double left, double right, const Position& p) { return away(left, p) <= away(right, p); }

bool before(std::int64_t x, const Position& p) { return x < p.whole || (x == p.whole && p.part > 0); }
bool before(double x, const Position& p) { return x < p.part; }

template <class X>
std::int64_t nearest_index(std::span<const X> x, bool up, const Position& position) {
    if (x.empty()) return -1;
    if (!up) {
        std::int64_t best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < x.size(); ++i)
            if (const double d = away(x[i], position); d < least) least = d, best = static_cast<std::int64_t>(i);
        return best;
    }
    const auto after = std::partition_point(x.begin(), x.end(), [&](X v) { return before(v, position); });
    auto best = after == x.end() ? after - 1 : after;
    if (after != x.begin() && after != x.end() && left_is_nearer(*(after - 1), *after, position)) best = after - 1;
    return std::upper_bound(x.begin(), x.end(), *best) - x.begin() - 1;
}

}  // namespace

template <class X>
std::vector<std::int64_t> nearest(std::span<const Placed> series, XAxis axis, std::span<const Position> positions) {
    std::vector<std::int64_t> found(series.size() * positions.size());
    in_parallel(series.size(), points_of(series) / 4, [&](std::size_t s) {
        std::vector<double> room;
        const auto x = x_of<X>(series[s], axis, room);
        const bool up = goes_up(series[s], x);
        for (std::size_t p = 0; p < positions.size(); ++p)
            found[s * positions.size() + p] = nearest_index(x, up, positions[p]);
    });
    return found;
}

Picked pick(std::span<const Placed> series, std::span<const std::int64_t> indices, std::size_t positions,
            const Smoother& smoother) {
    Picked picked;
    picked.steps.assign(indices.size(), 0);
    for (auto* column : {&picked.walls, &picked.relative, &picked.values}) column->assign(indices.size(), kNaN);
    const ManySmoother many(series, smoother);
    if (many.enabled()) picked.smoothed.assign(indices.size(), kNaN);
    in_parallel((series.size() + kLanes - 1) / kLanes, many.enabled() ? points_of(series) : 0, [&](std::size_t piece) {
        const std::size_t begin = piece * kLanes, end = std::min(series.size(), begin + kLanes);
        std::vector<std::vector<double>> smoothed(end - begin);
        if (many.enabled()) many.run(begin, smoothed);
        for (std::size_t at = begin * positions; at < end * positions; ++at) {
            if (indices[at] < 0) continue;
            const std::size_t s = at / positions;
            const auto i = static_cast<std::size_t>(indices[at]);
            const Placed& one = series[s];
            if (i >= one.size()) continue;
            picked.steps[at] = one.steps[i];
            picked.walls[at] = one.walls[i];
            picked.relative[at] = one.walls[i] - one.walls[0];
            picked.values[at] = value_at(one, i);
            if (many.enabled()) picked.smoothed[at] = smoothed[s - begin][i];
        }
    });
    return picked;
}

template <class X>
RangeStats range_stats(std::span<const Placed> series, XAxis axis, const Window<X>& window) {
    RangeStats stats;
    for (auto* column : {&stats.n, &stats.first_step, &stats.last_step, &stats.min_step, &stats.max_step})
        column->assign(series.size(), 0);
    for (auto* column : {&stats.first, &stats.last, &stats.min, &stats.max, &stats.mean})
        column->assign(series.size(), kNaN);
    in_parallel(series.size(), points_of(series), [&](std::size_t s) {
        const Placed& one = series[s];
        std::vector<double> room;
        const auto x = x_of<X>(one, axis, room);
        Inside range{0, x.size()};
        const bool up = window.bounded && goes_up(one, x);
        if (up) range = inside(x, window.inner_lo, window.inner_hi);
        double sum = 0, finite_count = 0;
        for (std::size_t i = range.first; i < range.past; ++i) {
            if (window.bounded && !up && !(x[i] >= window.inner_lo && x[i] <= window.inner_hi)) continue;
            const double v = value_at(one, i);
            if (stats.n[s]++ == 0) {
                stats.first[s] = v;
                stats.first_step[s] = one.steps[i];
            }
            stats.last[s] = v;
            stats.last_step[s] = one.steps[i];
            if (!finite(v)) continue;
            if (!(stats.min[s] <= v)) stats.min[s] = v, stats.min_step[s] = one.steps[i];
            if (!(stats.max[s] >= v)) stats.max[s] = v, stats.max_step[s] = one.steps[i];
            finite_count += 1;
            sum += v;
        }
        if (finite_count > 0) stats.mean[s] = sum / finite_count;
    });
    return stats;
}

#define LB_FOR_AXES(X)                                                                                        \
    template Kept exact(std::span<const Placed>, XAxis, const Window<X>&, const Smoother&, std::size_t);      \
    template std::vector<std::int64_t> nearest<X>(std::span<const Placed>, XAxis, std::span<const Position>); \
    template RangeStats range_stats(std::span<const Placed>, XAxis, const Window<X>&);
LB_FOR_AXES(std::int64_t)
LB_FOR_AXES(double)

}  // namespace lightboard::kernels
