// Parses RunMetadata (times and memory of a graph's execution) into columns, per node and device.
//
//     RunMetadata       step_stats 1 {dev_stats 1}, cost_graph 2 {node 1}
//     DeviceStepStats   device 1, node_stats 2
//     NodeExecStats     node_name 1, all_start_micros 2, all_end_rel_micros 5, memory 6 {total_bytes 2}
//     CostGraphDef.Node name 1, device 2, output_info 5 {size 1}, temporary_memory_size 6, compute_cost 9,
//                       persistent_memory_size 12
//
// A node that ran several times on a device is one row: times and bytes are summed, start is the earliest and end the
// latest. Estimated costs are used if no times were recorded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/wire.h"

namespace lightboard {

struct GraphStats {
    std::string names;
    std::vector<std::uint32_t> name_at{0};
    std::vector<std::int32_t> device;
    std::vector<std::int64_t> start_micros, end_micros, compute_micros, bytes, count;
    std::vector<std::string> devices;
    bool whole = true;   // false: the bytes are truncated, or there are more rows than the limit
    bool costs = false;  // the values are estimates of the cost model
};

GraphStats parse_graph_stats(wire::Bytes run_metadata, std::size_t most_rows = 4'000'000);

}  // namespace lightboard
