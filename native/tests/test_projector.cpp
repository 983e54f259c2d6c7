// Tests the projector's kernels: tables as text, neighbors against the exact ones, layouts that keep groups together;
// the same seed gives the same layout; unusual numbers of rows and dimensions. Also built with ThreadSanitizer.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "projector/affinities.h"
#include "projector/matrix_text.h"
#include "projector/neighbors.h"
#include "projector/random.h"
#include "projector/tsne.h"
#include "projector/umap.h"
#include "projector/vectors.h"
#include "tests/check.h"

namespace {

namespace lp = lightboard::projector;

// ---- tables as text

std::string refusal(const std::string& text) {
    try {
        lp::parse_matrix(text, '\t');
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

void reads_tables() {
    const lp::Matrix plain = lp::parse_matrix("1\t2.5\n-3e2\t+4\n", '\t');
    CHECK(plain.rows == 2 && plain.columns == 2 && plain.lines == 2);
    CHECK((plain.cells == std::vector<float>{1, 2.5F, -300, 4}));
    const lp::Matrix odd = lp::parse_matrix("\r\n 1 \t 2\r\n\r\nnan\t-inf", '\t');
    CHECK(odd.rows == 2 && std::isnan(odd.cells[2]) && odd.cells[3] == -INFINITY);
    CHECK(lp::parse_matrix("", '\t').rows == 0);
    CHECK((lp::parse_matrix("1  2 3\n", ' ').cells == std::vector<float>{1, 2, 3}));
    const lp::Matrix huge = lp::parse_matrix("1e999\t-1e999\t1e-999\n", '\t');
    CHECK(huge.cells[0] == INFINITY && huge.cells[1] == -INFINITY && huge.cells[2] == 0);
    CHECK(refusal("1\t2\n3\n") == "line 2: 1 numbers, 2 in the lines before");
    CHECK(refusal("1\t2\n\n3\tx\n") == "line 3: `x` is no number");
    CHECK(refusal("1\t\n") == "line 1: a cell is empty");
    CHECK(refusal("+-1\n") != "" && refusal("+\n") != "" && refusal("0x10\n") != "");
}

// Long enough for several pieces: lines are counted across them.
void reads_long_tables_in_pieces() {
    std::string text;
    for (int row = 0; row < 300'000; ++row) text += std::to_string(row) + "\t" + std::to_string(row % 7) + "\n";
    const lp::Matrix whole = lp::parse_matrix(text, '\t');
    CHECK(whole.rows == 300'000 && whole.cells[2 * 299'999] == 299'999);
    text += "oops\t1\n";
    CHECK(refusal(text) == "line 300001: `oops` is no number");
}

// ---- groups of points

struct Blobs {
    std::size_t rows, dims, groups;
    std::vector<float> values;
    std::size_t group(std::size_t row) const { return row % groups; }
};

Blobs blobs(std::size_t rows, std::size_t dims, std::size_t groups) {
    Blobs made{rows, dims, groups, std::vector<float>(rows * dims)};
    for (std::size_t row = 0; row < rows; ++row) {
        lp::Random center(7, row % groups), noise(8, row);
        for (std::size_t i = 0; i < dims; ++i)
            made.values[row * dims + i] = 5 * center.symmetric() + noise.symmetric() + 0.5F * noise.symmetric();
    }
    return made;
}

lp::NeighborLists neighbors(const Blobs& data, std::size_t count, std::uint64_t seed = 1) {
    lp::Neighbors search(data.values, data.rows, data.dims, count, seed);
    double last = search.progress();
    while (search.advance()) {
        CHECK(search.progress() >= last && search.progress() <= 1);
        last = search.progress();
    }
    CHECK(search.progress() == 1);
    return search.result();
}

std::vector<std::uint32_t> exact(const Blobs& data, std::size_t row, std::size_t count) {
    std::vector<std::pair<float, std::uint32_t>> all;
    for (std::size_t other = 0; other < data.rows; ++other) {
        if (other == row) continue;
        float sum = 0;
        for (std::size_t i = 0; i < data.dims; ++i) {
            const float apart = data.values[row * data.dims + i] - data.values[other * data.dims + i];
            sum += apart * apart;
        }
        all.emplace_back(sum, static_cast<std::uint32_t>(other));
    }
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < count; ++i) ids.push_back(all[i].second);
    return ids;
}

void finds_neighbors(std::size_t rows, double wanted) {
    const Blobs data = blobs(rows, 20, 10);
    const lp::NeighborLists lists = neighbors(data, 10);
    CHECK(lists.rows == rows && lists.count == 10);
    std::size_t hits = 0;
    const std::size_t looked = 50;
    for (std::size_t turn = 0; turn < looked; ++turn) {
        const std::size_t row = turn * (rows / looked);
        const std::vector<std::uint32_t> true_ids = exact(data, row, 10);
        for (std::size_t i = 0; i < 10; ++i) {
            const std::uint32_t id = lists.ids[row * 10 + i];
            CHECK(id != row && id < rows);
            if (i) CHECK(lists.distances[row * 10 + i] >= lists.distances[row * 10 + i - 1]);
            hits += std::count(true_ids.begin(), true_ids.end(), id);
        }
    }
    CHECK(static_cast<double>(hits) >= wanted * static_cast<double>(looked * 10));
}

void is_the_same_with_the_same_seed() {
    const Blobs data = blobs(6000, 12, 6);
    const lp::NeighborLists first = neighbors(data, 8), second = neighbors(data, 8);
    CHECK(first.ids == second.ids && first.distances == second.distances);
    std::vector<float> initial(data.rows * 2);
    lp::Random random(3);
    for (float& value : initial) value = random.symmetric();
    const auto umap = [&] {
        lp::Umap layout(lp::fuzzy_graph(first, {}), initial, {2, 1.577, 0.895, 20, 5});
        while (layout.advance(0)) {
        }
        return layout.coordinates();
    };
    CHECK(umap() == umap());
    const auto tsne = [&] {
        lp::Tsne layout(lp::probabilities(first, 2, {}), initial, {2, 0, 5});
        layout.advance(1e9, 10);
        return layout.coordinates();
    };
    CHECK(tsne() == tsne());
}

void distances_of_blocks_are_those_of_the_formula() {
    for (const std::size_t count : {1UL, 2UL, 7UL, 12UL}) {
        const Blobs data = blobs(lp::kAbreast + count, 20, 3);
        const lp::Rows rows(data.values, data.rows, data.dims);
        std::vector<float> found(lp::kAbreast * count);
        lp::squared_distances(rows.row(0), rows.row(lp::kAbreast), count, rows.width(), found.data());
        for (std::size_t a = 0; a < lp::kAbreast; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                double sum = 0;
                for (std::size_t i = 0; i < data.dims; ++i)
                    sum += std::pow(rows.row(a)[i] - rows.row(lp::kAbreast + b)[i], 2.0);
                CHECK(std::abs(found[a * count + b] - sum) <= 1e-5 * sum);
            }
        }
    }
}

void where_rows_sit_is_not_seen() {
    const Blobs data = blobs(701, 6, 4);
    const lp::Graph graph = lp::fuzzy_graph(neighbors(data, 8), {});
    std::vector<float> initial(data.rows * 2);
    lp::Random random(3);
    for (float& value : initial) value = 10 * random.symmetric();
    lp::Umap layout(graph, initial, {2, 1.577, 0.895, 100, 5});
    CHECK(layout.coordinates() == initial);
    while (layout.advance(1)) {
    }
    std::size_t closer = 0;  // edges that are shorter than before
    const std::vector<float> places = layout.coordinates();
    const auto apart = [](const std::vector<float>& at, std::size_t a, std::size_t b) {
        return std::hypot(at[2 * a] - at[2 * b], at[2 * a + 1] - at[2 * b + 1]);
    };
    for (std::size_t row = 0; row < data.rows; ++row)
        for (std::size_t edge = graph.first[row]; edge < graph.first[row + 1]; ++edge)
            closer += apart(places, row, graph.ids[edge]) < apart(initial, row, graph.ids[edge]);
    CHECK(closer > graph.ids.size() * 9 / 10);
}

void layouts_refuse_what_they_cannot_count_with() {
    const lp::Graph graph = lp::fuzzy_graph(neighbors(blobs(20, 3, 2), 3), {});
    const auto refused = [&](float place, const lp::UmapOptions& options) {
        try {
            lp::Umap layout(graph, std::vector<float>(40, place), options);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refused(1, {2, 1.577, 0.895, 3, 5}));
    CHECK(refused(NAN, {2, 1.577, 0.895, 3, 5}) && refused(1e10F, {2, 1.577, 0.895, 3, 5}));
    CHECK(refused(1, {2, 1.577, 0.1, 3, 5}) && refused(1, {3, 1.577, 0.895, 3, 5}));
}

// Returns the share of nearest neighbors in the layout that belong to the same group.
double purity(const Blobs& data, const std::vector<float>& places, std::size_t dims) {
    std::size_t same = 0, all = 0;
    for (std::size_t row = 0; row < data.rows; row += 7) {
        float best = INFINITY;
        std::size_t nearest = 0;
        for (std::size_t other = 0; other < data.rows; ++other) {
            float sum = 0;
            for (std::size_t i = 0; i < dims; ++i) {
                const float apart = places[row * dims + i] - places[other * dims + i];
                sum += apart * apart;
            }
            if (other != row && sum < best) best = sum, nearest = other;
        }
        same += data.group(nearest) == data.group(row);
        ++all;
    }
    return static_cast<double>(same) / static_cast<double>(all);
}

void layouts_keep_groups_together(std::size_t dims) {
    const Blobs data = blobs(900, 10, 6);
    const lp::NeighborLists lists = neighbors(data, 15);
    std::vector<float> initial(data.rows * dims);
    lp::Random random(3);
    for (float& value : initial) value = 10 * random.symmetric();
    lp::Umap umap(lp::fuzzy_graph(lists, {}), initial, {dims, 1.577, 0.895, 200, 5});
    while (umap.advance(1)) {
    }
    CHECK(umap.epoch() == 200 && !umap.advance(1));
    CHECK(purity(data, umap.coordinates(), dims) > 0.95);
    lp::Tsne tsne(lp::probabilities(lists, 5, {}), initial, {dims, 0, 5});
    tsne.advance(1e9, 300);
    CHECK(tsne.iteration() == 300);
    CHECK(purity(data, tsne.coordinates(), dims) > 0.95);
    tsne.perturb();
    umap.perturb();
    tsne.advance(0, 301);
    for (const float value : tsne.coordinates()) CHECK(std::isfinite(value));
}

void graphs_are_symmetric_and_obey_labels() {
    const Blobs data = blobs(300, 5, 3);
    const lp::NeighborLists lists = neighbors(data, 6);
    const lp::Graph plain = lp::fuzzy_graph(lists, {});
    std::vector<std::int32_t> labels(data.rows);
    for (std::size_t row = 0; row < data.rows; ++row) labels[row] = static_cast<std::int32_t>(row % 2) - (row % 5 == 0);
    const lp::Graph split = lp::fuzzy_graph(lists, {labels, 1});
    for (std::size_t row = 0; row < data.rows; ++row) {
        for (std::size_t edge = plain.first[row]; edge < plain.first[row + 1]; ++edge) {
            const std::uint32_t other = plain.ids[edge];
            bool back = false;
            for (std::size_t twin = plain.first[other]; twin < plain.first[other + 1]; ++twin)
                back = back || (plain.ids[twin] == row && plain.weights[twin] == plain.weights[edge]);
            CHECK(back && plain.weights[edge] > 0 && plain.weights[edge] <= 1);
            const bool none = labels[row] < 0 || labels[other] < 0;
            const float kept = none ? 0.5F : labels[row] == labels[other] ? 1.0F : 0.0F;
            CHECK(split.weights[edge] == plain.weights[edge] * kept);
        }
    }
    const lp::Graph shares = lp::probabilities(lists, 3, {});
    CHECK(std::abs(std::accumulate(shares.weights.begin(), shares.weights.end(), 0.0) - 1) < 1e-4);
}

// One row, two, three; identical rows; one dimension; large distances.
void odd_data_is_laid_out() {
    for (const std::size_t rows : {1UL, 2UL, 3UL, 50UL, 5000UL}) {
        for (const float scale : {0.0F, 1.0F, 1e18F}) {
            Blobs data{rows, 1, 1, std::vector<float>(rows)};
            for (std::size_t row = 0; row < rows; ++row) data.values[row] = scale * static_cast<float>(row % 10);
            const lp::NeighborLists lists = neighbors(data, 15);
            CHECK(lists.count == std::min<std::size_t>(15, rows - 1));
            const std::vector<float> initial(rows * 3, 0.0F);
            lp::Umap umap(lp::fuzzy_graph(lists, {}), initial, {3, 1.577, 0.895, 3, 5});
            while (umap.advance(0)) {
            }
            lp::Tsne tsne(lp::probabilities(lists, 30, {}), initial, {3, 0, 5});
            tsne.advance(1e9, 3);
            for (const float value : umap.coordinates()) CHECK(std::isfinite(value));
            for (const float value : tsne.coordinates()) CHECK(std::isfinite(value));
        }
    }
    const Blobs few = blobs(60, 3, 3);
    lp::Tsne wild(lp::probabilities(neighbors(few, 9), 3, {}), std::vector<float>(120, 0.5F), {2, 1e12, 5});
    wild.advance(1e9, 60);
    for (const float value : wild.coordinates()) CHECK(std::isfinite(value));
    const Blobs wide = blobs(40, 10'000, 4);
    CHECK(neighbors(wide, 5).count == 5);
}

}  // namespace

int main() {
    reads_tables();
    reads_long_tables_in_pieces();
    finds_neighbors(1000, 1.0);
    finds_neighbors(9000, 0.97);
    is_the_same_with_the_same_seed();
    layouts_keep_groups_together(2);
    layouts_keep_groups_together(3);
    distances_of_blocks_are_those_of_the_formula();
    where_rows_sit_is_not_seen();
    layouts_refuse_what_they_cannot_count_with();
    graphs_are_symmetric_and_obey_labels();
    odd_data_is_laid_out();
    std::puts("projector: ok");
}
