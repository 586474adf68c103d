// SPDX-License-Identifier: Apache-2.0
/// Objects that nobody can have a pointer to.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"

namespace agon::analysis {

/// The names of static objects to which no pointer points when `entry` is
/// called, whatever happened before: locals, parameters and results of
/// functions are all that ever holds their addresses, no routine without a body
/// is given one, and the entry is not called with one. `program` must be whole:
/// what was cut away may have told others an address.
std::set<std::string> hidden_objects(const ir::Program& program,
                                     ir::FunctionId entry);

/// Of locals, before which edges of a function their address may have been used
/// but to read or write them.
class ToldLocals {
 public:
  /// Refers to `body`.
  explicit ToldLocals(const ir::Cfa& body) : body_(body) {}

  /// Whether the edge, or one that may be executed before it, tells the
  /// address.
  bool is_told(term::Term address, const ir::Edge& edge);

 private:
  const std::vector<bool>& told_at(term::Term address);

  const ir::Cfa& body_;
  std::map<term::Term, std::vector<bool>> told_at_;  // By location.
};

}  // namespace agon::analysis
