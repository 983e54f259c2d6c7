// Converts lists of neighbors to a symmetric graph whose weights are the similarities of two rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "projector/neighbors.h"

namespace lightboard::projector {

// Contains both directions of every edge: the edges of row i are first[i] … first[i + 1].
struct Graph {
    std::vector<std::size_t> first;
    std::vector<std::uint32_t> ids;
    std::vector<float> weights;

    std::size_t rows() const { return first.empty() ? 0 : first.size() - 1; }
};

// Labels change the weights: an edge between different labels is multiplied by 1 - amount, an edge to a row without a
// label (-1) by 1 - amount / 2.
struct Supervision {
    std::span<const std::int32_t> labels;  // empty: none
    float amount = 0;
};

// Returns UMAP's fuzzy sets: the edge of a row to its nearest neighbor has weight 1, and the weights of all its edges
// add up to log2(count). The two directions a and b of an edge become a + b - ab. Weights are from 0 to 1.
Graph fuzzy_graph(const NeighborLists& lists, const Supervision& supervision);

// Returns t-SNE's probabilities: a Gaussian around each row, whose width gives an effective number of neighbors equal
// to `perplexity`. All weights add up to 1.
Graph probabilities(const NeighborLists& lists, float perplexity, const Supervision& supervision);

}  // namespace lightboard::projector
