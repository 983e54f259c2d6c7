// Encodes Event messages as framed records: the counterpart of wire.h, event.h and record.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lightboard {

// Appends protobuf fields to a string. Field numbers are those of event.h and tensor.h.
namespace encode {

void varint(std::string& out, std::uint64_t value);
void bytes(std::string& out, std::uint32_t field, std::string_view value);
void integer(std::string& out, std::uint32_t field, std::uint64_t value);
void fixed(std::string& out, std::uint32_t field, double value);
void fixed(std::string& out, std::uint32_t field, float value);

// Encodes one number as Summary.Value. Old style is a simple_value; new style is a float tensor with `scalars`
// metadata; doubles always use the new style, because a simple_value has only float precision.
enum class ScalarStyle { kSimple, kTensor, kDouble };
void scalar_value(std::string& out, std::string_view tag, double number, ScalarStyle style);

// Appends a framed record: an Event with wall time, step and one length-delimited payload field (5: a Summary, 3: a
// file version, …). Field number 0 means no payload.
void event_record(std::string& out, double wall_time, std::int64_t step, std::uint32_t field, std::string_view payload);

// Frames any bytes as a record.
void record(std::string& out, std::string_view data);

}  // namespace encode
}  // namespace lightboard
