// One large file read by several threads, with the result of reading it from start to end.
//
//     head      the first bytes, read alone: most tags and their kinds are known after it
//     stretches the rest, cut where a length CRC holds; each is read knowing only the head
//     joining   in order; a stretch is accepted if the one before it ended exactly where it begins, and if nothing read
//               in between would have changed its result. Otherwise it is read again, from where the last one ended.
//
// A cut may lie inside a record (an event file logged as a tensor): then the stretch before it does not end there.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "read/columns.h"
#include "read/fault.h"
#include "read/names.h"

namespace lightboard {

// Large enough for the work to outweigh a cut, small enough for all cores to end at about the same time.
inline constexpr std::uint64_t kStretchBytes = 8 << 20;

struct Stretch {
    std::uint64_t from, to;
};

// What reading has decided about a tag.
struct TagState {
    std::int32_t metadata = -1;
    std::uint32_t max_count = 0;
    Kind kind = Kind::kUntyped;
    Kind prompt = Kind::kUntyped;  // the kind, if the tag's first value in this part decided it, else untyped
    bool seen = false;             // kind decided, by a value or by the task
};

// A part of a file as it was read. Tags and metadata are numbered within the part; `states` has one for each tag.
struct Part {
    Stretch stretch{};
    Names tags;
    Names metadata;
    std::vector<TagState> states;
    std::vector<ChunkRow> chunks;
    std::vector<StartRow> starts;
    std::vector<Fault> faults;
    FileRow row{};
    std::size_t seeds = 0;             // the first tags and their states came from the part it was seeded with
    std::uint32_t leading_starts = 0;  // session starts before the first point
    bool certain = false;              // seeded with everything that came before it in the file
    bool has_points = false;           // of this part, or before it where that is known
    bool has_tail = false;             // a record was read, so row.tail_crc is one
    bool stopped = false;              // did not reach the end of its stretch
};

// Cuts `range` of a file of `size` bytes into stretches of about `bytes`. Throws std::system_error.
std::vector<Stretch> cut(int fd, Stretch range, std::uint64_t size, std::uint64_t bytes);

// Whether `part`, which was read knowing only `head`, equals the result of reading it after `whole`.
bool agrees(const Part& whole, const std::vector<TagState>& head, const Part& part);

// Appends a part that begins where `whole` ends.
void append(Part& whole, Part&& part);

// Updates the earliest and latest wall time; ignores NaN.
inline void note_wall(FileRow& row, double wall) {
    if (!(wall >= row.min_wall) && std::isfinite(wall)) row.min_wall = wall;
    if (!(wall <= row.max_wall) && std::isfinite(wall)) row.max_wall = wall;
}

}  // namespace lightboard
