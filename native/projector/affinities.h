// From lists of neighbours to a symmetric graph of how much each two rows belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "projector/neighbors.h"

namespace lightboard::projector {

// Both directions of every edge: those of row i are first[i] … first[i + 1].
struct Graph {
    std::vector<std::size_t> first;
    std::vector<std::uint32_t> ids;
    std::vector<float> weights;

    std::size_t rows() const { return first.empty() ? 0 : first.size() - 1; }
};

// How labels change it: an edge between different ones keeps 1 - amount of its weight, one that leads to a row without
// a label (-1) half of what that takes away.
struct Supervision {
    std::span<const std::int32_t> labels;  // empty: none
    float amount = 0;
};

// UMAP's fuzzy sets: every row is fully tied to its nearest neighbour, and to log2(count) of them in all; two ties
// between the same rows make one that is at least as strong, a + b - ab. Weights are from 0 to 1.
Graph fuzzy_graph(const NeighborLists& lists, const Supervision& supervision);

// t-SNE's probabilities: neighbours of a row have a Gaussian of the width at which they are `perplexity` in effect.
// All weights together are 1.
Graph probabilities(const NeighborLists& lists, float perplexity, const Supervision& supervision);

}  // namespace lightboard::projector
