// Computes the moving averages of several series at once and reduces them to pixel columns without storing them. Used
// while a slider moves.
//
// The results are bit-identical to smoothing.h, so this file is also compiled with -ffp-contract=off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard::kernels {

inline constexpr std::size_t kEmaAbreast = 8;

// Column c of a series contains its points [cuts[c], cuts[c + 1]). The results of each non-empty column are stored in
// first[c] … last[c]; before and after are the averages just outside the columns, if there is a point.
template <class Y>
struct EmaColumns {
    std::span<const Y> values;
    std::span<const std::uint32_t> cuts;
    double *first = nullptr, *low = nullptr, *high = nullptr, *last = nullptr;
    double before = 0, after = 0;
    bool clean = false;  // false: the results above are invalid, because of gaps or because all values are equal
};

// Processes up to kEmaAbreast series, none of them empty. `divisors` (smoothing.h) must be long enough for the longest.
template <class Y>
void ema_columns(std::span<EmaColumns<Y>> series, double weight, std::span<const double> divisors);

}  // namespace lightboard::kernels
