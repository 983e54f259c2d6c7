// Bindings of write/: the event writer, encoders, bins of histograms, GIF frames.
#include <system_error>

#include "bind/bind.h"
#include "write/binning.h"
#include "write/encoder.h"
#include "write/event_writer.h"
#include "write/gif_codes.h"

namespace lightboard::bind {
namespace {

using lb::EventWriter;
using lb::encode::ScalarStyle;
constexpr std::uint32_t kSessionLog = 7;  // field number of the only payload without points

ScalarStyle style_of(int style) {
    if (style < 0 || style > 2) throw std::invalid_argument("a scalar's style is 0, 1 or 2");
    return static_cast<ScalarStyle>(style);
}

template <class Array>
nb::tuple binned(const lb::Bins& bins, const Array& values) {
    const lb::Binned result = unlocked([&] { return bins.count(view(values)); });
    return nb::make_tuple(table(result.counts), result.min, result.max, result.sum, result.sum_squares);
}

}  // namespace

void bind_write(nb::module_& m) {
    nb::class_<EventWriter>(m, "EventWriter")
        .def(
            "__init__",
            [](EventWriter* self, nb::object path, double flush_secs, std::size_t queue_bytes) {
                const std::string where = path_bytes(path);
                try {
                    new (self) EventWriter(where, flush_secs, queue_bytes);
                } catch (const std::system_error& error) {
                    raise_os_error(error.code().value(), where);
                }
            },
            "path"_a, "flush_secs"_a = 1.0, "queue_bytes"_a = 1 << 18)
        .def(
            "add_scalar",
            [](EventWriter& self, nb::str tag, double number, std::int64_t step, double wall_time, int style) {
                self.add_scalar(utf8(tag), number, step, wall_time, style_of(style));
            },
            "tag"_a, "number"_a, "step"_a, "wall_time"_a, "style"_a = 0)
        .def(
            "add_row",
            [](EventWriter& self, nb::dict numbers, std::int64_t step, double wall_time, int style) {
                std::string value, summary;
                for (auto [tag, number] : numbers) {
                    value.clear();
                    lb::encode::scalar_value(value, utf8(tag), nb::cast<double>(number), style_of(style));
                    lb::encode::bytes(summary, 1, value);
                }
                self.add(wall_time, step, 5, summary, static_cast<std::uint32_t>(numbers.size()));
            },
            "numbers"_a, "step"_a, "wall_time"_a, "style"_a = 0)
        .def(
            "add",
            [](EventWriter& self, double wall_time, std::int64_t step, std::uint32_t field, nb::bytes payload) {
                self.add(wall_time, step, field, string_in(payload), field == kSessionLog ? 0 : 1);
            },
            "wall_time"_a, "step"_a, "field"_a, "payload"_a)
        .def("flush", &EventWriter::flush, "sync"_a = false, nb::call_guard<nb::gil_scoped_release>())
        .def("close", &EventWriter::close, nb::call_guard<nb::gil_scoped_release>())
        .def("abandon", &EventWriter::abandon)
        .def("status",
             [](EventWriter& self) {
                 const EventWriter::Status status = self.status();
                 return nb::make_tuple(status.bytes_written, status.points_dropped, status.error, status.gone,
                                       status.points_waiting, status.points_unseen);
             })
        .def_prop_ro("path", [](const EventWriter& self) { return path_text(self.path()); });

    m.def(
        "event_record",
        [](double wall_time, std::int64_t step, std::uint32_t field, nb::bytes payload) {
            std::string out;
            lb::encode::event_record(out, wall_time, step, field, string_in(payload));
            return bytes_out(out);
        },
        "wall_time"_a, "step"_a, "field"_a, "payload"_a);

    nb::class_<lb::Bins>(m, "Bins")
        .def(
            "__init__", [](lb::Bins* self, F64In edges) { new (self) lb::Bins(view(edges)); },
            nb::arg("edges").noconvert())
        .def(
            "count", [](const lb::Bins& self, F32In values) { return binned(self, values); },
            nb::arg("values").noconvert())
        .def(
            "count", [](const lb::Bins& self, F64In values) { return binned(self, values); },
            nb::arg("values").noconvert());

    m.def(
        "gif_codes",
        [](nb::bytes pixels, int bits) {
            return bytes_out(unlocked([&] { return lb::gif_codes(bytes_in(pixels), bits); }));
        },
        "pixels"_a, "bits"_a);
}

}  // namespace lightboard::bind
