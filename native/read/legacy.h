// Converts old summary forms to the new one, so that the rest of Lightboard sees only tensors.
//
//     image      Image{height 1, width 2, encoded_image_string 4}        → strings [width, height, image]
//     audio      Audio{encoded_audio_string 4, content_type 5}           → strings [clip], content type kept
//     histogram  HistogramProto{min 1, max 2, bucket_limit 6, bucket 7}  → float64 [k, 3] of left, right, count
//
// Schema: tensorflow/core/framework/summary.proto, tensorflow/core/framework/histogram.proto.
#pragma once

#include <cstdint>
#include <string_view>

#include "read/columns.h"
#include "read/event.h"
#include "read/tensor.h"

namespace lightboard {

// Returns the kind of a tag, determined by its first value.
Kind kind_of(const Value& value, std::string_view plugin);
Kind kind_of_plugin(std::string_view plugin);

// Returns whether a value has a form that its kind allows; a vector in a scalar tag has not.
bool fits(Kind kind, const Value& value, const TensorShape& shape);

// Returns the number of elements of a heavy value, counted as in the new form.
std::uint32_t count_of(Kind kind, const Value& value, const TensorShape& shape);

// Converts the value to a tensor. Throws std::invalid_argument with a message if that is impossible.
void unpack_value(const Value& value, Unpacked& out);

}  // namespace lightboard
