// SPDX-License-Identifier: Apache-2.0
#include "smt/process_solver.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "smt/child_process.h"
#include "smt/inspect.h"
#include "smt/smtlib_encoder.h"
#include "support/error.h"
#include "support/source.h"
#include "term/smtlib.h"

namespace agon::smt {
namespace {

using std::chrono::steady_clock;
using term::Kind;
using term::Term;

// Commands are collected and sent with the next check. The solver says nothing
// before that, so one question is always followed by one answer; before each it
// has to repeat a word, so that what it said unasked is no answer. A check puts
// its assumptions on the stack as implications, and the model and the core are
// read at once: later, the child may be dead.
class ProcessSolver final : public Solver {
 public:
  ProcessSolver(term::Pool& pool, ProcessOptions options)
      : options_(std::move(options)), pool_(pool), encoder_(pool) {}

  void push() override;
  void pop() override;
  void add(Term formula) override;
  Answer check(std::span<const Term> assumptions) override;
  term::Assignment model() override { return model_; }
  std::vector<Term> core() override { return core_; }
  std::string reason() const override { return reason_; }
  void set_limits(const CheckLimits& limits) override;
  void interrupt() override { child_.interrupt(); }

 private:
  struct Frame {
    std::size_t formulas;
    std::size_t addresses;
    bool exact;
  };

  void start();
  void declare(Term variable);
  void state_address(Term address);
  /// Declares and states what a formula needs. Its text.
  std::string introduce(Term formula);
  void write_formula(Term formula);
  void write_question(std::span<const Term> assumptions);
  Answer ask(std::span<const Term> assumptions);
  Answer give_up(const std::string& why);
  bool read_model(std::span<const Term> assumptions);
  term::Value read_value(const support::Source& source, std::size_t& offset,
                         Term leaf);
  bool read_core(std::span<const Term> assumptions);
  void read_reason();
  std::optional<std::string> exchange(const std::string& text);
  std::string word_of_question() const {
    return "agon.question." + std::to_string(questions_);
  }

  const ProcessOptions options_;
  term::Pool& pool_;
  SmtlibEncoder encoder_;
  ChildProcess child_;
  CheckLimits limits_;
  std::chrono::milliseconds started_with_{0};  ///< Limit of time of the child.
  steady_clock::time_point deadline_;

  std::vector<Frame> frames_;
  std::vector<Term> formulas_;
  bool exact_ = true;            ///< Whether the solver sees all there is.
  std::vector<Term> addresses_;  ///< That are stated to differ.
  std::string text_;             ///< Commands that are not sent yet.
  tsl::robin_set<Term> declared_;
  std::size_t literals_ = 0;  ///< Declared to stand for assumptions.
  std::size_t questions_ = 0;

  term::Assignment model_;
  std::vector<Term> core_;
  std::string reason_;
};

/// Of what the solver said, in a message.
constexpr std::size_t kMostQuoted = 200;

/// Steps over a piece of the solver's answer.
void expect(const support::Source& source, std::size_t& offset,
            std::string_view piece) {
  const std::string_view text = source.text();
  offset = std::min(text.find_first_not_of(" \n\t\r", offset), text.size());
  if (!text.substr(offset).starts_with(piece)) {
    source.fail(offset, "unexpected text");
  }
  offset += piece.size();
}

std::string literal_name(std::size_t i) {
  return "agon.assume." + std::to_string(i);
}

void ProcessSolver::push() {
  frames_.push_back({formulas_.size(), addresses_.size(), exact_});
  text_ += "(push 1)\n";
}

void ProcessSolver::pop() {
  AGON_ASSERT(!frames_.empty());
  formulas_.resize(frames_.back().formulas);
  addresses_.resize(frames_.back().addresses);
  exact_ = frames_.back().exact;
  frames_.pop_back();
  text_ += "(pop 1)\n";
}

void ProcessSolver::add(Term formula) {
  AGON_ASSERT(formula.sort().is_bool());
  formulas_.push_back(formula);
  write_formula(formula);
}

void ProcessSolver::declare(Term variable) {
  if (declared_.insert(variable).second) text_ += term::declarations(variable);
}

void ProcessSolver::state_address(Term address) {
  if (std::ranges::find(addresses_, address) != addresses_.end()) return;
  const Term it = encoder_.name(address);
  const auto differs = [&](Term other) {
    text_ += "(assert (not (= " + term::to_smtlib(it) + " " +
             term::to_smtlib(other) + ")))\n";
  };
  differs(address.sort().is_int() ? pool_.integer(0)
                                  : pool_.bits(0, address.width()));
  for (const Term other : addresses_) {
    if (other.sort() == address.sort()) differs(encoder_.name(other));
  }
  addresses_.push_back(address);
}

std::string ProcessSolver::introduce(Term formula) {
  const auto [encoded, exact] = encoder_.encode(formula);
  exact_ &= exact;
  const std::vector<Term> leaves = leaves_of({&formula, 1});
  for (const Term leaf : leaves) declare(encoder_.name(leaf));
  for (const Term name : leaves_of({&encoded, 1})) declare(name);
  for (const Term leaf : leaves) {
    if (leaf.kind() == Kind::Address) state_address(leaf);
  }
  return term::to_smtlib(encoded);
}

void ProcessSolver::write_formula(Term formula) {
  const std::string text = introduce(formula);
  text_ += "(assert " + text + ")\n";
}

void ProcessSolver::start() {
  child_.stop();
  std::vector<std::string> command = options_.command;
  started_with_ = std::max(options_.patience, limits_.time);
  if (!options_.time_option.empty()) {
    command.push_back(options_.time_option +
                      std::to_string(started_with_.count()));
  }
  if (!options_.resource_option.empty() && limits_.resources != 0) {
    command.push_back(options_.resource_option +
                      std::to_string(limits_.resources));
  }
  declared_.clear();
  literals_ = 0;
  addresses_.clear();
  text_ =
      "(set-option :produce-models true)\n"
      "(set-option :produce-unsat-assumptions true)\n"
      "(set-option :global-declarations true)\n"
      "(set-logic ALL)\n";
  std::size_t next = 0;
  const auto write_until = [&](std::size_t end) {
    for (; next < end; ++next) write_formula(formulas_[next]);
  };
  for (Frame& frame : frames_) {
    write_until(frame.formulas);
    frame.addresses = addresses_.size();
    text_ += "(push 1)\n";
  }
  write_until(formulas_.size());
  child_.start(command);
}

void ProcessSolver::set_limits(const CheckLimits& limits) {
  if (limits.resources != limits_.resources || limits.time > started_with_) {
    child_.stop();
  }
  limits_ = limits;
}

Answer ProcessSolver::give_up(const std::string& why) {
  child_.stop();
  reason_ = options_.command.front() + ": " + why;
  return Answer::Unknown;
}

std::optional<std::string> ProcessSolver::exchange(const std::string& text) {
  if (!child_.write(text, deadline_)) return std::nullopt;
  return child_.read(deadline_);
}

Answer ProcessSolver::check(std::span<const Term> assumptions) {
  model_.clear();
  core_.clear();
  reason_.clear();
  for (const Term assumption : assumptions) {
    AGON_ASSERT(assumption.sort().is_bool());
    if (!assumption.is_false()) continue;
    core_ = {assumption};
    return Answer::Unsat;
  }
  const auto time =
      limits_.time.count() == 0 ? options_.patience : limits_.time;
  deadline_ = steady_clock::now() + time;
  if (!child_.running()) start();
  if (!child_.running()) return give_up(child_.failure());
  return ask(assumptions);
}

void ProcessSolver::write_question(std::span<const Term> assumptions) {
  push();
  std::string literals;
  for (std::size_t i = 0; i < assumptions.size(); ++i) {
    const std::string name = literal_name(i);
    if (i == literals_) {
      text_ += "(declare-const " + name + " Bool)\n";
      ++literals_;
    }
    const std::string text = introduce(assumptions[i]);
    text_ += "(assert (=> " + name + " " + text + "))\n";
    literals += (i == 0 ? "" : " ") + name;
  }
  text_ += "(echo \"" + word_of_question() + "\")\n";
  text_ += assumptions.empty() ? "(check-sat)\n"
                               : "(check-sat-assuming (" + literals + "))\n";
}

Answer ProcessSolver::ask(std::span<const Term> assumptions) {
  ++questions_;
  write_question(assumptions);
  const bool exact = exact_;
  std::optional<std::string> answer =
      exchange(std::exchange(text_, std::string()));
  pop();
  // Some repeat the quotes, too.
  if (answer == word_of_question() ||
      answer == '"' + word_of_question() + '"') {
    answer = child_.read(deadline_);
  } else if (answer) {
    return give_up("said " + answer->substr(0, kMostQuoted));
  }
  if (!answer) return give_up(child_.failure());
  if (*answer == "sat") {
    if (!exact) {
      reason_ = "arrays that the solver does not see";
      return Answer::Unknown;
    }
    return read_model(assumptions) ? Answer::Sat : Answer::Unknown;
  }
  if (*answer == "unsat") {
    return read_core(assumptions) ? Answer::Unsat : Answer::Unknown;
  }
  if (*answer != "unknown")
    return give_up("said " + answer->substr(0, kMostQuoted));
  read_reason();
  return Answer::Unknown;
}

// ((x #x00) (y 3)), where we know the names.
bool ProcessSolver::read_model(std::span<const Term> assumptions) {
  std::vector<Term> roots = formulas_;
  roots.insert(roots.end(), assumptions.begin(), assumptions.end());
  const std::vector<Term> leaves = leaves_of(roots);
  if (leaves.empty()) return true;
  std::string question = "(get-value (";
  for (const Term leaf : leaves) {
    question += term::to_smtlib(encoder_.name(leaf)) + " ";
  }
  const std::optional<std::string> answer = exchange(question + "))\n");
  if (!answer) {
    give_up(child_.failure());
    return false;
  }
  try {
    const auto source = support::Source::from_string("the model", *answer);
    std::size_t offset = 0;
    expect(source, offset, "(");
    for (const Term leaf : leaves) {
      expect(source, offset, "(");
      expect(source, offset, term::to_smtlib(encoder_.name(leaf)));
      model_[leaf] = read_value(source, offset, leaf);
      expect(source, offset, ")");
    }
  } catch (const support::InputError& error) {
    give_up(error.what());
    return false;
  }
  return true;
}

term::Value ProcessSolver::read_value(const support::Source& source,
                                      std::size_t& offset, Term leaf) {
  const Term value = term::parse_term(pool_, source, offset);
  if (value.sort() != leaf.sort()) {
    source.fail(offset, "a value of another sort");
  }
  return term::evaluate(value, {});
}

bool ProcessSolver::read_core(std::span<const Term> assumptions) {
  if (assumptions.empty()) return true;
  const std::optional<std::string> answer =
      exchange("(get-unsat-assumptions)\n");
  if (!answer || !answer->starts_with("(") || answer->starts_with("(error")) {
    give_up(answer ? "said " + answer->substr(0, kMostQuoted)
                   : child_.failure());
    return false;
  }
  std::istringstream words(answer->substr(1, answer->size() - 2));
  const tsl::robin_set<std::string> names{
      std::istream_iterator<std::string>(words), {}};
  std::size_t found = 0;
  for (std::size_t i = 0; i < assumptions.size(); ++i) {
    if (!names.contains(literal_name(i))) continue;
    ++found;
    if (std::ranges::find(core_, assumptions[i]) == core_.end()) {
      core_.push_back(assumptions[i]);
    }
  }
  if (found == names.size()) return true;
  give_up("said " + answer->substr(0, kMostQuoted));
  return false;
}

// (:reason-unknown timeout)
void ProcessSolver::read_reason() {
  const std::optional<std::string> answer =
      exchange("(get-info :reason-unknown)\n");
  if (answer) {
    reason_ = options_.command.front() + ": " + answer->substr(0, kMostQuoted);
  } else {
    give_up(child_.failure());
  }
}

}  // namespace

ProcessOptions cvc5_process() {
  return {.command = {"cvc5", "--lang=smt2", "--incremental", "--quiet"},
          .time_option = "--tlimit-per=",
          .resource_option = "--rlimit-per="};
}

ProcessOptions z3_process() {
  return {.command = {"z3", "-in", "-smt2"},
          .time_option = "-t:",
          .resource_option = "rlimit="};
}

std::unique_ptr<Solver> make_process_solver(term::Pool& pool,
                                            const ProcessOptions& options) {
  AGON_ASSERT(!options.command.empty());
  return std::make_unique<ProcessSolver>(pool, options);
}

}  // namespace agon::smt
