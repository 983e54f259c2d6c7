// Bindings of graph/.
#include <algorithm>

#include "bind/bind.h"
#include "graph/graph.h"
#include "graph/graph_stats.h"
#include "graph/graph_text.h"

namespace lightboard::bind {
void bind_graph(nb::module_& m) {
    // Pieces are (GraphDef, prefix), both bytes.
    m.def(
        "parse_graph",
        [](nb::list pairs, std::uint64_t nodes, std::uint64_t edges) {
            std::vector<nb::bytes> held;
            std::vector<lb::GraphPiece> pieces;
            for (nb::handle item : pairs) {
                const auto pair = nb::cast<nb::tuple>(item);
                held.push_back(nb::cast<nb::bytes>(pair[0]));
                held.push_back(nb::cast<nb::bytes>(pair[1]));
                pieces.push_back({bytes_in(held[held.size() - 2]), string_in(held.back())});
            }
            lb::GraphLimits limits;
            limits.nodes = std::min<std::size_t>(limits.nodes, nodes);
            limits.edges = std::min<std::size_t>(limits.edges, edges);
            const lb::GraphColumns columns = unlocked([&] { return lb::parse_graph(pieces, limits); });
            nb::dict out;
            out["names"] = bytes_out(columns.names);
            out["name_at"] = table(columns.name_at);
            out["op"] = table(columns.op);
            out["device"] = table(columns.device);
            out["cluster"] = table(columns.cluster);
            out["kind"] = table(columns.kind);
            out["function"] = table(columns.function);
            out["edge_at"] = table(columns.edge_at);
            out["edge_from"] = table(columns.edge_from);
            out["edge_slot"] = table(columns.edge_slot);
            out["edge_flags"] = table(columns.edge_flags);
            out["edge_shape"] = table(columns.edge_shape);
            out["call_node"] = table(columns.call_node);
            out["call_function"] = table(columns.call_function);
            nb::list functions, problems;
            for (const lb::GraphFunction& each : columns.functions)
                functions.append(nb::make_tuple(text(each.name), each.first, each.nodes));
            for (const lb::GraphProblem& each : columns.problems)
                problems.append(nb::make_tuple(text(each.code), each.count, texts(each.examples)));
            return nb::make_tuple(out, table(columns.places), texts(columns.ops), texts(columns.devices),
                                  texts(columns.shapes), texts(columns.clusters), functions, columns.producer,
                                  problems);
        },
        "pieces"_a, "nodes"_a, "edges"_a);
    m.def(
        "parse_graph_stats",
        [](nb::bytes run_metadata) {
            const lb::GraphStats stats = unlocked([&] { return lb::parse_graph_stats(bytes_in(run_metadata)); });
            nb::dict out;
            out["names"] = bytes_out(stats.names);
            out["name_at"] = table(stats.name_at);
            out["device"] = table(stats.device);
            out["start"] = table(stats.start_micros);
            out["end"] = table(stats.end_micros);
            out["compute"] = table(stats.compute_micros);
            out["bytes"] = table(stats.bytes);
            out["count"] = table(stats.count);
            return nb::make_tuple(out, texts(stats.devices), stats.whole, stats.costs);
        },
        "run_metadata"_a);
    m.def(
        "print_text",
        [](nb::bytes bytes, const std::string& message, std::uint64_t large_bytes, nb::bytes large_key,
           std::uint64_t most_bytes) {
            const lb::TextOptions options{large_bytes, string_in(large_key), most_bytes};
            bool whole = true;
            const std::string out = unlocked([&] { return lb::print_text(bytes_in(bytes), message, options, whole); });
            return nb::make_tuple(bytes_out(out), whole);
        },
        "bytes"_a, "message"_a, "large_bytes"_a, "large_key"_a, "most_bytes"_a);
    m.def(
        "parse_text",
        [](nb::bytes text, const std::string& message) {
            const lb::ParsedText parsed = unlocked([&] { return lb::parse_text(string_in(text), message); });
            return nb::make_tuple(bytes_out(parsed.bytes), parsed.unknown, texts(parsed.examples));
        },
        "text"_a, "message"_a);
}

}  // namespace lightboard::bind
