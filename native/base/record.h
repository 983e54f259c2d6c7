// TFRecord framing.
//
//     offset  size  content
//     0       8     n, the length of the data, little endian
//     8       4     masked CRC-32C of those 8 bytes
//     12      n     data: one serialized Event
//     12+n    4     masked CRC-32C of the data
//
// The file has no header, no footer and no index. Format: tensorflow/core/lib/io/record_writer.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard {

inline constexpr std::size_t kHeaderBytes = 12;
inline constexpr std::size_t kFooterBytes = 4;
// Protobuf's size limit for a message.
inline constexpr std::uint64_t kMaxRecordBytes = (1ull << 31) - 1;

enum class Framing {
    kGood,
    kNeedMore,    // no error so far, but the record is not complete
    kBadLength,   // the length's CRC is wrong: the position of the next record is unknown
    kImpossible,  // the CRC matches, but the length exceeds kMaxRecordBytes
    kBadData,     // the data's CRC is wrong: the record can be skipped
};

struct Frame {
    Framing framing;
    std::uint64_t size;  // size of the data; valid if the length's CRC matches
};

// Examines the record at the start of `bytes` and checks both CRCs.
Frame frame_at(std::span<const std::uint8_t> bytes);

// Like frame_at, but checks only the length and its CRC; the data may be missing.
Frame header_at(std::span<const std::uint8_t> bytes);

// Returns the first position >= `from` where the length's CRC matches and the length is possible. If there is none:
// bytes.size() - 11, or `from` if that is larger; a header may begin in the last 11 bytes.
std::size_t find_header(std::span<const std::uint8_t> bytes, std::size_t from);

// Returns whether the functions above use the CPU's CRC instruction.
bool framing_in_hardware();

}  // namespace lightboard
