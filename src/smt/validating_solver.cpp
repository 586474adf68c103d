// SPDX-License-Identifier: Apache-2.0
#include "smt/validating_solver.h"

#include <algorithm>
#include <set>
#include <utility>

#include "smt/inspect.h"
#include "support/error.h"

namespace agon::smt {
namespace {

using term::Kind;
using term::Term;

class ValidatingSolver final : public Solver {
 public:
  explicit ValidatingSolver(std::unique_ptr<Solver> inner)
      : inner_(std::move(inner)) {}

  void push() override {
    frames_.push_back(formulas_.size());
    inner_->push();
  }
  void pop() override {
    AGON_ASSERT(!frames_.empty());
    formulas_.resize(frames_.back());
    frames_.pop_back();
    inner_->pop();
  }
  void add(Term formula) override {
    formulas_.push_back(formula);
    inner_->add(formula);
  }
  Answer check(std::span<const Term> assumptions) override {
    const Answer answer = inner_->check(assumptions);
    if (answer == Answer::Sat) validate_model(assumptions);
    if (answer == Answer::Unsat) validate_core(assumptions);
    return answer;
  }
  term::Assignment model() override { return model_; }
  std::vector<Term> core() override { return inner_->core(); }
  std::string reason() const override { return inner_->reason(); }
  void set_limits(const CheckLimits& limits) override {
    inner_->set_limits(limits);
  }
  void interrupt() override { inner_->interrupt(); }
  std::uint64_t spent() const override { return inner_->spent(); }
  std::size_t num_postponed() const override { return inner_->num_postponed(); }

 private:
  void validate_model(std::span<const Term> assumptions);
  void validate_core(std::span<const Term> assumptions);

  const std::unique_ptr<Solver> inner_;
  std::vector<Term> formulas_;
  std::vector<std::size_t> frames_;
  term::Assignment model_;
};

void ValidatingSolver::validate_model(std::span<const Term> assumptions) {
  model_ = inner_->model();
  std::vector<Term> roots = formulas_;
  roots.insert(roots.end(), assumptions.begin(), assumptions.end());
  for (const Term root : roots) {
    const bool holds_in_the_model = term::evaluate(root, model_).number == 1;
    AGON_ASSERT(holds_in_the_model);
  }
  std::set<std::pair<unsigned, term::Integer>> addresses;
  for (const Term leaf : leaves_of(roots)) {
    AGON_ASSERT(model_.contains(leaf));
    if (leaf.kind() != Kind::Address) continue;
    const term::Integer& number = model_.at(leaf).number;
    const bool address_is_its_own =
        number != 0 && addresses.emplace(leaf.width(), number).second;
    AGON_ASSERT(address_is_its_own);
  }
}

void ValidatingSolver::validate_core(std::span<const Term> assumptions) {
  auto next = assumptions.begin();
  for (const Term part : inner_->core()) {
    next = std::find(next, assumptions.end(), part);
    const bool core_is_of_assumptions_in_order = next != assumptions.end();
    AGON_ASSERT(core_is_of_assumptions_in_order);
    ++next;
  }
}

}  // namespace

std::unique_ptr<Solver> make_validating_solver(std::unique_ptr<Solver> inner) {
  return std::make_unique<ValidatingSolver>(std::move(inner));
}

}  // namespace agon::smt
