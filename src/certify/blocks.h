// SPDX-License-Identifier: Apache-2.0
/// What a program can do between two of the locations that a certificate lists.
#pragma once

#include <vector>

#include "ir/loop_order.h"
#include "ir/program.h"
#include "term/substitute.h"

namespace agon::certify {

/// One way out of a block: an action, or an edge into a location that is listed
/// or that was passed before.
struct Exit {
  ir::EdgeId edge;
  term::Term taken;           ///< That it is taken.
  term::Substitution values;  ///< Of the variables that have changed.
};

/// Runs parts of a body on terms. A block has no cycles: where a path returns
/// to a location that was passed so many times, there is an exit.
class Blocks {
 public:
  /// `listed`: by location, where blocks end. `rounds`: how often others may be
  /// passed.
  Blocks(const ir::Program& program, ir::FunctionId function,
         std::vector<bool> listed, std::uint32_t rounds);

  /// All ways out of the block that starts at a location with these values.
  std::vector<Exit> run(ir::LocationId start, const term::Substitution& values);

  bool is_listed(ir::LocationId location) const {
    return listed_[location.index()];
  }
  const ir::Cfa& body() const { return body_; }
  /// The label of what an edge does; `tau` if it is silent.
  std::string label(ir::EdgeId edge) const;

 private:
  struct Arrival {
    term::Term when;
    term::Substitution values;
  };

  bool ends_block(ir::EdgeId edge) const;
  Arrival merge(std::vector<Arrival> arrivals);
  Arrival step(const Arrival& at, ir::EdgeId edge);

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::vector<bool> listed_;
  std::uint32_t rounds_;
  ir::LoopOrder order_;
};

}  // namespace agon::certify
