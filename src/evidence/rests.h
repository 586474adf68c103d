// SPDX-License-Identifier: Apache-2.0
/// Where a running component waits for others.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "ir/interpreter.h"
#include "ir/waiting.h"

namespace agon::evidence {

/// How far a run goes.
enum class Until : std::uint8_t {
  LastAction,  ///< Until it has performed so many visible actions.
  Rest,        ///< From there on to where it waits for others, or ends.
};

/// What is about to happen in a run.
struct Rest {
  bool is_waiting = false;  ///< Otherwise it goes on by itself.
  bool is_clear = true;     ///< Whether `offers` are all that it waits for.
  std::set<std::string> offers;  ///< The actions one of which comes next.
};

class Rests {
 public:
  /// The program has to outlive it. `visible`: the actions that others may
  /// take part in.
  Rests(const ir::Program& program, std::set<std::string> visible);

  /// What comes before an edge is taken.
  Rest before(const ir::Step& step);

 private:
  const ir::Waiting& waiting(ir::FunctionId function);

  const ir::Program& program_;
  std::set<std::string> visible_;
  std::map<ir::FunctionId, ir::Waiting> waiting_;
};

}  // namespace agon::evidence
