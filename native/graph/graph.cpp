#include "graph/graph.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <string_view>
#include <unordered_map>

namespace lightboard {

using wire::Bytes;
using wire::Fields;
using wire::key;

namespace {

constexpr std::size_t kExamples = 5;
constexpr std::size_t kShownSizes = 16;      // dimensions shown of one shape
constexpr std::size_t kShapesOfNode = 4096;  // outputs of a node whose shapes are kept
constexpr std::size_t kCalledOfNode = 100;   // functions that a node calls
constexpr std::string_view kMore = "\u2026";

constexpr std::string_view kConsts[] = {"Const", "HostConst", "prim::Constant", "Constant"};
constexpr std::string_view kVariables[] = {"VarHandleOp",   "Variable",      "VariableV2", "AutoReloadVariable",
                                           "_VarHandlesOp", "prim::GetAttr", "Initializer"};
constexpr std::string_view kPlaceholders[] = {"Placeholder", "PlaceholderV2", "PlaceholderWithDefault",
                                              "_Arg",        "_DeviceArg",    "IO Node",
                                              "input_arg",   "InputLayer",    "Input"};

template <class List>
bool among(const List& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

GraphNodeKind kind_of_op(std::string_view op) {
    if (among(kConsts, op)) return GraphNodeKind::kConst;
    if (among(kVariables, op)) return GraphNodeKind::kVariable;
    if (among(kPlaceholders, op)) return GraphNodeKind::kPlaceholder;
    if (op.ends_with("Summary") || op.ends_with("SummaryV2")) return GraphNodeKind::kSummary;
    return GraphNodeKind::kOp;
}

// Returns whether the op modifies the variable of its first input.
bool changes_input(std::string_view op) {
    constexpr std::string_view kBegins[] = {"Assign", "Scatter", "ResourceApply", "ResourceScatter", "ResourceSparse"};
    for (const std::string_view begin : kBegins)
        if (op.starts_with(begin) && op != "ScatterNd") return true;
    return op == "CountUpTo" || op.starts_with("Apply") || op.starts_with("SparseApply");
}

// Returns the length in bytes of the UTF-8 character at `at`, 0 if it is invalid.
std::size_t character(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > text.size() - at) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // overlong forms, surrogates, beyond U+10FFFF
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) || (first == 0xf0 && byte(1) < 0x90) ||
        (first == 0xf4 && byte(1) > 0x8f))
        return 0;
    return size;
}

// Interned words, by number. When the dictionary is full, new words become "…".
class Dictionary {
  public:
    Dictionary(std::vector<std::string>& words, const GraphLimits& limits) : words_(words), limits_(limits) {}

    std::int32_t number(std::string_view word) {
        word = word.substr(0, limits_.word_bytes);
        if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
        if (words_.size() >= limits_.words) word = kMore;
        if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
        const auto made = static_cast<std::int32_t>(words_.size());
        words_.emplace_back();
        append_utf8(words_.back(), word);
        numbers_.emplace(std::string(word), made);
        return made;
    }

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::vector<std::string>& words_;
    const GraphLimits& limits_;
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
};

using Scope = std::unordered_map<std::string_view, std::int32_t>;

// Formats TensorShapeProto{dim 2 {size 1}, unknown_rank 3} as `2×?×3`; empty if the rank is unknown.
std::string shape_text(Bytes shape) {
    std::string out;
    std::size_t sizes = 0;
    for (Fields fields(shape); fields.next();) {
        if (fields.key() == key(3, wire::kVarint) && fields.varint()) return {};
        if (fields.key() != key(2, wire::kBytes)) continue;
        if (++sizes > kShownSizes) continue;
        std::int64_t size = 0;
        for (Fields dim(fields.bytes()); dim.next();)
            if (dim.key() == key(1, wire::kVarint)) size = static_cast<std::int64_t>(dim.varint());
        if (sizes > 1) out += "\u00d7";
        out += size < 0 ? "?" : std::to_string(size);
    }
    if (sizes > kShownSizes) out += "\u00d7\u2026";
    return sizes ? out : "scalar";
}

class Builder {
  public:
    Builder(std::span<const GraphPiece> pieces, const GraphLimits& limits)
        : pieces_(pieces),
          limits_(limits),
          ops_(out_.ops, limits),
          devices_(out_.devices, limits),
          shapes_(out_.shapes, limits),
          clusters_(out_.clusters, limits) {}

    GraphColumns build() {
        for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece) read_piece(piece);
        for (const Body& body : bodies_) read_function(body);
        connect();
        for (std::size_t i = 0; i < std::size(kCodes); ++i)
            if (problems_[i].count) {
                problems_[i].code = kCodes[i];
                out_.problems.push_back(std::move(problems_[i]));
            }
        return std::move(out_);
    }

  private:
    enum Problem {
        kCut,
        kBrokenNode,
        kBrokenFunction,
        kUnnamed,
        kDuplicateName,
        kMissingInput,
        kLongName,
        kTooManyNodes,
        kTooManyEdges,
        kTooManyFunctions
    };
    static constexpr const char* kCodes[] = {
        "cut",           "broken_node", "broken_function", "unnamed",        "duplicate_name",
        "missing_input", "long_name",   "too_many_nodes",  "too_many_edges", "too_many_functions"};

    struct Body {
        Bytes bytes;
        std::uint32_t piece;
    };

    // Data of a node, kept until all names are known. Spans point into the pieces.
    struct Node {
        std::uint32_t scope;
        std::uint32_t first_input, inputs;
        std::uint32_t first_shape, shapes;  // shapes of its outputs, in shape_numbers_
        std::uint32_t first_called, called;
    };

    void problem(Problem code, std::string_view example = {}, std::string_view more = {}) {
        GraphProblem& known = problems_[code];
        if (++known.count > kExamples || example.empty()) return;
        std::string text;
        append_utf8(text, example, limits_.example_bytes);
        if (!more.empty()) {
            text += " \u2190 ";
            append_utf8(text, more, limits_.example_bytes);
        }
        known.examples.push_back(std::move(text));
    }

    void read_piece(std::uint32_t piece) {
        const auto scope = new_scope();
        std::size_t count = 0;
        for (Fields fields(pieces_[piece].graph); fields.next();) count += fields.key() == key(1, wire::kBytes);
        scopes_[scope].reserve(std::min(count, limits_.nodes));
        Fields fields(pieces_[piece].graph);
        while (fields.next()) {
            switch (fields.key()) {
                case key(1, wire::kBytes):
                    read_node(fields.bytes(), piece, scope, -1);
                    break;
                case key(2, wire::kBytes):
                    read_library(fields.bytes(), piece);
                    break;
                case key(4, wire::kBytes):
                    read_versions(fields.bytes());
                    break;
                default:
                    break;
            }
        }
        if (fields.broken()) problem(kCut, pieces_[piece].prefix);
    }

    std::uint32_t new_scope() {
        scopes_.emplace_back();
        return static_cast<std::uint32_t>(scopes_.size() - 1);
    }

    void read_versions(Bytes bytes) {
        for (Fields fields(bytes); fields.next();)
            if (fields.key() == key(1, wire::kVarint) && !out_.producer)
                out_.producer = static_cast<std::int32_t>(fields.varint());
    }

    void read_library(Bytes bytes, std::uint32_t piece) {
        Fields fields(bytes);
        while (fields.next()) {
            if (fields.key() != key(1, wire::kBytes)) continue;
            if (bodies_.size() >= limits_.functions)
                problem(kTooManyFunctions);
            else
                bodies_.push_back({fields.bytes(), piece});
        }
        if (fields.broken()) problem(kCut, pieces_[piece].prefix);
    }

    // ---- nodes

    void read_node(Bytes bytes, std::uint32_t piece, std::uint32_t scope, std::int32_t function) {
        std::string_view name, op, device;
        Node node = new_node(scope);
        attributes_.clear();
        Fields fields(bytes);
        while (fields.next()) {
            switch (fields.key()) {
                case key(1, wire::kBytes):
                    name = wire::text(fields.bytes());
                    break;
                case key(2, wire::kBytes):
                    op = wire::text(fields.bytes());
                    break;
                case key(3, wire::kBytes):
                    if (inputs_.size() < limits_.edges)
                        inputs_.push_back(wire::text(fields.bytes()));
                    else
                        problem(kTooManyEdges);
                    break;
                case key(4, wire::kBytes):
                    device = wire::text(fields.bytes());
                    break;
                case key(5, wire::kBytes):
                    attributes_.push_back(fields.bytes());
                    break;
                default:
                    break;
            }
        }
        if (fields.broken()) problem(kBrokenNode, name.empty() ? "?" : name);
        if (name.empty() && op.empty() && fields.broken()) {
            inputs_.resize(node.first_input);
            return;
        }
        node.inputs = static_cast<std::uint32_t>(inputs_.size() - node.first_input);
        std::string_view cluster, layer;
        for (const Bytes entry : attributes_) read_attribute(entry, op, node, cluster, layer);
        const auto offset = static_cast<std::uint64_t>(bytes.data() - pieces_[piece].graph.data());
        const GraphPlace place{offset, static_cast<std::uint32_t>(bytes.size()), piece};
        add(name, function < 0 ? pieces_[piece].prefix : std::string_view{}, op.empty() ? layer : op, device, cluster,
            node, place, function);
    }

    Node new_node(std::uint32_t scope) const {
        const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
        return {scope, count(inputs_), 0, count(shape_numbers_), 0, count(called_), 0};
    }

    void read_attribute(Bytes entry, std::string_view op, Node& node, std::string_view& cluster,
                        std::string_view& layer) {
        std::string_view name;
        Bytes value;
        for (Fields fields(entry); fields.next();) {
            if (fields.key() == key(1, wire::kBytes)) name = wire::text(fields.bytes());
            if (fields.key() == key(2, wire::kBytes)) value = fields.bytes();
        }
        const bool all_shapes = name == "_output_shapes";
        // without inferred shapes, use the shape of a constant's value or a placeholder's `shape`
        const bool own_shape =
            !node.shapes && ((name == "value" && among(kConsts, op)) || (name == "shape" && among(kPlaceholders, op)));
        for (Fields fields(value); fields.next();) {
            switch (fields.key()) {
                case key(1, wire::kBytes):
                    read_list(fields.bytes(), all_shapes, node);
                    break;
                case key(2, wire::kBytes):
                    if (name == "_XlaCluster") cluster = wire::text(fields.bytes());
                    if (name == "keras_class") layer = wire::text(fields.bytes());
                    break;
                case key(7, wire::kBytes):
                    if (own_shape) add_shape(fields.bytes(), node);
                    break;
                case key(8, wire::kBytes):
                    if (own_shape) read_tensor(fields.bytes(), node);
                    break;
                case key(10, wire::kBytes):
                    read_called(fields.bytes(), node);
                    break;
                default:
                    break;
            }
        }
    }

    void read_list(Bytes list, bool all_shapes, Node& node) {
        if (all_shapes) {
            shape_numbers_.resize(node.first_shape);
            node.shapes = 0;
        }
        for (Fields fields(list); fields.next();) {
            if (all_shapes && fields.key() == key(7, wire::kBytes)) add_shape(fields.bytes(), node);
            if (fields.key() == key(9, wire::kBytes)) read_called(fields.bytes(), node);
        }
    }

    void read_tensor(Bytes tensor, Node& node) {
        for (Fields fields(tensor); fields.next();)
            if (fields.key() == key(2, wire::kBytes)) return add_shape(fields.bytes(), node);
        add_shape({}, node);
    }

    void add_shape(Bytes shape, Node& node) {
        if (node.shapes >= kShapesOfNode) return;
        const std::string text = shape_text(shape);
        shape_numbers_.push_back(text.empty() ? -1 : shapes_.number(text));
        ++node.shapes;
    }

    void read_called(Bytes function, Node& node) {
        for (Fields fields(function); fields.next();)
            if (fields.key() == key(1, wire::kBytes)) {
                if (node.called >= kCalledOfNode) return;
                called_.push_back(wire::text(fields.bytes()));
                ++node.called;
                return;
            }
    }

    void add(std::string_view name, std::string_view prefix, std::string_view op, std::string_view device,
             std::string_view cluster, const Node& node, GraphPlace place, std::int32_t function) {
        const auto index = nodes_.size();
        if (index >= limits_.nodes || out_.names.size() >= limits_.names_bytes) {
            inputs_.resize(node.first_input);
            shape_numbers_.resize(node.first_shape);
            called_.resize(node.first_called);
            return problem(kTooManyNodes);
        }
        if (name.empty())
            problem(kUnnamed, op.empty() ? "?" : op);
        else if (!scopes_[node.scope].emplace(name, static_cast<std::int32_t>(index)).second)
            problem(kDuplicateName, name);
        if (name.size() > limits_.name_bytes) problem(kLongName, name);
        out_.names += prefix;
        append_utf8(out_.names, name, limits_.name_bytes);
        out_.name_at.push_back(static_cast<std::uint32_t>(out_.names.size()));
        out_.op.push_back(ops_.number(op));
        out_.device.push_back(devices_.number(device));
        out_.cluster.push_back(cluster.empty() ? -1 : clusters_.number(cluster));
        out_.kind.push_back(static_cast<std::uint8_t>(kind_of_op(op)));
        out_.function.push_back(function);
        out_.places.push_back(place);
        nodes_.push_back(node);
    }

    // ---- functions

    struct Signature {
        std::string_view name;
        std::vector<std::string_view> arguments, results;
    };

    static Signature read_signature(Bytes bytes) {
        Signature out;
        for (Fields fields(bytes); fields.next();) {
            if (fields.key() == key(1, wire::kBytes)) out.name = wire::text(fields.bytes());
            const bool argument = fields.key() == key(2, wire::kBytes), result = fields.key() == key(3, wire::kBytes);
            if (!argument && !result) continue;
            std::string_view name;
            for (Fields one(fields.bytes()); one.next();)
                if (one.key() == key(1, wire::kBytes)) name = wire::text(one.bytes());
            (argument ? out.arguments : out.results).push_back(name);
        }
        return out;
    }

    void read_function(const Body& body) {
        Signature signature;
        std::unordered_map<std::string_view, std::string_view> returned;
        Fields fields(body.bytes);
        while (fields.next()) {
            if (fields.key() == key(1, wire::kBytes)) signature = read_signature(fields.bytes());
            if (fields.key() != key(4, wire::kBytes)) continue;
            std::string_view result, source;
            for (Fields entry(fields.bytes()); entry.next();) {
                if (entry.key() == key(1, wire::kBytes)) result = wire::text(entry.bytes());
                if (entry.key() == key(2, wire::kBytes)) source = wire::text(entry.bytes());
            }
            returned[result] = source;
        }
        if (fields.broken()) problem(kBrokenFunction, signature.name.empty() ? "?" : signature.name);
        const auto function = static_cast<std::int32_t>(out_.functions.size());
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        const auto scope = new_scope();
        for (const std::string_view name : signature.arguments)
            add_argument(name, "input_arg", {}, scope, function, body);
        for (Fields nodes(body.bytes); nodes.next();)
            if (nodes.key() == key(3, wire::kBytes)) read_node(nodes.bytes(), body.piece, scope, function);
        for (const std::string_view name : signature.results) {
            const auto source = returned.find(name);
            add_argument(name, "output_arg", source == returned.end() ? std::string_view{} : source->second, scope,
                         function, body);
        }
        GraphFunction made;
        made.first = first;
        made.nodes = static_cast<std::uint32_t>(nodes_.size()) - first;
        std::string_view prefix = pieces_[body.piece].prefix;
        if (prefix.ends_with('/')) prefix.remove_suffix(1);
        if (!prefix.empty()) made.name = std::string(prefix) + "_";
        append_utf8(made.name, signature.name, limits_.word_bytes);
        out_.functions.push_back(std::move(made));
        functions_[body.piece].emplace(signature.name, function);
    }

    void add_argument(std::string_view name, std::string_view op, std::string_view source, std::uint32_t scope,
                      std::int32_t function, const Body& body) {
        Node node = new_node(scope);
        if (!source.empty()) {
            inputs_.push_back(source);
            node.inputs = 1;
        }
        // a result may have the same name as the node that computes it
        if (scopes_[scope].contains(name)) {
            made_names_.push_back(std::string(name.substr(0, limits_.name_bytes)) + "_RetVal");
            name = made_names_.back();
        }
        add(name, {}, op, {}, {}, node, {0, 0, body.piece}, function);
    }

    // ---- edges

    struct Source {
        std::int32_t node = -1;
        std::uint32_t slot = 0;
    };

    static Source resolve(std::string_view input, const Scope& scope) {
        if (const auto found = scope.find(input); found != scope.end()) return {found->second, 0};
        const std::size_t colon = input.rfind(':');
        if (colon == std::string_view::npos) return {};
        const std::string_view digits = input.substr(colon + 1);
        std::uint32_t slot = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
        if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || slot > 0x7fffffff)
            return {};
        std::string_view name = input.substr(0, colon);
        if (const auto found = scope.find(name); found != scope.end()) return {found->second, slot};
        const std::size_t argument = name.rfind(':');
        if (argument == std::string_view::npos) return {};
        const auto found = scope.find(name.substr(0, argument));
        return found == scope.end() ? Source{} : Source{found->second, slot};
    }

    void connect() {
        out_.edge_at.reserve(nodes_.size() + 1);
        out_.edge_from.reserve(inputs_.size());
        out_.edge_slot.reserve(inputs_.size());
        out_.edge_shape.reserve(inputs_.size());
        out_.edge_flags.reserve(inputs_.size());
        for (std::size_t index = 0; index < nodes_.size(); ++index) {
            const Node& node = nodes_[index];
            const std::string_view op = out_.ops[static_cast<std::size_t>(out_.op[index])];
            for (std::uint32_t i = 0; i < node.inputs; ++i) connect_input(index, i, op);
            out_.edge_at.push_back(static_cast<std::uint32_t>(out_.edge_from.size()));
            call(index, op);
        }
    }

    void connect_input(std::size_t index, std::uint32_t place, std::string_view op) {
        const Node& node = nodes_[index];
        std::string_view input = inputs_[node.first_input + place];
        const bool control = input.starts_with('^');
        const Source source = resolve(control ? input.substr(1) : input, scopes_[node.scope]);
        if (source.node < 0) {
            // torch does not log the modules that own these attributes
            if (op != "prim::GetAttr") problem(kMissingInput, name_of(index), input);
            return;
        }
        const Node& from = nodes_[static_cast<std::size_t>(source.node)];
        const bool shaped = !control && source.slot < from.shapes;
        out_.edge_from.push_back(source.node);
        out_.edge_slot.push_back(static_cast<std::int32_t>(source.slot));
        out_.edge_shape.push_back(shaped ? shape_numbers_[from.first_shape + source.slot] : -1);
        out_.edge_flags.push_back(control ? kGraphControl : place == 0 && changes_input(op) ? kGraphReference : 0);
    }

    std::string_view name_of(std::size_t index) const {
        const std::uint32_t first = out_.name_at[index];
        return std::string_view(out_.names).substr(first, out_.name_at[index + 1] - first);
    }

    void call(std::size_t index, std::string_view op) {
        const Node& node = nodes_[index];
        const auto known = functions_.find(out_.places[index].piece);
        if (known == functions_.end()) return;
        const std::size_t first = out_.call_node.size();
        const auto add_call = [&](std::string_view name) {
            const auto found = known->second.find(name);
            if (found == known->second.end()) return;
            const auto same = std::find(out_.call_function.begin() + static_cast<std::ptrdiff_t>(first),
                                        out_.call_function.end(), found->second);
            if (same != out_.call_function.end()) return;
            out_.call_node.push_back(static_cast<std::int32_t>(index));
            out_.call_function.push_back(found->second);
            out_.kind[index] = static_cast<std::uint8_t>(GraphNodeKind::kCall);
        };
        add_call(op);
        for (std::uint32_t i = 0; i < node.called; ++i) add_call(called_[node.first_called + i]);
    }

    std::span<const GraphPiece> pieces_;
    const GraphLimits& limits_;
    GraphColumns out_;
    Dictionary ops_, devices_, shapes_, clusters_;
    std::vector<Node> nodes_;
    std::vector<Scope> scopes_;
    std::vector<Body> bodies_;
    std::vector<std::string_view> inputs_, called_;
    std::vector<std::int32_t> shape_numbers_;
    std::vector<Bytes> attributes_;       // of the current node
    std::deque<std::string> made_names_;  // generated names, which are in no piece
    std::unordered_map<std::uint32_t, std::unordered_map<std::string_view, std::int32_t>> functions_;
    GraphProblem problems_[std::size(kCodes)];
};

}  // namespace

void append_utf8(std::string& out, std::string_view text, std::size_t most) {
    if (text.size() <= most && std::all_of(text.begin(), text.end(), [](char c) { return !(c & 0x80); })) {
        out += text;
        return;
    }
    const std::size_t begin = out.size();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = character(text, at);
        if (out.size() - begin + std::max<std::size_t>(size, 3) > most) {
            out += kMore;
            return;
        }
        if (size)
            out += text.substr(at, size);
        else
            out += "\ufffd";
        at += std::max<std::size_t>(size, 1);
    }
}

GraphColumns parse_graph(std::span<const GraphPiece> pieces, const GraphLimits& limits) {
    return Builder(pieces, limits).build();
}

}  // namespace lightboard
