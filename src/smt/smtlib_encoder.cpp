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
  for (unsigned k = 0; k < count; ++k) {
    const Term offset = copy[1].sort().is_int()
                            ? pool_.integer(k)
                            : pool_.bits(k, copy[1].width());
    const Term element = pool_.read(copy[3], pool_.add(copy[4], offset));
    array = pool_.write(array, pool_.add(copy[1], offset), element);
  }
  return array;
}

// cvc5 has constant arrays of constants only.
SmtlibEncoder::Encoded SmtlibEncoder::encode(Term root) {
  Encoded result;
  result.term = term::transform(
      pool_, root, [&](Term term, std::span<const Term> operands) -> Term {
        unsigned count = 0;
        switch (term.kind()) {
          case Kind::Variable:
          case Kind::Address:
            return name(term);
          case Kind::Copy:
            if (is_short_copy(term, count)) return write_out(operands, count);
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
