// Many values of one file at once, as tables of doubles: a page of histograms wants two hundred steps of each series,
// and what a value costs beside its bytes decides.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "columns.h"

namespace lightboard {

struct Tables {
    std::vector<std::int64_t> shapes;  // rows and columns of each value; -1, -1 where it is no table of floats
    std::vector<double> cells;         // of all tables, one after another, row by row
};

// Appends the values at these places, in their order. The system's error number when the file cannot be read, ENODATA
// when it is shorter than that, 0 when all is well.
int read_tables(const std::string& path, std::span<const Ref> refs, Tables& out);

}  // namespace lightboard
