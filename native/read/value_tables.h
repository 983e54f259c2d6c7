// Many values at once, as tables of doubles: a page of histograms wants two hundred steps of each series,
// and what a value costs beside its bytes decides.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lightboard {

struct Tables {
    std::vector<std::int64_t> shapes;  // rows and columns of each value; -1, -1 where it is no table of floats
    std::vector<double> cells;         // of all tables, one after another, row by row
};

// Appends one value, a serialized Summary.Value.
void unpack_table(std::span<const std::uint8_t> value, Tables& out);

}  // namespace lightboard
