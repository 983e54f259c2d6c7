// The range that the y axis of a chart shows for a series: all its values, except for a few far away from the others.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

namespace lightboard::kernels {

// Initially empty: low > high.
struct Fit {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    void join(const Fit& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

// Returns the range of the finite values of one series.
//
// The middle of a series is its values without 1 % at each end. A value is an outlier if it is farther from the middle
// than the middle is wide; the range then ends at the middle. The range always includes the first and the last value
// and at least 98 % of all, and it includes everything if there are fewer than 50 values or if the middle is one value.
template <class Y>
Fit fit_of(std::span<const Y> values);

}  // namespace lightboard::kernels
