// Graphs to columns, recorded times to columns, messages to text and back; then all inputs truncated at every byte, and
// modified.
#undef NDEBUG
#include "graph/graph.h"

#include <cassert>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/graph_stats.h"
#include "graph/graph_text.h"
#include "tests/event_bytes.h"

using namespace lightboard;
using tests::view;

namespace {

GraphColumns columns_of(const std::string& graph, std::string_view prefix = {}, const GraphLimits& limits = {}) {
    const GraphPiece pieces[] = {{view(graph), prefix}};
    return parse_graph(pieces, limits);
}

std::string printed(const std::string& bytes, std::string_view message, const TextOptions& options = {}) {
    bool whole = true;
    return print_text(view(bytes), message, options, whole);
}

std::string name_of(const GraphColumns& columns, std::size_t node) {
    return columns.names.substr(columns.name_at[node], columns.name_at[node + 1] - columns.name_at[node]);
}

std::uint64_t problems(const GraphColumns& columns, std::string_view code) {
    for (const GraphProblem& each : columns.problems)
        if (each.code == code) return each.count;
    return 0;
}

constexpr std::string_view kGraph = R"(
# two inputs, a call of a function, an edge of control
node { name: "x" op: "Placeholder" device: "/cpu:0"
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 4 } } } } }
node { name: "w" op: "Const" attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape < dim < size: 3 > > } } } }
node { name: "f" op: "StatefulPartitionedCall" input: "x" input: "w:0" input: '^w'
  attr { key: "f" value { func { name: "body" } } }
  attr { key: "_output_shapes" value { list { shape { } shape { unknown_rank: true } shape { dim { size: 2 } } } } } }
node { name: "assign" op: "AssignVariableOp" input: "w" input: "f:2" input: "nobody" }
library { function {
  signature { name: "body" input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" } output_arg { name: "y" } }
  node_def { name: "y" op: "AddV2" input: "a" input: "b" }
  node_def { name: "z" op: "Identity" input: "y:z:0" input: "^y" }
  ret { key: "y" value: "z:output:0" } } }
versions { producer: 22 }
)";

void test_columns() {
    const std::string graph = parse_text(kGraph, "GraphDef").bytes;
    const GraphColumns columns = columns_of(graph);
    assert(columns.op.size() == 4 + 5);
    assert(columns.producer == 22);
    assert(columns.functions.size() == 1 && columns.functions[0].name == "body");
    assert(columns.functions[0].first == 4 && columns.functions[0].nodes == 5);
    assert(name_of(columns, 4) == "a" && name_of(columns, 6) == "y" && name_of(columns, 8) == "y_RetVal");
    assert(columns.call_node == std::vector<std::int32_t>{2});
    assert(columns.call_function == std::vector<std::int32_t>{0});
    assert(columns.kind[0] == static_cast<std::uint8_t>(GraphNodeKind::kPlaceholder));
    assert(columns.kind[1] == static_cast<std::uint8_t>(GraphNodeKind::kConst));
    assert(columns.kind[2] == static_cast<std::uint8_t>(GraphNodeKind::kCall));
    // inputs of f: x and w with their shapes, and w again as a control edge; inputs of assign: w, which it modifies,
    // and f:2
    assert(columns.edge_at[2] == 0 && columns.edge_at[3] == 3 && columns.edge_at[4] == 5);
    assert((std::vector<std::int32_t>(columns.edge_from.begin(), columns.edge_from.begin() + 5) ==
            std::vector<std::int32_t>{0, 1, 1, 1, 2}));
    assert(columns.shapes[static_cast<std::size_t>(columns.edge_shape[0])] == "?\u00d74");
    assert(columns.shapes[static_cast<std::size_t>(columns.edge_shape[1])] == "3");
    assert(columns.edge_flags[2] == kGraphControl && columns.edge_shape[2] == -1);
    assert(columns.edge_flags[3] == kGraphReference && columns.edge_flags[4] == 0);
    assert(columns.edge_slot[4] == 2 && columns.shapes[static_cast<std::size_t>(columns.edge_shape[4])] == "2");
    assert(problems(columns, "missing_input") == 1 && columns.problems.size() == 1);
    assert(columns.problems[0].examples[0] == "assign \u2190 nobody");
    // inside the function: a, b → y → z → the result
    const std::uint32_t at = columns.edge_at[6];
    assert(columns.edge_from[at] == 4 && columns.edge_from[at + 1] == 5 && columns.edge_from[at + 2] == 6);
    assert(columns.edge_from[columns.edge_at[8]] == 7);
    // places contain the nodes' bytes
    const GraphPlace place = columns.places[1];
    assert(printed(graph.substr(place.offset, place.length), "NodeDef").starts_with("name: \"w\"\nop: \"Const\"\n"));
}

void test_pieces_do_not_mix() {
    const std::string graph = parse_text(kGraph, "GraphDef").bytes;
    const GraphPiece pieces[] = {{view(graph), "graph_1/"}, {view(graph), "graph_2/"}};
    const GraphColumns columns = parse_graph(pieces);
    assert(columns.op.size() == 18 && name_of(columns, 4) == "graph_2/x");
    assert(columns.edge_from[columns.edge_at[6]] == 4);
    assert(columns.functions[1].name == "graph_2_body" && columns.functions[1].first == 13);
    assert((columns.call_function == std::vector<std::int32_t>{0, 1}));
}

void test_hostile_graphs() {
    const auto graph_of = [](std::string_view text) { return parse_text(text, "GraphDef").bytes; };
    // duplicate names, missing names, a node that is its own input
    const GraphColumns twice =
        columns_of(graph_of(R"(node { name: "a" } node { name: "a" input: "a" } node { op: "Q" })"));
    assert(problems(twice, "duplicate_name") == 1 && problems(twice, "unnamed") == 1 && twice.edge_from[0] == 0);
    // names that are not UTF-8, and very long names
    std::string odd = graph_of(R"(node { name: "a\377b" } node { name: "c" input: "a\377b" })");
    GraphLimits few;
    few.name_bytes = 8;
    few.nodes = 3;
    few.edges = 2;
    few.words = 2;
    const GraphColumns shown = columns_of(odd);
    assert(name_of(shown, 0) == "a\ufffdb" && shown.edge_from.size() == 1);
    odd += graph_of(R"(node { name: "a long name" op: "x" } node { name: "d" op: "y" } node { name: "e" })");
    const GraphColumns cut = columns_of(odd, {}, few);
    assert(cut.op.size() == 3 && name_of(cut, 2) == "a long\u2026");
    assert(problems(cut, "long_name") == 1 && problems(cut, "too_many_nodes") == 2);
    const GraphColumns edges =
        columns_of(graph_of(R"(node { name: "a" op: "1" input: ["a", "a", "a"] } node { op: "2" })"
                            R"(node { op: "3" })"),
                   {}, few);
    assert(edges.edge_from.size() == 2 && problems(edges, "too_many_edges") == 1);
    assert((edges.ops == std::vector<std::string>{"1", "2", "\u2026"}));
    // a shape of many dimensions
    std::string sizes;
    for (int i = 0; i < 100; ++i) sizes += "dim { size: 1 }";
    const GraphColumns wide =
        columns_of(graph_of(R"(node { name: "a" attr { key: "_output_shapes" value { list { shape {)" + sizes +
                            "} } } } } node { input: \"a\" }"));
    assert(wide.shapes[0].ends_with("\u00d71\u00d7\u2026"));
}

void test_stats() {
    constexpr std::string_view text = R"(
        step_stats { dev_stats { device: "/cpu:0"
            node_stats { node_name: "a" all_start_micros: 100 all_end_rel_micros: 7 memory { total_bytes: 64 }
                         memory { total_bytes: -5 } }
            node_stats { node_name: "a" all_start_micros: 200 all_end_rel_micros: 3 memory { total_bytes: 6 } }
            node_stats { node_name: "b" all_start_micros: 110 all_end_rel_micros: -3 } }
          dev_stats { device: "/gpu:0" node_stats { node_name: "a" all_start_micros: 150 all_end_rel_micros: 1 } } }
        cost_graph { node { name: "c" } })";
    const GraphStats stats = parse_graph_stats(view(parse_text(text, "RunMetadata").bytes));
    assert(stats.whole && !stats.costs && stats.devices.size() == 2);
    assert((stats.compute_micros == std::vector<std::int64_t>{10, 0, 1}));
    assert((stats.start_micros == std::vector<std::int64_t>{100, 110, 150}));
    assert((stats.end_micros == std::vector<std::int64_t>{203, 110, 151}));
    assert((stats.bytes == std::vector<std::int64_t>{70, 0, 0}) && stats.count[0] == 2);
    constexpr std::string_view costs = R"(cost_graph { node { name: "c" device: "d" compute_cost: 5
        output_info { size: 3 } output_info { size: 4 } temporary_memory_size: 9223372036854775807 } })";
    const GraphStats estimates = parse_graph_stats(view(parse_text(costs, "RunMetadata").bytes));
    assert(estimates.costs && estimates.compute_micros[0] == 5 && estimates.bytes[0] == 9223372036854775807);
}

void test_text() {
    // printed text is parsed to the same message
    const std::string graph = parse_text(kGraph, "GraphDef").bytes;
    const std::string text = printed(graph, "GraphDef");
    assert(printed(parse_text(text, "GraphDef").bytes, "GraphDef") == text);
    // formats of numbers, strings and lists
    const auto once = [](std::string_view given) { return printed(parse_text(given, "AttrValue").bytes, "AttrValue"); };
    assert(once("list { f: [1, 2.5e-3, - 3, -inf] }") == "list {\n  f: 1\n  f: 0.0025\n  f: -3\n  f: -inf\n}\n");
    assert(once("i: -0x10") == "i: -16\n" && once("i: 010") == "i: 8\n");
    assert(once("i: 9223372036854775807;") == "i: 9223372036854775807\n");
    assert(once(R"(s: "a\x41\101" '\u00e9"' # and more
                   "\n")") == "s: \"aAA\\303\\251\\\"\\n\"\n");
    assert(once("type: DT_INT64_REF") == "type: DT_INT64_REF\n" && once("type: 77") == "type: 77\n");
    assert(once("b: false") == "b: false\n" && once("b: t") == "b: true\n");
    assert(once("f: nan") == "f: nan\n" && once("f: 1.5f") == "f: 1.5\n" && once("f: 0.1") == "f: 0.1\n");
    // the last member of a oneof is used
    assert(once("i: 1 s: 'x'") == "s: \"x\"\n");
    // unknown fields are skipped, with any content
    const ParsedText parsed = parse_text(
        R"(node { name: "a" odd { x: [1, {y: 'z}'}] <> } [type.googleapis.com/q]: { r: 1 } op: "b" } more: DT_X)",
        "GraphDef");
    assert(parsed.unknown == 3 && parsed.examples[0] == "odd");
    assert(printed(parsed.bytes, "GraphDef") == "node {\n  name: \"a\"\n  op: \"b\"\n}\n");
    // large attributes are listed by name
    const std::string large = parse_text(R"(node { attr { key: "big" value { s: "0123456789" } }
        attr { key: "a" value { i: 1 } } attr { key: "big2" value { s: "0123456789" } } }
        library { function { node_def { attr { key: "kept" value { s: "0123456789" } } } } })",
                                         "GraphDef")
                                  .bytes;
    const std::string pruned = printed(large, "GraphDef", {8, "too_large"});
    assert(pruned.find("key: \"too_large\"\n    value {\n      list {\n        s: \"big\"\n        s: \"big2\"\n") !=
           std::string::npos);
    assert(pruned.find("key: \"big\"") == std::string::npos && pruned.find("key: \"kept\"") != std::string::npos);
}

void test_wrong_text() {
    constexpr std::string_view kWrong[] = {
        "node {",
        "node }",
        "node: 1",
        "node { name: x }",
        "node { name: \"x }",
        "node { name \"x\" }",
        "version: 1.5",
        "version: 99999999999999999999",
        "node { name: \"\\q\" }",
        "node { attr { value { b: maybe } } }",
        "node { input: [\"a\" \"b\"",
        "{",
        "node { odd: }",
        "node { odd { ] } }",
        "\x01",
        "version: \"1\"",
    };
    for (const std::string_view text : kWrong) {
        bool refused = false;
        try {
            parse_text(text, "GraphDef");
        } catch (const std::invalid_argument& error) {
            refused = std::string_view(error.what()).starts_with("line 1: ");
        }
        if (!refused) std::fprintf(stderr, "taken: %s\n", std::string(text).c_str());
        assert(refused);
    }
    std::string deep;
    for (int i = 0; i < 10'000; ++i) deep += "func { attr { value { ";
    bool refused = false;
    try {
        parse_text(deep, "AttrValue");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    assert(refused);
    std::string nothing(100'000, '[');
    refused = false;
    try {
        parse_text("odd: " + nothing, "AttrValue");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    assert(refused);
}

void test_limits_of_text() {
    // deeply nested, well-formed messages
    std::string inner;
    const auto wrapped = [](std::string_view body, char field) {
        std::string out(1, static_cast<char>(field << 3 | 2));
        std::uint64_t size = body.size();
        for (; size >= 0x80; size >>= 7) out += static_cast<char>(size | 0x80);
        out += static_cast<char>(size);
        return out += body;
    };
    for (int i = 0; i < 1000; ++i) inner = wrapped(wrapped(wrapped(inner, 2), 2), 10);  // value, attr, func
    bool whole = true;
    print_text(view(inner), "AttrValue", {}, whole);
    assert(!whole);
    bool refused = false;
    try {
        print_text(view(parse_text(kGraph, "GraphDef").bytes), "GraphDef", {0, {}, 100}, whole);
    } catch (const std::length_error&) {
        refused = true;
    }
    assert(refused);
}

// Truncated at every byte, and every byte changed: no crash, no out-of-bounds read, consistent columns.
void test_damage() {
    const std::string graph = parse_text(kGraph, "GraphDef").bytes;
    const auto check = [](const std::string& damaged) {
        const GraphColumns columns = columns_of(damaged, "p/");
        assert(columns.edge_at.size() == columns.op.size() + 1 && columns.edge_at.back() == columns.edge_from.size());
        for (const std::int32_t source : columns.edge_from)
            assert(source >= 0 && static_cast<std::size_t>(source) < columns.op.size());
        for (const GraphPlace& place : columns.places) assert(place.offset + place.length <= damaged.size());
        bool whole = true;
        print_text(view(damaged), "GraphDef", {}, whole);
        print_text(view(damaged), "RunMetadata", {}, whole);
        parse_graph_stats(view(damaged));
    };
    for (std::size_t size = 0; size < graph.size(); ++size) check(graph.substr(0, size));
    for (std::size_t at = 0; at < graph.size(); ++at)
        for (const int change : {1, 0x80, 0xff}) {
            std::string damaged = graph;
            damaged[at] = static_cast<char>(damaged[at] ^ change);
            check(damaged);
        }
    assert(problems(columns_of(graph.substr(0, graph.size() / 2)), "cut") == 1);
}

}  // namespace

int main() {
    test_columns();
    test_pieces_do_not_mix();
    test_hostile_graphs();
    test_stats();
    test_text();
    test_wrong_text();
    test_limits_of_text();
    test_damage();
    return 0;
}
