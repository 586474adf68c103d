// SPDX-License-Identifier: Apache-2.0
/// Terms that can be printed for any SMT-LIB solver. Internal to the folder.
#pragma once

#include <tsl/robin_map.h>

#include "term/pool.h"

namespace agon::smt {

/// Renames variables and addresses to new variables, since a C program may call
/// a variable `select` or `exp`, and takes away what SMT-LIB does not have.
class SmtlibEncoder {
 public:
  explicit SmtlibEncoder(term::Pool& pool) : pool_(pool) {}

  struct Encoded {
    term::Term term;
    /// Whether both have the same values. Otherwise some arrays were replaced
    /// by variables that can be anything.
    bool exact = true;
  };
  Encoded encode(term::Term term);

  /// The variable that stands for a variable or an address.
  term::Term name(term::Term leaf);

 private:
  term::Term write_out(std::span<const term::Term> copy, unsigned count);

  term::Pool& pool_;
  tsl::robin_map<term::Term, term::Term> names_;
};

}  // namespace agon::smt
