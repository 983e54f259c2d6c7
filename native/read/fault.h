// Faults of event files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lightboard {

// The reason of a fault at one position of a file; the rest of the file is read.
enum class Reason : std::uint8_t {
    kOpen,       // the file cannot be opened
    kRead,       // the system reported a read error
    kLengthCrc,  // a record's length is damaged: the reader searched for the next record
    kLength,     // a record's length exceeds the limit
    kDataCrc,    // a record's data is damaged: skipped
    kMessage,    // both checksums match, but the data is not an Event: skipped
    kValue,      // a value does not fit the kind of its tag (a vector among scalars): skipped
};
const char* name_of(Reason reason);

// Names and values for the sentence about a fault.
using FaultParameters = std::vector<std::pair<const char*, std::string>>;

struct Fault {
    std::uint32_t task;
    std::uint64_t offset;
    Reason reason;
    std::string detail;  // the sentence in English
    const char* code;    // from it and the parameters the page makes the sentence: src/lightboard/error_codes.py
    FaultParameters parameters;
};

// Further faults of a file are only counted.
inline constexpr std::size_t kFaultsPerFile = 200;

}  // namespace lightboard
