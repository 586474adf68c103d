// SPDX-License-Identifier: Apache-2.0
#include "analysis/readings.h"

#include <algorithm>

#include "analysis/statements.h"
#include "term/substitute.h"

namespace agon::analysis {
namespace {

using ir::VariableId;
using term::Kind;
using term::Term;

/// How far a value is followed to the variable that it is computed from.
constexpr int kDeepest = 8;

/// What has no type and the width of a pointer is an address, most often.
Reading by_width(const ir::Program& program, const ir::Variable& variable) {
  return variable.term.width() == program.pointer_width() ? Reading::Unsigned
                                                          : Reading::Signed;
}

Reading of_variable(const ir::Program& program, const ir::Variable& variable) {
  if (!variable.type.valid()) return by_width(program, variable);
  const ir::Type& type = program.types[variable.type];
  return type.is_signed || type.kind == ir::TypeKind::Float ? Reading::Signed
                                                            : Reading::Unsigned;
}

/// Counts, for each array, the uses of its elements as numbers with a sign.
class Votes {
 public:
  Votes(const ir::Program& program, std::vector<Reading>& readings)
      : program_(program),
        readings_(readings),
        votes_(program.variables.size(), 0),
        class_of_(program.variables.size()) {
    for (std::size_t i = 0; i < class_of_.size(); ++i) class_of_[i] = i;
  }

  void run() {
    for (const ir::Function& function : program_.functions) {
      for (const ir::Edge& edge : function.body.edges()) look_at(edge);
    }
    for (std::size_t i = 0; i < votes_.size(); ++i) {
      if (const std::size_t all = find(i); all != i) votes_[all] += votes_[i];
    }
    for (std::size_t i = 0; i < votes_.size(); ++i) {
      if (!program_.variables[i].term.sort().is_array()) continue;
      const int votes = votes_[find(i)];
      if (votes == 0) continue;  // As its width says.
      readings_[i] = votes < 0 ? Reading::Unsigned : Reading::Signed;
    }
  }

 private:
  std::size_t find(std::size_t i) const {
    while (class_of_[i] != i) i = class_of_[i];
    return i;
  }

  /// The array variable that a term is made from; invalid if there is none.
  VariableId base(Term array) const {
    for (;;) {
      switch (array.kind()) {
        case Kind::Write:
        case Kind::Copy:
          array = array.operand(0);
          break;
        case Kind::Ite:
          array = array.operand(1);
          break;
        default:
          return program_.variable_of(array);
      }
    }
  }

  void join(Term a, Term b) {
    const VariableId x = base(a);
    const VariableId y = base(b);
    if (x.valid() && y.valid()) class_of_[find(x.index())] = find(y.index());
  }

  void vote(Term read, Reading reading) {
    const VariableId array = base(read.operand(0));
    if (!array.valid() || reading == Reading::Either) return;
    votes_[array.index()] += reading == Reading::Signed ? 1 : -1;
  }

  Reading hint(Term value) const {
    for (int depth = 0; depth < kDeepest; ++depth) {
      switch (value.kind()) {
        case Kind::Variable: {
          const VariableId id = program_.variable_of(value);
          return id.valid() ? readings_[id.index()] : Reading::Either;
        }
        case Kind::Address:
          return Reading::Unsigned;
        case Kind::SignExtend:
          return Reading::Signed;
        case Kind::Add:
        case Kind::Subtract:
        case Kind::Multiply:
          value = value.operand(0);
          break;
        case Kind::Ite:
          value = value.operand(1);
          break;
        default:
          return Reading::Either;
      }
    }
    return Reading::Either;
  }

  void look_at(const ir::Edge& edge) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      if (assign->value.kind() == Kind::Read) {
        vote(assign->value, readings_[assign->target.index()]);
      } else if (assign->value.sort().is_array()) {
        join(program_[assign->target].term, assign->value);
      }
    }
    for_each_term(edge.statement, [&](Term term) {
      term::visit_subterms(term, [&](Term part) { look_at(part); });
    });
  }

  void look_at(Term part) {
    const auto all = [&](Reading reading) {
      for (const Term operand : part.operands()) {
        if (operand.kind() == Kind::Read) vote(operand, reading);
      }
    };
    switch (part.kind()) {
      case Kind::SignExtend:
      case Kind::SLess:
      case Kind::SLessEqual:
      case Kind::SDivide:
      case Kind::SRemainder:
        return all(Reading::Signed);
      case Kind::ZeroExtend:
      case Kind::ULess:
      case Kind::ULessEqual:
      case Kind::UDivide:
      case Kind::URemainder:
        return all(Reading::Unsigned);
      case Kind::Read:  // What is an index is an address.
        if (part.operand(1).kind() == Kind::Read) {
          vote(part.operand(1), Reading::Unsigned);
        }
        return;
      case Kind::Write:
        vote(part, hint(part.operand(2)));
        return;
      case Kind::Copy:
        return join(part.operand(0), part.operand(3));
      case Kind::Ite:
        if (part.sort().is_array()) join(part.operand(1), part.operand(2));
        return;
      default:
        return;
    }
  }

  const ir::Program& program_;
  std::vector<Reading>& readings_;
  std::vector<int> votes_;  // By variable: for Signed.
  std::vector<std::size_t> class_of_;
};

}  // namespace

std::vector<Reading> find_readings(const ir::Program& program) {
  std::vector<Reading> readings;
  for (const ir::Variable& variable : program.variables) {
    readings.push_back(of_variable(program, variable));
  }
  Votes(program, readings).run();
  return readings;
}

}  // namespace agon::analysis
