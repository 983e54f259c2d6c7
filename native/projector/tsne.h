// t-SNE's layout (van der Maaten 2014): neighbors attract, all rows repel each other, and distant groups act as one
// point (Barnes–Hut).
//
// One thread sums the forces on a row, in a fixed order: the same seed gives the same layout on any number of cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "projector/affinities.h"

namespace lightboard::projector {

struct TsneOptions {
    std::size_t dims = 2;      // 2 or 3
    double learning_rate = 0;  // 0: derived from the number of rows
    std::uint64_t seed = 0;
};

class Tsne {
  public:
    // `graph`: the result of probabilities(); `initial`: rows × dims, of any extent.
    Tsne(Graph graph, std::span<const float> initial, const TsneOptions& options);

    // Runs iterations until the time is over or `most` are done, at least one.
    void advance(double seconds, std::size_t most);
    void perturb();
    std::size_t iteration() const { return iteration_; }
    const std::vector<float>& coordinates() const { return now_; }
    std::size_t dims() const { return options_.dims; }

  private:
    // A cell of the tree, followed by its child cells; `skip` is the index of its next sibling.
    struct Cell {
        float center[3];
        float width;
        std::uint32_t size, skip, first;
    };

    template <std::size_t kDims>
    void turn();
    template <std::size_t kDims>
    void plant();
    template <std::size_t kDims>
    std::uint32_t grow(std::uint32_t first, std::uint32_t last, int level, float width);

    Graph graph_;
    TsneOptions options_;
    double rate_;
    std::size_t iteration_ = 0;
    std::vector<float> now_, velocity_, gains_, forces_;
    std::vector<std::uint64_t> codes_;  // Morton code of each row's position; sorted
    std::vector<std::uint32_t> order_;  // rows in the order of the codes
    std::vector<float> sorted_;         // their coordinates
    std::vector<Cell> cells_;
};

}  // namespace lightboard::projector
