#include "kernels/thinning.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernels/axis.h"

namespace lightboard::kernels {

namespace {

template <class Y>
int kind(Y v) {
    return v != v ? 0 : v > 0 ? 1 : 2;
}

// Collects the indices to keep, in ascending order, bucket after bucket.
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

    // Processes one bucket of points in the same column. It is split between finite and non-finite values: the line
    // breaks there, so each finite stretch needs its own extremes.
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

    // Keeps the first, the last, and the first of each kind, so that a +Inf among NaN keeps its mark.
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

// Returns the columns of points in any order: -1 left of the range, `columns` right of it.
template <class X>
class Locator {
  public:
    Locator(std::span<const X> edges, X lo, X hi) : edges_(edges), lo_(lo), hi_(hi) {}

    std::int64_t column(X x) {
        if (x != x) return kNowhere;
        if (x < lo_) return -1;
        if (x > hi_) return static_cast<std::int64_t>(edges_.size()) + 1;
        const std::size_t k = last_;
        if ((k == 0 || !(x < edges_[k - 1])) && (k == edges_.size() || x < edges_[k]))
            return static_cast<std::int64_t>(k);
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

// Processes points in the order they were written: a bucket ends when the column changes. Of successive points on one
// side of the range only the first and the last are kept, because the visible line is connected to them.
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

// One bucket per column, for any order of the points: at most nine indices per column.
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
        for (const std::int64_t i :
             {s.first, s.low, s.high, s.last, s.other_first, s.other_last, s.kinds[0], s.kinds[1], s.kinds[2]})
            if (i != kNone) kept.push_back(i);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
}

}  // namespace

template <class X, class Y>
std::vector<std::int64_t> m4_indices(std::span<const X> x, std::span<const Y> y, X lo, X hi, std::size_t columns) {
    const std::vector<X> edges = inner_edges(lo, hi, columns);
    return m4_indices_between(x, y, lo, hi, std::span<const X>(edges));
}

template <class X, class Y>
std::vector<std::int64_t> m4_indices_between(std::span<const X> x, std::span<const Y> y, X lo, X hi,
                                             std::span<const X> view) {
    const std::size_t columns = view.size() + 1;
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
        std::uint32_t odd = 0;
        for (; i < end && !finite(y[i]); ++i) odd |= odd_kind(y[i]);
        std::size_t count = 0;
        if (i < end) {
            Y low = y[i], high = low, last = low;
            out.first[column] = static_cast<double>(low);
            for (; i < end; ++i) {
                const Y v = y[i];
                if (!finite(v)) {
                    odd |= odd_kind(v);
                    continue;
                }
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
        out.nonfinite[column] = odd;
    });
    return out;
}

// Instantiated types: steps are int64, times double; values float or double.
#define LB_FOR_BOTH(X, Y)                                                                                     \
    template std::vector<std::int64_t> m4_indices(std::span<const X>, std::span<const Y>, X, X, std::size_t); \
    template std::vector<std::int64_t> m4_indices_between(std::span<const X>, std::span<const Y>, X, X,       \
                                                          std::span<const X>);                                \
    template Columns m4_columns(std::span<const X>, std::span<const Y>, X, X, std::size_t);
LB_FOR_BOTH(std::int64_t, float)
LB_FOR_BOTH(std::int64_t, double)
LB_FOR_BOTH(double, float)
LB_FOR_BOTH(double, double)

}  // namespace lightboard::kernels
