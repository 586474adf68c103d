// SPDX-License-Identifier: Apache-2.0
/// Puts a specification into a program.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/program.h"
#include "ir/unreached.h"
#include "spec/specification.h"

namespace agon::spec {

/// What can be asked about the woven program. Lines of imported files about
/// routines that the program does not know are left out.
struct Woven {
  std::vector<Question> questions;
  std::vector<GuardCheck> guard_checks;
  std::vector<ProgramQuestion> programs;
  /// The abstractions that stand for targets which call themselves, and what
  /// they stand for.
  std::map<ir::FunctionId, ir::FunctionId> own;
  /// The entries of the questions whose answers they anticipate.
  std::map<ir::FunctionId, std::vector<std::string>> promises;
};

/// `program` was lowered with the fragments of `specification`. Afterwards
/// - the routines of its actions are marked as such;
/// - calls of a routine with an assumption, also through pointers, behave as it
///   says, even if the routine has a body;
/// - calls of a routine with events perform them before and after;
/// - a target that calls itself in the end is replaced there by an abstraction
///   that does what its own specification allows.
///
/// Throws InputError for routines that the program does not know, that have no
/// body to be verified, or whose type is another.
///
/// `unreached` are calls that are no part of the program; who takes them for
/// one is told so (ProgramQuestion::bystanders).
Woven weave(ir::Program& program, const Specification& specification,
            std::span<const ir::UnreachedCall> unreached = {});

/// Puts the calls back for which abstractions stand (`Woven::own`).
void unfold(ir::Program& program,
            const std::map<ir::FunctionId, ir::FunctionId>& own);

}  // namespace agon::spec
