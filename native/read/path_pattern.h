// A shell pattern for the end of a path: `*.txt` matches the name alone, `plugins/*/x.*` also the two directories
// above. `*` and `?` do not match `/`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightboard {

class PathPattern {
  public:
    explicit PathPattern(std::string_view pattern);

    // `directory` contains `name` and is relative to the root; it ends with "/" unless it is empty.
    bool matches(std::string_view directory, std::string_view name) const {
        return matches_name(name) && (above_.empty() || matches_above(directory));
    }

    // The last character of every matching name; -1: any.
    int last_letter() const;

  private:
    // Common patterns have a fast path without fnmatch.
    enum class Shape : std::uint8_t { kExact, kBegins, kEnds, kContains, kOther };

    bool matches_name(std::string_view name) const;
    bool matches_above(std::string_view directory) const;

    Shape shape_;
    std::string name_;                // the pattern of the name
    std::string fixed_;               // the text of `name_` without `*`; unused for kOther
    std::vector<std::string> above_;  // patterns of the parent directories, the innermost first
};

// A list of patterns. A fast check of the last character rejects nearly every name.
class PathPatterns {
  public:
    explicit PathPatterns(const std::vector<std::string>& patterns);

    std::size_t size() const { return patterns_.size(); }

    // Index of the first pattern that matches; -1: none. `name` must not be empty.
    int first_match(std::string_view directory, std::string_view name) const {
        for (const std::uint16_t number : by_last_[static_cast<unsigned char>(name.back())])
            if (patterns_[number].matches(directory, name)) return number;
        return -1;
    }

  private:
    std::vector<PathPattern> patterns_;
    std::array<std::vector<std::uint16_t>, 256>
        by_last_;  // indices of the patterns that a name with this last character may match
};

}  // namespace lightboard
