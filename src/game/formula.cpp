// SPDX-License-Identifier: Apache-2.0
#include "game/formula.h"

#include <fmt/format.h>

#include <utility>

#include "support/error.h"

namespace agon::game {
namespace {

using lts::kTau;
using lts::Lts;
using lts::State;
using lts::Transition;

/// Evaluates diamonds from the smallest to the largest, each for all states.
class Evaluator {
 public:
  using Set = std::vector<bool>;

  explicit Evaluator(const Lts& lts);

  void add(const Formula::Diamond& diamond);
  bool holds(const Formula::Conjunction& conjunction, std::size_t state) const;

 private:
  Set states_with(const Formula::Conjunction& conjunction) const;
  Set before_step(lts::Label label, const Set& targets) const;
  Set before_silence(Set targets, const Set& through) const;

  const Lts& lts_;
  const std::size_t n_;
  std::vector<std::vector<std::uint32_t>> silent_in_;
  std::vector<Set> sets_;  // By diamond.
};

Evaluator::Evaluator(const Lts& lts)
    : lts_(lts), n_(lts.num_states()), silent_in_(n_) {
  for (std::uint32_t s = 0; s < n_; ++s) {
    for (const Transition& t : lts.out(State(s))) {
      if (t.label == kTau) silent_in_[t.target.index()].push_back(s);
    }
  }
}

bool Evaluator::holds(const Formula::Conjunction& conjunction,
                      std::size_t state) const {
  for (const auto& [diamond, negated] : conjunction) {
    if (sets_[diamond][state] == negated) return false;
  }
  return true;
}

Evaluator::Set Evaluator::states_with(
    const Formula::Conjunction& conjunction) const {
  Set result(n_);
  for (std::size_t s = 0; s < n_; ++s) result[s] = holds(conjunction, s);
  return result;
}

Evaluator::Set Evaluator::before_step(lts::Label label,
                                      const Set& targets) const {
  Set result(n_, false);
  for (std::size_t s = 0; s < n_; ++s) {
    for (const Transition& t : lts_.out(State::at(s))) {
      if (t.label == label && targets[t.target.index()]) result[s] = true;
    }
  }
  return result;
}

// `targets`, and the states with silent steps inside `through` to them.
Evaluator::Set Evaluator::before_silence(Set targets,
                                         const Set& through) const {
  std::vector<std::uint32_t> pending;
  for (std::uint32_t s = 0; s < n_; ++s) {
    if (targets[s]) pending.push_back(s);
  }
  while (!pending.empty()) {
    const std::uint32_t state = pending.back();
    pending.pop_back();
    for (const std::uint32_t source : silent_in_[state]) {
      if (targets[source] || !through[source]) continue;
      targets[source] = true;
      pending.push_back(source);
    }
  }
  return targets;
}

void Evaluator::add(const Formula::Diamond& diamond) {
  const Set all(n_, true);
  const Set after = states_with(diamond.after);
  switch (diamond.modality) {
    case Modality::Step:
      sets_.push_back(before_step(diamond.label, after));
      return;
    case Modality::Weak: {
      Set result = before_silence(after, all);
      if (diamond.label != kTau) {
        result = before_silence(before_step(diamond.label, result), all);
      }
      sets_.push_back(std::move(result));
      return;
    }
    case Modality::Until: {
      const Set before = states_with(diamond.before);
      Set result = before_step(diamond.label, after);
      for (std::size_t s = 0; s < n_; ++s) result[s] = result[s] && before[s];
      result = before_silence(std::move(result), before);
      if (diamond.label == kTau) {
        for (std::size_t s = 0; s < n_; ++s) result[s] = result[s] || after[s];
      }
      sets_.push_back(std::move(result));
      return;
    }
  }
  AGON_ASSERT(false);
}

/// Writes diamonds from the smallest to the largest. One that is needed more
/// than once, or is long, is written by name from then on.
class Writer {
 public:
  Writer(const Formula& formula, const lts::LabelTable& labels);

  std::string run(std::size_t max_length);

 private:
  static constexpr std::size_t kLong = 72;

  std::string text(const Formula::Conjunction& conjunction, bool operand) const;
  std::string text(const Formula::Diamond& diamond) const;

  const Formula& formula_;
  const lts::LabelTable& labels_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::string> texts_;
  std::vector<std::string> definitions_;
};

Writer::Writer(const Formula& formula, const lts::LabelTable& labels)
    : formula_(formula), labels_(labels), uses_(formula.diamonds.size(), 0) {
  const auto count = [&](const Formula::Conjunction& conjunction) {
    for (const auto& literal : conjunction) ++uses_[literal.diamond];
  };
  count(formula.root);
  for (const Formula::Diamond& diamond : formula.diamonds) {
    count(diamond.before);
    count(diamond.after);
  }
}

std::string Writer::text(const Formula::Conjunction& conjunction,
                         bool operand) const {
  if (conjunction.empty()) return "true";
  std::string result;
  for (const auto& [diamond, negated] : conjunction) {
    if (!result.empty()) result += " & ";
    if (negated) result += "!";
    result += texts_[diamond];
  }
  const bool several = conjunction.size() > 1;
  return operand && several ? "(" + result + ")" : result;
}

std::string Writer::text(const Formula::Diamond& diamond) const {
  const std::string& label = labels_.name(diamond.label);
  const std::string after = text(diamond.after, true);
  switch (diamond.modality) {
    case Modality::Step:
      return fmt::format("<{}>{}", label, after);
    case Modality::Weak:
      return fmt::format("<<{}>>{}", diamond.label == kTau ? "" : label, after);
    case Modality::Until:
      return fmt::format("({} <{}> {})", text(diamond.before, true), label,
                         after);
  }
  return {};
}

std::string Writer::run(std::size_t max_length) {
  std::size_t length = 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < formula_.diamonds.size(); ++i) {
    std::string written = text(formula_.diamonds[i]);
    const bool shared = uses_[i] > 1 && written.size() > 10;
    if (!shared && written.size() <= kLong) {
      texts_.push_back(std::move(written));
      continue;
    }
    texts_.push_back(fmt::format("F{}", definitions_.size() + 1));
    length += written.size();
    if (length > max_length) {
      ++left_out;
      written.clear();
    }
    definitions_.push_back(std::move(written));
  }
  std::string result = text(formula_.root, false);
  if (result.size() > max_length) {
    result.resize(max_length);
    result += "…";
  }
  const char* separator = " where ";
  for (std::size_t i = definitions_.size(); i-- > 0;) {
    if (definitions_[i].empty()) continue;
    result += fmt::format("{}F{} = {}", separator, i + 1, definitions_[i]);
    separator = ", ";
  }
  if (left_out > 0) {
    result += fmt::format("{}{} more definitions", separator, left_out);
  }
  return result;
}

}  // namespace

std::size_t Formula::size() const {
  std::size_t result = diamonds.size() + root.size();
  for (const Diamond& d : diamonds) result += d.before.size() + d.after.size();
  return result;
}

bool satisfies(const Lts& lts, State state, const Formula& formula) {
  Evaluator evaluator(lts);
  for (const Formula::Diamond& diamond : formula.diamonds) {
    evaluator.add(diamond);
  }
  return evaluator.holds(formula.root, state.index());
}

std::string to_string(const Formula& formula, const lts::LabelTable& labels,
                      std::size_t max_length) {
  return Writer(formula, labels).run(max_length);
}

}  // namespace agon::game
