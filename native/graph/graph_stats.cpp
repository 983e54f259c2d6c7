#include "graph/graph_stats.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "graph/graph.h"

namespace lightboard {

using wire::Bytes;
using wire::Fields;
using wire::key;

namespace {

constexpr std::size_t kNameBytes = 4096, kDeviceBytes = 1024, kDevices = 100'000;

// Returns a saturating sum: values from a file must not cause an overflow.
std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (!__builtin_add_overflow(a, b, &out)) return out;
    return a > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

struct Run {
    std::string_view name;
    std::int64_t start = 0, took = 0, bytes = 0;
};

class Stats {
  public:
    explicit Stats(std::size_t most_rows) : most_rows_(most_rows) {}

    GraphStats read(Bytes bytes) {
        read_all(bytes, false);
        if (out_.device.empty()) {
            out_.costs = true;
            read_all(bytes, true);
            out_.costs = !out_.device.empty();
        }
        return std::move(out_);
    }

  private:
    void read_all(Bytes bytes, bool costs) {
        Fields fields(bytes);
        while (fields.next()) {
            if (!costs && fields.key() == key(1, wire::kBytes)) read_steps(fields.bytes());
            if (costs && fields.key() == key(2, wire::kBytes)) read_costs(fields.bytes());
        }
        note(fields);
    }

    void note(const Fields& fields) {
        if (fields.broken()) out_.whole = false;
    }

    void read_steps(Bytes bytes) {
        Fields fields(bytes);
        while (fields.next())
            if (fields.key() == key(1, wire::kBytes)) read_device(fields.bytes());
        note(fields);
    }

    void read_device(Bytes bytes) {
        std::string_view name;
        for (Fields fields(bytes); fields.next();)
            if (fields.key() == key(1, wire::kBytes)) name = wire::text(fields.bytes());
        const std::int32_t device = device_number(name);
        Fields fields(bytes);
        while (fields.next())
            if (fields.key() == key(2, wire::kBytes)) read_run(fields.bytes(), device);
        note(fields);
    }

    void read_run(Bytes bytes, std::int32_t device) {
        Run run;
        Fields fields(bytes);
        while (fields.next()) {
            switch (fields.key()) {
                case key(1, wire::kBytes):
                    run.name = wire::text(fields.bytes());
                    break;
                case key(2, wire::kVarint):
                    run.start = static_cast<std::int64_t>(fields.varint());
                    break;
                case key(5, wire::kVarint):
                    run.took = static_cast<std::int64_t>(fields.varint());
                    break;
                case key(6, wire::kBytes):
                    for (Fields memory(fields.bytes()); memory.next();)
                        if (memory.key() == key(2, wire::kVarint)) add_bytes(run, memory.varint());
                    break;
                default:
                    break;
            }
        }
        note(fields);
        add(run, device);
    }

    void read_costs(Bytes bytes) {
        Fields fields(bytes);
        while (fields.next())
            if (fields.key() == key(1, wire::kBytes)) read_cost(fields.bytes());
        note(fields);
    }

    void read_cost(Bytes bytes) {
        Run run;
        std::string_view device;
        Fields fields(bytes);
        while (fields.next()) {
            switch (fields.key()) {
                case key(1, wire::kBytes):
                    run.name = wire::text(fields.bytes());
                    break;
                case key(2, wire::kBytes):
                    device = wire::text(fields.bytes());
                    break;
                case key(5, wire::kBytes):
                    for (Fields output(fields.bytes()); output.next();)
                        if (output.key() == key(1, wire::kVarint)) add_bytes(run, output.varint());
                    break;
                case key(6, wire::kVarint):
                case key(12, wire::kVarint):
                    add_bytes(run, fields.varint());
                    break;
                case key(9, wire::kVarint):
                    run.took = static_cast<std::int64_t>(fields.varint());
                    break;
                default:
                    break;
            }
        }
        note(fields);
        add(run, device_number(device));
    }

    static void add_bytes(Run& run, std::uint64_t bytes) {
        run.bytes = sum(run.bytes, std::max<std::int64_t>(0, static_cast<std::int64_t>(bytes)));
    }

    std::int32_t device_number(std::string_view name) {
        const auto found = device_numbers_.find(name);
        if (found != device_numbers_.end()) return found->second;
        if (out_.devices.size() >= kDevices) return 0;
        const auto number = static_cast<std::int32_t>(out_.devices.size());
        append_utf8(out_.devices.emplace_back(), name, kDeviceBytes);
        device_numbers_.emplace(name, number);
        return number;
    }

    void add(const Run& run, std::int32_t device) {
        const std::int64_t took = std::max<std::int64_t>(0, run.took), end = sum(run.start, took);
        auto& rows = rows_[device];
        if (const auto found = rows.find(run.name); found != rows.end()) {
            const std::size_t row = found->second;
            out_.start_micros[row] = std::min(out_.start_micros[row], run.start);
            out_.end_micros[row] = std::max(out_.end_micros[row], end);
            out_.compute_micros[row] = sum(out_.compute_micros[row], took);
            out_.bytes[row] = sum(out_.bytes[row], run.bytes);
            ++out_.count[row];
            return;
        }
        if (out_.device.size() >= most_rows_ || out_.names.size() > GraphLimits{}.names_bytes) {
            out_.whole = false;
            return;
        }
        rows.emplace(run.name, out_.device.size());
        append_utf8(out_.names, run.name, kNameBytes);
        out_.name_at.push_back(static_cast<std::uint32_t>(out_.names.size()));
        out_.device.push_back(device);
        out_.start_micros.push_back(run.start);
        out_.end_micros.push_back(end);
        out_.compute_micros.push_back(took);
        out_.bytes.push_back(run.bytes);
        out_.count.push_back(1);
    }

    std::size_t most_rows_;
    GraphStats out_;
    std::unordered_map<std::string_view, std::int32_t> device_numbers_;
    std::unordered_map<std::int32_t, std::unordered_map<std::string_view, std::size_t>> rows_;
};

}  // namespace

GraphStats parse_graph_stats(Bytes run_metadata, std::size_t most_rows) { return Stats(most_rows).read(run_metadata); }

}  // namespace lightboard
