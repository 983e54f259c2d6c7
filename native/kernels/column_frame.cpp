#include "kernels/column_frame.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "kernels/axis.h"
#include "kernels/spare.h"

namespace lightboard::kernels {

namespace {

constexpr unsigned kShifts = 4;               // predictors tried: the mean of about the last 1, 2, 4 or 8 codes
constexpr std::int32_t kCodeLimit = 1 << 21;  // the zigzagged difference of two codes fits three bytes

// Returns the natural logarithm of a finite x >= 1, accurate to 1e-9, which is enough for a code. It has no calls or
// branches, so the compiler can vectorize it.
[[gnu::always_inline]] inline double log_from_one(double x) {
    constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1, kOne = std::uint64_t{1023} << 52;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    // the mantissa in [1, 2), divided by the square root of two: the series below converges for numbers around 1
    const double mantissa = std::bit_cast<double>((bits & kMantissa) | kOne) * (1 / std::numbers::sqrt2);
    // setting the exponent bits in the mantissa of 2^52 gives the double 2^52 + exponent
    constexpr double kShift = 4503599627370496.0;
    const double exponent = std::bit_cast<double>((bits >> 52) | std::bit_cast<std::uint64_t>(kShift)) - kShift;
    const double z = (mantissa - 1) / (mantissa + 1), zz = z * z;
    const double series = 2 + zz * (2.0 / 3 + zz * (2.0 / 5 + zz * (2.0 / 7 + zz * (2.0 / 9 + zz * (2.0 / 11)))));
    return z * series + (exponent - 1022.5) * std::numbers::ln2;
}

[[gnu::always_inline]] inline std::int32_t code_of(double v, const FrameScale& s) {
    const double u = std::abs(v - s.centre) / s.scale;
    // asinh(u) = log(u + sqrt(u² + 1)); a code needs only absolute precision. For large u, where u² could overflow, it
    // is log(2u), computed as log(u) + log(2) so that 2u does not overflow.
    const bool near = u < 1e8;
    const double sum = near ? u + std::sqrt(u * u + 1) : u;
    const double arc = log_from_one(sum) + (near ? 0 : std::numbers::ln2);
    const double code = std::min(arc * s.resolution, static_cast<double>(kCodeLimit));
    return static_cast<std::int32_t>(v < s.centre ? -code - 0.5 : code + 0.5);  // rounds: the cast truncates
}

void put_codes_plain(std::span<const double> values, const FrameScale& scale, std::int32_t* codes) {
    for (std::size_t i = 0; i < values.size(); ++i) codes[i] = code_of(values[i], scale);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void put_codes_wide(std::span<const double> values, const FrameScale& scale,
                                                    std::int32_t* codes) {
    for (std::size_t i = 0; i < values.size(); ++i) codes[i] = code_of(values[i], scale);
}
void put_codes(std::span<const double> values, const FrameScale& scale, std::int32_t* codes) {
    (__builtin_cpu_supports("avx2") ? put_codes_wide : put_codes_plain)(values, scale, codes);
}
#else
constexpr auto put_codes = put_codes_plain;
#endif

std::uint32_t zigzag(std::int32_t v) {
    return (static_cast<std::uint32_t>(v) << 1) ^ static_cast<std::uint32_t>(v >> 31);
}

// Emits the differences to a running mean of the series' own codes, in fixed point so that every decoder computes the
// same integers. The mean of a series starts at the first code of the previous series.
template <class Emit>
void residuals(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends, unsigned shift,
               Emit emit) {
    const std::int64_t half = shift ? std::int64_t{1} << (shift - 1) : 0;
    std::size_t i = 0;
    std::int32_t start = 0;
    for (const std::size_t end : series_ends) {
        if (i == end) continue;
        std::int64_t state = static_cast<std::int64_t>(start) * (std::int64_t{1} << shift);
        start = codes[i];
        emit(start - static_cast<std::int32_t>((state + half) >> shift));
        state = static_cast<std::int64_t>(start) * (std::int64_t{1} << shift);
        for (++i; i < end; ++i) {
            const auto residual = static_cast<std::int32_t>(codes[i] - ((state + half) >> shift));
            state += residual;
            emit(residual);
        }
    }
}

unsigned best_shift(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends) {
    // Sixteen series are a large enough sample.
    const auto judged = series_ends.first(std::min<std::size_t>(series_ends.size(), 16));
    unsigned best = 0;
    std::uint64_t best_bits = std::numeric_limits<std::uint64_t>::max();
    for (unsigned shift = 0; shift < kShifts; ++shift) {
        std::uint64_t bits = 0;
        // The bits of a float, read as an integer, approximate its logarithm to within a tenth.
        residuals(codes, judged, shift,
                  [&](std::int32_t r) { bits += std::bit_cast<std::uint32_t>(1 + std::abs(static_cast<float>(r))); });
        if (bits < best_bits) best = shift, best_bits = bits;
    }
    return best;
}

template <class T>
void put(std::vector<std::uint8_t>& out, T value) {
    static_assert(std::endian::native == std::endian::little, "the frame is little-endian");
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void put_bits(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> flags, std::uint8_t flag) {
    const std::size_t start = out.size();
    out.resize(start + (flags.size() + 7) / 8);
    for (std::size_t i = 0; i < flags.size(); ++i)
        out[start + i / 8] |= static_cast<std::uint8_t>(((flags[i] & flag) != 0) << (i % 8));
}

// Writes one byte plane per byte of the residuals, lowest first: the upper planes are nearly constant and compress
// well.
void put_planes(std::vector<std::uint8_t>& out, std::span<const std::uint32_t> residuals, unsigned planes) {
    for (unsigned plane = 0; plane < planes; ++plane) {
        const std::size_t start = out.size();
        out.resize(start + residuals.size());
        for (std::size_t i = 0; i < residuals.size(); ++i)
            out[start + i] = static_cast<std::uint8_t>(residuals[i] >> (8 * plane));
    }
}

struct Packed {
    Packed(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends)
        : residuals(codes.size()), shift(best_shift(codes, series_ends)) {
        std::uint32_t* next = residuals->data();
        kernels::residuals(codes, series_ends, shift, [&](std::int32_t r) {
            *next = zigzag(r);
            all |= *next++;
        });
    }

    Spare<std::uint32_t> residuals;
    unsigned shift = 0;
    std::uint32_t all = 0;  // bitwise OR of all residuals
};

unsigned end_level(double v, double low, double high, unsigned levels) {
    if (!(low < high)) return 0;
    const double span = high - low;
    const double part = finite(span) ? (v - low) / span : (v / 2 - low / 2) / (high / 2 - low / 2);
    return static_cast<unsigned>(std::clamp(part, 0.0, 1.0) * (levels - 1) + 0.5);
}

}  // namespace

std::uint8_t end_levels(double first, double last, double low, double high, unsigned levels) {
    return static_cast<std::uint8_t>(end_level(first, low, high, levels) * levels + end_level(last, low, high, levels));
}

std::vector<std::uint8_t> encode_columns(const ColumnTable& table, const FrameScale& scale) {
    const std::size_t cells = table.series * table.columns;
    std::vector<std::uint8_t> ends(cells), flags(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        flags[i] = static_cast<std::uint8_t>((table.count[i] ? kPresent : 0) | odd_flags(table.nonfinite[i]));
        if (table.count[i] && scale.end_levels)
            ends[i] = end_levels(table.first[i], table.last[i], table.min[i], table.max[i], scale.end_levels);
    }
    return encode_cells({table.series, table.columns, table.min, table.max, ends, flags}, scale);
}

std::vector<std::uint8_t> encode_cells(const CellTable& table, const FrameScale& scale) {
    const std::size_t cells = table.series * table.columns;
    Spare<std::int32_t> low(cells), high(cells);
    Spare<std::uint8_t> ends(scale.end_levels ? cells : 0);
    std::vector<double> lowest(table.columns), highest(table.columns);
    std::vector<std::size_t> series_ends;
    std::size_t size = 0;
    for (std::size_t s = 0; s < table.series; ++s) {
        std::size_t found = 0;
        for (std::size_t i = s * table.columns; i < (s + 1) * table.columns; ++i) {
            if (!(table.flags[i] & kPresent)) continue;
            if (scale.end_levels) (*ends)[size + found] = table.ends[i];
            lowest[found] = table.low[i];
            highest[found++] = table.high[i];
        }
        put_codes(std::span(lowest).first(found), scale, low->data() + size);
        put_codes(std::span(highest).first(found), scale, high->data() + size);
        series_ends.push_back(size += found);
    }
    const Packed lows{{low->data(), size}, series_ends}, highs{{high->data(), size}, series_ends};
    const auto bits = static_cast<unsigned>(std::bit_width(lows.all | highs.all | 1u));
    const unsigned planes = (bits + 7) / 8;

    std::vector<std::uint8_t> out;
    out.reserve(48 + cells / 4 + 2 + size * (2 * planes + 1));
    for (const char c : {'L', 'B', 'C', '1'}) out.push_back(static_cast<std::uint8_t>(c));
    put(out, static_cast<std::uint32_t>(table.series));
    put(out, static_cast<std::uint32_t>(table.columns));
    put(out, static_cast<std::uint32_t>(size));
    for (const double v : {scale.centre, scale.scale, scale.resolution}) put(out, v);
    for (const unsigned v : {planes, lows.shift, highs.shift, scale.end_levels, 0u, 0u, 0u, 0u})
        out.push_back(static_cast<std::uint8_t>(v));
    put_bits(out, table.flags, kPresent);
    put_bits(out, table.flags, kNonfinite);
    put_planes(out, *lows.residuals, planes);
    put_planes(out, *highs.residuals, planes);
    if (scale.end_levels) out.insert(out.end(), ends->begin(), ends->begin() + static_cast<std::ptrdiff_t>(size));
    for (const std::uint8_t flags : table.flags)
        if (flags & kNonfinite) out.push_back(static_cast<std::uint8_t>((flags & kNonfinite) >> 1));
    return out;
}

}  // namespace lightboard::kernels
