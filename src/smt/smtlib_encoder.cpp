// SPDX-License-Identifier: Apache-2.0
#include "smt/smtlib_encoder.h"

#include "smt/inspect.h"
#include "term/substitute.h"

namespace agon::smt {

using term::Kind;
using term::Term;

Term SmtlibEncoder::name(Term term) {
  const auto [entry, is_new] = names_.try_emplace(term);
  if (is_new) {
    const bool named =
        term.kind() == Kind::Variable || term.kind() == Kind::Address;
    entry.value() = pool_.fresh(named ? term.name() : "any", term.sort());
  }
  return entry->second;
}

Term SmtlibEncoder::write_out(std::span<const Term> copy, unsigned count) {
  Term array = copy[0];
  const Term length = copy[2];
  for (unsigned k = 0; k < count; ++k) {
    const bool is_wide = copy[1].sort().is_bits();
    const Term offset =
        is_wide ? pool_.bits(k, copy[1].width()) : pool_.integer(k);
    const Term to = pool_.add(copy[1], offset);
    const Term element = pool_.read(copy[3], pool_.add(copy[4], offset));
    if (length.is_constant()) {
      array = pool_.write(array, to, element);
    } else {
      const Term is_moved =
          pool_.unsigned_less(pool_.bits(k, length.width()), length);
      array = pool_.write(array, to,
                          pool_.ite(is_moved, element, pool_.read(array, to)));
    }
  }
  return array;
}

// cvc5 has constant arrays of constants only.
SmtlibEncoder::Encoded SmtlibEncoder::encode(Term root) {
  Encoded result;
  result.term = term::transform(
      pool_, root, [&](Term term, std::span<const Term> operands) -> Term {
        switch (term.kind()) {
          case Kind::Variable:
          case Kind::Address:
            return name(term);
          case Kind::Copy:
            if (const auto count = most_copied(term)) {
              return write_out(operands, *count);
            }
            break;
          case Kind::ConstantArray:
            if (operands[0].is_constant()) return {};
            break;
          default:
            return {};
        }
        result.exact = false;
        return name(term);
      });
  return result;
}

}  // namespace agon::smt
