// Parses tables of numbers as text (TSV), one row per line, into float32.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lightboard::projector {

struct Matrix {
    std::vector<float> cells;  // row by row
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t lines = 0;  // lines read, including empty ones
};

// Expects whole lines, which may end with CR LF; empty ones are skipped. Cells are decimal numbers, NaN or infinities,
// with optional spaces around them. They are rounded to double first and then to float, as Python programs that read
// such files do.
//
// `columns` and `first_line` continue an earlier call; if columns is 0, the first row determines it. Throws
// std::invalid_argument with the line number if a cell is not a number or a row has a different number of cells.
Matrix parse_matrix(std::string_view text, char separator, std::size_t columns = 0, std::size_t first_line = 1);

}  // namespace lightboard::projector
