#include "read/stretches.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/record.h"
#include "read/file_buffer.h"

namespace lightboard {
namespace {

// A cut is searched for within this many bytes. If records are larger, stretches are longer.
constexpr std::uint64_t kSearchBytes = 1 << 20;

// Returns the first offset of `range` where the length's CRC matches.
std::optional<std::uint64_t> header_in(FileBuffer& buffer, int fd, Stretch range) {
    buffer.open(fd, range.from, range.to);
    while (buffer.fill(kHeaderBytes)) {
        const auto bytes = buffer.view();
        const std::size_t at = find_header(bytes, 0);
        if (at + kHeaderBytes <= bytes.size()) return buffer.offset() + at;
        buffer.advance(at);
    }
    return std::nullopt;
}

// Maps a part's tag and metadata numbers to those of the whole.
class Renumbering {
  public:
    Renumbering(Part& whole, const Part& part)
        : whole_(whole), part_(part), metadata_(part.metadata.size(), kNone), own_(part.states.size()) {
        for (std::uint32_t i = 0; i < part.states.size(); ++i) {
            tags_.push_back(i < part.seeds ? i : whole.tags.number(part.tags[i]));
            if (tags_[i] == whole.states.size()) whole.states.emplace_back();
            before_.push_back(whole.states[tags_[i]]);
            // A tag whose kind was known before the part keeps its metadata.
            own_[i] = i < part.seeds || !before_[i].seen;
        }
    }

    std::uint32_t tag(std::uint32_t number) const { return tags_[number]; }
    const TagState& before(std::uint32_t number) const { return before_[number]; }

    std::int32_t metadata(std::uint32_t tag, std::int32_t number) {
        if (!own_[tag]) return before_[tag].metadata;
        if (number < 0) return -1;
        std::int32_t& known = metadata_[static_cast<std::size_t>(number)];
        if (known == kNone) {
            const auto text = part_.metadata[static_cast<std::uint32_t>(number)];
            known = static_cast<std::int32_t>(whole_.metadata.number(text));
        }
        return known;
    }

    void keep_states() {
        for (std::uint32_t i = 0; i < tags_.size(); ++i) {
            TagState& state = whole_.states[tags_[i]];
            const TagState& own = part_.states[i];
            const std::uint32_t most = std::max(state.max_count, own.max_count);
            if (own_[i]) {
                const std::int32_t number = metadata(i, own.metadata);
                state = own;
                state.metadata = number;
            }
            state.max_count = most;
        }
    }

  private:
    static constexpr std::int32_t kNone = -2;
    Part& whole_;
    const Part& part_;
    std::vector<std::int32_t> metadata_;
    std::vector<bool> own_;
    std::vector<std::uint32_t> tags_;
    std::vector<TagState> before_;
};

void append_row(FileRow& whole, const Part& part, std::uint32_t part_number) {
    whole.part = part_number;
    whole.offset = part.row.offset;
    whole.records += part.row.records;
    whole.bad_records += part.row.bad_records;
    if (part.has_tail) whole.tail_crc = part.row.tail_crc;
    note_wall(whole, part.row.min_wall);
    note_wall(whole, part.row.max_wall);
}

}  // namespace

std::vector<Stretch> cut(int fd, Stretch range, std::uint64_t size, std::uint64_t bytes) {
    std::vector<Stretch> stretches;
    FileBuffer buffer;
    std::uint64_t from = range.from;
    for (std::uint64_t at = range.from + bytes; at < range.to; at += bytes) {
        const std::uint64_t end = std::min({at + std::min(bytes, kSearchBytes) + kHeaderBytes - 1, range.to, size});
        const auto found = header_in(buffer, fd, {at, end});
        if (!found) continue;
        stretches.push_back({from, *found});
        from = *found;
    }
    stretches.push_back({from, range.to});
    return stretches;
}

bool agrees(const Part& whole, const std::vector<TagState>& head, const Part& part) {
    for (std::uint32_t i = 0; i < part.seeds; ++i) {
        const TagState &then = head[i], &now = whole.states[i];
        if (then.seen != now.seen || then.kind != now.kind || then.metadata != now.metadata) return false;
    }
    for (auto i = static_cast<std::uint32_t>(part.seeds); i < part.states.size(); ++i) {
        const auto known = whole.tags.find(part.tags[i]);
        if (!known || !whole.states[*known].seen) continue;
        const Kind kind = whole.states[*known].kind;
        if (kind == Kind::kUntyped || part.states[i].prompt != kind) return false;
    }
    return true;
}

void append(Part& whole, Part&& part) {
    Renumbering numbers(whole, part);
    // After points, every session start begins a new part of the run, also those before the first point of this part.
    const bool shifted = !part.certain && whole.has_points;
    const std::uint32_t base = part.certain ? 0 : whole.row.part;
    const std::uint32_t shift = base + (shifted ? part.leading_starts : 0);
    for (ChunkRow& row : part.chunks) {
        row.metadata = numbers.metadata(row.tag, row.metadata);
        row.max_count = std::max(row.max_count, numbers.before(row.tag).max_count);
        row.tag = numbers.tag(row.tag);
        row.part += shift;
        whole.chunks.push_back(row);
    }
    std::uint32_t leading = 0;
    for (StartRow& row : part.starts) {
        const bool leads = leading < part.leading_starts;
        if (leads) ++leading;
        row.part += leads ? base + (shifted ? leading : 0) : shift;
        whole.starts.push_back(row);
    }
    numbers.keep_states();
    for (Fault& fault : part.faults)
        if (whole.faults.size() < kFaultsPerFile) whole.faults.push_back(std::move(fault));
    append_row(whole.row, part, part.row.part + shift);
    whole.has_points |= part.has_points;
    whole.stopped = part.stopped;
}

}  // namespace lightboard
