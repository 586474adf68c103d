// SPDX-License-Identifier: Apache-2.0
/// The transition system that a primitive process denotes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fsp/ast.h"
#include "fsp/evaluate.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::fsp {

/// The processes of the file, as the processes of the file see each other.
class ProcessTable {
 public:
  virtual ~ProcessTable() = default;

  /// The system of another process, for `P ; …`. Fails if there is none.
  virtual std::shared_ptr<const lts::Lts> instantiate(const ProcRef& reference,
                                                      const Scope& scope) = 0;
  virtual bool is_process(const std::string& name) const = 0;
  /// Whether to warn about this place: once, however often it is expanded.
  virtual bool may_warn(Offset place) = 0;
};

/// A process, and what its states are called: by the local process that each of
/// them is, as `Held` or `Filled[2]`, or STOP, END and ERROR; empty for those
/// between the actions of a sequence.
struct Expansion {
  lts::Lts lts;
  std::vector<std::string> state_names;
};

/// Unrolls the local processes of `def`, with its alphabet extension but not
/// yet its relabelling and hiding. Parameters are bound in `parameters`.
///
/// Each index value of a local process is a state, and so is each occurrence of
/// an action's target, as in LTSA; a reference is the state it refers to. A
/// reference to nothing is ERROR, after a warning. The result has the reachable
/// states only, while the alphabet has the labels of all local processes.
Expansion expand_process(const ProcessDef& def, const Scope& parameters,
                         const Evaluator& evaluator, ProcessTable& processes,
                         const lts::SharedLabels& labels,
                         support::Context& context);

}  // namespace agon::fsp
