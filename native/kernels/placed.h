// Helpers of the bundle kernels: the points of one series, its x, and the columns of a window.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/axis.h"
#include "kernels/bundle.h"

namespace lightboard::kernels {

inline constexpr std::size_t kLanes = 4;  // series smoothed at once, and the unit of work of a thread

inline std::size_t points_of(std::span<const Placed> series) {
    std::size_t sum = 0;
    for (const Placed& one : series) sum += one.size();
    return sum;
}

// Calls visit(values) with the values in their stored type.
template <class Visit>
auto with_values(const Placed& one, Visit visit) {
    return one.doubles.empty() ? visit(one.singles) : visit(one.doubles);
}

inline double value_at(const Placed& one, std::size_t i) {
    return one.doubles.empty() ? static_cast<double>(one.singles[i]) : one.doubles[i];
}

// Returns the x of one series. Only seconds since the first point have to be computed; they are stored in `room`.
template <class X>
std::span<const X> x_of(const Placed& one, XAxis axis, std::vector<double>& room) {
    if constexpr (std::is_integral_v<X>) {
        return one.steps;
    } else {
        if (axis == XAxis::kOwn) return one.own;
        if (axis == XAxis::kWall) return one.walls;
        const auto first = std::find_if(one.walls.begin(), one.walls.end(), [](double v) { return finite(v); });
        const double start = first == one.walls.end() ? 0.0 : *first;
        room.resize(one.size());
        for (std::size_t i = 0; i < room.size(); ++i) room[i] = one.walls[i] - start;
        return room;
    }
}

template <class X>
bool goes_up(const Placed& one, std::span<const X> x) {
    return (std::is_integral_v<X> && one.ordered) || ascending(x);
}

inline double bent(double x, XScale scale) {
    if (scale == XScale::kLog) return std::log(x);
    if (scale == XScale::kSymlog) return std::copysign(std::log1p(std::abs(x)), x);
    return x;
}

inline double straightened(double t, XScale scale) {
    if (scale == XScale::kLog) return std::exp(t);
    if (scale == XScale::kSymlog) return std::copysign(std::expm1(std::abs(t)), t);
    return t;
}

// Inner edges of the window's columns, evenly spaced on the scale.
template <class X>
std::vector<X> edges_of(const Window<X>& window) {
    if (window.columns == 0) return {};
    if (window.scale == XScale::kLinear) return inner_edges(window.lo, window.hi, window.columns);
    const double from = bent(static_cast<double>(window.lo), window.scale);
    const double to = bent(static_cast<double>(window.hi), window.scale);
    std::vector<X> edges(window.columns - 1);
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const double t = from + (to - from) / static_cast<double>(window.columns) * static_cast<double>(k + 1);
        const double edge = straightened(t, window.scale);
        // clamped as a double, because a double cannot represent the largest int64
        if (!(edge > static_cast<double>(window.lo)))
            edges[k] = window.lo;
        else if (!(edge < static_cast<double>(window.hi)))
            edges[k] = window.hi;
        else
            edges[k] = static_cast<X>(std::is_integral_v<X> ? std::ceil(edge) : edge);
    }
    return edges;
}

}  // namespace lightboard::kernels
