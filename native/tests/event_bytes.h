// Builds event files for tests: protobuf fields and TFRecord framing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/crc32c.h"

namespace lightboard::tests {

template <class T>
std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

inline std::span<const std::uint8_t> view(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string varint(std::uint64_t value) {
    std::string out;
    for (; value > 0x7f; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7f));
    return out + static_cast<char>(value);
}

// Encodes a field of bytes: a string or a message.
inline std::string field(unsigned number, const std::string& bytes) {
    return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

inline std::uint32_t checksum(const std::string& text) { return mask_crc(crc32c(view(text).data(), text.size())); }

inline std::string record(const std::string& data) {
    const std::string size = raw<std::uint64_t>(data.size());
    return size + raw(checksum(size)) + data + raw(checksum(data));
}

}  // namespace lightboard::tests
