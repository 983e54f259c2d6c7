#include "projector/umap.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "base/parallel.h"
#include "projector/random.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kLanes = 8;  // rows that move at once
constexpr std::size_t kWays = 4;   // groups of kLanes in flight, so that the CPU has work while results are pending
constexpr std::size_t kSide = kLanes * kWays;
constexpr std::size_t kEdgesAtOnce = 16;
constexpr std::size_t kPieceRows = 2048;
constexpr std::size_t kWindowRows = 256;  // rows are sorted into groups of similar degree within windows of this size
constexpr std::size_t kForThreads = std::size_t{1} << 40;
constexpr std::size_t kSamples = 5;  // random rows that repel for each used edge
constexpr std::size_t kPool = 1024;  // random rows that a piece draws its samples from in one epoch
constexpr float kFarthest = 4;       // largest repulsion along an axis; attraction is always smaller
constexpr float kFarOut = 1e9F;
constexpr float kLeastSquared = 0x1p-24F;
constexpr std::uint32_t kGolden = 40503;  // golden ratio * 65536: multiples of it, modulo 65536, spread evenly

#define LB_INLINE [[gnu::always_inline]] inline

// Eight numbers in one register or two.
typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef std::int32_t Words __attribute__((vector_size(4 * kLanes)));
typedef double Pairs __attribute__((vector_size(4 * kLanes)));
constexpr Words kNumbers = {0, 1, 2, 3, 4, 5, 6, 7};

// Inputs and output of one epoch.
struct Epoch {
    const float* now;
    float* next;
    const std::size_t* first;
    const std::uint32_t* ids;
    const std::uint16_t* sums;
    std::uint32_t rows;
    std::uint32_t seed;
    std::uint16_t shift;
    float rate, a, b;
};

// Memory that a thread reuses for the next piece.
struct Room {
    std::vector<std::uint32_t> due;  // neighbors whose edges are used in this epoch, lane by lane
    // The pool of random rows; its first entries are repeated at the end, so that reading may start at any index.
    float places[3][kPool + kSamples * kLanes];
    std::int32_t ids[kPool + kSamples * kLanes];
};

// Returns 32 pseudo-random bits; https://github.com/skeeto/hash-prospector
LB_INLINE std::uint32_t hashed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

// Replaces each value by value^b, with a relative error of about 1e-4; values must be positive.
//
// value^b = exp2(b * log2(value)), with short polynomials instead of log2 and exp2. A float is stored as mantissa *
// 2^exponent, so log2 is the exponent (read from the bits) plus a polynomial in the mantissa; exp2 is a polynomial of
// the fraction, with the integer part added to the exponent bits of the result.
LB_INLINE void raise(Floats& value, float b) {
    Words bits = __builtin_bit_cast(Words, value);
    // 0x3f3504f3 are the bits of √½: subtracting them rounds so that the mantissa is between √½ and √2, where the
    // polynomial is most accurate.
    const Words exponent = (bits - 0x3f3504f3) >> 23;
    bits -= exponent << 23;
    Floats x = __builtin_bit_cast(Floats, bits) - 1.0F;
    Floats log = 0.26116726F * x - 0.39246115F;
    log = log * x + 0.48464862F;
    log = log * x - 0.72046244F;
    log = log * x + 1.4426558F;
    log = (log * x + __builtin_convertvector(exponent, Floats)) * b;
    // Adding 1.5 * 2^23 leaves no bits for a fraction: the sum is rounded to an integer, which is in its low bits; x is
    // the fraction, between -½ and ½.
    const Floats sum = log + 0x1.8p23F;
    x = log - (sum - 0x1.8p23F);
    value = 0.05600581F * x + 0.24263999F;
    value = value * x + 0.69310534F;
    value = value * x + 0.99992448F;
    value = __builtin_bit_cast(Floats, __builtin_bit_cast(Words, value) + (__builtin_bit_cast(Words, sum) << 23));
}

// Sets the lanes to 0 where the mask is 0. All bits of the mask are 1 in the other lanes.
LB_INLINE void keep(Floats& value, const Words& where) {
    value = __builtin_bit_cast(Floats, __builtin_bit_cast(Words, value) & where);
}

// Loads the coordinates of eight rows, one vector per axis.
template <std::size_t kDims>
LB_INLINE void look_up(const float* places, const std::uint32_t* ids, Floats* found) {
    if constexpr (kDims == 2) {
        // x and y of a row are 8 adjacent bytes: load each pair as one double, then separate x from y.
        double each[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            std::memcpy(&each[lane], places + std::size_t{ids[lane]} * 2, sizeof(double));
        const Pairs one = {each[0], each[1], each[4], each[5]}, two = {each[2], each[3], each[6], each[7]};
        const Floats first = __builtin_bit_cast(Floats, one), second = __builtin_bit_cast(Floats, two);
        found[0] = __builtin_shufflevector(first, second, 0, 2, 8, 10, 4, 6, 12, 14);
        found[1] = __builtin_shufflevector(first, second, 1, 3, 9, 11, 5, 7, 13, 15);
    } else {
        for (std::size_t i = 0; i < kDims; ++i) {
            float each[kLanes];
            for (std::size_t lane = 0; lane < kLanes; ++lane) each[lane] = places[std::size_t{ids[lane]} * kDims + i];
            std::memcpy(&found[i], each, sizeof each);
        }
    }
}

template <std::size_t kDims>
LB_INLINE void attract(const Epoch& epoch, const Floats* other, const Words& active, Floats* here) {
    Floats apart[kDims], squared = Floats{} + kLeastSquared;
    for (std::size_t i = 0; i < kDims; ++i) {
        apart[i] = here[i] - other[i];
        squared += apart[i] * apart[i];
    }
    Floats curve = squared;
    raise(curve, epoch.b);
    Floats force = (2 * epoch.a * epoch.b) * curve / (squared * (1 + epoch.a * curve));
    keep(force, active);
    force *= epoch.rate;
    for (std::size_t i = 0; i < kDims; ++i) here[i] -= force * apart[i];
}

// Adds to `sum` the repulsion of eight random rows ("negative samples"), one for each lane.
template <std::size_t kDims>
LB_INLINE void repel(const Epoch& epoch, const Room& room, std::uint32_t at, const Words& seats, const Words& active,
                     const Floats* here, Floats* sum) {
    Floats apart[kDims], squared = Floats{} + kLeastSquared;
    for (std::size_t i = 0; i < kDims; ++i) {
        std::memcpy(&apart[i], room.places[i] + at, sizeof apart[i]);
        apart[i] = here[i] - apart[i];
        squared += apart[i] * apart[i];
    }
    Words ids;
    std::memcpy(&ids, room.ids + at, sizeof ids);
    Floats curve = squared;
    raise(curve, epoch.b);
    Floats force = (2 * epoch.b) / ((0.001F + squared) * (1 + epoch.a * curve));
    keep(force, (ids != seats) & active);
    for (std::size_t i = 0; i < kDims; ++i) {
        Floats moved = force * apart[i];
        moved = moved > kFarthest ? Floats{} + kFarthest : moved;
        moved = moved < -kFarthest ? Floats{} - kFarthest : moved;
        sum[i] += moved;
    }
}

// Returns which of up to sixteen edges are used in this epoch, one bit each.
//
// An edge with weight w must be used in a share w of all epochs. `sums` are the running sums of a row's weights as
// 16-bit fractions that wrap around at 1, and `shift` moves all of them by a random amount. Edge i is used if adding
// its weight passes an integer, that is, if the fraction after it is less than the one before: this happens with
// probability w, and a row's number of used edges varies by less than one. The vector code does the same as the loop.
LB_INLINE std::uint32_t used_of(const std::uint16_t* sums, std::uint16_t shift, std::size_t count) {
    const std::uint32_t all = (1U << count) - 1;
#if defined(__x86_64__)
    const __m128i by = _mm_set1_epi16(static_cast<short>(shift)), zero = _mm_setzero_si128();
    __m128i rest[2];
    for (std::size_t half = 0; half < 2; ++half) {
        const std::uint16_t* from = sums + half * 8;
        const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        const __m128i after = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 1));
        rest[half] = _mm_cmpeq_epi16(_mm_subs_epu16(_mm_add_epi16(before, by), _mm_add_epi16(after, by)), zero);
    }
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(rest[0], rest[1]))) & all;
#else
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < kEdgesAtOnce; ++i) {
        const auto before = static_cast<std::uint16_t>(sums[i] + shift),
                   after = static_cast<std::uint16_t>(sums[i + 1] + shift);
        used |= std::uint32_t{after < before} << i;
    }
    return used & all;
#endif
}

// Collects the edges that are used in this epoch, for kSide rows: due[n * kSide + lane] is the n-th neighbor of the row
// in that lane, counts[lane] the number of its neighbors. Returns the largest count.
LB_INLINE std::size_t find_due(const Epoch& epoch, std::size_t seat, std::uint32_t* due, std::int32_t* counts) {
    std::size_t most = 0;
    for (std::size_t lane = 0; lane < kSide; ++lane) {
        std::uint32_t* at = due + lane;
        const std::size_t first = epoch.first[seat + lane], last = epoch.first[seat + lane + 1];
        const std::uint16_t shift =
            static_cast<std::uint16_t>(epoch.shift + hashed(static_cast<std::uint32_t>(seat + lane)));
        for (std::size_t edge = first; edge + 1 < last; edge += kEdgesAtOnce) {
            std::uint32_t used = used_of(epoch.sums + edge, shift, std::min(kEdgesAtOnce, last - 1 - edge));
            for (; used; used &= used - 1, at += kSide)
                *at = epoch.ids[edge + static_cast<std::size_t>(std::countr_zero(used))];
        }
        const std::size_t count = static_cast<std::size_t>(at - due) / kSide;
        counts[lane] = static_cast<std::int32_t>(count);
        most = std::max(most, count);
    }
    return most;
}

// Moves kSide rows. First the edges attract, one after another, each from the row's last position; then all random rows
// repel it together from that position. (Repelling after each edge kept fewer neighbors together.)
template <std::size_t kDims>
LB_INLINE void move_side(const Epoch& epoch, std::size_t seat, Room& room) {
    std::int32_t counts[kSide];
    const std::size_t steps = find_due(epoch, seat, room.due.data(), counts);
    Floats here[kWays][kDims];
    Words seats[kWays], left[kWays];
    for (std::size_t way = 0; way < kWays; ++way) {
        seats[way] = kNumbers + static_cast<std::int32_t>(seat + way * kLanes);
        std::uint32_t ids[kLanes];
        std::memcpy(ids, &seats[way], sizeof ids);
        look_up<kDims>(epoch.now, ids, here[way]);
        std::memcpy(&left[way], counts + way * kLanes, sizeof left[way]);
    }
    for (std::size_t step = 0; step < steps; ++step) {
#pragma GCC unroll 4
        for (std::size_t way = 0; way < kWays; ++way) {
            const Words active = left[way] > static_cast<std::int32_t>(step);
            Floats other[kDims];
            look_up<kDims>(epoch.now, room.due.data() + step * kSide + way * kLanes, other);
            // The graph has each edge in both directions, and each direction moves both ends: so each end moves twice.
            attract<kDims>(epoch, other, active, here[way]);
            attract<kDims>(epoch, other, active, here[way]);
        }
    }
    std::uint32_t chance = hashed(static_cast<std::uint32_t>(seat) ^ epoch.seed);
    for (std::size_t way = 0; way < kWays; ++way) {
        const std::int32_t most = *std::max_element(counts + way * kLanes, counts + (way + 1) * kLanes);
        Floats pushed[kDims] = {};
        for (std::int32_t step = 0; step < most; ++step) {
            const Words active = left[way] > step;
            chance = chance * 0x915f77f5U + 0x6d2b79f5U;
            const std::uint32_t at = (chance >> 16) % kPool;
#pragma GCC unroll 5
            for (std::uint32_t i = 0; i < kSamples; ++i)
                repel<kDims>(epoch, room, at + i * kLanes, seats[way], active, here[way], pushed);
        }
        for (std::size_t i = 0; i < kDims; ++i) {
            here[way][i] += epoch.rate * pushed[i];
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                epoch.next[(seat + way * kLanes + lane) * kDims + i] = here[way][i][lane];
        }
    }
}

// Fills the pool of random rows and their coordinates.
template <std::size_t kDims>
LB_INLINE void draw_samples(const Epoch& epoch, std::size_t from, Room& room) {
    const std::uint32_t seed = hashed(epoch.seed + static_cast<std::uint32_t>(from));
    for (std::uint32_t at = 0; at < kPool; ++at)
        room.ids[at] = static_cast<std::int32_t>((std::uint64_t{hashed(seed + at)} * epoch.rows) >> 32);
    for (std::size_t at = 0; at < kPool; ++at)
        for (std::size_t i = 0; i < kDims; ++i)
            room.places[i][at] = epoch.now[static_cast<std::size_t>(room.ids[at]) * kDims + i];
    std::copy_n(room.ids, kSamples * kLanes, room.ids + kPool);
    for (std::size_t i = 0; i < kDims; ++i) std::copy_n(room.places[i], kSamples * kLanes, room.places[i] + kPool);
}

template <std::size_t kDims>
LB_INLINE void move_rows(const Epoch& epoch, std::size_t from, std::size_t to, Room& room) {
    draw_samples<kDims>(epoch, from, room);
    for (std::size_t seat = from; seat < to; seat += kSide) move_side<kDims>(epoch, seat, room);
}

using Move = void (*)(const Epoch&, std::size_t, std::size_t, Room&);

void plain_in_two(const Epoch& epoch, std::size_t from, std::size_t to, Room& room) {
    move_rows<2>(epoch, from, to, room);
}
void plain_in_three(const Epoch& epoch, std::size_t from, std::size_t to, Room& room) {
    move_rows<3>(epoch, from, to, room);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void wide_in_two(const Epoch& epoch, std::size_t from, std::size_t to, Room& room) {
    move_rows<2>(epoch, from, to, room);
}
__attribute__((target("avx2,fma"))) void wide_in_three(const Epoch& epoch, std::size_t from, std::size_t to,
                                                       Room& room) {
    move_rows<3>(epoch, from, to, room);
}
Move best_move(std::size_t dims) {
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (wide) return dims == 2 ? wide_in_two : wide_in_three;
    return dims == 2 ? plain_in_two : plain_in_three;
}
#else
Move best_move(std::size_t dims) { return dims == 2 ? plain_in_two : plain_in_three; }
#endif

// Calls work(from, to) for windows of rows, on all cores. Windows are independent.
template <class Work>
void each_window(std::size_t rows, Work work) {
    kernels::in_parallel((rows + kWindowRows - 1) / kWindowRows, kForThreads, [&](std::size_t window) {
        work(window * kWindowRows, std::min((window + 1) * kWindowRows, rows));
    });
}

}  // namespace

Umap::Umap(const Graph& graph, std::span<const float> initial, const UmapOptions& options)
    : options_(options), rows_(graph.rows()) {
    const std::size_t dims = options_.dims;
    if (dims != 2 && dims != 3) throw std::invalid_argument("two or three dimensions");
    if (initial.size() != rows_ * dims) throw std::invalid_argument("a place for every row");
    // limited, because the powers of larger squares would overflow
    if (!std::all_of(initial.begin(), initial.end(), [](float value) { return std::abs(value) <= kFarOut; }))
        throw std::invalid_argument("places within a thousand million");
    if (!(options_.a > 0 && options_.a <= 100 && options_.b >= 0.5 && options_.b <= 2))
        throw std::invalid_argument("a from 0 to 100, b from 0.5 to 2");
    take_seats(graph);
    take_edges(graph);
    now_.resize((first_.size() - 1) * dims);
    for (std::size_t row = 0; row < rows_; ++row)
        std::copy_n(initial.data() + row * dims, dims, now_.data() + seats_[row] * dims);
    next_ = now_;
}

// Groups rows with similar numbers of used edges: all lanes wait for the one with the most.
void Umap::take_seats(const Graph& graph) {
    std::vector<std::uint32_t> rows(rows_);
    std::iota(rows.begin(), rows.end(), 0U);
    std::vector<float> busy(rows_);
    each_window(rows_, [&](std::size_t from, std::size_t to) {
        for (std::size_t at = from; at < to; ++at) {
            const std::uint32_t row = rows[at];
            busy[row] = std::accumulate(graph.weights.data() + graph.first[row],
                                        graph.weights.data() + graph.first[row + 1], 0.0F);
        }
        std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(from),
                         rows.begin() + static_cast<std::ptrdiff_t>(to),
                         [&](std::uint32_t a, std::uint32_t b) { return busy[a] > busy[b]; });
    });
    seats_.resize(rows_);
    for (std::size_t seat = 0; seat < rows_; ++seat) seats_[rows[seat]] = static_cast<std::uint32_t>(seat);
}

void Umap::take_edges(const Graph& graph) {
    const float most = graph.weights.empty() ? 1 : *std::max_element(graph.weights.begin(), graph.weights.end());
    // edges too weak to be used even once are dropped
    const auto is_used = [&](float weight) { return weight / most * static_cast<float>(options_.epochs) >= 1; };
    first_.assign((rows_ + kSide - 1) / kSide * kSide + 1, 1);  // one more sum than edges
    first_[0] = 0;
    each_window(rows_, [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row)
            for (std::size_t edge = graph.first[row]; edge < graph.first[row + 1]; ++edge)
                first_[seats_[row] + 1] += is_used(graph.weights[edge]);
    });
    most_edges_ = *std::max_element(first_.begin(), first_.end());
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    ids_.resize(first_.back());
    sums_.assign(first_.back() + kEdgesAtOnce, 0);
    each_window(rows_, [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row) {
            std::size_t at = first_[seats_[row]];
            for (std::size_t edge = graph.first[row]; edge < graph.first[row + 1]; ++edge) {
                if (!is_used(graph.weights[edge])) continue;
                ids_[at] = seats_[graph.ids[edge]];
                const float share = std::clamp(graph.weights[edge] / most * 65536, 1.0F, 65535.0F);
                sums_[at + 1] = static_cast<std::uint16_t>(sums_[at] + static_cast<std::uint32_t>(share));
                ++at;
            }
        }
    });
}

void Umap::turn() {
    const Epoch epoch{now_.data(),
                      next_.data(),
                      first_.data(),
                      ids_.data(),
                      sums_.data(),
                      static_cast<std::uint32_t>(rows_),
                      static_cast<std::uint32_t>(mixed(options_.seed ^ mixed(epoch_))),
                      static_cast<std::uint16_t>((epoch_ + 1) * kGolden),
                      1 - static_cast<float>(epoch_) / static_cast<float>(options_.epochs),
                      static_cast<float>(options_.a),
                      static_cast<float>(options_.b)};
    const Move move = best_move(options_.dims);
    const std::size_t seats = first_.size() - 1;
    kernels::in_parallel_with<Room>(
        (seats + kPieceRows - 1) / kPieceRows, kForThreads, [&](std::size_t piece, Room& room) {
            room.due.resize((most_edges_ + 1) * kSide);
            move(epoch, piece * kPieceRows, std::min((piece + 1) * kPieceRows, seats), room);
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

std::vector<float> Umap::coordinates() const {
    std::vector<float> found(rows_ * options_.dims);
    for (std::size_t row = 0; row < rows_; ++row)
        std::copy_n(now_.data() + seats_[row] * options_.dims, options_.dims, found.data() + row * options_.dims);
    return found;
}

void Umap::perturb() {
    Random random(options_.seed, 0x5eed, epoch_);
    for (float& value : now_) value += random.symmetric();
}

}  // namespace lightboard::projector
