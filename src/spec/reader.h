// SPDX-License-Identifier: Apache-2.0
/// Reads a specification file and all that it imports.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "spec/ast.h"
#include "spec/specification.h"
#include "support/source.h"

namespace agon::spec {

/// Reads a file and, before it, those that it imports.
class Reader {
 public:
  explicit Reader(const LoadOptions& options) : options_(options) {}

  /// Throws InputError.
  void read(const support::Source& source, bool is_imported);

  std::vector<File> files;
  WrittenConditions conditions;

 private:
  void import(const File& from, const ImportDef& def);

  const LoadOptions& options_;
  std::set<std::string> seen_;
};

}  // namespace agon::spec
