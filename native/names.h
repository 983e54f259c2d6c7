// Texts met while reading, each once, numbered in the order they were met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightboard {

class Names {
  public:
    Names() = default;
    // A move keeps the strings in place, for those who hold views of them.
    Names(Names&&) = default;
    Names& operator=(Names&&) = default;

    std::uint32_t number(std::string_view name) {
        if (2 * (names_.size() + 1) > table_.size()) grow();
        std::uint32_t& place = table_[place_of(name)];
        if (!place) {
            names_.emplace_back(name);
            place = static_cast<std::uint32_t>(names_.size());
        }
        return place - 1;
    }
    std::optional<std::uint32_t> find(std::string_view name) const {
        const std::uint32_t place = table_.empty() ? 0 : table_[place_of(name)];
        return place ? std::optional(place - 1) : std::nullopt;
    }
    std::string_view operator[](std::uint32_t number) const { return names_[number]; }
    std::size_t size() const { return names_.size(); }
    const std::deque<std::string>& all() const { return names_; }

    // All texts in order; nothing is left here.
    std::vector<std::string> take() && {
        std::vector<std::string> texts(std::make_move_iterator(names_.begin()), std::make_move_iterator(names_.end()));
        *this = {};
        return texts;
    }

  private:
    // Where a text is in the table, or where it would be.
    std::size_t place_of(std::string_view name) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t at = std::hash<std::string_view>{}(name)&mask;
        while (table_[at] && names_[table_[at] - 1] != name) at = (at + 1) & mask;
        return at;
    }

    void grow() {
        table_.assign(std::max<std::size_t>(16, 2 * table_.size()), 0);
        for (std::uint32_t number = 0; number < names_.size(); ++number) table_[place_of(names_[number])] = number + 1;
    }

    std::deque<std::string> names_;     // does not move its strings
    std::vector<std::uint32_t> table_;  // number + 1 by hash, 0 is free
};

}  // namespace lightboard
