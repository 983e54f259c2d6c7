#include "kernels/ema_columns.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "kernels/axis.h"

namespace lightboard::kernels {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// A vector that fits a register of the CPU.
template <class Y, std::size_t kWidth>
using Lanes __attribute__((vector_size(kWidth * sizeof(Y)))) = Y;

// State of the series that are processed together. `average` continues from stretch to stretch; the others are results
// of the last stretch. Single elements are never written: loading the whole register afterwards would stall.
struct Going {
    alignas(32) double average[kEmaAbreast], first[kEmaAbreast], low[kEmaAbreast], high[kEmaAbreast], last[kEmaAbreast];
};

template <class Y>
struct Stretch {
    const Y* const* from;
    double weight;
    const double* divisors;
    std::size_t begin, end;  // not empty; all averages in it are divided, or none
};

template <std::size_t kWidth, bool kDivided, class Y>
[[gnu::always_inline]] inline void walk(const Stretch<Y>& stretch, Going& going) {
    using Doubles = Lanes<double, kWidth>;
    constexpr std::size_t kSets = kEmaAbreast / kWidth;
    const double weight = stretch.weight, fresh = 1 - weight;
    Doubles average[kSets], low[kSets], high[kSets], told[kSets];
    const auto step = [&](std::size_t set, std::size_t i) __attribute__((always_inline)) {
        Lanes<Y, kWidth> values;
        for (std::size_t k = 0; k < kWidth; ++k) values[k] = stretch.from[set * kWidth + k][i];
        average[set] = weight * average[set] + fresh * __builtin_convertvector(values, Doubles);
        told[set] = kDivided ? average[set] / stretch.divisors[i] : average[set];
    };
    const auto put = [](const Doubles& numbers, double* to)
                         __attribute__((always_inline)) { std::memcpy(to, &numbers, sizeof numbers); };
    for (std::size_t set = 0; set < kSets; ++set) {
        std::memcpy(&average[set], going.average + set * kWidth, sizeof(Doubles));
        step(set, stretch.begin);
        low[set] = high[set] = told[set];
        put(told[set], going.first + set * kWidth);
    }
    for (std::size_t i = stretch.begin + 1; i < stretch.end; ++i)
        for (std::size_t set = 0; set < kSets; ++set) {
            step(set, i);
            low[set] = told[set] < low[set] ? told[set] : low[set];
            high[set] = told[set] > high[set] ? told[set] : high[set];
        }
    for (std::size_t set = 0; set < kSets; ++set) {
        put(average[set], going.average + set * kWidth);
        put(low[set], going.low + set * kWidth);
        put(high[set], going.high + set * kWidth);
        put(told[set], going.last + set * kWidth);
    }
}

template <bool kDivided, class Y>
void walk_plain(const Stretch<Y>& stretch, Going& going) {
    walk<2, kDivided>(stretch, going);
}
#if defined(__x86_64__)
template <bool kDivided, class Y>
__attribute__((target("avx2"))) void walk_wide(const Stretch<Y>& stretch, Going& going) {
    walk<4, kDivided>(stretch, going);
}
bool is_wide() { return __builtin_cpu_supports("avx2"); }
#else
template <bool kDivided, class Y>
constexpr auto walk_wide = walk_plain<kDivided, Y>;
bool is_wide() { return false; }
#endif

// The progress of one series through its columns.
template <class Y>
struct Lane {
    EmaColumns<Y>* series = nullptr;
    std::size_t end = 0;                  // end position; includes one point after the last column
    std::size_t cut = 0;                  // number of cuts at or before the position, which is in column cut - 1
    std::size_t next = kNowhere;          // position of the next result
    bool begins = true;                   // at the start of a column
    double first = 0, low = 0, high = 0;  // of the column so far

    void go_on(std::size_t here) {
        const auto cuts = series->cuts;
        while (cut < cuts.size() && cuts[cut] == here) ++cut;
        next = here == end ? kNowhere : cut < cuts.size() ? std::min<std::size_t>(cuts[cut], end) : end;
        begins = true;
    }

    void take(const Going& going, std::size_t k) {
        if (begins) first = going.first[k];
        low = begins ? going.low[k] : std::min(low, going.low[k]);
        high = begins ? going.high[k] : std::max(high, going.high[k]);
        begins = false;
    }

    void tell(double last) const {
        if (cut == 0) {
            series->before = last;
        } else if (cut == series->cuts.size()) {
            series->after = last;
        } else {
            series->low[cut - 1] = low;
            series->high[cut - 1] = high;
            if (!series->first) return;
            series->first[cut - 1] = first;
            series->last[cut - 1] = last;
        }
    }
};

}  // namespace

template <class Y>
void ema_columns(std::span<EmaColumns<Y>> series, double weight, std::span<const double> divisors) {
    if (series.empty()) return;
    const auto divided = is_wide() ? walk_wide<true, Y> : walk_plain<true, Y>;
    const auto undivided = is_wide() ? walk_wide<false, Y> : walk_plain<false, Y>;
    std::array<Lane<Y>, kEmaAbreast> lanes;
    std::array<const Y*, kEmaAbreast> from{};
    std::size_t longest = 0;
    for (std::size_t k = 0; k < series.size(); ++k) {
        lanes[k].series = &series[k];
        lanes[k].end = std::min(series[k].values.size(), std::size_t{series[k].cuts.back()} + 1);
        lanes[k].go_on(0);
        from[k] = series[k].values.data();
        if (lanes[k].end > lanes[longest].end) longest = k;
    }
    // unused lanes, and those whose series has ended, repeat the longest series; their results are ignored
    std::fill(from.begin() + static_cast<std::ptrdiff_t>(series.size()), from.end(), from[longest]);
    Going going{};
    for (std::size_t here = 0; here < lanes[longest].end;) {
        const bool biased = here < divisors.size();
        std::size_t there = biased ? divisors.size() : kNowhere;
        for (const Lane<Y>& lane : lanes) there = std::min(there, lane.next);
        (biased ? divided : undivided)({from.data(), weight, divisors.data(), here, there}, going);
        for (std::size_t k = 0; k < series.size(); ++k) {
            Lane<Y>& lane = lanes[k];
            lane.take(going, k);
            if (lane.next != there) continue;
            lane.tell(going.last[k]);
            lane.go_on(there);
            if (there != lane.end) continue;
            series[k].clean = finite(going.average[k]) && !all_equal(series[k].values);
            from[k] = from[longest];
        }
        here = there;
    }
}

template void ema_columns(std::span<EmaColumns<float>>, double, std::span<const double>);
template void ema_columns(std::span<EmaColumns<double>>, double, std::span<const double>);

}  // namespace lightboard::kernels
