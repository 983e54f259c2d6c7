// Natural order of names: `run2` before `run10`, `lr=0.01` before `lr=0.1`. src/lightboard/query/order.py describes
// which texts are numbers and how names are compared, and does the same for a few names at a time; a test compares the
// two.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightboard::kernels {

// Returns a string whose byte order is the natural order of names. `name` is UTF-8, lone surrogates as three bytes.
std::string natural_key(std::string_view name);

// Returns the rank of each name. `packed` contains the names one after another, `ends` the end of each.
std::vector<std::int64_t> natural_ranks(std::string_view packed, std::span<const std::uint64_t> ends);

}  // namespace lightboard::kernels
