#include "write/encoder.h"

#include <cstring>

#include "base/crc32c.h"
#include "base/record.h"
#include "base/wire.h"

namespace lightboard::encode {
namespace {

using wire::key;

template <class T>
void raw(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

const std::uint8_t* begin(const std::string& text, std::size_t at) {
    return reinterpret_cast<const std::uint8_t*>(text.data()) + at;
}

// Reserves space for the header; the caller appends the data and then closes the record.
std::size_t open_record(std::string& out) {
    const std::size_t at = out.size();
    out.append(kHeaderBytes, '\0');
    return at;
}

void close_record(std::string& out, std::size_t at) {
    const std::uint64_t size = out.size() - at - kHeaderBytes;
    std::memcpy(out.data() + at, &size, sizeof size);
    const std::uint32_t header_crc = mask_crc(crc32c(begin(out, at), 8));
    std::memcpy(out.data() + at + 8, &header_crc, sizeof header_crc);
    raw(out, mask_crc(crc32c(begin(out, at + kHeaderBytes), size)));
}

}  // namespace

void varint(std::string& out, std::uint64_t value) {
    for (; value > 0x7f; value >>= 7) out.push_back(static_cast<char>(0x80 | (value & 0x7f)));
    out.push_back(static_cast<char>(value));
}

void bytes(std::string& out, std::uint32_t field, std::string_view value) {
    varint(out, key(field, wire::kBytes));
    varint(out, value.size());
    out.append(value);
}

void integer(std::string& out, std::uint32_t field, std::uint64_t value) {
    varint(out, key(field, wire::kVarint));
    varint(out, value);
}

void fixed(std::string& out, std::uint32_t field, double value) {
    varint(out, key(field, wire::kFixed64));
    raw(out, value);
}

void fixed(std::string& out, std::uint32_t field, float value) {
    varint(out, key(field, wire::kFixed32));
    raw(out, value);
}

void scalar_value(std::string& out, std::string_view tag, double number, ScalarStyle style) {
    bytes(out, 1, tag);
    if (style == ScalarStyle::kSimple) return fixed(out, 2, static_cast<float>(number));
    // TensorProto{dtype 1, tensor_shape 2 (rank 0), tensor_content 4}, then SummaryMetadata{plugin_data{"scalars"},
    // data_class SCALAR}
    const bool wide = style == ScalarStyle::kDouble;
    varint(out, key(8, wire::kBytes));
    varint(out, wide ? 14 : 10);
    integer(out, 1, wide ? 2 : 1);
    bytes(out, 2, {});
    varint(out, key(4, wire::kBytes));
    varint(out, wide ? 8 : 4);
    if (wide)
        raw(out, number);
    else
        raw(out, static_cast<float>(number));
    bytes(out, 9, "\x0a\x09\x0a\x07scalars\x20\x01");
}

void event_record(std::string& out, double wall_time, std::int64_t step, std::uint32_t field,
                  std::string_view payload) {
    const std::size_t at = open_record(out);
    fixed(out, 1, wall_time);
    if (step) integer(out, 2, static_cast<std::uint64_t>(step));
    if (field) bytes(out, field, payload);
    close_record(out, at);
}

void record(std::string& out, std::string_view data) {
    const std::size_t at = open_record(out);
    out.append(data);
    close_record(out, at);
}

}  // namespace lightboard::encode
