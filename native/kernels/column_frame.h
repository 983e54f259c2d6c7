// Encodes many series on pixel columns as one compact frame. Format: docs/explanation/thinning.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard::kernels {

// A view of tables of series x columns, row after row, as returned by m4_columns.
struct ColumnTable {
    std::size_t series = 0, columns = 0;
    std::span<const double> first, min, max, last;
    std::span<const std::uint32_t> count, nonfinite;
};

struct FrameScale {
    double centre = 0;         // value that gets code 0
    double scale = 1;          // > 0; values within about this distance of centre have evenly spaced codes
    double resolution = 1360;  // codes per unit of asinh
    unsigned end_levels = 8;   // levels for first and last between min and max: 0 omits them, else 2 to 16
};

// Like ColumnTable, with only the fields that a frame needs. `ends` is first * levels + last, as the frame encodes
// them. `flags` has bit 0 set if there is a finite value (else low, high and ends are undefined); the other bits are
// those of odd_kind.
struct CellTable {
    std::size_t series = 0, columns = 0;
    std::span<const double> low, high;
    std::span<const std::uint8_t> ends, flags;
};
inline constexpr std::uint8_t kPresent = 1, kNonfinite = 0b1110;
constexpr std::uint8_t odd_flags(std::uint32_t kinds) { return static_cast<std::uint8_t>((kinds & 7) << 1); }

// Returns the byte of `ends` for one cell.
std::uint8_t end_levels(double first, double last, double low, double high, unsigned levels);

std::vector<std::uint8_t> encode_cells(const CellTable& table, const FrameScale& scale);

// Encodes the frame described in docs/explanation/thinning.md; it should be compressed afterwards.
std::vector<std::uint8_t> encode_columns(const ColumnTable& table, const FrameScale& scale);

}  // namespace lightboard::kernels
