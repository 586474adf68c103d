// SPDX-License-Identifier: Apache-2.0
#include "term/pool.h"

#include "support/error.h"
#include "term/fold.h"
#include "term/node.h"
#include "term/tables.h"

namespace agon::term {

Kind Term::kind() const { return node_->kind; }
Sort Term::sort() const { return node_->sort; }
std::span<const Term> Term::operands() const { return node_->operands; }
std::uint32_t Term::id() const { return node_->id; }

bool Term::is_true() const {
  return is_constant() && sort().is_bool() && node_->words[0] == 1;
}

bool Term::is_false() const {
  return is_constant() && sort().is_bool() && node_->words[0] == 0;
}

Bits Term::value() const {
  AGON_ASSERT(is_constant() && !sort().is_int());
  return node_->value();
}

const Integer& Term::integer() const {
  AGON_ASSERT(is_constant() && sort().is_int());
  return *node_->integer;
}

const std::string& Term::name() const {
  AGON_ASSERT(kind() == Kind::Variable || kind() == Kind::Address);
  return *node_->name;
}

unsigned Term::low() const {
  AGON_ASSERT(kind() == Kind::Extract);
  return node_->parameter;
}

unsigned Term::count() const {
  AGON_ASSERT(kind() == Kind::Read || kind() == Kind::Write);
  return node_->parameter;
}

Pool::Pool() : tables_(std::make_unique<Tables>()) {}
Pool::~Pool() = default;

std::size_t Pool::size() const { return tables_->nodes.size(); }

Term Pool::boolean(bool value) {
  return tables_->constant(Sort::boolean(), value ? 1 : 0);
}

Term Pool::bits(Bits value, unsigned width) {
  AGON_ASSERT(width >= 1 && width <= Sort::kMaxWidth);
  return tables_->constant(Sort::bits(width), truncate(value, width));
}

Term Pool::integer(const Integer& value) { return tables_->constant(value); }

Term Pool::variable(std::string_view name, Sort sort) {
  return tables_->named(Kind::Variable, sort, name);
}

Term Pool::find(std::string_view name) const { return tables_->find(name); }

Term Pool::address(std::string_view name, unsigned width) {
  AGON_ASSERT(width <= Sort::kMaxWidth);
  const Sort sort = width == 0 ? Sort::integer() : Sort::bits(width);
  return tables_->named(Kind::Address, sort, name);
}

Term Pool::fresh(std::string_view stem, Sort sort) {
  std::string name;
  do {
    name = std::string(stem) + "!" + std::to_string(tables_->next_fresh++);
  } while (find(name));
  return variable(name, sort);
}

Term Pool::rebuild(Term original, std::span<const Term> operands) {
  AGON_ASSERT(operands.size() == original.operands().size());
  switch (original.kind()) {
    case Kind::Constant:
    case Kind::Variable:
    case Kind::Address:
      return original;
    case Kind::Not:
      return negation(operands[0]);
    case Kind::And:
      return conjunction(operands);
    case Kind::Or:
      return disjunction(operands);
    case Kind::Equal:
      return equal(operands[0], operands[1]);
    case Kind::Ite:
      return ite(operands[0], operands[1], operands[2]);
    case Kind::Negate:
    case Kind::BitNot:
      return unary(original.kind(), operands[0]);
    case Kind::Concat:
      return concat(operands[0], operands[1]);
    case Kind::Extract:
      return extract(operands[0], original.low(), original.width());
    case Kind::ZeroExtend:
      return zero_extend(operands[0], original.width());
    case Kind::SignExtend:
      return sign_extend(operands[0], original.width());
    case Kind::Read:
      return read(operands[0], operands[1], original.count());
    case Kind::Write:
      return write(operands[0], operands[1], operands[2]);
    case Kind::Copy:
      return copy(operands[0], operands[1], operands[2], operands[3],
                  operands[4]);
    case Kind::ConstantArray:
      return constant_array(operands[0], original.sort().index_width);
    default:
      return binary(original.kind(), operands[0], operands[1]);
  }
}

}  // namespace agon::term
