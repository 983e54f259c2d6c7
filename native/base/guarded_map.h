// Memory mappings of files that other programs may truncate.
//
// Accessing a mapped page beyond the end of its file raises SIGBUS, which ends the process. For mappings made here a
// signal handler replaces the missing pages with zeros and sets a flag; the owner checks the flag and reads its data
// again. Until that happens there is no cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightboard {

// Maps the first `size` bytes of a file for reading. Throws std::system_error. The first call installs the handler for
// the whole process; a SIGBUS outside these mappings is passed to the previous handler.
std::span<const std::uint8_t> map_guarded(int fd, std::size_t size);
void unmap_guarded(std::span<const std::uint8_t> mapping);

// Returns whether missing pages of the mapping that begins at `start` were accessed.
bool was_cut(const void* start);

}  // namespace lightboard
