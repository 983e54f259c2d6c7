#include "neighbors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "parallel.h"
#include "random.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kExactRows = 4096;
constexpr std::size_t kBlockRows = 256;  // of the exact comparison, per piece
constexpr std::size_t kTrees = 6;
constexpr std::size_t kTreesAtOnce = 2;
constexpr std::size_t kMostRounds = 8;
constexpr double kStill = 0.002;    // a round that changes less than this part of all entries was the last
constexpr std::size_t kReach = 24;  // neighbours of a row, and of those in turn, that a round looks at
constexpr std::size_t kPieceRows = 512;
constexpr std::size_t kForThreads = std::size_t{1} << 40;  // all of this is worth every core

std::size_t leaf_rows(std::size_t count) { return std::clamp<std::size_t>(4 * count, 64, 192); }

std::size_t pieces_of(std::size_t rows) { return (rows + kPieceRows - 1) / kPieceRows; }

}  // namespace

Neighbors::Neighbors(std::span<const float> values, std::size_t rows, std::size_t dims, std::size_t count,
                     std::uint64_t seed)
    : count_(std::min(count, rows ? rows - 1 : 0)), seed_(seed), exact_(rows <= kExactRows) {
    if (rows >= std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many rows");
    rows_ = Rows(values, rows, dims);
    if (!exact_) adopt_order(values, dims);
    ids_.resize(rows * count_);
    distances_.assign(rows * count_, std::numeric_limits<float>::infinity());
    fresh_.assign(rows * count_, 0);
    filled_.assign(rows, 0);
}

// Rows that lie close to each other come to lie close in memory, too.
void Neighbors::adopt_order(std::span<const float> values, std::size_t dims) {
    order_ = grow(0).order;
    rows_ = Rows(values, rows_.size(), dims, order_);
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
    // rounds change fewer and fewer entries; how many there will be is a guess
    return std::min(0.4 * trees + 0.15 * static_cast<double>(round_), 0.95);
}

void Neighbors::insert(std::size_t row, std::uint32_t id, float distance) {
    std::uint32_t* ids = ids_.data() + row * count_;
    float* distances = distances_.data() + row * count_;
    std::uint8_t* fresh = fresh_.data() + row * count_;
    std::size_t size = filled_[row];
    if (size == count_ && !(distance < distances[count_ - 1])) return;
    // equal distances stand in the order of their rows, so that the list does not depend on who came first
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

// Every row of a block with all rows.
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

// One tree: halves by random directions until they are small.
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
        // between two of them, so that dense regions are split, too
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
    kernels::in_parallel(size, kForThreads, [&](std::size_t i) { trees[i] = grow(1 + done_ + i); });
    for (const Tree& tree : trees) compare_leaves(tree);
    done_ += size;
}

// Leaves share no row, so each may have a thread of its own.
void Neighbors::compare_leaves(const Tree& tree) {
    constexpr std::size_t kShare = 8;
    kernels::in_parallel_with<std::vector<float>>(
        (tree.leaves.size() + kShare - 1) / kShare, kForThreads, [&](std::size_t piece, std::vector<float>& found) {
            const std::size_t end = std::min((piece + 1) * kShare, tree.leaves.size());
            for (std::size_t at = piece * kShare; at < end; ++at) {
                const std::span<const std::uint32_t> all(tree.order.data() + tree.leaves[at].first,
                                                         tree.leaves[at].last - tree.leaves[at].first);
                found.resize(all.size());
                for (std::size_t i = 0; i + 1 < all.size(); ++i) {
                    const std::span<const std::uint32_t> others = all.subspan(i + 1);
                    squared_distances(rows_, rows_.row(all[i]), others, found.data());
                    for (std::size_t j = 0; j < others.size(); ++j) {
                        insert(all[i], others[j], found[j]);
                        insert(others[j], all[i], found[j]);
                    }
                }
            }
        });
}

void Neighbors::improve() {
    const std::size_t n = rows_.size(), reach = std::min(kReach, count_);
    // how the lists are now: what threads read while others change them
    const std::vector<std::uint32_t> ids = ids_;
    const std::vector<std::uint8_t> fresh = fresh_;
    const std::vector<std::uint32_t> filled = filled_;
    std::fill(fresh_.begin(), fresh_.end(), std::uint8_t{0});
    // who has me among its nearest: as many as I look at in the other direction
    std::vector<std::uint32_t> back(n * reach), backs(n, 0);
    std::vector<std::uint8_t> back_fresh(n * reach);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < std::min<std::size_t>(reach, filled[row]); ++i) {
            const std::uint32_t other = ids[row * count_ + i];
            std::uint32_t at = backs[other]++;
            if (at >= reach) {  // one of them gives way, chosen by chance
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
        const std::size_t end = std::min((piece + 1) * kPieceRows, n);
        for (std::size_t row = piece * kPieceRows; row < end; ++row) {
            room.candidates.clear();
            ++room.stamp;
            room.seen[row] = room.stamp;
            for (std::size_t i = 0; i < filled[row]; ++i) room.seen[ids[row * count_ + i]] = room.stamp;
            const auto consider = [&](std::uint32_t id) {
                if (room.seen[id] == room.stamp) return;
                room.seen[id] = room.stamp;
                room.candidates.push_back(id);
            };
            // a pair of which both steps are old was looked at before
            const auto through = [&](std::uint32_t other, bool is_fresh) {
                const std::size_t most = std::min<std::size_t>(reach, filled[other]);
                for (std::size_t i = 0; i < most; ++i)
                    if (is_fresh || fresh[other * count_ + i]) consider(ids[other * count_ + i]);
            };
            for (std::size_t i = 0; i < std::min<std::size_t>(reach, filled[row]); ++i)
                through(ids[row * count_ + i], fresh[row * count_ + i] != 0);
            for (std::size_t i = 0; i < std::min<std::size_t>(reach, backs[row]); ++i) {
                const std::uint32_t other = back[row * reach + i];
                if (back_fresh[row * reach + i]) consider(other);
                through(other, back_fresh[row * reach + i] != 0);
            }
            room.found.resize(room.candidates.size());
            squared_distances(rows_, rows_.row(row), room.candidates, room.found.data());
            for (std::size_t i = 0; i < room.candidates.size(); ++i) insert(row, room.candidates[i], room.found[i]);
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
