// UMAP's layout (McInnes, Healy and Melville 2018): neighbours attract, rows met by chance repel, less and less.
//
// Within an epoch every row moves by itself, one tie after another, and sees the others where they were before the
// epoch. So threads never meet, and the same seed gives the same picture on any number of cores.
//
// Eight rows move side by side, a lane of a register each. They sit together because they have about as many ties:
// where a row sits is known to nobody outside.
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
    void take_ties(const Graph& graph);
    void turn();

    UmapOptions options_;
    std::size_t rows_;
    std::size_t epoch_ = 0;
    std::vector<std::uint32_t> seats_;  // row → where it sits
    std::vector<float> now_, next_;     // by seat
    // Ties by seat, each with a share of the epochs, the strongest with all of them. `sums_` has the shares of a seat
    // added up from 0, in 65536ths without whole numbers, one more than it has ties. An epoch shifts the sums; used are
    // the ties that lead across a whole number: as many in one epoch as in the next, but for one.
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint16_t> sums_;
    std::size_t most_ties_ = 0;  // of a seat
};

}  // namespace lightboard::projector
