// Parses any bytes as a graph, as run metadata and as text: no crash, no out-of-bounds read, consistent columns, and
// printed text that is parsed and printed again stays the same.
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "graph/graph.h"
#include "graph/graph_stats.h"
#include "graph/graph_text.h"

using namespace lightboard;

namespace {

void need(bool good) {
    if (!good) std::abort();
}

void check_columns(wire::Bytes bytes) {
    GraphLimits limits;
    limits.nodes = 10'000;
    const GraphPiece pieces[] = {{bytes, "a/"}, {bytes.subspan(bytes.size() / 2), "b/"}};
    const GraphColumns columns = parse_graph(pieces, limits);
    const std::size_t nodes = columns.op.size();
    need(columns.name_at.size() == nodes + 1 && columns.name_at.back() == columns.names.size());
    need(columns.edge_at.size() == nodes + 1 && columns.edge_at.back() == columns.edge_from.size());
    for (std::size_t i = 0; i < nodes; ++i) {
        need(static_cast<std::size_t>(columns.op[i]) < columns.ops.size());
        need(static_cast<std::size_t>(columns.device[i]) < columns.devices.size());
        need(columns.cluster[i] < static_cast<std::int64_t>(columns.clusters.size()));
        const GraphPlace& place = columns.places[i];
        need(place.offset + place.length <= pieces[place.piece].graph.size());
    }
    for (const std::int32_t source : columns.edge_from) need(static_cast<std::size_t>(source) < nodes);
    for (const std::int32_t shape : columns.edge_shape) need(shape < static_cast<std::int64_t>(columns.shapes.size()));
    for (const std::int32_t function : columns.call_function)
        need(static_cast<std::size_t>(function) < columns.functions.size());
}

void check_text(wire::Bytes bytes, const char* message) {
    TextOptions options;
    options.most_bytes = 1 << 20;
    bool whole = true;
    try {
        const std::string text = print_text(bytes, message, options, whole);
        const ParsedText parsed = parse_text(text, message);
        need(!parsed.unknown);
        const wire::Bytes again(reinterpret_cast<const std::uint8_t*>(parsed.bytes.data()), parsed.bytes.size());
        need(print_text(again, message, options, whole) == text);
        print_text(bytes, message, {3, "large", 1 << 20}, whole);
    } catch (const std::length_error&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const wire::Bytes bytes(data, size);
    check_columns(bytes);
    parse_graph_stats(bytes, 1000);
    check_text(bytes, "GraphDef");
    check_text(bytes, "RunMetadata");
    try {
        parse_text({reinterpret_cast<const char*>(data), size}, "GraphDef");
    } catch (const std::invalid_argument&) {
    }
    return 0;
}
