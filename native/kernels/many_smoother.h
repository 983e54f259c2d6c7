// Smooths the series of a bundle, several at once if the formula allows it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/bundle.h"

namespace lightboard::kernels {

class ManySmoother {
  public:
    ManySmoother(std::span<const Placed> series, const Smoother& how);

    bool enabled() const { return how_.kind != Smoother::Kind::kNone; }

    // Smooths series [begin, begin + out.size()). `states` receives the data that block() needs; it is empty if block()
    // cannot be used.
    void run(std::size_t begin, std::span<std::vector<double>> out, std::span<std::vector<double>> states = {}) const;

    // Recomputes kEmaBlock smoothed values of series `s`.
    void block(std::size_t s, std::span<const double> states, std::size_t block, std::span<double> out) const;

  private:
    template <class Y>
    void lanes(std::span<const Placed> mine, std::span<std::vector<double>> out,
               std::span<std::vector<double>> states) const;

    std::span<const Placed> series_;
    const Smoother& how_;
    std::vector<double> divisors_;
};

}  // namespace lightboard::kernels
