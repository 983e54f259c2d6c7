// t-SNE's layout (van der Maaten 2014): neighbors attract, everything repels everything, far groups as one
// (Barnes–Hut).
//
// Forces on a row are summed by one thread in one order: the same seed gives the same picture on any number of cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "projector/affinities.h"

namespace lightboard::projector {

struct TsneOptions {
    std::size_t dims = 2;      // 2 or 3
    double learning_rate = 0;  // 0: by the number of rows
    std::uint64_t seed = 0;
};

class Tsne {
  public:
    // `graph`: probabilities(), `initial`: rows × dims, of any extent.
    Tsne(Graph graph, std::span<const float> initial, const TsneOptions& options);

    // Iterations until the time is over or `most` are done, at least one.
    void advance(double seconds, std::size_t most);
    void perturb();
    std::size_t iteration() const { return iteration_; }
    const std::vector<float>& coordinates() const { return now_; }
    std::size_t dims() const { return options_.dims; }

  private:
    // A cell of the tree, cells below it following; `skip` is where the next one beside it stands.
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
    std::vector<std::uint64_t> codes_;  // where each row lies, along a curve through all of space; sorted
    std::vector<std::uint32_t> order_;  // rows in that order
    std::vector<float> sorted_;         // their coordinates
    std::vector<Cell> cells_;
};

}  // namespace lightboard::projector
