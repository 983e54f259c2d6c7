#include "graph/graph_schema.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <string>

namespace lightboard::schema {

namespace {

// Syntax: `name number type`; * is a repeated field, | a member of a oneof, key>value a map.
constexpr std::string_view kMessages = R"(
GraphDef: node 1 NodeDef*, library 2 FunctionDefLibrary, version 3 int32, versions 4 VersionDef,
    debug_info 5 GraphDebugInfo;
NodeDef: name 1 string, op 2 string, input 3 string*, device 4 string, attr 5 string>AttrValue,
    experimental_debug_info 6 NodeDef.ExperimentalDebugInfo, experimental_type 7 FullTypeDef;
AttrValue: list 1 AttrValue.ListValue|, s 2 bytes|, i 3 int64|, f 4 float|, b 5 bool|, type 6 DataType|,
    shape 7 TensorShapeProto|, tensor 8 TensorProto|, placeholder 9 string|, func 10 NameAttrList|;
TensorShapeProto: dim 2 TensorShapeProto.Dim*, unknown_rank 3 bool;
TensorShapeProto.Dim: size 1 int64, name 2 string;
TensorProto: dtype 1 DataType, tensor_shape 2 TensorShapeProto, version_number 3 int32, tensor_content 4 bytes,
    float_val 5 float*, double_val 6 double*, int_val 7 int32*, string_val 8 bytes*, scomplex_val 9 float*,
    int64_val 10 int64*, bool_val 11 bool*, dcomplex_val 12 double*, half_val 13 int32*,
    resource_handle_val 14 ResourceHandleProto*, variant_val 15 VariantTensorDataProto*, uint32_val 16 uint32*,
    uint64_val 17 uint64*, float8_val 18 bytes;
ResourceHandleProto: device 1 string, container 2 string, name 3 string, hash_code 4 uint64,
    maybe_type_name 5 string, dtypes_and_shapes 6 ResourceHandleProto.DtypeAndShape*;
ResourceHandleProto.DtypeAndShape: dtype 1 DataType, shape 2 TensorShapeProto;
VariantTensorDataProto: type_name 1 string, metadata 2 bytes, tensors 3 TensorProto*;
AttrValue.ListValue: s 2 bytes*, i 3 int64*, f 4 float*, b 5 bool*, type 6 DataType*, shape 7 TensorShapeProto*,
    tensor 8 TensorProto*, func 9 NameAttrList*;
NameAttrList: name 1 string, attr 2 string>AttrValue;
NodeDef.ExperimentalDebugInfo: original_node_names 1 string*, original_func_names 2 string*;
FullTypeDef: type_id 1 FullTypeId, args 2 FullTypeDef*, s 3 string|, i 4 int64|;
VersionDef: producer 1 int32, min_consumer 2 int32, bad_consumers 3 int32*;
FunctionDefLibrary: function 1 FunctionDef*, gradient 2 GradientDef*,
    registered_gradients 3 RegisteredGradient*;
FunctionDef: signature 1 OpDef, node_def 3 NodeDef*, ret 4 string>string, attr 5 string>AttrValue,
    control_ret 6 string>string, arg_attr 7 uint32>FunctionDef.ArgAttrs, resource_arg_unique_id 8 uint32>uint32;
OpDef: name 1 string, input_arg 2 OpDef.ArgDef*, output_arg 3 OpDef.ArgDef*, attr 4 OpDef.AttrDef*,
    summary 5 string, description 6 string, deprecation 8 OpDeprecation, is_aggregate 16 bool,
    is_stateful 17 bool, is_commutative 18 bool, allows_uninitialized_input 19 bool, control_output 20 string*,
    is_distributed_communication 21 bool;
OpDef.ArgDef: name 1 string, description 2 string, type 3 DataType, type_attr 4 string, number_attr 5 string,
    type_list_attr 6 string, handle_data 7 ResourceHandleProto.DtypeAndShape*, is_ref 16 bool,
    experimental_full_type 17 FullTypeDef;
OpDef.AttrDef: name 1 string, type 2 string, default_value 3 AttrValue, description 4 string,
    has_minimum 5 bool, minimum 6 int64, allowed_values 7 AttrValue;
OpDeprecation: version 1 int32, explanation 2 string;
FunctionDef.ArgAttrs: attr 1 string>AttrValue;
GradientDef: function_name 1 string, gradient_func 2 string;
RegisteredGradient: gradient_func 1 string, registered_op_type 2 string;
GraphDebugInfo: files 1 string*, traces 2 string>GraphDebugInfo.StackTrace,
    frames_by_id 4 fixed64>GraphDebugInfo.FileLineCol, name_to_trace_id 5 string>fixed64,
    traces_by_id 6 fixed64>GraphDebugInfo.StackTrace;
GraphDebugInfo.FileLineCol: file_index 1 int32, line 2 int32, col 3 int32, func 4 string, code 5 string;
GraphDebugInfo.StackTrace: file_line_cols 1 GraphDebugInfo.FileLineCol*, frame_id 2 fixed64*;
RunMetadata: step_stats 1 StepStats, cost_graph 2 CostGraphDef, partition_graphs 3 GraphDef*,
    function_graphs 4 RunMetadata.FunctionGraphs*, session_metadata 5 SessionMetadata;
StepStats: dev_stats 1 DeviceStepStats*;
DeviceStepStats: device 1 string, node_stats 2 NodeExecStats*, thread_names 3 uint32>string;
NodeExecStats: node_name 1 string, all_start_micros 2 int64, op_start_rel_micros 3 int64,
    op_end_rel_micros 4 int64, all_end_rel_micros 5 int64, memory 6 AllocatorMemoryUsed*, output 7 NodeOutput*,
    timeline_label 8 string, scheduled_micros 9 int64, thread_id 10 uint32,
    referenced_tensor 11 AllocationDescription*, memory_stats 12 MemoryStats, all_start_nanos 13 int64,
    op_start_rel_nanos 14 int64, op_end_rel_nanos 15 int64, all_end_rel_nanos 16 int64,
    scheduled_nanos 17 int64;
AllocatorMemoryUsed: allocator_name 1 string, total_bytes 2 int64, peak_bytes 3 int64, live_bytes 4 int64,
    allocator_bytes_in_use 5 int64, allocation_records 6 AllocationRecord*;
AllocationRecord: alloc_micros 1 int64, alloc_bytes 2 int64;
NodeOutput: slot 1 int32, tensor_description 3 TensorDescription;
TensorDescription: dtype 1 DataType, shape 2 TensorShapeProto, allocation_description 4 AllocationDescription;
AllocationDescription: requested_bytes 1 int64, allocated_bytes 2 int64, allocator_name 3 string,
    allocation_id 4 int64, has_single_reference 5 bool, ptr 6 uint64;
MemoryStats: temp_memory_size 1 int64, device_temp_memory_size 2 int64, persistent_memory_size 3 int64,
    device_persistent_memory_size 4 int64, persistent_tensor_alloc_ids 5 int64*,
    device_persistent_tensor_alloc_ids 6 int64*;
CostGraphDef: node 1 CostGraphDef.Node*, cost 2 CostGraphDef.AggregatedCost*;
CostGraphDef.Node: name 1 string, device 2 string, id 3 int32, input_info 4 CostGraphDef.Node.InputInfo*,
    output_info 5 CostGraphDef.Node.OutputInfo*, temporary_memory_size 6 int64, is_final 7 bool,
    control_input 8 int32*, compute_cost 9 int64, host_temp_memory_size 10 int64,
    device_temp_memory_size 11 int64, persistent_memory_size 12 int64, compute_time 14 int64,
    memory_time 15 int64, device_persistent_memory_size 16 int64, inaccurate 17 bool;
CostGraphDef.Node.InputInfo: preceding_node 1 int32, preceding_port 2 int32;
CostGraphDef.Node.OutputInfo: size 1 int64, alias_input_port 2 int64, shape 3 TensorShapeProto,
    dtype 4 DataType;
CostGraphDef.AggregatedCost: cost 1 float, dimension 2 string;
RunMetadata.FunctionGraphs: partition_graphs 1 GraphDef*, pre_optimization_graph 2 GraphDef,
    post_optimization_graph 3 GraphDef;
SessionMetadata: name 1 string, version 2 int64;
)";

constexpr std::string_view kDataTypes =
    "INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16 QINT16 "
    "QUINT16 "
    "UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64 FLOAT8_E5M2 FLOAT8_E4M3FN FLOAT8_E4M3FNUZ "
    "FLOAT8_E4M3B11FNUZ "
    "FLOAT8_E5M2FNUZ INT4 UINT4 INT2 UINT2 FLOAT4_E2M1FN";
constexpr std::int32_t kReferences = 100;  // DT_FLOAT_REF = DT_FLOAT + 100

constexpr std::pair<std::int32_t, std::string_view> kFullTypes[] = {
    {0, "TFT_UNSET"},
    {1, "TFT_VAR"},
    {2, "TFT_ANY"},
    {3, "TFT_PRODUCT"},
    {4, "TFT_NAMED"},
    {20, "TFT_FOR_EACH"},
    {100, "TFT_CALLABLE"},
    {1000, "TFT_TENSOR"},
    {1001, "TFT_ARRAY"},
    {1002, "TFT_OPTIONAL"},
    {1003, "TFT_LITERAL"},
    {1004, "TFT_ENCODED"},
    {1005, "TFT_SHAPE_TENSOR"},
    {200, "TFT_BOOL"},
    {201, "TFT_UINT8"},
    {202, "TFT_UINT16"},
    {203, "TFT_UINT32"},
    {204, "TFT_UINT64"},
    {205, "TFT_INT8"},
    {206, "TFT_INT16"},
    {207, "TFT_INT32"},
    {208, "TFT_INT64"},
    {209, "TFT_HALF"},
    {210, "TFT_FLOAT"},
    {211, "TFT_DOUBLE"},
    {215, "TFT_BFLOAT16"},
    {212, "TFT_COMPLEX64"},
    {213, "TFT_COMPLEX128"},
    {214, "TFT_STRING"},
    {10102, "TFT_DATASET"},
    {10103, "TFT_RAGGED"},
    {10104, "TFT_ITERATOR"},
    {10202, "TFT_MUTEX_LOCK"},
    {10203, "TFT_LEGACY_VARIANT"},
};

constexpr std::pair<std::string_view, Type> kPlain[] = {
    {"double", Type::kDouble}, {"float", Type::kFloat},   {"int64", Type::kInt64},     {"uint64", Type::kUint64},
    {"int32", Type::kInt32},   {"uint32", Type::kUint32}, {"fixed64", Type::kFixed64}, {"bool", Type::kBool},
    {"string", Type::kString}, {"bytes", Type::kBytes},
};

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        if (end > at) parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// Built once from the text above; messages and enums never change their address.
class Library {
  public:
    Library() {
        std::int32_t number = 0;
        for (const std::string_view word : split(kDataTypes, " ")) {
            made_.push_back("DT_" + std::string(word));
            data_types_.emplace_back(number, made_.back());
            made_.push_back("DT_" + std::string(word) + "_REF");
            if (number) data_types_.emplace_back(number + kReferences, made_.back());
            ++number;
        }
        full_types_.assign(std::begin(kFullTypes), std::end(kFullTypes));
        const auto lines = split(kMessages, ";");
        for (const std::string_view line : lines)
            if (const auto name = name_of(line); !name.empty()) messages_[name].name = name;
        for (const std::string_view line : lines)
            if (const auto name = name_of(line); !name.empty()) read_fields(line, messages_[name]);
    }

    const Message* find(std::string_view name) const {
        const auto found = messages_.find(name);
        return found == messages_.end() ? nullptr : &found->second;
    }

  private:
    static std::string_view name_of(std::string_view line) {
        const auto words = split(line.substr(0, line.find(':')), " \n");
        return words.empty() ? std::string_view{} : words[0];
    }

    void read_fields(std::string_view line, Message& message) {
        for (const std::string_view entry : split(line.substr(line.find(':') + 1), ",")) {
            const auto words = split(entry, " \n");
            Field field;
            field.name = words[0];
            std::from_chars(words[1].data(), words[1].data() + words[1].size(), field.number);
            set_type(field, words[2]);
            message.fields.push_back(field);
        }
    }

    void set_type(Field& field, std::string_view type) {
        if (type.ends_with('|')) {
            field.one_of = true;
            type.remove_suffix(1);
        }
        if (type.ends_with('*')) {
            field.repeated = true;
            type.remove_suffix(1);
        }
        if (const std::size_t arrow = type.find('>'); arrow != std::string_view::npos) {
            field.type = Type::kMap;
            field.repeated = true;
            Message& entry = entries_.emplace_back();
            entry.name = field.name;
            entry.fields.resize(2);
            entry.fields[0].name = "key";
            entry.fields[0].number = 1;
            set_type(entry.fields[0], type.substr(0, arrow));
            entry.fields[1].name = "value";
            entry.fields[1].number = 2;
            set_type(entry.fields[1], type.substr(arrow + 1));
            field.message = &entry;
            return;
        }
        for (const auto& [name, plain] : kPlain)
            if (name == type) {
                field.type = plain;
                return;
            }
        const bool data_type = type == "DataType";
        if (data_type || type == "FullTypeId") {
            field.type = Type::kEnum;
            field.names = data_type ? &data_types_ : &full_types_;
            return;
        }
        field.type = Type::kMessage;
        field.message = &messages_.at(type);
    }

    std::deque<std::string> made_;
    Enum data_types_, full_types_;
    std::map<std::string_view, Message> messages_;
    std::deque<Message> entries_;
};

}  // namespace

const Field* Message::field(std::uint32_t number) const {
    for (const Field& each : fields)
        if (each.number == number) return &each;
    return nullptr;
}

const Field* Message::field(std::string_view wanted) const {
    for (const Field& each : fields)
        if (each.name == wanted) return &each;
    return nullptr;
}

const Message* message(std::string_view name) {
    static const Library library;
    return library.find(name);
}

}  // namespace lightboard::schema
