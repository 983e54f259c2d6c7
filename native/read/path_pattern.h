// A shell pattern for the last parts of a path: `*.txt` speaks of the name alone, `plugins/*/x.*` of the two
// directories above as well. `*` and `?` do not match `/`.
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

    // `directory` is where `name` lies, relative to the root; it ends with "/" unless it is empty.
    bool matches(std::string_view directory, std::string_view name) const {
        return matches_name(name) && (above_.empty() || matches_above(directory));
    }

    // The letter that every name it matches ends with; -1: any.
    int last_letter() const;

  private:
    // Names are compared with every pattern, so the usual shapes do without fnmatch.
    enum class Shape : std::uint8_t { kExact, kBegins, kEnds, kContains, kOther };

    bool matches_name(std::string_view name) const;
    bool matches_above(std::string_view directory) const;

    Shape shape_;
    std::string name_;                // the pattern of the name
    std::string fixed_;               // the part of it that has no `*`, unless it has another shape
    std::vector<std::string> above_;  // patterns of the directories above, the nearest first
};

// Many patterns in order. Nearly every name is refused by its last letter.
class PathPatterns {
  public:
    explicit PathPatterns(const std::vector<std::string>& patterns);

    std::size_t size() const { return patterns_.size(); }

    // Which of the patterns matches first; -1: none. `name` is not empty.
    int first_match(std::string_view directory, std::string_view name) const {
        for (const std::uint16_t number : by_last_[static_cast<unsigned char>(name.back())])
            if (patterns_[number].matches(directory, name)) return number;
        return -1;
    }

  private:
    std::vector<PathPattern> patterns_;
    std::array<std::vector<std::uint16_t>, 256> by_last_;  // numbers of patterns that a name with this end may match
};

}  // namespace lightboard
