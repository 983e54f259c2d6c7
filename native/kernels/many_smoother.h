// Smooths the series of a bundle, several side by side where the formula allows it.
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

    // Smooths series [begin, begin + out.size()). `states` receives what block() needs; empty where block() cannot
    // work.
    void run(std::size_t begin, std::span<std::vector<double>> out, std::span<std::vector<double>> states = {}) const;

    // Computes kEmaBlock smoothed values of series `s` again.
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
