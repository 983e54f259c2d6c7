#include "projector/matrix_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/parallel.h"

namespace lightboard::projector {
namespace {

constexpr std::size_t kPieceBytes = 1 << 20;
constexpr std::size_t kShown = 40;  // characters of an invalid cell that the message shows

bool is_space(char letter) { return letter == ' ' || letter == '\r' || letter == '\t' || letter == '\f'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
    throw std::invalid_argument("line " + std::to_string(line) + ": " + what);
}

float number_of(std::string_view cell, std::size_t line) {
    std::string_view digits = trimmed(cell);
    if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc::result_out_of_range && stop == end) {
        // outside the range of a double: becomes an infinity or zero
        const bool tiny = digits.find("e-") != digits.npos || digits.find("E-") != digits.npos;
        const float large = digits.front() == '-' ? -HUGE_VALF : HUGE_VALF;
        return tiny ? 0.0F : large;
    }
    if (error != std::errc() || stop != end) {
        if (digits.empty()) refuse(line, "a cell is empty");
        const std::string shown(digits.substr(0, kShown));
        refuse(line, "`" + shown + (digits.size() > kShown ? "…" : "") + "` is no number");
    }
    return static_cast<float>(value);
}

// Parses one row and returns its number of cells.
std::size_t parse_line(std::string_view line, char separator, std::size_t number, std::vector<float>& cells) {
    std::size_t count = 0;
    for (;;) {
        const std::size_t end = line.find(separator);
        std::string_view cell = line.substr(0, end);
        if (separator == ' ' && cell.empty()) {  // several spaces are one separator
            if (end == line.npos) return count;
            line.remove_prefix(end + 1);
            continue;
        }
        cells.push_back(number_of(cell, number));
        ++count;
        if (end == line.npos) return count;
        line.remove_prefix(end + 1);
    }
}

std::string_view without_return(std::string_view line) {
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

// Calls see(line) for each line; the last one need not end with a newline.
template <class See>
void each_line(std::string_view text, See see) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        see(without_return(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::vector<std::string_view> pieces_of(std::string_view text) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        std::size_t end = text.size() <= kPieceBytes ? text.npos : text.find('\n', kPieceBytes);
        end = end == text.npos ? text.size() : end + 1;
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return pieces;
}

std::size_t columns_of(std::string_view text, char separator, std::size_t first_line) {
    std::size_t line = first_line;
    std::vector<float> cells;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view row = without_return(text.substr(0, end));
        if (!trimmed(row).empty()) return parse_line(row, separator, line, cells);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
    }
    return 0;
}

}  // namespace

Matrix parse_matrix(std::string_view text, char separator, std::size_t columns, std::size_t first_line) {
    Matrix whole;
    whole.columns = columns ? columns : columns_of(text, separator, first_line);
    const std::vector<std::string_view> pieces = pieces_of(text);
    std::vector<std::size_t> first(pieces.size() + 1, first_line);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto ends = static_cast<std::size_t>(std::count(pieces[i].begin(), pieces[i].end(), '\n'));
        first[i + 1] = first[i] + ends + (pieces[i].back() != '\n');
    }
    whole.lines = first.back() - first_line;
    std::vector<std::vector<float>> parts(pieces.size());
    // parsing a number takes as long as some dozens of points of a series: from a few megabytes on, use two threads
    kernels::in_parallel(pieces.size(), text.size(), [&](std::size_t at) {
        std::vector<float>& cells = parts[at];
        cells.reserve(pieces[at].size() / 6);
        std::size_t line = first[at];
        each_line(pieces[at], [&](std::string_view row) {
            if (!trimmed(row).empty()) {
                const std::size_t count = parse_line(row, separator, line, cells);
                if (count != whole.columns) {
                    refuse(line, std::to_string(count) + " numbers, " + std::to_string(whole.columns) +
                                     " in the lines before");
                }
            }
            ++line;
        });
    });
    std::size_t total = 0;
    for (const auto& part : parts) total += part.size();
    whole.cells.reserve(total);
    for (auto& part : parts) {
        whole.cells.insert(whole.cells.end(), part.begin(), part.end());
        part = {};
    }
    whole.rows = whole.columns ? total / whole.columns : 0;
    return whole;
}

}  // namespace lightboard::projector
