// UMAP's layout (McInnes, Healy and Melville 2018): neighbours attract, rows met by chance repel, less and less.
//
// Within an epoch every row moves by itself, one tie after another, and sees the others where they were before the
// epoch. So threads never meet, and the same seed gives the same picture on any number of cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "affinities.h"

namespace lightboard::projector {

struct UmapOptions {
    std::size_t dims = 2;         // 2 or 3
    double a = 1.577, b = 0.895;  // of the curve 1 / (1 + a d^2b), which `min_distance` decides
    std::size_t epochs = 200;
    std::uint64_t seed = 0;
};

class Umap {
  public:
    // `initial`: rows × dims.
    Umap(Graph graph, std::span<const float> initial, const UmapOptions& options);

    // Epochs until the time is over or none is left, at least one; false when none is left.
    bool advance(double seconds);
    void perturb();
    std::size_t epoch() const { return epoch_; }
    const std::vector<float>& coordinates() const { return now_; }
    std::size_t dims() const { return options_.dims; }

  private:
    void turn();

    Graph graph_;
    UmapOptions options_;
    std::size_t epoch_ = 0;
    std::vector<float> now_, next_;
    std::vector<float> every_, due_;  // epochs between two uses of an edge; when it is used next
    std::vector<float> pull_, push_;  // strengths by squared distance, looked up by the upper bits of the float
};

}  // namespace lightboard::projector
