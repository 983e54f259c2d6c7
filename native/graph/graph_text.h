// Prints and parses protobuf's text format, for graphs and for the metadata of their execution.
//
//     node {
//       name: "x"
//       attr {
//         key: "dtype"
//         value {
//           type: DT_FLOAT
//         }
//       }
//     }
//
// The output equals TensorBoard's byte for byte: fields in the order of their numbers, map entries in descending order
// of their keys, no unknown fields. The parser also accepts text written by hand: `<>` for `{}`, lists, comments,
// optional commas.
//
// Format: https://protobuf.dev/reference/protobuf/textformat-spec/
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire.h"

namespace lightboard {

struct TextOptions {
    // Larger attributes of nodes are omitted, and their names are listed in the attribute `large_key`. 0: no limit.
    std::uint64_t large_bytes = 0;
    std::string_view large_key;
    std::size_t most_bytes = 1u << 30;  // limit of the text
};

// Returns the message as text. Malformed bytes end the message that contains them and set `whole` to false. Throws
// std::invalid_argument for an unknown message, std::length_error if the text gets too long.
std::string print_text(wire::Bytes bytes, std::string_view message, const TextOptions& options, bool& whole);

// The serialized message. Throws std::invalid_argument with line and reason if the text is invalid; unknown fields are
// skipped and counted, and the first ones are listed.
struct ParsedText {
    std::string bytes;
    std::uint64_t unknown = 0;
    std::vector<std::string> examples;
};
ParsedText parse_text(std::string_view text, std::string_view message);

}  // namespace lightboard
