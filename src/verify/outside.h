// SPDX-License-Identifier: Apache-2.0
/// Pointers that come from outside a body: whoever made them knows neither its
/// locals nor what it will allocate.
#pragma once

#include <set>

#include "ir/program.h"

namespace agon::verify {

/// The addresses that occur in a body, and the variables that it reads.
std::set<term::Term> addresses_in(const ir::Cfa& body);
std::set<term::Term> variables_in(const ir::Cfa& body);

/// What is known about a pointer that was there before the body started.
class Outside {
 public:
  Outside(const ir::Program& program, ir::FunctionId entry);

  /// That it points to nothing which the body makes. Invalid if the body makes
  /// nothing that has an address, or the term is not as wide as one.
  term::Term contains(term::Term pointer) const;

 private:
  term::Pool& pool_;
  unsigned width_;
  bool allocates_ = false;
  term::Term first_;  // The first local, and the end of the last.
  term::Term end_;
};

/// Makes the body start only where this holds for parameters and globals, and
/// where those of type _Bool are 0 or 1.
void assume_outside(ir::Program& program, ir::FunctionId entry);

/// The same for what C says of the arguments of `main`: their number is not
/// negative, and there is an array of them.
void assume_arguments(ir::Program& program, ir::FunctionId main);

}  // namespace agon::verify
