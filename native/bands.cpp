#include "bands.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "axis.h"

namespace lightboard::kernels {

namespace {

// The upper half of a double's bits, turned so that they order like the numbers: 16 cells per octave.
inline std::uint32_t cell_of(double v) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    return static_cast<std::uint32_t>((bits ^ (bits >> 63 ? ~std::uint64_t{0} : std::uint64_t{1} << 63)) >> 48);
}

// Ranks of the two values that bound the middle 90 %, as TensorBoard counts them.
std::array<std::size_t, 2> ranks(std::size_t count) {
    const auto top = static_cast<double>(count - 1);
    return {static_cast<std::size_t>(std::ceil(0.05 * top)), static_cast<std::size_t>(std::floor(0.95 * top))};
}

double ranked(std::vector<double>& values, std::size_t rank) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

// Of the finite values.
struct Extremes {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::size_t count = 0;

    void join(const Extremes& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        count += other.count;
    }
};

template <class Y>
Extremes extremes(std::span<const Y> block) {
    // lanes without a branch, which a compiler turns into vectors
    constexpr std::size_t kLanes = 32 / sizeof(Y);
    constexpr Y kInf = std::numeric_limits<Y>::infinity();
    Y low[kLanes], high[kLanes], odd[kLanes] = {};  // odd stays 0 while all are finite
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

// A stretch of the number line that should hold the value of some rank.
struct Bracket {
    double from, to;
    std::size_t below = 0;
    std::vector<double> members{};

    template <class Y>
    void take(std::span<const Y> block, const Extremes& known) {
        if (known.least > to) return;
        if (known.most < from) {
            below += known.count;
            return;
        }
        for (const Y v : block) {
            if (!finite(v)) continue;
            const auto wide = static_cast<double>(v);
            below += wide < from;
            if (wide >= from && wide <= to) members.push_back(wide);
        }
    }
};

}  // namespace

template <class Visit>
void RobustRange::each_array(Visit visit) const {
    for (const auto values : singles_) visit(values);
    for (const auto values : doubles_) visit(values);
}

template <class Visit>
void RobustRange::each_finite(Visit visit) const {
    each_array([&](auto values) {
        for (const auto v : values)
            if (finite(v)) visit(static_cast<double>(v));
    });
}

// Counting into cells and selecting within one: for samples that say nothing about the whole.
Range RobustRange::by_cells() const {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::vector<std::uint32_t> cells(1 << 16);
    each_finite([&](double v) {
        least = v < least ? v : least;
        most = v > most ? v : most;
        ++cells[cell_of(v)];
    });
    const std::size_t count = std::accumulate(cells.begin(), cells.end(), std::size_t{0});
    if (count == 0) return {kNaN, kNaN, kNaN, kNaN, 0};
    if (count <= 2) return {least, most, least, most, count};
    auto rank = ranks(count);
    std::array<std::uint32_t, 2> cell{};
    std::array<std::vector<double>, 2> members;
    for (std::size_t k : {0u, 1u}) {
        for (; rank[k] >= cells[cell[k]]; ++cell[k]) rank[k] -= cells[cell[k]];
        members[k].reserve(cells[cell[k]]);
    }
    each_finite([&](double v) {
        const std::uint32_t mine = cell_of(v);
        if (mine == cell[0]) members[0].push_back(v);
        if (mine == cell[1]) members[1].push_back(v);
    });
    return {ranked(members[0], rank[0]), ranked(members[1], rank[1]), least, most, count};
}

std::vector<double> RobustRange::sample(std::size_t stride) const {
    std::vector<double> found;
    std::size_t next = 0;
    each_array([&](auto values) {
        for (; next < values.size(); next += stride)
            if (finite(values[next])) found.push_back(static_cast<double>(values[next]));
        next -= values.size();
    });
    return found;
}

// A sorted sample tells two narrow brackets that hold the two values looked for, nearly surely. One pass then counts
// what lies below each and collects what lies inside, and skips whole blocks on one side of a bracket: successive
// values are alike, so most are. When a bracket was wrong after all, the counts show it.
Range RobustRange::finish() const {
    std::size_t total = 0;
    each_array([&](auto values) { total += values.size(); });
    constexpr std::size_t kSample = 4096;
    if (total < 4 * kSample) {
        std::vector<double> all;
        all.reserve(total);
        each_finite([&](double v) { all.push_back(v); });
        const std::size_t count = all.size();
        if (count == 0) return {kNaN, kNaN, kNaN, kNaN, 0};
        const auto [least, most] = std::minmax_element(all.begin(), all.end());
        const double low = *least, high = *most;
        if (count <= 2) return {low, high, low, high, count};
        const auto rank = ranks(count);
        const double lower = ranked(all, rank[0]);
        return {lower, ranked(all, rank[1]), low, high, count};
    }
    std::vector<double> seen = sample(total / kSample);
    if (seen.size() < kSample / 4) return by_cells();
    std::sort(seen.begin(), seen.end());
    const auto most_seen = static_cast<double>(seen.size() - 1);
    const double slack = 5 * std::sqrt(0.05 * 0.95 * most_seen) + 1;  // five standard deviations of the rank
    const auto seen_at = [&](double place) {
        return seen[static_cast<std::size_t>(std::clamp(place, 0.0, most_seen))];
    };
    Bracket brackets[2] = {{seen_at(0.05 * most_seen - slack), seen_at(0.05 * most_seen + slack)},
                           {seen_at(0.95 * most_seen - slack), seen_at(0.95 * most_seen + slack)}};
    Extremes all;
    each_array([&](auto values) {
        constexpr std::size_t kBlock = 64;
        for (std::size_t i = 0; i < values.size(); i += kBlock) {
            const auto block = values.subspan(i, std::min(kBlock, values.size() - i));
            const Extremes mine = extremes(block);
            if (mine.count == 0) continue;
            all.join(mine);
            for (Bracket& bracket : brackets) bracket.take(block, mine);
        }
    });
    if (all.count <= 2) return by_cells();
    const auto rank = ranks(all.count);
    double found[2];
    for (const std::size_t k : {0u, 1u}) {
        Bracket& bracket = brackets[k];
        if (rank[k] < bracket.below || rank[k] - bracket.below >= bracket.members.size()) return by_cells();
        found[k] = ranked(bracket.members, rank[k] - bracket.below);
    }
    return {found[0], found[1], all.least, all.most, all.count};
}

CentreScale frame_scale(const Range& range) {
    if (range.count == 0) return {0, 1};
    const bool wide = range.low < range.high;
    const double low = wide ? range.low : range.min, high = wide ? range.high : range.max;
    const double centre = low / 2 + high / 2, half = high / 2 - low / 2, scale = half + half;
    // All values equal: any scale will do, as the one value is the centre and gets code 0 exactly.
    return {centre, scale > 0 && finite(scale) ? scale : std::max(std::abs(centre), 1.0)};
}

namespace {

// A series reduced to what can be interpolated: finite, ascending, one value per x.
template <class X>
struct Curve {
    std::vector<X> x;
    std::vector<double> y;
    std::size_t cursor = 0;  // only moves forward: axis positions are asked in ascending order

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

// Statistics of one position from the values of the series present there; the row is sorted on the way.
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

// The types that exist: steps are int64, times double; values float or double.
#define LB_FOR_AXES(X)                                                                                               \
    template Bands aggregate(std::span<const SeriesView<X>>, std::span<const X>, std::span<const double>, unsigned); \
    template Bands aggregate_columns(std::span<const SeriesView<X>>, X, X, std::size_t, std::span<const double>,     \
                                     unsigned);
LB_FOR_AXES(std::int64_t)
LB_FOR_AXES(double)

}  // namespace lightboard::kernels
