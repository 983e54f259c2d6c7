#include "read/legacy.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace lightboard {

using wire::Bytes;
using wire::Fields;
using wire::key;

namespace {

void unpack_image(Bytes body, Unpacked& out) {
    std::uint64_t height = 0, width = 0;
    Bytes encoded;
    Fields fields(body);
    while (fields.next()) {
        switch (fields.key()) {
            case key(1, wire::kVarint):
                height = fields.varint();
                break;
            case key(2, wire::kVarint):
                width = fields.varint();
                break;
            case key(4, wire::kBytes):
                encoded = fields.bytes();
                break;
            default:
                break;
        }
    }
    if (fields.broken()) throw std::invalid_argument("the image summary is cut");
    out.dtype = "string";
    out.shape = {3};
    out.made = {std::to_string(static_cast<std::int32_t>(width)), std::to_string(static_cast<std::int32_t>(height))};
    for (const std::string& made : out.made)
        out.strings.emplace_back(reinterpret_cast<const std::uint8_t*>(made.data()), made.size());
    out.strings.push_back(encoded);
}

void unpack_audio(Bytes body, Unpacked& out) {
    out.dtype = "string";
    out.shape = {1};
    out.strings.emplace_back();
    Fields fields(body);
    while (fields.next()) {
        if (fields.key() == key(4, wire::kBytes)) out.strings[0] = fields.bytes();
        if (fields.key() == key(5, wire::kBytes)) out.content_type = wire::text(fields.bytes());
    }
    if (fields.broken()) throw std::invalid_argument("the audio summary is cut");
}

void append_doubles(const Fields& fields, std::vector<double>& list) {
    if ((fields.key() & 7) == wire::kFixed64) {
        list.push_back(fields.fixed<double>());
        return;
    }
    const Bytes packed = fields.bytes();
    if (packed.empty()) return;
    if (packed.size() % 8) throw std::invalid_argument("the histogram's buckets are cut");
    const std::size_t before = list.size();
    list.resize(before + packed.size() / 8);
    std::memcpy(list.data() + before, packed.data(), packed.size());
}

void unpack_histogram(Bytes body, Unpacked& out) {
    double low = 0, high = 0;
    std::vector<double> limits, counts;
    Fields fields(body);
    while (fields.next()) {
        switch (fields.key()) {
            case key(1, wire::kFixed64):
                low = fields.fixed<double>();
                break;
            case key(2, wire::kFixed64):
                high = fields.fixed<double>();
                break;
            case key(6, wire::kFixed64):
            case key(6, wire::kBytes):
                append_doubles(fields, limits);
                break;
            case key(7, wire::kFixed64):
            case key(7, wire::kBytes):
                append_doubles(fields, counts);
                break;
            default:
                break;
        }
    }
    if (fields.broken()) throw std::invalid_argument("the histogram summary is cut");
    // Empty buckets at both ends are dropped: their outer limits are ±DBL_MAX. The outer edges are the true minimum and
    // maximum.
    counts.resize(std::min(counts.size(), limits.size()));
    auto filled = [](double count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), filled);
    const auto past = std::find_if(counts.rbegin(), std::make_reverse_iterator(first), filled).base();
    std::vector<double> rows;
    for (auto bucket = first; bucket < past; ++bucket) {
        const auto index = static_cast<std::size_t>(bucket - counts.begin());
        rows.push_back(bucket == first ? low : limits[index - 1]);
        rows.push_back(bucket + 1 == past ? high : limits[index]);
        rows.push_back(*bucket);
    }
    out.dtype = "float64";
    out.shape = {static_cast<std::int64_t>(rows.size() / 3), 3};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(rows.data());
    out.data.assign(bytes, bytes + rows.size() * sizeof(double));
}

}  // namespace

Kind kind_of_plugin(std::string_view plugin) {
    for (const KindRow& row : kKindRows)
        if (!row.plugin.empty() && row.plugin == plugin) return row.kind;
    return plugin.starts_with("graph_") ? Kind::kGraphs : Kind::kTensors;
}

Kind kind_of(const Value& value, std::string_view plugin) {
    switch (value.form) {
        case Form::kSimple:
            return Kind::kScalars;
        case Form::kImage:
            return Kind::kImages;
        case Form::kHistogram:
            return Kind::kHistograms;
        case Form::kAudio:
            return Kind::kAudio;
        default:
            return plugin.empty() ? Kind::kUntyped : kind_of_plugin(plugin);
    }
}

bool fits(Kind kind, const Value& value, const TensorShape& shape) {
    if (value.form == Form::kImage && kind == Kind::kImages) return true;
    if (value.form == Form::kAudio && kind == Kind::kAudio) return true;
    if (value.form == Form::kHistogram && kind == Kind::kHistograms) return true;
    const bool tensor = value.form == Form::kTensor;
    switch (kKindRows[static_cast<std::size_t>(kind)].holds) {
        case Holds::kStrings:
            return tensor && shape.is_string;
        case Holds::kNumbers:
            return tensor && !shape.is_string;
        case Holds::kTensors:
            return tensor;
        case Holds::kAnything:
            return true;
        case Holds::kColumn:
            return false;  // called only for values that are not numbers; numbers are stored in columns
    }
    return false;
}

std::uint32_t count_of(Kind kind, const Value& value, const TensorShape& shape) {
    if (value.form == Form::kImage) return 3;
    if (value.form != Form::kTensor) return 1;
    // A shape may claim too many elements, so use the number of strings that were found.
    std::uint64_t count = shape.is_string ? std::min<std::uint64_t>(shape.first, shape.strings) : shape.first;
    if (kind == Kind::kImages) count = shape.strings;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xffffffffu));
}

void unpack_value(const Value& value, Unpacked& out) {
    switch (value.form) {
        case Form::kImage:
            return unpack_image(value.body, out);
        case Form::kAudio:
            return unpack_audio(value.body, out);
        case Form::kHistogram:
            return unpack_histogram(value.body, out);
        case Form::kTensor:
            return unpack_tensor(value.body, out);
        case Form::kSimple: {
            out.dtype = "float32";
            out.data.resize(sizeof(float));
            std::memcpy(out.data.data(), &value.simple, sizeof(float));
            return;
        }
        case Form::kNone:  // hparams: all data is in the metadata
            out.dtype = "float32";
            out.shape = {0};
    }
}

}  // namespace lightboard
