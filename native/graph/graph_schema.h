// The schema of graph messages as data: names, numbers and types of their fields.
//
// Schema: tensorflow/core/framework/{graph,node_def,attr_value,function,op_def,tensor,step_stats,cost_graph,...}.proto,
// tensorflow/core/protobuf/config.proto.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lightboard::schema {

enum class Type : std::uint8_t {
    kDouble,
    kFloat,
    kInt64,
    kUint64,
    kInt32,
    kUint32,
    kFixed64,
    kBool,
    kString,
    kBytes,
    kEnum,
    kMessage,
    kMap
};

struct Message;
using Enum = std::vector<std::pair<std::int32_t, std::string_view>>;

struct Field {
    std::string_view name;
    std::uint32_t number = 0;
    Type type = Type::kBytes;
    bool repeated = false;
    bool one_of = false;               // in the only `oneof` of its message
    const Message* message = nullptr;  // type of a message field, or of the entries of a map
    const Enum* names = nullptr;
};

struct Message {
    std::string_view name;
    std::vector<Field> fields;  // in the order of the schema, which is that of their numbers

    const Field* field(std::uint32_t number) const;
    const Field* field(std::string_view name) const;
};

// Returns null for an unknown message.
const Message* message(std::string_view name);

}  // namespace lightboard::schema
