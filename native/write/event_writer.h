// Writes an event file: the calling thread encodes records into a buffer, a background thread writes them, so that a
// training loop never waits for the disk.
//
// Guarantee: only buffers of whole records are appended, so a killed process leaves a readable file in which at most
// unflushed records are missing. A failed write is retried from the byte where it stopped; until then records are
// queued in memory, up to a limit, beyond which new ones are dropped and counted.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "write/encoder.h"

namespace lightboard {

class EventWriter {
  public:
    // Creates the file, which must not exist, and writes the file version. Throws std::system_error.
    EventWriter(std::string path, double flush_secs, std::size_t queue_bytes);
    ~EventWriter();
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    void add_scalar(std::string_view tag, double number, std::int64_t step, double wall_time,
                    encode::ScalarStyle style);
    // Adds one Event with these bytes in the payload field (see encode::event_record); they contain `points` values.
    void add(double wall_time, std::int64_t step, std::uint32_t field, std::string_view payload,
             std::uint32_t points = 1);

    // Returns when everything added so far is in the file (with `sync`: on the disk); false if writing failed.
    bool flush(bool sync);
    // Flushes and ends the thread. Later additions are ignored.
    bool close();

    // For a forked child: drops the queue, which the parent will write, and closes the child's descriptor. Takes no
    // lock, because a thread of the parent may have held it during the fork. Afterwards the writer is closed.
    void abandon();

    struct Status {
        std::uint64_t bytes_written;
        std::uint64_t points_dropped;
        int error;                     // of the last attempt to write; 0: none
        bool gone;                     // the file was removed
        std::uint64_t points_waiting;  // not completely in the file; lost if the writer is closed
        std::uint64_t points_unseen;   // added since the file was last found to exist
    };
    Status status();
    const std::string& path() const { return path_; }

  private:
    struct State;
    void run(State& state);
    template <class Encode>
    static void append(State& state, std::uint32_t points, Encode encode);
    static bool write_out(State& state, std::unique_lock<std::mutex>& lock, bool sync);

    std::string path_;
    // Leaked on purpose by abandon(): the thread that may own the mutex does not exist in a forked child.
    std::unique_ptr<State> state_;
};

}  // namespace lightboard
