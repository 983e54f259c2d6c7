// Formats points of a scalar series as text, for JSON and CSV responses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lightboard::kernels {

// A row is `heads[0]` wall time `heads[1]` step `heads[2]` value `tail`; rows are joined by `glue`.
struct RowForm {
    std::string_view heads[3];
    std::string_view tail;
    std::string_view glue;
    std::string_view nan, infinity, minus_infinity;  // the text for each of these values
};

// Doubles are formatted as in Python: with the fewest digits that parse to the same double, always with a point or an
// exponent, so that parsers do not read them as integers. All spans have the same length.
template <class Y>
std::string row_text(std::span<const double> wall_times, std::span<const std::int64_t> steps, std::span<const Y> values,
                     const RowForm& form);

// Formats one column as a JSON list, with the same number format; null where `present` is 0 (empty: no nulls). NaN and
// infinities are the strings "NaN", "Infinity", "-Infinity"; integers beyond ±(2^53 - 1) are strings of digits.
template <class T>
std::string column_text(std::span<const T> values, std::span<const std::uint8_t> present);

}  // namespace lightboard::kernels
