// Any bytes as an event file, bare or framed with good checksums: reading it in two slices brings the same points as
// reading it at once, and every position stays inside the file.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../crc32c.h"
#include "../reader.h"
#include "../record.h"

using namespace lightboard;

namespace {

template <class T>
void append(std::string& text, T value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Splits the input at 0xff 0xff and frames each piece, so that the fuzzer reaches the messages.
std::string framed(const std::string& input) {
    std::string out;
    for (std::size_t at = 0; at <= input.size();) {
        const std::size_t end = std::min(input.find("\xff\xff", at), input.size());
        const std::string piece = input.substr(at, end - at);
        std::string length;
        append<std::uint64_t>(length, piece.size());
        out += length;
        append(out, mask_crc(crc32c(reinterpret_cast<const std::uint8_t*>(length.data()), 8)));
        out += piece;
        append(out, mask_crc(crc32c(reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size())));
        at = end + 2;
    }
    return out;
}

std::uint64_t points(const Batch& batch, std::uint64_t size) {
    std::uint64_t n = 0;
    for (const ChunkRow& row : batch.chunks) {
        if (row.values + row.n * 4 > batch.memory.size() || row.tag >= batch.tags.size()) std::abort();
        n += row.n;
    }
    if (batch.files[0].offset > size) std::abort();
    return n;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    std::string content(reinterpret_cast<const char*>(data + 2), size - 2);
    if (data[0] & 1) content = framed(content);
    static const int fd = ::memfd_create("fuzz", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(fd);
    if (::ftruncate(fd, 0) || ::pwrite(fd, content.data(), content.size(), 0) < 0) std::abort();
    const Task whole[] = {{path, 0, ~0ull, 0, {}}};
    const Batch at_once = scan(whole, -1, 0, 1);
    const Task slice[] = {{path, 0, data[1] * content.size() / 256, 0, {}}};
    const Batch first = scan(slice, -1, 0, 1);
    Task rest[] = {{path, first.files[0].offset, ~0ull, first.files[0].part, {}}};
    for (const ChunkRow& row : first.chunks) rest[0].known.emplace_back(first.tags[row.tag], row.kind);
    const Batch second = scan(rest, -1, 0, 1);
    // A tag whose kind was only settled by a value that brought no point may be judged anew after a cut.
    if (at_once.faults.empty() && first.faults.empty() && second.faults.empty() &&
        points(at_once, content.size()) != points(first, content.size()) + points(second, content.size()))
        std::abort();
    return 0;
}
