#include "umap.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
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

constexpr std::size_t kLanes = 8;  // strangers looked at side by side

// What one epoch works with.
struct Epoch {
    const float* now;
    float* next;
    const std::size_t* first;
    const std::uint32_t* ids;
    const float* every;
    float* due;
    const float* pull;
    const float* push;
    std::uint32_t rows;
    std::uint32_t seed;
    float number;
    float rate;
};

#define LB_INLINE [[gnu::always_inline]] inline

LB_INLINE float limited(float value) {
    value = value > kFarthest ? kFarthest : value;
    return value < -kFarthest ? -kFarthest : value;
}

LB_INLINE std::uint32_t cell_of(float squared) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(squared) >> (23 - kFraction);
    const std::uint32_t cell = bits > kLeastBits ? bits - kLeastBits : 0;
    return cell < kCells ? cell : kCells - 1;
}

// Thirty-two bits that look random; https://github.com/skeeto/hash-prospector
LB_INLINE std::uint32_t hashed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

template <std::size_t kDims>
LB_INLINE void attract(const Epoch& epoch, std::uint32_t other, float* here) {
    float apart[kDims], squared = 0;
    for (std::size_t i = 0; i < kDims; ++i) {
        apart[i] = here[i] - epoch.now[std::size_t{other} * kDims + i];
        squared += apart[i] * apart[i];
    }
    const float force = squared > 0 ? epoch.pull[cell_of(squared)] : 0;
    for (std::size_t i = 0; i < kDims; ++i) here[i] += epoch.rate * limited(force * apart[i]);
}

// Eight numbers in one register, or two.
typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef std::uint32_t Words __attribute__((vector_size(4 * kLanes)));
constexpr Words kNumbers = {0, 1, 2, 3, 4, 5, 6, 7};

// The first `count` of eight rows met by chance push.
template <std::size_t kDims>
LB_INLINE void repel(const Epoch& epoch, std::uint32_t row, std::uint32_t chance, std::uint32_t count, float* here) {
    Words drawn = kNumbers + chance;
    drawn ^= drawn >> 16;
    drawn *= 0x7feb352dU;
    drawn ^= drawn >> 15;
    drawn *= 0x846ca68bU;
    drawn ^= drawn >> 16;
    std::uint32_t ids[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        ids[lane] = static_cast<std::uint32_t>((std::uint64_t{drawn[lane]} * epoch.rows) >> 32);
    Floats apart[kDims], squared = {};
    for (std::size_t i = 0; i < kDims; ++i) {
        float others[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) others[lane] = epoch.now[std::size_t{ids[lane]} * kDims + i];
        std::memcpy(&apart[i], others, sizeof others);
        apart[i] = here[i] - apart[i];
        squared += apart[i] * apart[i];
    }
    Words cells;
    std::memcpy(&cells, &squared, sizeof cells);
    cells = cells >> (23 - kFraction);
    cells = cells > kLeastBits ? cells - kLeastBits : Words{};
    cells = cells < kCells ? cells : Words{} + (kCells - 1);
    float pushes[kLanes];
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        pushes[lane] = lane < count && ids[lane] != row ? epoch.push[cells[lane]] : 0;
    Floats force;
    std::memcpy(&force, pushes, sizeof force);
    for (std::size_t i = 0; i < kDims; ++i) {
        Floats moved = force * apart[i];
        moved = moved > kFarthest ? Floats{} + kFarthest : moved;
        moved = moved < -kFarthest ? Floats{} - kFarthest : moved;
        const float sum =
            ((moved[0] + moved[4]) + (moved[2] + moved[6])) + ((moved[1] + moved[5]) + (moved[3] + moved[7]));
        here[i] += epoch.rate * sum;
    }
}

template <std::size_t kDims>
LB_INLINE void move_rows(const Epoch& epoch, std::size_t from, std::size_t to) {
    for (std::size_t row = from; row < to; ++row) {
        float here[kDims];
        for (std::size_t i = 0; i < kDims; ++i) here[i] = epoch.now[row * kDims + i];
        const auto self = static_cast<std::uint32_t>(row);
        std::uint32_t chance = hashed(self ^ epoch.seed), strangers = 0;
        for (std::size_t edge = epoch.first[row]; edge < epoch.first[row + 1]; ++edge) {
            if (epoch.due[edge] > epoch.number) continue;
            epoch.due[edge] += epoch.every[edge];
            // an edge stands in the graph twice and moves both its ends each time
            attract<kDims>(epoch, epoch.ids[edge], here);
            attract<kDims>(epoch, epoch.ids[edge], here);
            for (strangers += kStrangers; strangers >= kLanes; strangers -= kLanes, chance += kLanes)
                repel<kDims>(epoch, self, chance, kLanes, here);
        }
        if (strangers) repel<kDims>(epoch, self, chance, strangers, here);
        for (std::size_t i = 0; i < kDims; ++i) epoch.next[row * kDims + i] = here[i];
    }
}

using Move = void (*)(const Epoch&, std::size_t, std::size_t);

void plain_in_two(const Epoch& epoch, std::size_t from, std::size_t to) { move_rows<2>(epoch, from, to); }
void plain_in_three(const Epoch& epoch, std::size_t from, std::size_t to) { move_rows<3>(epoch, from, to); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) void wide_in_two(const Epoch& epoch, std::size_t from, std::size_t to) {
    move_rows<2>(epoch, from, to);
}
__attribute__((target("avx2"))) void wide_in_three(const Epoch& epoch, std::size_t from, std::size_t to) {
    move_rows<3>(epoch, from, to);
}
Move best_move(std::size_t dims) {
    static const bool wide = __builtin_cpu_supports("avx2");
    if (wide) return dims == 2 ? wide_in_two : wide_in_three;
    return dims == 2 ? plain_in_two : plain_in_three;
}
#else
Move best_move(std::size_t dims) { return dims == 2 ? plain_in_two : plain_in_three; }
#endif

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
    pull_.resize(kCells);
    push_.resize(kCells);
    const double a = options_.a, b = options_.b;
    for (std::uint32_t cell = 0; cell < kCells; ++cell) {
        const std::uint32_t bits = ((cell + kLeastBits) << (23 - kFraction)) | (1U << (22 - kFraction));
        const double squared = std::bit_cast<float>(bits), curve = a * std::pow(squared, b);
        pull_[cell] = static_cast<float>(-2 * a * b * std::pow(squared, b - 1) / (1 + curve));
        push_[cell] = static_cast<float>(2 * b / ((0.001 + squared) * (1 + curve)));
    }
}

void Umap::turn() {
    const std::size_t rows = graph_.rows();
    const Epoch epoch{now_.data(),
                      next_.data(),
                      graph_.first.data(),
                      graph_.ids.data(),
                      every_.data(),
                      due_.data(),
                      pull_.data(),
                      push_.data(),
                      static_cast<std::uint32_t>(rows),
                      static_cast<std::uint32_t>(mixed(options_.seed ^ mixed(epoch_))),
                      static_cast<float>(epoch_ + 1),
                      1 - static_cast<float>(epoch_) / static_cast<float>(options_.epochs)};
    const Move move = best_move(options_.dims);
    kernels::in_parallel((rows + kPieceRows - 1) / kPieceRows, kForThreads, [&](std::size_t piece) {
        move(epoch, piece * kPieceRows, std::min((piece + 1) * kPieceRows, rows));
    });
    now_.swap(next_);
    ++epoch_;
}

bool Umap::advance(double seconds) {
    const auto began = std::chrono::steady_clock::now();
    while (epoch_ < options_.epochs) {
        turn();
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() >= seconds) break;
    }
    return epoch_ < options_.epochs;
}

void Umap::perturb() {
    Random random(options_.seed, 0x5eed, epoch_);
    for (float& value : now_) value += random.symmetric();
}

}  // namespace lightboard::projector
