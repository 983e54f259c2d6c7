#include "base/record.h"

#include "base/crc32c.h"

namespace lightboard {
namespace {

using Bytes = std::span<const std::uint8_t>;

// The functions below are compiled twice, with and without the CPU's CRC instruction: the checksum must be inlined,
// because a function call costs more than the checksum itself.

template <std::uint32_t (*Crc)(const std::uint8_t*, std::size_t)>
inline __attribute__((always_inline)) Frame header_with(Bytes bytes) {
    if (bytes.size() < kHeaderBytes) return {Framing::kNeedMore, 0};
    const auto size = load<std::uint64_t>(bytes.data());
    if (mask_crc(Crc(bytes.data(), 8)) != load<std::uint32_t>(bytes.data() + 8)) return {Framing::kBadLength, 0};
    if (size > kMaxRecordBytes) return {Framing::kImpossible, size};
    return {Framing::kGood, size};
}

template <std::uint32_t (*Crc)(const std::uint8_t*, std::size_t)>
inline __attribute__((always_inline)) Frame frame_with(Bytes bytes) {
    const Frame header = header_with<Crc>(bytes);
    if (header.framing != Framing::kGood) return header;
    if (bytes.size() - kHeaderBytes < header.size + kFooterBytes) return {Framing::kNeedMore, header.size};
    const std::uint8_t* data = bytes.data() + kHeaderBytes;
    if (mask_crc(Crc(data, header.size)) != load<std::uint32_t>(data + header.size))
        return {Framing::kBadData, header.size};
    return header;
}

template <std::uint32_t (*Crc)(const std::uint8_t*, std::size_t)>
inline __attribute__((always_inline)) std::size_t find_with(Bytes bytes, std::size_t from) {
    for (; from + kHeaderBytes <= bytes.size(); ++from)
        if (header_with<Crc>(bytes.subspan(from)).framing == Framing::kGood) return from;
    return from;
}

LB_CRC_TARGET Frame header_hardware(Bytes bytes) { return header_with<crc32c_hardware>(bytes); }
LB_CRC_TARGET Frame frame_hardware(Bytes bytes) { return frame_with<crc32c_hardware>(bytes); }
LB_CRC_TARGET std::size_t find_hardware(Bytes bytes, std::size_t from) {
    return find_with<crc32c_hardware>(bytes, from);
}

Frame header_portable(Bytes bytes) { return header_with<crc32c_portable>(bytes); }
Frame frame_portable(Bytes bytes) { return frame_with<crc32c_portable>(bytes); }
std::size_t find_portable(Bytes bytes, std::size_t from) { return find_with<crc32c_portable>(bytes, from); }

// Determined once at startup.
const bool kHardware = crc32c_in_hardware();

}  // namespace

Frame header_at(Bytes bytes) { return kHardware ? header_hardware(bytes) : header_portable(bytes); }
Frame frame_at(Bytes bytes) { return kHardware ? frame_hardware(bytes) : frame_portable(bytes); }
std::size_t find_header(Bytes bytes, std::size_t from) {
    return kHardware ? find_hardware(bytes, from) : find_portable(bytes, from);
}
bool framing_in_hardware() { return kHardware; }

}  // namespace lightboard
