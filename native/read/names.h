// Interned strings: each text is stored once, numbered in the order of first use.
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

// A hash table from text to number, with open addressing. The owner stores the texts; `text_of(number)` returns one.
class NumberTable {
  public:
    // Keeps the memory for the next file, unless it is unusually large.
    void clear() {
        places_.assign(places_.size() > kKept ? 0 : places_.size(), {});
        used_ = 0;
    }

    template <class TextOf>
    std::optional<std::uint32_t> find(std::string_view text, TextOf text_of) const {
        if (!used_) return std::nullopt;
        const std::uint32_t hash = hash_of(text);
        for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Place& place = places_[at];
            if (!place.number) return std::nullopt;
            if (place.hash == hash && text_of(place.number - 1) == text) return place.number - 1;
        }
    }

    // `text` must not be in the table yet.
    void add(std::string_view text, std::uint32_t number) {
        if (2 * (used_ + 1) > places_.size()) grow();
        put({number + 1, hash_of(text)});
        ++used_;
    }

  private:
    struct Place {
        std::uint32_t number = 0;  // number + 1; 0: free
        std::uint32_t hash = 0;    // most other texts differ in it and need no comparison
    };
    static constexpr std::size_t kKept = 4096;

    // Numbers have 32 bits, so 32 bits of the hash are enough.
    static std::uint32_t hash_of(std::string_view text) {
        return static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
    }

    std::size_t mask() const { return places_.size() - 1; }

    void put(Place place) {
        std::size_t at = place.hash & mask();
        while (places_[at].number) at = (at + 1) & mask();
        places_[at] = place;
    }

    void grow() {
        std::vector<Place> former(std::max<std::size_t>(16, 2 * places_.size()));
        former.swap(places_);
        for (const Place& place : former)
            if (place.number) put(place);
    }

    std::vector<Place> places_;  // the size is a power of two
    std::size_t used_ = 0;
};

class Names {
  public:
    Names() = default;
    // Moving keeps the addresses of the strings, so views of them stay valid.
    Names(Names&&) = default;
    Names& operator=(Names&&) = default;

    std::uint32_t number(std::string_view name) {
        if (const auto known = find(name)) return *known;
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.emplace_back(name);
        table_.add(name, number);
        return number;
    }
    std::optional<std::uint32_t> find(std::string_view name) const {
        return table_.find(name, [this](std::uint32_t number) -> std::string_view { return names_[number]; });
    }
    std::string_view operator[](std::uint32_t number) const { return names_[number]; }
    std::size_t size() const { return names_.size(); }
    const std::deque<std::string>& all() const { return names_; }

    // Moves all texts out, in the order of their numbers.
    std::vector<std::string> take() && {
        std::vector<std::string> texts(std::make_move_iterator(names_.begin()), std::make_move_iterator(names_.end()));
        *this = {};
        return texts;
    }

  private:
    std::deque<std::string> names_;  // does not move its strings
    NumberTable table_;
};

}  // namespace lightboard
