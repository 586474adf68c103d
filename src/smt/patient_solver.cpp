// SPDX-License-Identifier: Apache-2.0
#include "smt/patient_solver.h"

#include <tsl/robin_set.h>

#include <atomic>
#include <utility>

#include "support/error.h"

namespace agon::smt {
namespace {

using term::Term;

class PatientSolver final : public Solver {
 public:
  PatientSolver(std::unique_ptr<Solver> inner, std::unique_ptr<Solver> afresh,
                const Patience& patience)
      : inner_(std::move(inner)),
        afresh_(std::move(afresh)),
        patience_(patience) {}

  void push() override {
    frames_.push_back(formulas_.size());
    inner_->push();
  }
  void pop() override {
    AGON_ASSERT(!frames_.empty());
    formulas_.resize(frames_.back());
    frames_.pop_back();
    inner_->pop();
    forget();
  }
  void add(Term formula) override {
    formulas_.push_back(formula);
    inner_->add(formula);
    forget();
  }
  Answer check(std::span<const Term> assumptions) override {
    forget();
    is_interrupted_ = false;
    if (is_limited_) return inner_->check(assumptions);
    const Answer first = ask(assumptions, patience_.first);
    if (!is_postponed_) return first;
    const Answer second = ask_afresh(assumptions);
    return second == Answer::Unknown && !is_interrupted_
               ? ask_longer(assumptions)
               : second;
  }
  term::Assignment model() override { return answered().model(); }
  std::vector<Term> core() override { return answered().core(); }
  std::string reason() const override { return answered().reason(); }
  void set_limits(const CheckLimits& limits) override {
    is_limited_ = limits.resources != 0 || limits.time.count() != 0;
    if (is_limited_) inner_->set_limits(limits);
  }
  void interrupt() override {
    is_interrupted_ = true;
    inner_->interrupt();
    afresh_->interrupt();
  }
  std::uint64_t spent() const override {
    return inner_->spent() + afresh_->spent();
  }
  std::size_t num_postponed() const override { return num_postponed_; }

 private:
  Solver& answered() const { return is_afresh_ ? *afresh_ : *inner_; }

  /// What was asked afresh is over.
  void forget() {
    if (is_afresh_) afresh_->pop();
    is_afresh_ = false;
  }

  /// Sets `is_postponed_` if it was the limit that kept it from an answer.
  Answer ask(std::span<const Term> assumptions, std::uint64_t limit) {
    const std::uint64_t before = inner_->spent();
    inner_->set_limits({limit, {}});
    const Answer answer = inner_->check(assumptions);
    is_postponed_ = answer == Answer::Unknown && !is_interrupted_ &&
                    inner_->spent() - before >= limit;
    return answer;
  }

  bool is_small(std::span<const Term> assumptions) const {
    std::vector<Term> open(formulas_);
    open.insert(open.end(), assumptions.begin(), assumptions.end());
    tsl::robin_set<Term> seen(open.begin(), open.end());
    while (!open.empty() && seen.size() <= patience_.largest) {
      const Term term = open.back();
      open.pop_back();
      for (const Term operand : term.operands()) {
        if (seen.insert(operand).second) open.push_back(operand);
      }
    }
    return seen.size() <= patience_.largest;
  }

  Answer ask_afresh(std::span<const Term> assumptions) {
    if (!is_small(assumptions)) return Answer::Unknown;
    is_afresh_ = true;
    afresh_->push();
    for (const Term formula : formulas_) afresh_->add(formula);
    afresh_->set_limits({patience_.afresh, {}});
    return afresh_->check(assumptions);
  }

  Answer ask_longer(std::span<const Term> assumptions) {
    forget();
    const Answer answer = ask(assumptions, patience_.last);
    if (is_postponed_) {
      patience_.last *= 2;
      ++num_postponed_;
    }
    return answer;
  }

  const std::unique_ptr<Solver> inner_;
  const std::unique_ptr<Solver> afresh_;
  Patience patience_;
  std::size_t num_postponed_ = 0;
  bool is_limited_ = false;  // By somebody else.
  bool is_afresh_ = false;   // The last answer.
  bool is_postponed_ = false;
  std::atomic<bool> is_interrupted_ = false;
  std::vector<Term> formulas_;
  std::vector<std::size_t> frames_;
};

}  // namespace

std::unique_ptr<Solver> make_patient_solver(std::unique_ptr<Solver> inner,
                                            std::unique_ptr<Solver> afresh,
                                            const Patience& patience) {
  return std::make_unique<PatientSolver>(std::move(inner), std::move(afresh),
                                         patience);
}

}  // namespace agon::smt
