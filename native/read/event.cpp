#include "read/event.h"

namespace lightboard {

using wire::Bytes;
using wire::Fields;
using wire::key;

namespace {

constexpr std::uint64_t kSessionStart = 1;

bool parse_session_log(Bytes bytes, Event& event) {
    Fields fields(bytes);
    while (fields.next())
        if (fields.key() == key(1, wire::kVarint)) event.session_start = fields.varint() == kSessionStart;
    return !fields.broken();
}

bool parse_tagged_run_metadata(Bytes bytes, Event& event) {
    RawBlob blob{{}, "graph_tagged_run_metadata", {}};
    Fields fields(bytes);
    while (fields.next()) {
        if (fields.key() == key(1, wire::kBytes)) blob.tag = wire::text(fields.bytes());
        if (fields.key() == key(2, wire::kBytes)) blob.bytes = fields.bytes();
    }
    if (!fields.broken()) event.blobs.push_back(blob);
    return !fields.broken();
}

bool parse_summary(Bytes bytes, Event& event) {
    Fields fields(bytes);
    while (fields.next()) {
        if (fields.key() != key(1, wire::kBytes)) continue;
        event.values.emplace_back();
        if (!parse_value(fields.bytes(), event.values.back())) return false;
    }
    return !fields.broken();
}

void set_body(Value& value, Form form, Bytes body) {
    value.form = form;
    value.body = body;
}

}  // namespace

bool parse_value(Bytes bytes, Value& value) {
    value = Value{};
    value.whole = bytes;
    Fields fields(bytes);
    while (fields.next()) {
        switch (fields.key()) {
            case key(1, wire::kBytes):
                value.tag = wire::text(fields.bytes());
                break;
            case key(2, wire::kFixed32):
                value.form = Form::kSimple;
                value.simple = fields.fixed<float>();
                break;
            case key(4, wire::kBytes):
                set_body(value, Form::kImage, fields.bytes());
                break;
            case key(5, wire::kBytes):
                set_body(value, Form::kHistogram, fields.bytes());
                break;
            case key(6, wire::kBytes):
                set_body(value, Form::kAudio, fields.bytes());
                break;
            case key(8, wire::kBytes):
                set_body(value, Form::kTensor, fields.bytes());
                break;
            case key(9, wire::kBytes):
                value.metadata = fields.bytes();
                value.has_metadata = true;
                break;
            default:
                break;
        }
    }
    return !fields.broken();
}

bool parse_event(Bytes bytes, Event& event) {
    event.wall_time = 0;
    event.step = 0;
    event.session_start = false;
    event.values.clear();
    event.blobs.clear();
    Fields fields(bytes);
    while (fields.next()) {
        bool good = true;
        switch (fields.key()) {
            case key(1, wire::kFixed64):
                event.wall_time = fields.fixed<double>();
                break;
            case key(2, wire::kVarint):
                event.step = static_cast<std::int64_t>(fields.varint());
                break;
            case key(4, wire::kBytes):
                event.blobs.push_back({"__run_graph__", "graphs", fields.bytes()});
                break;
            case key(5, wire::kBytes):
                good = parse_summary(fields.bytes(), event);
                break;
            case key(7, wire::kBytes):
                good = parse_session_log(fields.bytes(), event);
                break;
            case key(8, wire::kBytes):
                good = parse_tagged_run_metadata(fields.bytes(), event);
                break;
            case key(9, wire::kBytes):
                event.blobs.push_back({"__meta_graph__", "graph_meta_graph", fields.bytes()});
                break;
            default:
                break;
        }
        if (!good) return false;
    }
    return !fields.broken();
}

bool parse_plain_scalar(Bytes bytes, PlainScalar& scalar) {
    //     09 wall(8) 10 step(varint) 2a n 0a n-2 0a t tag(t), all lengths below 128, a step of 0 left out, and then
    //     15 value(4)
    // or  42 8|10 {08 01 [12 00] 22|2a 04 value(4)} [4a m metadata(m)]
    const std::uint8_t* at = bytes.data();
    const std::uint8_t* end = at + bytes.size();
    if (bytes.size() < 9 + 11 || *at != key(1, wire::kFixed64)) return false;
    std::memcpy(&scalar.wall_time, at + 1, 8);
    at += 9;
    std::uint64_t step = 0;
    if (*at == key(2, wire::kVarint) && !wire::read_varint(++at, end, step)) return false;
    scalar.step = static_cast<std::int64_t>(step);
    const auto left = static_cast<std::size_t>(end - at);
    if (left < 11 || left > 129) return false;
    const std::size_t tag_size = at[5];
    if (at[0] != key(5, wire::kBytes) || at[1] != left - 2 || at[2] != key(1, wire::kBytes) || at[3] != left - 4 ||
        at[4] != key(1, wire::kBytes) || tag_size > left - 11)
        return false;
    scalar.tag = {reinterpret_cast<const char*>(at + 6), tag_size};
    at += 6 + tag_size;
    const auto rest = static_cast<std::size_t>(end - at);
    if (rest == 5 && *at == key(2, wire::kFixed32)) {
        std::memcpy(&scalar.value, at + 1, 4);
        return true;
    }
    if (rest < 10 || at[0] != key(8, wire::kBytes) || (at[1] != 8 && at[1] != 10) || rest < 2u + at[1]) return false;
    const std::uint8_t* after = at + 2 + at[1];
    if (at[2] != key(1, wire::kVarint) || at[3] != 1) return false;
    if (at[1] == 10 && (at[4] != key(2, wire::kBytes) || at[5] != 0)) return false;
    if ((after[-6] != key(4, wire::kBytes) && after[-6] != key(5, wire::kBytes)) || after[-5] != 4) return false;
    if (after != end && (end - after < 2 || after[0] != key(9, wire::kBytes) || after[1] != end - after - 2))
        return false;
    std::memcpy(&scalar.value, after - 4, 4);
    return true;
}

bool parse_metadata(Bytes bytes, Metadata& metadata) {
    metadata = Metadata{};
    Fields fields(bytes);
    while (fields.next()) {
        switch (fields.key()) {
            case key(1, wire::kBytes): {
                Fields plugin(fields.bytes());
                while (plugin.next()) {
                    if (plugin.key() == key(1, wire::kBytes)) metadata.plugin = wire::text(plugin.bytes());
                    if (plugin.key() == key(2, wire::kBytes)) metadata.content = plugin.bytes();
                }
                if (plugin.broken()) return false;
                break;
            }
            case key(2, wire::kBytes):
                metadata.display_name = wire::text(fields.bytes());
                break;
            case key(3, wire::kBytes):
                metadata.description = wire::text(fields.bytes());
                break;
            case key(4, wire::kVarint):
                metadata.data_class = static_cast<std::uint32_t>(fields.varint());
                break;
            default:
                break;
        }
    }
    return !fields.broken();
}

}  // namespace lightboard
