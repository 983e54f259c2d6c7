#include "kernels/smoothing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "kernels/axis.h"

namespace lightboard::kernels {
namespace {

template <class Y>
std::vector<double> widened(std::span<const Y> values) {
    return std::vector<double>(values.begin(), values.end());
}

// Below 2^-60 the power no longer changes 1 - power; from there on the division by 1 is omitted.
constexpr double kVanished = 0x1p-60;

}  // namespace

template <class Y>
std::vector<double> ema(std::span<const Y> values, double weight) {
    if (all_equal(values)) return widened(values);
    std::vector<double> out(values.size());
    const double fresh = 1 - weight;
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

std::vector<double> ema_divisors(double weight, std::size_t most) {
    std::vector<double> divisors;
    if (weight == 1) return divisors;
    for (std::size_t n = 1; n <= most; ++n) {
        const double power = std::pow(weight, static_cast<double>(n));
        divisors.push_back(1 - power);
        if (power < kVanished) break;
    }
    return divisors;
}

namespace {

// Computes the averages of points [begin, end) of kLanes series, continuing from `last`.
template <std::size_t kLanes, class Y>
void ema_stretch(const Y* const* from, double weight, std::span<const double> divisors, std::size_t begin,
                 std::size_t end, double* last, double* const* to) {
    const double fresh = 1 - weight;
    double state[kLanes];
    std::copy_n(last, kLanes, state);
    const auto step = [&](std::size_t k, std::size_t i) {
        return state[k] = weight * state[k] + fresh * static_cast<double>(from[k][i]);
    };
    const std::size_t divided = std::clamp(divisors.size(), begin, end);
    for (std::size_t i = begin; i < divided; ++i)
        for (std::size_t k = 0; k < kLanes; ++k) to[k][i] = step(k, i) / divisors[i];
    for (std::size_t i = divided; i < end; ++i)
        for (std::size_t k = 0; k < kLanes; ++k) to[k][i] = step(k, i);
    std::copy_n(state, kLanes, last);
}

template <std::size_t kLanes, class Y>
void ema_lanes(std::span<const std::span<const Y>> in, double weight, std::span<const double> divisors,
               std::span<std::vector<double>* const> out, std::span<std::vector<double>* const> states) {
    std::size_t shortest = in[0].size();
    for (const auto values : in) shortest = std::min(shortest, values.size());
    double last[kLanes] = {};
    const Y* from[kLanes];
    double* to[kLanes];
    for (std::size_t k = 0; k < kLanes; ++k) {
        from[k] = in[k].data();
        to[k] = out[k]->data();
    }
    std::size_t i = 0;
    while (i < shortest) {  // ends at a multiple of the block length, or at the end of the shortest series
        const std::size_t end = std::min(shortest, i + kEmaBlock);
        for (std::size_t k = 0; k < kLanes; ++k)
            if (states[k]) states[k]->push_back(last[k]);
        ema_stretch<kLanes>(from, weight, divisors, i, end, last, to);
        i = end;
    }
    for (std::size_t k = 0; k < kLanes; ++k)
        for (std::size_t j = shortest; j < in[k].size();) {
            const std::size_t end = std::min(in[k].size(), j / kEmaBlock * kEmaBlock + kEmaBlock);
            if (states[k] && j % kEmaBlock == 0) states[k]->push_back(last[k]);
            ema_stretch<1>(from + k, weight, divisors, j, end, last + k, to + k);
            j = end;
        }
    // a gap makes all later averages NaN: recompute series with gaps one by one
    for (std::size_t k = 0; k < kLanes; ++k) {
        if (finite(last[k])) continue;
        *out[k] = ema(in[k], weight);
        if (states[k]) states[k]->clear();
    }
}

}  // namespace

template <class Y>
void ema_side_by_side(std::span<const std::span<const Y>> series, double weight, std::span<const double> divisors,
                      std::span<std::vector<double>> out, std::span<std::vector<double>> states) {
    constexpr std::size_t kLanes = 4;
    std::vector<std::span<const Y>> in;
    std::vector<std::vector<double>*> to, checks;
    const auto flush = [&] {
        if (in.size() == kLanes)
            ema_lanes<kLanes, Y>(in, weight, divisors, to, checks);
        else
            for (std::size_t k = 0; k < in.size(); ++k)
                ema_lanes<1, Y>(std::span(in).subspan(k, 1), weight, divisors, std::span(to).subspan(k, 1),
                                std::span(checks).subspan(k, 1));
        in.clear();
        to.clear();
        checks.clear();
    };
    for (std::size_t s = 0; s < series.size(); ++s) {
        if (all_equal(series[s])) {
            out[s] = widened(series[s]);
            continue;
        }
        out[s].resize(series[s].size());
        in.push_back(series[s]);
        to.push_back(&out[s]);
        checks.push_back(states.empty() ? nullptr : &states[s]);
        if (in.size() == kLanes) flush();
    }
    flush();
}

template <class Y>
void ema_block(std::span<const Y> values, double weight, std::span<const double> divisors,
               std::span<const double> states, std::size_t block, std::span<double> out) {
    const std::size_t begin = block * kEmaBlock, end = std::min(values.size(), begin + kEmaBlock);
    const double fresh = 1 - weight;
    double last = states[block];
    for (std::size_t i = begin; i < end; ++i) {
        last = weight * last + fresh * static_cast<double>(values[i]);
        out[i - begin] = i < divisors.size() ? last / divisors[i] : last;
    }
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
            // A jump back (a restarted job) counts as the same distance as a jump forward.
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

constexpr double kReach = 4;         // in sigmas; the weight there is 3e-4 of the weight at the center
constexpr double kCell = 1.0 / 16;   // in sigmas; width of a cell, which merges points if neighborhoods are crowded
constexpr std::size_t kCrowd = 256;  // mean neighbors per point above which cells are used
constexpr double kDirectSigma = 32;  // in points; 2 * kReach * kDirectSigma = kCrowd

// A position on the x axis that represents `mass` points with mean value y.
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

// Computes the smoothed value at every node from the nodes within reach.
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

// Computes smoothed values of points (ascending x). Crowded neighborhoods are merged into cells first, and values
// between cells are interpolated linearly, so the cost stays below kCrowd exponentials per point for any sigma.
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

// Uses precomputed weights, for small sigma in points.
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
    // A sliding sum that adds and subtracts would keep the rounding error of a 1e30 in all later sums. Instead the
    // padded series is split into blocks of one window; every window is the tail of one block plus the head of the
    // next: additions only.
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

// Keeps the window's values sorted in one flat array: fastest while a window fits into a few cache lines.
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

// For wide windows: a Fenwick tree over the ranks of all values; every operation takes O(log n).
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

// Instantiated types: steps are int64, times double; values float or double.
#define LB_FOR_VALUES(Y)                                                                                               \
    template std::vector<double> ema(std::span<const Y>, double);                                                      \
    template void ema_side_by_side(std::span<const std::span<const Y>>, double, std::span<const double>,               \
                                   std::span<std::vector<double>>, std::span<std::vector<double>>);                    \
    template void ema_block(std::span<const Y>, double, std::span<const double>, std::span<const double>, std::size_t, \
                            std::span<double>);                                                                        \
    template std::vector<double> gaussian(std::span<const Y>, double);                                                 \
    template std::vector<double> running_mean(std::span<const Y>, std::size_t, std::size_t);                           \
    template std::vector<double> running_median(std::span<const Y>, std::size_t, std::size_t);
#define LB_FOR_BOTH(X, Y)                                                                          \
    template std::vector<double> time_ema(std::span<const X>, std::span<const Y>, double, double); \
    template std::vector<double> gaussian_x(std::span<const X>, std::span<const Y>, double);
LB_FOR_VALUES(float)
LB_FOR_VALUES(double)
LB_FOR_BOTH(std::int64_t, float)
LB_FOR_BOTH(std::int64_t, double)
LB_FOR_BOTH(double, float)
LB_FOR_BOTH(double, double)
template double typical_gap(std::span<const std::int64_t>);
template double typical_gap(std::span<const double>);

}  // namespace lightboard::kernels
