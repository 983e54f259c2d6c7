// Bindings of kernels/ for single series. lightboard/kernels.py checks arguments; this file checks only what could
// cause an out-of-bounds read.
#include "kernels/kernels.h"

#include "bind/bind.h"

namespace lightboard::bind {
namespace {

namespace lk = lightboard::kernels;

// The input element types, as tags for the overloads below.
constexpr auto x_types = [](auto&& define) { define(I64In{}), define(F64In{}); };
constexpr auto y_types = [](auto&& define) { define(F32In{}), define(F64In{}); };

}  // namespace

void bind_kernels(nb::module_& m) {
    y_types([&]<class Y>(Y) {
        m.def(
            "ema",
            [](Y values, double weight) { return give(unlocked([&] { return lk::ema(view(values), weight); })); },
            nb::arg("values").noconvert(), nb::arg("weight"));
        m.def(
            "gaussian",
            [](Y values, double sigma) { return give(unlocked([&] { return lk::gaussian(view(values), sigma); })); },
            nb::arg("values").noconvert(), nb::arg("sigma"));
        m.def(
            "running_mean",
            [](Y values, std::size_t before, std::size_t after) {
                return give(unlocked([&] { return lk::running_mean(view(values), before, after); }));
            },
            nb::arg("values").noconvert(), nb::arg("before"), nb::arg("after"));
        m.def(
            "running_median",
            [](Y values, std::size_t before, std::size_t after) {
                return give(unlocked([&] { return lk::running_median(view(values), before, after); }));
            },
            nb::arg("values").noconvert(), nb::arg("before"), nb::arg("after"));
    });

    x_types([&]<class X>(X) {
        using At = std::remove_const_t<std::remove_pointer_t<decltype(X{}.data())>>;
        m.def(
            "typical_gap", [](X x) { return unlocked([&] { return lk::typical_gap(view(x)); }); },
            nb::arg("x").noconvert());
        y_types([&]<class Y>(Y) {
            m.def(
                "time_ema",
                [](X x, Y values, double weight, double unit) {
                    same_length(x, values);
                    return give(unlocked([&] { return lk::time_ema(view(x), view(values), weight, unit); }));
                },
                nb::arg("x").noconvert(), nb::arg("values").noconvert(), nb::arg("weight"), nb::arg("unit"));
            m.def(
                "gaussian_x",
                [](X x, Y values, double sigma) {
                    same_length(x, values);
                    return give(unlocked([&] { return lk::gaussian_x(view(x), view(values), sigma); }));
                },
                nb::arg("x").noconvert(), nb::arg("values").noconvert(), nb::arg("sigma"));
            m.def(
                "m4_indices",
                [](X x, Y y, At lo, At hi, std::size_t columns) {
                    same_length(x, y);
                    return give(unlocked([&] { return lk::m4_indices(view(x), view(y), lo, hi, columns); }));
                },
                nb::arg("x").noconvert(), nb::arg("y").noconvert(), nb::arg("lo"), nb::arg("hi"), nb::arg("columns"));
            m.def(
                "m4_columns",
                [](X x, Y y, At lo, At hi, std::size_t columns) {
                    same_length(x, y);
                    lk::Columns c = unlocked([&] { return lk::m4_columns(view(x), view(y), lo, hi, columns); });
                    return nb::make_tuple(give(std::move(c.first)), give(std::move(c.min)), give(std::move(c.max)),
                                          give(std::move(c.last)), give(std::move(c.count)),
                                          give(std::move(c.nonfinite)), c.before, c.after);
                },
                nb::arg("x").noconvert(), nb::arg("y").noconvert(), nb::arg("lo"), nb::arg("hi"), nb::arg("columns"));
        });

        // Lists of arrays: the handles keep the arrays alive while the GIL is released.
        static constexpr auto series_of = [](nb::sequence xs, nb::sequence ys, std::vector<X>& x_held,
                                             std::vector<F64In>& y_held) {
            for (nb::handle x : xs) x_held.push_back(nb::cast<X>(x, false));
            for (nb::handle y : ys) y_held.push_back(nb::cast<F64In>(y, false));
            if (x_held.size() != y_held.size()) throw std::invalid_argument("as many x as y arrays are needed");
            std::vector<lk::SeriesView<At>> series;
            for (std::size_t i = 0; i < x_held.size(); ++i) {
                same_length(x_held[i], y_held[i]);
                series.push_back({view(x_held[i]), view(y_held[i])});
            }
            return series;
        };
        static constexpr auto give_bands = [](lk::Bands&& b) {
            return nb::make_tuple(give(std::move(b.mean)), give(std::move(b.std)), give(std::move(b.min)),
                                  give(std::move(b.max)), give(std::move(b.quantiles)), give(std::move(b.count)));
        };
        m.def(
            "aggregate",
            [](nb::sequence xs, nb::sequence ys, X axis, F64In quantiles, unsigned ddof) {
                std::vector<X> x_held;
                std::vector<F64In> y_held;
                const auto series = series_of(xs, ys, x_held, y_held);
                return give_bands(unlocked([&] {
                    return lk::aggregate(std::span<const lk::SeriesView<At>>(series), view(axis), view(quantiles),
                                         ddof);
                }));
            },
            nb::arg("xs"), nb::arg("ys"), nb::arg("axis").noconvert(), nb::arg("quantiles").noconvert(),
            nb::arg("ddof"));
        // `xs` is a list, so nanobind cannot choose an overload by type: two names, for integer and floating-point
        // axes.
        m.def(
            std::is_integral_v<At> ? "aggregate_columns_i64" : "aggregate_columns_f64",
            [](nb::sequence xs, nb::sequence ys, At lo, At hi, std::size_t columns, F64In quantiles, unsigned ddof) {
                std::vector<X> x_held;
                std::vector<F64In> y_held;
                const auto series = series_of(xs, ys, x_held, y_held);
                return give_bands(unlocked([&] {
                    return lk::aggregate_columns(std::span<const lk::SeriesView<At>>(series), lo, hi, columns,
                                                 view(quantiles), ddof);
                }));
            },
            nb::arg("xs"), nb::arg("ys"), nb::arg("lo"), nb::arg("hi"), nb::arg("columns"),
            nb::arg("quantiles").noconvert(), nb::arg("ddof"));
    });

    m.def(
        "robust_range",
        [](nb::sequence arrays) {
            std::vector<F32In> singles;
            std::vector<F64In> doubles;
            for (nb::handle array : arrays) {
                F64In wide;
                if (nb::try_cast(array, wide, false))
                    doubles.push_back(std::move(wide));
                else
                    singles.push_back(nb::cast<F32In>(array, false));
            }
            const lk::Range r = unlocked([&] {
                lk::RobustRange range;
                for (const auto& a : singles) range.add(view(a));
                for (const auto& a : doubles) range.add(view(a));
                return range.finish();
            });
            return nb::make_tuple(r.low, r.high, r.min, r.max, r.count);
        },
        nb::arg("arrays"));

    m.def(
        "encode_columns",
        [](F64In first, F64In min, F64In max, F64In last, U32In count, U32In nonfinite, std::size_t series,
           std::size_t columns, double centre, double scale, double resolution, unsigned end_levels) {
            for (const std::size_t n :
                 {first.size(), min.size(), max.size(), last.size(), count.size(), nonfinite.size()})
                if (n != series * columns) throw std::invalid_argument("tables differ in size");
            const std::vector<std::uint8_t> frame = unlocked([&] {
                return lk::encode_columns(
                    {series, columns, view(first), view(min), view(max), view(last), view(count), view(nonfinite)},
                    {centre, scale, resolution, end_levels});
            });
            return bytes_out(frame);
        },
        nb::arg("first").noconvert(), nb::arg("min").noconvert(), nb::arg("max").noconvert(),
        nb::arg("last").noconvert(), nb::arg("count").noconvert(), nb::arg("nonfinite").noconvert(), nb::arg("series"),
        nb::arg("columns"), nb::arg("centre"), nb::arg("scale"), nb::arg("resolution"), nb::arg("end_levels"));

    x_types([&]<class X>(X) {
        m.def(
            "column_text",
            [](X values, U8In present) {
                if (present.size() != 0) same_length(values, present);
                const std::string text = unlocked([&] { return lk::column_text(view(values), view(present)); });
                return bytes_out(text);
            },
            nb::arg("values").noconvert(), nb::arg("present").noconvert());
    });

    y_types([&]<class Y>(Y) {
        m.def(
            "row_text",
            [](F64In wall_times, I64In steps, Y values, nb::sequence words) {
                same_length(wall_times, steps);
                same_length(wall_times, values);
                std::vector<std::string> held;
                for (nb::handle word : words) held.push_back(nb::cast<std::string>(word));
                if (held.size() != 8) throw std::invalid_argument("eight words are needed");
                const lk::RowForm form{{held[0], held[1], held[2]}, held[3], held[4], held[5], held[6], held[7]};
                const std::string text =
                    unlocked([&] { return lk::row_text(view(wall_times), view(steps), view(values), form); });
                return bytes_out(text);
            },
            nb::arg("wall_times").noconvert(), nb::arg("steps").noconvert(), nb::arg("values").noconvert(),
            nb::arg("words"));
    });

    m.def(
        "natural_ranks",
        [](nb::bytes packed, In<std::uint64_t> ends) {
            const std::string_view names = string_in(packed);
            std::uint64_t last = 0;
            for (const std::uint64_t end : view(ends)) {
                if (end < last || end > names.size()) throw std::invalid_argument("names end outside of their bytes");
                last = end;
            }
            return give(unlocked([&] { return lk::natural_ranks(names, view(ends)); }));
        },
        "packed"_a, "ends"_a);
}

}  // namespace lightboard::bind
