// Scans any bytes as an event file, unchanged or framed with correct checksums: two slices give the same points as the
// whole file, so does a stream, and every position is inside the file.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/record.h"
#include "read/reader.h"
#include "tests/event_bytes.h"

using namespace lightboard;

namespace {

// Splits the input at 0xff 0xff and frames each piece, so that the fuzzer reaches the messages.
std::string framed(const std::string& input) {
    std::string out;
    for (std::size_t at = 0; at <= input.size();) {
        const std::size_t end = std::min(input.find("\xff\xff", at), input.size());
        out += tests::record(input.substr(at, end - at));
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

// Scans from `offset` on; the bytes of the file are available up to `end`. Starts with the results of an earlier scan.
Batch scan_piece(const std::string& content, std::uint64_t offset, std::uint64_t end, std::uint64_t limit = ~0ull,
                 const Batch* before = nullptr) {
    const std::span all(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
    Task task{Piece{all.first(end).subspan(offset), content.size(), 1, 0}, offset, limit, 0, {}};
    if (before) {
        task.part = before->files[0].part;
        for (const ChunkRow& row : before->chunks) task.known.emplace_back(before->tags[row.tag], row.kind);
    }
    return scan({&task, 1}, -1, 0, 1);
}

// Gives a few bytes at a time.
class Slow : public Stream {
  public:
    Slow(const std::string& bytes, std::size_t most) : bytes_(bytes), most_(most) {}

    std::size_t read(std::span<std::uint8_t> into) override {
        const std::size_t count = std::min({into.size(), most_, bytes_.size() - at_});
        std::memcpy(into.data(), bytes_.data() + at_, count);
        at_ += count;
        return count;
    }

  private:
    const std::string& bytes_;
    std::size_t most_, at_ = 0;
};

Batch scan_stream(const std::string& content, std::size_t most) {
    Slow stream(content, most);
    const Task task{Arriving{&stream, content.size(), content.size(), 1, 0}, 0, ~0ull, 0, {}};
    return scan({&task, 1}, -1, 0, 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    std::string content(reinterpret_cast<const char*>(data + 2), size - 2);
    if (data[0] & 1) content = framed(content);
    const Batch at_once = scan_piece(content, 0, content.size());
    const Batch streamed = scan_stream(content, 1 + data[1]);
    if (streamed.memory != at_once.memory || streamed.files[0].offset != at_once.files[0].offset ||
        streamed.faults.size() != at_once.faults.size())
        std::abort();
    const std::uint64_t cut = data[1] * content.size() / 256;
    // The first slice is ended by a limit, as for a path, or by the end of the fetched bytes.
    const Batch first = data[0] & 2 ? scan_piece(content, 0, cut) : scan_piece(content, 0, content.size(), cut);
    const Batch second = scan_piece(content, first.files[0].offset, content.size(), ~0ull, &first);
    // If only a value without a point determined the kind of a tag, the kind may be different after a cut.
    if (at_once.faults.empty() && first.faults.empty() && second.faults.empty() &&
        points(at_once, content.size()) != points(first, content.size()) + points(second, content.size()))
        std::abort();
    return 0;
}
