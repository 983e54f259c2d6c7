#include "projector/affinities.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kPieceRows = 1024;
constexpr int kHalvings = 64;
constexpr std::size_t kForThreads = std::size_t{1} << 40;

template <class Work>
void each_row(std::size_t rows, Work work) {
    kernels::in_parallel((rows + kPieceRows - 1) / kPieceRows, kForThreads, [&](std::size_t piece) {
        const std::size_t end = std::min((piece + 1) * kPieceRows, rows);
        for (std::size_t row = piece * kPieceRows; row < end; ++row) work(row);
    });
}

// Computes the weights of a row's edges, which add up to log2(count).
void fuzzy_row(std::span<const float> distances, std::span<float> weights) {
    float nearest = 0, mean = 0;
    std::size_t finite = 0;
    for (const float distance : distances) {
        if (!std::isfinite(distance)) continue;
        if (nearest == 0 && distance > 0) nearest = distance;
        mean += distance;
        ++finite;
    }
    mean = finite ? mean / static_cast<float>(finite) : 0;
    const double wanted = std::log2(static_cast<double>(std::max<std::size_t>(finite, 2)));
    double low = 0, high = INFINITY, width = 1;
    for (int turn = 0; turn < kHalvings; ++turn) {
        double sum = 0;
        for (const float distance : distances)
            if (std::isfinite(distance)) sum += distance > nearest ? std::exp(-(distance - nearest) / width) : 1.0;
        if (std::abs(sum - wanted) < 1e-5) break;
        if (sum > wanted) {
            high = width;
            width = (low + high) / 2;
        } else {
            low = width;
            width = std::isfinite(high) ? (low + high) / 2 : width * 2;
        }
    }
    width = std::max(width, 1e-3 * mean);
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const float beyond = distances[i] - nearest;
        weights[i] = !std::isfinite(distances[i]) ? 0.0F
                     : beyond <= 0 || width <= 0  ? 1.0F
                                                  : static_cast<float>(std::exp(-beyond / width));
    }
}

// Computes the probabilities of a row's neighbors, whose entropy is log(perplexity).
void gaussian_row(std::span<const float> distances, float perplexity, std::span<float> weights) {
    double least = INFINITY;
    for (const float distance : distances)
        least = std::min(least, static_cast<double>(distance) * static_cast<double>(distance));
    const double wanted = std::log(static_cast<double>(perplexity));
    double low = 0, high = INFINITY, beta = 1, sum = 1;
    for (int turn = 0; turn < kHalvings; ++turn) {
        sum = 0;
        double moment = 0;
        for (const float distance : distances) {
            const double squared = static_cast<double>(distance) * static_cast<double>(distance) - least;
            if (!std::isfinite(squared)) continue;
            const double share = std::exp(-beta * squared);
            sum += share;
            moment += share * squared;
        }
        const double entropy = sum > 0 ? std::log(sum) + beta * moment / sum : 0;
        if (std::abs(entropy - wanted) < 1e-5) break;
        if (entropy > wanted) {
            low = beta;
            beta = std::isfinite(high) ? (low + high) / 2 : beta * 2;
        } else {
            high = beta;
            beta = (low + high) / 2;
        }
    }
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const double squared = static_cast<double>(distances[i]) * static_cast<double>(distances[i]) - least;
        weights[i] = std::isfinite(squared) && sum > 0 ? static_cast<float>(std::exp(-beta * squared) / sum) : 0.0F;
    }
}

// Combines each edge with its opposite direction, whose weight is 0 if it does not exist.
template <class Join>
Graph symmetric(const NeighborLists& lists, const std::vector<float>& weights, const Supervision& supervision,
                Join join) {
    const std::size_t n = lists.rows, k = lists.count;
    const auto weight_of = [&](std::size_t from, std::uint32_t to) {
        const std::uint32_t* ids = lists.ids.data() + from * k;
        for (std::size_t i = 0; i < k; ++i)
            if (ids[i] == to) return weights[from * k + i];
        return 0.0F;
    };
    Graph graph;
    graph.first.assign(n + 1, 0);
    std::vector<float> others(n * k, 0.0F);  // weight of the opposite direction
    each_row(n, [&](std::size_t row) {
        for (std::size_t i = 0; i < k; ++i) {
            const std::size_t at = row * k + i;
            if (weights[at] > 0) others[at] = weight_of(lists.ids[at], static_cast<std::uint32_t>(row));
        }
    });
    for (std::size_t at = 0; at < n * k; ++at) {
        if (!(weights[at] > 0)) continue;
        ++graph.first[at / k + 1];
        if (!(others[at] > 0)) ++graph.first[lists.ids[at] + 1];
    }
    std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
    graph.ids.resize(graph.first.back());
    graph.weights.resize(graph.first.back());
    std::vector<std::size_t> next(graph.first.begin(), graph.first.end() - 1);
    const auto add = [&](std::size_t from, std::uint32_t to, float weight) {
        graph.ids[next[from]] = to;
        graph.weights[next[from]++] = weight;
    };
    for (std::size_t at = 0; at < n * k; ++at) {
        if (!(weights[at] > 0)) continue;
        const auto row = static_cast<std::uint32_t>(at / k);
        const std::uint32_t other = lists.ids[at];
        float weight = join(weights[at], others[at]);
        if (!supervision.labels.empty() && supervision.amount > 0) {
            const std::int32_t mine = supervision.labels[row], theirs = supervision.labels[other];
            if (mine < 0 || theirs < 0)
                weight *= 1 - supervision.amount / 2;
            else if (mine != theirs)
                weight *= 1 - supervision.amount;
        }
        add(row, other, weight);
        if (!(others[at] > 0)) add(other, row, weight);
    }
    return graph;
}

}  // namespace

Graph fuzzy_graph(const NeighborLists& lists, const Supervision& supervision) {
    std::vector<float> weights(lists.ids.size());
    const std::size_t k = lists.count;
    each_row(lists.rows,
             [&](std::size_t row) { fuzzy_row({lists.distances.data() + row * k, k}, {weights.data() + row * k, k}); });
    return symmetric(lists, weights, supervision, [](float a, float b) { return a + b - a * b; });
}

Graph probabilities(const NeighborLists& lists, float perplexity, const Supervision& supervision) {
    std::vector<float> weights(lists.ids.size());
    const std::size_t k = lists.count;
    // the perplexity cannot exceed the number of neighbors
    const float possible = std::min(perplexity, std::max(1.0F, static_cast<float>(k) - 0.5F));
    each_row(lists.rows, [&](std::size_t row) {
        gaussian_row({lists.distances.data() + row * k, k}, possible, {weights.data() + row * k, k});
    });
    Graph graph = symmetric(lists, weights, supervision, [](float a, float b) { return a + b; });
    double sum = 0;
    for (const float weight : graph.weights) sum += weight;
    if (sum > 0)
        for (float& weight : graph.weights) weight = static_cast<float>(weight / sum);
    return graph;
}

}  // namespace lightboard::projector
