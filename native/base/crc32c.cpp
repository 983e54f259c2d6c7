#include "base/crc32c.h"

#include <array>

#if defined(LB_CRC_X86)
#include <cpuid.h>
#elif defined(LB_CRC_ARM)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace lightboard {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78u;  // Castagnoli, bits reversed

// Eight tables: byte k of a word is looked up in table 7-k ("slicing by eight").
constexpr auto make_tables() {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kPolynomial : 0);
        tables[0][byte] = crc;
    }
    for (std::uint32_t byte = 0; byte < 256; ++byte)
        for (std::size_t slice = 1; slice < 8; ++slice)
            tables[slice][byte] = (tables[slice - 1][byte] >> 8) ^ tables[0][tables[slice - 1][byte] & 0xff];
    return tables;
}
constexpr auto kTables = make_tables();

}  // namespace

std::uint32_t crc32c_portable(const std::uint8_t* data, std::size_t size) {
    std::uint32_t crc = 0xffffffffu;
    for (; size >= 8; data += 8, size -= 8) {
        const std::uint64_t word = load<std::uint64_t>(data) ^ crc;
        crc = 0;
        for (int byte = 0; byte < 8; ++byte) crc ^= kTables[7 - byte][(word >> (8 * byte)) & 0xff];
    }
    for (; size; ++data, --size) crc = (crc >> 8) ^ kTables[0][(crc ^ *data) & 0xff];
    return ~crc;
}

bool crc32c_in_hardware() {
#if defined(LB_CRC_X86) && defined(__x86_64__)
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_SSE4_2);
#elif defined(LB_CRC_ARM)
    return getauxval(AT_HWCAP) & HWCAP_CRC32;
#else
    return false;
#endif
}

std::uint32_t crc32c(const std::uint8_t* data, std::size_t size) {
    // Cached: on a virtual machine cpuid takes longer than the checksum of a megabyte.
    static const bool hardware = crc32c_in_hardware();
    return hardware ? crc32c_hardware(data, size) : crc32c_portable(data, size);
}

}  // namespace lightboard
