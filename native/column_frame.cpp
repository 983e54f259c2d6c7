#include "column_frame.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "axis.h"

namespace lightboard::kernels {

namespace {

constexpr unsigned kShifts = 4;               // predictors tried: the mean of about the last 1, 2, 4 or 8 codes
constexpr std::int32_t kCodeLimit = 1 << 21;  // the difference of two codes, zigzagged, fits three bytes

std::int32_t code_of(double v, const FrameScale& s) {
    const double u = std::abs(v - s.centre) / s.scale;
    // asinh by its definition: absolute precision is all a code needs, and this is several times quicker than
    // std::asinh.
    const double a = u < 1e8 ? std::log(u + std::sqrt(u * u + 1)) : std::log(u) + std::log(2.0);
    const double code = std::min(a * s.resolution, static_cast<double>(kCodeLimit));
    return static_cast<std::int32_t>(v < s.centre ? -code - 0.5 : code + 0.5);  // rounds: the cast cuts towards zero
}

std::uint32_t zigzag(std::int32_t v) {
    return (static_cast<std::uint32_t>(v) << 1) ^ static_cast<std::uint32_t>(v >> 31);
}

// Differences to a running mean of the series' own codes, in fixed point so that every reader computes the same
// integers. A series starts from the first code of the one before it.
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
    // Sixteen series are enough to judge by.
    const auto judged = series_ends.first(std::min<std::size_t>(series_ends.size(), 16));
    unsigned best = 0;
    std::uint64_t best_bits = std::numeric_limits<std::uint64_t>::max();
    for (unsigned shift = 0; shift < kShifts; ++shift) {
        std::uint64_t bits = 0;
        // The bits of a float, read as a number, are its logarithm to within a tenth.
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

// One byte plane per byte of the residuals, lowest first: the upper planes are nearly constant and compress to nothing.
void put_planes(std::vector<std::uint8_t>& out, std::span<const std::uint32_t> residuals, unsigned planes) {
    for (unsigned plane = 0; plane < planes; ++plane) {
        const std::size_t start = out.size();
        out.resize(start + residuals.size());
        for (std::size_t i = 0; i < residuals.size(); ++i)
            out[start + i] = static_cast<std::uint8_t>(residuals[i] >> (8 * plane));
    }
}

struct Packed {
    std::vector<std::uint32_t> residuals;
    unsigned shift = 0;
    std::uint32_t largest = 0;
};

Packed pack(std::span<const std::int32_t> codes, std::span<const std::size_t> series_ends) {
    Packed packed;
    packed.shift = best_shift(codes, series_ends);
    packed.residuals.reserve(codes.size());
    residuals(codes, series_ends, packed.shift, [&](std::int32_t r) {
        packed.residuals.push_back(zigzag(r));
        packed.largest = std::max(packed.largest, packed.residuals.back());
    });
    return packed;
}

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
        flags[i] = static_cast<std::uint8_t>((table.count[i] ? kPresent : 0) | (table.nonfinite[i] ? kNonfinite : 0));
        if (table.count[i] && scale.end_levels)
            ends[i] = end_levels(table.first[i], table.last[i], table.min[i], table.max[i], scale.end_levels);
    }
    return encode_cells({table.series, table.columns, table.min, table.max, ends, flags}, scale);
}

std::vector<std::uint8_t> encode_cells(const CellTable& table, const FrameScale& scale) {
    const std::size_t cells = table.series * table.columns;
    std::vector<std::int32_t> low, high;
    std::vector<std::uint8_t> ends;
    std::vector<std::size_t> series_ends;
    low.reserve(cells);
    high.reserve(cells);
    ends.reserve(scale.end_levels ? cells : 0);
    for (std::size_t s = 0; s < table.series; ++s) {
        for (std::size_t i = s * table.columns; i < (s + 1) * table.columns; ++i) {
            if (!(table.flags[i] & kPresent)) continue;
            low.push_back(code_of(table.low[i], scale));
            high.push_back(table.high[i] == table.low[i] ? low.back() : code_of(table.high[i], scale));
            if (scale.end_levels) ends.push_back(table.ends[i]);
        }
        series_ends.push_back(low.size());
    }
    const Packed lows = pack(low, series_ends), highs = pack(high, series_ends);
    const auto bits = static_cast<unsigned>(std::bit_width(std::max({lows.largest, highs.largest, 1u})));
    const unsigned planes = (bits + 7) / 8;

    std::vector<std::uint8_t> out;
    out.reserve(48 + cells / 4 + 2 + low.size() * (2 * planes + 1));
    for (const char c : {'L', 'B', 'C', '1'}) out.push_back(static_cast<std::uint8_t>(c));
    put(out, static_cast<std::uint32_t>(table.series));
    put(out, static_cast<std::uint32_t>(table.columns));
    put(out, static_cast<std::uint32_t>(low.size()));
    for (const double v : {scale.centre, scale.scale, scale.resolution}) put(out, v);
    for (const unsigned v : {planes, lows.shift, highs.shift, scale.end_levels, 0u, 0u, 0u, 0u})
        out.push_back(static_cast<std::uint8_t>(v));
    put_bits(out, table.flags, kPresent);
    put_bits(out, table.flags, kNonfinite);
    put_planes(out, lows.residuals, planes);
    put_planes(out, highs.residuals, planes);
    out.insert(out.end(), ends.begin(), ends.end());
    return out;
}

}  // namespace lightboard::kernels
