#include "write/gif_codes.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace lightboard {
namespace {

constexpr int kWidest = 12;
constexpr std::size_t kMostCodes = std::size_t{1} << kWidest;
constexpr std::size_t kBlock = 255;

// Packs bits, lowest first, into blocks that begin with their length.
class Blocks {
  public:
    void put(std::uint32_t code, int width) {
        held_ |= code << bits_;
        for (bits_ += width; bits_ >= 8; bits_ -= 8, held_ >>= 8) byte(static_cast<char>(held_ & 0xff));
    }

    std::string finished() {
        if (bits_) byte(static_cast<char>(held_ & 0xff));
        end_block();
        out_.push_back('\0');
        return std::move(out_);
    }

  private:
    void byte(char next) {
        block_.push_back(next);
        if (block_.size() == kBlock) end_block();
    }
    void end_block() {
        if (block_.empty()) return;
        out_.push_back(static_cast<char>(block_.size()));
        out_ += block_;
        block_.clear();
    }

    std::uint32_t held_ = 0;
    int bits_ = 0;
    std::string block_, out_;
};

}  // namespace

std::string gif_codes(std::span<const std::uint8_t> pixels, int bits) {
    if (bits < 2 || bits > 8) throw std::invalid_argument("a palette has 4 to 256 colours");
    const auto clear = std::uint32_t{1} << bits;
    if (std::any_of(pixels.begin(), pixels.end(), [&](std::uint8_t pixel) { return pixel >= clear; })) {
        throw std::invalid_argument("a pixel is beyond the palette");
    }
    const auto end = clear + 1;
    // known[prefix * colors + pixel]: the code of that string, 0 if it has none yet.
    std::vector<std::uint16_t> known(kMostCodes << bits);
    Blocks out;
    int width = bits + 1;
    std::uint32_t following = end + 1;
    out.put(clear, width);
    std::uint32_t prefix = pixels.empty() ? end : pixels[0];
    for (std::size_t at = 1; at < pixels.size(); ++at) {
        std::uint16_t& code = known[(std::size_t{prefix} << bits) + pixels[at]];
        if (code) {
            prefix = code;
            continue;
        }
        out.put(prefix, width);
        prefix = pixels[at];
        if (following < kMostCodes) {
            code = static_cast<std::uint16_t>(following);
            if (following == std::uint32_t{1} << width) ++width;
            ++following;
        } else {
            out.put(clear, width);
            std::fill(known.begin(), known.end(), std::uint16_t{0});
            width = bits + 1;
            following = end + 1;
        }
    }
    if (pixels.empty()) {
        out.put(end, width);
        return out.finished();
    }
    out.put(prefix, width);
    // A decoder adds an entry for this code as well, which may make the next code wider.
    if (following == std::uint32_t{1} << width && width < kWidest) ++width;
    out.put(end, width);
    return out.finished();
}

}  // namespace lightboard
