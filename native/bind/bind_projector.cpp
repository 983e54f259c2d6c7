// Bindings of projector/. lightboard/projection.py checks arguments; this file checks only what could cause an
// out-of-bounds read.
#include "bind/bind.h"
#include "projector/matrix_text.h"
#include "projector/neighbors.h"
#include "projector/tsne.h"
#include "projector/umap.h"

namespace lightboard::bind {
namespace {

namespace lp = lightboard::projector;
using F32Rows = In<float, 2>;
using I32In = In<std::int32_t>;
using U32Rows = In<std::uint32_t, 2>;

// Converts Python's arrays to neighbor lists. Ids are checked, because the layouts use them without checking.
lp::NeighborLists lists_of(const U32Rows& ids, const F32Rows& distances) {
    if (ids.shape(0) != distances.shape(0) || ids.shape(1) != distances.shape(1))
        throw std::invalid_argument("ids and distances differ in shape");
    lp::NeighborLists lists{ids.shape(0), ids.shape(1), {}, {}};
    lists.ids.assign(ids.data(), ids.data() + ids.size());
    lists.distances.assign(distances.data(), distances.data() + distances.size());
    for (const std::uint32_t id : lists.ids)
        if (id >= lists.rows) throw std::invalid_argument("a neighbor that is no row");
    return lists;
}

lp::Supervision supervision_of(const I32In& labels, float amount, std::size_t rows) {
    if (labels.size() && labels.size() != rows) throw std::invalid_argument("a label for every row");
    return lp::Supervision{{labels.data(), labels.size()}, amount};
}

nb::object coordinates_of(const std::vector<float>& values, std::size_t dims) {
    return give_shaped(std::vector<float>(values), values.size() / dims, dims);
}

}  // namespace

void bind_projector(nb::module_& m) {
    m.def(
        "parse_matrix",
        [](nb::bytes text, char separator, std::size_t columns, std::size_t first_line) {
            lp::Matrix matrix =
                unlocked([&] { return lp::parse_matrix(string_in(text), separator, columns, first_line); });
            return nb::make_tuple(give_shaped(std::move(matrix.cells), matrix.rows, matrix.columns), matrix.lines);
        },
        nb::arg("text"), nb::arg("separator"), nb::arg("columns") = 0, nb::arg("first_line") = 1);

    nb::class_<lp::Neighbors>(m, "Neighbors")
        .def(
            "__init__",
            [](lp::Neighbors* self, F32Rows values, std::size_t count, std::uint64_t seed) {
                nb::gil_scoped_release release;
                new (self) lp::Neighbors(view(values), values.shape(0), values.shape(1), count, seed);
            },
            nb::arg("values").noconvert(), nb::arg("count"), nb::arg("seed"))
        .def("advance", &lp::Neighbors::advance, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("progress", &lp::Neighbors::progress)
        .def("result", [](const lp::Neighbors& self) {
            lp::NeighborLists lists = unlocked([&] { return self.result(); });
            return nb::make_tuple(give_shaped(std::move(lists.ids), lists.rows, lists.count),
                                  give_shaped(std::move(lists.distances), lists.rows, lists.count));
        });
    nb::class_<lp::Umap>(m, "Umap")
        .def(
            "__init__",
            [](lp::Umap* self, U32Rows ids, F32Rows distances, F32Rows initial, double a, double b, std::size_t epochs,
               I32In labels, float supervise, std::uint64_t seed) {
                nb::gil_scoped_release release;
                const lp::NeighborLists lists = lists_of(ids, distances);
                const lp::Graph graph = lp::fuzzy_graph(lists, supervision_of(labels, supervise, lists.rows));
                const lp::UmapOptions options{initial.shape(1), a, b, epochs, seed};
                new (self) lp::Umap(graph, view(initial), options);
            },
            nb::arg("ids").noconvert(), nb::arg("distances").noconvert(), nb::arg("initial").noconvert(), nb::arg("a"),
            nb::arg("b"), nb::arg("epochs"), nb::arg("labels").noconvert(), nb::arg("supervise"), nb::arg("seed"))
        .def("advance", &lp::Umap::advance, nb::arg("seconds"), nb::call_guard<nb::gil_scoped_release>())
        .def("perturb", &lp::Umap::perturb)
        .def_prop_ro("epoch", &lp::Umap::epoch)
        .def("coordinates", [](const lp::Umap& self) { return coordinates_of(self.coordinates(), self.dims()); });
    nb::class_<lp::Tsne>(m, "Tsne")
        .def(
            "__init__",
            [](lp::Tsne* self, U32Rows ids, F32Rows distances, F32Rows initial, float perplexity, double learning_rate,
               I32In labels, float supervise, std::uint64_t seed) {
                nb::gil_scoped_release release;
                const lp::NeighborLists lists = lists_of(ids, distances);
                lp::Graph graph = lp::probabilities(lists, perplexity, supervision_of(labels, supervise, lists.rows));
                new (self) lp::Tsne(std::move(graph), view(initial), {initial.shape(1), learning_rate, seed});
            },
            nb::arg("ids").noconvert(), nb::arg("distances").noconvert(), nb::arg("initial").noconvert(),
            nb::arg("perplexity"), nb::arg("learning_rate"), nb::arg("labels").noconvert(), nb::arg("supervise"),
            nb::arg("seed"))
        .def("advance", &lp::Tsne::advance, nb::arg("seconds"), nb::arg("most"),
             nb::call_guard<nb::gil_scoped_release>())
        .def("perturb", &lp::Tsne::perturb)
        .def_prop_ro("iteration", &lp::Tsne::iteration)
        .def("coordinates", [](const lp::Tsne& self) { return coordinates_of(self.coordinates(), self.dims()); });
}

}  // namespace lightboard::bind
