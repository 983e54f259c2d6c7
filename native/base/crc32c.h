// CRC-32C (Castagnoli), the checksum of TFRecord framing, and the masking TFRecord applies to it.
//
// The hardware version is chosen at run time; the portable one gives the same results on any machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#define LB_CRC_X86 1
#include <nmmintrin.h>
#define LB_CRC_TARGET __attribute__((target("sse4.2,crc32")))
#elif defined(__aarch64__) && defined(__linux__)
#define LB_CRC_ARM 1
#include <arm_acle.h>
#define LB_CRC_TARGET __attribute__((target("+crc")))
#else
#define LB_CRC_TARGET
#endif

namespace lightboard {

bool crc32c_in_hardware();

// Returns the checksum of `size` bytes, computed with the fastest version for this machine.
std::uint32_t crc32c(const std::uint8_t* data, std::size_t size);
std::uint32_t crc32c_portable(const std::uint8_t* data, std::size_t size);

// TFRecord stores a rotated and shifted CRC, so that a CRC over bytes that hold CRCs stays useful.
constexpr std::uint32_t mask_crc(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

template <class T>
inline T load(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

#if defined(LB_CRC_X86) && defined(__x86_64__)
// Inlined into the framing loop: an event of about 40 bytes costs six instructions.
LB_CRC_TARGET inline std::uint32_t crc32c_hardware(const std::uint8_t* data, std::size_t size) {
    std::uint64_t crc = 0xffffffffu;
    for (; size >= 8; data += 8, size -= 8) crc = _mm_crc32_u64(crc, load<std::uint64_t>(data));
    auto crc32 = static_cast<std::uint32_t>(crc);
    if (size & 4) {
        crc32 = _mm_crc32_u32(crc32, load<std::uint32_t>(data));
        data += 4;
    }
    if (size & 2) {
        crc32 = _mm_crc32_u16(crc32, load<std::uint16_t>(data));
        data += 2;
    }
    if (size & 1) crc32 = _mm_crc32_u8(crc32, *data);
    return ~crc32;
}
#elif defined(LB_CRC_ARM)
LB_CRC_TARGET inline std::uint32_t crc32c_hardware(const std::uint8_t* data, std::size_t size) {
    std::uint32_t crc = 0xffffffffu;
    for (; size >= 8; data += 8, size -= 8) crc = __crc32cd(crc, load<std::uint64_t>(data));
    for (; size; ++data, --size) crc = __crc32cb(crc, *data);
    return ~crc;
}
#else
inline std::uint32_t crc32c_hardware(const std::uint8_t* data, std::size_t size) { return crc32c_portable(data, size); }
#endif

}  // namespace lightboard
