// Parses any bytes as a table: the result is a table or an error, and two parts give the same as the whole text.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "projector/matrix_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace lp = lightboard::projector;
    if (size < 1) return 0;
    const char separator = "\t, ;"[data[0] % 4];
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    lp::Matrix whole;
    try {
        whole = lp::parse_matrix(text, separator);
    } catch (const std::invalid_argument&) {
        return 0;
    }
    if (whole.cells.size() != whole.rows * whole.columns) std::abort();
    const std::size_t cut = text.find('\n', text.size() / 2);
    if (cut == text.npos) return 0;
    const lp::Matrix first = lp::parse_matrix(text.substr(0, cut + 1), separator);
    const lp::Matrix second = lp::parse_matrix(text.substr(cut + 1), separator, first.columns, 1 + first.lines);
    if (first.rows + second.rows != whole.rows || first.lines + second.lines != whole.lines) std::abort();
    for (std::size_t i = 0; i < whole.cells.size(); ++i) {
        const float cell = i < first.cells.size() ? first.cells[i] : second.cells[i - first.cells.size()];
        if (std::memcmp(&cell, &whole.cells[i], sizeof cell) != 0) std::abort();
    }
    return 0;
}
