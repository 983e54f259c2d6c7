#include "kernels/many_smoother.h"

#include <algorithm>
#include <type_traits>

#include "kernels/ema_columns.h"
#include "kernels/placed.h"
#include "kernels/smoothing.h"

namespace lightboard::kernels {
namespace {

std::vector<double> smooth(const Placed& one, const Smoother& how) {
    return with_values(one, [&](auto values) {
        const auto by_x = [&](auto call) { return how.by == Smoother::By::kWall ? call(one.walls) : call(one.steps); };
        switch (how.kind) {
            case Smoother::Kind::kEma:
                return ema(values, how.parameter);
            case Smoother::Kind::kTimeEma:
                return by_x([&](auto x) {
                    return time_ema(x, values, how.parameter, how.unit > 0 ? how.unit : typical_gap(x));
                });
            case Smoother::Kind::kGaussian:
                if (how.by == Smoother::By::kPoint) return gaussian(values, how.parameter);
                return by_x([&](auto x) { return gaussian_x(x, values, how.parameter); });
            case Smoother::Kind::kMean:
                return running_mean(values, how.before, how.after);
            case Smoother::Kind::kMedian:
                return running_median(values, how.before, how.after);
            case Smoother::Kind::kNone:
                break;
        }
        return std::vector<double>(values.begin(), values.end());
    });
}

}  // namespace

ManySmoother::ManySmoother(std::span<const Placed> series, const Smoother& how) : series_(series), how_(how) {
    if (how.kind != Smoother::Kind::kEma) return;
    std::size_t longest = 0;
    for (const Placed& one : series) longest = std::max(longest, one.size());
    divisors_ = ema_divisors(how.parameter, longest);
}

template <class Y>
void ManySmoother::lanes(std::span<const Placed> mine, std::span<std::vector<double>> out,
                         std::span<std::vector<double>> states) const {
    std::vector<std::span<const Y>> in;
    for (const Placed& one : mine) {
        if constexpr (std::is_same_v<Y, float>)
            in.push_back(one.singles);
        else
            in.push_back(one.doubles);
    }
    ema_side_by_side(std::span<const std::span<const Y>>(in), how_.parameter, divisors_, out, states);
}

void ManySmoother::run(std::size_t begin, std::span<std::vector<double>> out,
                       std::span<std::vector<double>> states) const {
    if (how_.kind != Smoother::Kind::kEma) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = smooth(series_[begin + i], how_);
        return;
    }
    const auto mine = series_.subspan(begin, out.size());
    const auto single = [](const Placed& one) { return one.doubles.empty(); };
    if (std::all_of(mine.begin(), mine.end(), single))
        lanes<float>(mine, out, states);
    else if (std::none_of(mine.begin(), mine.end(), single))
        lanes<double>(mine, out, states);
    else
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = smooth(mine[i], how_);
}

void ManySmoother::block(std::size_t s, std::span<const double> states, std::size_t block,
                         std::span<double> out) const {
    with_values(series_[s], [&](auto values) { ema_block(values, how_.parameter, divisors_, states, block, out); });
}

}  // namespace lightboard::kernels
