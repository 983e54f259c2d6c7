// The reader on bytes made here: framing, damage, slices, kinds, dtypes, restarts.
#undef NDEBUG
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/record.h"
#include "read/event.h"
#include "read/legacy.h"
#include "read/reader.h"
#include "tests/event_bytes.h"

using namespace lightboard;
using namespace lightboard::tests;

namespace {

std::string event(double wall, std::int64_t step, const std::string& rest) {
    return "\x09" + raw(wall) + "\x10" + varint(static_cast<std::uint64_t>(step)) + rest;
}

std::string simple(const std::string& tag, float value, std::int64_t step) {
    return event(1e9 + static_cast<double>(step), step, field(5, field(1, field(1, tag) + "\x15" + raw(value))));
}

std::string tensor_value(const std::string& tag, const std::string& tensor, const std::string& plugin) {
    const std::string metadata = plugin.empty() ? "" : field(9, field(1, field(1, plugin)));
    return field(5, field(1, field(1, tag) + field(8, tensor) + metadata));
}

// The bytes from `offset` to `end` of a file with this content.
Task piece(const std::string& content, std::uint64_t offset, std::uint64_t end = ~0ull) {
    const auto bytes = view(content).first(std::min<std::uint64_t>(end, content.size())).subspan(offset);
    return {Piece{bytes, content.size(), 7, 9}, offset, ~0ull, 0, {}};
}

Batch scan_one(const Task& task) { return scan({&task, 1}, -1, 0, 1); }

Batch scan_text(const std::string& content) { return scan_one(piece(content, 0)); }

std::vector<std::int64_t> steps_of(const Batch& batch, const ChunkRow& row) {
    std::vector<std::int64_t> steps(row.n);
    std::memcpy(steps.data(), batch.memory.data() + row.steps, row.n * 8);
    return steps;
}

std::uint64_t points_in(const Batch& batch) {
    std::uint64_t n = 0;
    for (const ChunkRow& row : batch.chunks) n += row.n;
    return n;
}

void checksums_match_the_published_vectors() {
    const std::string digits = "123456789";
    assert(crc32c(view(digits).data(), 9) == 0xe3069283u);
    assert(crc32c_portable(view(digits).data(), 9) == 0xe3069283u);
    assert(mask_crc(crc32c(view(raw<std::uint64_t>(24)).data(), 8)) == 0x224b7fa3u);
    assert(mask_crc(crc32c(nullptr, 0)) == 0xa282ead8u);
    for (std::size_t size = 0; size < 70; ++size) {
        const std::string text(size, static_cast<char>(size * 37));
        assert(crc32c(view(text).data(), size) == crc32c_portable(view(text).data(), size));
    }
}

void scalars_become_columns() {
    std::string file;
    for (int i = 0; i < 100; ++i) file += record(simple(i % 2 ? "b" : "a", static_cast<float>(i), i));
    const Batch batch = scan_text(file);
    assert(batch.chunks.size() == 2 && batch.tags.size() == 2 && batch.faults.empty());
    const ChunkRow& row = batch.chunks[0];
    assert(row.kind == Kind::kScalars && row.column == Column::kF32 && row.n == 50 && row.ordered);
    assert(row.first == 0 && row.last == 98 && row.min == 0 && row.max == 98 && row.max_step == 98);
    assert(batch.files[0].offset == file.size() && batch.files[0].records == 100);
}

void every_slicing_gives_the_same_points() {
    std::string content = record(event(1e9, 0, field(3, "brain.Event:2")));
    for (int i = 0; i < 20; ++i) content += record(simple("loss", static_cast<float>(i), i));
    for (std::size_t cut = 0; cut <= content.size(); ++cut) {
        const std::string so_far = content.substr(0, cut);
        const Batch before = scan_text(so_far);
        assert(before.faults.empty() && before.files[0].offset <= cut && before.files[0].size == cut);
        Task rest = piece(content, before.files[0].offset);
        if (!before.chunks.empty()) rest.known.emplace_back("loss", Kind::kScalars);
        const Batch after = scan_one(rest);
        assert(after.files[0].offset == content.size());
        assert(after.files[0].version == 7 && after.files[0].mtime_ns == 9);
        assert(points_in(before) + points_in(after) == 20);
    }
}

// A record that is cut at the end of a piece is neither damaged nor skipped: the next piece completes it.
void pieces_of_a_damaged_file_bring_what_the_whole_brings() {
    std::string content;
    for (int i = 0; i < 8; ++i) content += record(simple("loss", static_cast<float>(i), i));
    const std::size_t size = content.size() / 8;
    content[3 * size + 2] ^= 0x40;   // the length of one record
    content[5 * size + 20] ^= 0x40;  // the data of another
    const Batch whole = scan_text(content);
    assert(points_in(whole) == 6 && whole.faults.size() == 2);
    for (std::size_t step = 1; step <= content.size(); ++step) {
        std::uint64_t offset = 0, points = 0, reach = step;
        std::vector<Fault> faults;
        while (offset < content.size()) {
            Task task = piece(content, offset, offset + reach);
            if (points) task.known.emplace_back("loss", Kind::kScalars);
            const Batch batch = scan_one(task);
            points += points_in(batch);
            faults.insert(faults.end(), batch.faults.begin(), batch.faults.end());
            reach = batch.files[0].offset == offset ? 4 * reach : step;
            offset = batch.files[0].offset;
        }
        assert(points == 6 && faults.size() == 2);
        for (std::size_t i = 0; i < 2; ++i)
            assert(faults[i].offset == whole.faults[i].offset && faults[i].detail == whole.faults[i].detail);
    }
}

void what_could_not_be_fetched_is_a_fault() {
    const Batch batch = scan_one({Unfetched{"no such bucket"}, 5, ~0ull, 0, {}});
    assert(batch.files[0].version == 0 && batch.files[0].offset == 5 && batch.chunks.empty());
    assert(batch.faults.size() == 1 && batch.faults[0].reason == Reason::kOpen);
    assert(batch.faults[0].detail == "no such bucket");
    assert(scan_one({"/nowhere/at/all", 0, ~0ull, 0, {}}).faults[0].reason == Reason::kOpen);
}

void damage_costs_one_record() {
    std::string content;
    std::vector<std::size_t> starts;
    for (int i = 0; i < 10; ++i) {
        starts.push_back(content.size());
        content += record(simple("loss", static_cast<float>(i), i));
    }
    for (std::size_t at = 0; at < content.size(); ++at) {
        std::string damaged = content;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        const Batch batch = scan_text(damaged);
        assert(points_in(batch) == 9 && batch.faults.size() == 1);
        std::size_t hit = 0;
        while (hit + 1 < starts.size() && starts[hit + 1] <= at) ++hit;
        assert(batch.faults[0].offset == starts[hit]);
    }
}

void forged_headers_cost_linear_time() {
    // Many headers with good length checksums and bad data, after a damaged one: verified only within a budget.
    std::string content = record(simple("loss", 1, 1));
    content[3] ^= 1;
    std::string forged = record(std::string(1 << 20, 'x')).substr(0, kHeaderBytes);
    for (int i = 0; i < 100000; ++i) content += forged;
    content += std::string(2 << 20, 'y');
    scan_text(content);
}

void plain_and_general_parsing_agree() {
    PlainScalar plain;
    Event parsed;
    const std::string scalars = field(1, field(1, "scalars"));
    for (const std::string& data :
         {simple("loss", 2.5f, 7), simple("", 2.5f, 7), simple("loss", NAN, -1),
          event(5, 7, tensor_value("loss", "\x08\x01" + field(2, "") + field(4, raw(2.5f)), "scalars")),
          event(5, 7, tensor_value("loss", "\x08\x01" + field(5, raw(2.5f)), ""))}) {
        assert(parse_plain_scalar(view(data), plain));
        assert(parse_event(view(data), parsed) && parsed.values.size() == 1);
        assert(parsed.step == plain.step && parsed.values[0].tag == plain.tag && parsed.wall_time == plain.wall_time);
    }
    assert(!parse_plain_scalar(view(event(5, 7, tensor_value("loss", "\x08\x02" + field(4, raw(2.5)), ""))), plain));
}

void every_dtype_of_one_element_is_a_number() {
    const auto number = [](int dtype, const std::string& rest) {
        return number_in(view("\x08" + varint(dtype) + rest));
    };
    assert(number(1, field(4, raw(1.5f)))->value == 1.5);
    assert(number(2, field(4, raw(1e300)))->value == 1e300);
    assert(number(2, "\x31" + raw(0.1))->value == 0.1);                                // unpacked double_val
    assert(number(3, field(7, varint(static_cast<std::uint64_t>(-5))))->value == -5);  // packed int_val
    assert(number(4, field(4, "\xff"))->value == 255);
    assert(number(6, field(4, "\xff"))->value == -1);
    assert(number(9, field(4, raw<std::int64_t>(1ll << 40)))->value == static_cast<double>(1ll << 40));
    assert(number(10, "\x58\x01")->value == 1);
    assert(number(14, field(4, raw<std::uint16_t>(0x3fc0)))->value == 1.5);
    assert(number(19, field(13, varint(0x3e00)))->value == 1.5);
    assert(number(23, field(4, raw<std::uint64_t>(~0ull)))->value > 1.8e19);
    assert(number(24, field(4, "\x3e"))->value == 1.5 && number(25, field(4, "\x3c"))->value == 1.5);
    assert(number(1, field(2, field(2, std::string("\x08\x01"))) + field(5, raw(3.5f)))->value == 3.5);  // shape [1]
    assert(!number(1, field(2, field(2, std::string("\x08\x02"))) + field(4, raw(1.0f) + raw(2.0f))));
    assert(!number(7, field(8, "text")) && !number(99, field(4, raw(1.0f))) && !number(1, field(4, "abc")));
    assert(number(1, "")->value == 0);  // no value means zero
}

void kinds_come_from_the_first_value() {
    const std::string one = "\x08\x01" + field(2, "") + field(4, raw(1.0f));
    std::string content = record(event(1e9, 1, tensor_value("t", one, "scalars")));
    content += record(event(1e9, 2, tensor_value("t", one, "")));                                     // kind is known
    content += record(event(1e9, 3, tensor_value("t", "\x08\x07" + field(8, "no number"), "text")));  // a string
    content += record(event(1e9, 1, tensor_value("late", one, "")));                                  // no kind yet
    content += record(event(1e9, 2, tensor_value("late", one, "scalars")));
    content += record(event(1e9, 2, field(5, field(1, field(1, "nothing") + field(9, field(1, field(1, "scalars")))))));
    const Batch batch = scan_text(content);
    assert(batch.chunks.size() == 3 && batch.faults.size() == 1 && batch.faults[0].reason == Reason::kValue);
    assert(batch.chunks[1].kind == Kind::kUntyped || batch.chunks[0].kind == Kind::kUntyped);
}

void a_session_start_begins_a_part() {
    std::string content = record(event(1e9, 0, field(7, std::string("\x08\x01"))));
    for (int i = 0; i < 5; ++i) content += record(simple("loss", 1, i));
    content += record(event(1e9 + 10, 3, field(7, std::string("\x08\x01"))));
    for (int i = 3; i < 8; ++i) content += record(simple("loss", 2, i));
    const Batch batch = scan_text(content);
    assert(batch.chunks.size() == 2 && batch.chunks[0].part == 0 && batch.chunks[1].part == 1);
    assert(batch.starts.size() == 2 && batch.starts[1].step == 3 && batch.files[0].part == 1);
    assert(steps_of(batch, batch.chunks[1]).front() == 3);
}

void old_forms_become_tensors() {
    Value value;
    const std::string image = field(1, "i") + field(4, "\x08\x02\x10\x03" + field(4, "PNG"));
    assert(parse_value(view(image), value));
    Unpacked unpacked;
    unpack_value(value, unpacked);
    assert(unpacked.strings.size() == 3 && wire::text(unpacked.strings[0]) == "3" &&
           wire::text(unpacked.strings[2]) == "PNG");
    const std::string limits = raw(-1.0) + raw(0.0) + raw(1.0) + raw(1e308);
    const std::string counts = raw(0.0) + raw(3.0) + raw(4.0) + raw(0.0);
    const std::string histogram =
        field(1, "h") + field(5, "\x09" + raw(-0.5) + "\x11" + raw(0.9) + field(6, limits) + field(7, counts));
    assert(parse_value(view(histogram), value));
    Unpacked rows;
    unpack_value(value, rows);
    assert((rows.shape == std::vector<std::int64_t>{2, 3}) && rows.dtype == "float64");
    double cells[6];
    std::memcpy(cells, rows.data.data(), sizeof cells);
    assert(cells[0] == -0.5 && cells[1] == 0 && cells[2] == 3 && cells[3] == 0 && cells[4] == 0.9 && cells[5] == 4);
}

void a_few_bytes_do_not_become_gigabytes() {
    const std::string huge = field(2, field(2, "\x08" + varint(1 << 27)));
    for (const std::string& tensor : {"\x08\x01" + huge + field(5, raw(1.0f)), "\x08\x07" + huge + field(8, "text")}) {
        bool refused = false;
        try {
            Unpacked unpacked;
            unpack_tensor(view(tensor), unpacked);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        assert(refused);
    }
    Unpacked filled;
    unpack_tensor(view("\x08\x01" + field(2, field(2, std::string("\x08\x04"))) + field(5, raw(1.0f) + raw(2.0f))),
                  filled);
    assert(filled.data.size() == 16 && filled.data[15] == filled.data[7]);
}

void a_full_disk_is_an_exception() {
    std::string content;
    for (int i = 0; i < 100; ++i) content += record(simple("loss", 1, i));
    const Task tasks[] = {piece(content, 0)};
    bool thrown = false;
    FILE* full = std::fopen("/dev/full", "w");
    try {
        scan(tasks, fileno(full), 0, 1);
    } catch (const std::system_error& error) {
        thrown = error.code().value() == ENOSPC;
    }
    std::fclose(full);
    assert(thrown);
}

}  // namespace

int main() {
    checksums_match_the_published_vectors();
    scalars_become_columns();
    every_slicing_gives_the_same_points();
    pieces_of_a_damaged_file_bring_what_the_whole_brings();
    what_could_not_be_fetched_is_a_fault();
    damage_costs_one_record();
    forged_headers_cost_linear_time();
    plain_and_general_parsing_agree();
    every_dtype_of_one_element_is_a_number();
    kinds_come_from_the_first_value();
    a_session_start_begins_a_part();
    old_forms_become_tensors();
    a_few_bytes_do_not_become_gigabytes();
    a_full_disk_is_an_exception();
    std::puts("reader: all passed");
}
