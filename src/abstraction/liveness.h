// SPDX-License-Identifier: Apache-2.0
/// Which variables can still matter at a location.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace agon::abstraction {

/// Live variables of a body without calls other than actions. A variable that
/// is only read to compute dead ones is dead too.
class Liveness {
 public:
  Liveness(const ir::Program& program, const ir::Cfa& body);

  bool is_live(ir::LocationId location, ir::VariableId variable) const {
    const std::size_t bit = variable.index();
    return (row(location)[bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
  using Word = std::uint64_t;

  const Word* row(ir::LocationId location) const {
    return bits_.data() + location.index() * words_;
  }
  bool update(const ir::Program& program, const ir::Edge& edge);

  std::size_t words_;
  std::vector<Word> bits_;  // A row per location.
  std::vector<Word> scratch_;
};

}  // namespace agon::abstraction
