// Mappings of files that others may cut short.
//
// Touching a page of a mapping that lies beyond the end of its file is a SIGBUS, which ends the process. For mappings
// made here a signal handler replaces the missing pages by zeros and sets a flag, so that the owner can check it and
// read its data again. It costs nothing until it happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard {

// Maps the first `size` bytes of a file for reading. Throws std::system_error. The first call installs the handler for
// the whole process; a SIGBUS elsewhere goes to the handler that was there before.
std::span<const std::uint8_t> map_guarded(int fd, std::size_t size);
void unmap_guarded(std::span<const std::uint8_t> mapping);

// Whether missing pages of the mapping that begins at `start` were accessed.
bool was_cut(const void* start);

}  // namespace lightboard
