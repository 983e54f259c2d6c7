#include "kernels/bundle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/parallel.h"
#include "kernels/axis.h"
#include "kernels/column_frame.h"
#include "kernels/ema_columns.h"
#include "kernels/many_smoother.h"
#include "kernels/placed.h"
#include "kernels/smoothing.h"
#include "kernels/spare.h"
#include "kernels/thinning.h"

namespace lightboard::kernels {

namespace {

// The column boundaries of one series: column c contains the points [cuts[c], cuts[c + 1]). Computed once, used for the
// raw and the smoothed line.
using Cuts = std::span<const std::uint32_t>;

template <class X>
void cut(std::span<const X> x, std::span<const X> edges, Inside range, std::uint32_t* cuts) {
    std::size_t i = range.first, guess = 0;
    *cuts++ = static_cast<std::uint32_t>(i);
    for (const X edge : edges) {
        // points are often evenly spaced: guess that this column has as many as the previous one, or one more
        const std::size_t end = i + guess;
        if (guess == 0 || end >= range.past || !(x[end - 1] < edge))
            guess = reach(x, i, range.past, edge) - i;
        else if (x[end] < edge)
            guess = reach(x, end, range.past, edge) - i;
        i += guess;
        *cuts++ = static_cast<std::uint32_t>(i);
    }
    *cuts = static_cast<std::uint32_t>(range.past);
}

// The cuts of each series: cached by the caller, or computed on demand.
template <class X>
class Cutter {
  public:
    Cutter(const Window<X>& window, Cuts known) : window_(window), edges_(edges_of(window)), known_(known) {}

    std::size_t count() const { return window_.columns + 1; }

    // find_x() returns the x of series s; `room` has space for count() cuts.
    template <class FindX>
    Cuts of(std::size_t s, FindX find_x, std::uint32_t* room) const {
        if (!known_.empty()) return known_.subspan(s * count(), count());
        const std::span<const X> x = find_x();
        cut(x, std::span<const X>(edges_), inside(x, window_.lo, window_.hi), room);
        return {room, count()};
    }

  private:
    const Window<X>& window_;
    std::vector<X> edges_;
    Cuts known_;
};

// All numbers must be finite; at least one is needed. Uses lanes, so that a comparison does not wait for the previous
// one.
template <class Y>
std::pair<Y, Y> lowest_and_highest(std::span<const Y> values) {
    constexpr std::size_t kSide = 4;
    Y low[kSide], high[kSide];
    std::fill_n(low, kSide, values[0]);
    std::fill_n(high, kSide, values[0]);
    std::size_t i = values.size() % kSide;
    for (std::size_t k = 0; k < i; ++k) {
        low[0] = values[k] < low[0] ? values[k] : low[0];
        high[0] = values[k] > high[0] ? values[k] : high[0];
    }
    for (; i < values.size(); i += kSide)
        for (std::size_t k = 0; k < kSide; ++k) {
            const Y v = values[i + k];
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
        }
    return {std::min({low[0], low[1], low[2], low[3]}), std::max({high[0], high[1], high[2], high[3]})};
}

// Tables of series × columns in the form that encode_cells needs.
class Rows {
  public:
    Rows(std::size_t series, std::size_t columns, unsigned levels)
        : series_(series),
          columns_(columns),
          levels_(levels),
          numbers_(2 * series * columns),
          ends_(levels ? series * columns : 0),
          flags_(series * columns) {
        std::fill(flags_->begin(), flags_->end(), std::uint8_t{0});
    }

    // `clean`: every value is known to be finite.
    template <class Y>
    void fill(std::size_t row, Cuts cuts, std::span<const Y> y, bool clean) {
        for (std::size_t column = 0; column < columns_; ++column) {
            const std::size_t cell = row * columns_ + column;
            const std::span<const Y> part = y.subspan(cuts[column], cuts[column + 1] - cuts[column]);
            if (part.empty()) continue;
            if (clean)
                put(cell, part.front(), lowest_and_highest(part), part.back());
            else
                put_finite(cell, part);
        }
    }

    // For a row whose lowest and highest values are computed elsewhere: store them here, then call told(), with first
    // and last values if the frame has them.
    double* lows(std::size_t row) { return numbers_->data() + row * columns_; }
    double* highs(std::size_t row) { return lows(series_ + row); }
    void told(std::size_t row, Cuts cuts, const double* first, const double* last) {
        std::uint8_t* const flags = flags_->data() + row * columns_;
        for (std::size_t c = 0; c < columns_; ++c) flags[c] = cuts[c] < cuts[c + 1] ? kPresent : 0;
        if (!levels_) return;
        std::uint8_t* const ends = ends_->data() + row * columns_;
        for (std::size_t c = 0; c < columns_; ++c)
            if (flags[c]) ends[c] = end_levels(first[c], last[c], lows(row)[c], highs(row)[c], levels_);
    }

    std::vector<std::uint8_t> frame(const Range& range, const FrameForm& form) const {
        const std::size_t cells = series_ * columns_;
        const std::span<const double> all(*numbers_);
        const auto [centre, scale] = frame_scale(range);
        return encode_cells({series_, columns_, all.first(cells), all.subspan(cells), *ends_, *flags_},
                            {centre, scale, form.resolution, levels_});
    }

    // Min and max are exact; the middle 90 % are estimated from a sample of the columns.
    Range rough_range() const {
        const std::size_t cells = series_ * columns_, stride = 1 + cells / kSample;
        const double *const low = numbers_->data(), *const high = low + cells;
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        Range range{kNaN, kNaN, kInfinity, -kInfinity, 0};
        std::vector<double> sample;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            if (!((*flags_)[cell] & kPresent)) continue;
            range.min = std::min(range.min, low[cell]);
            range.max = std::max(range.max, high[cell]);
            if (range.count++ % stride == 0) sample.push_back(low[cell] / 2 + high[cell] / 2);
        }
        if (sample.empty()) return {kNaN, kNaN, kNaN, kNaN, 0};
        const auto at = [&](double share) {
            const auto place =
                sample.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
            std::nth_element(sample.begin(), place, sample.end());
            return *place;
        };
        range.low = at(0.05);
        range.high = at(0.95);
        return range;
    }

  private:
    static constexpr std::size_t kSample = 4096;

    template <class Y>
    void put(std::size_t cell, Y first, std::pair<Y, Y> bounds, Y last) {
        double *const low = numbers_->data(), *const high = low + series_ * columns_;
        low[cell] = static_cast<double>(bounds.first);
        high[cell] = static_cast<double>(bounds.second);
        if (levels_)
            (*ends_)[cell] =
                end_levels(static_cast<double>(first), static_cast<double>(last), low[cell], high[cell], levels_);
        (*flags_)[cell] |= kPresent;
    }

    template <class Y>
    void put_finite(std::size_t cell, std::span<const Y> values) {
        std::size_t i = 0;
        std::uint32_t odd = 0;
        for (; i < values.size() && !finite(values[i]); ++i) odd |= odd_kind(values[i]);
        if (i < values.size()) {
            const Y first = values[i];
            Y lowest = first, highest = first, latest = first;
            for (; i < values.size(); ++i) {
                const Y v = values[i];
                if (!finite(v)) {
                    odd |= odd_kind(v);
                    continue;
                }
                lowest = v < lowest ? v : lowest;
                highest = v > highest ? v : highest;
                latest = v;
            }
            put(cell, first, {lowest, highest}, latest);
        }
        (*flags_)[cell] |= odd_flags(odd);
    }

    std::size_t series_, columns_;
    unsigned levels_;
    Spare<double> numbers_;  // lows, then highs
    Spare<std::uint8_t> ends_, flags_;
};

// The points of a series that are included in the extents: those from first to past if it is ascending, else those
// whose x is in the range.
struct Counted {
    Inside stretch{0, 0};
    bool scattered = false;
    std::vector<double> values, smoothed;  // of scattered points; smoothed also if blocks cannot be recomputed
    std::vector<double> states;            // for recomputing smoothed blocks
    RangeSearch::Line line;
    Fit values_fit, smoothed_fit;
};

static_assert(RangeSearch::kBlock == kEmaBlock);

// An estimate, while a slider moves.
Fit rough_fit(const Range& range) { return range.count == 0 ? Fit{} : Fit{range.low, range.high}; }

// Visits the blocks of the smoothed line within the stretch, starting with the block of its first point.
template <class Visit>
void each_block(Inside stretch, Visit visit) {
    for (std::size_t begin = stretch.first; begin < stretch.past;) {
        const std::size_t end = std::min(stretch.past, begin / kEmaBlock * kEmaBlock + kEmaBlock);
        visit(begin, end);
        begin = end;
    }
}

}  // namespace

template <class X>
Survey<X> survey(std::span<const Placed> series, XAxis axis, bool positive) {
    Survey<X> found;
    found.ascending.resize(series.size());
    found.any.resize(series.size());
    found.first.resize(series.size());
    found.last.resize(series.size());
    in_parallel(series.size(), points_of(series) / 4, [&](std::size_t s) {
        std::vector<double> room;
        const auto x = x_of<X>(series[s], axis, room);
        found.ascending[s] = goes_up(series[s], x);
        X low{}, high{};
        bool any = false;
        if (found.ascending[s]) {
            const auto from = positive ? std::upper_bound(x.begin(), x.end(), X{0}) : x.begin();
            any = from != x.end();
            if (any) low = *from, high = x.back();
            if constexpr (!std::is_integral_v<X>) {
                // skip ±Inf at the ends of an ascending axis: it has no position on a chart
                auto begin = from, end = x.end();
                while (begin != end && !finite(*begin)) ++begin;
                while (begin != end && !finite(*(end - 1))) --end;
                any = begin != end;
                if (any) low = *begin, high = *(end - 1);
            }
        } else {
            for (const X v : x) {
                if (!(std::is_integral_v<X> || finite(static_cast<double>(v))) || (positive && !(v > 0))) continue;
                low = !any || v < low ? v : low;
                high = !any || v > high ? v : high;
                any = true;
            }
        }
        found.any[s] = any;
        found.first[s] = low;
        found.last[s] = high;
    });
    return found;
}

template <class X>
std::vector<std::uint32_t> cut_columns(std::span<const Placed> series, XAxis axis,
                                       std::span<const std::uint8_t> ascending, const Window<X>& window) {
    const Cutter<X> cutter(window, {});
    std::vector<std::uint32_t> cuts(series.size() * cutter.count());
    in_parallel(series.size(), points_of(series) / 4, [&](std::size_t s) {
        std::vector<double> room;
        if (ascending[s])
            cutter.of(s, [&] { return x_of<X>(series[s], axis, room); }, cuts.data() + s * cutter.count());
    });
    return cuts;
}

namespace {

// Computes smoothed columns while a slider moves: the averages of all points, reduced to columns in the same pass. All
// series must be ascending.
template <class X>
Drawn draft(std::span<const Placed> series, XAxis axis, const Window<X>& window, double weight, const FrameForm& form,
            Cuts known) {
    const Cutter<X> cutter(window, known);
    std::size_t longest = 0;
    for (const Placed& one : series) longest = std::max(longest, one.size());
    const std::vector<double> divisors = ema_divisors(weight, longest);
    const std::size_t columns = window.columns;
    Rows rows(series.size(), columns, form.end_levels);
    Drawn drawn;
    for (auto* edge : {&drawn.edge_x, &drawn.edge_value, &drawn.edge_smoothed}) edge->assign(2 * series.size(), kNaN);

    struct Room {
        std::vector<double> x, ends;  // ends: first and last value of each column
        std::vector<std::uint32_t> cut;
        std::array<Cuts, kEmaAbreast> cuts;
    };
    const auto cut_one = [&](std::size_t s, std::vector<double>& room, std::uint32_t* cut) {
        std::span<const X> found;
        const auto find_x = [&] {
            if (found.empty()) found = x_of<X>(series[s], axis, room);
            return found;
        };
        const Cuts cuts = cutter.of(s, find_x, cut);
        const auto outside = [&](std::size_t at, std::size_t i) {
            const X x = find_x()[i];
            if (window.scale == XScale::kLog && !(x > 0)) return;
            drawn.edge_x[at] = static_cast<double>(x);
            drawn.edge_value[at] = value_at(series[s], i);
        };
        if (cuts.front() > 0) outside(2 * s, cuts.front() - 1);
        if (cuts.back() < series[s].size()) outside(2 * s + 1, cuts.back());
        return cuts;
    };
    const auto put_edges = [&](std::size_t s, double before, double after) {
        for (const std::size_t side : {0, 1})
            if (const std::size_t at = 2 * s + side; drawn.edge_x[at] == drawn.edge_x[at])
                drawn.edge_smoothed[at] = side ? after : before;
    };
    const auto put_with_gaps = [&](std::size_t s, Cuts cuts) {
        const std::vector<double> smoothed = with_values(series[s], [&](auto values) { return ema(values, weight); });
        rows.fill(s, cuts, std::span<const double>(smoothed), false);
        put_edges(s, cuts.front() > 0 ? smoothed[cuts.front() - 1] : kNaN,
                  cuts.back() < smoothed.size() ? smoothed[cuts.back()] : kNaN);
    };
    const auto put_all = [&]<class Y>(std::span<const Y> Placed::* values, std::size_t begin, std::size_t end,
                                      Room& room) {
        std::array<EmaColumns<Y>, kEmaAbreast> told;
        std::array<std::size_t, kEmaAbreast> numbers;
        std::size_t count = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const std::span<const Y> mine = series[s].*values;
            if (mine.empty()) continue;
            double* const ends = form.end_levels ? room.ends.data() + (s - begin) * 2 * columns : nullptr;
            numbers[count] = s;
            told[count++] = {mine,         room.cuts[s - begin], ends,
                             rows.lows(s), rows.highs(s),        ends ? ends + columns : nullptr};
        }
        ema_columns(std::span(told).first(count), weight, divisors);
        for (std::size_t k = 0; k < count; ++k) {
            const EmaColumns<Y>& one = told[k];
            if (!one.clean) {
                put_with_gaps(numbers[k], one.cuts);
                continue;
            }
            rows.told(numbers[k], one.cuts, one.first, one.last);
            put_edges(numbers[k], one.before, one.after);
        }
    };
    in_parallel_with<Room>(
        (series.size() + kEmaAbreast - 1) / kEmaAbreast, points_of(series), [&](std::size_t piece, Room& room) {
            const std::size_t begin = piece * kEmaAbreast, end = std::min(series.size(), begin + kEmaAbreast);
            if (known.empty()) room.cut.resize(kEmaAbreast * cutter.count());
            if (form.end_levels) room.ends.resize(kEmaAbreast * 2 * columns);
            for (std::size_t s = begin; s < end; ++s)
                room.cuts[s - begin] = cut_one(s, room.x, room.cut.data() + (s - begin) * cutter.count());
            put_all(&Placed::singles, begin, end, room);
            put_all(&Placed::doubles, begin, end, room);
        });
    drawn.any_edge = std::any_of(drawn.edge_x.begin(), drawn.edge_x.end(), [](double v) { return v == v; });
    drawn.smoothed = rows.rough_range();
    drawn.smoothed_fit = rough_fit(drawn.smoothed);
    drawn.smoothed_frame = rows.frame(drawn.smoothed, form);
    return drawn;
}

}  // namespace

template <class X>
Drawn draw(std::span<const Placed> series, XAxis axis, std::span<const std::uint8_t> ascending, const Window<X>& window,
           const Smoother& smoother, const FrameForm& raw, const FrameForm& smooth, Cuts known) {
    const bool all_ascending = std::all_of(ascending.begin(), ascending.end(), [](std::uint8_t up) { return up; });
    // an estimate needs the columns of every series
    const bool rough = smooth.rough && window.columns > 0 && all_ascending && !series.empty();
    if (rough && smooth.wanted && !raw.wanted && smoother.kind == Smoother::Kind::kEma)
        return draft(series, axis, window, smoother.parameter, smooth, known);
    const Cutter<X> cutter(window, known);
    std::vector<std::size_t> row_of(series.size());
    std::size_t rows = 0;
    for (std::size_t s = 0; s < series.size(); ++s) row_of[s] = ascending[s] ? rows++ : 0;
    const bool columns = window.columns > 0;
    Rows raw_rows(raw.wanted && columns ? rows : 0, window.columns, raw.end_levels);
    Rows smooth_rows(smooth.wanted && columns ? rows : 0, window.columns, smooth.end_levels);
    const ManySmoother many(series, smoother);
    std::vector<Counted> counted(series.size());
    const RangeSearch search(points_of(series));
    Drawn drawn;
    for (auto* edge : {&drawn.edge_x, &drawn.edge_value, &drawn.edge_smoothed}) edge->assign(2 * rows, kNaN);

    const auto scatter = [&](std::size_t s, std::span<const X> x, std::span<const double> smoothed) {
        Counted& mine = counted[s];
        mine.scattered = true;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!(x[i] >= window.inner_lo && x[i] <= window.inner_hi)) continue;
            mine.values.push_back(value_at(series[s], i));
            if (many.enabled()) mine.smoothed.push_back(smoothed[i]);
        }
        mine.stretch = {0, mine.smoothed.size()};
        mine.states.clear();
    };
    const auto fill = [&](std::size_t s, std::span<const X> x, std::span<const double> smoothed,
                          std::vector<std::uint32_t>& cut) {
        const Placed& placed = series[s];
        const bool clean = !counted[s].states.empty();  // only series without gaps have states
        cut.resize(cutter.count());
        const Cuts cuts = cutter.of(s, [&] { return x; }, cut.data());
        if (raw.wanted) with_values(placed, [&](auto values) { raw_rows.fill(row_of[s], cuts, values, clean); });
        if (smooth.wanted) smooth_rows.fill(row_of[s], cuts, smoothed, clean);
        const auto outside = [&](std::size_t side, std::size_t i) {
            if (window.scale == XScale::kLog && !(x[i] > 0)) return;
            const std::size_t at = 2 * row_of[s] + side;
            drawn.edge_x[at] = static_cast<double>(x[i]);
            drawn.edge_value[at] = value_at(placed, i);
            if (many.enabled()) drawn.edge_smoothed[at] = smoothed[i];
        };
        if (cuts.front() > 0) outside(0, cuts.front() - 1);
        if (cuts.back() < x.size()) outside(1, cuts.back());
    };
    const auto fit_raw = [&](std::size_t s) {
        const Counted& mine = counted[s];
        if (mine.scattered) return fit_of(std::span<const double>(mine.values));
        return with_values(series[s], [&](auto values) {
            return fit_of(values.subspan(mine.stretch.first, mine.stretch.past - mine.stretch.first));
        });
    };
    struct Room {
        std::vector<double> x;
        std::vector<std::uint32_t> cuts;
        std::array<std::vector<double>, kLanes> smoothed;
    };
    const auto one = [&](std::size_t s, Room& room, std::vector<double>& smoothed) {
        Counted& mine = counted[s];
        mine.stretch = {0, series[s].size()};
        if (window.bounded) {
            const auto x = x_of<X>(series[s], axis, room.x);
            if (ascending[s]) {
                mine.stretch = inside(x, window.inner_lo, window.inner_hi);
                if (columns) fill(s, x, smoothed, room.cuts);
            } else {
                scatter(s, x, smoothed);
            }
        }
        if (raw.wanted) mine.values_fit = fit_raw(s);
        if (!many.enabled() || rough) return;
        mine.line = search.line(s);
        const std::span<const double> seen(mine.scattered ? mine.smoothed : smoothed);
        mine.smoothed_fit = fit_of(seen.subspan(mine.stretch.first, mine.stretch.past - mine.stretch.first));
        each_block(mine.stretch, [&](std::size_t begin, std::size_t end) {
            search.look(mine.line, seen.subspan(begin, end - begin));
        });
        if (mine.states.empty() && !mine.scattered) mine.smoothed = std::move(smoothed);
    };
    in_parallel_with<Room>((series.size() + kLanes - 1) / kLanes, points_of(series),
                           [&](std::size_t piece, Room& room) {
                               const std::size_t begin = piece * kLanes, end = std::min(series.size(), begin + kLanes);
                               if (many.enabled()) {
                                   std::array<std::vector<double>, kLanes> states;
                                   many.run(begin, std::span(room.smoothed).first(end - begin), states);
                                   for (std::size_t s = begin; s < end; ++s)
                                       counted[s].states = std::move(states[s - begin]);
                               }
                               for (std::size_t s = begin; s < end; ++s) one(s, room, room.smoothed[s - begin]);
                           });
    drawn.any_edge = std::any_of(drawn.edge_x.begin(), drawn.edge_x.end(), [](double v) { return v == v; });
    for (const Counted& mine : counted) {
        drawn.values_fit.join(mine.values_fit);
        drawn.smoothed_fit.join(mine.smoothed_fit);
    }

    const auto finish_raw = [&] {
        if (!raw.wanted) return;
        RobustRange range;
        for (std::size_t s = 0; s < series.size(); ++s) {
            const Counted& mine = counted[s];
            if (mine.scattered)
                range.add(std::span<const double>(mine.values));
            else
                with_values(series[s], [&](auto values) {
                    range.add(values.subspan(mine.stretch.first, mine.stretch.past - mine.stretch.first));
                });
        }
        drawn.values = range.finish();
        if (columns && rows > 0) drawn.frame = raw_rows.frame(drawn.values, raw);
    };
    const auto finish_smoothed = [&] {
        if (!many.enabled()) return;
        if (rough) {
            drawn.smoothed = smooth_rows.rough_range();
            drawn.smoothed_fit = rough_fit(drawn.smoothed);
            drawn.smoothed_frame = smooth_rows.frame(drawn.smoothed, smooth);
            return;
        }
        std::vector<RangeSearch::Line> lines;
        for (Counted& mine : counted) lines.push_back(std::move(mine.line));
        std::array<double, kEmaBlock> again;
        drawn.smoothed = search.finish(lines, [&](std::size_t s, std::size_t block, auto take) {
            const Counted& mine = counted[s];
            const std::size_t number = mine.stretch.first / kEmaBlock + block;
            const std::size_t begin = std::max(mine.stretch.first, number * kEmaBlock);
            const std::size_t end = std::min(mine.stretch.past, (number + 1) * kEmaBlock);
            if (mine.states.empty()) {
                take(std::span<const double>(mine.smoothed).subspan(begin, end - begin));
                return;
            }
            many.block(s, mine.states, number, again);
            take(std::span<const double>(again).subspan(begin - number * kEmaBlock, end - begin));
        });
        if (columns && rows > 0 && smooth.wanted) drawn.smoothed_frame = smooth_rows.frame(drawn.smoothed, smooth);
    };
    in_parallel(2, points_of(series), [&](std::size_t which) { which ? finish_smoothed() : finish_raw(); });
    return drawn;
}

#define LB_FOR_AXES(X)                                                                                             \
    template Survey<X> survey(std::span<const Placed>, XAxis, bool);                                               \
    template Drawn draw(std::span<const Placed>, XAxis, std::span<const std::uint8_t>, const Window<X>&,           \
                        const Smoother&, const FrameForm&, const FrameForm&, Cuts);                                \
    template std::vector<std::uint32_t> cut_columns(std::span<const Placed>, XAxis, std::span<const std::uint8_t>, \
                                                    const Window<X>&);
LB_FOR_AXES(std::int64_t)
LB_FOR_AXES(double)

}  // namespace lightboard::kernels
