#include "kernels/bands.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/axis.h"

namespace lightboard::kernels {

namespace {

// Returns the ranks of the two values that bound the middle 90 %, as in TensorBoard.
std::array<std::size_t, 2> ranks(std::size_t count) {
    const auto top = static_cast<double>(count - 1);
    return {static_cast<std::size_t>(std::ceil(0.05 * top)), static_cast<std::size_t>(std::floor(0.95 * top))};
}

double ranked(std::vector<double>& values, std::size_t rank) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

template <class Y>
Extremes extremes(std::span<const Y> block) {
    // lanes without branches, which the compiler can vectorize
    constexpr std::size_t kLanes = 32 / sizeof(Y);
    constexpr Y kInf = std::numeric_limits<Y>::infinity();
    Y low[kLanes], high[kLanes], odd[kLanes] = {};  // odd stays 0 while all values are finite
    std::fill_n(low, kLanes, kInf);
    std::fill_n(high, kLanes, -kInf);
    std::size_t i = 0;
    for (; i + kLanes <= block.size(); i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k) {
            const Y v = block[i + k];
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
            odd[k] += v - v;
        }
    for (std::size_t k = 0; i < block.size(); ++i, k = (k + 1) % kLanes) {
        low[k] = std::min(low[k], block[i]);
        high[k] = std::max(high[k], block[i]);
        odd[k] += block[i] - block[i];
    }
    Extremes found;
    if (std::all_of(odd, odd + kLanes, [](Y v) { return v == 0; })) {
        found.least = static_cast<double>(*std::min_element(low, low + kLanes));
        found.most = static_cast<double>(*std::max_element(high, high + kLanes));
        found.count = block.size();
        return found;
    }
    for (const Y v : block)
        if (finite(v)) {
            found.least = std::min(found.least, static_cast<double>(v));
            found.most = std::max(found.most, static_cast<double>(v));
            ++found.count;
        }
    return found;
}

template Extremes extremes(std::span<const float>);
template Extremes extremes(std::span<const double>);

Range RangeSearch::none() { return {kNaN, kNaN, kNaN, kNaN, 0}; }

RangeSearch::Brackets RangeSearch::narrow(std::span<const Line> lines) const {
    Brackets brackets;
    if (values_ < 4 * kSample) return brackets;
    std::vector<double> seen;
    for (const Line& line : lines) seen.insert(seen.end(), line.sample.begin(), line.sample.end());
    if (seen.size() < kSample / 4) return brackets;
    std::sort(seen.begin(), seen.end());
    const auto last = static_cast<double>(seen.size() - 1);
    const double slack = 5 * std::sqrt(0.05 * 0.95 * last) + 1;  // five standard deviations of the rank
    const auto at = [&](double place) { return seen[static_cast<std::size_t>(std::clamp(place, 0.0, last))]; };
    brackets.low.from = at(0.05 * last - slack);
    brackets.low.to = at(0.05 * last + slack);
    brackets.high.from = at(0.95 * last - slack);
    brackets.high.to = at(0.95 * last + slack);
    return brackets;
}

bool RangeSearch::Brackets::hold(std::size_t count) const {
    const auto rank = ranks(count);
    const auto holds = [](const Bracket& bracket, std::size_t mine) {
        return mine >= bracket.below && mine - bracket.below < bracket.members.size();
    };
    return holds(low, rank[0]) && holds(high, rank[1]);
}

Range RangeSearch::Brackets::found(const Extremes& all) {
    const auto rank = ranks(all.count);
    return {ranked(low.members, rank[0] - low.below), ranked(high.members, rank[1] - high.below), all.least, all.most,
            all.count};
}

Range RobustRange::finish() const {
    std::size_t total = 0;
    for (const auto values : singles_) total += values.size();
    for (const auto values : doubles_) total += values.size();
    const RangeSearch search(total);
    std::vector<RangeSearch::Line> lines;
    const auto look = [&](auto values) {
        lines.push_back(search.line(lines.size()));
        for (std::size_t i = 0; i < values.size(); i += RangeSearch::kBlock)
            search.look(lines.back(), values.subspan(i, std::min(RangeSearch::kBlock, values.size() - i)));
    };
    for (const auto values : singles_) look(values);
    for (const auto values : doubles_) look(values);
    return search.finish(lines, [&](std::size_t line, std::size_t block, auto take) {
        const auto part = [&](auto values) {
            const std::size_t i = block * RangeSearch::kBlock;
            return values.subspan(i, std::min(RangeSearch::kBlock, values.size() - i));
        };
        if (line < singles_.size())
            take(part(singles_[line]));
        else
            take(part(doubles_[line - singles_.size()]));
    });
}

CentreScale frame_scale(const Range& range) {
    if (range.count == 0) return {0, 1};
    const bool wide = range.low < range.high;
    const double low = wide ? range.low : range.min, high = wide ? range.high : range.max;
    const double centre = low / 2 + high / 2, half = high / 2 - low / 2, scale = half + half;
    // If all values are equal, any scale works: the value is the center and gets code 0.
    return {centre, scale > 0 && finite(scale) ? scale : std::max(std::abs(centre), 1.0)};
}

namespace {

// The points of a series that can be interpolated: finite, ascending, one value per x.
template <class X>
struct Curve {
    std::vector<X> x;
    std::vector<double> y;
    std::size_t cursor = 0;  // only moves forward: axis positions are requested in ascending order

    explicit Curve(const SeriesView<X>& view) {
        each_finite_by_x(view.x, view.y, [&](std::size_t i) {
            if (!x.empty() && x.back() == view.x[i]) {
                y.back() = view.y[i];
                return;
            }
            x.push_back(view.x[i]);
            y.push_back(view.y[i]);
        });
    }

    double at(X position) {
        if (x.empty() || position < x.front() || position > x.back()) return kNaN;
        while (cursor + 1 < x.size() && x[cursor + 1] <= position) ++cursor;
        if (x[cursor] == position || cursor + 1 == x.size()) return y[cursor];
        const double t = distance(x[cursor], position) / distance(x[cursor], x[cursor + 1]);
        return y[cursor] * (1 - t) + y[cursor + 1] * t;
    }
};

Bands empty_bands(std::size_t positions, std::size_t quantiles) {
    Bands bands;
    for (auto* column : {&bands.mean, &bands.std, &bands.min, &bands.max}) column->assign(positions, kNaN);
    bands.quantiles.assign(positions * quantiles, kNaN);
    bands.count.assign(positions, 0);
    return bands;
}

// Computes the statistics of one position from the values of the series that are present there; sorts the row.
void summarise(std::vector<double>& row, std::size_t position, std::span<const double> quantiles, unsigned ddof,
               Bands& bands) {
    const std::size_t n = row.size(), positions = bands.mean.size();
    bands.count[position] = static_cast<std::uint32_t>(n);
    if (n == 0) return;
    std::sort(row.begin(), row.end());
    double mean = 0, squares = 0;
    for (const double v : row) mean += v / static_cast<double>(n);
    for (const double v : row) squares += (v - mean) * (v - mean);
    bands.mean[position] = mean;
    if (n > ddof) bands.std[position] = std::sqrt(squares / static_cast<double>(n - ddof));
    bands.min[position] = row.front();
    bands.max[position] = row.back();
    for (std::size_t q = 0; q < quantiles.size(); ++q) {
        const double place = quantiles[q] * static_cast<double>(n - 1);
        const auto below = static_cast<std::size_t>(place);
        const double t = place - static_cast<double>(below);
        const double v = below + 1 < n ? row[below] * (1 - t) + row[below + 1] * t : row[below];
        bands.quantiles[q * positions + position] = v;
    }
}

}  // namespace

template <class X>
Bands aggregate(std::span<const SeriesView<X>> series, std::span<const X> axis, std::span<const double> quantiles,
                unsigned ddof) {
    std::vector<Curve<X>> curves(series.begin(), series.end());
    Bands bands = empty_bands(axis.size(), quantiles.size());
    std::vector<double> row;
    for (std::size_t i = 0; i < axis.size(); ++i) {
        row.clear();
        for (auto& curve : curves)
            if (const double v = curve.at(axis[i]); finite(v)) row.push_back(v);
        summarise(row, i, quantiles, ddof, bands);
    }
    return bands;
}

template <class X>
Bands aggregate_columns(std::span<const SeriesView<X>> series, X lo, X hi, std::size_t columns,
                        std::span<const double> quantiles, unsigned ddof) {
    const std::vector<X> edges = inner_edges(lo, hi, columns);
    std::vector<double> value(series.size() * columns, kNaN), low(columns, kNaN), high(columns, kNaN);
    for (std::size_t s = 0; s < series.size(); ++s) {
        Curve<X> curve(series[s]);
        const std::span<double> mine(value.data() + s * columns, columns);
        const auto widen = [&](std::size_t column, double v) {
            low[column] = v < low[column] || low[column] != low[column] ? v : low[column];
            high[column] = v > high[column] || high[column] != high[column] ? v : high[column];
        };
        const auto [first, past] = inside(std::span<const X>(curve.x), lo, hi);
        each_column(std::span<const X>(curve.x), std::span<const X>(edges), first, past,
                    [&](std::size_t column, std::size_t begin, std::size_t end) {
                        double mean = 0;
                        for (std::size_t i = begin; i < end; ++i) {
                            mean += curve.y[i] / static_cast<double>(end - begin);
                            widen(column, curve.y[i]);
                        }
                        mine[column] = mean;
                    });
        for (std::size_t column = 0; column < columns; ++column) {
            if (finite(mine[column])) continue;
            const X left = column ? edges[column - 1] : lo, right = column < edges.size() ? edges[column] : hi;
            mine[column] = curve.at(std::midpoint(left, right));
            if (finite(mine[column])) widen(column, mine[column]);
        }
    }
    Bands bands = empty_bands(columns, quantiles.size());
    std::vector<double> row;
    for (std::size_t column = 0; column < columns; ++column) {
        row.clear();
        for (std::size_t s = 0; s < series.size(); ++s)
            if (const double v = value[s * columns + column]; finite(v)) row.push_back(v);
        summarise(row, column, quantiles, ddof, bands);
        bands.min[column] = low[column];
        bands.max[column] = high[column];
    }
    return bands;
}

// Instantiated types: steps are int64, times double; values float or double.
#define LB_FOR_AXES(X)                                                                                               \
    template Bands aggregate(std::span<const SeriesView<X>>, std::span<const X>, std::span<const double>, unsigned); \
    template Bands aggregate_columns(std::span<const SeriesView<X>>, X, X, std::size_t, std::span<const double>,     \
                                     unsigned);
LB_FOR_AXES(std::int64_t)
LB_FOR_AXES(double)

}  // namespace lightboard::kernels
