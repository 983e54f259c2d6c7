#include "reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
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
#include <unordered_map>

#include "crc32c.h"
#include "event.h"
#include "file_buffer.h"
#include "legacy.h"
#include "record.h"
#include "tensor.h"

namespace lightboard {
namespace {

// Points of one file are gathered per tag up to this much, then written as chunks. Larger windows make longer chunks,
// smaller ones use less memory.
constexpr std::size_t kWindowBytes = 3 << 20;
constexpr std::size_t kOutputBytes = 1 << 20;
// Beyond these a file's faults are only counted.
constexpr std::size_t kFaultsPerFile = 200;
// Looking for the next record after damage may verify this much data for nothing (plus what it passes over): a file of
// forged headers must not cost quadratic time.
constexpr std::uint64_t kVerifyBytes = 64 << 20;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ---- where columns go: a file shared by all threads, or memory ----

class Segment {
  public:
    Segment(int fd, std::uint64_t base) : fd_(fd), end_(fd >= 0 ? base : 0) {}

    // Appends and returns the position.
    std::uint64_t append(const std::vector<std::uint8_t>& bytes) {
        if (fd_ < 0) {
            const std::lock_guard lock(mutex_);
            const std::uint64_t at = memory_.size();
            memory_.insert(memory_.end(), bytes.begin(), bytes.end());
            return at;
        }
        const std::uint64_t at = end_.fetch_add(bytes.size());
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t wrote =
                ::pwrite(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0)
                throw std::system_error(wrote < 0 ? errno : ENOSPC, std::generic_category(), "writing columns");
            done += static_cast<std::size_t>(wrote);
        }
        return at;
    }

    void finish(Batch& batch) {
        batch.end = fd_ < 0 ? memory_.size() : end_.load();
        batch.memory = std::move(memory_);
    }

  private:
    int fd_;
    std::atomic<std::uint64_t> end_;
    std::mutex mutex_;  // guards memory_
    std::vector<std::uint8_t> memory_;
};

// ---- the growing columns of one tag ----

class Columns {
  public:
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * (16 + width_); }
    const std::int64_t* steps() const { return steps_.get(); }
    const double* walls() const { return walls_.get(); }
    template <class T>
    const T* values() const {
        return reinterpret_cast<const T*>(values_.get());
    }

    void clear() { n_ = 0; }

    template <class T>
    void push(std::int64_t step, double wall, T value) {
        if (n_ == capacity_ || sizeof(T) != width_) grow(sizeof(T));
        steps_[n_] = step;
        walls_[n_] = wall;
        reinterpret_cast<T*>(values_.get())[n_] = value;
        ++n_;
    }

  private:
    // The width only changes while there are no points.
    void grow(std::size_t width) {
        const std::size_t capacity = n_ == capacity_ ? std::max<std::size_t>(32, 2 * capacity_) : capacity_;
        resize(steps_, n_ * 8, capacity * 8);
        resize(walls_, n_ * 8, capacity * 8);
        resize(values_, n_ * width_, capacity * width);
        capacity_ = capacity;
        width_ = width;
    }

    template <class T>
    static void resize(std::unique_ptr<T[]>& column, std::size_t used, std::size_t bytes) {
        std::unique_ptr<T[]> grown(new T[(bytes + sizeof(T) - 1) / sizeof(T)]);
        if (used) std::memcpy(grown.get(), column.get(), used);
        column = std::move(grown);
    }

    std::unique_ptr<std::int64_t[]> steps_;
    std::unique_ptr<double[]> walls_;
    std::unique_ptr<std::uint64_t[]> values_;
    std::size_t n_ = 0, capacity_ = 0, width_ = 0;
};

struct Slot {
    std::string_view name;
    std::uint32_t tag = 0;        // worker's number
    std::uint32_t following = 0;  // the slot whose value came after this one's last time
    std::int32_t metadata = -1;
    std::uint32_t max_count = 0;
    Kind kind = Kind::kUntyped;
    Column column = Column::kF32;
    bool seen = false;  // kind decided, by a value or by the task
    Columns columns;
};

// Names and metadata met by one worker, numbered.
class Names {
  public:
    std::uint32_t number(std::string_view name) {
        if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.emplace_back(name);
        numbers_.emplace(names_.back(), number);
        return number;
    }
    std::string_view operator[](std::uint32_t number) const { return names_[number]; }
    const std::deque<std::string>& all() const { return names_; }

  private:
    std::deque<std::string> names_;  // does not move its strings
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

// The slots of the file being read, found by tag. Slots and their columns are reused from file to file.
class Slots {
  public:
    void start_file(Names* tags) {
        tags_ = tags;
        used_ = 0;
        last_ = 0;
        table_.assign(std::max<std::size_t>(16, table_.size() > 4096 ? 16 : table_.size()), 0);
    }

    // Writers log their tags in turns, so the slot that came next last time is nearly always right.
    Slot& of(std::string_view tag) {
        if (used_) {
            const std::uint32_t guess = slots_[last_].following;
            if (guess < used_ && slots_[guess].name == tag) return slots_[last_ = guess];
        }
        const std::uint32_t found = find(tag);
        if (last_ < used_) slots_[last_].following = found;
        return slots_[last_ = found];
    }

    std::span<Slot> used() { return {slots_.data(), used_}; }

  private:
    std::uint32_t find(std::string_view tag) {
        if (2 * (used_ + 1) > table_.size()) rehash();
        std::size_t at = std::hash<std::string_view>{}(tag) & (table_.size() - 1);
        for (; table_[at]; at = (at + 1) & (table_.size() - 1))
            if (slots_[table_[at] - 1].name == tag) return table_[at] - 1;
        table_[at] = used_ + 1;
        return add(tag);
    }

    std::uint32_t add(std::string_view tag) {
        if (used_ == slots_.size()) slots_.emplace_back();
        Slot& slot = slots_[used_];
        slot.tag = tags_->number(tag);
        slot.name = (*tags_)[slot.tag];
        slot.following = 0;
        slot.metadata = -1;
        slot.max_count = 0;
        slot.kind = Kind::kUntyped;
        slot.seen = false;
        slot.columns.clear();
        return used_++;
    }

    void rehash() {
        table_.assign(2 * table_.size(), 0);
        for (std::uint32_t slot = 0; slot < used_; ++slot) {
            std::size_t at = std::hash<std::string_view>{}(slots_[slot].name) & (table_.size() - 1);
            while (table_[at]) at = (at + 1) & (table_.size() - 1);
            table_[at] = slot + 1;
        }
    }

    Names* tags_ = nullptr;
    std::vector<Slot> slots_;
    std::uint32_t used_ = 0, last_ = 0;
    std::vector<std::uint32_t> table_;  // slot + 1, 0 is free
};

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

struct Descriptor {
    explicit Descriptor(const std::string& path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int fd;
};

// SummaryMetadata naming only a plugin, for what has none in the file: graphs and run metadata are blob sequences (3).
std::string plugin_metadata(std::string_view plugin) {
    const auto size = static_cast<char>(plugin.size());
    std::string bytes{'\x0a', static_cast<char>(size + 2), '\x0a', size};
    return bytes.append(plugin).append("\x20\x03");
}

// ---- one thread's work ----

class Worker {
  public:
    Worker(std::span<const Task> tasks, Segment& segment, std::vector<FileRow>& rows)
        : tasks_(tasks), segment_(segment), rows_(rows) {}

    void read(std::uint32_t number) {
        task_ = number;
        const Task& task = tasks_[number];
        row_ = &rows_[number];
        *row_ = FileRow{};
        row_->offset = task.offset;
        row_->part = task.part;
        row_->min_wall = row_->max_wall = kNan;
        row_->alive = 1;
        faults_of_file_ = 0;
        const Descriptor file(task.path);
        struct stat status{};
        if (file.fd < 0 || ::fstat(file.fd, &status) != 0)
            return fault(task.offset, Reason::kOpen, std::strerror(errno));
        if (!S_ISREG(status.st_mode)) return fault(task.offset, Reason::kOpen, "not a regular file");
        row_->device = status.st_dev;
        row_->inode = status.st_ino;
        row_->size = static_cast<std::uint64_t>(status.st_size);
        row_->mtime_ns = status.st_mtim.tv_sec * 1'000'000'000ll + status.st_mtim.tv_nsec;
        slots_.start_file(&tags_);
        for (const auto& [tag, kind] : task.known) {
            Slot& slot = slots_.of(tag);
            slot.kind = kind;
            slot.seen = true;
        }
        has_points_ = !task.known.empty();
        window_ = 0;
        buffer_.open(file.fd, task.offset, row_->size);
        try {
            read_records(task);
        } catch (const std::system_error& error) {
            if (failed_writing_) throw;
            fault(buffer_.offset(), Reason::kRead, error.code().message());
        }
        emit_all();
        buffer_.shrink();
    }

    void finish() { write_out(); }

    Names tags_;
    Names metadata_;
    std::vector<ChunkRow> chunks_;
    std::vector<StartRow> starts_;
    std::vector<Fault> faults_;

  private:
    void read_records(const Task& task) {
        while (buffer_.offset() - task.offset < task.limit) {
            const auto bytes = buffer_.view();
            const Frame frame = frame_at(bytes);
            if (frame.framing == Framing::kNeedMore) {
                const bool headless = bytes.size() < kHeaderBytes;
                if (!buffer_.fill(headless ? kHeaderBytes : kHeaderBytes + frame.size + kFooterBytes)) break;
                continue;
            }
            if (frame.framing == Framing::kBadLength || frame.framing == Framing::kImpossible) {
                if (!resynchronise(frame)) break;
                continue;
            }
            if (frame.framing == Framing::kGood)
                accept(bytes.subspan(kHeaderBytes, frame.size));
            else
                bad_record(Reason::kDataCrc, "the record's checksum does not match its data; it was skipped");
            buffer_.advance(kHeaderBytes + frame.size + kFooterBytes);
            row_->tail_crc = load<std::uint32_t>(bytes.data() + kHeaderBytes + frame.size);
            row_->offset = buffer_.offset();
            if (window_ >= kWindowBytes) emit_all();
        }
    }

    // Looks for the next record after a length that cannot be trusted. When there is none up to the end of the file,
    // the position stays before the damage: what is garbage now may be a page that has not arrived yet.
    bool resynchronise(const Frame& frame) {
        const std::uint64_t damage = buffer_.offset();
        const Reason reason = frame.framing == Framing::kImpossible ? Reason::kLength : Reason::kLengthCrc;
        const char* what = frame.framing == Framing::kImpossible ? "the record claims an impossible length"
                                                                 : "the record's length is damaged";
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
                fault(damage, reason, std::string(what) + " and no record follows; waiting for more");
                return false;
            }
            if (plausible(at, budget)) {
                buffer_.advance(at);
                break;
            }
            from = at + 1;
        }
        const std::uint64_t skipped = buffer_.offset() - damage;
        ++row_->bad_records;
        fault(damage, reason, std::string(what) + "; " + std::to_string(skipped) + " bytes were skipped");
        row_->offset = buffer_.offset();
        return true;
    }

    // A header found by searching counts when its data fits its checksum, as long as checking stays affordable. One
    // whose record is not all there yet does not: if it is false, the record it claims would swallow good ones that
    // come later.
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
                note_wall(plain.wall_time);
                slot.columns.push(plain.step, plain.wall_time, plain.value);
                window_ += 20;
                has_points_ = true;
                return;
            }
        }
        if (!parse_event(data, event_)) {
            --row_->records;
            return bad_record(Reason::kMessage, "the record is not an event; it was skipped");
        }
        note_wall(event_.wall_time);
        if (event_.session_start) start_session();
        for (const Value& each : event_.values) add_value(each);
        for (const RawBlob& blob : event_.blobs) add_blob(blob);
    }

    void note_wall(double wall) {
        if (!(wall >= row_->min_wall) && std::isfinite(wall)) row_->min_wall = wall;
        if (!(wall <= row_->max_wall) && std::isfinite(wall)) row_->max_wall = wall;
    }

    void start_session() {
        if (has_points_) {
            emit_all();
            ++row_->part;
        }
        starts_.push_back({task_, row_->part, event_.step, event_.wall_time});
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

    // A tag's kind comes from its first value and metadata. False: the value says nothing (yet).
    bool decide_kind(Slot& slot, const Value& value) {
        Metadata metadata;
        if (value.has_metadata && !parse_metadata(value.metadata, metadata)) {
            odd_value(slot, value);
            return false;
        }
        if (value.form == Form::kNone && metadata.plugin != "hparams") return false;
        const Kind kind = kind_of(value, metadata.plugin);
        if (slot.seen && kind != slot.kind) emit(slot);  // untyped until now
        slot.kind = kind;
        slot.seen = true;
        if (value.has_metadata) slot.metadata = static_cast<std::int32_t>(metadata_.number(wire::text(value.metadata)));
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
            slot.metadata = static_cast<std::int32_t>(metadata_.number(plugin_metadata(blob.plugin)));
        }
        if (slot.kind != Kind::kGraphs)
            return fault(row_->offset, Reason::kValue,
                         "a graph was logged under `" + std::string(slot.name) + "`, which holds something else");
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
                  "` holds; it was skipped");
    }

    void bad_record(Reason reason, const char* detail) {
        ++row_->bad_records;
        fault(buffer_.offset(), reason, detail);
    }

    void fault(std::uint64_t offset, Reason reason, std::string detail) {
        if (faults_of_file_++ < kFaultsPerFile) faults_.push_back({task_, offset, reason, std::move(detail)});
    }

    void emit_all() {
        for (Slot& slot : slots_.used()) emit(slot);
        window_ = 0;
    }

    // Turns a slot's points into a chunk in the output buffer.
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
        chunks_.push_back(row);
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
        const std::uint64_t at = segment_.append(output_);
        failed_writing_ = false;
        for (; placed_ < chunks_.size(); ++placed_) {
            chunks_[placed_].steps += at;
            chunks_[placed_].walls += at;
            chunks_[placed_].values += at;
        }
        output_.clear();
    }

    std::span<const Task> tasks_;
    Segment& segment_;
    std::vector<FileRow>& rows_;
    FileBuffer buffer_;
    Slots slots_;
    Event event_;
    FileRow* row_ = nullptr;
    std::uint32_t task_ = 0;
    std::size_t window_ = 0;  // bytes of points not emitted yet
    std::size_t faults_of_file_ = 0;
    bool has_points_ = false;
    bool failed_writing_ = false;
    std::vector<std::uint8_t> output_;
    std::size_t placed_ = 0;  // chunks before it have their final positions
};

// Renumbers what a worker counted for itself and adds it to the batch.
void gather(Worker& worker, Names& tags, Names& metadata, Batch& batch) {
    std::vector<std::uint32_t> tag_numbers, metadata_numbers;
    for (const std::string& tag : worker.tags_.all()) tag_numbers.push_back(tags.number(tag));
    for (const std::string& each : worker.metadata_.all()) metadata_numbers.push_back(metadata.number(each));
    for (ChunkRow& row : worker.chunks_) {
        row.tag = tag_numbers[row.tag];
        if (row.metadata >= 0)
            row.metadata = static_cast<std::int32_t>(metadata_numbers[static_cast<std::size_t>(row.metadata)]);
    }
    batch.chunks.insert(batch.chunks.end(), worker.chunks_.begin(), worker.chunks_.end());
    batch.starts.insert(batch.starts.end(), worker.starts_.begin(), worker.starts_.end());
    std::move(worker.faults_.begin(), worker.faults_.end(), std::back_inserter(batch.faults));
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

Batch scan(std::span<const Task> tasks, int fd, std::uint64_t base, unsigned threads) {
    Batch batch;
    batch.files.resize(tasks.size());
    Segment segment(fd, base);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(threads ? threads : cores, std::max<std::size_t>(1, tasks.size()));
    std::deque<Worker> workers;
    for (std::size_t i = 0; i < count; ++i) workers.emplace_back(tasks, segment, batch.files);
    std::atomic<std::uint32_t> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    auto work = [&](Worker& worker) {
        try {
            for (std::uint32_t task; (task = next.fetch_add(1)) < tasks.size();) worker.read(task);
            worker.finish();
        } catch (...) {
            next = static_cast<std::uint32_t>(tasks.size());
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < count; ++i) helpers.emplace_back([&work, &workers, i] { work(workers[i]); });
        work(workers[0]);
    }
    if (failure) std::rethrow_exception(failure);
    Names tags, metadata;
    for (Worker& worker : workers) gather(worker, tags, metadata, batch);
    auto by_file = [](const auto& a, const auto& b) { return a.file < b.file; };
    std::stable_sort(batch.chunks.begin(), batch.chunks.end(), by_file);
    std::stable_sort(batch.starts.begin(), batch.starts.end(), by_file);
    std::stable_sort(batch.faults.begin(), batch.faults.end(),
                     [](const Fault& a, const Fault& b) { return a.task < b.task; });
    batch.tags.assign(tags.all().begin(), tags.all().end());
    batch.metadata.assign(metadata.all().begin(), metadata.all().end());
    segment.finish(batch);
    return batch;
}

}  // namespace lightboard
