// Runs independent pieces of work on several cores, if there is enough to do.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lightboard::kernels {

// With fewer points per thread, another thread costs more time than it saves while other requests keep the cores busy.
inline constexpr std::size_t kPointsPerThread = 1'000'000;
inline constexpr std::size_t kMostThreads = 8;

// Calls work(piece) for every piece, in any order; `points` is the total amount of work. An exception is rethrown after
// all threads have ended.
//
// `Room` is scratch memory that a thread reuses from piece to piece: work(piece, room).
template <class Room, class Work>
void in_parallel_with(std::size_t pieces, std::size_t points, Work work) {
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t threads = std::min({cores, kMostThreads, pieces, 1 + points / kPointsPerThread});
    if (threads <= 1) {
        Room room;
        for (std::size_t piece = 0; piece < pieces; ++piece) work(piece, room);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&] {
        try {
            Room room;
            for (std::size_t piece; (piece = next.fetch_add(1)) < pieces;) work(piece, room);
        } catch (...) {
            const std::lock_guard held(failing);
            failure = std::current_exception();
            next.store(pieces);
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(run);
        } catch (const std::system_error&) {
            // no more threads can be started: the existing ones do all pieces
        }
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

template <class Work>
void in_parallel(std::size_t pieces, std::size_t points, Work work) {
    struct Nothing {};
    in_parallel_with<Nothing>(pieces, points, [&](std::size_t piece, Nothing&) { work(piece); });
}

}  // namespace lightboard::kernels
