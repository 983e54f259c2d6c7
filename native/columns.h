// The rows a scan hands over. `lightboard/store/tables.py` holds the same layouts; a test compares them.
#pragma once

#include <cstdint>

namespace lightboard {

enum class Kind : std::uint8_t {
    kUntyped = 0,
    kScalars = 1,
    kImages = 2,
    kAudio = 3,
    kText = 4,
    kHistograms = 5,
    kPrCurves = 6,
    kMesh = 7,
    kCustomScalars = 8,
    kHparams = 9,
    kGraphs = 10,
    kTensors = 11,
    kVideo = 12,
    kHtml = 13,
    kTables = 14,
    kPlotly = 15,
};
inline constexpr std::uint8_t kKinds = 16;

enum class Column : std::uint8_t { kF32 = 0, kF64 = 1, kValueRef = 2, kRawRef = 3 };

// One stretch of points of one tag of one file; positions are byte offsets into the segment.
struct ChunkRow {
    std::uint32_t tag;
    std::uint32_t file;
    std::uint32_t segment;
    std::int32_t metadata;
    std::uint32_t part;
    Kind kind;
    Column column;
    std::uint8_t ordered;
    std::uint8_t dead;  // the store's: merged into another chunk
    std::uint32_t max_count;
    std::uint32_t pad2;
    std::uint64_t n;
    std::uint64_t steps;
    std::uint64_t walls;
    std::uint64_t values;
    std::int64_t first_step;
    std::int64_t last_step;
    std::int64_t min_step;
    std::int64_t max_step;
    double min_wall;
    double max_wall;
    double first;
    double last;
    double min;
    double max;
};
static_assert(sizeof(ChunkRow) == 144);

struct FileRow {
    std::uint32_t run;
    std::uint32_t part;
    std::uint64_t version;  // see identity.h
    std::uint64_t size;
    std::int64_t mtime_ns;
    std::uint64_t offset;
    std::uint64_t records;
    std::uint64_t bad_records;
    double min_wall;
    double max_wall;
    std::uint32_t tail_crc;
    std::uint8_t alive;
    std::uint8_t scan;  // the store's: which scan reads it
    std::uint8_t pad[2];
};
static_assert(sizeof(FileRow) == 80);

struct StartRow {
    std::uint32_t file;
    std::uint32_t part;
    std::int64_t step;
    double wall;
};
static_assert(sizeof(StartRow) == 24);

// Where a heavy value lies in its file, and how many elements it has.
struct Ref {
    std::uint64_t offset;
    std::uint32_t length;
    std::uint32_t count;
};
static_assert(sizeof(Ref) == 16);

}  // namespace lightboard
