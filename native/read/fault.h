// What can be wrong with an event file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lightboard {

// What can be wrong at one place of a file; everything else of the file is read.
enum class Reason : std::uint8_t {
    kOpen,       // the file cannot be opened
    kRead,       // the system failed to read it
    kLengthCrc,  // a record's length is damaged: the reader looked for the next record
    kLength,     // a record claims a length no event has
    kDataCrc,    // a record's data is damaged: skipped
    kMessage,    // both checksums hold, but the data is no Event: skipped
    kValue,      // a value is not what its tag holds (a vector among scalars): skipped
};
const char* name_of(Reason reason);

struct Fault {
    std::uint32_t task;
    std::uint64_t offset;
    Reason reason;
    std::string detail;
};

// Further faults of a file are only counted.
inline constexpr std::size_t kFaultsPerFile = 200;

}  // namespace lightboard
