#include "read/value_tables.h"

#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "read/event.h"
#include "read/legacy.h"
#include "read/tensor.h"

namespace lightboard {

namespace {

template <class Number>
void append_cells(const std::vector<std::uint8_t>& data, std::vector<double>& cells) {
    const std::size_t count = data.size() / sizeof(Number), before = cells.size();
    cells.resize(before + count);
    if constexpr (sizeof(Number) == sizeof(double)) {
        if (count) std::memcpy(cells.data() + before, data.data(), count * sizeof(double));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        Number number;
        std::memcpy(&number, data.data() + i * sizeof(Number), sizeof(Number));
        cells[before + i] = number;
    }
}

// Returns false if the value is not a table, or has a type that is too rare for this fast path.
bool append_table(std::span<const std::uint8_t> bytes, Tables& out) {
    Value value;
    if (!parse_value(bytes, value)) return false;
    Unpacked unpacked;
    try {
        unpack_value(value, unpacked);
    } catch (const std::invalid_argument&) {
        return false;
    }
    if (unpacked.shape.size() != 2) return false;
    if (unpacked.dtype == "float64")
        append_cells<double>(unpacked.data, out.cells);
    else if (unpacked.dtype == "float32")
        append_cells<float>(unpacked.data, out.cells);
    else
        return false;
    out.shapes.insert(out.shapes.end(), unpacked.shape.begin(), unpacked.shape.end());
    return true;
}

}  // namespace

void unpack_table(std::span<const std::uint8_t> value, Tables& out) {
    if (!append_table(value, out)) out.shapes.insert(out.shapes.end(), {-1, -1});
}

}  // namespace lightboard
