// Event files in, columns out. The only place that knows how a run's bytes become rows.
//
// The bytes come from a path, or from whoever has fetched them already: a file system that only Python can reach.
//
// A scan is stateless: where to go on (`Task::offset`), how many session starts there were and which kinds the tags
// have come in with the task and go out with its FileRow and chunks. Reading a file in any slices gives the same points
// as reading it whole, and so does reading a large one with several threads (stretches.h).
//
// Memory: each thread keeps one read buffer (as large as the largest record), the columns of the current window
// (kWindowBytes) and an output buffer; with a descriptor to write to, nothing else grows with the number of points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "read/columns.h"
#include "read/fault.h"
#include "read/stretches.h"

namespace lightboard {

// Bytes of a file from Task::offset on, fetched by the caller, who also says which file they are from. They may end
// before the file does: a record that they cut is left for a task that has more of them.
struct Piece {
    std::span<const std::uint8_t> bytes;
    std::uint64_t size = 0;     // of the whole file
    std::uint64_t version = 0;  // not 0; see identity.h
    std::int64_t mtime_ns = 0;
};

// The bytes could not be fetched: the only result of the task is a fault with this text.
struct Unfetched {
    std::string reason;
};

struct Task {
    std::variant<std::string, Piece, Unfetched> source;  // a string is a path
    std::uint64_t offset = 0;
    std::uint64_t limit = ~0ull;  // stop after about this many bytes
    std::uint32_t part = 0;
    std::vector<std::pair<std::string, Kind>> known;
};

struct Batch {
    std::vector<std::string> tags;
    std::vector<std::string> metadata;  // serialized SummaryMetadata, each once
    std::vector<FileRow> files;         // one per task
    std::vector<ChunkRow> chunks;       // by task, then as read
    std::vector<StartRow> starts;
    std::vector<Fault> faults;
    std::vector<std::uint8_t> memory;  // the columns, when there is no descriptor
    std::uint64_t end = 0;
};

// Reads all tasks with up to `threads` threads (0: one for each core). A file with more than twice `stretch_bytes` to
// read is shared out among them. With fd >= 0 the columns are written there from `base` on; a failed write throws
// std::system_error.
Batch scan(std::span<const Task> tasks, int fd, std::uint64_t base, unsigned threads,
           std::uint64_t stretch_bytes = kStretchBytes);

}  // namespace lightboard
