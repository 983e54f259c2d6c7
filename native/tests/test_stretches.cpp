// A file read by several threads gives the same result as a sequential read: the same points, tags, kinds, parts and
// faults, for all cuts and for damage around the cuts.
#undef NDEBUG
#include "read/stretches.h"

#include <unistd.h>

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "base/record.h"
#include "read/reader.h"
#include "tests/event_bytes.h"
#include "tests/temporary.h"

using namespace lightboard;
using namespace lightboard::tests;

namespace {

std::string event(std::int64_t step, const std::string& rest) {
    return record("\x09" + raw(1e9 + static_cast<double>(step % 17)) + "\x10" +
                  varint(static_cast<std::uint64_t>(step)) + rest);
}

std::string simple(const std::string& tag, std::int64_t step) {
    return event(step, field(5, field(1, field(1, tag) + "\x15" + raw(0.5f * static_cast<float>(step)))));
}

std::string session(std::int64_t step) { return event(step, field(7, "\x08\x01")); }

std::string plugin(const std::string& name) { return field(9, field(1, field(1, name))); }

// A tensor of strings; `metadata` may be empty.
std::string strings(const std::string& tag, std::int64_t step, const std::vector<std::string>& all,
                    const std::string& metadata) {
    std::string tensor = "\x08\x07" + field(2, field(2, "\x08" + varint(all.size())));
    for (const std::string& each : all) tensor += field(8, each);
    return event(step, field(5, field(1, field(1, tag) + field(8, tensor) + metadata)));
}

std::string no_value(const std::string& tag, std::int64_t step, const std::string& metadata) {
    return event(step, field(5, field(1, field(1, tag) + metadata)));
}

std::string graph(std::int64_t step) { return event(step, field(4, "not looked at")); }

struct File {
    explicit File(const std::string& content) : path(directory.write("file", content)) {}
    TemporaryDirectory directory;
    std::string path;
};

// The content of a batch of one task, independent of how its chunks are cut.
struct Contents {
    using Point = std::tuple<std::int64_t, double, double, std::uint64_t>;
    std::vector<std::string> tags;
    std::map<std::string, std::vector<Point>> points;  // by tag, part, kind and metadata
    std::vector<std::tuple<std::uint32_t, std::int64_t, double>> starts;
    std::vector<std::tuple<std::uint64_t, Reason, std::string>> faults;
    std::string file;
    bool operator==(const Contents&) const = default;
};

template <class T>
T at(const Batch& batch, std::uint64_t position) {
    T value;
    assert(position + sizeof value <= batch.memory.size());
    std::memcpy(&value, batch.memory.data() + position, sizeof value);
    return value;
}

void check_summary(const ChunkRow& row, const std::vector<Contents::Point>& points) {
    assert(std::get<0>(points.front()) == row.first_step && std::get<0>(points.back()) == row.last_step);
    bool ordered = true;
    for (std::size_t i = 1; i < points.size(); ++i) ordered &= std::get<0>(points[i - 1]) <= std::get<0>(points[i]);
    assert(row.ordered == ordered && row.n == points.size());
}

Contents contents_of(const Batch& batch) {
    Contents contents;
    contents.tags = batch.tags;
    for (const ChunkRow& row : batch.chunks) {
        std::vector<Contents::Point> points;
        for (std::uint64_t i = 0; i < row.n; ++i) {
            const auto step = at<std::int64_t>(batch, row.steps + 8 * i);
            const auto wall = at<double>(batch, row.walls + 8 * i);
            if (row.column == Column::kF32) points.emplace_back(step, wall, at<float>(batch, row.values + 4 * i), 0);
            if (row.column == Column::kF64) points.emplace_back(step, wall, at<double>(batch, row.values + 8 * i), 0);
            if (row.column >= Column::kValueRef) {
                const auto ref = at<Ref>(batch, row.values + 16 * i);
                points.emplace_back(step, wall, ref.count, ref.offset << 20 | ref.length);
            }
        }
        check_summary(row, points);
        const auto kind = std::to_string(static_cast<int>(row.kind));
        auto& all =
            contents.points[batch.tags[row.tag] + " part " + std::to_string(row.part) + " kind " + kind + " " +
                            (row.metadata < 0 ? "-" : batch.metadata.at(static_cast<std::size_t>(row.metadata)))];
        all.insert(all.end(), points.begin(), points.end());
    }
    for (const StartRow& row : batch.starts) contents.starts.emplace_back(row.part, row.step, row.wall);
    for (const Fault& fault : batch.faults) contents.faults.emplace_back(fault.offset, fault.reason, fault.detail);
    FileRow row = batch.files[0];
    contents.file = raw(row);
    return contents;
}

// Compares the results for stretches of several sizes. `known` and `limit` are those of the task.
void same(const std::string& content, std::vector<std::pair<std::string, Kind>> known = {}, std::uint64_t offset = 0,
          std::uint64_t limit = ~0ull) {
    const File file(content);
    const Task tasks[] = {{file.path, offset, limit, 3, known}};
    const Contents expected = contents_of(scan(tasks, -1, 0, 1));
    for (const std::uint64_t stretch : {1, 7, 16, 50, 61, 100, 333, 1000, 4096, 20000})
        assert(contents_of(scan(tasks, -1, 0, 2, stretch)) == expected);
}

std::string ordinary() {
    std::string content = session(0);
    for (int i = 0; i < 60; ++i) content += simple(i % 3 ? "a" : "b", i) + (i == 30 ? session(31) : "");
    return content;
}

void any_cut_gives_the_same() {
    const std::string content = ordinary();
    same(content);
    const File file(content);
    const Task tasks[] = {{file.path, 0, ~0ull, 0, {}}};
    const Contents expected = contents_of(scan(tasks, -1, 0, 1));
    for (std::uint64_t stretch = 1; stretch < content.size(); ++stretch)
        assert(contents_of(scan(tasks, -1, 0, 3, stretch)) == expected);
}

void tiny_files_give_the_same() {
    same("");
    same("x");
    same(session(0));
    for (std::size_t size = 0; size < 130; ++size) same((session(0) + simple("a", 1) + simple("a", 2)).substr(0, size));
}

void every_truncation_gives_the_same() {
    const std::string content = ordinary();
    for (std::size_t size = 0; size < content.size(); size += 5) same(content.substr(0, size));
}

void every_flipped_byte_gives_the_same() {
    std::string content = session(0);
    for (int i = 0; i < 12; ++i) content += simple("a", i);
    for (std::size_t at = 0; at < content.size(); ++at) {
        std::string damaged = content;
        damaged[at] ^= 0x20;
        same(damaged);
    }
}

void limits_and_offsets_give_the_same() {
    const std::string content = ordinary();
    const std::size_t first = session(0).size();
    for (std::uint64_t limit = 0; limit < content.size(); limit += 37) {
        same(content, {}, 0, limit);
        same(content, {{"a", Kind::kScalars}}, first, limit);
    }
}

// The cuts inside the tensor are wrong: the stretch before them ends after the tensor.
void an_event_file_inside_a_tensor_gives_the_same() {
    std::string content = ordinary();
    content += strings("files", 100, {ordinary(), session(1) + simple("inside", 7), ordinary()}, plugin("text"));
    same(content + ordinary());
    std::string cut_short = ordinary();
    cut_short.resize(cut_short.size() - 9);
    same(simple("a", 0) + strings("files", 1, {cut_short}, plugin("text")) + ordinary());
}

void a_record_over_many_cuts_gives_the_same() {
    std::string noise(50'000, '\0');
    std::mt19937 random(7);
    for (char& each : noise) each = static_cast<char>(random());
    const std::string large = strings("text", 5, {noise, std::string(9000, 'x')}, plugin("text"));
    same(ordinary() + large + ordinary() + large);
    std::string damaged = ordinary() + large + ordinary();
    damaged[ordinary().size() + 30'000] ^= 1;
    same(damaged);
    damaged[ordinary().size() + 3] ^= 1;
    same(damaged);
    same((ordinary() + large).substr(0, ordinary().size() + 20'000));
}

// A tag's kind is determined by its first value, which a later stretch does not have.
void kinds_come_from_the_first_value() {
    std::string later;
    for (int i = 0; i < 30; ++i) later += strings("t", i, {"one", "two"}, i % 2 ? plugin("text") : "");
    same(strings("t", 0, {"x"}, plugin("images")) + later);
    same(ordinary() + strings("t", 0, {"x"}, plugin("images")) + later);
    same(ordinary() + simple("t", 0) + later);
    same(ordinary() + strings("t", 0, {"x"}, "") + later + ordinary());
    same(ordinary() + no_value("t", 0, plugin("text")) + later);
    same(ordinary() + no_value("t", 0, plugin("hparams")) + later + no_value("t", 0, ""));
    same(ordinary() + later, {{"t", Kind::kImages}});
    same(ordinary() + graph(3) + ordinary() + graph(4) + graph(5));
    same(ordinary() + strings("t", 0, {"x"}, field(9, "\xff\xff")) + later);
    same(ordinary() + later + strings("t", 0, {"x"}, field(9, "\xff\xff")) + later);
}

void the_most_elements_are_counted_over_the_file() {
    std::string content;
    for (int i = 0; i < 40; ++i) content += strings("t", i, std::vector<std::string>(i % 9 + 1, "z"), plugin("text"));
    same(content);
    const File file(content);
    const Task tasks[] = {{file.path, 0, ~0ull, 0, {}}};
    const Batch batch = scan(tasks, -1, 0, 2, 64);
    std::uint32_t most = 0;
    for (const ChunkRow& row : batch.chunks) assert(row.max_count >= most), most = row.max_count;
    assert(most == 9);
}

void session_starts_are_counted_over_the_file() {
    same(session(0) + session(1) + session(2));
    std::string content = session(0) + session(0);
    for (int i = 0; i < 20; ++i) content += session(i) + (i % 4 == 2 ? simple("a", i) : "") + session(i + 1);
    same(content);
    same(content, {{"a", Kind::kScalars}});
}

void faults_are_limited_over_the_file() {
    std::string content;
    for (int i = 0; i < 500; ++i) {
        content += simple("a", i);
        content[content.size() - 1] ^= 1;
        if (i % 100 == 0) content += simple("a", i);
    }
    same(content);
}

// Random mixtures of the cases above, damaged at random positions.
void mixtures_give_the_same() {
    std::mt19937 random(11);
    for (int round = 0; round < 150; ++round) {
        std::string content;
        const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
        for (int i = 0; i < 40; ++i) {
            const std::string tag(1, static_cast<char>('a' + pick(4)));
            const std::string metadata = pick(2) ? "" : plugin(pick(2) ? "text" : "scalars");
            switch (pick(8)) {
                case 0:
                    content += session(i);
                    break;
                case 1:
                    content += strings(tag, i, {"value", session(1)}, metadata);
                    break;
                case 2:
                    content += no_value(tag, i, metadata);
                    break;
                case 3:
                    content += pick(4) ? simple(tag, i) : graph(i);
                    break;
                default:
                    content += simple(tag, i);
            }
        }
        for (int i = pick(4); i > 0; --i) content[static_cast<std::size_t>(pick(content.size()))] ^= 1 << pick(8);
        if (pick(3) == 0) content.resize(static_cast<std::size_t>(pick(content.size())));
        same(content);
    }
}

void columns_go_to_a_file_and_small_files_are_read_beside() {
    const std::string content = ordinary();
    const File large(content + content), small(simple("c", 5)), columns("");
    const Task tasks[] = {{small.path, 0, ~0ull, 0, {}},
                          {large.path, 0, ~0ull, 0, {}},
                          {"/nowhere", 0, ~0ull, 0, {}},
                          {large.path, 0, ~0ull, 0, {}}};
    const Batch expected = scan(tasks, -1, 0, 1);
    FILE* stream = std::fopen(columns.path.c_str(), "r+");
    Batch batch = scan(tasks, fileno(stream), 64, 2, 200);
    batch.memory.resize(batch.end);
    assert(std::fread(batch.memory.data(), 1, batch.end, stream) == batch.end);
    std::fclose(stream);
    for (std::size_t i = 0; i < 4; ++i) assert(raw(batch.files[i]) == raw(expected.files[i]));
    assert(batch.starts.size() == expected.starts.size() && batch.faults.size() == 1 && batch.faults[0].task == 2);
    std::uint32_t last = 0;
    std::map<std::uint32_t, std::uint64_t> points, wanted;
    for (const ChunkRow& row : batch.chunks) assert(row.file >= last), last = row.file, points[row.file] += row.n;
    for (const ChunkRow& row : expected.chunks) wanted[row.file] += row.n;
    assert(points == wanted);
}

}  // namespace

int main() {
    any_cut_gives_the_same();
    tiny_files_give_the_same();
    every_truncation_gives_the_same();
    every_flipped_byte_gives_the_same();
    limits_and_offsets_give_the_same();
    an_event_file_inside_a_tensor_gives_the_same();
    a_record_over_many_cuts_gives_the_same();
    kinds_come_from_the_first_value();
    the_most_elements_are_counted_over_the_file();
    session_starts_are_counted_over_the_file();
    faults_are_limited_over_the_file();
    mixtures_give_the_same();
    columns_go_to_a_file_and_small_files_are_read_beside();
    std::puts("stretches: all passed");
}
