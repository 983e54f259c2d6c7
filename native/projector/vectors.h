// Distances and dot products of many rows of floats, computed with the widest registers of this CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard::projector {

// Rows of floats, each padded with zeros to a whole number of registers.
class Rows {
  public:
    Rows() = default;
    // `values` holds rows × dims numbers, row by row; they are copied.
    Rows(std::span<const float> values, std::size_t rows, std::size_t dims);

    std::size_t size() const { return rows_; }
    std::size_t width() const { return width_; }  // floats from the start of one row to the next
    const float* row(std::size_t at) const { return values_.data() + at * width_; }

    // Returns the same rows in another order.
    Rows arranged(std::span<const std::uint32_t> order) const;

  private:
    std::size_t rows_ = 0;
    std::size_t width_ = 0;
    std::vector<float> values_;
};

// found[i] = squared distance between `point` (`rows.width()` floats) and row ids[i].
void squared_distances(const Rows& rows, const float* point, std::span<const std::uint32_t> ids, float* found);

// found[a * count + b] = squared distance between rows `first + a`, a < kAbreast, and b, b < count, of `width` floats
// each. Several rows are computed at once, so that loaded values are used more than once.
inline constexpr std::size_t kAbreast = 4;
void squared_distances(const float* first, const float* others, std::size_t count, std::size_t width, float* found);

// found[i] = dot product of `direction` and row ids[i].
void products(const Rows& rows, const float* direction, std::span<const std::uint32_t> ids, float* found);

}  // namespace lightboard::projector
