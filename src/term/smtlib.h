// SPDX-License-Identifier: Apache-2.0
/// Terms as SMT-LIB 2.6, written and read.
#pragma once

#include <string>
#include <string_view>

#include "support/source.h"
#include "term/pool.h"

namespace agon::term {

/// One term. Shared subterms become `let`s, so the text is linear in the graph.
/// Reads and writes of several elements are written out; Copy is not in
/// SMT-LIB and is printed as `(agon.copy a i n b j)`, see `has_copy`.
std::string to_smtlib(Term term);

/// Whether a Copy occurs whose elements were not read out by simplification.
bool has_copy(Term term);

std::string to_smtlib(Sort sort);

/// `|x|` where the symbol needs quotes.
std::string quote_symbol(std::string_view name);

/// The declarations of all variables and addresses in `term`, one per line.
std::string declarations(Term term);

/// The exact form that a program's text uses: like SMT-LIB, but Read, Write,
/// Copy and Address are operators of their own, so that parsing it gives back
/// the very same term: `(agon.read 4 memory p)`, `(agon.address x 64)`; the
/// width of an address that is an integer is 0.
std::string to_text(Term term);

/// Reads one term in the form of `to_text` or of plain SMT-LIB, from byte
/// `offset` of `source` on, and advances `offset` behind it. Variables must be
/// known to the pool. Throws InputError with a caret.
Term parse_term(Pool& pool, const support::Source& source, std::size_t& offset);
Sort parse_sort(const support::Source& source, std::size_t& offset);

}  // namespace agon::term
