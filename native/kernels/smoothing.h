// Smoothing of whole series. Formulas: docs/explanation/smoothing.md.
//
// Compiled with -ffp-contract=off: the moving average must be bit-identical to the formula in Python and JavaScript
// doubles, and a fused multiply-add rounds once instead of twice.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lightboard::kernels {

// All functions: the output is as long as the input; NaN and ±Inf are copied and do not affect other points; a series
// whose values are all equal is returned unchanged.

// TensorBoard's debiased exponential moving average, by point index. 0 <= weight <= 1.
template <class Y>
std::vector<double> ema(std::span<const Y> values, double weight);

// Returns 1 - weight^n for n = 1, 2, … until it is 1, at most `most` entries: the averages of many series are divided
// by it.
std::vector<double> ema_divisors(double weight, std::size_t most);

// The same average of several series, computed interleaved, because each step depends on the one before. The results
// are bit-identical. `divisors` must be long enough for the longest series.
//
// `states`, if not empty, receives the data that ema_block() needs. It is empty for a series that has gaps or is
// returned unchanged.
inline constexpr std::size_t kEmaBlock = 64;
template <class Y>
void ema_side_by_side(std::span<const std::span<const Y>> series, double weight, std::span<const double> divisors,
                      std::span<std::vector<double>> out, std::span<std::vector<double>> states);

// Recomputes block number `block` (of kEmaBlock points) of such an average.
template <class Y>
void ema_block(std::span<const Y> values, double weight, std::span<const double> divisors,
               std::span<const double> states, std::size_t block, std::span<double> out);

// The same average with neighbors weighted by weight^(distance / unit), distance measured on x. unit > 0.
template <class X, class Y>
std::vector<double> time_ema(std::span<const X> x, std::span<const Y> values, double weight, double unit);

// Returns the median of the positive gaps between successive x, the default unit of time_ema; 1 if there is none.
template <class X>
double typical_gap(std::span<const X> x);

// Gaussian average, sigma in points.
template <class Y>
std::vector<double> gaussian(std::span<const Y> values, double sigma);

// Gaussian average, sigma in units of x. x may be in any order and may repeat.
template <class X, class Y>
std::vector<double> gaussian_x(std::span<const X> x, std::span<const Y> values, double sigma);

// Mean and median of the finite points among [i - before, i + after].
template <class Y>
std::vector<double> running_mean(std::span<const Y> values, std::size_t before, std::size_t after);
template <class Y>
std::vector<double> running_median(std::span<const Y> values, std::size_t before, std::size_t after);

}  // namespace lightboard::kernels
