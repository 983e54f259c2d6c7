// Many series at once, with small examples: empty ones, extremes of int64, gaps, several threads. tests/test_bundle.py
// tests that bundles equal the single kernels; this file tests memory safety. Run under AddressSanitizer and UBSan, and
// also under ThreadSanitizer.
#undef NDEBUG
#include "kernels/bundle.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/parallel.h"
#include "kernels/ema_columns.h"
#include "kernels/row_text.h"
#include "kernels/smoothing.h"

namespace lk = lightboard::kernels;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// Series that own their columns.
struct Lines {
    std::vector<std::vector<std::int64_t>> steps;
    std::vector<std::vector<double>> walls, values;

    void add(std::vector<std::int64_t> at, std::vector<double> y) {
        walls.emplace_back(at.begin(), at.end());
        steps.push_back(std::move(at));
        values.push_back(std::move(y));
    }
    void add_wave(std::size_t n) {
        std::vector<std::int64_t> at(n);
        std::iota(at.begin(), at.end(), 0);
        std::vector<double> y(n);
        for (std::size_t i = 0; i < n; ++i) y[i] = std::sin(static_cast<double>(i * (steps.size() + 1)) / 50);
        add(std::move(at), std::move(y));
    }
    std::vector<lk::Placed> placed() const {
        std::vector<lk::Placed> all(steps.size());
        for (std::size_t s = 0; s < all.size(); ++s) {
            all[s].steps = steps[s];
            all[s].walls = walls[s];
            all[s].doubles = values[s];
        }
        return all;
    }
};

lk::Smoother ema(double weight) {
    lk::Smoother how;
    how.kind = lk::Smoother::Kind::kEma;
    how.parameter = weight;
    return how;
}

lk::Window<std::int64_t> window(std::int64_t lo, std::int64_t hi, std::size_t columns,
                                lk::XScale scale = lk::XScale::kLinear) {
    return {lo, hi, lo, hi, columns, true, scale};
}

void averages_side_by_side_are_those_of_each() {
    Lines lines;
    for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 200u, 129u, 1000u, 7u}) lines.add_wave(n);
    lines.values[5][17] = kNaN;
    lines.values[6].assign(129, 0.25);
    std::vector<std::span<const double>> in(lines.values.begin(), lines.values.end());
    for (const double weight : {0.0, 0.3, 0.999, 1.0}) {
        const std::vector<double> divisors = lk::ema_divisors(weight, 1000);
        std::vector<std::vector<double>> out(in.size()), states(in.size());
        lk::ema_side_by_side(std::span<const std::span<const double>>(in), weight, divisors, out, states);
        for (std::size_t s = 0; s < in.size(); ++s) {
            const std::vector<double> each = lk::ema(in[s], weight);
            assert(each.size() == out[s].size());
            assert(each.empty() || std::memcmp(each.data(), out[s].data(), each.size() * sizeof(double)) == 0);
            for (std::size_t block = 0; block < states[s].size(); ++block) {
                double again[lk::kEmaBlock];
                lk::ema_block(in[s], weight, divisors, states[s], block, again);
                const std::size_t begin = block * lk::kEmaBlock, n = std::min(lk::kEmaBlock, each.size() - begin);
                assert(std::memcmp(again, each.data() + begin, n * sizeof(double)) == 0);
            }
        }
        assert(states[5].empty() && states[6].empty() && states[7].size() == 16);
    }
}

template <class Y>
void columns_of_averages_are_those_of(const std::vector<std::vector<Y>>& values, double weight) {
    const std::vector<double> divisors = lk::ema_divisors(weight, 1000);
    constexpr std::size_t kColumns = 9;
    std::vector<std::vector<std::uint32_t>> cuts;
    std::vector<std::array<double, 4 * kColumns>> room(values.size());
    std::vector<lk::EmaColumns<Y>> told;
    for (std::size_t s = 0; s < values.size(); ++s) {
        const auto n = static_cast<std::uint32_t>(values[s].size());
        // all points inside, all left of the columns, all right of them, and columns without a point
        std::vector<std::uint32_t> mine(kColumns + 1, s % 4 == 1 ? n : 0);
        if (s % 4 == 0) mine.back() = n;
        if (s % 4 == 3)
            for (std::uint32_t c = 0; c <= kColumns; ++c) mine[c] = std::min(n, 3 + c / 2 * 2 * (n / 10 + 1));
        cuts.push_back(std::move(mine));
    }
    for (std::size_t s = 0; s < values.size(); ++s) {
        double* const to = room[s].data();
        told.push_back({values[s], cuts[s], to, to + kColumns, to + 2 * kColumns, to + 3 * kColumns});
    }
    lk::ema_columns(std::span(told), weight, divisors);
    for (std::size_t s = 0; s < values.size(); ++s) {
        const std::vector<double> each = lk::ema(std::span<const Y>(values[s]), weight);
        const lk::EmaColumns<Y>& mine = told[s];
        const std::size_t seen = std::min(each.size(), std::size_t{cuts[s].back()} + 1);
        const bool gaps = std::any_of(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(seen),
                                      [](double v) { return !std::isfinite(v); });
        const bool varied =
            std::adjacent_find(values[s].begin(), values[s].end(), std::not_equal_to<>()) != values[s].end();
        assert(mine.clean == (varied && !gaps));
        if (!mine.clean) continue;
        if (cuts[s].front() > 0) assert(mine.before == each[cuts[s].front() - 1]);
        if (cuts[s].back() < each.size()) assert(mine.after == each[cuts[s].back()]);
        for (std::size_t c = 0; c < kColumns; ++c) {
            const auto begin = each.begin() + cuts[s][c], end = each.begin() + cuts[s][c + 1];
            if (begin == end) continue;
            assert(mine.first[c] == *begin && mine.last[c] == *(end - 1));
            assert(mine.low[c] == *std::min_element(begin, end) && mine.high[c] == *std::max_element(begin, end));
        }
    }
}

void columns_of_averages_are_those_of_each() {
    for (const double weight : {0.3, 0.9, 0.999, 1.0})
        for (const std::size_t count : {0u, 1u, 3u, 8u})
            for (std::size_t rotated = 0; rotated < 8; ++rotated) {
                Lines lines;
                for (const std::size_t n : {1u, 2u, 63u, 200u, 129u, 1000u, 7u, 200u}) lines.add_wave(n);
                lines.values[3][17] = kNaN;
                lines.values[4][128] = -kInf;
                lines.values[6].assign(7, 0.25);
                std::rotate(lines.values.begin(), lines.values.begin() + static_cast<std::ptrdiff_t>(rotated),
                            lines.values.end());
                lines.values.resize(count);
                columns_of_averages_are_those_of(lines.values, weight);
                std::vector<std::vector<float>> singles;
                for (const auto& values : lines.values) singles.emplace_back(values.begin(), values.end());
                columns_of_averages_are_those_of(singles, weight);
            }
}

void nothing_is_drawn_of_nothing() {
    const std::vector<std::uint8_t> none;
    const lk::Drawn drawn =
        lk::draw<std::int64_t>({}, lk::XAxis::kStep, none, window(0, 0, 5), ema(0.5), {true}, {true});
    assert(drawn.values.count == 0 && drawn.smoothed.count == 0 && !drawn.any_edge);
    assert(lk::exact<std::int64_t>({}, lk::XAxis::kStep, window(0, 0, 5), ema(0.5), 10).total == 0);
    Lines lines;
    lines.add({}, {});
    const auto placed = lines.placed();
    for (const lk::XAxis axis : {lk::XAxis::kWall, lk::XAxis::kRelative}) {
        const auto survey = lk::survey<double>(placed, axis, false);
        assert(survey.ascending[0] && !survey.any[0]);
    }
    const lk::Position position;
    assert(lk::nearest<std::int64_t>(placed, lk::XAxis::kStep, {&position, 1})[0] == -1);
}

void steps_at_the_ends_of_int64_are_drawn() {
    Lines lines;
    lines.add({kLeast, -1, 0, kMost}, {1, 2, 3, 4});
    lines.add({kMost, kLeast, 5}, {1, 2, 3});  // not ascending
    const auto placed = lines.placed();
    const auto survey = lk::survey<std::int64_t>(placed, lk::XAxis::kStep, false);
    assert(survey.ascending[0] && !survey.ascending[1]);
    assert(survey.first[1] == kLeast && survey.last[1] == kMost);
    for (const lk::XScale scale : {lk::XScale::kLinear, lk::XScale::kSymlog}) {
        const auto all = window(kLeast, kMost, 7, scale);
        const lk::Drawn drawn = lk::draw(std::span<const lk::Placed>(placed), lk::XAxis::kStep, survey.ascending, all,
                                         ema(0.5), {true}, {true});
        assert(drawn.values.count == 7 && drawn.smoothed.count == 7);
        const lk::Kept kept = lk::exact(std::span<const lk::Placed>(placed), lk::XAxis::kStep, all, ema(0.5), 100);
        assert(kept.counts[0] == 4 && kept.counts[1] == 3);
    }
    const auto late = lk::exact(std::span<const lk::Placed>(placed), lk::XAxis::kStep,
                                window(1, kMost, 3, lk::XScale::kLog), ema(0.5), 100);
    assert(*std::min_element(late.steps.begin(), late.steps.end()) > 0);
    const lk::Position ends[] = {{kLeast, 0}, {kMost, 0}, {0, 0.5}};
    const auto found = lk::nearest<std::int64_t>(placed, lk::XAxis::kStep, ends);
    assert((found == std::vector<std::int64_t>{0, 3, 2, 1, 0, 2}));
    const auto stats = lk::range_stats(std::span<const lk::Placed>(placed), lk::XAxis::kStep, window(kLeast, kMost, 0));
    assert(stats.n[1] == 3 && stats.mean[1] == 2 && stats.min_step[1] == kMost);
}

void values_beyond_all_measure_are_drawn() {
    Lines lines;
    lines.add({0, 1, 2, 3}, {1e308, -1e308, kInf, 5e-324});
    lines.add({0, 1, 2, 3}, {kNaN, kNaN, kNaN, kNaN});
    const std::vector<std::uint8_t> up = {1, 1};
    const lk::Drawn drawn =
        lk::draw<std::int64_t>(lines.placed(), lk::XAxis::kStep, up, window(0, 3, 2), ema(0.9), {true}, {true});
    assert(drawn.values.count == 3 && drawn.values.min == -1e308);
}

void many_threads_draw_what_one_draws() {
    Lines lines;
    for (int i = 0; i < 13; ++i) lines.add_wave(200'000 + static_cast<std::size_t>(i));
    const auto placed = lines.placed();
    const std::vector<std::uint8_t> up(placed.size(), 1);
    const auto all = window(0, 200'000, 100);
    const lk::Drawn together =
        lk::draw(std::span<const lk::Placed>(placed), lk::XAxis::kStep, up, all, ema(0.99), {true}, {true});
    std::vector<double> smoothed;
    for (const auto& values : lines.values) {
        const auto each = lk::ema(std::span<const double>(values), 0.99);
        smoothed.insert(smoothed.end(), each.begin(), each.begin() + 200'001 - (each.size() < 200'001));
    }
    std::sort(smoothed.begin(), smoothed.end());
    const double top = static_cast<double>(smoothed.size() - 1);
    assert(together.smoothed.count == smoothed.size());
    assert(together.smoothed.low == smoothed[static_cast<std::size_t>(std::ceil(0.05 * top))]);
    assert(together.smoothed.high == smoothed[static_cast<std::size_t>(std::floor(0.95 * top))]);
}

void what_a_thread_throws_comes_out() {
    bool thrown = false;
    try {
        lk::in_parallel(100, 100'000'000, [](std::size_t piece) {
            if (piece == 40) throw std::runtime_error("piece 40");
        });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    assert(thrown);
}

void columns_of_numbers_are_spelled_as_json() {
    const std::vector<double> numbers = {0, -0.5, kNaN, kInf, -kInf, -2.2250738585072014e-308, 1e16};
    const std::vector<std::uint8_t> present = {1, 1, 1, 1, 1, 1, 0};
    assert(lk::column_text(std::span<const double>(numbers), present) ==
           "[0.0,-0.5,\"NaN\",\"Infinity\",\"-Infinity\",-2.2250738585072014e-308,null]");
    const std::vector<std::int64_t> whole = {kLeast, kMost, -1};
    assert(lk::column_text(std::span<const std::int64_t>(whole), {}) ==
           "[\"-9223372036854775808\",\"9223372036854775807\",-1]");
}

}  // namespace

int main() {
    averages_side_by_side_are_those_of_each();
    columns_of_averages_are_those_of_each();
    nothing_is_drawn_of_nothing();
    steps_at_the_ends_of_int64_are_drawn();
    values_beyond_all_measure_are_drawn();
    many_threads_draw_what_one_draws();
    what_a_thread_throws_comes_out();
    columns_of_numbers_are_spelled_as_json();
    std::puts("bundle: ok");
}
