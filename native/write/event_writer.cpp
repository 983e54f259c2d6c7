#include "write/event_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

namespace lightboard {
namespace {

// Size limit of the queue of unwritten records.
constexpr std::size_t kMostPending = 256 << 20;

double now() {
    struct timespec time{};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// One record in the pending bytes.
struct Waiting {
    std::size_t bytes;
    std::uint32_t points;
};

// Returns how many whole records the first `bytes` bytes contain; `cut` becomes the number of remaining bytes, which
// belong to the next record.
std::size_t records_within(const std::vector<Waiting>& records, std::size_t bytes, std::size_t& cut) {
    std::size_t count = 0;
    while (count < records.size() && records[count].bytes <= bytes) bytes -= records[count++].bytes;
    cut = bytes;
    return count;
}

}  // namespace

// `mutex` guards the members below it. `writing` keeps two threads from writing at once; it stays true during the
// system call, while the mutex is released.
struct EventWriter::State {
    int fd = -1;
    double flush_secs = 1;
    std::size_t queue_bytes = 0;
    std::mutex mutex;
    std::condition_variable wake;  // the thread has something to do
    std::condition_variable idle;  // `writing` has become false
    std::string pending;           // encoded, not yet passed to the system
    std::vector<Waiting> waiting;  // the records in `pending`
    std::size_t cut = 0;           // bytes of the first record that are already in the file
    std::string value, summary;    // buffers of add_scalar, reused
    std::uint64_t bytes_written = 0;
    std::uint64_t points_dropped = 0;
    std::uint64_t points_added = 0;
    std::uint64_t points_seen = 0;  // points_added when the file was last found to exist
    int error = 0;
    bool gone = false;
    bool writing = false;
    bool wanted = false;  // flush soon
    bool closed = false;
    std::thread thread;
};

EventWriter::EventWriter(std::string path, double flush_secs, std::size_t queue_bytes)
    : path_(std::move(path)), state_(std::make_unique<State>()) {
    State& state = *state_;
    state.fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (state.fd < 0) throw std::system_error(errno, std::generic_category(), path_);
    state.flush_secs = flush_secs;
    state.queue_bytes = queue_bytes;
    append(state, 0, [](std::string& out) { encode::event_record(out, now(), 0, 3, "brain.Event:2"); });
    state.thread = std::thread([this, &state] { run(state); });
}

EventWriter::~EventWriter() { close(); }

void EventWriter::run(State& state) {
    std::unique_lock lock(state.mutex);
    const auto pause = std::chrono::duration<double>(state.flush_secs);
    while (!state.closed) {
        state.wake.wait_for(lock, pause, [&] { return state.wanted || state.closed; });
        state.wanted = false;
        if (!state.pending.empty()) write_out(state, lock, false);
        // After a failure wait a second, instead of retrying for every record.
        if (state.error) state.wake.wait_for(lock, std::chrono::seconds(1), [&] { return state.closed; });
    }
}

// Encodes one more record unless the queue is full, and wakes the thread if enough bytes are pending. The mutex must be
// held.
template <class Encode>
void EventWriter::append(State& state, std::uint32_t points, Encode encode) {
    if (state.closed) return;
    if (state.pending.size() > kMostPending) {
        state.points_dropped += points;
        return;
    }
    const std::size_t before = state.pending.size();
    encode(state.pending);
    state.waiting.push_back({state.pending.size() - before, points});
    state.points_added += points;
    if (state.pending.size() >= state.queue_bytes && !state.wanted) {
        state.wanted = true;
        state.wake.notify_one();
    }
}

void EventWriter::add_scalar(std::string_view tag, double number, std::int64_t step, double wall_time,
                             encode::ScalarStyle style) {
    if (!state_) return;
    State& state = *state_;
    const std::lock_guard lock(state.mutex);
    state.value.clear();
    state.summary.clear();
    encode::scalar_value(state.value, tag, number, style);
    encode::bytes(state.summary, 1, state.value);
    append(state, 1, [&](std::string& out) { encode::event_record(out, wall_time, step, 5, state.summary); });
}

void EventWriter::add(double wall_time, std::int64_t step, std::uint32_t field, std::string_view payload,
                      std::uint32_t points) {
    if (!state_) return;
    const std::lock_guard lock(state_->mutex);
    append(*state_, points, [&](std::string& out) { encode::event_record(out, wall_time, step, field, payload); });
}

// Writes all pending bytes and releases the mutex during the system call. Bytes that could not be written stay before
// newer ones.
bool EventWriter::write_out(State& state, std::unique_lock<std::mutex>& lock, bool sync) {
    state.idle.wait(lock, [&] { return !state.writing; });
    state.writing = true;
    std::string bytes = std::exchange(state.pending, {});
    std::vector<Waiting> waiting = std::exchange(state.waiting, {});
    const std::uint64_t points = state.points_added;
    const int fd = state.fd;
    lock.unlock();
    int error = fd < 0 ? EBADF : 0;
    std::size_t done = 0;
    while (!error && done < bytes.size()) {
        const ssize_t wrote = ::write(fd, bytes.data() + done, bytes.size() - done);
        if (wrote >= 0)
            done += static_cast<std::size_t>(wrote);
        else if (errno != EINTR)
            error = errno;
    }
    struct stat status{};
    const bool gone = fd >= 0 && ::fstat(fd, &status) == 0 && status.st_nlink == 0;
    if (!error && sync && ::fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS) error = errno;
    lock.lock();
    state.bytes_written += done;
    state.error = error;
    state.gone = gone;
    if (!gone) state.points_seen = points;
    if (done < bytes.size()) {
        const std::size_t whole = records_within(waiting, state.cut + done, state.cut);
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(whole));
        waiting.insert(waiting.end(), state.waiting.begin(), state.waiting.end());
        state.waiting = std::move(waiting);
        bytes.erase(0, done);
        bytes += state.pending;
        state.pending = std::move(bytes);
    } else {
        state.cut = 0;
        if (state.pending.empty()) {
            bytes.clear();
            waiting.clear();
            state.pending = std::move(bytes);  // reuse the capacity
            state.waiting = std::move(waiting);
        }
    }
    state.writing = false;
    state.idle.notify_all();
    return !error;
}

bool EventWriter::flush(bool sync) {
    if (!state_) return true;
    std::unique_lock lock(state_->mutex);
    if (state_->closed && state_->pending.empty()) return state_->error == 0;
    return write_out(*state_, lock, sync);
}

bool EventWriter::close() {
    if (!state_) return true;
    State& state = *state_;
    bool good = true;
    {
        std::unique_lock lock(state.mutex);
        if (state.closed && state.fd < 0) return state.error == 0;
        state.closed = true;
        state.wake.notify_all();
    }
    if (state.thread.joinable()) state.thread.join();
    std::unique_lock lock(state.mutex);
    good = write_out(state, lock, false);
    if (state.fd >= 0) ::close(state.fd);
    state.fd = -1;
    return good;
}

void EventWriter::abandon() {
    State* leaked = state_.release();
    if (leaked && leaked->fd >= 0) ::close(leaked->fd);
}

EventWriter::Status EventWriter::status() {
    if (!state_) return {};
    const std::lock_guard lock(state_->mutex);
    std::uint64_t waiting = 0;
    for (const Waiting& record : state_->waiting) waiting += record.points;
    return {state_->bytes_written,
            state_->points_dropped,
            state_->error,
            state_->gone,
            waiting,
            state_->points_added - state_->points_seen};
}

}  // namespace lightboard
