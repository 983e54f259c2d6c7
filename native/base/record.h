// TFRecord framing.
//
//     offset  size  content
//     0       8     n, the length of the data, little endian
//     8       4     masked CRC-32C of those 8 bytes
//     12      n     data: one serialized Event
//     12+n    4     masked CRC-32C of the data
//
// There is no header, no footer, no index. Format: tensorflow/core/lib/io/record_writer.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard {

inline constexpr std::size_t kHeaderBytes = 12;
inline constexpr std::size_t kFooterBytes = 4;
// The limit of a protobuf message.
inline constexpr std::uint64_t kMaxRecordBytes = (1ull << 31) - 1;

enum class Framing {
    kGood,
    kNeedMore,    // no error so far, but the record is not complete
    kBadLength,   // the length's CRC is wrong: where the next record begins is unknown
    kImpossible,  // the CRC holds, but the length exceeds kMaxRecordBytes
    kBadData,     // the data's CRC is wrong: the record can be skipped
};

struct Frame {
    Framing framing;
    std::uint64_t size;  // of the data, once the length's CRC holds
};

// Look at the record at the start of `bytes`. Both CRCs are checked.
Frame frame_at(std::span<const std::uint8_t> bytes);

// Like frame_at, but only the length and its CRC; the data need not be there.
Frame header_at(std::span<const std::uint8_t> bytes);

// The first position >= `from` in `bytes` where a length CRC holds and the length is possible; bytes.size() - 11 (or
// `from`, if later) when there is none. The last 11 bytes cannot be judged yet.
std::size_t find_header(std::span<const std::uint8_t> bytes, std::size_t from);

// Whether the functions above use the CPU's CRC instruction.
bool framing_in_hardware();

}  // namespace lightboard
