// Unpacks many values at once into tables of doubles. A page of histograms needs two hundred steps of each series, so
// the overhead per value dominates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lightboard {

struct Tables {
    std::vector<std::int64_t> shapes;  // rows and columns of each value; -1, -1 if it is not a table of floats
    std::vector<double> cells;         // of all tables, concatenated, row by row
};

// Appends one value, a serialized Summary.Value.
void unpack_table(std::span<const std::uint8_t> value, Tables& out);

}  // namespace lightboard
