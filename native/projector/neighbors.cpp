#include "projector/neighbors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/parallel.h"
#include "projector/random.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kExactRows = 4096;
constexpr std::size_t kBlockRows = 256;  // rows per piece of the exact comparison
constexpr std::size_t kTrees = 4;        // `leaves_` has space for four
constexpr std::size_t kLeafRows = 512;
constexpr std::size_t kTreesAtOnce = 2;
constexpr std::size_t kMostRounds = 8;
constexpr double kStill = 0.05;     // stop after a round that changes less than this share of all entries
constexpr std::size_t kReach = 24;  // how many neighbors, and neighbors of each of them, a round examines
constexpr std::size_t kPieceRows = 512;
constexpr std::size_t kForThreads = std::size_t{1} << 40;  // more points than any input: use every core

std::size_t leaf_rows(std::size_t count) { return std::max(kLeafRows, 4 * count); }

// Returns whether two rows were in the same leaf of a tree: one of the four 16-bit leaf numbers is equal.
bool shares_leaf(std::uint64_t one, std::uint64_t other) {
    const std::uint64_t apart = one ^ other;
    return (((apart - 0x0001000100010001U) & ~apart) & 0x8000800080008000U) != 0;
}

std::size_t pieces_of(std::size_t rows) { return (rows + kPieceRows - 1) / kPieceRows; }

}  // namespace

Neighbors::Neighbors(std::span<const float> values, std::size_t rows, std::size_t dims, std::size_t count,
                     std::uint64_t seed)
    : count_(std::min(count, rows ? rows - 1 : 0)), seed_(seed), exact_(rows <= kExactRows) {
    if (rows >= std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many rows");
    rows_ = Rows(values, rows, dims);
    ids_.resize(rows * count_);
    distances_.assign(rows * count_, std::numeric_limits<float>::infinity());
    fresh_.assign(rows * count_, 0);
    filled_.assign(rows, 0);
    leaves_.assign(rows, 0);
}

// Reorders the rows as in the first tree, so that neighbors are close in memory.
void Neighbors::adopt_order(std::vector<Tree>& trees) {
    order_ = trees[0].order;
    rows_ = rows_.arranged(order_);
    std::vector<std::uint32_t> places(order_.size());
    for (std::size_t at = 0; at < order_.size(); ++at) places[order_[at]] = static_cast<std::uint32_t>(at);
    for (Tree& tree : trees)
        for (std::uint32_t& row : tree.order) row = places[row];
}

bool Neighbors::advance() {
    if (!count_ || settled_) return false;
    if (exact_)
        compare_block();
    else if (done_ < kTrees)
        plant();
    else
        improve();
    return !settled_;
}

double Neighbors::progress() const {
    if (!count_ || settled_) return 1;
    if (exact_)
        return static_cast<double>(done_ * kBlockRows) / static_cast<double>(std::max<std::size_t>(rows_.size(), 1));
    const double trees = static_cast<double>(done_) / kTrees;
    // an estimate, because the number of rounds is unknown
    return std::min(0.4 * trees + 0.15 * static_cast<double>(round_), 0.95);
}

void Neighbors::insert(std::size_t row, std::uint32_t id, float distance) {
    std::uint32_t* ids = ids_.data() + row * count_;
    float* distances = distances_.data() + row * count_;
    std::uint8_t* fresh = fresh_.data() + row * count_;
    std::size_t size = filled_[row];
    if (size == count_ && !(distance < distances[count_ - 1])) return;
    // equal distances are sorted by row, so that the list does not depend on the order of insertion
    std::size_t at = size;
    while (at > 0 && (distance < distances[at - 1] || (distance == distances[at - 1] && id < ids[at - 1]))) --at;
    for (std::size_t i = at; i > 0 && distances[i - 1] == distance; --i)
        if (ids[i - 1] == id) return;
    for (std::size_t i = at; i < size; ++i)
        if (ids[i] == id) return;
    for (std::size_t i = 0; i < at; ++i)
        if (ids[i] == id) return;
    if (size < count_) filled_[row] = static_cast<std::uint32_t>(++size);
    for (std::size_t i = size - 1; i > at; --i) {
        ids[i] = ids[i - 1];
        distances[i] = distances[i - 1];
        fresh[i] = fresh[i - 1];
    }
    ids[at] = id;
    distances[at] = distance;
    fresh[at] = 1;
}

// Compares every row of a block with all rows.
void Neighbors::compare_block() {
    const std::size_t first = done_ * kBlockRows, last = std::min(first + kBlockRows, rows_.size());
    std::vector<std::uint32_t> all(rows_.size());
    std::iota(all.begin(), all.end(), 0U);
    constexpr std::size_t kShare = 16;
    kernels::in_parallel_with<std::vector<float>>(
        (last - first + kShare - 1) / kShare, kForThreads, [&](std::size_t piece, std::vector<float>& found) {
            found.resize(all.size());
            const std::size_t end = std::min(first + (piece + 1) * kShare, last);
            for (std::size_t row = first + piece * kShare; row < end; ++row) {
                squared_distances(rows_, rows_.row(row), all, found.data());
                for (std::size_t other = 0; other < all.size(); ++other)
                    if (other != row) insert(row, static_cast<std::uint32_t>(other), found[other]);
            }
        });
    ++done_;
    settled_ = last == rows_.size();
}

// Builds one tree: splits the rows in halves along random directions until the parts are small.
Neighbors::Tree Neighbors::grow(std::uint64_t number) const {
    const std::size_t most = leaf_rows(count_);
    Tree tree;
    tree.order.resize(rows_.size());
    std::iota(tree.order.begin(), tree.order.end(), 0U);
    std::vector<Leaf> open{{0, static_cast<std::uint32_t>(rows_.size())}};
    std::vector<float> direction(rows_.width()), seen;
    std::vector<std::pair<float, std::uint32_t>> keyed;
    for (std::uint64_t turn = 0; !open.empty(); ++turn) {
        const Leaf leaf = open.back();
        open.pop_back();
        const std::size_t size = leaf.last - leaf.first;
        if (size <= most) {
            tree.leaves.push_back(leaf);
            continue;
        }
        Random random(seed_, number + 1, turn);
        const std::span<std::uint32_t> part(tree.order.data() + leaf.first, size);
        // direction between two random rows, so that dense regions are split, too
        const auto reach = static_cast<std::uint32_t>(size);
        const float* a = rows_.row(part[random.below(reach)]);
        const float* b = rows_.row(part[random.below(reach)]);
        for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = a[i] - b[i];
        seen.resize(size);
        products(rows_, direction.data(), part, seen.data());
        keyed.resize(size);
        for (std::size_t i = 0; i < size; ++i) keyed[i] = {seen[i], part[i]};
        const std::size_t half = size / 2;
        std::nth_element(keyed.begin(), keyed.begin() + static_cast<std::ptrdiff_t>(half), keyed.end());
        for (std::size_t i = 0; i < size; ++i) part[i] = keyed[i].second;
        const auto middle = static_cast<std::uint32_t>(leaf.first + half);
        open.push_back({middle, leaf.last});
        open.push_back({leaf.first, middle});
    }
    return tree;
}

void Neighbors::plant() {
    const std::size_t size = std::min(kTreesAtOnce, kTrees - done_);
    std::vector<Tree> trees(size);
    kernels::in_parallel(size, kForThreads, [&](std::size_t i) { trees[i] = grow(done_ + i); });
    if (!done_) adopt_order(trees);
    for (const Tree& tree : trees) compare_leaves(tree);
    done_ += size;
}

// Leaves have no common rows, so each may be processed by its own thread.
void Neighbors::compare_leaves(const Tree& tree) {
    kernels::in_parallel_with<LeafRoom>(tree.leaves.size(), kForThreads, [&](std::size_t at, LeafRoom& room) {
        const Leaf leaf = tree.leaves[at];
        const std::span<const std::uint32_t> ids(tree.order.data() + leaf.first, leaf.last - leaf.first);
        for (const std::uint32_t row : ids) leaves_[row] = leaves_[row] << 16 | ((at + 1) & 0xffffU);
        compare_leaf(ids, room);
    });
}

// Compares every row with all rows after it, several rows at once.
void Neighbors::compare_leaf(std::span<const std::uint32_t> ids, LeafRoom& room) {
    const std::size_t size = ids.size(), width = rows_.width();
    // space for a few more rows: the last group may reach beyond the end
    room.values.resize((size + kAbreast) * width);
    room.worst.resize(size);
    room.found.resize(kAbreast * size);
    for (std::size_t i = 0; i < size; ++i) {
        std::copy_n(rows_.row(ids[i]), width, room.values.data() + i * width);
        room.worst[i] = worst(ids[i]);
    }
    for (std::size_t first = 0; first < size; first += kAbreast) {
        const std::size_t count = size - first;
        squared_distances(room.values.data() + first * width, room.values.data() + first * width, count, width,
                          room.found.data());
        for (std::size_t i = first; i < std::min(first + kAbreast, size); ++i) {
            const float* found = room.found.data() + (i - first) * count - first;
            for (std::size_t j = i + 1; j < size; ++j) {
                const float distance = found[j];
                if (distance < room.worst[i]) {
                    insert(ids[i], ids[j], distance);
                    room.worst[i] = worst(ids[i]);
                }
                if (distance < room.worst[j]) {
                    insert(ids[j], ids[i], distance);
                    room.worst[j] = worst(ids[j]);
                }
            }
        }
    }
}

void Neighbors::improve() {
    const std::size_t n = rows_.size(), reach = std::min(kReach, count_);
    // a snapshot of the lists, which threads read while others change them
    const std::vector<std::uint32_t> ids = ids_;
    const std::vector<std::uint8_t> fresh = fresh_;
    const std::vector<std::uint32_t> filled = filled_;
    std::fill(fresh_.begin(), fresh_.end(), std::uint8_t{0});
    // reverse neighbors: rows that have this row in their lists, at most `reach`
    std::vector<std::uint32_t> back(n * reach), backs(n, 0);
    std::vector<std::uint8_t> back_fresh(n * reach);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < std::min<std::size_t>(reach, filled[row]); ++i) {
            const std::uint32_t other = ids[row * count_ + i];
            std::uint32_t at = backs[other]++;
            if (at >= reach) {  // full: replace a random entry
                at = static_cast<std::uint32_t>(mixed(seed_ ^ (row << 8) ^ round_) % backs[other]);
                if (at >= reach) continue;
            }
            back[other * reach + at] = static_cast<std::uint32_t>(row);
            back_fresh[other * reach + at] = fresh[row * count_ + i];
        }
    }
    struct Room {
        std::vector<std::uint32_t> seen, candidates;
        std::vector<float> found;
        std::uint32_t stamp = 0;
    };
    std::vector<std::size_t> changes(pieces_of(n), 0);
    kernels::in_parallel_with<Room>(pieces_of(n), kForThreads, [&](std::size_t piece, Room& room) {
        room.seen.resize(n, 0);
        room.candidates.resize(2 * reach * (reach + 1) + 1);
        const std::size_t end = std::min((piece + 1) * kPieceRows, n);
        for (std::size_t row = piece * kPieceRows; row < end; ++row) {
            ++room.stamp;
            room.seen[row] = room.stamp;
            for (std::size_t i = 0; i < filled[row]; ++i) room.seen[ids[row * count_ + i]] = room.stamp;
            // no branches, because they would be mispredicted
            const std::uint64_t mine = leaves_[row];
            std::uint32_t* end_of = room.candidates.data();
            const auto consider = [&](std::uint32_t id, bool fresh_step) {
                std::uint32_t& mark = room.seen[id];
                const bool is_new = fresh_step & (mark != room.stamp);
                mark = is_new ? room.stamp : mark;
                *end_of = id;
                end_of += is_new & !shares_leaf(mine, leaves_[id]);
            };
            // if both steps are old, the pair was compared in an earlier round
            const auto through = [&](std::uint32_t other, bool is_fresh) {
                const std::size_t most = std::min<std::size_t>(reach, filled[other]);
                for (std::size_t i = 0; i < most; ++i)
                    consider(ids[other * count_ + i], is_fresh | (fresh[other * count_ + i] != 0));
            };
            for (std::size_t i = 0; i < std::min<std::size_t>(reach, filled[row]); ++i)
                through(ids[row * count_ + i], fresh[row * count_ + i] != 0);
            for (std::size_t i = 0; i < std::min<std::size_t>(reach, backs[row]); ++i) {
                const std::uint32_t other = back[row * reach + i];
                consider(other, back_fresh[row * reach + i] != 0);
                through(other, back_fresh[row * reach + i] != 0);
            }
            const std::span<const std::uint32_t> candidates(room.candidates.data(), end_of);
            room.found.resize(candidates.size());
            squared_distances(rows_, rows_.row(row), candidates, room.found.data());
            float far = worst(row);
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                if (room.found[i] >= far) continue;
                insert(row, candidates[i], room.found[i]);
                far = worst(row);
            }
            for (std::size_t i = 0; i < filled_[row]; ++i) changes[piece] += fresh_[row * count_ + i];
        }
    });
    const std::size_t all = std::accumulate(changes.begin(), changes.end(), std::size_t{0});
    changed_ = static_cast<double>(all) / static_cast<double>(n * count_);
    ++round_;
    settled_ = changed_ < kStill || round_ >= kMostRounds;
}

NeighborLists Neighbors::result() const {
    NeighborLists lists{rows_.size(), count_, std::vector<std::uint32_t>(ids_.size()), std::vector<float>(ids_.size())};
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const std::size_t given = order_.empty() ? row : order_[row];
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint32_t id = ids_[row * count_ + i];
            lists.ids[given * count_ + i] = order_.empty() ? id : order_[id];
            lists.distances[given * count_ + i] = std::sqrt(distances_[row * count_ + i]);
        }
    }
    return lists;
}

}  // namespace lightboard::projector
