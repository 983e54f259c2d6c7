#include "kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>

namespace lightboard::kernels {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Cheaper than std::isfinite in the inner loops and the same without -ffast-math: Inf - Inf and NaN - NaN are NaN.
template <class Y>
inline bool finite(Y v) {
    return v - v == Y{0};
}

template <class Y>
bool all_equal(std::span<const Y> values) {
    return std::all_of(values.begin(), values.end(), [&](Y v) { return v == values[0]; });
}

template <class Y>
std::vector<double> widened(std::span<const Y> values) {
    return std::vector<double>(values.begin(), values.end());
}

// b - a for a <= b. Steps may span the whole of int64, so the subtraction is done where it cannot overflow.
inline double distance(std::int64_t a, std::int64_t b) {
    return static_cast<double>(static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a));
}
inline double distance(double a, double b) { return b - a; }

template <class X>
bool ascending(std::span<const X> x) {
    for (std::size_t i = 1; i < x.size(); ++i)
        if (!(x[i - 1] <= x[i])) return false;  // written so that a NaN counts as disorder
    return x.empty() || x[0] == x[0];
}

// Visits the finite points in ascending x (stable): at(index).
template <class X, class Y, class Visit>
void each_finite_by_x(std::span<const X> x, std::span<const Y> y, Visit visit) {
    const auto usable = [&](std::size_t i) { return finite(y[i]) && (std::is_integral_v<X> || finite(static_cast<double>(x[i]))); };
    if (ascending(x)) {
        for (std::size_t i = 0; i < y.size(); ++i)
            if (usable(i)) visit(i);
        return;
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < y.size(); ++i)
        if (usable(i)) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    for (const std::size_t i : order) visit(i);
}

}  // namespace

// ---- smoothing ------------------------------------------------------------------------------------------------------------

template <class Y>
std::vector<double> ema(std::span<const Y> values, double weight) {
    if (all_equal(values)) return widened(values);
    std::vector<double> out(values.size());
    const double fresh = 1 - weight;
    // Below 2^-60 the power no longer changes 1 - power; from there on the division by 1 is left out.
    constexpr double kVanished = 0x1p-60;
    double last = 0, count = 0;
    bool biased = weight != 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = static_cast<double>(values[i]);
        if (!finite(v)) {
            out[i] = v;
            continue;
        }
        last = weight * last + fresh * v;
        if (!biased) {
            out[i] = last;
            continue;
        }
        count += 1;
        const double power = std::pow(weight, count);
        out[i] = last / (1 - power);
        biased = power >= kVanished;
    }
    return out;
}

template <class X, class Y>
std::vector<double> time_ema(std::span<const X> x, std::span<const Y> values, double weight, double unit) {
    if (all_equal(values)) return widened(values);
    std::vector<double> out(values.size());
    double mean = 0, mass = 0, gap_seen = -1, decay = 0;
    X x_last{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = static_cast<double>(values[i]);
        out[i] = v;
        if (!finite(v) || !(std::is_integral_v<X> || finite(static_cast<double>(x[i])))) continue;
        if (mass > 0) {
            // A jump back (a restarted job) is a distance like a jump forward.
            const double gap = x_last <= x[i] ? distance(x_last, x[i]) : distance(x[i], x_last);
            if (gap != gap_seen) decay = std::pow(weight, gap / unit);
            gap_seen = gap;
        }
        x_last = x[i];
        mass = mass * decay + 1;
        const double share = 1 / mass;
        mean = mean * (1 - share) + v * share;
        out[i] = mean;
    }
    return out;
}

template <class X>
double typical_gap(std::span<const X> x) {
    std::vector<double> gaps;
    gaps.reserve(x.size());
    for (std::size_t i = 1; i < x.size(); ++i)
        if (x[i - 1] < x[i]) {
            const double gap = distance(x[i - 1], x[i]);
            if (finite(gap)) gaps.push_back(gap);
        }
    if (gaps.empty()) return 1;
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    return *middle;
}

namespace {

constexpr double kReach = 4;            // sigmas; the weight there is 3e-4 of the middle
constexpr double kCell = 1.0 / 16;      // sigmas merged into one node when neighbourhoods are crowded
constexpr std::size_t kCrowd = 256;     // mean neighbours per point above which cells are used
constexpr double kDirectSigma = 32;     // points; 2 * kReach * kDirectSigma = kCrowd

// A place on the x axis standing for `mass` points with mean value y.
struct Node {
    double x, y, mass;
};

double gaussian_at(std::span<const Node> nodes, double x, double sigma) {
    double sum = 0, mass = 0;
    for (const Node& node : nodes) {
        const double z = (node.x - x) / sigma;
        const double g = node.mass * std::exp(-0.5 * z * z);
        sum += g * node.y;
        mass += g;
    }
    return sum / mass;
}

// The smooth value at every node, from the nodes within reach.
std::vector<double> gaussian_nodes(std::span<const Node> nodes, double sigma) {
    std::vector<double> out(nodes.size());
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        while (nodes[begin].x < nodes[i].x - kReach * sigma) ++begin;
        while (end < nodes.size() && nodes[end].x <= nodes[i].x + kReach * sigma) ++end;
        out[i] = gaussian_at(nodes.subspan(begin, end - begin), nodes[i].x, sigma);
    }
    return out;
}

bool crowded(std::span<const Node> points, double sigma) {
    std::size_t begin = 0, end = 0, pairs = 0;
    for (const Node& point : points) {
        while (points[begin].x < point.x - kReach * sigma) ++begin;
        while (end < points.size() && points[end].x <= point.x + kReach * sigma) ++end;
        pairs += end - begin;
    }
    return pairs > kCrowd * points.size();
}

std::vector<Node> merged(std::span<const Node> points, double cell) {
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < points.size();) {
        const double start = points[i].x;
        Node node{0, 0, 0};
        for (; i < points.size() && points[i].x - start <= cell; ++i) {
            node.mass += 1;
            node.x += (points[i].x - start - node.x) / node.mass;  // running means: no overflow, no cancellation
            node.y = node.y * (1 - 1 / node.mass) + points[i].y / node.mass;
        }
        node.x += start;
        nodes.push_back(node);
    }
    return nodes;
}

// Smooth values of points (ascending x). Crowded neighbourhoods are merged into cells first and read off linearly between
// them, so the work stays below kCrowd exponentials a point whatever sigma is.
std::vector<double> gaussian_points(std::span<const Node> points, double sigma) {
    if (!crowded(points, sigma)) return gaussian_nodes(points, sigma);
    const std::vector<Node> nodes = merged(points, kCell * sigma);
    const std::vector<double> smooth = gaussian_nodes(nodes, sigma);
    std::vector<double> out(points.size());
    std::size_t right = 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (nodes.size() == 1) {
            out[i] = smooth[0];
            continue;
        }
        while (right + 1 < nodes.size() && nodes[right].x < points[i].x) ++right;
        const double t = (points[i].x - nodes[right - 1].x) / (nodes[right].x - nodes[right - 1].x);
        out[i] = smooth[right - 1] * (1 - t) + smooth[right] * t;
    }
    return out;
}

// Precomputed weights for small sigma in points.
template <class Y>
std::vector<double> gaussian_taps(std::span<const Y> values, double sigma) {
    const auto reach = static_cast<std::ptrdiff_t>(std::floor(kReach * sigma));
    std::vector<double> taps(static_cast<std::size_t>(reach) + 1);
    for (std::size_t k = 0; k < taps.size(); ++k) {
        const double z = static_cast<double>(k) / sigma;
        taps[k] = std::exp(-0.5 * z * z);
    }
    const auto n = static_cast<std::ptrdiff_t>(values.size());
    std::vector<double> out(values.size());
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        const auto here = static_cast<std::size_t>(i);
        out[here] = static_cast<double>(values[here]);
        if (!finite(out[here])) continue;
        double sum = 0, mass = 0;
        for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(0, i - reach); j <= std::min(n - 1, i + reach); ++j) {
            const double v = static_cast<double>(values[static_cast<std::size_t>(j)]);
            const double g = finite(v) ? taps[static_cast<std::size_t>(std::abs(j - i))] : 0;
            sum += finite(v) ? g * v : 0;
            mass += g;
        }
        out[here] = sum / mass;
    }
    return out;
}

}  // namespace

template <class Y>
std::vector<double> gaussian(std::span<const Y> values, double sigma) {
    if (all_equal(values)) return widened(values);
    if (sigma <= kDirectSigma) return gaussian_taps(values, sigma);
    std::vector<std::int64_t> index(values.size());
    std::iota(index.begin(), index.end(), 0);
    return gaussian_x(std::span<const std::int64_t>(index), values, sigma);
}

template <class X, class Y>
std::vector<double> gaussian_x(std::span<const X> x, std::span<const Y> values, double sigma) {
    if (all_equal(values)) return widened(values);
    std::vector<double> out = widened(values);
    std::vector<Node> points;
    std::vector<std::size_t> where;
    X origin{};
    each_finite_by_x(x, values, [&](std::size_t i) {
        if (points.empty()) origin = x[i];
        points.push_back({distance(origin, x[i]), static_cast<double>(values[i]), 1});
        where.push_back(i);
    });
    const std::vector<double> smooth = gaussian_points(points, sigma);
    for (std::size_t k = 0; k < where.size(); ++k) out[where[k]] = smooth[k];
    return out;
}

template <class Y>
std::vector<double> running_mean(std::span<const Y> values, std::size_t before, std::size_t after) {
    if (all_equal(values)) return widened(values);
    const std::size_t n = values.size();
    before = std::min(before, n);
    after = std::min(after, n);
    const std::size_t width = before + after + 1, padded = n + before + after;
    // A sum that slides by adding and subtracting keeps the rounding of a 1e30 for ever. Cutting the padded series into blocks
    // of one window, every window is the tail of one block plus the head of the next: additions only.
    std::vector<double> head(padded), tail(padded);
    std::vector<std::uint32_t> count(padded + 1);
    const auto at = [&](std::size_t k) {
        const double v = k >= before && k - before < n ? static_cast<double>(values[k - before]) : kNaN;
        return finite(v) ? v : 0;
    };
    for (std::size_t k = 0; k < padded; ++k) {
        head[k] = at(k) + (k % width ? head[k - 1] : 0);
        count[k + 1] = count[k] + (k >= before && k - before < n && finite(values[k - before]));
    }
    for (std::size_t k = padded; k-- > 0;) tail[k] = at(k) + ((k + 1) % width && k + 1 < padded ? tail[k + 1] : 0);
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double sum = i % width ? tail[i] + head[i + width - 1] : tail[i];
        out[i] = finite(values[i]) ? sum / (count[i + width] - count[i]) : static_cast<double>(values[i]);
    }
    return out;
}

namespace {

// The window's values in order, in one flat array: fastest while a window fits in a few cache lines.
class SortedWindow {
public:
    explicit SortedWindow(std::size_t width) { sorted_.reserve(width + 1); }
    void add(double v, std::size_t) { sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), v), v); }
    void remove(double v, std::size_t) { sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), v)); }
    std::size_t size() const { return sorted_.size(); }
    double nth(std::size_t k) const { return sorted_[k]; }

private:
    std::vector<double> sorted_;
};

// For wide windows: a Fenwick tree over the ranks of all values; every operation takes log n steps.
class RankedWindow {
public:
    template <class Y>
    explicit RankedWindow(std::span<const Y> values) : rank_(values.size()), tree_(std::bit_ceil(values.size() + 1)) {
        std::vector<std::uint32_t> order;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (finite(values[i])) order.push_back(static_cast<std::uint32_t>(i));
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
        for (std::size_t r = 0; r < order.size(); ++r) {
            rank_[order[r]] = static_cast<std::uint32_t>(r);
            by_rank_.push_back(static_cast<double>(values[order[r]]));
        }
    }
    void add(double, std::size_t i) { change(rank_[i], 1), ++size_; }
    void remove(double, std::size_t i) { change(rank_[i], -1), --size_; }
    std::size_t size() const { return size_; }
    double nth(std::size_t k) const {
        std::size_t position = 0;
        auto left = static_cast<std::int32_t>(k);
        for (std::size_t jump = tree_.size() / 2; jump; jump /= 2)
            if (tree_[position + jump] <= left) {
                position += jump;
                left -= tree_[position];
            }
        return by_rank_[position];
    }

private:
    void change(std::uint32_t rank, std::int32_t by) {
        for (std::size_t k = rank + 1; k < tree_.size(); k += k & (~k + 1)) tree_[k] += by;
    }
    std::vector<std::uint32_t> rank_;
    std::vector<std::int32_t> tree_;
    std::vector<double> by_rank_;
    std::size_t size_ = 0;
};

template <class Y, class Window>
std::vector<double> slide_median(std::span<const Y> values, std::size_t before, std::size_t after, Window window) {
    const std::size_t n = values.size();
    std::vector<double> out(n);
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (; end < std::min(n, i + after + 1); ++end)
            if (finite(values[end])) window.add(static_cast<double>(values[end]), end);
        for (; begin + before < i; ++begin)
            if (finite(values[begin])) window.remove(static_cast<double>(values[begin]), begin);
        out[i] = static_cast<double>(values[i]);
        if (!finite(values[i])) continue;
        const std::size_t half = window.size() / 2;
        out[i] = window.size() % 2 ? window.nth(half) : 0.5 * window.nth(half - 1) + 0.5 * window.nth(half);
    }
    return out;
}

}  // namespace

template <class Y>
std::vector<double> running_median(std::span<const Y> values, std::size_t before, std::size_t after) {
    if (all_equal(values)) return widened(values);
    before = std::min(before, values.size());
    after = std::min(after, values.size());
    constexpr std::size_t kFlat = 512;
    if (before + after < kFlat) return slide_median(values, before, after, SortedWindow(before + after + 1));
    return slide_median(values, before, after, RankedWindow(values));
}

// ---- thinning -------------------------------------------------------------------------------------------------------------

namespace {

// Column k of [lo, hi] holds the x with exactly k inner edges at or below them; x = hi falls into the last column.
std::vector<std::int64_t> inner_edges(std::int64_t lo, std::int64_t hi, std::size_t columns) {
    // Edge k is the first whole number >= lo + k * (hi - lo) / columns, found without multiplying, so that steps
    // beyond 2^53 and ranges as wide as int64 stay exact.
    const std::uint64_t width = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    const std::uint64_t whole = width / columns, rest = width % columns;
    std::vector<std::int64_t> edges(columns - 1);
    std::uint64_t base = static_cast<std::uint64_t>(lo), carry = 0;
    for (auto& edge : edges) {
        base += whole;
        carry += rest;
        if (carry >= columns) {
            carry -= columns;
            ++base;
        }
        edge = static_cast<std::int64_t>(base + (carry > 0));
    }
    return edges;
}

std::vector<double> inner_edges(double lo, double hi, std::size_t columns) {
    std::vector<double> edges(columns - 1);
    const double step = (hi - lo) / static_cast<double>(columns);
    for (std::size_t k = 0; k < edges.size(); ++k) edges[k] = lo + step * static_cast<double>(k + 1);
    return edges;
}

// First position in [begin, end) of ascending x that reaches `edge`. Looks nearby first: on a chart with few points a column
// the answer is a few places away, on one with many it doubles its stride.
template <class X>
std::size_t reach(std::span<const X> x, std::size_t begin, std::size_t end, X edge) {
    constexpr std::size_t kNear = 16;
    const std::size_t near = std::min(end, begin + kNear);
    for (; begin < near; ++begin)
        if (!(x[begin] < edge)) return begin;
    std::size_t stride = kNear;
    while (begin < end && x[begin] < edge) {
        const std::size_t next = std::min(end, begin + stride);
        if (next == end || !(x[next] < edge))
            return static_cast<std::size_t>(std::lower_bound(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                                             x.begin() + static_cast<std::ptrdiff_t>(next), edge) -
                                            x.begin());
        begin = next;
        stride *= 2;
    }
    return begin;
}

// Calls visit(column, begin, end) for every column that has points, for ascending x within [first, past).
template <class X, class Visit>
void each_column(std::span<const X> x, std::span<const X> edges, std::size_t first, std::size_t past, Visit visit) {
    std::size_t column = 0;
    for (std::size_t i = first; i < past;) {
        while (column < edges.size() && !(x[i] < edges[column])) ++column;
        const std::size_t end = column < edges.size() ? reach(x, i, past, edges[column]) : past;
        visit(column, i, end);
        i = end;
    }
}

struct Inside {
    std::size_t first, past;
};

template <class X>
Inside inside(std::span<const X> x, X lo, X hi) {
    const auto first = std::lower_bound(x.begin(), x.end(), lo);
    const auto past = std::upper_bound(first, x.end(), hi);
    return {static_cast<std::size_t>(first - x.begin()), static_cast<std::size_t>(past - x.begin())};
}

template <class Y>
int kind(Y v) {
    return v != v ? 0 : v > 0 ? 1 : 2;
}

// Collects the indices worth keeping, in ascending order, bucket after bucket.
template <class Y>
class Keeper {
public:
    Keeper(std::span<const Y> y, std::size_t limit) : y_(y), limit_(limit) {}

    bool full() const { return kept_.size() > limit_; }
    std::vector<std::int64_t>& kept() { return kept_; }

    void keep(std::size_t i) {
        const auto index = static_cast<std::int64_t>(i);
        if (kept_.empty() || kept_.back() < index) kept_.push_back(index);
    }

    // One bucket of points in the same column, cut where finite and non-finite values meet: the line breaks there, so
    // each finite stretch needs its own extremes.
    void bucket(std::size_t begin, std::size_t end) {
        while (begin < end) begin = finite(y_[begin]) ? finite_stretch(begin, end) : other_stretch(begin, end);
    }

private:
    std::size_t finite_stretch(std::size_t begin, std::size_t end) {
        Y low = y_[begin], high = low;
        std::size_t at_low = begin, at_high = begin, i = begin + 1;
        for (; i < end; ++i) {
            const Y v = y_[i];
            if (!finite(v)) break;
            at_low = v < low ? i : at_low;
            low = v < low ? v : low;
            at_high = v > high ? i : at_high;
            high = v > high ? v : high;
        }
        keep(begin);
        keep(std::min(at_low, at_high));
        keep(std::max(at_low, at_high));
        keep(i - 1);
        return i;
    }

    // First and last, and the first of each kind, so that a +Inf among NaN keeps its mark.
    std::size_t other_stretch(std::size_t begin, std::size_t end) {
        bool seen[3] = {};
        std::size_t i = begin;
        for (; i < end && !finite(y_[i]); ++i) {
            if (!seen[kind(y_[i])]) keep(i);
            seen[kind(y_[i])] = true;
        }
        keep(i - 1);
        return i;
    }

    std::span<const Y> y_;
    std::size_t limit_;
    std::vector<std::int64_t> kept_;
};

constexpr std::int64_t kNowhere = -2;  // the column of a point whose x is NaN

// Columns of points in any order: -1 left of the range, `columns` right of it.
template <class X>
class Locator {
public:
    Locator(std::span<const X> edges, X lo, X hi) : edges_(edges), lo_(lo), hi_(hi) {}

    std::int64_t column(X x) {
        if (x != x) return kNowhere;
        if (x < lo_) return -1;
        if (x > hi_) return static_cast<std::int64_t>(edges_.size()) + 1;
        const std::size_t k = last_;
        if ((k == 0 || !(x < edges_[k - 1])) && (k == edges_.size() || x < edges_[k])) return static_cast<std::int64_t>(k);
        last_ = static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), x) - edges_.begin());
        return static_cast<std::int64_t>(last_);
    }

private:
    std::span<const X> edges_;
    X lo_, hi_;
    std::size_t last_ = 0;
};

template <class X, class Y>
void keep_ascending(std::span<const X> x, X lo, X hi, std::span<const X> edges, Keeper<Y>& keeper) {
    const auto [first, past] = inside(x, lo, hi);
    if (first > 0) keeper.keep(first - 1);
    each_column(x, edges, first, past, [&](std::size_t, std::size_t begin, std::size_t end) {
        if (!keeper.full()) keeper.bucket(begin, end);
    });
    if (past < x.size()) keeper.keep(past);
}

// Points in the order they were written: a bucket ends whenever the column changes. Of a stretch outside the range only the
// ends that the visible line leaves by or comes back from are kept.
template <class X, class Y>
void keep_wandering(std::span<const X> x, Locator<X> locator, std::int64_t columns, Keeper<Y>& keeper) {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n && !keeper.full();) {
        const std::int64_t column = locator.column(x[i]);
        std::size_t end = i + 1;
        while (end < n && locator.column(x[end]) == column) ++end;
        if (column >= 0 && column < columns) {
            keeper.bucket(i, end);
        } else if (column != kNowhere) {
            if (i > 0) keeper.keep(i);
            if (end < n) keeper.keep(end - 1);
        }
        i = end;
    }
}

constexpr std::int64_t kNone = -1;

struct Slot {
    std::int64_t first = kNone, low = kNone, high = kNone, last = kNone, other_first = kNone, other_last = kNone;
    std::int64_t kinds[3] = {kNone, kNone, kNone};
};

// One bucket per column whatever the order: at most nine indices a column.
template <class X, class Y>
std::vector<std::int64_t> keep_per_column(std::span<const X> x, std::span<const Y> y, Locator<X> locator,
                                          std::size_t columns) {
    std::vector<Slot> slots(columns + 2);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::int64_t column = locator.column(x[i]);
        if (column == kNowhere) continue;
        Slot& slot = slots[static_cast<std::size_t>(column + 1)];
        const auto index = static_cast<std::int64_t>(i);
        const bool visible = column >= 0 && column < static_cast<std::int64_t>(columns);
        if (!finite(y[i])) {
            if (!visible) continue;
            if (slot.other_first == kNone) slot.other_first = index;
            slot.other_last = index;
            if (slot.kinds[kind(y[i])] == kNone) slot.kinds[kind(y[i])] = index;
            continue;
        }
        if (slot.first == kNone) slot.first = slot.low = slot.high = index;
        slot.last = index;
        if (!visible) continue;
        if (y[i] < y[static_cast<std::size_t>(slot.low)]) slot.low = index;
        if (y[i] > y[static_cast<std::size_t>(slot.high)]) slot.high = index;
    }
    std::vector<std::int64_t> kept;
    for (const Slot& s : slots)
        for (const std::int64_t i : {s.first, s.low, s.high, s.last, s.other_first, s.other_last, s.kinds[0], s.kinds[1], s.kinds[2]})
            if (i != kNone) kept.push_back(i);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
}

}  // namespace

template <class X, class Y>
std::vector<std::int64_t> m4_indices(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns) {
    const std::vector<X> edges = inner_edges(lo, hi, columns);
    const std::span<const X> view(edges);
    const Locator<X> locator(view, lo, hi);
    Keeper<Y> keeper(y, kMaxKeptPerColumn * columns);
    keeper.kept().reserve(std::min(y.size(), 4 * columns + 2));
    if (ascending(x))
        keep_ascending(x, lo, hi, view, keeper);
    else
        keep_wandering(x, locator, static_cast<std::int64_t>(columns), keeper);
    return keeper.full() ? keep_per_column(x, y, locator, columns) : std::move(keeper.kept());
}

template <class X, class Y>
Columns m4_columns(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns) {
    if (!ascending(x)) throw std::invalid_argument("m4_columns needs x in ascending order");
    const std::vector<X> edges = inner_edges(lo, hi, columns);
    Columns out;
    for (auto* column : {&out.first, &out.min, &out.max, &out.last}) column->assign(columns, kNaN);
    out.count.assign(columns, 0);
    out.nonfinite.assign(columns, 0);
    const auto [first, past] = inside(x, lo, hi);
    if (first > 0) out.before = static_cast<std::int64_t>(first) - 1;
    if (past < x.size()) out.after = static_cast<std::int64_t>(past);
    each_column(x, std::span<const X>(edges), first, past, [&](std::size_t column, std::size_t i, std::size_t end) {
        const std::size_t total = end - i;
        while (i < end && !finite(y[i])) ++i;
        std::size_t count = 0;
        if (i < end) {
            Y low = y[i], high = low, last = low;
            out.first[column] = static_cast<double>(low);
            for (; i < end; ++i) {
                const Y v = y[i];
                if (!finite(v)) continue;
                low = v < low ? v : low;
                high = v > high ? v : high;
                last = v;
                ++count;
            }
            out.min[column] = static_cast<double>(low);
            out.max[column] = static_cast<double>(high);
            out.last[column] = static_cast<double>(last);
        }
        out.count[column] = static_cast<std::uint32_t>(count);
        out.nonfinite[column] = static_cast<std::uint32_t>(total - count);
    });
    return out;
}

// ---- compact frame --------------------------------------------------------------------------------------------------------

namespace {

constexpr unsigned kShifts = 4;            // predictors tried: the mean of about the last 1, 2, 4 or 8 codes
constexpr std::int32_t kCodeLimit = 1 << 21;  // the difference of two codes, zigzagged, fits three bytes

std::int32_t code_of(double v, const FrameScale& s) {
    const double u = std::abs(v - s.centre) / s.scale;
    // asinh by its definition: absolute precision is all a code needs, and this is several times quicker than std::asinh.
    const double a = u < 1e8 ? std::log(u + std::sqrt(u * u + 1)) : std::log(u) + std::log(2.0);
    const double code = std::min(a * s.resolution, static_cast<double>(kCodeLimit));
    return static_cast<std::int32_t>(v < s.centre ? -code - 0.5 : code + 0.5);  // rounds: the cast cuts towards zero
}

std::uint32_t zigzag(std::int32_t v) {
    return (static_cast<std::uint32_t>(v) << 1) ^ static_cast<std::uint32_t>(v >> 31);
}

// Differences to a running mean of the series' own codes, in fixed point so that every reader computes the same integers.
// A series starts from the first code of the one before it.
template <class Emit>
void residuals(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends, unsigned shift, Emit emit) {
    const std::int64_t half = shift ? std::int64_t{1} << (shift - 1) : 0;
    std::size_t i = 0;
    std::int32_t start = 0;
    for (const std::size_t end : series_ends) {
        if (i == end) continue;
        std::int64_t state = static_cast<std::int64_t>(start) * (std::int64_t{1} << shift);
        start = codes[i];
        emit(start - static_cast<std::int32_t>((state + half) >> shift));
        state = static_cast<std::int64_t>(start) * (std::int64_t{1} << shift);
        for (++i; i < end; ++i) {
            const auto residual = static_cast<std::int32_t>(codes[i] - ((state + half) >> shift));
            state += residual;
            emit(residual);
        }
    }
}

unsigned best_shift(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends) {
    // Sixteen series are enough to judge by.
    const auto judged = series_ends.first(std::min<std::size_t>(series_ends.size(), 16));
    unsigned best = 0;
    std::uint64_t best_bits = std::numeric_limits<std::uint64_t>::max();
    for (unsigned shift = 0; shift < kShifts; ++shift) {
        std::uint64_t bits = 0;
        // The bits of a float, read as a number, are its logarithm to within a tenth.
        residuals(codes, judged, shift, [&](std::int32_t r) { bits += std::bit_cast<std::uint32_t>(1 + std::abs(static_cast<float>(r))); });
        if (bits < best_bits) best = shift, best_bits = bits;
    }
    return best;
}

template <class T>
void put(std::vector<std::uint8_t>& out, T value) {
    static_assert(std::endian::native == std::endian::little, "the frame is little-endian");
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void put_bits(std::vector<std::uint8_t>& out, std::span<const std::uint32_t> flags) {
    const std::size_t start = out.size();
    out.resize(start + (flags.size() + 7) / 8);
    for (std::size_t i = 0; i < flags.size(); ++i)
        out[start + i / 8] |= static_cast<std::uint8_t>((flags[i] != 0) << (i % 8));
}

// One byte plane per byte of the residuals, lowest first: the upper planes are nearly constant and compress to nothing.
void put_planes(std::vector<std::uint8_t>& out, std::span<const std::uint32_t> residuals, unsigned planes) {
    for (unsigned plane = 0; plane < planes; ++plane) {
        const std::size_t start = out.size();
        out.resize(start + residuals.size());
        for (std::size_t i = 0; i < residuals.size(); ++i) out[start + i] = static_cast<std::uint8_t>(residuals[i] >> (8 * plane));
    }
}

struct Packed {
    std::vector<std::uint32_t> residuals;
    unsigned shift = 0;
    std::uint32_t largest = 0;
};

Packed pack(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends) {
    Packed packed;
    packed.shift = best_shift(codes, series_ends);
    packed.residuals.reserve(codes.size());
    residuals(codes, series_ends, packed.shift, [&](std::int32_t r) {
        packed.residuals.push_back(zigzag(r));
        packed.largest = std::max(packed.largest, packed.residuals.back());
    });
    return packed;
}

unsigned end_level(double v, double low, double high, unsigned levels) {
    if (!(low < high)) return 0;
    const double span = high - low;
    const double part = finite(span) ? (v - low) / span : (v / 2 - low / 2) / (high / 2 - low / 2);
    return static_cast<unsigned>(std::clamp(part, 0.0, 1.0) * (levels - 1) + 0.5);
}

}  // namespace

std::vector<std::uint8_t> encode_columns(const ColumnTable& table, const FrameScale& scale) {
    const std::size_t cells = table.series * table.columns;
    std::vector<std::int32_t> low, high;
    std::vector<std::uint8_t> ends;
    std::vector<std::size_t> series_ends;
    low.reserve(cells);
    high.reserve(cells);
    for (std::size_t s = 0; s < table.series; ++s) {
        for (std::size_t i = s * table.columns; i < (s + 1) * table.columns; ++i) {
            if (!table.count[i]) continue;
            low.push_back(code_of(table.min[i], scale));
            high.push_back(table.max[i] == table.min[i] ? low.back() : code_of(table.max[i], scale));
            if (!scale.end_levels) continue;
            const unsigned first = end_level(table.first[i], table.min[i], table.max[i], scale.end_levels);
            const unsigned last = end_level(table.last[i], table.min[i], table.max[i], scale.end_levels);
            ends.push_back(static_cast<std::uint8_t>(first * scale.end_levels + last));
        }
        series_ends.push_back(low.size());
    }
    const Packed lows = pack(low, series_ends), highs = pack(high, series_ends);
    const auto bits = static_cast<unsigned>(std::bit_width(std::max({lows.largest, highs.largest, 1u})));
    const unsigned planes = (bits + 7) / 8;

    std::vector<std::uint8_t> out;
    out.reserve(48 + cells / 4 + 2 + low.size() * (2 * planes + 1));
    for (const char c : {'L', 'B', 'C', '1'}) out.push_back(static_cast<std::uint8_t>(c));
    put(out, static_cast<std::uint32_t>(table.series));
    put(out, static_cast<std::uint32_t>(table.columns));
    put(out, static_cast<std::uint32_t>(low.size()));
    for (const double v : {scale.centre, scale.scale, scale.resolution}) put(out, v);
    for (const unsigned v : {planes, lows.shift, highs.shift, scale.end_levels, 0u, 0u, 0u, 0u})
        out.push_back(static_cast<std::uint8_t>(v));
    put_bits(out, table.count);
    put_bits(out, table.nonfinite);
    put_planes(out, lows.residuals, planes);
    put_planes(out, highs.residuals, planes);
    out.insert(out.end(), ends.begin(), ends.end());
    return out;
}

// ---- statistics -----------------------------------------------------------------------------------------------------------

namespace {

// The upper half of a double's bits, turned so that they order like the numbers: 16 cells per octave.
inline std::uint32_t cell_of(double v) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    return static_cast<std::uint32_t>((bits ^ (bits >> 63 ? ~std::uint64_t{0} : std::uint64_t{1} << 63)) >> 48);
}

}  // namespace

template <class Visit>
void RobustRange::each_finite(Visit visit) const {
    for (const auto values : singles_)
        for (const float v : values)
            if (finite(v)) visit(static_cast<double>(v));
    for (const auto values : doubles_)
        for (const double v : values)
            if (finite(v)) visit(v);
}

// Counting into cells and selecting within one is several times quicker than selecting among half a million values.
Range RobustRange::finish() const {
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
    const auto top = static_cast<double>(count - 1);
    std::array<std::size_t, 2> rank = {static_cast<std::size_t>(std::ceil(0.05 * top)),
                                       static_cast<std::size_t>(std::floor(0.95 * top))};
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
    for (std::size_t k : {0u, 1u})
        std::nth_element(members[k].begin(), members[k].begin() + static_cast<std::ptrdiff_t>(rank[k]), members[k].end());
    return {members[0][rank[0]], members[1][rank[1]], least, most, count};
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

// ---- the types that exist: steps are int64, times double; values float or double --------------------------------------------

#define LB_FOR_VALUES(Y)                                                                          \
    template std::vector<double> ema(std::span<const Y>, double);                                 \
    template std::vector<double> gaussian(std::span<const Y>, double);                            \
    template std::vector<double> running_mean(std::span<const Y>, std::size_t, std::size_t);      \
    template std::vector<double> running_median(std::span<const Y>, std::size_t, std::size_t);
#define LB_FOR_BOTH(X, Y)                                                                                         \
    template std::vector<double> time_ema(std::span<const X>, std::span<const Y>, double, double);                \
    template std::vector<double> gaussian_x(std::span<const X>, std::span<const Y>, double);                      \
    template std::vector<std::int64_t> m4_indices(std::span<const X>, std::span<const Y>, X, X, std::size_t);     \
    template Columns m4_columns(std::span<const X>, std::span<const Y>, X, X, std::size_t);
#define LB_FOR_AXES(X)                                                                                               \
    template double typical_gap(std::span<const X>);                                                                 \
    template Bands aggregate(std::span<const SeriesView<X>>, std::span<const X>, std::span<const double>, unsigned); \
    template Bands aggregate_columns(std::span<const SeriesView<X>>, X, X, std::size_t, std::span<const double>, unsigned);
LB_FOR_VALUES(float)
LB_FOR_VALUES(double)
LB_FOR_BOTH(std::int64_t, float)
LB_FOR_BOTH(std::int64_t, double)
LB_FOR_BOTH(double, float)
LB_FOR_BOTH(double, double)
LB_FOR_AXES(std::int64_t)
LB_FOR_AXES(double)

}  // namespace lightboard::kernels
