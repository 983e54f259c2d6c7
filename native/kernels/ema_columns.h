// The moving average of several series at once, told by pixel columns: no array of it is made. For a slider in motion.
//
// The same bits as smoothing.h; it is compiled with -ffp-contract=off for the same reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard::kernels {

inline constexpr std::size_t kEmaAbreast = 8;

// Column c of a series holds its points [cuts[c], cuts[c + 1]). What is told of each column that has any goes to
// first[c] … last[c]; before and after are the averages beside the columns, where there is a point.
template <class Y>
struct EmaColumns {
    std::span<const Y> values;
    std::span<const std::uint32_t> cuts;
    double *first = nullptr, *low = nullptr, *high = nullptr, *last = nullptr;
    double before = 0, after = 0;
    bool clean = false;  // false: nothing of the above holds, as there are gaps, or all values are equal
};

// Up to kEmaAbreast series, of which none is empty. `divisors` (smoothing.h) must reach as far as the longest.
template <class Y>
void ema_columns(std::span<EmaColumns<Y>> series, double weight, std::span<const double> divisors);

}  // namespace lightboard::kernels
