// The points of the current file, collected by tag until they are written as chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "read/columns.h"
#include "read/names.h"

namespace lightboard {

// Initial capacity of a tag's columns; small, because there may be a million tags with one point each.
inline constexpr std::size_t kFirstPoints = 2;

// The growing columns of one tag.
class Columns {
  public:
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * (16 + width_); }
    const std::int64_t* steps() const { return steps_.get(); }
    const double* walls() const { return walls_.get(); }
    template <class T>
    const T* values() const {
        return reinterpret_cast<const T*>(values_.get());
    }

    void clear() { n_ = 0; }

    template <class T>
    void push(std::int64_t step, double wall, T value) {
        if (n_ == capacity_ || sizeof(T) != width_) grow(sizeof(T));
        steps_[n_] = step;
        walls_[n_] = wall;
        reinterpret_cast<T*>(values_.get())[n_] = value;
        ++n_;
    }

  private:
    // The width changes only while there are no points.
    void grow(std::size_t width) {
        const std::size_t capacity = n_ == capacity_ ? std::max(kFirstPoints, 2 * capacity_) : capacity_;
        resize(steps_, n_ * 8, capacity * 8);
        resize(walls_, n_ * 8, capacity * 8);
        resize(values_, n_ * width_, capacity * width);
        capacity_ = capacity;
        width_ = width;
    }

    template <class T>
    static void resize(std::unique_ptr<T[]>& column, std::size_t used, std::size_t bytes) {
        std::unique_ptr<T[]> grown(new T[(bytes + sizeof(T) - 1) / sizeof(T)]);
        if (used) std::memcpy(grown.get(), column.get(), used);
        column = std::move(grown);
    }

    std::unique_ptr<std::int64_t[]> steps_;
    std::unique_ptr<double[]> walls_;
    std::unique_ptr<std::uint64_t[]> values_;
    std::size_t n_ = 0, capacity_ = 0, width_ = 0;
};

struct Slot {
    std::string_view name;
    std::uint32_t tag = 0;        // number within the part
    std::uint32_t following = 0;  // slot of the value that came next last time; tried first
    std::int32_t metadata = -1;
    std::uint32_t max_count = 0;
    Kind kind = Kind::kUntyped;
    Kind prompt = Kind::kUntyped;  // the kind if the first value determined it, else untyped
    Column column = Column::kF32;
    bool seen = false;   // the kind is known, from a value or from the task
    bool tried = false;  // decide_kind was called with a value
    Columns columns;
};

// The slots of the current file, found by tag. Slots and their columns are reused for the next file.
class Slots {
  public:
    void start_file(Names* tags) {
        tags_ = tags;
        used_ = 0;
        last_ = 0;
        table_.clear();
    }

    // Writers log their tags in the same order each time, so the slot that followed last time is nearly always right.
    Slot& of(std::string_view tag) {
        if (used_) {
            const std::uint32_t guess = slots_[last_].following;
            if (guess < used_ && slots_[guess].name == tag) return slots_[last_ = guess];
        }
        const std::uint32_t found = find(tag);
        if (last_ < used_) slots_[last_].following = found;
        return slots_[last_ = found];
    }

    std::span<Slot> used() { return {slots_.data(), used_}; }

  private:
    std::uint32_t find(std::string_view tag) {
        const auto found = table_.find(tag, [this](std::uint32_t slot) { return slots_[slot].name; });
        return found ? *found : add(tag);
    }

    std::uint32_t add(std::string_view tag) {
        if (used_ == slots_.size()) slots_.emplace_back();
        Slot& slot = slots_[used_];
        slot.tag = tags_->number(tag);
        slot.name = (*tags_)[slot.tag];
        slot.following = 0;
        slot.metadata = -1;
        slot.max_count = 0;
        slot.kind = slot.prompt = Kind::kUntyped;
        slot.seen = slot.tried = false;
        slot.columns.clear();
        table_.add(slot.name, used_);
        return used_++;
    }

    Names* tags_ = nullptr;
    std::vector<Slot> slots_;
    std::uint32_t used_ = 0, last_ = 0;
    NumberTable table_;
};

}  // namespace lightboard
