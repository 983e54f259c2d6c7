// Reads one large file with several threads; the result equals that of reading it from start to end.
//
//     head      the first bytes, read first by one thread: afterwards most tags and their kinds are known
//     stretches the rest, cut where a length CRC matches; each is read with only the head known
//     joining   in order; a stretch is accepted if the previous one ended exactly at its start, and if the data between
//               head and stretch would not change its result. Otherwise it is read again, from the previous end on.
//
// A cut may be inside a record (an event file logged as a tensor): then the previous stretch does not end at the cut.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "read/columns.h"
#include "read/fault.h"
#include "read/names.h"

namespace lightboard {

// Large enough that a cut costs little, small enough that all cores finish at about the same time.
inline constexpr std::uint64_t kStretchBytes = 8 << 20;

struct Stretch {
    std::uint64_t from, to;
};

// The state of a tag: what the reader has found out so far.
struct TagState {
    std::int32_t metadata = -1;
    std::uint32_t max_count = 0;
    Kind kind = Kind::kUntyped;
    Kind prompt = Kind::kUntyped;  // the kind if the tag's first value in this part determined it, else untyped
    bool seen = false;             // the kind is known, from a value or from the task
};

// The result of reading a part of a file. Tags and metadata are numbered within the part; `states` has one entry per
// tag.
struct Part {
    Stretch stretch{};
    Names tags;
    Names metadata;
    std::vector<TagState> states;
    std::vector<ChunkRow> chunks;
    std::vector<StartRow> starts;
    std::vector<Fault> faults;
    FileRow row{};
    std::size_t seeds = 0;             // number of tags, with their states, copied from the part it started with
    std::uint32_t leading_starts = 0;  // session starts before the first point
    bool certain = false;              // started with the state of everything before it in the file
    bool has_points = false;           // this part has points, or earlier ones are known to have
    bool has_tail = false;             // a record was read, so row.tail_crc is valid
    bool stopped = false;              // did not reach the end of its stretch
};

// Cuts `range` of a file of `size` bytes into stretches of about `bytes`. Throws std::system_error.
std::vector<Stretch> cut(int fd, Stretch range, std::uint64_t size, std::uint64_t bytes);

// Returns whether `part`, read with only `head` known, equals the result of reading it after `whole`.
bool agrees(const Part& whole, const std::vector<TagState>& head, const Part& part);

// Appends a part that begins where `whole` ends.
void append(Part& whole, Part&& part);

// Updates the earliest and latest wall time; ignores NaN and infinity.
inline void note_wall(FileRow& row, double wall) {
    if (!(wall >= row.min_wall) && std::isfinite(wall)) row.min_wall = wall;
    if (!(wall <= row.max_wall) && std::isfinite(wall)) row.max_wall = wall;
}

}  // namespace lightboard
