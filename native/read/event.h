// Parses Event and Summary messages in place. Nothing is copied: every span points into the record.
//
//     Event    wall_time 1 double, step 2 int64, file_version 3, graph_def 4, summary 5, log_message 6, session_log 7,
//              tagged_run_metadata 8, meta_graph_def 9
//     Summary  value 1 repeated
//     Value    tag 1, simple_value 2 float, image 4, histo 5, audio 6, tensor 8, metadata 9
//
// Schema: tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/wire.h"
#include "read/columns.h"

namespace lightboard {

enum class Form : std::uint8_t { kNone, kSimple, kImage, kHistogram, kAudio, kTensor };

// One Summary.Value.
struct Value {
    wire::Bytes whole;  // the whole Value message, which a reference points to
    std::string_view tag;
    wire::Bytes body;  // the image, histogram, audio or tensor message
    wire::Bytes metadata;
    float simple = 0;
    Form form = Form::kNone;
    bool has_metadata = false;
};

// A payload that is not a Summary.Value: a graph or run metadata.
struct RawBlob {
    std::string_view tag;
    std::string_view plugin;
    wire::Bytes bytes;
};

struct Event {
    double wall_time = 0;
    std::int64_t step = 0;
    bool session_start = false;
    std::vector<Value> values;
    std::vector<RawBlob> blobs;
};

// Parses an Event into `event`, whose vectors are reused. Returns false if the bytes are not a valid Event; `event`
// must not be used then.
bool parse_event(wire::Bytes bytes, Event& event);

// Parses a single Value message, for values that are read on demand.
bool parse_value(wire::Bytes bytes, Value& value);

// The two forms of nearly every record, parsed without the general parser: wall time, step and one tag with a
// simple_value, or with a float32 tensor of rank 0 and optional metadata. Returns false for any other bytes; use
// parse_event.
struct PlainScalar {
    double wall_time;
    std::int64_t step;
    std::string_view tag;
    float value;
};
bool parse_plain_scalar(wire::Bytes bytes, PlainScalar& scalar);

struct Metadata {
    std::string_view plugin;
    wire::Bytes content;
    std::string_view display_name;
    std::string_view description;
    std::uint32_t data_class = 0;
};

bool parse_metadata(wire::Bytes bytes, Metadata& metadata);

}  // namespace lightboard
