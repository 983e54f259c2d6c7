#include "kernels/fit.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/axis.h"
#include "kernels/bands.h"

namespace lightboard::kernels {

namespace {

constexpr std::size_t kFew = 50;
// The sample decides whether a series may have outliers; most have none, and need no search.
constexpr std::size_t kSample = 256;

std::size_t share(double part, std::size_t count) {
    return static_cast<std::size_t>(std::ceil(part * static_cast<double>(count)));
}

// Returns the values without `skip` of them at each end. Changes the order of `values`.
Fit middle_of(std::vector<double>& values, std::size_t skip) {
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(skip);
    const auto high = values.end() - 1 - static_cast<std::ptrdiff_t>(skip);
    std::nth_element(values.begin(), low, values.end());
    const double lowest = *low;
    std::nth_element(low, high, values.end());
    return {lowest, *high};
}

bool is_far_below(const Extremes& all, const Fit& middle) { return middle.low - all.least > middle.high - middle.low; }

bool is_far_above(const Extremes& all, const Fit& middle) { return all.most - middle.high > middle.high - middle.low; }

template <class Y>
std::vector<double> every(std::span<const Y> values, std::size_t stride) {
    std::vector<double> found;
    found.reserve(values.size() / stride + 1);
    for (std::size_t i = 0; i < values.size(); i += stride)
        if (finite(values[i])) found.push_back(static_cast<double>(values[i]));
    return found;
}

template <class Y>
bool may_have_outliers(std::span<const Y> values, const Extremes& all) {
    std::vector<double> sample = every(values, std::max<std::size_t>(1, values.size() / kSample));
    if (sample.size() < kFew) return true;
    const Fit middle = middle_of(sample, share(0.02, sample.size()));
    return is_far_below(all, middle) || is_far_above(all, middle);
}

}  // namespace

template <class Y>
Fit fit_of(std::span<const Y> values) {
    const Extremes all = extremes(values);
    const Fit whole{all.least, all.most};
    if (all.count < kFew || !may_have_outliers(values, all)) return whole;
    std::vector<double> sorted = every(values, 1);
    const double first = sorted.front(), last = sorted.back();
    const Fit middle = middle_of(sorted, share(0.01, sorted.size()));
    if (!(middle.low < middle.high)) return whole;
    Fit fit{is_far_below(all, middle) ? middle.low : all.least, is_far_above(all, middle) ? middle.high : all.most};
    fit.join({std::min(first, last), std::max(first, last)});
    const auto hidden =
        std::count_if(sorted.begin(), sorted.end(), [&](double v) { return v < fit.low || v > fit.high; });
    return static_cast<double>(hidden) > 0.02 * static_cast<double>(sorted.size()) ? whole : fit;
}

template Fit fit_of(std::span<const float>);
template Fit fit_of(std::span<const double>);

}  // namespace lightboard::kernels
