// Converts event files to columns. Only this file knows how the bytes of a run become rows.
//
// The bytes are read from a path, or come from a caller that has fetched them, or fetches them meanwhile, from a file
// system only Python can use.
//
// A scan is stateless: the task contains the start offset (`Task::offset`), the number of session starts and the kinds
// of the tags; its FileRow and chunks return the new state. Reading a file in slices gives the same points as reading
// it at once, and so does reading a large one with several threads (stretches.h).
//
// Memory: each thread has a read buffer (as large as the largest record), the columns of the current window
// (kWindowBytes) and an output buffer; if columns are written to a descriptor, nothing else grows with the number of
// points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "read/columns.h"
#include "read/fault.h"
#include "read/file_buffer.h"
#include "read/stretches.h"

namespace lightboard {

// Bytes of a file from Task::offset on, fetched by the caller. They may end before the file does: an incomplete last
// record is left for a later task.
struct Piece {
    std::span<const std::uint8_t> bytes;
    std::uint64_t size = 0;     // of the whole file
    std::uint64_t version = 0;  // not 0; see identity.h
    std::int64_t mtime_ns = 0;
};

// The same bytes while they arrive: `length` of them, or fewer if the stream ends early.
struct Arriving {
    Stream* stream;  // owned by the caller; used by one thread at a time
    std::uint64_t length = 0;
    std::uint64_t size = 0;
    std::uint64_t version = 0;
    std::int64_t mtime_ns = 0;
};

// The bytes could not be fetched: the task's only result is a fault with this text.
struct Unfetched {
    std::string reason;
};

struct Task {
    std::variant<std::string, Piece, Arriving, Unfetched> source;  // a string is a path
    std::uint64_t offset = 0;
    std::uint64_t limit = ~0ull;  // stop after about this many bytes
    std::uint32_t part = 0;
    std::vector<std::pair<std::string, Kind>> known;
};

struct Batch {
    std::vector<std::string> tags;
    std::vector<std::string> metadata;  // serialized SummaryMetadata, without duplicates
    std::vector<FileRow> files;         // one per task
    std::vector<ChunkRow> chunks;       // by task, then in the order of reading
    std::vector<StartRow> starts;
    std::vector<Fault> faults;
    std::vector<std::uint8_t> memory;  // the columns, if there is no descriptor
    std::uint64_t end = 0;
};

// Reads all tasks with up to `threads` threads (0: one per core). A file with more than twice `stretch_bytes` to read
// is split among them. If fd >= 0, the columns are written to it from offset `base` on; a failed write throws
// std::system_error.
Batch scan(std::span<const Task> tasks, int fd, std::uint64_t base, unsigned threads,
           std::uint64_t stretch_bytes = kStretchBytes);

}  // namespace lightboard
