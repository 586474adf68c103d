// SPDX-License-Identifier: Apache-2.0
#include "domain/sign_domain.h"

#include "domain/boxes.h"

namespace agon::domain {
namespace {

class SignDomain final : public BoxDomain {
 public:
  using BoxDomain::BoxDomain;

 private:
  std::vector<Range> pieces(std::size_t i, const Range& range) const override {
    std::vector<Range> result;
    for (const Range& sign : choices(i)) {
      if (intersect(sign, range)) result.push_back(sign);
    }
    return result;
  }

  std::vector<Range> choices(std::size_t i) const override {
    const Range all = all_of(variable(i).sort());
    std::vector<Range> result;
    if (all.low < 0) result.push_back({all.low, -1});
    result.push_back({0, 0});
    if (all.high > 0) result.push_back({1, all.high});
    return result;
  }

  Range widen_range(std::size_t, const Range& a,
                    const Range& b) const override {
    return hull(a, b);
  }
};

}  // namespace

std::unique_ptr<Domain> make_sign_domain(const Setting& setting) {
  return std::make_unique<SignDomain>(setting);
}

}  // namespace agon::domain
