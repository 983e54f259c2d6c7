#include "kernels/row_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lightboard::kernels {

namespace {

// The longest double is -2.2250738585072014e-308, the longest integer -9223372036854775808; two more for ".0".
constexpr std::size_t kNumberChars = 32;

char* write(char* at, std::string_view text) { return std::copy(text.begin(), text.end(), at); }

char* write(char* at, std::int64_t number) { return std::to_chars(at, at + kNumberChars, number).ptr; }

char* write(char* at, double number, const RowForm& form) {
    if (std::isnan(number)) return write(at, form.nan);
    if (std::isinf(number)) return write(at, number > 0 ? form.infinity : form.minus_infinity);
    const double size = std::abs(number);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    char* const end = std::to_chars(at, at + kNumberChars, number, format).ptr;
    return plain && std::find(at, end, '.') == end ? write(end, std::string_view(".0")) : end;
}

}  // namespace

template <class Y>
std::string row_text(std::span<const double> wall_times, std::span<const std::int64_t> steps, std::span<const Y> values,
                     const RowForm& form) {
    const std::size_t word =
        std::max({kNumberChars, form.nan.size(), form.infinity.size(), form.minus_infinity.size()});
    const std::size_t fixed =
        form.heads[0].size() + form.heads[1].size() + form.heads[2].size() + form.tail.size() + form.glue.size();
    const std::size_t longest = fixed + 3 * word;
    std::string out;
    std::size_t used = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (out.size() - used < longest) {
            // most rows are half as long as the longest; unused space is freed at the end
            out.resize(out.size() + std::max(longest, (steps.size() - i) * (fixed + word)));
        }
        char* at = out.data() + used;
        if (i) at = write(at, form.glue);
        at = write(write(at, form.heads[0]), wall_times[i], form);
        at = write(write(at, form.heads[1]), steps[i]);
        at = write(write(at, form.heads[2]), static_cast<double>(values[i]), form);
        used = static_cast<std::size_t>(write(at, form.tail) - out.data());
    }
    out.resize(used);
    return out;
}

namespace {

char* write_json(char* at, double number) {
    static constexpr RowForm kWords{{}, {}, {}, "\"NaN\"", "\"Infinity\"", "\"-Infinity\""};
    return write(at, number, kWords);
}

char* write_json(char* at, std::int64_t number) {
    constexpr std::int64_t kSafe = (std::int64_t{1} << 53) - 1;
    if (number >= -kSafe && number <= kSafe) return write(at, number);
    *at++ = '"';
    at = write(at, number);
    *at++ = '"';
    return at;
}

}  // namespace

template <class T>
std::string column_text(std::span<const T> values, std::span<const std::uint8_t> present) {
    std::string out;
    out.resize(2 + values.size() * (kNumberChars + 1));  // unused space is freed at the end
    char* at = out.data();
    *at++ = '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i) *at++ = ',';
        at = present.empty() || present[i] ? write_json(at, values[i]) : write(at, std::string_view("null"));
    }
    *at++ = ']';
    out.resize(static_cast<std::size_t>(at - out.data()));
    return out;
}

template std::string column_text(std::span<const double>, std::span<const std::uint8_t>);
template std::string column_text(std::span<const std::int64_t>, std::span<const std::uint8_t>);
template std::string row_text<float>(std::span<const double>, std::span<const std::int64_t>, std::span<const float>,
                                     const RowForm&);
template std::string row_text<double>(std::span<const double>, std::span<const std::int64_t>, std::span<const double>,
                                      const RowForm&);

}  // namespace lightboard::kernels
