// SPDX-License-Identifier: Apache-2.0
#include "domain/product.h"

#include <set>
#include <utility>

namespace agon::domain {
namespace {

using term::Term;

class Product final : public Domain {
 public:
  Product(std::vector<std::unique_ptr<Domain>> parts, term::Pool& pool)
      : parts_(std::move(parts)), pool_(pool), first_{0} {
    for (const auto& part : parts_) {
      first_.push_back(first_.back() + part->top().size());
    }
  }

  Value top() const override {
    return together([](const Domain& part, std::size_t) { return part.top(); });
  }

  std::vector<Value> post(const Value& value,
                          const ir::Assign& assign) override {
    return combine([&](Domain& part, std::size_t i) {
      return part.post(slice(value, i), assign);
    });
  }

  std::vector<Value> post(const Value& value, const ir::Havoc& havoc) override {
    return combine([&](Domain& part, std::size_t i) {
      return part.post(slice(value, i), havoc);
    });
  }

  std::vector<Value> filter(const Value& value, Term condition) override {
    return combine([&](Domain& part, std::size_t i) {
      return part.filter(slice(value, i), condition);
    });
  }

  bool is_below(const Value& a, const Value& b) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i]->is_below(slice(a, i), slice(b, i))) return false;
    }
    return true;
  }

  Value join(const Value& a, const Value& b) const override {
    return together([&](const Domain& part, std::size_t i) {
      return part.join(slice(a, i), slice(b, i));
    });
  }

  // Not reduced: what a part gains from others it could lose again forever.
  Value widen(const Value& a, const Value& b) const override {
    return together([&](const Domain& part, std::size_t i) {
      return part.widen(slice(a, i), slice(b, i));
    });
  }

  Value situation(const Value& value) const override {
    return together([&](const Domain& part, std::size_t i) {
      return part.situation(slice(value, i));
    });
  }

  Value keep(const Value& value, const Keep& is_kept) const override {
    return together([&](const Domain& part, std::size_t i) {
      return part.keep(slice(value, i), is_kept);
    });
  }

  Term concretise(const Value& value) const override {
    std::vector<Term> formulas;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      formulas.push_back(parts_[i]->concretise(slice(value, i)));
    }
    return pool_.conjunction(formulas);
  }

 private:
  Value slice(const Value& value, std::size_t i) const {
    return Value(value.begin() + static_cast<std::ptrdiff_t>(first_[i]),
                 value.begin() + static_cast<std::ptrdiff_t>(first_[i + 1]));
  }

  template <class Operation>
  Value together(const Operation& operation) const {
    Value result;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Value part = operation(*parts_[i], i);
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }

  /// All combinations of what the parts say, as far as they fit together.
  template <class Operation>
  std::vector<Value> combine(const Operation& operation) {
    std::vector<Value> result{{}};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::vector<Value> next = operation(*parts_[i], i);
      if (next.size() * result.size() > kMostValues) next = {join_all(i, next)};
      std::vector<Value> longer;
      for (const Value& left : result) {
        for (const Value& right : next) {
          longer.push_back(left);
          longer.back().insert(longer.back().end(), right.begin(), right.end());
        }
      }
      result = std::move(longer);
    }
    std::set<Value> reduced;
    for (const Value& value : result) {
      if (const auto less = reduce(value)) reduced.insert(*less);
    }
    return {reduced.begin(), reduced.end()};
  }

  Value join_all(std::size_t i, const std::vector<Value>& values) const {
    Value result = values.front();
    for (const Value& value : values) result = parts_[i]->join(result, value);
    return result;
  }

  std::optional<Value> reduce(Value value) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t j = 0; j < parts_.size(); ++j) {
        if (i == j) continue;
        const auto less = parts_[i]->restrict(
            slice(value, i), parts_[j]->concretise(slice(value, j)));
        if (!less) return std::nullopt;
        std::copy(less->begin(), less->end(),
                  value.begin() + static_cast<std::ptrdiff_t>(first_[i]));
      }
    }
    return value;
  }

  static constexpr std::size_t kMostValues = 64;

  std::vector<std::unique_ptr<Domain>> parts_;
  term::Pool& pool_;
  std::vector<std::size_t> first_;  // Word of each part, and the end.
};

}  // namespace

std::unique_ptr<Domain> make_product(std::vector<std::unique_ptr<Domain>> parts,
                                     term::Pool& pool) {
  return std::make_unique<Product>(std::move(parts), pool);
}

}  // namespace agon::domain
