// SPDX-License-Identifier: Apache-2.0
/// Which types have no objects in common.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ir/program.h"

namespace agon::ir {

/// What docs/c.md says of pointers from outside, as far as that is seen from
/// the types alone: a pointer to a type that nothing is ever converted to or
/// from points to objects of this type. Nor can a program find out where such
/// objects lie, but by comparing pointers to the same type. So it is enough to
/// look at executions where those that have no part in common lie apart.
class UnrelatedTypes {
 public:
  explicit UnrelatedTypes(const Program& program);

  /// Whether pointers to the type are never converted, and neither is anything
  /// that holds the type or a pointer to it; nor is that part of a union.
  bool is_kept(TypeId type) const;

  /// Whether both are, and none is part of the other.
  bool operator()(TypeId a, TypeId b) const;

 private:
  using Keys = std::set<std::string>;

  std::string key(TypeId type) const;
  void collect_parts(TypeId type, Keys& into) const;

  const Program& program_;
  Keys converted_;
  mutable std::map<TypeId, Keys> parts_;

  const Keys& parts(TypeId type) const;
};

}  // namespace agon::ir
