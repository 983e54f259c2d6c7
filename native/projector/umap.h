// UMAP's layout (McInnes, Healy and Melville 2018): neighbors attract, random rows repel, with a falling learning rate.
//
// Within an epoch every row moves by itself, one edge after another, and sees the others where they were before the
// epoch. So threads never meet, and the same seed gives the same picture on any number of cores.
//
// Eight rows move side by side, a lane of a register each. Rows are reordered so that those with about as many edges
// share a register; a row's position in that order is its seat, used only in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "projector/affinities.h"

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
    Umap(const Graph& graph, std::span<const float> initial, const UmapOptions& options);

    // Epochs until the time is over or none is left, at least one; false when none is left.
    bool advance(double seconds);
    void perturb();
    std::size_t epoch() const { return epoch_; }
    std::vector<float> coordinates() const;  // rows × dims
    std::size_t dims() const { return options_.dims; }

  private:
    void take_seats(const Graph& graph);
    void take_edges(const Graph& graph);
    void turn();

    UmapOptions options_;
    std::size_t rows_;
    std::size_t epoch_ = 0;
    std::vector<std::uint32_t> seats_;  // row → where it sits
    std::vector<float> now_, next_;     // by seat
    // Edges by seat, each with the share of epochs that use it; the strongest is used in all. `sums_` are the running
    // sums of a seat's shares from 0 on, in 65536ths and modulo 1: one more than it has edges. Each epoch shifts the
    // sums and uses the edges that pass a whole number, so that the number used differs by at most one between epochs.
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint16_t> sums_;
    std::size_t most_edges_ = 0;  // of a seat
};

}  // namespace lightboard::projector
