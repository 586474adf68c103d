// SPDX-License-Identifier: Apache-2.0
/// All components of a program, with what is known about them at present.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "concurrent/model.h"
#include "concurrent/tree.h"
#include "verify/options.h"

namespace agon::concurrent {

/// What became of something that quotients do.
struct Followed {
  /// By component, what the predicate abstractions do; empty if one of them
  /// cannot do it.
  std::vector<LocalRun> runs;
  /// By component, the last of its moves in the first branch of the tree.
  std::vector<std::uint32_t> ends;
  /// Otherwise classes were divided, by model, or a component takes part that
  /// had been left out.
  std::map<std::uint32_t, std::vector<Class>> divided;
  bool has_joined = false;
};

/// With two levels, and a specification, components are left out until one is
/// found to prevent something.
class Ensemble {
 public:
  /// All arguments have to outlive it. One solver for each model.
  Ensemble(const Prepared& task, const verify::Options& options,
           std::span<smt::Solver* const> solvers, support::Context& context);

  bool asks_for_deadlocks() const { return task_.spec == nullptr; }
  bool plays_simulation() const {
    return !asks_for_deadlocks() &&
           options_.conformance == verify::Conformance::Simulation;
  }

  AbstractComponent& model(std::uint32_t component) const {
    return *models_[task_.composition.model_of[component]];
  }
  const std::vector<std::unique_ptr<AbstractComponent>>& models() const {
    return models_;
  }
  bool is_present(std::uint32_t component) const {
    return (present_ & bit(component)) != 0;
  }

  bool is_empty() const { return present_ == 0; }

  bool is_complete() const;

  /// Of those that take part.
  Composer compose() const;

  /// From now on all take part.
  void complete() { present_ = kAllComponents; }

  /// Looks for what was found in all predicate abstractions. If it is missing
  /// in some, rules it out.
  Followed follow(const Tree& tree);

  /// Starts a model anew with its present predicates.
  void rebuild(std::uint32_t model) { models_[model]->rebuild(); }

  /// Who has to take part will be found out again.
  void leave_out() { present_ = present_at_first_; }

 private:
  LocalTree project(const Tree& tree, std::uint32_t component,
                    std::uint32_t& end) const;
  const std::vector<lts::Label>* locals_of(const Move& move,
                                           std::uint32_t component) const;
  std::vector<std::uint32_t> in_turn() const;
  std::optional<LocalRun> find(std::uint32_t component,
                               const LocalTree& local) const;
  std::vector<Class> divide(std::uint32_t model, const LocalTree& local);

  const Prepared& task_;
  const verify::Options& options_;
  support::Context& context_;
  std::vector<std::unique_ptr<AbstractComponent>> models_;
  std::vector<std::size_t> num_events_;  // By component.
  std::uint64_t present_at_first_ = kAllComponents;
  std::uint64_t present_ = kAllComponents;
};

}  // namespace agon::concurrent
