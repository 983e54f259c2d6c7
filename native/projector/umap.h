// UMAP's layout (McInnes, Healy and Melville 2018): neighbors attract, random rows repel, with a falling learning rate.
//
// Within an epoch every row moves independently, one edge after another, and uses the positions of the others before
// the epoch. So threads need no locks, and the same seed gives the same layout on any number of cores.
//
// Eight rows move at once, one per lane of a register. Rows are reordered so that rows with similar numbers of edges
// share a register; a row's index in that order is its seat, used only in this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "projector/affinities.h"

namespace lightboard::projector {

struct UmapOptions {
    std::size_t dims = 2;         // 2 or 3
    double a = 1.577, b = 0.895;  // of the curve 1 / (1 + a d^2b), fitted to `min_distance`
    std::size_t epochs = 200;
    std::uint64_t seed = 0;
};

class Umap {
  public:
    // `initial`: rows × dims.
    Umap(const Graph& graph, std::span<const float> initial, const UmapOptions& options);

    // Runs epochs until the time is over or none is left, at least one; returns false if none is left.
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
    std::vector<std::uint32_t> seats_;  // row → its seat
    std::vector<float> now_, next_;     // by seat
    // Edges by seat, each with the share of epochs that use it; the strongest edge is used in all epochs. `sums_` has
    // the running sums of a seat's shares, starting with 0, in units of 1/65536 and modulo 1: one entry more than
    // edges. Each epoch shifts the sums and uses the edges whose sum passes an integer, so that the number used differs
    // by at most one between epochs.
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint16_t> sums_;
    std::size_t most_edges_ = 0;  // largest number of edges of a seat
};

}  // namespace lightboard::projector
