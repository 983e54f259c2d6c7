// Tables of numbers as text (TSV), one row a line, into float32.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lightboard::projector {

struct Matrix {
    std::vector<float> cells;  // row by row
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t lines = 0;  // read, empty ones included
};

// Whole lines; empty ones are passed over, a carriage return before the line's end belongs to the end. Cells are
// decimal numbers, NaN or infinities with spaces around them; they are rounded to double first and to float then, as
// everything that reads such files in Python does.
//
// `columns` and `first_line` go on from what was read before: 0 takes the columns from the first row. Throws
// std::invalid_argument that names the line when a cell is no number or a row has another number of cells.
Matrix parse_matrix(std::string_view text, char separator, std::size_t columns = 0, std::size_t first_line = 1);

}  // namespace lightboard::projector
