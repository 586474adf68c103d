// SPDX-License-Identifier: Apache-2.0
/// Whether a formula holds, state by state and path by path, as an oracle.
#pragma once

#include <set>
#include <vector>

#include "game/formula.h"
#include "lts/lts.h"

namespace agon::test {

namespace detail {

class NaiveFormula {
 public:
  NaiveFormula(const lts::Lts& lts, const game::Formula& formula)
      : lts_(lts), formula_(formula) {}

  bool all(const game::Formula::Conjunction& conjunction, lts::State s) const {
    for (const auto& [diamond, negated] : conjunction) {
      if (one(formula_.diamonds[diamond], s) == negated) return false;
    }
    return true;
  }

 private:
  using States = std::set<lts::State>;

  /// What is reached from `from` by silent steps through states that `pass`.
  template <class Pass>
  States silent(const States& from, const Pass& pass) const {
    States found;
    std::vector<lts::State> todo;
    for (const lts::State s : from) {
      if (pass(s)) todo.push_back(s);
    }
    while (!todo.empty()) {
      const lts::State s = todo.back();
      todo.pop_back();
      if (!found.insert(s).second) continue;
      for (const lts::State t : step({s}, lts::kTau)) {
        if (pass(t)) todo.push_back(t);
      }
    }
    return found;
  }

  States step(const States& from, lts::Label label) const {
    States found;
    for (const lts::State s : from) {
      for (const lts::Transition& t : lts_.out(s)) {
        if (t.label == label) found.insert(t.target);
      }
    }
    return found;
  }

  bool one(const game::Formula::Diamond& d, lts::State s) const {
    const auto any = [](lts::State) { return true; };
    States ends;
    switch (d.modality) {
      case game::Modality::Step:
        ends = step({s}, d.label);
        break;
      case game::Modality::Weak:
        ends = silent({s}, any);
        if (d.label != lts::kTau) ends = silent(step(ends, d.label), any);
        break;
      case game::Modality::Until:
        ends = step(silent({s}, [&](lts::State t) { return all(d.before, t); }),
                    d.label);
        if (d.label == lts::kTau) ends.insert(s);
        break;
    }
    for (const lts::State t : ends) {
      if (all(d.after, t)) return true;
    }
    return false;
  }

  const lts::Lts& lts_;
  const game::Formula& formula_;
};

}  // namespace detail

/// Like game::satisfies, of which it shares nothing but the data types.
inline bool naive_satisfies(const lts::Lts& lts, lts::State state,
                            const game::Formula& formula) {
  return detail::NaiveFormula(lts, formula).all(formula.root, state);
}

}  // namespace agon::test
