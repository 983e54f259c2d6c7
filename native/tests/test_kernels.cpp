// Tests the kernels with small examples; property tests against slow versions are in tests/test_kernels.py. Run under
// AddressSanitizer and UBSan, so extremes of int64 and empty spans are most important here.
#undef NDEBUG
#include "kernels/kernels.h"

#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "kernels/axis.h"

namespace lk = lightboard::kernels;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

using Steps = std::vector<std::int64_t>;
using Values = std::vector<double>;

template <class T>
std::span<const T> view(const std::vector<T>& v) {
    return v;
}

void ema_follows_the_formula_bit_for_bit() {
    const Values y = {1, 2, kNaN, 0.1, -kInf, 7};
    const Values out = lk::ema(view(y), 0.6);
    double last = 0;
    int n = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (!std::isfinite(y[i])) {
            assert(std::isnan(y[i]) ? std::isnan(out[i]) : out[i] == y[i]);
            continue;
        }
        last = 0.6 * last + (1 - 0.6) * y[i];
        n += 1;
        assert(out[i] == last / (1 - std::pow(0.6, n)));
    }
}

void smoothers_survive_nothing_and_one_point() {
    for (const Values& y : {Values{}, Values{3.5}, Values{kNaN}, Values{kNaN, kInf, 1}}) {
        Steps x(y.size());
        std::iota(x.begin(), x.end(), 0);
        for (const Values& out :
             {lk::ema(view(y), 0.9), lk::time_ema(view(x), view(y), 0.9, 1.0), lk::gaussian(view(y), 2.0),
              lk::gaussian(view(y), 500.0), lk::gaussian_x(view(x), view(y), 2.0), lk::running_mean(view(y), 3, 3),
              lk::running_median(view(y), 3, 3), lk::running_median(view(y), 3000, 3000)}) {
            assert(out.size() == y.size());
            for (std::size_t i = 0; i < y.size(); ++i) assert(std::isnan(y[i]) ? std::isnan(out[i]) : out[i] == y[i]);
        }
    }
}

void columns_are_exact_at_the_ends_of_int64() {
    const Steps x = {kLeast, -1, 0, kMost - 1, kMost};
    const Values y = {1, 2, 3, 4, 5};
    const lk::Columns c = lk::m4_columns(view(x), view(y), kLeast, kMost, 2);
    // The middle of the range is between -1 and 0.
    assert(c.count == (std::vector<std::uint32_t>{2, 3}));
    assert(c.last[0] == 2 && c.first[1] == 3 && c.max[1] == 5);
    assert(lk::m4_indices(view(x), view(y), kLeast, kMost, 1).size() == 2);
}

void neighbours_outside_the_range_are_kept() {
    const Steps x = {0, 1, 2, 3, 4, 5, 6};
    const Values y = {0, 1, 2, 3, 4, 5, 6};
    assert(lk::m4_indices(view(x), view(y), std::int64_t{2}, std::int64_t{4}, 1) == (Steps{1, 2, 4, 5}));
    // No point inside, but the line crosses the range.
    const Steps wide = {0, 10};
    assert(lk::m4_indices(view(wide), view(Values{1, 2}), std::int64_t{4}, std::int64_t{6}, 3) == (Steps{0, 1}));
    const lk::Columns c = lk::m4_columns(view(x), view(y), std::int64_t{2}, std::int64_t{4}, 1);
    assert(c.before == 1 && c.after == 5 && c.count[0] == 3);
}

void alternating_gaps_stay_bounded() {
    Steps x(100000);
    std::iota(x.begin(), x.end(), 0);
    Values y(x.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 2 ? kNaN : static_cast<double>(i % 977);
    const auto kept = lk::m4_indices(view(x), view(y), std::int64_t{0}, std::int64_t{99999}, 10);
    assert(kept.size() <= 9 * 12);
}

void descending_x_is_refused_for_columns() {
    bool refused = false;
    try {
        lk::m4_columns(view(Steps{2, 1}), view(Values{0, 0}), std::int64_t{0}, std::int64_t{2}, 2);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    assert(refused);
}

void frames_of_extreme_values_encode() {
    const Values low = {-1e308, 0, kNaN, 5e-324}, high = {1e308, 0, kNaN, 1e308};
    const std::vector<std::uint32_t> count = {2, 1, 0, 3}, bad = {0, 0, 1, 0};
    const lk::ColumnTable table{2, 2, low, low, high, high, count, bad};
    const auto frame = lk::encode_columns(table, {0, 1e-300, 1360, 8});
    const std::size_t planes = frame[40];
    assert(planes == 3);
    assert(frame.size() == 48 + 1 + 1 + 3 * (2 * planes + 1) + 1);
    assert(frame.back() == lk::kOddNaN);
    assert(frame[48] == 0b1011 && frame[49] == 0b0100);
    assert(lk::encode_columns({0, 0, {}, {}, {}, {}, {}, {}}, {}).size() == 48);
}

void robust_range_takes_the_named_indices() {
    lk::RobustRange range;
    Values y(101);
    std::iota(y.rbegin(), y.rend(), 0.0);
    y.push_back(kNaN);
    range.add(view(y));
    const lk::Range r = range.finish();
    assert(r.count == 101 && r.low == 5 && r.high == 95 && r.min == 0 && r.max == 100);
    assert(std::isnan(lk::RobustRange().finish().low));
}

void a_fit_hides_few_outliers_and_never_an_end() {
    Values y(1000);
    std::iota(y.begin(), y.end(), 0.0);
    y[500] = 1e9;
    y[501] = kNaN;
    const lk::Fit clipped = lk::fit_of(view(y));
    assert(clipped.low == 0 && clipped.high == 999);
    y.back() = -5000;
    assert(lk::fit_of(view(y)).low == -5000);
    const Values few = {1, 2, 1e9};
    assert(lk::fit_of(view(few)).high == 1e9);
    const lk::Fit none = lk::fit_of(view(Values{}));
    assert(none.low > none.high);
}

void bands_ignore_series_outside_their_range() {
    const Steps xa = {0, 10}, xb = {5, 5, 7};
    const Values ya = {0, 10}, yb = {100, 7, kNaN};
    const std::vector<lk::SeriesView<std::int64_t>> series = {{xa, ya}, {xb, yb}};
    const Steps axis = {0, 5, 10};
    const Values quantiles = {0.5};
    const lk::Bands b =
        lk::aggregate(std::span<const lk::SeriesView<std::int64_t>>(series), view(axis), view(quantiles), 0);
    assert(b.count == (std::vector<std::uint32_t>{1, 2, 1}));
    assert(b.mean[1] == 6 && b.min[1] == 5 && b.max[1] == 7 && b.quantiles[1] == 6);
    const lk::Bands c = lk::aggregate_columns(std::span<const lk::SeriesView<std::int64_t>>(series), kLeast, kMost, 3,
                                              view(quantiles), 0);
    assert(c.count[1] == 2 && c.max[1] == 10 && c.count[0] == 0);
}

}  // namespace

int main() {
    ema_follows_the_formula_bit_for_bit();
    smoothers_survive_nothing_and_one_point();
    columns_are_exact_at_the_ends_of_int64();
    neighbours_outside_the_range_are_kept();
    alternating_gaps_stay_bounded();
    descending_x_is_refused_for_columns();
    frames_of_extreme_values_encode();
    robust_range_takes_the_named_indices();
    a_fit_hides_few_outliers_and_never_an_end();
    bands_ignore_series_outside_their_range();
    std::puts("kernels: ok");
}
