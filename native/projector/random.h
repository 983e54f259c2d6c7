// Reproducible pseudo-random numbers: each is computed from a seed and the index of its use, so that the result does
// not depend on how work is split among threads.
#pragma once

#include <cstdint>

namespace lightboard::projector {

// SplitMix64, https://prng.di.unimi.it/splitmix64.c
inline std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

class Random {
  public:
    explicit Random(std::uint64_t seed, std::uint64_t a = 0, std::uint64_t b = 0)
        : state_(mixed(mixed(mixed(seed) ^ a) ^ (b << 32))) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        return mixed(state_);
    }
    // Returns a number from 0 to below `end`, which must be less than 2^32.
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(((next() >> 32) * end) >> 32); }
    // Returns a number from -1 to 1.
    float symmetric() { return static_cast<float>(static_cast<std::int64_t>(next()) >> 32) * 0x1p-31F; }

  private:
    std::uint64_t state_;
};

}  // namespace lightboard::projector
