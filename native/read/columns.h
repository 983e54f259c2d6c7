// The rows that a scan returns. `lightboard/store/row_types.py` defines the same layouts; a test compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace lightboard {

// The kind of a tag's values. `lightboard/types.py` and the index on disk use the same numbers: never renumber.

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

// Which tensors are valid values of a kind. Old summary forms (an image, a histogram) are checked in `legacy.cpp`.
enum class Holds : std::uint8_t { kColumn, kStrings, kNumbers, kTensors, kAnything };

struct KindRow {
    Kind kind;
    Holds holds;
    std::string_view plugin;  // in the metadata of a tag; empty: the kind has no plugin
};

// One row per kind, in the order of their numbers. A new kind needs a number above and a row here.
inline constexpr KindRow kKindRows[] = {
    {Kind::kUntyped, Holds::kTensors, ""},
    {Kind::kScalars, Holds::kColumn, "scalars"},
    {Kind::kImages, Holds::kStrings, "images"},
    {Kind::kAudio, Holds::kStrings, "audio"},
    {Kind::kText, Holds::kStrings, "text"},
    {Kind::kHistograms, Holds::kNumbers, "histograms"},
    {Kind::kPrCurves, Holds::kNumbers, "pr_curves"},
    {Kind::kMesh, Holds::kNumbers, "mesh"},
    {Kind::kCustomScalars, Holds::kStrings, "custom_scalars"},
    {Kind::kHparams, Holds::kAnything, "hparams"},
    {Kind::kGraphs, Holds::kTensors, "graphs"},
    {Kind::kTensors, Holds::kTensors, ""},
    {Kind::kVideo, Holds::kStrings, "lightboard_video"},
    {Kind::kHtml, Holds::kStrings, "lightboard_html"},
    {Kind::kTables, Holds::kStrings, "lightboard_table"},
    {Kind::kPlotly, Holds::kStrings, "lightboard_plotly"},
};
inline constexpr std::uint8_t kKinds = std::size(kKindRows);

constexpr bool kind_rows_are_in_order() {
    for (std::size_t i = 0; i < kKinds; ++i)
        if (static_cast<std::size_t>(kKindRows[i].kind) != i) return false;
    return true;
}
static_assert(kind_rows_are_in_order());

enum class Column : std::uint8_t { kF32 = 0, kF64 = 1, kValueRef = 2, kRawRef = 3 };

// Returns the bytes of one value.
constexpr std::uint64_t width_of(Column column) { return column == Column::kF32 ? 4 : column == Column::kF64 ? 8 : 16; }

// Consecutive points of one tag of one file; `steps`, `walls` and `values` are byte offsets into the segment.
struct ChunkRow {
    std::uint32_t tag;
    std::uint32_t file;
    std::uint32_t segment;
    std::int32_t metadata;
    std::uint32_t part;
    Kind kind;
    Column column;
    std::uint8_t ordered;
    std::uint8_t dead;  // used by the store: merged into another chunk
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
    std::uint8_t scan;  // used by the store: which scan reads it
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

// Offset and length of a heavy value in its file, and its number of elements.
struct Ref {
    std::uint64_t offset;
    std::uint32_t length;
    std::uint32_t count;
};
static_assert(sizeof(Ref) == 16);

}  // namespace lightboard
