// SPDX-License-Identifier: Apache-2.0
#include "smt/z3_solver.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <string_view>
#include <utility>

#include "smt/inspect.h"
#include "smt/z3_terms.h"
#include "support/big_stack.h"
#include "support/error.h"

namespace agon::smt {
namespace {

using term::Kind;
using term::Term;

// Z3 takes only literals as assumptions, so other formulas get a Boolean
// variable that is stated to be equivalent. That, and that addresses differ, is
// stated where it is first needed and again when pop() has taken it away.
//
// Z3 recurses over terms. Deep ones, such as the formula of a long path, would
// end in a crash, and get a stack that is large enough.
class Z3Solver final : public Solver {
 public:
  Z3Solver(const Z3Options& options, std::shared_ptr<Z3Terms> terms)
      : one_shot_(options.one_shot),
        terms_(std::move(terms)),
        context_(terms_->context()) {
    if (!one_shot_) start(Z3_mk_simple_solver(context_));
  }
  ~Z3Solver() override { stop(); }

  void push() override;
  void pop() override;
  void add(Term formula) override;
  Answer check(std::span<const Term> assumptions) override;
  term::Assignment model() override;
  std::vector<Term> core() override { return core_; }
  std::string reason() const override { return reason_; }
  void set_limits(const CheckLimits& limits) override;
  void interrupt() override;
  std::uint64_t spent() const override { return spent_; }

 private:
  /// How much had been asserted and stated before a push.
  struct Frame {
    std::size_t formulas;
    std::size_t addresses;
    std::size_t proxies;
    std::uint32_t depth;
    bool copies;
  };
  /// An assumption and the literal that stands for it.
  struct Assumed {
    Term term;
    Z3_ast literal;
  };

  Z3_solver tactic_solver();
  void start(Z3_solver solver);
  void stop();
  void restart(std::span<const Term> assumptions);
  void set_parameters();
  void set_checking(bool is_checking);
  static void with_stack(std::uint32_t depth,
                         const std::function<void()>& work);
  void assert_formula(Z3_ast formula, std::uint32_t depth = 0);
  void state_address(Term address);
  Z3_ast state_assumed_addresses(std::span<const Term> assumptions);
  Z3_ast literal(Term assumption);
  Answer interpret(Z3_lbool result, bool copies);
  std::uint32_t count() const;
  void read_core();

  const bool one_shot_;
  const std::shared_ptr<Z3Terms> terms_;
  const Z3_context context_;
  Z3_solver solver_ = nullptr;
  CheckLimits limits_;

  std::vector<Frame> frames_;
  std::vector<Term> formulas_;
  std::uint32_t depth_ = 0;  ///< Of the deepest term that was asserted.
  bool copies_ = false;      ///< Whether a copy occurs that Z3 does not see.
  std::vector<Term> addresses_;  ///< That are stated to differ.
  std::vector<Term> proxies_;    ///< That are stated to be equivalent.
  tsl::robin_set<Term> stated_;  ///< Both of them.

  std::vector<Assumed> assumed_;  ///< In the last check.
  std::vector<Term> core_;
  std::string reason_;
  std::uint64_t spent_ = 0;

  std::mutex interrupting_;
  bool is_checking_ = false;
  bool was_interrupted_ = false;  ///< The last check; perhaps at its very end.
  bool is_incomplete_ = false;    ///< Something could not be asserted.
};

Z3_solver Z3Solver::tactic_solver() {
  const Z3_tactic tactic = Z3_mk_tactic(context_, "default");
  Z3_tactic_inc_ref(context_, tactic);
  const Z3_solver solver = Z3_mk_solver_from_tactic(context_, tactic);
  Z3_tactic_dec_ref(context_, tactic);
  return solver;
}

void Z3Solver::start(Z3_solver solver) {
  stop();
  solver_ = solver;
  Z3_solver_inc_ref(context_, solver_);
  set_parameters();
}

void Z3Solver::stop() {
  if (solver_ != nullptr) Z3_solver_dec_ref(context_, solver_);
  solver_ = nullptr;
}

void Z3Solver::set_parameters() {
  const auto clamp = [](std::uint64_t value) {
    return static_cast<unsigned>(
        std::min<std::uint64_t>(value, std::numeric_limits<unsigned>::max()));
  };
  const Z3_params parameters = Z3_mk_params(context_);
  Z3_params_inc_ref(context_, parameters);
  const auto set = [&](const char* name, unsigned value) {
    Z3_params_set_uint(context_, parameters,
                       Z3_mk_string_symbol(context_, name), value);
  };
  if (!one_shot_) set("relevancy", 0);
  set("rlimit", clamp(limits_.resources));
  const auto time = static_cast<std::uint64_t>(limits_.time.count());
  set("timeout",
      time == 0 ? std::numeric_limits<unsigned>::max() : clamp(time));
  const auto enable = [&](const char* name, bool value) {
    Z3_params_set_bool(context_, parameters,
                       Z3_mk_string_symbol(context_, name), value);
  };
  enable("ctrl_c", false);  // It would keep the signal to itself.
  if (one_shot_) enable("unsat_core", true);
  Z3_solver_set_params(context_, solver_, parameters);
  Z3_params_dec_ref(context_, parameters);
}

void Z3Solver::set_limits(const CheckLimits& limits) {
  limits_ = limits;
  if (solver_ != nullptr) set_parameters();
}

void Z3Solver::push() {
  frames_.push_back(
      {formulas_.size(), addresses_.size(), proxies_.size(), depth_, copies_});
  if (!one_shot_) Z3_solver_push(context_, solver_);
}

void Z3Solver::pop() {
  AGON_ASSERT(!frames_.empty());
  const Frame frame = frames_.back();
  frames_.pop_back();
  formulas_.resize(frame.formulas);
  const auto forget = [this](std::vector<Term>& terms, std::size_t size) {
    for (; terms.size() > size; terms.pop_back()) stated_.erase(terms.back());
  };
  forget(addresses_, frame.addresses);
  forget(proxies_, frame.proxies);
  depth_ = frame.depth;
  copies_ = frame.copies;
  if (!one_shot_) Z3_solver_pop(context_, solver_, 1);
}

void Z3Solver::with_stack(std::uint32_t depth,
                          const std::function<void()>& work) {
  constexpr std::uint32_t kDeep = 2000;
  constexpr std::size_t kBytesPerLevel = 4096;
  if (depth < kDeep) {
    work();
  } else {
    support::run_with_stack((kDeep + depth) * kBytesPerLevel, work);
  }
}

void Z3Solver::assert_formula(Z3_ast formula, std::uint32_t depth) {
  with_stack(depth, [&] { Z3_solver_assert(context_, solver_, formula); });
  // An interrupt that came late ends this instead of the check.
  if (Z3_get_error_code(context_) != Z3_OK) is_incomplete_ = true;
}

void Z3Solver::interrupt() {
  const std::lock_guard lock(interrupting_);
  if (!is_checking_) return;
  Z3_interrupt(context_);
  was_interrupted_ = true;
}

void Z3Solver::set_checking(bool is_checking) {
  const std::lock_guard lock(interrupting_);
  is_checking_ = is_checking;
  if (is_checking) was_interrupted_ = false;
}

void Z3Solver::add(Term formula) {
  AGON_ASSERT(formula.sort().is_bool());
  formulas_.push_back(formula);
  const Z3_ast ast = terms_->translate(formula);
  const std::uint32_t depth = terms_->depth(formula);
  depth_ = std::max(depth_, depth);
  copies_ |= (terms_->features(formula) & Z3Terms::kCopy) != 0;
  if (one_shot_) return;
  for (const Term address : terms_->addresses(formula)) state_address(address);
  assert_formula(ast, depth);
}

void Z3Solver::state_address(Term address) {
  if (!stated_.insert(address).second) return;
  assert_formula(terms_->address_axiom(address, addresses_));
  addresses_.push_back(address);
}

// One-shot solvers preprocess, and prefer implications to equivalences.
Z3_ast Z3Solver::literal(Term assumption) {
  const bool negated = !one_shot_ && assumption.kind() == Kind::Not;
  const Term formula = negated ? assumption.operand(0) : assumption;
  const Z3_ast whole = terms_->translate(assumption);
  if (formula.kind() == Kind::Variable) return whole;
  const auto [positive, negative] = terms_->proxy(formula);
  if (stated_.insert(formula).second) {
    proxies_.push_back(formula);
    const Z3_ast meaning = terms_->translate(formula);
    assert_formula(one_shot_ ? Z3_mk_implies(context_, positive, meaning)
                             : Z3_mk_eq(context_, positive, meaning),
                   terms_->depth(formula));
    depth_ = std::max(depth_, terms_->depth(formula));
  }
  return negated ? negative : positive;
}

// Addresses that only an assumption mentions stay different until the next
// pop, which can be noticed only if there are too few numbers for all of them.
// Where that is possible, a literal keeps the statement to this check.
Z3_ast Z3Solver::state_assumed_addresses(std::span<const Term> assumptions) {
  constexpr unsigned kNarrow = 16;
  std::vector<Term> narrow;
  for (const Term assumption : assumptions) {
    for (const Term address : terms_->addresses(assumption)) {
      if (address.sort().is_int() || address.width() > kNarrow) {
        state_address(address);
      } else if (!stated_.contains(address)) {
        narrow.push_back(address);
      }
    }
  }
  if (narrow.empty()) return nullptr;
  const Z3_ast guard = terms_->fresh_boolean();
  const std::size_t stated = addresses_.size();
  for (const Term address : narrow) {
    if (std::find(addresses_.begin() + static_cast<std::ptrdiff_t>(stated),
                  addresses_.end(), address) != addresses_.end()) {
      continue;
    }
    assert_formula(Z3_mk_implies(context_, guard,
                                 terms_->address_axiom(address, addresses_)));
    addresses_.push_back(address);
  }
  addresses_.resize(stated);
  return guard;
}

/// A new solver with all that was asserted so far.
void Z3Solver::restart(std::span<const Term> assumptions) {
  const auto has_array = [this](Term term) {
    terms_->translate(term);
    return (terms_->features(term) & Z3Terms::kArray) != 0;
  };
  // Tactics alone give up on arrays that the simple solver can do.
  const bool arrays = std::ranges::any_of(formulas_, has_array) ||
                      std::ranges::any_of(assumptions, has_array);
  stated_.clear();
  addresses_.clear();
  proxies_.clear();
  start(arrays ? Z3_mk_solver(context_) : tactic_solver());
  for (const Term formula : formulas_) {
    for (const Term address : terms_->addresses(formula)) {
      state_address(address);
    }
    assert_formula(terms_->translate(formula), terms_->depth(formula));
  }
}

Answer Z3Solver::check(std::span<const Term> assumptions) {
  assumed_.clear();
  core_.clear();
  reason_.clear();
  if (one_shot_) restart(assumptions);
  bool copies = copies_;
  std::vector<Z3_ast> literals;
  for (const Term assumption : assumptions) {
    AGON_ASSERT(assumption.sort().is_bool());
    if (assumption.is_false()) {
      core_ = {assumption};
      return Answer::Unsat;
    }
    if (assumption.is_true()) continue;
    const Z3_ast literal = this->literal(assumption);
    copies |= (terms_->features(assumption) & Z3Terms::kCopy) != 0;
    assumed_.push_back({assumption, literal});
    literals.push_back(literal);
  }
  if (const Z3_ast guard = state_assumed_addresses(assumptions)) {
    literals.push_back(guard);
  }
  if (is_incomplete_) {
    reason_ = "interrupted";
    return Answer::Unknown;
  }
  Z3_lbool result = Z3_L_UNDEF;
  const std::uint32_t before = count();
  set_checking(true);
  with_stack(depth_, [&] {
    result = Z3_solver_check_assumptions(context_, solver_,
                                         static_cast<unsigned>(literals.size()),
                                         literals.data());
  });
  set_checking(false);
  spent_ += static_cast<std::uint32_t>(count() - before);
  return interpret(result, copies);
}

/// What all solvers on these terms have used, as far as 32 bits go.
std::uint32_t Z3Solver::count() const {
  const Z3_stats stats = Z3_solver_get_statistics(context_, solver_);
  Z3_stats_inc_ref(context_, stats);
  std::uint32_t result = 0;
  for (unsigned i = Z3_stats_size(context_, stats); i-- > 0;) {
    if (std::string_view(Z3_stats_get_key(context_, stats, i)) ==
        "rlimit count") {
      result = Z3_stats_get_uint_value(context_, stats, i);
    }
  }
  Z3_stats_dec_ref(context_, stats);
  return result;
}

Answer Z3Solver::interpret(Z3_lbool result, bool copies) {
  if (was_interrupted_) {  // Neither a model nor a core could be had now.
    reason_ = "interrupted";
    return Answer::Unknown;
  }
  const Z3_error_code error = Z3_get_error_code(context_);
  if (error != Z3_OK) {
    reason_ = Z3_get_error_msg(context_, error);
    return Answer::Unknown;
  }
  if (result == Z3_L_FALSE) {
    read_core();
    return Answer::Unsat;
  }
  if (result == Z3_L_UNDEF) {
    reason_ = Z3_solver_get_reason_unknown(context_, solver_);
    if (reason_ == "unknown" || reason_ == "canceled") {
      reason_ = "the limit of time or resources";
    }
    return Answer::Unknown;
  }
  if (copies) {
    reason_ = "a copy in memory that is long or whose length is not known";
    return Answer::Unknown;
  }
  return Answer::Sat;
}

void Z3Solver::read_core() {
  const Z3_ast_vector core = Z3_solver_get_unsat_core(context_, solver_);
  Z3_ast_vector_inc_ref(context_, core);
  tsl::robin_set<Z3_ast> literals;
  const unsigned size = Z3_ast_vector_size(context_, core);
  for (unsigned i = 0; i < size; ++i) {
    literals.insert(Z3_ast_vector_get(context_, core, i));
  }
  Z3_ast_vector_dec_ref(context_, core);
  for (const auto& [assumption, literal] : assumed_) {
    if (literals.erase(literal) > 0) core_.push_back(assumption);
  }
}

term::Assignment Z3Solver::model() {
  const Z3_model model = Z3_solver_get_model(context_, solver_);
  AGON_ASSERT(model != nullptr);
  Z3_model_inc_ref(context_, model);
  term::Assignment values;
  std::vector<Term> roots = formulas_;
  for (const Assumed& assumed : assumed_) roots.push_back(assumed.term);
  for (const Term leaf : leaves_of(roots)) {
    values.emplace(leaf, terms_->value(model, leaf));
  }
  Z3_model_dec_ref(context_, model);
  return values;
}

}  // namespace

std::shared_ptr<Z3Terms> make_z3_terms() { return std::make_shared<Z3Terms>(); }

std::unique_ptr<Solver> make_z3_solver(const Z3Options& options,
                                       std::shared_ptr<Z3Terms> terms) {
  if (terms == nullptr) terms = make_z3_terms();
  return std::make_unique<Z3Solver>(options, std::move(terms));
}

}  // namespace agon::smt
