// Parses the protobuf wire format in place, without allocation or recursion. Every length is checked against the
// available bytes.
//
//     for (wire::Fields fields(message); fields.next();)
//         switch (fields.key()) {
//             case wire::key(1, wire::kFixed64): wall_time = fields.fixed<double>(); break;
//             case wire::key(5, wire::kBytes): summary = fields.bytes(); break;
//         }
//     // afterwards fields.broken() tells whether the message was cut or malformed
//
// A known field number with an unexpected wire type is treated as an unknown field, as in protobuf itself.
// Format: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lightboard::wire {

using Bytes = std::span<const std::uint8_t>;

enum Type : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kStartGroup = 3, kEndGroup = 4, kFixed32 = 5 };

constexpr std::uint32_t key(std::uint32_t field, Type type) { return field << 3 | type; }

inline std::string_view text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Reads a varint at `at`; returns false if it is truncated or longer than 64 bits.
inline bool read_varint(const std::uint8_t*& at, const std::uint8_t* end, std::uint64_t& value) {
    if (at != end && *at < 0x80) {
        value = *at++;
        return true;
    }
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (at == end) return false;
        const std::uint8_t byte = *at++;
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return shift < 63 || byte <= 1;
    }
    return false;
}

// Iterates over the fields of one message.
class Fields {
  public:
    explicit Fields(Bytes message) : at_(message.data()), end_(message.data() + message.size()) {}

    // Moves to the next field; returns false at the end or if the message is malformed. Skips groups.
    bool next() {
        while (at_ != end_) {
            std::uint64_t key = 0;
            if (!read_varint(at_, end_, key) || key > 0xffffffffu || key < 8) return fail();
            key_ = static_cast<std::uint32_t>(key);
            if ((key_ & 7) == kStartGroup) {
                if (!skip_group(key_ >> 3)) return fail();
                continue;
            }
            return read_payload() || fail();
        }
        return false;
    }

    std::uint32_t key() const { return key_; }
    bool broken() const { return broken_; }
    std::uint64_t varint() const { return varint_; }
    Bytes bytes() const { return {payload_, size_}; }
    template <class T>
    T fixed() const {
        T value;
        std::memcpy(&value, payload_, sizeof value);
        return value;
    }

  private:
    bool fail() {
        broken_ = true;
        at_ = end_;
        return false;
    }

    bool read_payload() {
        switch (key_ & 7) {
            case kVarint:
                return read_varint(at_, end_, varint_);
            case kFixed64:
                return take(8);
            case kFixed32:
                return take(4);
            case kBytes: {
                std::uint64_t size = 0;
                return read_varint(at_, end_, size) && take(size);
            }
            default:
                return false;  // end of a group that was not started, or an invalid wire type
        }
    }

    bool take(std::uint64_t size) {
        if (size > static_cast<std::uint64_t>(end_ - at_)) return false;
        payload_ = at_;
        size_ = size;
        at_ += size;
        return true;
    }

    // Groups may be nested; a small stack keeps the field numbers of the open ones (protobuf's own limit is 100).
    bool skip_group(std::uint32_t field) {
        std::uint32_t open[100] = {field};
        int depth = 1;
        while (depth) {
            std::uint64_t key = 0;
            if (!read_varint(at_, end_, key) || key > 0xffffffffu || key < 8) return false;
            key_ = static_cast<std::uint32_t>(key);
            if ((key_ & 7) == kStartGroup) {
                if (depth == 100) return false;
                open[depth++] = key_ >> 3;
            } else if ((key_ & 7) == kEndGroup) {
                if (open[--depth] != key_ >> 3) return false;
            } else if (!read_payload()) {
                return false;
            }
        }
        return true;
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    const std::uint8_t* payload_ = nullptr;
    std::uint64_t size_ = 0;
    std::uint64_t varint_ = 0;
    std::uint32_t key_ = 0;
    bool broken_ = false;
};

}  // namespace lightboard::wire
