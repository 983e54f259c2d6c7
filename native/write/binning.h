// Counts numbers into bins and computes the other statistics of a histogram summary, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightboard {

// Results of one pass. `counts[i]` is how many numbers are in [edge i, edge i + 1); the last bin includes its upper
// edge. A NaN is in no bin and makes min, max and the sums NaN, as in NumPy.
struct Binned {
    std::vector<std::int64_t> counts;
    double min = 0;
    double max = 0;
    double sum = 0;
    double sum_squares = 0;
};

// Finds bins with a lookup table: for the upper 16 bits of a double (sign, exponent and four bits of the fraction) it
// has the number of edges below every number with these bits. The default bins of a histogram grow by a tenth, a cell
// of the table by at most a sixteenth, so one comparison remains.
class Bins {
  public:
    // Needs at least two edges that do not decrease; throws std::invalid_argument otherwise.
    explicit Bins(std::span<const double> edges);

    Binned count(std::span<const float> values) const;
    Binned count(std::span<const double> values) const;

  private:
    template <bool kSparse, class T>
    Binned count_all(std::span<const T> values) const;
    template <bool kSparse>
    std::size_t edges_below(double value) const;
    std::size_t up_to(double value) const;

    std::vector<double> edges_;         // followed by a NaN
    std::vector<std::uint32_t> below_;  // for each cell, the number of edges ≤ its smallest number
    bool sparse_ = true;                // no cell contains more than one edge
};

}  // namespace lightboard
