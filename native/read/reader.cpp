#include "read/reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/crc32c.h"
#include "base/record.h"
#include "read/column_output.h"
#include "read/event.h"
#include "read/file_buffer.h"
#include "read/identity.h"
#include "read/legacy.h"
#include "read/names.h"
#include "read/slots.h"
#include "read/stretches.h"
#include "read/tensor.h"

namespace lightboard {
namespace {

// Points of one file are collected per tag up to this size, then written as chunks. Larger windows make longer chunks,
// smaller ones use less memory.
constexpr std::size_t kWindowBytes = 3 << 20;
constexpr std::size_t kOutputBytes = 1 << 20;
// The head of a large file has the size of a stretch divided by this.
constexpr std::uint64_t kHeadShare = 8;
// For every kSeeds tags that a stretch starts with, it is longer by its own length, because copying the tags takes
// time.
constexpr std::uint64_t kSeeds = 8192;
// Limit of the data that is verified while searching for the next record after damage (it grows with the bytes
// skipped): a file of forged headers must not take quadratic time.
constexpr std::uint64_t kVerifyBytes = 64 << 20;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ---- summaries of a chunk ----

void describe_axis(const Columns& columns, ChunkRow& row) {
    const std::int64_t* steps = columns.steps();
    const double* walls = columns.walls();
    row.first_step = steps[0];
    row.last_step = steps[row.n - 1];
    std::int64_t low = steps[0], high = steps[0];
    double early = std::numeric_limits<double>::infinity(), late = -early;
    bool ordered = true;
    for (std::size_t i = 0; i < row.n; ++i) {
        ordered &= i == 0 || steps[i - 1] <= steps[i];
        low = std::min(low, steps[i]);
        high = std::max(high, steps[i]);
        early = walls[i] < early ? walls[i] : early;
        late = walls[i] > late ? walls[i] : late;
    }
    row.min_step = low;
    row.max_step = high;
    row.ordered = ordered;
    row.min_wall = early <= late ? early : 0;
    row.max_wall = early <= late ? late : 0;
}

template <class T>
void describe_values(const T* values, ChunkRow& row) {
    constexpr T kInfinite = std::numeric_limits<T>::infinity();
    row.first = values[0];
    row.last = values[row.n - 1];
    T low = kInfinite, high = -kInfinite;
    for (std::size_t i = 0; i < row.n; ++i) {
        const T value = values[i];
        const bool finite = value > -kInfinite && value < kInfinite;
        low = finite && value < low ? value : low;
        high = finite && value > high ? value : high;
    }
    row.min = low <= high ? low : kNan;
    row.max = low <= high ? high : kNan;
}

class Descriptor {
  public:
    explicit Descriptor(int opened) : fd(opened) {}
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
    Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd, other.fd);
        return *this;
    }
    int fd;
};

// `metadata` must not be -1 (none).
constexpr std::uint32_t number_of(std::int32_t metadata) { return static_cast<std::uint32_t>(metadata); }

// A file that several threads read.
struct Large {
    std::uint32_t task;
    Descriptor file;
    std::uint64_t end;           // where this task stops
    Part whole;                  // the head, then also the parts that were appended
    std::vector<TagState> head;  // tags that each stretch starts with
    std::vector<Part> parts;     // one for each stretch
};

// SummaryMetadata with only a plugin, for values without metadata: graphs and run metadata are blob sequences (3).
std::string plugin_metadata(std::string_view plugin) {
    const auto size = static_cast<char>(plugin.size());
    std::string bytes{'\x0a', static_cast<char>(size + 2), '\x0a', size};
    return bytes.append(plugin).append("\x20\x03");
}

// ---- one thread's work ----

class Worker {
  public:
    // Files with more than twice `stretch_bytes` to read are added to `large_` after their heads were read; 0: never.
    Worker(std::span<const Task> tasks, ColumnOutput& columns, std::vector<FileRow>& rows, std::uint64_t stretch_bytes)
        : tasks_(tasks), columns_(columns), rows_(rows), stretch_bytes_(stretch_bytes) {}

    void read(std::uint32_t number) {
        const Task& task = tasks_[number];
        start(number, own_, rows_[number]);
        row_->offset = task.offset;
        row_->part = task.part;
        row_->alive = 1;
        const auto* path = std::get_if<std::string>(&task.source);
        Descriptor file(path ? ::open(path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1);
        if (const std::string problem = open(task, file.fd); !problem.empty())
            return fault(task.offset, Reason::kOpen, problem, "fault.open", {{"reason", problem}});
        const std::uint64_t left = row_->size - std::min(row_->size, task.offset);
        const std::uint64_t end = task.offset + std::min(task.limit, left);
        // Only local files are split: fetched bytes are few enough for one thread.
        const bool large = path && stretch_bytes_ && end - task.offset > 2 * stretch_bytes_;
        if (large) return read_head(std::move(file), end);
        learn(task);
        read_until(end);
        buffer_.shrink();
        if (const auto* arriving = std::get_if<Arriving>(&task.source)) arriving->stream->end();
    }

    // Reads a stretch of a large file. A certain one continues from everything read before it. Any other starts with
    // the tags of the head, and stops at a record or at damage that extends beyond its bytes.
    Part read_stretch(const Large& large, Stretch stretch, bool certain) {
        Part part;
        part.stretch = stretch;
        part.certain = certain;
        start(large.task, part, part.row);
        part.row = fresh_row(large.whole.row, stretch.from);
        learn(large);
        buffer_.open(large.file.fd, stretch.from, certain ? part.row.size : stretch.to);
        part.stopped = !read_until(stretch.to);
        end_part();
        return part;
    }

    void finish() { write_out(); }

    // Frees the memory that is needed only while reading.
    void shrink() {
        slots_ = {};
        output_ = {};
    }

    Part own_;  // the files read completely
    std::vector<Large> large_;

  private:
    // Resets the state for a new file or a part of one.
    void start(std::uint32_t task, Part& part, FileRow& row) {
        if (part_ != &part) switch_to(part);
        task_ = task;
        row_ = &row;
        row = FileRow{};
        row.min_wall = row.max_wall = kNan;
        faults_of_file_ = 0;
        leading_starts_ = 0;
        has_tail_ = has_points_ = false;
        window_ = 0;
        slots_.start_file(&part.tags);
    }

    // Stores the final state of a part of a large file, and the final offsets of its rows.
    void end_part() {
        for (const Slot& slot : slots_.used())
            part_->states.push_back({slot.metadata, slot.max_count, slot.kind, slot.prompt, slot.seen});
        part_->leading_starts = leading_starts_;
        part_->has_points = has_points_;
        part_->has_tail = has_tail_;
        switch_to(own_);
        buffer_.shrink();
    }

    void switch_to(Part& part) {
        write_out();
        part_ = &part;
        placed_ = part.chunks.size();
    }

    // Opens the buffer and fills in the file's identity. Returns the error message if that fails. `fd` is used for
    // tasks with a path.
    std::string open(const Task& task, int fd) {
        if (const auto* unfetched = std::get_if<Unfetched>(&task.source)) return unfetched->reason;
        if (const auto* piece = std::get_if<Piece>(&task.source)) {
            identify(*piece);
            buffer_.open(piece->bytes, task.offset);
            return {};
        }
        if (const auto* arriving = std::get_if<Arriving>(&task.source)) {
            identify(*arriving);
            buffer_.open(*arriving->stream, task.offset, task.offset + arriving->length);
            return {};
        }
        struct stat status{};
        if (fd < 0 || ::fstat(fd, &status) != 0) return std::strerror(errno);
        if (!S_ISREG(status.st_mode)) return "not a regular file";
        row_->version = version_of(status);
        row_->size = static_cast<std::uint64_t>(status.st_size);
        row_->mtime_ns = mtime_ns_of(status);
        buffer_.open(fd, task.offset, row_->size);
        return {};
    }

    // Takes over the identity that the caller knows.
    template <class Source>
    void identify(const Source& source) {
        row_->version = source.version;
        row_->size = source.size;
        row_->mtime_ns = source.mtime_ns;
    }

    void read_head(Descriptor&& file, std::uint64_t end) {
        const Task& task = tasks_[task_];
        Large large{task_, std::move(file), end, {}, {}, {}};
        const FileRow opened = *row_;
        start(task_, large.whole, large.whole.row);
        *row_ = opened;
        learn(task);
        large.whole.stretch = {task.offset, task.offset + stretch_bytes_ / kHeadShare};
        large.whole.stopped = !read_until(large.whole.stretch.to);
        end_part();
        large.head = large.whole.states;
        large_.push_back(std::move(large));
    }

    // Returns the row for a part of the same file that begins at `offset`.
    static FileRow fresh_row(const FileRow& whole, std::uint64_t offset) {
        FileRow row = whole;
        row.offset = offset;
        row.records = row.bad_records = 0;
        row.min_wall = row.max_wall = kNan;
        return row;
    }

    void learn(const Task& task) {
        for (const auto& [tag, kind] : task.known) {
            Slot& slot = slots_.of(tag);
            slot.kind = kind;
            slot.seen = true;
        }
        has_points_ = !task.known.empty();
    }

    void learn(const Large& large) {
        const Part& whole = large.whole;
        const std::vector<TagState>& states = part_->certain ? whole.states : large.head;
        // Same order, so that they get the same numbers.
        for (std::uint32_t i = 0; i < states.size(); ++i) {
            const TagState& state = states[i];
            Slot& slot = slots_.of(whole.tags[i]);
            slot.kind = state.kind;
            slot.seen = state.seen;
            slot.max_count = state.max_count;
            if (state.metadata >= 0) slot.metadata = metadata_number(whole.metadata[number_of(state.metadata)]);
        }
        part_->seeds = states.size();
        if (!part_->certain) row_->part = 0;
        has_points_ = part_->certain && whole.has_points;
    }

    std::int32_t metadata_number(std::string_view text) {
        return static_cast<std::int32_t>(part_->metadata.number(text));
    }

    // Reads up to `end`; returns false if it stopped earlier.
    bool read_until(std::uint64_t end) {
        bool reached = false;
        try {
            reached = read_records(end);
        } catch (const std::system_error& error) {
            if (failed_writing_) throw;
            const std::string reason = error.code().message();
            if (buffer_.end() == row_->size)
                fault(buffer_.offset(), Reason::kRead, reason, "fault.read", {{"reason", reason}});
        }
        emit_all();
        return reached;
    }

    bool read_records(std::uint64_t end) {
        while (buffer_.offset() < end) {
            const auto bytes = buffer_.view();
            const Frame frame = frame_at(bytes);
            if (frame.framing == Framing::kNeedMore) {
                const bool headless = bytes.size() < kHeaderBytes;
                if (!buffer_.fill(headless ? kHeaderBytes : kHeaderBytes + frame.size + kFooterBytes)) return false;
                continue;
            }
            if (frame.framing == Framing::kBadLength || frame.framing == Framing::kImpossible) {
                if (!resynchronise(frame)) return false;
                continue;
            }
            if (frame.framing == Framing::kGood)
                accept(bytes.subspan(kHeaderBytes, frame.size));
            else
                bad_record(Reason::kDataCrc, "the record's checksum does not match its data; it was skipped",
                           "fault.checksum");
            buffer_.advance(kHeaderBytes + frame.size + kFooterBytes);
            row_->tail_crc = load<std::uint32_t>(bytes.data() + kHeaderBytes + frame.size);
            row_->offset = buffer_.offset();
            has_tail_ = true;
            if (window_ >= kWindowBytes) emit_all();
        }
        return true;
    }

    // Searches for the next record after an invalid length. If there is none before the end of the file, the position
    // stays before the damage: it may be a page that is not written yet.
    bool resynchronise(const Frame& frame) {
        const std::uint64_t damage = buffer_.offset();
        const bool impossible = frame.framing == Framing::kImpossible;
        const Reason reason = impossible ? Reason::kLength : Reason::kLengthCrc;
        const char* what = impossible ? "the record claims an impossible length" : "the record's length is damaged";
        std::uint64_t budget = kVerifyBytes;
        std::size_t from = 1;
        while (true) {
            const auto bytes = buffer_.view();
            const std::size_t at = find_header(bytes, from);
            if (at + kHeaderBytes > bytes.size()) {
                const std::size_t passed = std::min(at, bytes.size());
                budget += 2 * passed;
                buffer_.advance(passed);
                from = 0;
                if (buffer_.fill(kHeaderBytes)) continue;
                if (buffer_.end() < row_->size) return false;  // the available bytes end here, but the file does not
                fault(damage, reason, std::string(what) + " and no record follows; waiting for more",
                      impossible ? "fault.length_waiting" : "fault.length_crc_waiting", {});
                return false;
            }
            if (needs_more(at)) return false;
            if (plausible(at, budget)) {
                buffer_.advance(at);
                break;
            }
            from = at + 1;
        }
        const std::uint64_t skipped = buffer_.offset() - damage;
        ++row_->bad_records;
        fault(damage, reason, std::string(what) + "; " + std::to_string(skipped) + " bytes were skipped",
              impossible ? "fault.length" : "fault.length_crc", {{"bytes", std::to_string(skipped)}});
        row_->offset = buffer_.offset();
        return true;
    }

    // Returns whether the record at `at` ends inside the file, but after the bytes that this task may read.
    bool needs_more(std::size_t at) {
        const std::uint64_t record = buffer_.offset() + at;
        const std::uint64_t whole = kHeaderBytes + header_at(buffer_.view().subspan(at)).size + kFooterBytes;
        return record + whole > buffer_.end() && record + whole <= row_->size;
    }

    // Accepts a header found by searching if the data matches its checksum, or without a check if the budget is used
    // up. Rejects a header whose record is incomplete: if it is a false match, valid records after it would be skipped.
    bool plausible(std::size_t at, std::uint64_t& budget) {
        const std::uint64_t size = header_at(buffer_.view().subspan(at)).size;
        const std::uint64_t whole = kHeaderBytes + size + kFooterBytes;
        if (buffer_.offset() + at + whole > row_->size) return false;
        if (size > budget) return true;
        budget -= size;
        if (!buffer_.fill(at + whole)) return false;
        return frame_at(buffer_.view().subspan(at)).framing == Framing::kGood;
    }

    void accept(wire::Bytes data) {
        PlainScalar plain;
        ++row_->records;
        if (parse_plain_scalar(data, plain)) {
            Slot& slot = slots_.of(plain.tag);
            if (slot.seen && slot.kind == Kind::kScalars && slot.column == Column::kF32) {
                note_wall(*row_, plain.wall_time);
                slot.columns.push(plain.step, plain.wall_time, plain.value);
                window_ += 20;
                has_points_ = true;
                return;
            }
        }
        if (!parse_event(data, event_)) {
            --row_->records;
            return bad_record(Reason::kMessage, "the record is not an event; it was skipped", "fault.not_event");
        }
        note_wall(*row_, event_.wall_time);
        if (event_.session_start) start_session();
        for (const Value& each : event_.values) add_value(each);
        for (const RawBlob& blob : event_.blobs) add_blob(blob);
    }

    void start_session() {
        if (has_points_) {
            emit_all();
            ++row_->part;
        } else {
            ++leading_starts_;
        }
        part_->starts.push_back({task_, row_->part, event_.step, event_.wall_time});
    }

    void add_value(const Value& value) {
        Slot& slot = slots_.of(value.tag);
        if ((!slot.seen || slot.kind == Kind::kUntyped) && !decide_kind(slot, value)) return;
        if (slot.kind == Kind::kScalars) return add_number(slot, value);
        if (value.form == Form::kNone && slot.kind != Kind::kHparams) return;
        TensorShape shape;
        if (value.form == Form::kTensor) {
            const auto found = shape_of(value.body);
            if (!found) return odd_value(slot, value);
            shape = *found;
        }
        if (!fits(slot.kind, value, shape)) return odd_value(slot, value);
        add_reference(slot, Column::kValueRef, value.whole, count_of(slot.kind, value, shape));
    }

    // A tag's kind is determined by its first value and metadata. Returns false if this value does not determine it.
    bool decide_kind(Slot& slot, const Value& value) {
        Metadata metadata;
        const bool first = !std::exchange(slot.tried, true);
        if (value.has_metadata && !parse_metadata(value.metadata, metadata)) {
            odd_value(slot, value);
            return false;
        }
        if (value.form == Form::kNone && metadata.plugin != "hparams") return false;
        const Kind kind = kind_of(value, metadata.plugin);
        if (slot.seen && kind != slot.kind) emit(slot);  // was untyped until now
        slot.kind = kind;
        slot.seen = true;
        if (first) slot.prompt = kind;
        if (value.has_metadata) slot.metadata = metadata_number(wire::text(value.metadata));
        return true;
    }

    void add_number(Slot& slot, const Value& value) {
        if (value.form == Form::kSimple) return push_number(slot, {value.simple, true});
        if (value.form != Form::kTensor) return value.form == Form::kNone ? void() : odd_value(slot, value);
        const auto number = number_in(value.body);
        number ? push_number(slot, *number) : odd_value(slot, value);
    }

    void push_number(Slot& slot, Number number) {
        if (slot.columns.size() == 0) slot.column = number.single ? Column::kF32 : Column::kF64;
        if (slot.column == Column::kF32 && !number.single) {
            emit(slot);
            slot.column = Column::kF64;
        }
        if (slot.column == Column::kF32)
            slot.columns.push(event_.step, event_.wall_time, static_cast<float>(number.value));
        else
            slot.columns.push(event_.step, event_.wall_time, number.value);
        window_ += 24;
        has_points_ = true;
    }

    void add_blob(const RawBlob& blob) {
        Slot& slot = slots_.of(blob.tag);
        if (!slot.seen) {
            slot.kind = Kind::kGraphs;
            slot.seen = true;
            if (!std::exchange(slot.tried, true)) slot.prompt = slot.kind;
            slot.metadata = metadata_number(plugin_metadata(blob.plugin));
        }
        if (slot.kind != Kind::kGraphs)
            return fault(row_->offset, Reason::kValue,
                         "a graph was logged under `" + std::string(slot.name) + "`, which holds something else",
                         "fault.graph", {{"tag", std::string(slot.name)}});
        add_reference(slot, Column::kRawRef, blob.bytes, 1);
    }

    void add_reference(Slot& slot, Column column, wire::Bytes bytes, std::uint32_t count) {
        if (slot.columns.size() && slot.column != column) emit(slot);
        slot.column = column;
        const auto into = static_cast<std::uint64_t>(bytes.data() - buffer_.view().data());
        slot.columns.push(event_.step, event_.wall_time,
                          Ref{buffer_.offset() + into, static_cast<std::uint32_t>(bytes.size()), count});
        slot.max_count = std::max(slot.max_count, count);
        window_ += 32;
        has_points_ = true;
    }

    void odd_value(const Slot& slot, const Value&) {
        fault(row_->offset, Reason::kValue,
              "a value at step " + std::to_string(event_.step) + " is not what `" + std::string(slot.name) +
                  "` holds; it was skipped",
              "fault.value", {{"tag", std::string(slot.name)}, {"step", std::to_string(event_.step)}});
    }

    void bad_record(Reason reason, const char* detail, const char* code) {
        ++row_->bad_records;
        fault(buffer_.offset(), reason, detail, code, {});
    }

    void fault(std::uint64_t offset, Reason reason, std::string detail, const char* code, FaultParameters parameters) {
        if (faults_of_file_++ < kFaultsPerFile)
            part_->faults.push_back({task_, offset, reason, std::move(detail), code, std::move(parameters)});
    }

    void emit_all() {
        for (Slot& slot : slots_.used()) emit(slot);
        window_ = 0;
    }

    // Writes a slot's points as a chunk into the output buffer.
    void emit(Slot& slot) {
        Columns& columns = slot.columns;
        if (columns.size() == 0) return;
        ChunkRow row{};
        row.tag = slot.tag;
        row.file = task_;
        row.metadata = slot.metadata;
        row.part = row_->part;
        row.kind = slot.kind;
        row.column = slot.column;
        row.max_count = slot.max_count;
        row.n = columns.size();
        row.first = row.last = row.min = row.max = kNan;
        describe_axis(columns, row);
        std::size_t width = sizeof(Ref);
        if (slot.column == Column::kF32) {
            describe_values(columns.values<float>(), row);
            width = sizeof(float);
        } else if (slot.column == Column::kF64) {
            describe_values(columns.values<double>(), row);
            width = sizeof(double);
        }
        row.steps = append_column(columns.steps(), row.n * 8);
        row.walls = append_column(columns.walls(), row.n * 8);
        row.values = append_column(columns.values<std::uint8_t>(), row.n * width);
        part_->chunks.push_back(row);
        columns.clear();
        if (output_.size() >= kOutputBytes) write_out();
    }

    std::uint64_t append_column(const void* column, std::size_t bytes) {
        const std::uint64_t at = output_.size();
        const auto* from = static_cast<const std::uint8_t*>(column);
        output_.insert(output_.end(), from, from + bytes);
        output_.resize((output_.size() + 7) & ~std::size_t{7});
        return at;
    }

    void write_out() {
        if (output_.empty()) return;
        failed_writing_ = true;
        const std::uint64_t at = columns_.append(output_);
        failed_writing_ = false;
        for (; placed_ < part_->chunks.size(); ++placed_) {
            ChunkRow& row = part_->chunks[placed_];
            row.steps += at;
            row.walls += at;
            row.values += at;
        }
        output_.clear();
    }

    std::span<const Task> tasks_;
    ColumnOutput& columns_;
    std::vector<FileRow>& rows_;
    std::uint64_t stretch_bytes_;
    FileBuffer buffer_;
    Slots slots_;
    Event event_;
    FileRow* row_ = nullptr;
    Part* part_ = &own_;  // receives the rows
    std::uint32_t task_ = 0;
    std::uint32_t leading_starts_ = 0;  // session starts before the first point
    std::size_t window_ = 0;            // bytes of points that are not emitted yet
    std::size_t faults_of_file_ = 0;
    bool has_points_ = false;
    bool has_tail_ = false;  // row_->tail_crc is the CRC of a record
    bool failed_writing_ = false;
    std::vector<std::uint8_t> output_;
    std::size_t placed_ = 0;  // number of chunks of part_ that have their final offsets
};

// ---- all threads ----

// Runs work(worker, piece) for every piece, each worker in a separate thread. The first exception is rethrown.
template <class Work>
void share_out(std::deque<Worker>& workers, std::size_t pieces, Work work) {
    std::atomic<std::size_t> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    const auto run = [&](Worker& worker) {
        try {
            for (std::size_t piece; (piece = next.fetch_add(1)) < pieces;) work(worker, piece);
            worker.finish();
        } catch (...) {
            next = pieces;
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(workers.size(), pieces); ++i)
            helpers.emplace_back([&run, &workers, i] { run(workers[i]); });
        run(workers[0]);
    }
    if (failure) std::rethrow_exception(failure);
}

std::vector<Large> take_large(std::deque<Worker>& workers) {
    std::vector<Large> all;
    for (Worker& worker : workers) std::move(worker.large_.begin(), worker.large_.end(), std::back_inserter(all));
    std::sort(all.begin(), all.end(), [](const Large& a, const Large& b) { return a.task < b.task; });
    return all;
}

void cut_rest(Large& large, std::uint64_t stretch_bytes) {
    if (large.whole.stopped) return;
    const Stretch rest{large.whole.row.offset, large.end};
    const std::uint64_t bytes = stretch_bytes * (1 + large.head.size() / kSeeds);
    std::vector<Stretch> stretches{rest};
    try {
        stretches = cut(large.file.fd, rest, large.whole.row.size, bytes);
    } catch (const std::system_error&) {
        // ignored: reading the stretch will fail with the same error and report it
    }
    for (const Stretch stretch : stretches) large.parts.emplace_back().stretch = stretch;
}

// Joins the parts of a file; parts that cannot be used are read again.
void join(Large& large, Worker& worker) {
    Part& whole = large.whole;
    std::size_t next = 0;
    while (!whole.stopped && whole.row.offset < large.end) {
        const std::uint64_t at = whole.row.offset;
        while (next < large.parts.size() && large.parts[next].stretch.from < at) large.parts[next++] = {};
        const bool fits = next < large.parts.size() && large.parts[next].stretch.from == at;
        if (fits && agrees(whole, large.head, large.parts[next])) {
            Part part = std::exchange(large.parts[next++], {});
            append(whole, std::move(part));
            // Continue after a part that stopped early, unless the file ends there.
            whole.stopped &= part.stretch.to >= whole.row.size;
            continue;
        }
        const std::size_t after = next + (fits ? 1 : 0);
        const std::uint64_t to = after < large.parts.size() ? large.parts[after].stretch.from : large.end;
        append(whole, worker.read_stretch(large, {at, to}, true));
    }
}

// Reads the rest of the large files with all threads.
void read_large(std::vector<Large>& all, std::deque<Worker>& workers, std::uint64_t stretch_bytes) {
    std::vector<std::pair<Large*, Part*>> parts;
    for (Large& large : all) {
        cut_rest(large, stretch_bytes);
        for (Part& part : large.parts) parts.emplace_back(&large, &part);
    }
    share_out(workers, parts.size(), [&](Worker& worker, std::size_t i) {
        const auto [large, part] = parts[i];
        *part = worker.read_stretch(*large, part->stretch, false);
    });
    share_out(workers, all.size(), [&](Worker& worker, std::size_t i) { join(all[i], worker); });
}

void renumber(Part& read, Names& tags, Names& metadata) {
    std::vector<std::uint32_t> tag_numbers, metadata_numbers;
    for (const std::string& tag : read.tags.all()) tag_numbers.push_back(tags.number(tag));
    for (const std::string& each : read.metadata.all()) metadata_numbers.push_back(metadata.number(each));
    for (ChunkRow& row : read.chunks) {
        row.tag = tag_numbers[row.tag];
        if (row.metadata >= 0) row.metadata = static_cast<std::int32_t>(metadata_numbers[number_of(row.metadata)]);
    }
}

template <class Row>
void take(std::vector<Row>& to, std::vector<Row>&& from) {
    if (to.empty()) return to.swap(from);
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Adds the rows of a worker or a large file to the batch, with the batch's tag numbers; the first call needs no
// renumbering.
void gather(Part&& read, Names& tags, Names& metadata, Batch& batch) {
    if (!tags.size() && !metadata.size()) {
        tags = std::move(read.tags);
        metadata = std::move(read.metadata);
    } else {
        renumber(read, tags, metadata);
    }
    take(batch.chunks, std::move(read.chunks));
    take(batch.starts, std::move(read.starts));
    take(batch.faults, std::move(read.faults));
    read = {};
}

}  // namespace

const char* name_of(Reason reason) {
    switch (reason) {
        case Reason::kOpen:
            return "open";
        case Reason::kRead:
            return "read";
        case Reason::kLengthCrc:
            return "length_crc";
        case Reason::kLength:
            return "length";
        case Reason::kDataCrc:
            return "data_crc";
        case Reason::kMessage:
            return "message";
        case Reason::kValue:
            return "value";
    }
    return "unknown";
}

Batch scan(std::span<const Task> tasks, int fd, std::uint64_t base, unsigned threads, std::uint64_t stretch_bytes) {
    Batch batch;
    batch.files.resize(tasks.size());
    ColumnOutput columns(fd, base);
    const unsigned count = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
    std::deque<Worker> workers;
    for (unsigned i = 0; i < count; ++i)
        workers.emplace_back(tasks, columns, batch.files, count > 1 ? stretch_bytes : 0);
    share_out(workers, tasks.size(),
              [](Worker& worker, std::size_t task) { worker.read(static_cast<std::uint32_t>(task)); });
    std::vector<Large> large = take_large(workers);
    read_large(large, workers, stretch_bytes);
    Names tags, metadata;
    for (Worker& worker : workers) worker.shrink();
    for (Worker& worker : workers) gather(std::move(worker.own_), tags, metadata, batch);
    for (Large& each : large) {
        batch.files[each.task] = each.whole.row;
        gather(std::move(each.whole), tags, metadata, batch);
    }
    auto by_file = [](const auto& a, const auto& b) { return a.file < b.file; };
    std::stable_sort(batch.chunks.begin(), batch.chunks.end(), by_file);
    std::stable_sort(batch.starts.begin(), batch.starts.end(), by_file);
    std::stable_sort(batch.faults.begin(), batch.faults.end(),
                     [](const Fault& a, const Fault& b) { return a.task < b.task; });
    batch.tags = std::move(tags).take();
    batch.metadata = std::move(metadata).take();
    batch.end = columns.end();
    batch.memory = columns.take_memory();
    return batch;
}

}  // namespace lightboard
