// SPDX-License-Identifier: Apache-2.0
/// What a run in the interpreter does, step by step, for people.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evidence/rests.h"
#include "evidence/result.h"
#include "ir/interpreter.h"

namespace agon::verify {

/// Takes down the steps of a run.
class Steps final : public ir::Listener {
 public:
  /// The program has to outlive it.
  Steps(const ir::Program& program, std::set<std::string> visible,
        std::size_t num_actions,
        evidence::Until until = evidence::Until::LastAction);

  bool step(const ir::Step& step, const ir::StateView& state) override;
  bool may_skip() override;

  std::vector<evidence::SourceStep> steps;  ///< Not more than 100,000.
  std::vector<std::string> actions;         ///< The visible ones.
  evidence::Rest rest;                      ///< Where it has stopped.

 private:
  bool is_over(const ir::Step& step);
  evidence::SourceStep describe(const ir::Edge& edge,
                                const ir::StateView& state) const;
  void add_value(const ir::Step& step, const ir::StateView& state);
  void note_action(const ir::Call& call, evidence::SourceStep& shown);

  const ir::Program& program_;
  std::set<std::string> visible_;
  std::size_t num_actions_;
  evidence::Until until_;
  evidence::Rests rests_;
  ir::VariableId target_;
  ir::Step last_;
};

/// What globals and parameters of a recording hold at the start, by name.
std::vector<std::pair<std::string, std::string>> describe_start(
    const ir::Program& program, const evidence::Recording& recording);

}  // namespace agon::verify
