// Tests scans of bytes that arrive while they are read: the result is that of the same bytes in memory.
#undef NDEBUG
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "read/reader.h"
#include "read/socket.h"
#include "tests/event_bytes.h"

using namespace lightboard;
using namespace lightboard::tests;

namespace {

std::string simple(const std::string& tag, float value, std::int64_t step) {
    return "\x09" + raw(1e9 + static_cast<double>(step)) + "\x10" + varint(static_cast<std::uint64_t>(step)) +
           field(5, field(1, field(1, tag) + "\x15" + raw(value)));
}

std::string file(int records) {
    std::string content;
    for (int i = 0; i < records; ++i) content += record(simple(i % 3 ? "loss" : "accuracy", static_cast<float>(i), i));
    return content;
}

// Gives at most `most` bytes at a time, and ends after all of them.
class Slow : public Stream {
  public:
    Slow(std::string bytes, std::size_t most) : bytes_(std::move(bytes)), most_(most) {}

    std::size_t read(std::span<std::uint8_t> into) override {
        assert(!into.empty() && !ended);
        const std::size_t count = std::min({into.size(), most_, bytes_.size() - at_});
        std::memcpy(into.data(), bytes_.data() + at_, count);
        at_ += count;
        return count;
    }

    void end() override { ended = true; }

    bool ended = false;

  private:
    std::string bytes_;
    std::size_t most_, at_ = 0;
};

Batch scan_one(const Task& task) { return scan({&task, 1}, -1, 0, 1); }

Batch of_bytes(const std::string& content, std::uint64_t size) {
    return scan_one({Piece{view(content), size, 7, 9}, 0, ~0ull, 0, {}});
}

bool same(const Batch& one, const Batch& other) {
    return one.tags == other.tags && one.memory == other.memory && one.faults.size() == other.faults.size() &&
           one.files[0].offset == other.files[0].offset && one.files[0].records == other.files[0].records &&
           one.files[0].bad_records == other.files[0].bad_records && one.files[0].tail_crc == other.files[0].tail_crc &&
           one.files[0].version == other.files[0].version;
}

void a_stream_brings_what_bytes_bring() {
    std::string content = file(20'000);
    content[content.size() / 3] ^= 1;  // the search for the next record crosses what has arrived
    const Batch expected = of_bytes(content, content.size());
    assert(expected.files[0].records > 19'000);
    for (const std::size_t most : {std::size_t{1}, std::size_t{100}, std::size_t{65'537}, content.size()}) {
        Slow stream(content, most);
        assert(same(scan_one({Arriving{&stream, content.size(), content.size(), 7, 9}, 0, ~0ull, 0, {}}), expected));
        assert(stream.ended);
    }
}

void a_record_larger_than_a_block_is_read() {
    const std::string content = file(10) + record(simple(std::string(3 << 20, 'x'), 1, 1)) + file(10);
    Slow stream(content, 10'000);
    assert(same(scan_one({Arriving{&stream, content.size(), content.size(), 7, 9}, 0, ~0ull, 0, {}}),
                of_bytes(content, content.size())));
}

void a_stream_that_ends_early_leaves_the_rest() {
    const std::string content = file(1'000);
    for (std::size_t end = 0; end <= content.size(); end += 97) {
        Slow stream(content.substr(0, end), 50);
        const Batch found = scan_one({Arriving{&stream, content.size(), content.size(), 7, 9}, 0, ~0ull, 0, {}});
        assert(same(found, of_bytes(content.substr(0, end), content.size())));
        assert(found.faults.empty() && found.files[0].offset <= end);
    }
}

void threads_read_streams_side_by_side() {
    const std::string content = file(5'000);
    const Batch expected = of_bytes(content, content.size());
    std::vector<Slow> streams(40, Slow(content, 1'000));
    std::vector<Task> tasks;
    for (Slow& stream : streams)
        tasks.push_back({Arriving{&stream, content.size(), content.size(), 7, 9}, 0, ~0ull, 0, {}});
    const Batch found = scan(tasks, -1, 0, 4);
    assert(found.memory.size() == 40 * expected.memory.size());
    for (const Slow& stream : streams) assert(stream.ended);
}

void a_socket_is_received_from() {
    int ends[2];
    assert(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    std::uint8_t buffer[16];
    assert(receive(ends[0], buffer, 10) == -ETIMEDOUT);
    std::jthread later([&] {
        ::usleep(20'000);
        assert(::send(ends[1], "abc", 3, 0) == 3);
        ::close(ends[1]);
    });
    assert(receive(ends[0], buffer, 10'000) == 3 && std::memcmp(buffer, "abc", 3) == 0);
    assert(receive(ends[0], buffer, 10'000) == 0);
    later.join();
    ::close(ends[0]);
    assert(receive(ends[0], buffer, 0) == -EBADF);
}

}  // namespace

int main() {
    a_stream_brings_what_bytes_bring();
    a_record_larger_than_a_block_is_read();
    a_stream_that_ends_early_leaves_the_rest();
    threads_read_streams_side_by_side();
    a_socket_is_received_from();
    std::puts("streams: all passed");
}
