// Parses TensorProto: only the single number (while scanning), or the whole tensor (on demand).
//
//     dtype 1, tensor_shape 2 {dim 2 {size 1}}, tensor_content 4, float_val 5, double_val 6, int_val 7, string_val 8,
//     int64_val 10, bool_val 11, half_val 13, uint32_val 16, uint64_val 17, float8_val 18
//
// The data is in tensor_content (row-major, little endian) or in a typed list. If the list is shorter than the shape,
// its last element is repeated; an empty list means zeros. Schema: tensorflow/core/framework/tensor.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire.h"
#include "read/columns.h"

namespace lightboard {

struct Number {
    double value;
    bool single;  // float32 represents it exactly
};

// Returns the number in a numeric tensor with exactly one element, of any shape; nullopt for all other tensors.
std::optional<Number> number_in(wire::Bytes tensor);

struct TensorShape {
    std::uint64_t elements = 1;  // 0 also if the product overflows
    std::uint64_t first = 1;     // size of the first dimension; 1 for rank 0
    std::uint32_t rank = 0;
    std::uint64_t strings = 0;  // number of string_val entries
    bool is_string = false;
};

// Reads the shape of a tensor without unpacking it; nullopt if it is malformed.
std::optional<TensorShape> shape_of(wire::Bytes tensor);

// An unpacked value. `dtype` is NumPy's name, or "string" with the elements in `strings`.
struct Unpacked {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> data;
    std::vector<wire::Bytes> strings;
    std::vector<std::string> made;  // strings that are not in the file (width and height of an old image)
    std::string_view content_type;
};

// Throws std::invalid_argument with a message if the tensor is inconsistent.
void unpack_tensor(wire::Bytes tensor, Unpacked& out);

}  // namespace lightboard
