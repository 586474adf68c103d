// SPDX-License-Identifier: Apache-2.0
/// Abstract domains: values that stand for sets of states of a program.
///
/// A new domain NAME is a pair of files, NAME_domain.h and NAME_domain.cpp,
/// whose function make_NAME_domain(setting) makes it. The build finds it, and
/// so do `names`, the command line and the contract tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "smt/solver.h"
#include "support/context.h"

namespace agon::domain {

/// An abstract value: words that only its domain can read. Equal words are
/// equal values. There is no value for "no state": operations leave it out.
using Value = std::vector<std::uint64_t>;

/// What a domain is made for: the states of one body.
struct Setting {
  const ir::Program& program;
  ir::FunctionId entry;
  smt::Solver& solver;
  support::Context& context;
  /// For domains that track predicates; empty: they find some themselves.
  std::vector<term::Term> predicates = {};
  /// What is worth knowing besides the conditions of branches.
  std::vector<term::Term> conditions = {};
};

/// All operations over-approximate: what they return holds every state that it
/// should hold, and maybe more; unless the context is exhausted. Where several
/// values are returned, they hold these states together; a domain returns
/// several where this tells more.
class Domain {
 public:
  Domain() = default;
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;
  virtual ~Domain() = default;

  /// All states.
  virtual Value top() const = 0;

  /// The states after `assign`.
  virtual std::vector<Value> post(const Value& value,
                                  const ir::Assign& assign) = 0;

  /// The states after `havoc`, cut into pieces that are worth choosing from.
  virtual std::vector<Value> post(const Value& value,
                                  const ir::Havoc& havoc) = 0;

  /// The states in which a Boolean term holds.
  virtual std::vector<Value> filter(const Value& value,
                                    term::Term condition) = 0;

  /// The same as at most one value.
  virtual std::optional<Value> restrict(const Value& value,
                                        term::Term condition);

  /// Whether all states of `a` are surely states of `b`.
  virtual bool is_below(const Value& a, const Value& b) const = 0;
  virtual Value join(const Value& a, const Value& b) const = 0;
  /// A join that becomes stable after finitely many steps.
  virtual Value widen(const Value& a, const Value& b) const = 0;

  /// What a value says about the situation rather than about amounts. Only
  /// values that agree in this are widened together, as long as few differ.
  virtual Value situation(const Value&) const { return {}; }

  /// Forgets all but some variables.
  using Keep = std::function<bool(ir::VariableId)>;
  virtual Value keep(const Value& value, const Keep& is_kept) const = 0;

  /// The states, as a formula over the variables of the program.
  virtual term::Term concretise(const Value& value) const = 0;
};

/// The domains that there are, in order.
std::vector<std::string> names();

/// The domain of a name, or the reduced product of several with `+` between
/// their names: `sign+predicates`. Throws InputError if there is none.
std::unique_ptr<Domain> make(const std::string& name, const Setting& setting);

}  // namespace agon::domain
