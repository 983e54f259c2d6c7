// Bindings of kernels/bundle.h: many series at once. A bundle consists of buffers and a table with the position of each
// series in them; both are checked here, because the table may come from an index on disk.
#include <algorithm>
#include <limits>

#include "bind/bind.h"
#include "kernels/kernels.h"

namespace lightboard::bind {
namespace {

namespace lk = lightboard::kernels;
using Table = In<std::int64_t, 2>;
nb::tuple give_range(const lk::Range& r) { return nb::make_tuple(r.low, r.high, r.min, r.max, r.count); }

nb::tuple give_fit(const lk::Fit& fit) { return nb::make_tuple(fit.low, fit.high); }

// Columns of the table: buffer and byte offset of steps, wall times, values and own x (buffer -1: none), number of
// points, 1 if values are doubles, 1 if steps are known to be ascending.
constexpr std::size_t kTableColumns = 11;
struct Bundle {
    std::vector<U8In> held;
    std::vector<lk::Placed> series;
};
Bundle bundle_of(nb::sequence buffers, const Table& table) {
    Bundle bundle;
    for (nb::handle each : buffers) bundle.held.push_back(nb::cast<U8In>(each, false));
    if (table.shape(1) != kTableColumns) throw std::invalid_argument("the table of a bundle has other columns");
    const auto place = [&]<class T>(const std::int64_t* cell, std::int64_t n, std::span<const T>& out) {
        const std::int64_t buffer = cell[0], at = cell[1];
        if (buffer < 0 || static_cast<std::size_t>(buffer) >= bundle.held.size() || at < 0 || n < 0)
            throw std::invalid_argument("a series lies nowhere");
        const U8In& in = bundle.held[static_cast<std::size_t>(buffer)];
        const auto size = static_cast<std::uint64_t>(in.size());
        if (static_cast<std::uint64_t>(at) > size ||
            static_cast<std::uint64_t>(n) > (size - static_cast<std::uint64_t>(at)) / sizeof(T))
            throw std::invalid_argument("a series reaches beyond its buffer");
        const std::uint8_t* from = in.data() + at;
        if (reinterpret_cast<std::uintptr_t>(from) % alignof(T) != 0)
            throw std::invalid_argument("a series is not aligned");
        out = {reinterpret_cast<const T*>(from), static_cast<std::size_t>(n)};
    };
    for (std::size_t s = 0; s < table.shape(0); ++s) {
        const std::int64_t* row = table.data() + s * kTableColumns;
        const std::int64_t n = row[8];
        // cuts are 32-bit numbers
        if (n > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("a series is too long");
        lk::Placed placed;
        if (n != 0) {
            place(row, n, placed.steps);
            place(row + 2, n, placed.walls);
            if (row[9])
                place(row + 4, n, placed.doubles);
            else
                place(row + 4, n, placed.singles);
            if (row[6] >= 0) place(row + 6, n, placed.own);
        }
        placed.ordered = row[10] != 0;
        bundle.series.push_back(placed);
    }
    return bundle;
}

lk::XAxis axis_of(int axis, const Bundle& bundle) {
    if (axis < 0 || axis > 3) throw std::invalid_argument("no such axis");
    if (axis == 3)
        for (const lk::Placed& one : bundle.series)
            if (one.own.size() != one.size()) throw std::invalid_argument("a series has no x of its own");
    return static_cast<lk::XAxis>(axis);
}

// (kind, by, parameter, unit, before, after)
lk::Smoother smoother_of(const nb::tuple& how) {
    if (how.size() != 6) throw std::invalid_argument("a smoothing has six parts");
    const int kind = nb::cast<int>(how[0]), by = nb::cast<int>(how[1]);
    if (kind < 0 || kind > 5 || by < 0 || by > 2) throw std::invalid_argument("no such smoothing");
    lk::Smoother smoother;
    smoother.kind = static_cast<lk::Smoother::Kind>(kind);
    smoother.by = static_cast<lk::Smoother::By>(by);
    smoother.parameter = nb::cast<double>(how[2]);
    smoother.unit = nb::cast<double>(how[3]);
    smoother.before = nb::cast<std::size_t>(how[4]);
    smoother.after = nb::cast<std::size_t>(how[5]);
    return smoother;
}

// (lo, hi, inner_lo, inner_hi, columns, scale), or None for no range
template <class X>
lk::Window<X> window_of(nb::handle parts_or_none, X) {
    lk::Window<X> window{};
    window.bounded = !parts_or_none.is_none();
    if (!window.bounded) return window;
    const auto parts = nb::cast<nb::tuple>(parts_or_none);
    if (parts.size() != 6) throw std::invalid_argument("a window has six parts");
    window.lo = nb::cast<X>(parts[0]);
    window.hi = nb::cast<X>(parts[1]);
    window.inner_lo = nb::cast<X>(parts[2]);
    window.inner_hi = nb::cast<X>(parts[3]);
    window.columns = nb::cast<std::size_t>(parts[4]);
    const int scale = nb::cast<int>(parts[5]);
    if (scale < 0 || scale > 2 || window.hi < window.lo) throw std::invalid_argument("no such window");
    window.scale = static_cast<lk::XScale>(scale);
    return window;
}

// (wanted, resolution, end_levels, rough)
lk::FrameForm form_of(const nb::tuple& form) {
    if (form.size() != 4) throw std::invalid_argument("a form has four parts");
    return lk::FrameForm{nb::cast<bool>(form[0]), nb::cast<double>(form[1]), nb::cast<unsigned>(form[2]),
                         nb::cast<bool>(form[3])};
}

// Calls work(x) with an x of the axis' type: integers for steps.
auto by_axis(int axis, auto&& work) { return axis == 0 ? work(std::int64_t{}) : work(double{}); }

// Each series needs columns + 1 cuts: positions that never decrease and never exceed its length. Empty: unknown.
void check_cuts(std::span<const std::uint32_t> cuts, const Bundle& bundle, std::size_t columns) {
    if (cuts.empty()) return;
    const std::size_t count = columns + 1;
    if (columns == 0 || cuts.size() != bundle.series.size() * count)
        throw std::invalid_argument("cuts are for other series or columns");
    for (std::size_t s = 0; s < bundle.series.size(); ++s) {
        const auto mine = cuts.subspan(s * count, count);
        if (!std::is_sorted(mine.begin(), mine.end()) || mine.back() > bundle.series[s].size())
            throw std::invalid_argument("cuts do not fit a series");
    }
}

}  // namespace

void bind_bundle(nb::module_& m) {
    m.def(
        "bundle_survey",
        [](nb::sequence buffers, Table table, int axis, bool positive) {
            const Bundle bundle = bundle_of(buffers, table);
            const lk::XAxis on = axis_of(axis, bundle);
            return by_axis(axis, [&]<class X>(X) {
                lk::Survey<X> found = unlocked([&] { return lk::survey<X>(bundle.series, on, positive); });
                return nb::make_tuple(give(std::move(found.ascending)), give(std::move(found.any)),
                                      give(std::move(found.first)), give(std::move(found.last)));
            });
        },
        nb::arg("buffers"), nb::arg("table").noconvert(), nb::arg("axis"), nb::arg("positive"));

    m.def(
        "bundle_cut",
        [](nb::sequence buffers, Table table, int axis, U8In ascending, nb::handle window) {
            const Bundle bundle = bundle_of(buffers, table);
            const lk::XAxis on = axis_of(axis, bundle);
            if (ascending.size() != bundle.series.size()) throw std::invalid_argument("one mark per series is needed");
            return by_axis(axis, [&]<class X>(X x) {
                const lk::Window<X> within = window_of(window, x);
                if (within.columns == 0) throw std::invalid_argument("a window without columns cannot be cut");
                return give(unlocked([&] {
                    return lk::cut_columns(std::span<const lk::Placed>(bundle.series), on, view(ascending), within);
                }));
            });
        },
        nb::arg("buffers"), nb::arg("table").noconvert(), nb::arg("axis"), nb::arg("ascending").noconvert(),
        nb::arg("window"));

    m.def(
        "bundle_draw",
        [](nb::sequence buffers, Table table, int axis, U8In ascending, nb::handle window, nb::tuple smoothing,
           nb::tuple raw, nb::tuple smooth, U32In cuts) {
            const Bundle bundle = bundle_of(buffers, table);
            const lk::XAxis on = axis_of(axis, bundle);
            const lk::Smoother smoother = smoother_of(smoothing);
            const lk::FrameForm raw_form = form_of(raw), smooth_form = form_of(smooth);
            if (ascending.size() != bundle.series.size()) throw std::invalid_argument("one mark per series is needed");
            return by_axis(axis, [&]<class X>(X x) {
                const lk::Window<X> within = window_of(window, x);
                check_cuts(view(cuts), bundle, within.columns);
                lk::Drawn drawn = unlocked([&] {
                    return lk::draw(std::span<const lk::Placed>(bundle.series), on, view(ascending), within, smoother,
                                    raw_form, smooth_form, view(cuts));
                });
                nb::object edges = nb::none();
                if (drawn.any_edge)
                    edges = nb::make_tuple(give(std::move(drawn.edge_x)), give(std::move(drawn.edge_value)),
                                           give(std::move(drawn.edge_smoothed)));
                return nb::make_tuple(give_range(drawn.values), give_range(drawn.smoothed), bytes_out(drawn.frame),
                                      bytes_out(drawn.smoothed_frame), edges, give_fit(drawn.values_fit),
                                      give_fit(drawn.smoothed_fit));
            });
        },
        nb::arg("buffers"), nb::arg("table").noconvert(), nb::arg("axis"), nb::arg("ascending").noconvert(),
        nb::arg("window").none(), nb::arg("smoothing"), nb::arg("raw"), nb::arg("smooth"), nb::arg("cuts").noconvert());

    m.def(
        "bundle_exact",
        [](nb::sequence buffers, Table table, int axis, nb::handle window, nb::tuple smoothing, std::size_t limit) {
            const Bundle bundle = bundle_of(buffers, table);
            const lk::XAxis on = axis_of(axis, bundle);
            const lk::Smoother smoother = smoother_of(smoothing);
            return by_axis(axis, [&]<class X>(X x) {
                const lk::Window<X> within = window_of(window, x);
                lk::Kept kept = unlocked(
                    [&] { return lk::exact(std::span<const lk::Placed>(bundle.series), on, within, smoother, limit); });
                nb::object values = kept.single ? give(std::move(kept.singles)) : give(std::move(kept.doubles));
                return nb::make_tuple(give(std::move(kept.counts)), kept.total, give(std::move(kept.steps)),
                                      give(std::move(kept.walls)), values, give(std::move(kept.smoothed)),
                                      give(std::move(kept.x)));
            });
        },
        nb::arg("buffers"), nb::arg("table").noconvert(), nb::arg("axis"), nb::arg("window").none(),
        nb::arg("smoothing"), nb::arg("limit"));

    m.def(
        "bundle_nearest",
        [](nb::sequence buffers, Table table, int axis, I64In whole, F64In part, nb::tuple smoothing) {
            const Bundle bundle = bundle_of(buffers, table);
            const lk::XAxis on = axis_of(axis, bundle);
            const lk::Smoother smoother = smoother_of(smoothing);
            if (whole.size() != part.size()) throw std::invalid_argument("arrays differ in length");
            std::vector<lk::Position> positions;
            for (std::size_t i = 0; i < whole.size(); ++i) positions.push_back({whole.data()[i], part.data()[i]});
            return by_axis(axis, [&]<class X>(X) {
                std::vector<std::int64_t> at;
                lk::Picked picked = unlocked([&] {
                    at = lk::nearest<X>(bundle.series, on, positions);
                    return lk::pick(bundle.series, at, positions.size(), smoother);
                });
                return nb::make_tuple(give(std::move(at)), give(std::move(picked.steps)), give(std::move(picked.walls)),
                                      give(std::move(picked.relative)), give(std::move(picked.values)),
                                      give(std::move(picked.smoothed)));
            });
        },
        nb::arg("buffers"), nb::arg("table").noconvert(), nb::arg("axis"), nb::arg("whole").noconvert(),
        nb::arg("part").noconvert(), nb::arg("smoothing"));

    m.def(
        "bundle_stats",
        [](nb::sequence buffers, Table table, int axis, nb::handle window) {
            const Bundle bundle = bundle_of(buffers, table);
            const lk::XAxis on = axis_of(axis, bundle);
            return by_axis(axis, [&]<class X>(X x) {
                const lk::Window<X> within = window_of(window, x);
                lk::RangeStats stats =
                    unlocked([&] { return lk::range_stats(std::span<const lk::Placed>(bundle.series), on, within); });
                nb::dict found;
                found["n"] = give(std::move(stats.n));
                found["first_step"] = give(std::move(stats.first_step));
                found["last_step"] = give(std::move(stats.last_step));
                found["min_step"] = give(std::move(stats.min_step));
                found["max_step"] = give(std::move(stats.max_step));
                found["first"] = give(std::move(stats.first));
                found["last"] = give(std::move(stats.last));
                found["min"] = give(std::move(stats.min));
                found["max"] = give(std::move(stats.max));
                found["mean"] = give(std::move(stats.mean));
                return found;
            });
        },
        nb::arg("buffers"), nb::arg("table").noconvert(), nb::arg("axis"), nb::arg("window").none());
}

}  // namespace lightboard::bind
