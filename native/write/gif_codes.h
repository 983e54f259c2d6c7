// Encodes the pixels of a GIF frame: LZW with codes that grow from bits + 1 to 12 bits, split into blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lightboard {

// Pixels are indices into a palette of 2^bits colors, 2 ≤ bits ≤ 8. Throws std::invalid_argument if one is too large.
std::string gif_codes(std::span<const std::uint8_t> pixels, int bits);

}  // namespace lightboard
