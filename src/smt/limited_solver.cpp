// SPDX-License-Identifier: Apache-2.0
#include "smt/limited_solver.h"

#include <utility>

namespace agon::smt {
namespace {

class LimitedSolver final : public Solver {
 public:
  LimitedSolver(std::unique_ptr<Solver> inner, support::Context& context)
      : inner_(std::move(inner)), context_(context) {}

  void push() override { inner_->push(); }
  void pop() override { inner_->pop(); }
  void add(term::Term formula) override { inner_->add(formula); }
  Answer check(std::span<const term::Term> assumptions) override {
    is_late_ = context_.exhausted().has_value();
    return is_late_ ? Answer::Unknown : inner_->check(assumptions);
  }
  term::Assignment model() override { return inner_->model(); }
  std::vector<term::Term> core() override { return inner_->core(); }
  std::string reason() const override {
    return is_late_ ? *context_.exhausted() : inner_->reason();
  }
  void set_limits(const CheckLimits& limits) override {
    inner_->set_limits(limits);
  }
  void interrupt() override { inner_->interrupt(); }
  std::uint64_t spent() const override { return inner_->spent(); }
  std::size_t num_postponed() const override { return inner_->num_postponed(); }

 private:
  const std::unique_ptr<Solver> inner_;
  support::Context& context_;
  bool is_late_ = false;  // The last check.
};

}  // namespace

std::unique_ptr<Solver> make_limited_solver(std::unique_ptr<Solver> inner,
                                            support::Context& context) {
  return std::make_unique<LimitedSolver>(std::move(inner), context);
}

}  // namespace agon::smt
