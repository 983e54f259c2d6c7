// Parses GraphDefs into columns: the data that a page needs to lay out a graph, and the position of each node's bytes
// in its GraphDef.
//
//     GraphDef     node 1, library 2 {function 1}, versions 4 {producer 1}
//     NodeDef      name 1, op 2, input 3, device 4, attr 5 {key 1, value 2}
//     FunctionDef  signature 1 {name 1, input_arg 2 {name 1}, output_arg 3 {name 1}}, node_def 3,
//                  ret 4 {key 1, value 2}
//     AttrValue    list 1 {shape 7, func 9}, s 2, shape 7, tensor 8 {tensor_shape 2}, func 10 {name 1}
//
// An input is `name`, `name:output`, inside functions `name:argument:output`, or `^name` for a control edge. The bytes
// are not trusted: truncated or invalid parts are skipped, counted, and reported with a few examples. Memory is limited
// by the number of parts, not by the sizes they claim, and by the limits below.
//
// Schema: tensorflow/core/framework/{graph,node_def,function,op_def,attr_value}.proto.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire.h"

namespace lightboard {

struct GraphLimits {
    std::size_t nodes = 2'000'000;
    std::size_t edges = 8'000'000;
    std::size_t functions = 100'000;
    std::size_t words = 100'000;           // in one dictionary
    std::size_t names_bytes = 512u << 20;  // all names together
    std::size_t name_bytes = 4096;         // length limit of one name
    std::size_t word_bytes = 1024;         // length limit of one op, device, ...
    std::size_t example_bytes = 300;       // length limit of one example of a problem
};

// One GraphDef; `prefix` is put before the names of its nodes. Functions of a piece can be called only from that piece.
struct GraphPiece {
    wire::Bytes graph;
    std::string_view prefix;
};

struct GraphFunction {
    std::string name;
    std::uint32_t first = 0, nodes = 0;
};

struct GraphProblem {
    std::string code;
    std::uint64_t count = 0;
    std::vector<std::string> examples;
};

// Position of a NodeDef; length 0 for arguments and results of functions, which are not NodeDefs.
struct GraphPlace {
    std::uint64_t offset = 0;
    std::uint32_t length = 0, piece = 0;
};

enum class GraphNodeKind : std::uint8_t { kOp, kConst, kVariable, kPlaceholder, kSummary, kCall };
inline constexpr std::uint8_t kGraphControl = 1, kGraphReference = 2;

// Nodes of the graph itself come first, then those of each function. Inputs of node i are the edges edge_at[i] to
// edge_at[i + 1]. Numbers are indices into the dictionaries; -1: none.
struct GraphColumns {
    std::string names;
    std::vector<std::uint32_t> name_at{0};
    std::vector<std::int32_t> op, device, cluster, function;
    std::vector<std::uint8_t> kind;
    std::vector<GraphPlace> places;
    std::vector<std::uint32_t> edge_at{0};
    std::vector<std::int32_t> edge_from, edge_slot, edge_shape;
    std::vector<std::uint8_t> edge_flags;
    std::vector<std::int32_t> call_node, call_function;
    std::vector<std::string> ops, devices, shapes, clusters;
    std::vector<GraphFunction> functions;
    std::vector<GraphProblem> problems;
    std::int64_t producer = 0;
};

GraphColumns parse_graph(std::span<const GraphPiece> pieces, const GraphLimits& limits = {});

// Appends at most `most` bytes of the text, and "…" if the text is longer. Bytes that are not UTF-8 become U+FFFD.
void append_utf8(std::string& out, std::string_view text, std::size_t most = ~std::size_t{0});

}  // namespace lightboard
