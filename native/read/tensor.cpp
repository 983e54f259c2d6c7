#include "read/tensor.h"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lightboard {

using wire::Bytes;
using wire::Fields;
using wire::key;

namespace {

enum Dtype : std::uint32_t {
    kFloat = 1,
    kDouble = 2,
    kInt32 = 3,
    kUint8 = 4,
    kInt16 = 5,
    kInt8 = 6,
    kString = 7,
    kComplex64 = 8,
    kInt64 = 9,
    kBool = 10,
    kBfloat16 = 14,
    kUint16 = 17,
    kComplex128 = 18,
    kHalf = 19,
    kUint32 = 22,
    kUint64 = 23,
    kFloat8E5m2 = 24,
    kFloat8E4m3 = 25,
};

constexpr std::uint64_t kMaxElements = 1ull << 28;
// A few bytes may represent a large tensor of equal elements. The limit keeps a malicious shape from exhausting memory.
constexpr std::uint64_t kMaxFilled = 1ull << 24;

float from_half(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    float magnitude;
    if (exponent == 31)
        magnitude = mantissa ? std::numeric_limits<float>::quiet_NaN() : INFINITY;
    else if (exponent == 0)
        magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    else
        magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// Five exponent bits: the format equals the upper byte of a half.
float from_float8_e5m2(std::uint8_t bits) { return from_half(static_cast<std::uint16_t>(bits << 8)); }

// Four exponent bits, no infinity, NaN only with all bits set.
float from_float8_e4m3(std::uint8_t bits) {
    const int exponent = (bits >> 3) & 15, mantissa = bits & 7;
    float magnitude;
    if (exponent == 15 && mantissa == 7)
        magnitude = std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        magnitude = std::ldexp(static_cast<float>(mantissa), -9);
    else
        magnitude = std::ldexp(static_cast<float>(mantissa + 8), exponent - 10);
    return bits & 0x80 ? -magnitude : magnitude;
}

// The layout of a dtype in tensor_content, and the typed list that is used otherwise.
struct Layout {
    std::uint32_t content_bytes;  // per element
    std::uint32_t list_field;
    wire::Type list_type;  // of one element that is not packed
    const char* name;      // dtype name of the unpacked array
};

std::optional<Layout> layout_of(std::uint32_t dtype) {
    switch (dtype) {
        case kFloat:
            return Layout{4, 5, wire::kFixed32, "float32"};
        case kDouble:
            return Layout{8, 6, wire::kFixed64, "float64"};
        case kInt32:
            return Layout{4, 7, wire::kVarint, "int32"};
        case kUint8:
            return Layout{1, 7, wire::kVarint, "uint8"};
        case kInt16:
            return Layout{2, 7, wire::kVarint, "int16"};
        case kInt8:
            return Layout{1, 7, wire::kVarint, "int8"};
        case kInt64:
            return Layout{8, 10, wire::kVarint, "int64"};
        case kBool:
            return Layout{1, 11, wire::kVarint, "bool"};
        case kUint16:
            return Layout{2, 7, wire::kVarint, "uint16"};
        case kUint32:
            return Layout{4, 16, wire::kVarint, "uint32"};
        case kUint64:
            return Layout{8, 17, wire::kVarint, "uint64"};
        case kComplex64:
            return Layout{8, 9, wire::kFixed32, "complex64"};
        case kComplex128:
            return Layout{16, 12, wire::kFixed64, "complex128"};
        case kHalf:
            return Layout{2, 13, wire::kVarint, "float16"};
        case kBfloat16:
            return Layout{2, 13, wire::kVarint, "float32"};
        case kFloat8E5m2:
        case kFloat8E4m3:
            return Layout{1, 18, wire::kBytes, "float32"};
        default:
            return std::nullopt;
    }
}

// Bytes of one element in the unpacked array: dtypes without a NumPy name are widened to float32.
std::uint32_t array_bytes(std::uint32_t dtype, const Layout& layout) {
    return dtype == kBfloat16 || dtype == kFloat8E5m2 || dtype == kFloat8E4m3 ? 4 : layout.content_bytes;
}

struct Proto {
    std::uint32_t dtype = 0;
    Bytes shape;
    Bytes content;
    bool broken = false;
};

Proto outline(Bytes tensor) {
    Proto proto;
    Fields fields(tensor);
    while (fields.next()) {
        switch (fields.key()) {
            case key(1, wire::kVarint):
                proto.dtype = static_cast<std::uint32_t>(fields.varint());
                break;
            case key(2, wire::kBytes):
                proto.shape = fields.bytes();
                break;
            case key(4, wire::kBytes):
                proto.content = fields.bytes();
                break;
            default:
                break;
        }
    }
    proto.broken = fields.broken();
    return proto;
}

// Calls each(size) for every dimension; returns false if the shape is malformed, unknown or has a negative size.
template <class Each>
bool walk_dimensions(Bytes shape, Each each) {
    Fields fields(shape);
    while (fields.next()) {
        if (fields.key() == key(3, wire::kVarint) && fields.varint()) return false;
        if (fields.key() != key(2, wire::kBytes)) continue;
        std::int64_t size = 0;
        Fields dimension(fields.bytes());
        while (dimension.next())
            if (dimension.key() == key(1, wire::kVarint)) size = static_cast<std::int64_t>(dimension.varint());
        if (dimension.broken() || size < 0) return false;
        each(size);
    }
    return !fields.broken();
}

// Product of the sizes, saturating well above kMaxElements.
std::uint64_t multiply(std::uint64_t product, std::uint64_t size) {
    constexpr std::uint64_t kMany = 1ull << 62;
    return size && product > kMany / size ? kMany : product * size;
}

// Calls each(raw 64-bit element) for each element of the typed list, packed or not.
template <class Each>
bool walk_list(Bytes tensor, const Layout& layout, Each each) {
    Fields fields(tensor);
    while (fields.next()) {
        if (fields.key() >> 3 != layout.list_field) continue;
        if (fields.key() == key(layout.list_field, wire::kBytes)) {
            const Bytes packed = fields.bytes();
            const std::uint8_t *at = packed.data(), *end = at + packed.size();
            while (at != end) {
                std::uint64_t raw = 0;
                if (layout.list_type == wire::kVarint) {
                    if (!wire::read_varint(at, end, raw)) return false;
                } else {
                    const std::size_t size = layout.list_type == wire::kFixed64   ? 8
                                             : layout.list_type == wire::kFixed32 ? 4
                                                                                  : 1;
                    if (static_cast<std::size_t>(end - at) < size) return false;
                    std::memcpy(&raw, at, size);
                    at += size;
                }
                each(raw);
            }
        } else if (fields.key() == key(layout.list_field, layout.list_type)) {
            if (layout.list_type == wire::kVarint)
                each(fields.varint());
            else if (layout.list_type == wire::kFixed64)
                each(fields.fixed<std::uint64_t>());
            else
                each(static_cast<std::uint64_t>(fields.fixed<std::uint32_t>()));
        }
    }
    return !fields.broken();
}

// Converts the raw bits of one element.
Number number_of(std::uint32_t dtype, std::uint64_t raw) {
    switch (dtype) {
        case kFloat:
            return {std::bit_cast<float>(static_cast<std::uint32_t>(raw)), true};
        case kDouble:
            return {std::bit_cast<double>(raw), false};
        case kInt32:
            return {static_cast<double>(static_cast<std::int32_t>(raw)), false};
        case kInt16:
            return {static_cast<double>(static_cast<std::int16_t>(raw)), true};
        case kInt8:
            return {static_cast<double>(static_cast<std::int8_t>(raw)), true};
        case kUint8:
            return {static_cast<double>(static_cast<std::uint8_t>(raw)), true};
        case kUint16:
            return {static_cast<double>(static_cast<std::uint16_t>(raw)), true};
        case kUint32:
            return {static_cast<double>(static_cast<std::uint32_t>(raw)), false};
        case kInt64:
            return {static_cast<double>(static_cast<std::int64_t>(raw)), false};
        case kUint64:
            return {static_cast<double>(raw), false};
        case kBool:
            return {raw ? 1.0 : 0.0, true};
        case kHalf:
            return {from_half(static_cast<std::uint16_t>(raw)), true};
        case kBfloat16:
            return {from_bfloat16(static_cast<std::uint16_t>(raw)), true};
        case kFloat8E5m2:
            return {from_float8_e5m2(static_cast<std::uint8_t>(raw)), true};
        default:
            return {from_float8_e4m3(static_cast<std::uint8_t>(raw)), true};
    }
}

void append_element(std::uint32_t dtype, const Layout& layout, std::uint64_t raw, std::vector<std::uint8_t>& data) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&raw);
    float widened = 0;
    if (array_bytes(dtype, layout) != layout.content_bytes) {
        widened = static_cast<float>(number_of(dtype, raw).value);
        bytes = reinterpret_cast<const std::uint8_t*>(&widened);
    }
    data.insert(data.end(), bytes, bytes + array_bytes(dtype, layout));
}

void unpack_strings(Bytes tensor, std::uint64_t elements, Unpacked& out) {
    Fields fields(tensor);
    while (fields.next())
        if (fields.key() == key(8, wire::kBytes)) out.strings.push_back(fields.bytes());
    if (out.strings.size() > elements) throw std::invalid_argument("a string tensor has more elements than its shape");
    const Bytes last = out.strings.empty() ? Bytes{} : out.strings.back();
    const std::uint64_t missing = elements - out.strings.size();
    if (missing > kMaxFilled / 256 || missing * last.size() > kMaxFilled)
        throw std::invalid_argument("the tensor's shape is larger than any real one");
    out.strings.resize(elements, last);
}

void unpack_content(const Proto& proto, const Layout& layout, std::uint64_t elements, Unpacked& out) {
    if (proto.content.size() != elements * layout.content_bytes)
        throw std::invalid_argument("a tensor's bytes do not fit its shape");
    if (array_bytes(proto.dtype, layout) == layout.content_bytes) {
        out.data.assign(proto.content.begin(), proto.content.end());
        return;
    }
    for (std::uint64_t element = 0; element < elements; ++element) {
        std::uint64_t raw = 0;
        std::memcpy(&raw, proto.content.data() + element * layout.content_bytes, layout.content_bytes);
        append_element(proto.dtype, layout, raw, out.data);
    }
}

void unpack_list(Bytes tensor, const Proto& proto, const Layout& layout, std::uint64_t elements, Unpacked& out) {
    const bool complex = proto.dtype == kComplex64 || proto.dtype == kComplex128;
    const Layout half{layout.content_bytes / 2, layout.list_field, layout.list_type, layout.name};
    const std::uint64_t size = elements * array_bytes(proto.dtype, layout);
    const bool good = walk_list(tensor, layout, [&](std::uint64_t raw) {
        if (out.data.size() >= size) return;
        if (complex) {
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(&raw);
            out.data.insert(out.data.end(), bytes, bytes + half.content_bytes);
        } else {
            append_element(proto.dtype, layout, raw, out.data);
        }
    });
    if (!good) throw std::invalid_argument("a tensor's list of values is cut");
    if (out.data.size() < size && elements > kMaxFilled)
        throw std::invalid_argument("the tensor's shape is larger than any real one");
    const std::size_t width = array_bytes(proto.dtype, layout);
    if (out.data.size() < width) out.data.assign(width, 0);
    if (elements == 0) out.data.clear();
    out.data.reserve(size);
    while (out.data.size() < size) {
        const std::size_t from = out.data.size() - width;
        for (std::size_t byte = 0; byte < width; ++byte) out.data.push_back(out.data[from + byte]);
    }
    out.data.resize(size);
}

}  // namespace

std::optional<Number> number_in(Bytes tensor) {
    const Proto proto = outline(tensor);
    const auto layout = layout_of(proto.dtype);
    if (proto.broken || !layout || proto.dtype == kComplex64 || proto.dtype == kComplex128) return std::nullopt;
    std::uint64_t elements = 1;
    if (!walk_dimensions(proto.shape, [&](std::uint64_t size) { elements = multiply(elements, size); }))
        return std::nullopt;
    if (elements != 1) return std::nullopt;
    std::uint64_t raw = 0, seen = 0;
    if (!proto.content.empty()) {
        if (proto.content.size() != layout->content_bytes) return std::nullopt;
        std::memcpy(&raw, proto.content.data(), layout->content_bytes);
    } else if (!walk_list(tensor, *layout, [&](std::uint64_t each) { raw = each, ++seen; }) || seen > 1) {
        return std::nullopt;
    }
    return number_of(proto.dtype, raw);
}

std::optional<TensorShape> shape_of(Bytes tensor) {
    TensorShape shape;
    Bytes dimensions;
    Fields fields(tensor);
    while (fields.next()) {
        switch (fields.key()) {
            case key(1, wire::kVarint):
                shape.is_string = fields.varint() == kString;
                break;
            case key(2, wire::kBytes):
                dimensions = fields.bytes();
                break;
            case key(8, wire::kBytes):
                ++shape.strings;
                break;
            default:
                break;
        }
    }
    if (fields.broken()) return std::nullopt;
    const bool good = walk_dimensions(dimensions, [&](std::uint64_t size) {
        if (shape.rank++ == 0) shape.first = size;
        shape.elements = multiply(shape.elements, size);
    });
    return good ? std::optional(shape) : std::nullopt;
}

void unpack_tensor(Bytes tensor, Unpacked& out) {
    const Proto proto = outline(tensor);
    if (proto.broken) throw std::invalid_argument("the tensor is cut or malformed");
    std::uint64_t elements = 1;
    const bool good = walk_dimensions(proto.shape, [&](std::int64_t size) {
        elements = multiply(elements, static_cast<std::uint64_t>(size));
        out.shape.push_back(size);
    });
    if (!good) throw std::invalid_argument("the tensor's shape is unknown or malformed");
    if (elements > kMaxElements) throw std::invalid_argument("the tensor's shape is larger than any real one");
    if (proto.dtype == kString) {
        out.dtype = "string";
        return unpack_strings(tensor, elements, out);
    }
    const auto layout = layout_of(proto.dtype);
    if (!layout) throw std::invalid_argument("tensors of type " + std::to_string(proto.dtype) + " cannot be shown");
    out.dtype = layout->name;
    if (!proto.content.empty()) return unpack_content(proto, *layout, elements, out);
    unpack_list(tensor, proto, *layout, elements, out);
}

}  // namespace lightboard
