#include "projector/vectors.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace lightboard::projector {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kUnit = 2 * kLanes;  // two registers at a time, so that additions do not wait for each other

// Eight floats; the compiler uses one register or two, depending on the CPU.
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));

[[gnu::always_inline]] inline float sum_of(const Lanes& a, const Lanes& b) {
    float parts[kLanes];
    const Lanes both = a + b;
    std::memcpy(parts, &both, sizeof parts);
    return ((parts[0] + parts[4]) + (parts[2] + parts[6])) + ((parts[1] + parts[5]) + (parts[3] + parts[7]));
}

struct Distance {
    [[gnu::always_inline]] static inline float of(const float* a, const float* b, std::size_t width) {
        Lanes first{}, second{};
        for (std::size_t i = 0; i < width; i += kUnit) {
            Lanes a0, a1, b0, b1;
            std::memcpy(&a0, a + i, sizeof a0);
            std::memcpy(&a1, a + i + kLanes, sizeof a1);
            std::memcpy(&b0, b + i, sizeof b0);
            std::memcpy(&b1, b + i + kLanes, sizeof b1);
            const Lanes d0 = a0 - b0, d1 = a1 - b1;
            first += d0 * d0;
            second += d1 * d1;
        }
        return sum_of(first, second);
    }
};

struct Product {
    [[gnu::always_inline]] static inline float of(const float* a, const float* b, std::size_t width) {
        Lanes first{}, second{};
        for (std::size_t i = 0; i < width; i += kUnit) {
            Lanes a0, a1, b0, b1;
            std::memcpy(&a0, a + i, sizeof a0);
            std::memcpy(&a1, a + i + kLanes, sizeof a1);
            std::memcpy(&b0, b + i, sizeof b0);
            std::memcpy(&b1, b + i + kLanes, sizeof b1);
            first += a0 * b0;
            second += a1 * b1;
        }
        return sum_of(first, second);
    }
};

// Compares four rows with kOthers others.
template <std::size_t kOthers>
[[gnu::always_inline]] inline void measure_tile(const float* first, const float* others, std::size_t width,
                                                std::size_t count, float* found) {
    Lanes sums[kAbreast][kOthers] = {};
    for (std::size_t i = 0; i < width; i += kLanes) {
        Lanes theirs[kOthers];
#pragma GCC unroll 2
        for (std::size_t b = 0; b < kOthers; ++b) std::memcpy(&theirs[b], others + b * width + i, sizeof(Lanes));
#pragma GCC unroll 4
        for (std::size_t a = 0; a < kAbreast; ++a) {
            Lanes mine;
            std::memcpy(&mine, first + a * width + i, sizeof mine);
#pragma GCC unroll 2
            for (std::size_t b = 0; b < kOthers; ++b) {
                const Lanes apart = mine - theirs[b];
                sums[a][b] += apart * apart;
            }
        }
    }
    for (std::size_t a = 0; a < kAbreast; ++a)
        for (std::size_t b = 0; b < kOthers; ++b) found[a * count + b] = sum_of(sums[a][b], Lanes{});
}

[[gnu::always_inline]] inline void measure_block(const float* first, const float* others, std::size_t count,
                                                 std::size_t width, float* found) {
    std::size_t at = 0;
    for (; at + 2 <= count; at += 2) measure_tile<2>(first, others + at * width, width, count, found + at);
    if (at < count) measure_tile<1>(first, others + at * width, width, count, found + at);
}

template <class Measure>
[[gnu::always_inline]] inline void measure_all(const Rows& rows, const float* point, std::span<const std::uint32_t> ids,
                                               float* found) {
    constexpr std::size_t kAhead = 4;
    const std::size_t width = rows.width();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i + kAhead < ids.size()) {  // rows are scattered in memory: prefetch
            const float* next = rows.row(ids[i + kAhead]);
            for (std::size_t at = 0; at < width; at += 16) __builtin_prefetch(next + at);
        }
        found[i] = Measure::of(point, rows.row(ids[i]), width);
    }
}

using Function = void (*)(const Rows&, const float*, std::span<const std::uint32_t>, float*);

void plain_distances(const Rows& rows, const float* point, std::span<const std::uint32_t> ids, float* found) {
    measure_all<Distance>(rows, point, ids, found);
}
void plain_products(const Rows& rows, const float* point, std::span<const std::uint32_t> ids, float* found) {
    measure_all<Product>(rows, point, ids, found);
}

void plain_block(const float* first, const float* others, std::size_t count, std::size_t width, float* found) {
    measure_block(first, others, count, width, found);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void wide_distances(const Rows& rows, const float* point,
                                                        std::span<const std::uint32_t> ids, float* found) {
    measure_all<Distance>(rows, point, ids, found);
}
__attribute__((target("avx2,fma"))) void wide_products(const Rows& rows, const float* point,
                                                       std::span<const std::uint32_t> ids, float* found) {
    measure_all<Product>(rows, point, ids, found);
}
__attribute__((target("avx2,fma"))) void wide_block(const float* first, const float* others, std::size_t count,
                                                    std::size_t width, float* found) {
    measure_block(first, others, count, width, found);
}
bool is_wide() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
constexpr Function wide_distances = plain_distances;
constexpr Function wide_products = plain_products;
constexpr auto wide_block = plain_block;
bool is_wide() { return false; }
#endif

}  // namespace

Rows::Rows(std::span<const float> values, std::size_t rows, std::size_t dims)
    : rows_(rows), width_((dims + kUnit - 1) / kUnit * kUnit), values_(rows * width_) {
    if (values.size() != rows * dims) throw std::invalid_argument("rows times dims is not the number of values");
    for (std::size_t at = 0; at < rows; ++at)
        std::copy_n(values.data() + at * dims, dims, values_.data() + at * width_);
}

Rows Rows::arranged(std::span<const std::uint32_t> order) const {
    Rows made;
    made.rows_ = rows_;
    made.width_ = width_;
    made.values_.reserve(values_.size());
    for (const std::uint32_t from : order) made.values_.insert(made.values_.end(), row(from), row(from) + width_);
    return made;
}

void squared_distances(const float* first, const float* others, std::size_t count, std::size_t width, float* found) {
    static const auto best = is_wide() ? wide_block : plain_block;
    best(first, others, count, width, found);
}

void squared_distances(const Rows& rows, const float* point, std::span<const std::uint32_t> ids, float* found) {
    static const Function best = is_wide() ? wide_distances : plain_distances;
    best(rows, point, ids, found);
}

void products(const Rows& rows, const float* direction, std::span<const std::uint32_t> ids, float* found) {
    static const Function best = is_wide() ? wide_products : plain_products;
    best(rows, direction, ids, found);
}

}  // namespace lightboard::projector
