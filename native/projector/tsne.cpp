#include "projector/tsne.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/parallel.h"
#include "projector/random.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kPieceRows = 512;
constexpr std::size_t kForThreads = std::size_t{1} << 40;
constexpr float kOpening = 0.6F;     // a cell with a smaller viewing angle is treated as one point
constexpr std::size_t kEarly = 250;  // iterations with stronger attraction, in which groups form
constexpr double kExaggeration = 12;
constexpr float kFarthest = 1e9F;
constexpr std::uint32_t kLeafRows = 4;
constexpr int kLevels = 20;  // bits of a coordinate in the Morton code

template <std::size_t kDims>
std::uint64_t interleaved(const std::array<std::uint32_t, kDims>& place) {
    std::uint64_t code = 0;
    for (int bit = kLevels - 1; bit >= 0; --bit)
        for (std::size_t i = 0; i < kDims; ++i) code = code << 1 | (place[i] >> bit & 1U);
    return code;
}

}  // namespace

Tsne::Tsne(Graph graph, std::span<const float> initial, const TsneOptions& options)
    : graph_(std::move(graph)), options_(options), now_(initial.begin(), initial.end()) {
    if (options_.dims != 2 && options_.dims != 3) throw std::invalid_argument("two or three dimensions");
    if (initial.size() != graph_.rows() * options_.dims) throw std::invalid_argument("a place for every row");
    const auto n = static_cast<double>(graph_.rows());
    rate_ = options_.learning_rate > 0 ? options_.learning_rate : std::max(n / kExaggeration / 4, 50.0);
    // start very small: forces are then similar everywhere, and groups can pass through each other
    double squares = 0;
    for (const float value : now_) squares += static_cast<double>(value) * static_cast<double>(value);
    const double deviation = now_.empty() ? 0 : std::sqrt(squares / static_cast<double>(now_.size()));
    Random random(options_.seed, 0x75e);
    for (float& value : now_) {
        const double scaled = deviation > 0 ? value / deviation * 1e-4 : 0;
        value = static_cast<float>(scaled) + 1e-6F * random.symmetric();  // separates equal rows
    }
    velocity_.assign(now_.size(), 0);
    gains_.assign(now_.size(), 1);
    forces_.resize(now_.size());
}

// Sorts rows along a Morton curve; a cell of the tree is a contiguous range of it.
template <std::size_t kDims>
void Tsne::plant() {
    const std::size_t n = graph_.rows();
    std::array<float, kDims> low, high;
    low.fill(INFINITY);
    high.fill(-INFINITY);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < kDims; ++i) {
            low[i] = std::min(low[i], now_[row * kDims + i]);
            high[i] = std::max(high[i], now_[row * kDims + i]);
        }
    }
    float width = 1e-30F;
    for (std::size_t i = 0; i < kDims; ++i) width = std::max(width, high[i] - low[i]);
    const float scale = static_cast<float>((1U << kLevels) - 1) / width;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed(n);
    for (std::size_t row = 0; row < n; ++row) {
        std::array<std::uint32_t, kDims> place;
        for (std::size_t i = 0; i < kDims; ++i)
            place[i] = static_cast<std::uint32_t>((now_[row * kDims + i] - low[i]) * scale);
        keyed[row] = {interleaved<kDims>(place), static_cast<std::uint32_t>(row)};
    }
    std::sort(keyed.begin(), keyed.end());
    codes_.resize(n);
    order_.resize(n);
    sorted_.resize(n * kDims);
    for (std::size_t at = 0; at < n; ++at) {
        codes_[at] = keyed[at].first;
        order_[at] = keyed[at].second;
        for (std::size_t i = 0; i < kDims; ++i) sorted_[at * kDims + i] = now_[std::size_t{order_[at]} * kDims + i];
    }
    cells_.clear();
    grow<kDims>(0, static_cast<std::uint32_t>(n), kLevels - 1, width);
}

// Adds the cell of a range and all its child cells; returns its index.
template <std::size_t kDims>
std::uint32_t Tsne::grow(std::uint32_t first, std::uint32_t last, int level, float width) {
    const auto number = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back({{0, 0, 0}, width, last - first, 0, first});
    std::array<double, kDims> sum{};
    for (std::uint32_t at = first; at < last; ++at)
        for (std::size_t i = 0; i < kDims; ++i) sum[i] += sorted_[std::size_t{at} * kDims + i];
    for (std::size_t i = 0; i < kDims; ++i) cells_[number].center[i] = static_cast<float>(sum[i] / (last - first));
    if (last - first > kLeafRows && level >= 0) {
        const int shift = level * static_cast<int>(kDims);
        std::uint32_t from = first;
        while (from < last) {
            const std::uint64_t part = codes_[from] >> shift;
            const auto end = std::partition_point(codes_.begin() + from, codes_.begin() + last,
                                                  [&](std::uint64_t code) { return code >> shift == part; });
            const auto to = static_cast<std::uint32_t>(end - codes_.begin());
            grow<kDims>(from, to, level - 1, width / 2);
            from = to;
        }
    }
    cells_[number].skip = static_cast<std::uint32_t>(cells_.size());
    return number;
}

template <std::size_t kDims>
void Tsne::turn() {
    const std::size_t n = graph_.rows();
    plant<kDims>();
    const bool early = iteration_ < kEarly;
    const auto exaggeration = static_cast<float>(early ? kExaggeration : 1);
    const std::size_t pieces = (n + kPieceRows - 1) / kPieceRows;
    std::vector<double> sums(pieces, 0);
    std::vector<float> repulsion(n * kDims);
    kernels::in_parallel(pieces, kForThreads, [&](std::size_t piece) {
        const std::size_t end = std::min((piece + 1) * kPieceRows, n);
        double all = 0;
        for (std::size_t at = piece * kPieceRows; at < end; ++at) {
            std::array<float, kDims> here, force{};
            for (std::size_t i = 0; i < kDims; ++i) here[i] = sorted_[at * kDims + i];
            float sum = 0;
            for (std::size_t number = 0; number < cells_.size();) {
                const Cell& cell = cells_[number];
                std::array<float, kDims> apart;
                float squared = 0;
                for (std::size_t i = 0; i < kDims; ++i) {
                    apart[i] = here[i] - cell.center[i];
                    squared += apart[i] * apart[i];
                }
                const bool leaf = cell.skip == number + 1;
                if (cell.width * cell.width < kOpening * kOpening * squared) {
                    const float near = 1 / (1 + squared), weight = static_cast<float>(cell.size) * near;
                    sum += weight;
                    for (std::size_t i = 0; i < kDims; ++i) force[i] += weight * near * apart[i];
                    number = cell.skip;
                } else if (leaf) {
                    for (std::size_t other = cell.first; other < cell.first + cell.size; ++other) {
                        if (other == at) continue;
                        float between = 0;
                        for (std::size_t i = 0; i < kDims; ++i) {
                            apart[i] = here[i] - sorted_[other * kDims + i];
                            between += apart[i] * apart[i];
                        }
                        const float near = 1 / (1 + between);
                        sum += near;
                        for (std::size_t i = 0; i < kDims; ++i) force[i] += near * near * apart[i];
                    }
                    number = cell.skip;
                } else {
                    ++number;
                }
            }
            all += sum;
            for (std::size_t i = 0; i < kDims; ++i) repulsion[std::size_t{order_[at]} * kDims + i] = force[i];
        }
        sums[piece] = all;
    });
    const double total = std::max(std::accumulate(sums.begin(), sums.end(), 0.0), 1e-12);
    const auto share = static_cast<float>(1 / total);
    const float momentum = early ? 0.5F : 0.8F;
    const auto rate = static_cast<float>(rate_);
    std::vector<float> moved(n * kDims);
    kernels::in_parallel(pieces, kForThreads, [&](std::size_t piece) {
        const std::size_t end = std::min((piece + 1) * kPieceRows, n);
        for (std::size_t row = piece * kPieceRows; row < end; ++row) {
            std::array<float, kDims> force{};
            for (std::size_t edge = graph_.first[row]; edge < graph_.first[row + 1]; ++edge) {
                const float* other = now_.data() + std::size_t{graph_.ids[edge]} * kDims;
                std::array<float, kDims> apart;
                float squared = 0;
                for (std::size_t i = 0; i < kDims; ++i) {
                    apart[i] = now_[row * kDims + i] - other[i];
                    squared += apart[i] * apart[i];
                }
                const float weight = graph_.weights[edge] / (1 + squared);
                for (std::size_t i = 0; i < kDims; ++i) force[i] += weight * apart[i];
            }
            for (std::size_t i = 0; i < kDims; ++i) {
                const std::size_t at = row * kDims + i;
                const float gradient = 4 * (exaggeration * force[i] - repulsion[at] * share);
                const bool same = (gradient > 0) == (velocity_[at] > 0);
                gains_[at] = std::max(same ? gains_[at] * 0.8F : gains_[at] + 0.2F, 0.01F);
                velocity_[at] = momentum * velocity_[at] - rate * gains_[at] * gradient;
                // limit the coordinates: a learning rate that is far too large would make them infinite
                if (!(std::abs(velocity_[at]) < kFarthest)) velocity_[at] = 0;
                moved[at] = std::clamp(now_[at] + velocity_[at], -kFarthest, kFarthest);
            }
        }
    });
    // center the layout, because it would drift away otherwise
    std::array<double, kDims> middle{};
    for (std::size_t at = 0; at < moved.size(); ++at) middle[at % kDims] += moved[at];
    for (std::size_t at = 0; at < moved.size(); ++at)
        moved[at] -= static_cast<float>(middle[at % kDims] / static_cast<double>(n));
    now_ = std::move(moved);
    ++iteration_;
}

void Tsne::advance(double seconds, std::size_t most) {
    const auto began = std::chrono::steady_clock::now();
    while (iteration_ < most && graph_.rows()) {
        options_.dims == 2 ? turn<2>() : turn<3>();
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() >= seconds) break;
    }
}

void Tsne::perturb() {
    double squares = 0;
    for (const float value : now_) squares += static_cast<double>(value) * static_cast<double>(value);
    const auto deviation =
        static_cast<float>(std::sqrt(squares / static_cast<double>(std::max<std::size_t>(now_.size(), 1))));
    Random random(options_.seed, 0x5a4e, iteration_);
    for (float& value : now_) value += 0.1F * deviation * random.symmetric();
}

}  // namespace lightboard::projector
