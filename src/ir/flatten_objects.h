// SPDX-License-Identifier: Apache-2.0
/// Objects that no pointer can point to. Internal to the folder.
#pragma once

#include <set>

#include "ir/program.h"

namespace agon::ir {

/// Finds the objects that are only used by name: their addresses occur in
/// nothing but indices of reads and writes, as the place itself or as what an
/// offset is added to. Such an address is never a value, so no pointer has it.
class NamedObjects {
 public:
  explicit NamedObjects(const Program& program) : program_(program) {}

  /// Looks at all that is done to objects in a body, and at initial values.
  void look_at(const Cfa& body);
  void look_at_initial_values();
  /// Code that is not seen may use the object.
  void expose(ObjectId object) { exposed_.insert(object); }

  /// Gives every such object that was used an array of its own, in the body of
  /// `function`, which must have been looked at.
  void separate(Program& program, FunctionId function) const;

 private:
  ObjectId base_of(term::Term index) const;
  void look_at(term::Term term);
  void look_at_place(term::Term index);
  void look_at_contents(term::Term contents);
  term::Term rewrite(Program& program, term::Term term) const;
  Statement rewrite_assignment(Program& program, const Assign& assign) const;
  VariableId array_of(const Program& program, term::Term index) const;

  const Program& program_;
  std::set<ObjectId> used_;
  std::set<ObjectId> exposed_;
  std::set<term::Term> seen_;
};

}  // namespace agon::ir
