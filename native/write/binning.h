// Counting numbers into bins, with what a histogram summary says beside the counts, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard {

// What one pass finds. `counts[i]` is how many numbers lie in [edge i, edge i + 1); the last bin holds its upper edge
// too. A NaN is in no bin and makes min, max and the sums NaN, as it does in NumPy.
struct Binned {
    std::vector<std::int64_t> counts;
    double min = 0;
    double max = 0;
    double sum = 0;
    double sum_squares = 0;
};

// Bins by their edges, prepared for many numbers: a table over the upper 16 bits of a double (sign, exponent and four
// bits of the fraction) says how many edges lie below every number that begins with these bits. The default bins of a
// histogram grow by a tenth, a cell of the table by at most a sixteenth: one comparison remains.
class Bins {
  public:
    // Edges must be at least two and not decrease; std::invalid_argument otherwise.
    explicit Bins(std::span<const double> edges);

    Binned count(std::span<const float> values) const;
    Binned count(std::span<const double> values) const;

  private:
    template <bool kSparse, class T>
    Binned count_all(std::span<const T> values) const;
    template <bool kSparse>
    std::size_t edges_below(double value) const;
    std::size_t up_to(double value) const;

    std::vector<double> edges_;         // and a NaN behind them
    std::vector<std::uint32_t> below_;  // for each cell how many edges are ≤ its least number
    bool sparse_ = true;                // no cell holds more than one edge
};

}  // namespace lightboard
