// SPDX-License-Identifier: Apache-2.0
/// What a proof about one program tells somebody who looks for a proof about
/// another that was made from the same source.
#pragma once

#include <vector>

#include "abstraction/precision.h"
#include "ir/program.h"

namespace agon::verify {

/// The predicates and invariants of a proof.
struct Hints {
  struct Cut {
    ir::LocationId location;
    std::vector<term::Term> predicates;
  };
  ir::Program program;  ///< Inlined, divided and sliced.
  ir::FunctionId entry;
  std::vector<Cut> cuts;
};

class Component;

/// What a component relies on at present.
Hints hints_of(const Component& component);

/// The hints as predicates of a flat program (ir/flatten.h), as far as their
/// variables and places are found again there; nothing is promised of them.
/// They are tracked where they were, and everywhere at places that the other
/// program does not have.
abstraction::Precision translate(const Hints& hints, const ir::Program& flat,
                                 ir::FunctionId entry);

}  // namespace agon::verify
