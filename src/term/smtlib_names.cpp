// SPDX-License-Identifier: Apache-2.0
#include "term/smtlib_names.h"

#include <algorithm>
#include <optional>

#include "support/error.h"

namespace agon::term {
namespace {

/// How an operator with one kind is read.
enum class Form { Unary, Binary, Chain, Swapped };

struct Operator {
  std::string_view name;
  Kind kind;
  Form form;
  bool integers;
};

// Where a kind occurs twice for one sort, the first name is the printed one.
constexpr Operator kOperators[] = {
    {"bvneg", Kind::Negate, Form::Unary, false},
    {"bvnot", Kind::BitNot, Form::Unary, false},
    {"bvadd", Kind::Add, Form::Chain, false},
    {"bvsub", Kind::Subtract, Form::Binary, false},
    {"bvmul", Kind::Multiply, Form::Chain, false},
    {"bvudiv", Kind::UDivide, Form::Binary, false},
    {"bvurem", Kind::URemainder, Form::Binary, false},
    {"bvsdiv", Kind::SDivide, Form::Binary, false},
    {"bvsrem", Kind::SRemainder, Form::Binary, false},
    {"bvand", Kind::BitAnd, Form::Chain, false},
    {"bvor", Kind::BitOr, Form::Chain, false},
    {"bvxor", Kind::BitXor, Form::Chain, false},
    {"bvshl", Kind::ShiftLeft, Form::Binary, false},
    {"bvlshr", Kind::ShiftRight, Form::Binary, false},
    {"bvashr", Kind::ShiftRightSigned, Form::Binary, false},
    {"bvult", Kind::ULess, Form::Binary, false},
    {"bvule", Kind::ULessEqual, Form::Binary, false},
    {"bvslt", Kind::SLess, Form::Binary, false},
    {"bvsle", Kind::SLessEqual, Form::Binary, false},
    {"bvugt", Kind::ULess, Form::Swapped, false},
    {"bvuge", Kind::ULessEqual, Form::Swapped, false},
    {"bvsgt", Kind::SLess, Form::Swapped, false},
    {"bvsge", Kind::SLessEqual, Form::Swapped, false},
    {"-", Kind::Negate, Form::Unary, true},
    {"-", Kind::Subtract, Form::Chain, true},
    {"+", Kind::Add, Form::Chain, true},
    {"*", Kind::Multiply, Form::Chain, true},
    {"agon.div", Kind::SDivide, Form::Binary, true},
    {"agon.rem", Kind::SRemainder, Form::Binary, true},
    {"<", Kind::SLess, Form::Binary, true},
    {"<=", Kind::SLessEqual, Form::Binary, true},
    {">", Kind::SLess, Form::Swapped, true},
    {">=", Kind::SLessEqual, Form::Swapped, true},
};

// Operators whose operands have several sorts.
constexpr std::string_view kOtherNames[] = {
    "not",         "and",         "or",        "=>",           "xor",
    "=",           "distinct",    "ite",       "concat",       "extract",
    "zero_extend", "sign_extend", "select",    "store",        "const",
    "agon.read",   "agon.write",  "agon.copy", "agon.address", "div",
    "mod",         "abs"};

const Operator* find_operator(std::string_view name, std::size_t operands) {
  for (const Operator& candidate : kOperators) {
    if (candidate.name != name) continue;
    if (name == "-" && (candidate.form == Form::Unary) != (operands == 1)) {
      continue;
    }
    return &candidate;
  }
  return nullptr;
}

/// One application on its way to become a term.
class Application {
 public:
  Application(Pool& pool, const support::Source& source, const Head& head,
              std::span<const Term> operands)
      : pool_(pool), source_(source), head_(head), args_(operands) {}

  Term run() {
    if (const Operator* known = find_operator(head_.name, args_.size())) {
      return apply(*known);
    }
    if (const Term term = boolean()) return term;
    if (const Term term = width()) return term;
    if (const Term term = array()) return term;
    if (const Term term = integer()) return term;
    fail("there is no operator '" + head_.name + "'");
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    source_.fail(head_.offset, message);
  }

  void check(bool holds, const char* needs) const {
    if (!holds) fail("'" + head_.name + "' needs " + needs);
  }

  void check_count(std::size_t count) const {
    if (args_.size() != count) {
      fail("'" + head_.name + "' takes " + std::to_string(count) +
           (count == 1 ? " operand, not " : " operands, not ") +
           std::to_string(args_.size()));
    }
  }

  void check_booleans() const {
    for (const Term arg : args_) check(arg.sort().is_bool(), "Booleans");
  }

  void check_bits() const {
    for (const Term arg : args_) {
      check(arg.sort().is_bits(), "bit-vectors");
      check(arg.sort() == args_[0].sort(), "operands of one width");
    }
  }

  void check_integers() const {
    for (const Term arg : args_) check(arg.sort().is_int(), "integers");
  }

  Term apply(const Operator& known) {
    if (known.integers) {
      check_integers();
    } else {
      check_bits();
    }
    if (known.form == Form::Unary) {
      check_count(1);
      return pool_.unary(known.kind, args_[0]);
    }
    if (known.form != Form::Chain) {
      check_count(2);
      return known.form == Form::Swapped
                 ? pool_.binary(known.kind, args_[1], args_[0])
                 : pool_.binary(known.kind, args_[0], args_[1]);
    }
    check(args_.size() >= 2, "two operands or more");
    Term result = args_[0];
    for (const Term arg : args_.subspan(1)) {
      result = pool_.binary(known.kind, result, arg);
    }
    return result;
  }

  Term boolean() {
    const std::string& name = head_.name;
    if (name == "ite") return ite();
    if (name == "=" || name == "distinct") return comparison();
    if (name == "not") {
      check_count(1);
      check_booleans();
      return pool_.negation(args_[0]);
    }
    if (name != "and" && name != "or" && name != "=>" && name != "xor") {
      return {};
    }
    check(!args_.empty(), "an operand");
    check_booleans();
    if (name == "and") return pool_.conjunction(args_);
    if (name == "or") return pool_.disjunction(args_);
    if (name == "xor") {
      check_count(2);
      return pool_.negation(pool_.equal(args_[0], args_[1]));
    }
    Term result = args_.back();
    for (std::size_t i = args_.size() - 1; i-- > 0;) {
      result = pool_.implies(args_[i], result);
    }
    return result;
  }

  Term ite() {
    check_count(3);
    check(args_[0].sort().is_bool(), "a Boolean condition");
    check(args_[1].sort() == args_[2].sort(), "branches of one sort");
    return pool_.ite(args_[0], args_[1], args_[2]);
  }

  Term comparison() {
    check(args_.size() >= 2, "two operands or more");
    for (const Term arg : args_) {
      check(arg.sort() == args_[0].sort(), "operands of one sort");
      check(!arg.sort().is_array(), "operands that are not arrays");
    }
    std::vector<Term> parts;
    for (std::size_t i = 1; i < args_.size(); ++i) {
      if (head_.name == "=") {
        parts.push_back(pool_.equal(args_[i - 1], args_[i]));
        continue;
      }
      for (std::size_t j = 0; j < i; ++j) {
        parts.push_back(pool_.negation(pool_.equal(args_[j], args_[i])));
      }
    }
    return pool_.conjunction(parts);
  }

  Term width() {
    const std::string& name = head_.name;
    if (name == "concat") return concat();
    const bool extract = name == "extract";
    if (!extract && name != "zero_extend" && name != "sign_extend") return {};
    check_count(1);
    check(head_.indices.size() == (extract ? 2 : 1),
          extract ? "two indices" : "one index");
    check_bits();
    const unsigned width = args_[0].width();
    const unsigned index = head_.indices[0];
    if (extract) {
      const unsigned low = head_.indices[1];
      check(low <= index && index < width, "indices within the operand");
      return pool_.extract(args_[0], low, index - low + 1);
    }
    check(index <= Sort::kMaxWidth - width, "a result of at most 128 bits");
    return name == "zero_extend" ? pool_.zero_extend(args_[0], width + index)
                                 : pool_.sign_extend(args_[0], width + index);
  }

  Term concat() {
    check(args_.size() >= 2, "two operands or more");
    Term result;
    for (const Term arg : args_) {
      check(arg.sort().is_bits(), "bit-vectors");
      check((result ? result.width() : 0) + arg.width() <= Sort::kMaxWidth,
            "a result of at most 128 bits");
      result = result ? pool_.concat(result, arg) : arg;
    }
    return result;
  }

  void check_array(std::size_t operands) {
    check_count(operands);
    check(args_[0].sort().is_array(), "an array first");
    check(args_[1].sort() == args_[0].sort().index(),
          "an index of the array's index sort");
  }

  void check_block(unsigned count) {
    const Sort sort = args_[0].sort();
    check(count >= 1, "one element or more");
    check(sort.width == 0 ? count == 1 : count <= Sort::kMaxWidth / sort.width,
          "elements of at most 128 bits together");
    check(sort.index_width == 0 || count - 1 <= mask(sort.index_width),
          "different elements");
  }

  Term array() {
    const std::string& name = head_.name;
    if (name == "const") {
      check_count(1);
      check(head_.sort.is_array() && args_[0].sort() == head_.sort.element(),
            "an element of the array's sort");
      return pool_.constant_array(args_[0], head_.sort.index_width);
    }
    if (name == "select" || name == "agon.read") {
      check_array(2);
      const unsigned count = name == "select" ? 1 : head_.indices[0];
      check_block(count);
      return pool_.read(args_[0], args_[1], count);
    }
    if (name == "store" || name == "agon.write") {
      check_array(3);
      return write();
    }
    if (name != "agon.copy") return {};
    check_array(5);
    check(args_[2].sort() == args_[1].sort() &&
              args_[3].sort() == args_[0].sort() &&
              args_[4].sort() == args_[1].sort(),
          "an array, an index, a number, an array and an index");
    return pool_.copy(args_[0], args_[1], args_[2], args_[3], args_[4]);
  }

  Term write() {
    const Sort sort = args_[0].sort();
    const Sort value = args_[2].sort();
    if (value != sort.element()) {
      check(head_.name != "store" && value.is_bits() && sort.width != 0 &&
                value.width % sort.width == 0,
            "a value that consists of elements");
      check_block(value.width / sort.width);
    }
    return pool_.write(args_[0], args_[1], args_[2]);
  }

  /// Division as SMT-LIB defines it, where the remainder is not negative.
  Term integer() {
    const std::string& name = head_.name;
    if (name != "div" && name != "mod" && name != "abs") return {};
    check_integers();
    check_count(name == "abs" ? 1 : 2);
    if (name == "abs") return absolute(args_[0]);
    const Term a = args_[0];
    const Term b = args_[1];
    const Term rest = pool_.binary(Kind::SRemainder, a, b);
    const Term least = pool_.ite(pool_.signed_less(rest, pool_.integer(0)),
                                 pool_.add(rest, absolute(b)), rest);
    if (name == "mod") return least;
    return pool_.binary(Kind::SDivide, pool_.subtract(a, least), b);
  }

  Term absolute(Term a) {
    return pool_.ite(pool_.signed_less(a, pool_.integer(0)), pool_.negate(a),
                     a);
  }

  Pool& pool_;
  const support::Source& source_;
  const Head& head_;
  std::span<const Term> args_;
};

}  // namespace

std::string operator_name(Kind kind, bool integers) {
  switch (kind) {
    case Kind::Not:
      return "not";
    case Kind::And:
      return "and";
    case Kind::Or:
      return "or";
    case Kind::Equal:
      return "=";
    case Kind::Ite:
      return "ite";
    case Kind::Concat:
      return "concat";
    default:
      break;
  }
  const auto* const found =
      std::ranges::find_if(kOperators, [&](const Operator& candidate) {
        return candidate.kind == kind && candidate.integers == integers;
      });
  AGON_ASSERT(found != std::end(kOperators));
  return std::string(found->name);
}

bool is_operator_name(std::string_view name) {
  return std::ranges::find(kOtherNames, name) != std::end(kOtherNames) ||
         std::ranges::find(kOperators, name, &Operator::name) !=
             std::end(kOperators);
}

Term apply_operator(Pool& pool, const support::Source& source, const Head& head,
                    std::span<const Term> operands) {
  return Application(pool, source, head, operands).run();
}

}  // namespace agon::term
