// The moving averages of several series at once, reduced to pixel columns without storing them. Used while a slider
// moves.
//
// The same bits as smoothing.h; it is compiled with -ffp-contract=off for the same reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard::kernels {

inline constexpr std::size_t kEmaAbreast = 8;

// Column c of a series holds its points [cuts[c], cuts[c + 1]). The results of each non-empty column go to first[c] …
// last[c]; before and after are the averages just outside the columns, if there is a point.
template <class Y>
struct EmaColumns {
    std::span<const Y> values;
    std::span<const std::uint32_t> cuts;
    double *first = nullptr, *low = nullptr, *high = nullptr, *last = nullptr;
    double before = 0, after = 0;
    bool clean = false;  // false: the results above are invalid, because of gaps or because all values are equal
};

// Up to kEmaAbreast series, of which none is empty. `divisors` (smoothing.h) must reach as far as the longest.
template <class Y>
void ema_columns(std::span<EmaColumns<Y>> series, double weight, std::span<const double> divisors);

}  // namespace lightboard::kernels
