#include "kernels/natural.h"

#include <algorithm>
#include <numeric>

namespace lightboard::kernels {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

std::size_t digits_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

// Returns the position after `.` and digits; `at` if there are none.
std::size_t fraction_end(std::string_view text, std::size_t at) {
    return at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1]) ? digits_end(text, at + 1) : at;
}

// Appends "0" (sorts before letters), the magnitude as one character, and the digits without leading and trailing
// zeros.
void append_number(std::string& key, std::string_view number, long exponent = 0) {
    constexpr long most = 0x4000;
    const std::size_t point = std::min(number.find('.'), number.size());
    std::string digits(number.substr(0, point));
    if (point < number.size()) digits += number.substr(point + 1);
    const std::size_t first = digits.find_first_not_of('0');
    long magnitude = -most;
    if (first == std::string::npos) {
        digits.clear();
    } else {
        magnitude = std::clamp(static_cast<long>(point) - static_cast<long>(first) + exponent, -most, most);
        digits.erase(0, first);
        digits.erase(digits.find_last_not_of('0') + 1);
    }
    const auto mark = static_cast<std::uint32_t>(0x5000 + magnitude);  // three bytes of UTF-8
    key += '0';
    key += static_cast<char>(0xE0 | mark >> 12);
    key += static_cast<char>(0x80 | (mark >> 6 & 0x3F));
    key += static_cast<char>(0x80 | (mark & 0x3F));
    key += digits;
}

// Appends a version such as `1.2.3`: three or more parts, each compared as a number. Returns its end, or `at` if there
// is none.
std::size_t append_version(std::string& key, std::string_view name, std::size_t at) {
    const std::size_t one = digits_end(name, at), two = fraction_end(name, one);
    if (two == one || fraction_end(name, two) == two) return at;
    for (std::size_t start = at, end = one;;) {
        append_number(key, name.substr(start, end - start));
        const std::size_t next = fraction_end(name, end);
        if (next == end) return end;
        key += '\x01';
        start = end + 1;
        end = next;
    }
}

// Appends a number such as `1e-05` that is not part of a word.
std::size_t append_scientific(std::string& key, std::string_view name, std::size_t at) {
    if (at > 0 && is_word(name[at - 1])) return at;
    const std::size_t mantissa = fraction_end(name, digits_end(name, at));
    std::size_t power = mantissa;
    if (power >= name.size() || (name[power] != 'e' && name[power] != 'E')) return at;
    ++power;
    const bool signed_ = power < name.size() && (name[power] == '-' || name[power] == '+');
    const bool below = signed_ && name[power] == '-';
    if (signed_) ++power;
    const std::size_t end = digits_end(name, power);
    if (end == power || end - power > 3 || (end < name.size() && is_word(name[end]))) return at;
    long exponent = 0;
    for (std::size_t each = power; each < end; ++each) exponent = 10 * exponent + (name[each] - '0');
    append_number(key, name.substr(at, mantissa - at), below ? -exponent : exponent);
    return end;
}

std::size_t append_any_number(std::string& key, std::string_view name, std::size_t at) {
    std::size_t end = append_version(key, name, at);
    if (end == at) end = append_scientific(key, name, at);
    if (end == at) {
        end = fraction_end(name, digits_end(name, at));
        append_number(key, name.substr(at, end - at));
    }
    return end;
}

}  // namespace

std::string natural_key(std::string_view name) {
    std::string key;
    key.reserve(2 * name.size() + 16);
    for (std::size_t at = 0; at < name.size();) {
        const char c = name[at];
        if (is_digit(c)) {
            at = append_any_number(key, name, at);
            continue;
        }
        key += c == '/' ? '\x01' : c == '_' || c == '-' || c == '.' || c == ' ' ? '\x02' : c;
        ++at;
    }
    key += '\0';
    key += name;
    return key;
}

std::vector<std::int64_t> natural_ranks(std::string_view packed, std::span<const std::uint64_t> ends) {
    std::vector<std::string> keys;
    keys.reserve(ends.size());
    std::uint64_t start = 0;
    for (const std::uint64_t end : ends) {
        keys.push_back(natural_key(packed.substr(start, end - start)));
        start = end;
    }
    std::vector<std::int64_t> order(ends.size()), ranks(ends.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return keys[a] < keys[b]; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = static_cast<std::int64_t>(rank);
    return ranks;
}

}  // namespace lightboard::kernels
