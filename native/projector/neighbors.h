// The nearest neighbors of every row: exact for few rows, approximate for many.
//
// Many rows are split by random planes into small leaves, several times (a forest); rows in the same leaf are compared.
// Then, in each round, every row examines the neighbors of its neighbors (NN-descent, Dong, Moses and Li 2011), until
// hardly anything changes. Each row's list is written by one thread only, and threads read the lists as they were
// before the round: the same seed gives the same lists on any number of cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "projector/vectors.h"

namespace lightboard::projector {

// rows × count, the nearest first; a row is not its own neighbor. `count` is less than requested if there are fewer
// other rows.
struct NeighborLists {
    std::size_t rows = 0;
    std::size_t count = 0;
    std::vector<std::uint32_t> ids;
    std::vector<float> distances;
};

class Neighbors {
  public:
    // `values`: rows × dims, finite, row by row; they are copied. At most 2^31 rows.
    Neighbors(std::span<const float> values, std::size_t rows, std::size_t dims, std::size_t count, std::uint64_t seed);

    // Does the next piece of the work; returns false if none is left.
    bool advance();
    double progress() const;  // 0 to 1
    NeighborLists result() const;

  private:
    struct Leaf {
        std::uint32_t first, last;
    };
    struct Tree {
        std::vector<std::uint32_t> order;
        std::vector<Leaf> leaves;
    };

    // Scratch memory of a thread, reused for the next leaf: the leaf's rows, distances, and the largest distance in
    // each row's list.
    struct LeafRoom {
        std::vector<float> values, found, worst;
    };

    void compare_block();
    void plant();
    void improve();
    Tree grow(std::uint64_t number) const;
    void compare_leaves(const Tree& tree);
    void compare_leaf(std::span<const std::uint32_t> ids, LeafRoom& room);
    void insert(std::size_t row, std::uint32_t id, float distance);
    void adopt_order(std::vector<Tree>& trees);
    // insert() ignores distances that are not less than this.
    float worst(std::size_t row) const {
        return filled_[row] < count_ ? std::numeric_limits<float>::infinity() : distances_[(row + 1) * count_ - 1];
    }

    std::size_t count_;
    std::uint64_t seed_;
    bool exact_;
    Rows rows_;
    std::vector<std::uint32_t> order_;  // internal row → row of the input; empty: the same
    std::size_t done_ = 0;              // blocks compared, or trees built
    std::size_t round_ = 0;
    bool settled_ = false;
    double changed_ = 1;  // share of entries that the last round changed
    // lists, sorted by squared distance; each has `filled_` valid entries
    std::vector<std::uint32_t> ids_;
    std::vector<float> distances_;
    std::vector<std::uint8_t> fresh_;  // added in the last round (or by the forest)
    std::vector<std::uint32_t> filled_;
    std::vector<std::uint64_t> leaves_;  // for each row, its leaf numbers in the last four trees
};

}  // namespace lightboard::projector
