// Statistics over many values or many series: the range without outliers, and the bands of a group.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lightboard::kernels {

// The 5 % to 95 % range, as TensorBoard's "ignore outliers": the sorted finite values at ceil(0.05 (n-1)) and
// floor(0.95 (n-1)) if n > 2, else min and max. count = n; low and high are NaN if n = 0.
struct Range {
    double low, high, min, max;
    std::size_t count;
};

// Center and scale of a compact frame that has enough precision both in low … high and in min … max.
struct CentreScale {
    double centre, scale;
};
CentreScale frame_scale(const Range& range);

// Minimum, maximum and number of the finite values.
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
Extremes extremes(std::span<const Y> values);

// Computes that range for lines that are passed in once, block by block, and fetches a few blocks a second time, so
// that smoothed lines need not be stored. The values of all lines are treated as one set.
//
// The first pass records the extremes of each block and a sample. From the sorted sample it derives two narrow brackets
// that contain the two values with high probability. Blocks outside a bracket are only counted; those that overlap it
// are fetched. They are few, because successive values are similar. If a bracket is wrong, the counts show it.
class RangeSearch {
  public:
    static constexpr std::size_t kBlock = 64;

    struct Line {
        std::vector<Extremes> blocks;
        std::vector<double> sample;
        std::size_t skip = 0;  // values to skip before the next sample
    };

    explicit RangeSearch(std::size_t values) : values_(values), stride_(std::max<std::size_t>(1, values / kSample)) {}

    // Lines may be processed in any order, by any thread. The first skip differs per line, so that short lines do not
    // all contribute their first value.
    Line line(std::size_t number) const { return {{}, {}, number * 2654435761 % stride_}; }

    template <class Y>
    void look(Line& line, std::span<const Y> block) const {
        line.blocks.push_back(extremes(block));
        for (; line.skip < block.size(); line.skip += stride_)
            if (const Y v = block[line.skip]; v - v == 0) line.sample.push_back(static_cast<double>(v));
        line.skip -= block.size();
    }

    // fetch(line, block, take) must call take(values) with the same values of the block as before.
    template <class Fetch>
    Range finish(std::span<const Line> lines, Fetch fetch) const {
        Extremes all;
        for (const Line& line : lines)
            for (const Extremes& block : line.blocks) all.join(block);
        if (all.count == 0) return none();
        if (all.count <= 2) return {all.least, all.most, all.least, all.most, all.count};
        Brackets brackets = narrow(lines);
        search(lines, fetch, brackets);
        if (!brackets.hold(all.count)) {
            brackets = Brackets();
            search(lines, fetch, brackets);
        }
        return brackets.found(all);
    }

  private:
    static constexpr std::size_t kSample = 4096;

    // An interval that should contain the value of a certain rank. Initially all numbers.
    struct Bracket {
        double from = std::numeric_limits<double>::lowest(), to = std::numeric_limits<double>::max();
        std::size_t below = 0;
        std::vector<double> members{};

        bool touches(const Extremes& block) const { return block.least <= to && block.most >= from; }

        template <class Y>
        void take(std::span<const Y> block) {
            for (const Y v : block) {
                if (!(v - v == 0)) continue;
                const auto wide = static_cast<double>(v);
                below += wide < from;
                if (wide >= from && wide <= to) members.push_back(wide);
            }
        }
    };
    struct Brackets {
        Bracket low, high;
        bool hold(std::size_t count) const;
        Range found(const Extremes& all);
    };

    static Range none();
    Brackets narrow(std::span<const Line> lines) const;

    template <class Fetch>
    static void search(std::span<const Line> lines, Fetch fetch, Brackets& brackets) {
        for (std::size_t l = 0; l < lines.size(); ++l)
            for (std::size_t b = 0; b < lines[l].blocks.size(); ++b) {
                const Extremes& block = lines[l].blocks[b];
                if (block.count == 0) continue;
                bool wanted = false;
                for (Bracket* bracket : {&brackets.low, &brackets.high}) {
                    if (block.most < bracket->from) bracket->below += block.count;
                    wanted = wanted || bracket->touches(block);
                }
                if (!wanted) continue;
                fetch(l, b, [&](auto values) {
                    for (Bracket* bracket : {&brackets.low, &brackets.high})
                        if (bracket->touches(block)) bracket->take(values);
                });
            }
    }

    std::size_t values_, stride_;
};

// The range of arrays in memory. finish() reads the arrays, so they must exist until then.
class RobustRange {
  public:
    void add(std::span<const float> values) { singles_.push_back(values); }
    void add(std::span<const double> values) { doubles_.push_back(values); }
    Range finish() const;

  private:
    std::vector<std::span<const float>> singles_;
    std::vector<std::span<const double>> doubles_;
};

template <class X>
struct SeriesView {
    std::span<const X> x;
    std::span<const double> y;
};

// One entry per axis position; if count is 0, the others are NaN. quantiles: row after row, one row per requested
// quantile.
struct Bands {
    std::vector<double> mean, std, min, max, quantiles;
    std::vector<std::uint32_t> count;
};

// Computes statistics over the series at each axis position (ascending). A series is interpolated linearly between its
// finite points and ignored outside them; if several points have the same x, the last is used. ddof as in numpy.
template <class X>
Bands aggregate(std::span<const SeriesView<X>> series, std::span<const X> axis, std::span<const double> quantiles,
                unsigned ddof);

// The same per column of [lo, hi]: a series contributes the mean of its points in the column or, if it has none there,
// its interpolated value at the middle of the column; min and max are those of the points, so no extreme is hidden.
template <class X>
Bands aggregate_columns(std::span<const SeriesView<X>> series, X lo, X hi, std::size_t columns,
                        std::span<const double> quantiles, unsigned ddof);

}  // namespace lightboard::kernels
