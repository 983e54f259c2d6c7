// Memory that a thread reuses for the next call. A board returns freed blocks to the system immediately
// (return_memory_early in bind_base.cpp), and getting new pages for a chart takes as long as computing it.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace lightboard::kernels {

// An array whose elements are uninitialized (they have old values). Arrays larger than kMostBytes are not reused.
template <class T>
class Spare {
  public:
    explicit Spare(std::size_t size) {
        if (!shelf().empty()) {
            values_ = std::move(shelf().back());
            shelf().pop_back();
        }
        values_.resize(size);
    }
    ~Spare() {
        constexpr std::size_t kMostBytes = 4 << 20, kMostKept = 4;
        if (values_.capacity() * sizeof(T) > kMostBytes || shelf().size() >= kMostKept) return;
        shelf().push_back(std::move(values_));
    }
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;

    std::vector<T>& operator*() { return values_; }
    const std::vector<T>& operator*() const { return values_; }
    std::vector<T>* operator->() { return &values_; }
    const std::vector<T>* operator->() const { return &values_; }

  private:
    static std::vector<std::vector<T>>& shelf() {
        static thread_local std::vector<std::vector<T>> kept;
        return kept;
    }

    std::vector<T> values_;
};

}  // namespace lightboard::kernels
