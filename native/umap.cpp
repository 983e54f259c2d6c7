#include "umap.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "parallel.h"
#include "random.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kPieceRows = 1024;
constexpr std::size_t kForThreads = std::size_t{1} << 40;
constexpr std::size_t kStrangers = 5;  // rows met by chance for each use of an edge
constexpr float kFarthest = 4;         // of one movement along an axis
// Squared distances from 2^-24 to 2^24, 128 cells to a doubling: strengths are right to half a percent.
constexpr int kFraction = 7;
constexpr std::uint32_t kLeastBits = std::uint32_t{127 - 24} << kFraction;
constexpr std::uint32_t kCells = 48U << kFraction;

float limited(float value) { return std::clamp(value, -kFarthest, kFarthest); }

}  // namespace

Umap::Umap(Graph graph, std::span<const float> initial, const UmapOptions& options)
    : graph_(std::move(graph)), options_(options), now_(initial.begin(), initial.end()), next_(now_) {
    if (options_.dims != 2 && options_.dims != 3) throw std::invalid_argument("two or three dimensions");
    if (initial.size() != graph_.rows() * options_.dims) throw std::invalid_argument("a place for every row");
    const float most = graph_.weights.empty() ? 1 : *std::max_element(graph_.weights.begin(), graph_.weights.end());
    every_.resize(graph_.weights.size());
    for (std::size_t i = 0; i < every_.size(); ++i) {
        // too weak to be used even once: never
        const float share = graph_.weights[i] / most;
        every_[i] = share * static_cast<float>(options_.epochs) < 1 ? INFINITY : 1 / share;
    }
    due_ = every_;
    forces_.resize(kCells);
    const double a = options_.a, b = options_.b;
    for (std::uint32_t cell = 0; cell < kCells; ++cell) {
        const std::uint32_t bits = ((cell + kLeastBits) << (23 - kFraction)) | (1U << (22 - kFraction));
        const double squared = std::bit_cast<float>(bits), curve = a * std::pow(squared, b);
        forces_[cell].pull = static_cast<float>(-2 * a * b * std::pow(squared, b - 1) / (1 + curve));
        forces_[cell].push = static_cast<float>(2 * b / ((0.001 + squared) * (1 + curve)));
    }
}

inline Umap::Forces Umap::at(float squared) const {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(squared) >> (23 - kFraction);
    return forces_[std::min(std::max(bits, kLeastBits) - kLeastBits, kCells - 1)];
}

template <std::size_t kDims>
void Umap::move(std::size_t row, float rate) {
    const float* all = now_.data();
    std::array<float, kDims> here;
    for (std::size_t i = 0; i < kDims; ++i) here[i] = all[row * kDims + i];
    const auto rows = static_cast<std::uint32_t>(graph_.rows());
    Random random(options_.seed, row, epoch_ + 1);
    const auto epoch = static_cast<float>(epoch_ + 1);
    const auto step = [&](const float* other, auto strength) {
        std::array<float, kDims> apart;
        float squared = 0;
        for (std::size_t i = 0; i < kDims; ++i) {
            apart[i] = here[i] - other[i];
            squared += apart[i] * apart[i];
        }
        const float force = strength(squared);
        for (std::size_t i = 0; i < kDims; ++i) here[i] += rate * limited(force * apart[i]);
    };
    for (std::size_t edge = graph_.first[row]; edge < graph_.first[row + 1]; ++edge) {
        if (due_[edge] > epoch) continue;
        due_[edge] += every_[edge];
        const float* other = all + std::size_t{graph_.ids[edge]} * kDims;
        // an edge stands in the graph twice and moves both its ends each time
        for (int end = 0; end < 2; ++end)
            step(other, [&](float squared) { return squared > 0 ? at(squared).pull : 0.0F; });
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < kStrangers; ++i) {
            bits = i % 2 ? bits << 32 : random.next();  // one draw is enough for two
            const auto stranger = static_cast<std::uint32_t>(((bits >> 32) * rows) >> 32);
            if (stranger == row) continue;
            step(all + std::size_t{stranger} * kDims,
                 [&](float squared) { return squared > 0 ? at(squared).push : kFarthest; });
        }
    }
    for (std::size_t i = 0; i < kDims; ++i) next_[row * kDims + i] = here[i];
}

template <std::size_t kDims>
void Umap::turn() {
    const std::size_t rows = graph_.rows();
    const float rate = 1 - static_cast<float>(epoch_) / static_cast<float>(options_.epochs);
    kernels::in_parallel((rows + kPieceRows - 1) / kPieceRows, kForThreads, [&](std::size_t piece) {
        const std::size_t end = std::min((piece + 1) * kPieceRows, rows);
        for (std::size_t row = piece * kPieceRows; row < end; ++row) move<kDims>(row, rate);
    });
    now_.swap(next_);
    ++epoch_;
}

bool Umap::advance(double seconds) {
    const auto began = std::chrono::steady_clock::now();
    while (epoch_ < options_.epochs) {
        options_.dims == 2 ? turn<2>() : turn<3>();
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() >= seconds) break;
    }
    return epoch_ < options_.epochs;
}

void Umap::perturb() {
    Random random(options_.seed, 0x5eed, epoch_);
    for (float& value : now_) value += random.symmetric();
}

}  // namespace lightboard::projector
