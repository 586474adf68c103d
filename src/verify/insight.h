// SPDX-License-Identifier: Apache-2.0
/// Keeps what happens in a loop of refinement, for people.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "abstraction/abstract_program.h"
#include "evidence/insight.h"
#include "refine/refiner.h"
#include "support/context.h"
#include "verify/component.h"

namespace agon::verify {

/// The history of a loop. Does nothing unless it is asked for.
class History {
 public:
  History(evidence::Detail detail, support::Context& context);

  /// An iteration begins, with so many predicates.
  void begin(std::size_t predicates);
  /// It came to know so many states.
  void explored(std::size_t states);
  /// It is about to refine this component; `name` is empty if it is the only
  /// one.
  void before_refining(const Component& component);
  /// It did, on these plays.
  void after_refining(Component& component, const std::string& name,
                      std::span<const refine::Play> plays);
  /// It ends.
  void end();

  std::vector<evidence::Iteration> take() { return std::move(iterations_); }

 private:
  bool is_kept() const { return detail_ != evidence::Detail::None; }
  std::uint64_t solver_calls() const;

  const evidence::Detail detail_;
  support::Context& context_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t calls_ = 0;  // When the iteration began.
  abstraction::Precision before_;
  std::vector<evidence::Iteration> iterations_;
};

/// The part of an abstract program that was explored, up to a size that can be
/// shown.
evidence::Model describe_model(abstraction::AbstractProgram& model,
                               const abstraction::Blocks& blocks);

}  // namespace agon::verify
