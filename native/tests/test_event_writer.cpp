// The reader reads what the writer wrote: scalars of each style, other events, threads, full disks, forks.
#undef NDEBUG
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "read/reader.h"
#include "tests/temporary.h"
#include "write/event_writer.h"

using namespace lightboard;
using encode::ScalarStyle;
using tests::TemporaryDirectory;

namespace {

constexpr double kLong = 3600;             // a flush interval that never ends in a test
constexpr std::size_t kLarge = 256 << 20;  // a queue that never gets full
constexpr double kWall = 1e9;

Batch read(const std::string& path) {
    const Task tasks[] = {{path, 0, ~0ull, 0, {}}};
    return scan(tasks, -1, 0, 1);
}

template <class T>
void append(std::vector<T>& out, const Batch& batch, std::uint64_t from, std::uint64_t count) {
    const std::size_t before = out.size();
    out.resize(before + count);
    std::memcpy(out.data() + before, batch.memory.data() + from, count * sizeof(T));
}

struct Series {
    std::vector<std::int64_t> steps;
    std::vector<double> walls, values;
};

Series series_of(const Batch& batch, const std::string& tag) {
    Series found;
    for (const ChunkRow& row : batch.chunks) {
        if (batch.tags[row.tag] != tag) continue;
        append(found.steps, batch, row.steps, row.n);
        append(found.walls, batch, row.walls, row.n);
        if (row.column == Column::kF64) append(found.values, batch, row.values, row.n);
        if (row.column != Column::kF32) continue;
        std::vector<float> narrow;
        append(narrow, batch, row.values, row.n);
        found.values.insert(found.values.end(), narrow.begin(), narrow.end());
    }
    return found;
}

bool same_bits(double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
}

// A summary with one value, a text of `letters` characters.
std::string text_summary(const std::string& tag, std::size_t letters) {
    std::string tensor, value, summary, plugin, metadata;
    encode::integer(tensor, 1, 7);
    encode::bytes(tensor, 8, std::string(letters, 'x'));
    encode::bytes(plugin, 1, "text");
    encode::bytes(metadata, 1, plugin);
    encode::bytes(value, 1, tag);
    encode::bytes(value, 8, tensor);
    encode::bytes(value, 9, metadata);
    encode::bytes(summary, 1, value);
    return summary;
}

void scalars_come_back() {
    const TemporaryDirectory directory;
    const double hard[] = {0.0, -0.0, 1.0 / 3, 1e300, -5e-324, std::numeric_limits<double>::infinity(), -HUGE_VAL, NAN};
    const std::int64_t steps[] = {0,  1, 127, 128, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max(),
                                  -1, 5};
    const std::pair<const char*, ScalarStyle> styles[] = {
        {"simple", ScalarStyle::kSimple}, {"tensor", ScalarStyle::kTensor}, {"double", ScalarStyle::kDouble}};
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    for (std::size_t i = 0; i < 8; ++i) {
        for (const auto& [tag, style] : styles)
            writer.add_scalar(tag, hard[i], steps[i], kWall + 0.125 * static_cast<double>(i), style);
    }
    assert(writer.close());
    const Batch batch = read(writer.path());
    assert(batch.faults.empty());
    assert(batch.files[0].records == 1 + 3 * 8);
    for (const auto& [tag, style] : styles) {
        const Series found = series_of(batch, tag);
        assert(found.steps.size() == 8 && found.values.size() == 8);
        for (std::size_t i = 0; i < 8; ++i) {
            const double expected =
                style == ScalarStyle::kDouble ? hard[i] : static_cast<double>(static_cast<float>(hard[i]));
            assert(found.steps[i] == steps[i]);
            assert(found.walls[i] == kWall + 0.125 * static_cast<double>(i));
            assert(same_bits(found.values[i], expected) || (std::isnan(found.values[i]) && std::isnan(expected)));
        }
    }
}

void odd_tags_come_back() {
    const TemporaryDirectory directory;
    const std::string tags[] = {"a", "损失/训练", std::string(70000, 't'), "with\nlines\tand \"quotes\""};
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    for (const std::string& tag : tags) writer.add_scalar(tag, 1, 1, kWall, ScalarStyle::kSimple);
    assert(writer.close());
    const Batch batch = read(writer.path());
    assert(batch.faults.empty() && batch.tags.size() == 4);
    for (const std::string& tag : tags) assert(series_of(batch, tag).values == std::vector<double>{1});
}

void large_events_come_back() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, 1 << 10);
    for (std::int64_t step = 0; step < 40; ++step) writer.add(kWall, step, 5, text_summary("words", 1 << (step / 2)));
    assert(writer.close());
    const Batch batch = read(writer.path());
    assert(batch.faults.empty());
    assert(series_of(batch, "words").steps.size() == 40);
}

void flushed_is_in_the_file() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    for (std::int64_t step = 0; step < 50; ++step) {
        writer.add_scalar("loss", 0.5, step, kWall, ScalarStyle::kSimple);
        assert(writer.flush(step % 10 == 0));
        const Batch batch = read(writer.path());
        assert(batch.faults.empty());
        assert(series_of(batch, "loss").steps.size() == static_cast<std::size_t>(step) + 1);
        assert(batch.files[0].offset == writer.status().bytes_written);
    }
}

void the_thread_writes_unasked() {
    const TemporaryDirectory directory;
    EventWriter by_time(directory.file("events.out.tfevents.1"), 0.01, kLarge);
    EventWriter by_size(directory.file("events.out.tfevents.2"), kLong, 100);
    for (EventWriter* writer : {&by_time, &by_size}) {
        for (std::int64_t step = 0; step < 10; ++step)
            writer->add_scalar("loss", 0.5, step, kWall, ScalarStyle::kSimple);
        while (read(writer->path()).files[0].records < 2) ::usleep(1000);
    }
}

void closing_ends_it() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    writer.add_scalar("loss", 1, 1, kWall, ScalarStyle::kSimple);
    assert(writer.close());
    writer.add_scalar("loss", 2, 2, kWall, ScalarStyle::kSimple);
    assert(writer.flush(true) && writer.close());
    assert(series_of(read(writer.path()), "loss").values == std::vector<double>{1});
}

void a_file_that_exists_is_refused() {
    const TemporaryDirectory directory;
    EventWriter first(directory.file("events.out.tfevents.1"), kLong, kLarge);
    for (const std::string& path : {first.path(), directory.file("missing/events.out.tfevents.1")}) {
        bool thrown = false;
        try {
            EventWriter second(path, kLong, kLarge);
        } catch (const std::system_error& error) {
            thrown = error.code().value() == (path == first.path() ? EEXIST : ENOENT);
        }
        assert(thrown);
    }
}

void threads_do_not_mix() {
    constexpr std::int64_t kEach = 3000;
    constexpr int kThreads = 6;
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), 0.001, 1 << 12);
    std::atomic<int> working{kThreads};
    std::vector<std::thread> threads;
    for (int number = 0; number < kThreads; ++number) {
        threads.emplace_back([&, number] {
            const std::string tag = "thread" + std::to_string(number);
            for (std::int64_t step = 0; step < kEach; ++step) {
                writer.add_scalar(tag, static_cast<double>(step * (number + 1)), step, kWall,
                                  static_cast<ScalarStyle>(number % 3));
                if (step % 300 == number) writer.add(kWall, step, 5, text_summary("words", 5000));
                if (step % 700 == number) assert(writer.flush(false));
            }
            --working;
        });
    }
    threads.emplace_back([&] {
        while (working > 0) {
            assert(writer.status().error == 0);
        }
    });
    for (std::thread& each : threads) each.join();
    assert(writer.close());
    const Batch batch = read(writer.path());
    assert(batch.faults.empty());
    for (int number = 0; number < kThreads; ++number) {
        const Series found = series_of(batch, "thread" + std::to_string(number));
        assert(found.steps.size() == static_cast<std::size_t>(kEach));
        for (std::int64_t step = 0; step < kEach; ++step) {
            assert(found.steps[static_cast<std::size_t>(step)] == step);
            assert(found.values[static_cast<std::size_t>(step)] == static_cast<double>(step * (number + 1)));
        }
    }
}

// Limits the size of files during its lifetime.
struct Limit {
    explicit Limit(rlim_t bytes) {
        assert(::getrlimit(RLIMIT_FSIZE, &before) == 0);
        const rlimit now{bytes, before.rlim_max};
        assert(::setrlimit(RLIMIT_FSIZE, &now) == 0);
    }
    ~Limit() { ::setrlimit(RLIMIT_FSIZE, &before); }
    rlimit before{};
};

void a_full_disk_delays_records() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    {
        const Limit limit(10'000);
        for (std::int64_t step = 0; step < 1000; ++step) {
            writer.add_scalar("loss", 1, step, kWall, ScalarStyle::kSimple);
            if (step % 100 == 99) writer.flush(false);
        }
        assert(!writer.flush(false));
        assert(writer.status().error == EFBIG && writer.status().bytes_written == 10'000);
        const Batch batch = read(writer.path());
        assert(batch.faults.empty());  // an incomplete last record is not a fault
        const std::size_t written = series_of(batch, "loss").steps.size();
        assert(batch.files[0].offset < 10'000 && written > 100);
        assert(writer.status().points_waiting == 1000 - written);
    }
    assert(writer.flush(false));
    assert(writer.status().error == 0 && writer.status().points_dropped == 0);
    assert(writer.status().points_waiting == 0);
    const Batch batch = read(writer.path());
    assert(batch.faults.empty() && series_of(batch, "loss").steps.size() == 1000);
}

void what_a_full_disk_did_not_take_is_counted_wherever_a_record_is_cut() {
    for (rlim_t bytes = 0; bytes < 300; ++bytes) {
        const TemporaryDirectory directory;
        EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
        const Limit limit(bytes);
        writer.add_scalar("a", 1, 0, kWall, ScalarStyle::kSimple);
        assert(!writer.flush(false) || bytes >= 60);
        for (std::int64_t step = 1; step < 10; ++step) {
            writer.add_scalar("a", 1, step, kWall, ScalarStyle::kSimple);
            writer.flush(false);
        }
        assert(!writer.close());
        const Batch batch = read(writer.path());
        const bool some = !batch.tags.empty();
        assert(writer.status().points_waiting == 10 - (some ? series_of(batch, "a").steps.size() : 0));
    }
}

void memory_is_bounded_while_nothing_can_be_written() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    const Limit limit(1'000);
    const std::string large = text_summary("words", 32 << 20);
    for (std::int64_t step = 0; step < 12; ++step) writer.add(kWall, step, 5, large);
    assert(writer.status().points_dropped >= 2);
    assert(!writer.close());
}

void a_removed_file_is_noticed() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    assert(writer.flush(false) && !writer.status().gone);
    assert(::unlink(writer.path().c_str()) == 0);
    writer.add_scalar("loss", 1, 1, kWall, ScalarStyle::kSimple);
    assert(writer.status().points_unseen == 1);
    assert(writer.flush(false) && writer.status().gone);
    writer.add(kWall, 2, 5, text_summary("words", 10), 3);
    assert(writer.status().points_unseen == 4);
}

void a_forked_child_leaves_the_file_alone() {
    const TemporaryDirectory directory;
    EventWriter writer(directory.file("events.out.tfevents.1"), kLong, kLarge);
    writer.add_scalar("loss", 1, 1, kWall, ScalarStyle::kSimple);
    const pid_t child = ::fork();
    if (child == 0) {
        writer.abandon();
        writer.add_scalar("loss", 2, 2, kWall, ScalarStyle::kSimple);
        ::_exit(writer.flush(false) && writer.close() ? 0 : 1);
    }
    int status = -1;
    assert(::waitpid(child, &status, 0) == child && status == 0);
    assert(read(writer.path()).files[0].records == 0);  // neither process wrote it
    writer.add_scalar("loss", 3, 3, kWall, ScalarStyle::kSimple);
    assert(writer.close());
    assert((series_of(read(writer.path()), "loss").values == std::vector<double>{1, 3}));
}

}  // namespace

int main() {
    std::signal(SIGXFSZ, SIG_IGN);  // as in Python: write() fails instead
    scalars_come_back();
    odd_tags_come_back();
    large_events_come_back();
    flushed_is_in_the_file();
    the_thread_writes_unasked();
    closing_ends_it();
    a_file_that_exists_is_refused();
    threads_do_not_mix();
    a_full_disk_delays_records();
    what_a_full_disk_did_not_take_is_counted_wherever_a_record_is_cut();
    memory_is_bounded_while_nothing_can_be_written();
    a_removed_file_is_noticed();
    a_forked_child_leaves_the_file_alone();
    std::puts("event writer: ok");
}
