// Protobuf's text format for graphs and what is recorded of running them, both ways.
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
// Printed byte by byte as TensorBoard prints it: fields in the order of their numbers, names of map entries from the
// last to the first, unknown fields left out. The parser also accepts what people write by hand: `<>` for `{}`, lists,
// comments, optional commas.
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
    // Attributes of nodes larger than this are left out, and their names listed as the attribute `large_key`. 0: none.
    std::uint64_t large_bytes = 0;
    std::string_view large_key;
    std::size_t most_bytes = 1u << 30;  // of the text
};

// Appends the message as text. Broken bytes end the message they are in, and `whole` becomes false. Throws
// std::invalid_argument for an unknown message, std::length_error when the text gets too long.
std::string print_text(wire::Bytes bytes, std::string_view message, const TextOptions& options, bool& whole);

// The message's bytes. Throws std::invalid_argument with line and reason if the text is invalid; unknown fields are
// skipped, counted, and the first ones named.
struct ParsedText {
    std::string bytes;
    std::uint64_t unknown = 0;
    std::vector<std::string> examples;
};
ParsedText parse_text(std::string_view text, std::string_view message);

}  // namespace lightboard
