// Points of a scalar series written out as text: what JSON and CSV answers are made of.
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
    std::string_view nan, infinity, minus_infinity;  // how these three are spelled
};

// Doubles are spelled as Python spells them: in the fewest digits that read back as the same double, always with a
// point or an exponent, so that no reader takes them for whole numbers. All spans have the same length.
template <class Y>
std::string row_text(std::span<const double> wall_times, std::span<const std::int64_t> steps, std::span<const Y> values,
                     const RowForm& form);

// One column as a JSON list, spelled as above; null where `present` is 0 (empty: everything is there). NaN and
// infinities are the strings "NaN", "Infinity", "-Infinity", and whole numbers beyond ±(2^53 - 1) strings of digits.
template <class T>
std::string column_text(std::span<const T> values, std::span<const std::uint8_t> present);

}  // namespace lightboard::kernels
