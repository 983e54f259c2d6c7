// Bindings of read/: event files to columns, heavy values on demand, directory walks. Arguments become plain structs,
// tables are returned as bytes; the interpreter lock is released while files are read.
#include <cstring>
#include <deque>
#include <system_error>

#include "base/block_sums.h"
#include "base/record.h"
#include "bind/bind.h"
#include "bind/incoming.h"
#include "read/columns.h"
#include "read/event.h"
#include "read/file_range.h"
#include "read/identity.h"
#include "read/legacy.h"
#include "read/reader.h"
#include "read/value_tables.h"
#include "read/walk.h"

namespace lightboard::bind {
namespace {

// Keeps the bytes of a Python object alive; create and destroy it with the interpreter lock held.
class Held {
  public:
    explicit Held(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE)) throw nb::python_error();
    }
    ~Held() { PyBuffer_Release(&buffer_); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    lb::wire::Bytes bytes() const {
        return {static_cast<const std::uint8_t*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
    }

  private:
    Py_buffer buffer_{};
};

// What the tasks of a scan use; created and destroyed with the interpreter lock held.
struct Inputs {
    Inputs() = default;
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;
    ~Inputs() {
        for (Incoming& stream : streams) stream.close();
    }
    std::deque<Held> bytes;
    std::deque<Incoming> streams;
};

// `source` is a path, an OSError that explains why there are no bytes, (bytes, size, version, mtime_ns), or (stream,
// length, size, version, mtime_ns).
void set_source(lb::Task& task, nb::handle source, Inputs& inputs) {
    if (nb::isinstance<nb::str>(source)) {
        task.source = path_bytes(source);
    } else if (PyExceptionInstance_Check(source.ptr())) {
        task.source = lb::Unfetched{nb::cast<std::string>(nb::str(source))};
    } else {
        const auto fields = nb::cast<nb::tuple>(source);
        if (fields.size() != 4 && fields.size() != 5)
            throw std::invalid_argument("a piece is (bytes, size, version, mtime_ns)");
        const bool arrives = fields.size() == 5;
        const auto size = nb::cast<std::uint64_t>(fields[arrives ? 2 : 1]);
        const auto version = nb::cast<std::uint64_t>(fields[arrives ? 3 : 2]);
        const auto mtime_ns = nb::cast<std::int64_t>(fields[arrives ? 4 : 3]);
        if (version == 0) throw std::invalid_argument("no file has version 0");
        if (arrives)
            task.source = lb::Arriving{&inputs.streams.emplace_back(fields[0]), nb::cast<std::uint64_t>(fields[1]),
                                       size, version, mtime_ns};
        else
            task.source = lb::Piece{inputs.bytes.emplace_back(fields[0]).bytes(), size, version, mtime_ns};
    }
}

lb::Task task_of(nb::handle item, Inputs& inputs) {
    const auto fields = nb::cast<nb::tuple>(item);
    if (fields.size() != 5) throw std::invalid_argument("a task is (source, offset, limit, part, known)");
    lb::Task task;
    set_source(task, fields[0], inputs);
    task.offset = nb::cast<std::uint64_t>(fields[1]);
    task.limit = nb::cast<std::uint64_t>(fields[2]);
    task.part = nb::cast<std::uint32_t>(fields[3]);
    for (auto [tag, kind] : nb::cast<nb::dict>(fields[4])) {
        const auto number = nb::cast<std::uint8_t>(kind);
        if (number >= lb::kKinds) throw std::invalid_argument("no such kind");
        task.known.emplace_back(std::string(utf8(tag)), static_cast<lb::Kind>(number));
    }
    return task;
}

lb::Batch scan(nb::list items, int fd, std::uint64_t base, unsigned threads, std::uint64_t stretch_bytes) {
    Inputs inputs;
    std::vector<lb::Task> tasks;
    tasks.reserve(items.size());
    for (nb::handle item : items) tasks.push_back(task_of(item, inputs));
    std::string failure;
    int code = 0;
    lb::Batch batch;
    {
        nb::gil_scoped_release unlocked;
        try {
            batch = lb::scan(tasks, fd, base, threads, stretch_bytes);
        } catch (const std::system_error& error) {
            code = error.code().value();
            failure = error.what();
        }
    }
    if (code) raise_os_error(code, failure);
    return batch;
}

// The rows themselves, not a copy: a batch of many small files has more bytes of chunks than of anything else.
nb::object chunks_of(nb::handle_t<lb::Batch> self) {
    const std::vector<lb::ChunkRow>& rows = nb::cast<const lb::Batch&>(self).chunks;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(rows.data());
    using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>>;
    const nb::object array = nb::cast(Bytes(bytes, {rows.size() * sizeof(lb::ChunkRow)}, self));
    return nb::steal(PyMemoryView_FromObject(array.ptr()));
}

nb::list metadata_of(const lb::Batch& batch) {
    nb::list all;
    for (const std::string& bytes : batch.metadata) {
        lb::Metadata metadata;
        lb::parse_metadata({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, metadata);
        all.append(nb::make_tuple(text(metadata.plugin), bytes_out(metadata.content), text(metadata.display_name),
                                  text(metadata.description), metadata.data_class));
    }
    return all;
}

nb::tuple value_of(const lb::Unpacked& unpacked) {
    nb::list sizes;
    for (const std::int64_t size : unpacked.shape) sizes.append(size);
    nb::object data = bytes_out(unpacked.data);
    if (unpacked.dtype == "string") {
        nb::list strings;
        for (const auto& each : unpacked.strings) strings.append(bytes_out(each));
        data = strings;
    }
    return nb::make_tuple(unpacked.dtype, nb::tuple(sizes), data, text(unpacked.content_type));
}

// Reads the rows of a table that Python has as bytes.
template <class Row>
std::vector<Row> rows_of(const nb::bytes& packed) {
    if (packed.size() % sizeof(Row)) throw std::invalid_argument("these are not whole rows");
    std::vector<Row> rows(packed.size() / sizeof(Row));
    if (!rows.empty()) std::memcpy(rows.data(), packed.c_str(), packed.size());
    return rows;
}

// ---- heavy values (images, audio, tensors …), which stay in the event file: read them from bytes or a local file ----

void unpack(lb::wire::Bytes bytes, lb::Unpacked& unpacked) {
    lb::Value value;
    if (!lb::parse_value(bytes, value)) throw std::invalid_argument("there is no summary value at this place any more");
    lb::unpack_value(value, unpacked);
}

nb::tuple unpack_value(nb::handle data) {
    const Held held(data);
    lb::Unpacked unpacked;
    {
        nb::gil_scoped_release unlocked;
        unpack(held.bytes(), unpacked);
    }
    return value_of(unpacked);
}

nb::tuple read_value(nb::object where, std::uint64_t offset, std::uint64_t length, bool raw) {
    if (length > lb::kMaxRecordBytes) throw std::invalid_argument("no value is as long as that");
    const std::string path = path_bytes(where);
    std::vector<std::uint8_t> bytes(length);
    lb::Unpacked unpacked;
    int code = 0;
    {
        nb::gil_scoped_release unlocked;
        code = lb::FileRange(path).read(offset, bytes);
        if (!code && !raw) unpack(bytes, unpacked);
    }
    if (code) raise_os_error(code, path);
    if (raw) return nb::make_tuple("raw", nb::tuple(), bytes_out(bytes), "");
    return value_of(unpacked);
}

nb::tuple unpack_tables(nb::list values) {
    std::deque<Held> held;
    for (nb::handle value : values) held.emplace_back(value);
    lb::Tables tables;
    {
        nb::gil_scoped_release unlocked;
        for (const Held& value : held) lb::unpack_table(value.bytes(), tables);
    }
    return nb::make_tuple(table(tables.shapes), table(tables.cells));
}

// `refs` are rows of struct Ref, as the store keeps them.
nb::tuple read_tables(nb::object where, nb::bytes refs) {
    const std::vector<lb::Ref> places = rows_of<lb::Ref>(refs);
    for (const lb::Ref& place : places)
        if (place.length > lb::kMaxRecordBytes) throw std::invalid_argument("no value is as long as that");
    const std::string path = path_bytes(where);
    lb::Tables tables;
    int code = 0;
    {
        nb::gil_scoped_release unlocked;
        const lb::FileRange file(path);
        std::vector<std::uint8_t> bytes;
        for (const lb::Ref& place : places) {
            bytes.resize(place.length);
            if ((code = file.read(place.offset, bytes))) break;
            lb::unpack_table(bytes, tables);
        }
    }
    if (code) raise_os_error(code, path);
    return nb::make_tuple(table(tables.shapes), table(tables.cells));
}

lb::Links links_of(std::string_view word) {
    if (word == "never") return lb::Links::never;
    if (word == "inside") return lb::Links::inside;
    if (word == "all") return lb::Links::all;
    throw nb::value_error("links are followed never, inside or all");
}

struct Identity {
    std::uint64_t version, size;
    std::int64_t mtime_ns;
};

nb::tuple files_of(const std::vector<lb::WalkedFile>& found) {
    nb::list files;
    std::vector<Identity> identities;
    identities.reserve(found.size());
    for (const auto& file : found) {
        files.append(path_text(file.path));
        identities.push_back({file.version, file.size, file.mtime_ns});
    }
    return nb::make_tuple(files, table(identities));
}

nb::tuple walk(nb::object root, nb::handle patterns, const char* links, unsigned threads, nb::handle exclude,
               nb::handle homes) {
    lb::WalkOptions options;
    options.links = links_of(links);
    options.threads = threads;
    for (nb::handle pattern : patterns) options.patterns.push_back(path_bytes(pattern));
    for (nb::handle pattern : exclude) options.exclude.push_back(path_bytes(pattern));
    for (nb::handle home : homes) options.homes.push_back(path_bytes(home));
    const std::string path = path_bytes(root);
    lb::WalkResult result;
    {
        nb::gil_scoped_release unlocked;
        result = lb::walk(path, options);
    }
    nb::list found, directories, errors;
    for (const auto& files : result.found) found.append(files_of(files));
    for (const auto& directory : result.directories) directories.append(path_text(directory));
    for (const auto& error : result.errors)
        errors.append(nb::make_tuple(path_text(error.path), text(error.reason), error.pattern));
    return nb::make_tuple(found, directories, errors);
}

// ---- restored columns ----

// `chunks` are rows of struct ChunkRow. All blocks are checked, even after a mismatch, so that the caller can read all
// damaged ones again in one scan.
bool check_chunks(lb::BlockChecks& checks, nb::bytes chunks) {
    const std::vector<lb::ChunkRow> rows = rows_of<lb::ChunkRow>(chunks);
    return unlocked([&] {
        bool good = true;
        for (const lb::ChunkRow& row : rows) {
            const std::uint64_t width = lb::width_of(row.column);
            good &= checks.check(row.steps, row.steps + row.n * 8);
            good &= checks.check(row.walls, row.walls + row.n * 8);
            good &= checks.check(row.values, row.values + row.n * width);
        }
        return good;
    });
}

}  // namespace

void bind_read(nb::module_& m) {
    nb::class_<lb::Batch>(m, "Batch")
        .def_prop_ro("tags", [](const lb::Batch& batch) { return texts(batch.tags); })
        .def_prop_ro("metadata", &metadata_of)
        .def_prop_ro("files", [](const lb::Batch& batch) { return table(batch.files); })
        .def_prop_ro("chunks", &chunks_of)
        .def_prop_ro("starts", [](const lb::Batch& batch) { return table(batch.starts); })
        .def_prop_ro("faults",
                     [](const lb::Batch& batch) {
                         nb::list all;
                         for (const lb::Fault& fault : batch.faults) {
                             nb::dict parameters;
                             for (const auto& [name, value] : fault.parameters) parameters[name] = text(value);
                             all.append(nb::make_tuple(fault.task, fault.offset, lb::name_of(fault.reason),
                                                       text(fault.detail), fault.code, parameters));
                         }
                         return all;
                     })
        .def_prop_ro("memory", [](const lb::Batch& batch) { return table(batch.memory); })
        .def_prop_ro("end", [](const lb::Batch& batch) { return batch.end; });
    nb::class_<lb::BlockChecks>(m, "BlockChecks")
        .def(
            "__init__",
            [](lb::BlockChecks* self, U8In bytes, nb::bytes sums) {
                new (self) lb::BlockChecks(view(bytes), rows_of<std::uint32_t>(sums));
            },
            nb::arg("bytes").noconvert(), "sums"_a, nb::keep_alive<1, 2>())
        .def("check_chunks", &check_chunks, "chunks"_a)
        .def("check_all", &lb::BlockChecks::check_all, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("complete", &lb::BlockChecks::complete)
        .def("damaged", [](const lb::BlockChecks& checks) { return give(checks.damaged()); });
    m.def("scan", &scan, "tasks"_a, "fd"_a = -1, "base"_a = 0, "threads"_a = 0, "stretch_bytes"_a = lb::kStretchBytes);
    m.def("read_value", &read_value, "path"_a, "offset"_a, "length"_a, "raw"_a = false);
    m.def("read_tables", &read_tables, "path"_a, "refs"_a);
    m.def("unpack_value", &unpack_value, "data"_a);
    m.def("unpack_tables", &unpack_tables, "values"_a);
    m.def(
        "file_version", [](std::uint64_t device, std::uint64_t inode) { return lb::version_of(device, inode); },
        "device"_a, "inode"_a);
    m.def("walk", &walk, "root"_a, "patterns"_a, "links"_a = "all", "threads"_a = 0, "exclude"_a = nb::tuple(),
          "homes"_a = nb::tuple());
}

}  // namespace lightboard::bind
