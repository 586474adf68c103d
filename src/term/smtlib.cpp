// SPDX-License-Identifier: Apache-2.0
#include "term/smtlib.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "support/error.h"
#include "term/smtlib_names.h"
#include "term/substitute.h"

namespace agon::term {
namespace {

/// Text with holes for terms.
using Piece = std::variant<std::string, Term>;
using Pieces = std::vector<Piece>;

std::string bits_text(Bits value, unsigned width) {
  const unsigned step = width % 4 == 0 ? 4 : 1;
  std::string text = step == 4 ? "#x" : "#b";
  for (unsigned at = width; at > 0; at -= step) {
    const auto digit =
        static_cast<unsigned>(value >> (at - step)) & ((1U << step) - 1);
    text += "0123456789abcdef"[digit];
  }
  return text;
}

std::string integer_text(const Integer& value) {
  return value < 0 ? "(- " + Integer(-value).str() + ")" : value.str();
}

std::string leaf_text(Term term, bool exact) {
  if (term.is_constant()) {
    if (term.sort().is_bool()) return term.is_true() ? "true" : "false";
    return term.sort().is_int() ? integer_text(term.integer())
                                : bits_text(term.value(), term.width());
  }
  const std::string name = quote_symbol(term.name());
  if (!exact || term.kind() == Kind::Variable) return name;
  return "(agon.address " + name + " " + std::to_string(term.width()) + ")";
}

void append(Pieces& pieces, std::initializer_list<Piece> more) {
  pieces.insert(pieces.end(), more);
}

/// index + k.
void append_index(Pieces& pieces, Term index, unsigned k) {
  if (k == 0) {
    pieces.emplace_back(index);
  } else if (index.sort().is_int()) {
    append(pieces, {"(+ ", index, " " + std::to_string(k) + ")"});
  } else {
    append(pieces, {"(bvadd ", index, " " + bits_text(k, index.width()) + ")"});
  }
}

/// The highest element first, as the nested concatenation of selects.
Pieces read_pieces(Term read) {
  Pieces pieces;
  for (unsigned k = read.count(); k-- > 0;) {
    append(pieces,
           {k > 0 ? "(concat (select " : "(select ", read.operand(0), " "});
    append_index(pieces, read.operand(1), k);
    pieces.emplace_back(k > 0 ? ") " : ")");
  }
  pieces.emplace_back(std::string(read.count() - 1, ')'));
  return pieces;
}

Pieces write_pieces(Term write) {
  Pieces pieces;
  const unsigned width = write.width();
  for (unsigned k = 0; k < write.count(); ++k) pieces.emplace_back("(store ");
  pieces.emplace_back(write.operand(0));
  for (unsigned k = 0; k < write.count(); ++k) {
    pieces.emplace_back(" ");
    append_index(pieces, write.operand(1), k);
    if (write.count() == 1) {
      append(pieces, {" ", write.operand(2), ")"});
    } else {
      append(pieces, {" ((_ extract " + std::to_string((k + 1) * width - 1) +
                          " " + std::to_string(k * width) + ") ",
                      write.operand(2), "))"});
    }
  }
  return pieces;
}

/// SMT-LIB divides integers so that the remainder is not negative, and leaves
/// division by zero open.
Pieces integer_division_pieces(Term term) {
  const Term a = term.operand(0);
  const Term b = term.operand(1);
  if (term.kind() == Kind::SDivide) {
    return {"(ite (= ",
            b,
            " 0) 0 (ite (= (< ",
            a,
            " 0) (< ",
            b,
            " 0)) (div (abs ",
            a,
            ") (abs ",
            b,
            ")) (- (div (abs ",
            a,
            ") (abs ",
            b,
            ")))))"};
  }
  return {"(ite (= ",          b, " 0) ",    a, " (ite (< ",      a,
          " 0) (- (mod (abs ", a, ") (abs ", b, "))) (mod (abs ", a,
          ") (abs ",           b, "))))"};
}

std::string head_text(Term term, bool exact) {
  const auto number = [](unsigned n) { return std::to_string(n); };
  switch (term.kind()) {
    case Kind::Extract:
      return "(_ extract " + number(term.low() + term.width() - 1) + " " +
             number(term.low()) + ")";
    case Kind::ZeroExtend:
    case Kind::SignExtend:
      return std::string(term.kind() == Kind::ZeroExtend ? "(_ zero_extend "
                                                         : "(_ sign_extend ") +
             number(term.width() - term.operand(0).width()) + ")";
    case Kind::ConstantArray:
      return "(as const " + to_smtlib(term.sort()) + ")";
    case Kind::Read:
      return exact ? "agon.read " + number(term.count()) : "select";
    case Kind::Write:
      return exact ? "agon.write" : "store";
    case Kind::Copy:
      return "agon.copy";
    default:
      return operator_name(term.kind(), term.operand(0).sort().is_int());
  }
}

/// Whether plain SMT-LIB has no single operator for a term, so that some of
/// its operands have to be repeated.
bool repeats_operands(Term term) {
  if (term.kind() == Kind::Read || term.kind() == Kind::Write) {
    return term.count() > 1;
  }
  return (term.kind() == Kind::SDivide || term.kind() == Kind::SRemainder) &&
         term.sort().is_int();
}

Pieces pieces_of(Term term, bool exact) {
  if (!exact && repeats_operands(term)) {
    if (term.kind() == Kind::Read) return read_pieces(term);
    if (term.kind() == Kind::Write) return write_pieces(term);
    return integer_division_pieces(term);
  }
  Pieces pieces{"(" + head_text(term, exact)};
  for (const Term operand : term.operands()) append(pieces, {" ", operand});
  pieces.emplace_back(")");
  return pieces;
}

class Writer {
 public:
  explicit Writer(bool exact) : exact_(exact) {}

  std::string run(Term root) {
    find_shared(root);
    for (const Term term : shared_) {
      text_ += "(let ((" + prefix_ + std::to_string(names_.size()) + " ";
      write(term);
      text_ += ")) ";
      names_.emplace(term, prefix_ + std::to_string(names_.size()));
    }
    write(root);
    text_.append(shared_.size(), ')');
    return std::move(text_);
  }

 private:
  /// Finds the terms that occur more than once, and a prefix for their names
  /// that no variable has.
  void find_shared(Term root) {
    tsl::robin_map<Term, unsigned> uses;
    std::vector<Term> order;
    visit_subterms(root, [&](Term term) {
      if (term.kind() == Kind::Variable || term.kind() == Kind::Address) {
        while (term.name().starts_with(prefix_)) prefix_ += '?';
      }
      if (term.operands().empty()) return;
      order.push_back(term);
      const unsigned times = !exact_ && repeats_operands(term) ? 2 : 1;
      for (const Term operand : term.operands()) uses[operand] += times;
    });
    for (const Term term : order) {
      if (uses[term] > 1) shared_.push_back(term);
    }
  }

  void write(Term root) {
    std::vector<Piece> stack{root};
    while (!stack.empty()) {
      const Piece piece = std::move(stack.back());
      stack.pop_back();
      if (const auto* text = std::get_if<std::string>(&piece)) {
        text_ += *text;
        continue;
      }
      const Term term = std::get<Term>(piece);
      const auto name = names_.find(term);
      if (name != names_.end()) {
        text_ += name->second;
      } else if (term.operands().empty()) {
        text_ += leaf_text(term, exact_);
      } else {
        const Pieces pieces = pieces_of(term, exact_);
        stack.insert(stack.end(), pieces.rbegin(), pieces.rend());
      }
    }
  }

  const bool exact_;
  std::string prefix_ = "?";
  std::vector<Term> shared_;
  tsl::robin_map<Term, std::string> names_;
  std::string text_;
};

bool is_simple_symbol(std::string_view name) {
  constexpr std::string_view kOther = "~!@$%^&*_-+=<>.?/";
  constexpr std::string_view kReserved[] = {
      "_",      "!",       "as",          "let",     "exists", "forall",
      "match",  "par",     "true",        "false",   "not",    "and",
      "or",     "ite",     "=",           "=>",      "xor",    "distinct",
      "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"};
  if (name.empty() || (name[0] >= '0' && name[0] <= '9') ||
      std::ranges::find(kReserved, name) != std::end(kReserved) ||
      is_operator_name(name)) {
    return false;
  }
  return std::ranges::all_of(name, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || kOther.find(c) != kOther.npos;
  });
}

}  // namespace

std::string to_smtlib(Term term) { return Writer(false).run(term); }

std::string to_text(Term term) { return Writer(true).run(term); }

bool has_copy(Term term) {
  bool found = false;
  visit_subterms(term, [&](Term t) { found |= t.kind() == Kind::Copy; });
  return found;
}

std::string to_smtlib(Sort sort) {
  switch (sort.kind) {
    case SortKind::Bool:
      return "Bool";
    case SortKind::Int:
      return "Int";
    case SortKind::BitVector:
      return "(_ BitVec " + std::to_string(sort.width) + ")";
    default:
      return "(Array " + to_smtlib(sort.index()) + " " +
             to_smtlib(sort.element()) + ")";
  }
}

std::string quote_symbol(std::string_view name) {
  AGON_ASSERT(name.find_first_of("|\\") == name.npos);
  return is_simple_symbol(name) ? std::string(name)
                                : "|" + std::string(name) + "|";
}

std::string declarations(Term term) {
  std::vector<Term> named;
  visit_subterms(term, [&](Term t) {
    if (t.kind() == Kind::Variable || t.kind() == Kind::Address) {
      named.push_back(t);
    }
  });
  std::ranges::sort(named);
  std::string text;
  for (const Term t : named) {
    text += "(declare-const " + quote_symbol(t.name()) + " " +
            to_smtlib(t.sort()) + ")\n";
  }
  return text;
}

}  // namespace agon::term
