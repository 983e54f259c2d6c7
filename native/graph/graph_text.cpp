#include "graph/graph_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>

#include "graph/graph_schema.h"

namespace lightboard {

using schema::Field;
using schema::Message;
using schema::Type;
using wire::Bytes;
using wire::Fields;

namespace {

constexpr int kMaxDepth = 100;  // as in protobuf
constexpr std::size_t kExamples = 5;

bool is_number(Type type) { return type < Type::kString || type == Type::kEnum; }

wire::Type wire_type(Type type) {
    switch (type) {
        case Type::kDouble:
        case Type::kFixed64:
            return wire::kFixed64;
        case Type::kFloat:
            return wire::kFixed32;
        default:
            return is_number(type) ? wire::kVarint : wire::kBytes;
    }
}

const Message& known(std::string_view name) {
    const Message* found = schema::message(name);
    if (!found) throw std::invalid_argument("no such message: " + std::string(name));
    return *found;
}

// ---- printing

// The value of one field: bits of a number, or bytes.
struct Item {
    const Field* field;
    std::uint64_t number;
    Bytes bytes;
};

class Printer {
  public:
    explicit Printer(const TextOptions& options) : options_(options) {}

    std::string print(Bytes bytes, const Message& message, bool& whole) {
        print_fields(bytes, message, 0);
        whole = whole_;
        return std::move(out_);
    }

  private:
    std::vector<Item> read(Bytes bytes, const Message& message) {
        std::vector<Item> items;
        const Field* chosen = nullptr;  // the last field of the oneof, which takes precedence
        Fields fields(bytes);
        while (fields.next()) {
            const Field* field = message.field(fields.key() >> 3);
            if (!field) continue;
            const auto type = static_cast<wire::Type>(fields.key() & 7);
            if (type == wire_type(field->type))
                items.push_back(item_of(*field, fields));
            else if (type == wire::kBytes && field->repeated && is_number(field->type))
                read_packed(*field, fields.bytes(), items);
            else
                continue;
            if (field->one_of) chosen = field;
        }
        if (fields.broken()) whole_ = false;
        if (chosen) std::erase_if(items, [&](const Item& each) { return each.field->one_of && each.field != chosen; });
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.field < b.field; });
        return items;
    }

    static Item item_of(const Field& field, const Fields& fields) {
        switch (wire_type(field.type)) {
            case wire::kVarint:
                return {&field, fields.varint(), {}};
            case wire::kFixed64:
                return {&field, fields.fixed<std::uint64_t>(), {}};
            case wire::kFixed32:
                return {&field, fields.fixed<std::uint32_t>(), {}};
            default:
                return {&field, 0, fields.bytes()};
        }
    }

    void read_packed(const Field& field, Bytes bytes, std::vector<Item>& items) {
        const wire::Type type = wire_type(field.type);
        if (type == wire::kVarint) {
            const std::uint8_t* at = bytes.data();
            const std::uint8_t* end = at + bytes.size();
            while (at != end) {
                std::uint64_t number = 0;
                if (!wire::read_varint(at, end, number)) {
                    whole_ = false;
                    return;
                }
                items.push_back({&field, number, {}});
            }
            return;
        }
        const std::size_t size = type == wire::kFixed64 ? 8 : 4;
        for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
            std::uint64_t number = 0;
            std::memcpy(&number, bytes.data() + at, size);
            items.push_back({&field, number, {}});
        }
        if (bytes.size() % size) whole_ = false;
    }

    void print_fields(Bytes bytes, const Message& message, int depth) {
        if (depth > kMaxDepth) {
            whole_ = false;
            return;
        }
        const std::vector<Item> items = read(bytes, message);
        for (std::size_t first = 0; first < items.size();) {
            std::size_t past = first;
            while (past < items.size() && items[past].field == items[first].field) ++past;
            const std::span<const Item> same(items.data() + first, past - first);
            const Field& field = *same[0].field;
            if (field.type == Type::kMap)
                print_map(field, same, depth);
            else if (field.repeated)
                for (const Item& each : same) print_item(each, depth, &field == node_field());
            else
                print_single(field, same, depth);
            first = past;
        }
    }

    // Large attributes are omitted only in these nodes.
    const Field* node_field() const {
        static const Field* const field = known("GraphDef").field("node");
        return field;
    }

    void print_single(const Field& field, std::span<const Item> same, int depth) {
        const Item& last = same.back();
        if (field.type == Type::kMessage && same.size() > 1) {
            // several parts of one message are merged
            std::vector<std::uint8_t> together;
            for (const Item& each : same) together.insert(together.end(), each.bytes.begin(), each.bytes.end());
            print_item({&field, 0, together}, depth, false);
            return;
        }
        const bool absent = !field.one_of && (is_number(field.type) ? is_zero(last) : last.bytes.empty());
        if (field.type == Type::kMessage || !absent) print_item(last, depth, false);
    }

    static bool is_zero(const Item& item) {
        const Type type = item.field->type;
        if (type == Type::kInt32 || type == Type::kUint32 || type == Type::kEnum)
            return !static_cast<std::uint32_t>(item.number);
        return !item.number;
    }

    void print_item(const Item& item, int depth, bool node) {
        indent(depth);
        put(item.field->name);
        if (item.field->type != Type::kMessage) {
            put(": ");
            print_scalar(item);
            put("\n");
            return;
        }
        put(" {\n");
        pruning_ = node && options_.large_bytes;
        print_fields(item.bytes, *item.field->message, depth + 1);
        pruning_ = false;
        indent(depth);
        put("}\n");
    }

    // ---- maps

    struct Entry {
        Item key, value;
    };

    // String keys in descending order, except that a prefix of another key precedes it; numbers in ascending order.
    static bool before(const Entry& a, const Entry& b) {
        if (a.key.field->type != Type::kString) return a.key.number < b.key.number;
        const std::string_view x = wire::text(a.key.bytes), y = wire::text(b.key.bytes);
        const std::size_t both = std::min(x.size(), y.size());
        const int order = x.substr(0, both).compare(y.substr(0, both));
        return order ? order > 0 : x.size() < y.size();
    }

    void print_map(const Field& field, std::span<const Item> same, int depth) {
        const bool pruning = pruning_ && field.name == "attr";
        pruning_ = false;
        const Field &key_field = field.message->fields[0], &value_field = field.message->fields[1];
        std::vector<Entry> entries;
        for (const Item& item : same) {
            Entry entry{{&key_field, 0, {}}, {&value_field, 0, {}}};
            for (const Item& part : read(item.bytes, *field.message))
                (part.field == &key_field ? entry.key : entry.value) = part;
            entries.push_back(entry);
        }
        // if several entries have the same key, the last one is used
        const auto same_key = [](const Entry& a, const Entry& b) { return !before(a, b) && !before(b, a); };
        std::reverse(entries.begin(), entries.end());
        std::stable_sort(entries.begin(), entries.end(), before);
        entries.erase(std::unique(entries.begin(), entries.end(), same_key), entries.end());
        std::vector<std::uint8_t> listed;
        if (pruning) prune(entries, listed, key_field, value_field);
        for (const Entry& entry : entries) {
            indent(depth);
            put(field.name);
            put(" {\n");
            print_item(entry.key, depth + 1, false);
            print_item(entry.value, depth + 1, false);
            indent(depth);
            put("}\n");
        }
    }

    void prune(std::vector<Entry>& entries, std::vector<std::uint8_t>& listed, const Field& key_field,
               const Field& value_field) const {
        std::vector<std::uint8_t> strings;
        const auto append = [](std::vector<std::uint8_t>& out, std::uint8_t field, Bytes bytes) {
            out.push_back(static_cast<std::uint8_t>(field << 3 | wire::kBytes));
            std::uint64_t size = bytes.size();
            for (; size >= 0x80; size >>= 7) out.push_back(static_cast<std::uint8_t>(size | 0x80));
            out.push_back(static_cast<std::uint8_t>(size));
            out.insert(out.end(), bytes.begin(), bytes.end());
        };
        for (const Entry& entry : entries)
            if (entry.value.bytes.size() > options_.large_bytes) append(strings, 2, entry.key.bytes);
        if (strings.empty()) return;
        const auto named = [&](const Entry& entry) { return wire::text(entry.key.bytes) == options_.large_key; };
        std::erase_if(entries, [&](const Entry& entry) {
            return entry.value.bytes.size() > options_.large_bytes || named(entry);
        });
        append(listed, 1, strings);  // AttrValue{list 1 {s 2}}
        const Bytes key_bytes(reinterpret_cast<const std::uint8_t*>(options_.large_key.data()),
                              options_.large_key.size());
        const Entry made{{&key_field, 0, key_bytes}, {&value_field, 0, listed}};
        entries.push_back(made);
        std::stable_sort(entries.begin(), entries.end(), before);
    }

    // ---- scalars

    void print_scalar(const Item& item) {
        char digits[40];
        const auto put_number = [&](auto number) {
            const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
            put({digits, static_cast<std::size_t>(end - digits)});
        };
        switch (item.field->type) {
            case Type::kDouble:
                return put_real(std::bit_cast<double>(item.number));
            case Type::kFloat:
                return put_real(std::bit_cast<float>(static_cast<std::uint32_t>(item.number)));
            case Type::kInt64:
                return put_number(static_cast<std::int64_t>(item.number));
            case Type::kInt32:
                return put_number(static_cast<std::int32_t>(item.number));
            case Type::kUint32:
                return put_number(static_cast<std::uint32_t>(item.number));
            case Type::kBool:
                return put(item.number ? "true" : "false");
            case Type::kEnum: {
                const auto number = static_cast<std::int32_t>(item.number);
                for (const auto& [value, name] : *item.field->names)
                    if (value == number) return put(name);
                return put_number(number);
            }
            case Type::kString:
            case Type::kBytes:
                return put_quoted(wire::text(item.bytes), item.field->type == Type::kString);
            default:
                return put_number(item.number);
        }
    }

    // Uses as few digits as a round trip needs: 6 or 9, for doubles 15 or 17.
    template <class Real>
    void put_real(Real number) {
        if (std::isnan(number)) return put("nan");
        if (std::isinf(number)) return put(number > 0 ? "inf" : "-inf");
        constexpr bool kWide = sizeof(Real) == sizeof(double);
        char digits[40];
        for (const int precision : {kWide ? 15 : 6, kWide ? 17 : 9}) {
            const auto end =
                std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, precision).ptr;
            Real back = 0;
            std::from_chars(digits, end, back);
            if (back != number && precision != (kWide ? 17 : 9)) continue;
            return put({digits, static_cast<std::size_t>(end - digits)});
        }
    }

    void put_quoted(std::string_view text, bool is_text) {
        check(out_.size() + text.size());
        out_ += '"';
        for (const char letter : text) {
            const auto byte = static_cast<std::uint8_t>(letter);
            switch (letter) {
                case '\n':
                    out_ += "\\n";
                    break;
                case '\r':
                    out_ += "\\r";
                    break;
                case '\t':
                    out_ += "\\t";
                    break;
                case '"':
                case '\'':
                case '\\':
                    out_ += '\\';
                    out_ += letter;
                    break;
                default:
                    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !is_text)) {
                        const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                                              static_cast<char>('0' + (byte >> 3 & 7)),
                                              static_cast<char>('0' + (byte & 7))};
                        out_.append(octal, sizeof octal);
                    } else {
                        out_ += letter;
                    }
            }
        }
        check(out_.size());
        out_ += '"';
    }

    void indent(int depth) {
        check(out_.size());
        out_.append(2 * static_cast<std::size_t>(depth), ' ');
    }

    void put(std::string_view text) { out_ += text; }

    void check(std::size_t size) const {
        if (size > options_.most_bytes) throw std::length_error("the graph is too large as text");
    }

    const TextOptions& options_;
    std::string out_;
    bool whole_ = true;
    bool pruning_ = false;  // omit large attributes of the next fields
};

// ---- parsing

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    ParsedText parse(const Message& message) {
        skip_space();
        parse_fields(message, '\0', 0, out_.bytes);
        return std::move(out_);
    }

  private:
    [[noreturn]] void fail(std::string_view reason, std::string_view what = {}, std::string_view more = {}) const {
        const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
        std::string told = "line ";
        told.append(std::to_string(line)).append(": ").append(reason).append(what).append(more);
        throw std::invalid_argument(told);
    }

    bool ended() const { return at_ >= text_.size(); }
    char peek() const { return ended() ? '\0' : text_[at_]; }

    void skip_space() {
        while (!ended()) {
            const char letter = text_[at_];
            if (letter == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t' || letter == '\f' ||
                     letter == '\v')
                ++at_;
            else
                return;
        }
    }

    bool take(char letter) {
        if (ended() || text_[at_] != letter) return false;
        ++at_;
        skip_space();
        return true;
    }

    static bool is_word(char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_';
    }

    // Reads a name, a number or any other single token.
    std::string_view word(bool number = false) {
        const std::size_t first = at_;
        if (number && (peek() == '-' || peek() == '+')) {
            ++at_;
            while (peek() == ' ') ++at_;
        }
        while (!ended() &&
               (is_word(text_[at_]) ||
                (number && (text_[at_] == '.' || ((text_[at_] == '-' || text_[at_] == '+') && exponent())))))
            ++at_;
        const std::string_view found = text_.substr(first, at_ - first);
        skip_space();
        return found;
    }

    bool exponent() const { return at_ && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'); }

    void parse_fields(const Message& message, char close, int depth, std::string& out) {
        if (depth > kMaxDepth) fail("messages in messages in messages, too deep");
        while (true) {
            if (ended()) {
                if (close) fail("the text ends where a `", {&close, 1}, "` should be");
                return;
            }
            if (close && take(close)) return;
            if (peek() == '[') {
                skip_extension();
                continue;
            }
            const std::string_view name = word();
            if (name.empty()) fail("a field's name is expected, not `", shown(), "`");
            const Field* field = message.field(name);
            const bool colon = take(':');
            if (!field) {
                unknown(name);
                skip_value();
            } else if (take('[')) {
                parse_list(*field, depth, out);
            } else {
                parse_value(*field, colon, depth, out);
            }
            if (!take(',')) take(';');
        }
    }

    void parse_list(const Field& field, int depth, std::string& out) {
        while (!take(']')) {
            parse_value(field, true, depth, out);
            if (!take(',') && peek() != ']') fail("a `]` is missing");
        }
    }

    std::string shown() const {
        const auto byte = static_cast<std::uint8_t>(peek());
        return byte >= 0x20 && byte < 0x7f ? std::string(1, peek()) : "byte " + std::to_string(byte);
    }

    void unknown(std::string_view name) {
        if (++out_.unknown <= kExamples) out_.examples.emplace_back(name.substr(0, 100));
    }

    void parse_value(const Field& field, bool colon, int depth, std::string& out) {
        if (field.message) {
            const char close = take('{') ? '}' : take('<') ? '>' : '\0';
            if (!close) fail("`", field.name, "` should be a message in braces");
            std::string inner;
            parse_fields(*field.message, close, depth + 1, inner);
            append_bytes(out, field.number, inner);
            return;
        }
        if (!colon) fail("a `:` is missing after `", field.name, "`");
        if (field.type == Type::kString || field.type == Type::kBytes)
            append_bytes(out, field.number, quoted());
        else
            append_number(out, field);
    }

    // ---- scalars

    static void append_varint(std::string& out, std::uint64_t number) {
        for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
        out += static_cast<char>(number);
    }

    static void append_bytes(std::string& out, std::uint32_t number, std::string_view bytes) {
        append_varint(out, wire::key(number, wire::kBytes));
        append_varint(out, bytes.size());
        out += bytes;
    }

    void append_number(std::string& out, const Field& field) {
        const std::string_view text = word(true);
        const wire::Type type = wire_type(field.type);
        const std::string put_key = [&] {
            std::string key;
            append_varint(key, wire::key(field.number, type));
            return key;
        }();
        if (field.type == Type::kDouble || field.type == Type::kFloat) {
            const double number = real(text);
            out += put_key;
            if (field.type == Type::kDouble) {
                out.append(reinterpret_cast<const char*>(&number), sizeof number);
            } else {
                const auto narrow = static_cast<float>(number);
                out.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
            }
            return;
        }
        std::uint64_t number = 0;
        if (field.type == Type::kBool) {
            if (text == "true" || text == "True" || text == "t" || text == "1")
                number = 1;
            else if (text != "false" && text != "False" && text != "f" && text != "0")
                fail("`", cut(text), "` is neither true nor false");
        } else if (field.type == Type::kEnum && !text.empty() && !is_digit(text[0]) && text[0] != '-') {
            const auto found = std::find_if(field.names->begin(), field.names->end(),
                                            [&](const auto& each) { return each.second == text; });
            if (found == field.names->end()) return unknown(text);
            number = static_cast<std::uint64_t>(static_cast<std::int64_t>(found->first));
        } else {
            number = whole(text);
        }
        out += put_key;
        if (type == wire::kFixed64)
            out.append(reinterpret_cast<const char*>(&number), sizeof number);
        else
            append_varint(out, number);
    }

    static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

    static std::string_view cut(std::string_view text) { return text.substr(0, 60); }

    // Spaces are allowed after the sign of a number.
    static std::string_view unsigned_part(std::string_view text, bool& minus) {
        minus = text.starts_with('-');
        if (minus || text.starts_with('+')) text.remove_prefix(1);
        while (text.starts_with(' ')) text.remove_prefix(1);
        return text;
    }

    std::uint64_t whole(std::string_view text) const {
        bool minus = false;
        std::string_view digits = unsigned_part(text, minus);
        int base = 10;
        if (digits.starts_with("0x") || digits.starts_with("0X")) {
            base = 16;
            digits.remove_prefix(2);
        } else if (digits.size() > 1 && digits[0] == '0') {
            base = 8;
        }
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
        if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() ||
            (minus && number > 1ull << 63))
            fail("`", cut(text), "` is no whole number");
        return minus ? 0 - number : number;
    }

    double real(std::string_view text) const {
        bool minus = false;
        std::string_view digits = unsigned_part(text, minus);
        double number = 0;
        if (digits == "inf" || digits == "infinity" || digits == "Infinity" || digits == "INF") {
            number = HUGE_VAL;
        } else if (digits == "nan" || digits == "NaN" || digits == "NAN") {
            number = NAN;
        } else {
            if (digits.ends_with('f') || digits.ends_with('F')) digits.remove_suffix(1);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            const bool far = error == std::errc::result_out_of_range;
            if (far)
                number = digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos
                             ? 0
                             : HUGE_VAL;
            if (digits.empty() || (error != std::errc{} && !far) || end != digits.data() + digits.size())
                fail("`", cut(text), "` is no number");
        }
        return minus ? -number : number;
    }

    // Reads one string, or several adjacent ones.
    std::string quoted() {
        std::string out;
        if (peek() != '"' && peek() != '\'') fail("a text in quotes is expected, not `", shown(), "`");
        while (peek() == '"' || peek() == '\'') {
            const char quote = text_[at_++];
            while (true) {
                if (ended() || peek() == '\n') fail("a text has no end");
                const char letter = text_[at_++];
                if (letter == quote) break;
                if (letter == '\\')
                    append_escaped(out);
                else
                    out += letter;
            }
            skip_space();
        }
        return out;
    }

    std::uint32_t digits(int base, int most) {
        std::uint32_t number = 0;
        for (int i = 0; i < most && !ended(); ++i, ++at_) {
            const char letter = text_[at_];
            const int digit = is_digit(letter)                 ? letter - '0'
                              : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                              : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                                               : 99;
            if (digit >= base) break;
            number = number * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
        }
        return number;
    }

    void append_escaped(std::string& out) {
        constexpr std::string_view kLetters = "abfnrtv\\'\"?", kMeant = "\a\b\f\n\r\t\v\\'\"?";
        if (ended()) fail("a text has no end");
        const char letter = text_[at_];
        if (const std::size_t place = kLetters.find(letter); place != std::string_view::npos) {
            out += kMeant[place];
            ++at_;
        } else if (letter >= '0' && letter <= '7') {
            out += static_cast<char>(digits(8, 3));
        } else if (letter == 'x' || letter == 'X') {
            ++at_;
            out += static_cast<char>(digits(16, 2));
        } else if (letter == 'u' || letter == 'U') {
            ++at_;
            append_code(out, digits(16, letter == 'u' ? 4 : 8));
        } else {
            fail("`\\", shown(), "` means nothing");
        }
    }

    static void append_code(std::string& out, std::uint32_t code) {
        if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
        const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xc0 | code >> 6);
            tail(0);
        } else if (code < 0x10000) {
            out += static_cast<char>(0xe0 | code >> 12);
            tail(6);
            tail(0);
        } else {
            out += static_cast<char>(0xf0 | code >> 18);
            tail(12);
            tail(6);
            tail(0);
        }
    }

    // ---- unknown fields

    void skip_extension() {
        const std::size_t close = text_.find(']', at_);
        if (close == std::string_view::npos) fail("a `]` is missing");
        unknown(text_.substr(at_, close + 1 - at_));
        at_ = close + 1;
        skip_space();
        take(':');
        skip_value();
        if (!take(',')) take(';');
    }

    void skip_value() {
        std::string open;
        do {
            if (ended()) fail("the text ends too early");
            const char letter = peek();
            if (letter == '"' || letter == '\'') {
                quoted();
            } else if (letter == '{' || letter == '<' || letter == '[') {
                open += letter;
                take(letter);
            } else if (letter == '}' || letter == '>' || letter == ']') {
                const char wanted = letter == '}' ? '{' : letter == '>' ? '<' : '[';
                if (open.empty() || open.back() != wanted) fail("a `", {&letter, 1}, "` too many");
                open.pop_back();
                take(letter);
            } else if (letter == ':' || letter == ',' || letter == ';') {
                if (open.empty()) return;
                take(letter);
            } else if (word(true).empty()) {
                fail("a value is expected, not `", shown(), "`");
            }
        } while (!open.empty());
    }

    std::string_view text_;
    std::size_t at_ = 0;
    ParsedText out_;
};

}  // namespace

std::string print_text(Bytes bytes, std::string_view message, const TextOptions& options, bool& whole) {
    return Printer(options).print(bytes, known(message), whole);
}

ParsedText parse_text(std::string_view text, std::string_view message) { return Parser(text).parse(known(message)); }

}  // namespace lightboard
