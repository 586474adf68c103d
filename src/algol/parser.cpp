// SPDX-License-Identifier: Apache-2.0
#include "algol/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "algol/check.h"
#include "algol/lexer.h"

namespace agon::algol {
namespace {

constexpr int kMaxDepth = 1000;

constexpr std::array kKeywords = {
    std::string_view("abort"), std::string_view("assert"),
    std::string_view("be"),    std::string_view("bool"),
    std::string_view("com"),   std::string_view("do"),
    std::string_view("else"),  std::string_view("exp"),
    std::string_view("false"), std::string_view("fi"),
    std::string_view("if"),    std::string_view("in"),
    std::string_view("int"),   std::string_view("let"),
    std::string_view("nat"),   std::string_view("new"),
    std::string_view("not"),   std::string_view("od"),
    std::string_view("skip"),  std::string_view("then"),
    std::string_view("true"),  std::string_view("var"),
    std::string_view("while"),
};

struct InfixSign {
  std::string_view sign;
  int level;
  Operator op;
};
constexpr int kOrLevel = 0;
constexpr int kComparisonLevel = 2;
constexpr int kUnaryLevel = 5;
constexpr std::array kInfix = {
    InfixSign{"|", kOrLevel, Operator::Or},
    InfixSign{"&", 1, Operator::And},
    InfixSign{"=", kComparisonLevel, Operator::Equal},
    InfixSign{"!=", kComparisonLevel, Operator::NotEqual},
    InfixSign{"<", kComparisonLevel, Operator::Less},
    InfixSign{"<=", kComparisonLevel, Operator::LessEqual},
    InfixSign{">", kComparisonLevel, Operator::Greater},
    InfixSign{">=", kComparisonLevel, Operator::GreaterEqual},
    InfixSign{"+", 3, Operator::Add},
    InfixSign{"-", 3, Operator::Subtract},
    InfixSign{"*", 4, Operator::Multiply},
    InfixSign{"/", 4, Operator::Divide},
    InfixSign{"%", 4, Operator::Remainder},
};

void add(TermPointer& parent, TermPointer child) {
  parent->depth = std::max(parent->depth, child->depth + 1);
  parent->children.push_back(std::move(child));
}

template <class... Children>
TermPointer make(TermKind kind, std::size_t offset, Children... children) {
  auto term = std::make_unique<Term>();
  term->kind = kind;
  term->offset = offset;
  (add(term, std::move(children)), ...);
  return term;
}

class Parser {
 public:
  Parser(const support::Source& source, const Constants& constants)
      : source_(source), constants_(constants), tokens_(tokenize(source)) {}

  Judgement judgement() {
    Judgement result;
    if (!peek().is("|-")) {
      do {
        result.declarations.push_back(declaration());
      } while (accept(","));
    }
    expect("|-", "between the free identifiers and the term");
    result.term = term();
    if (peek().kind != Token::Kind::End) expected("the end of the term");
    return result;
  }

 private:
  /// Guards one level of recursion.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) {
        parser_.source_.fail(
            parser_.peek().offset,
            fmt::format("terms are nested more than {} deep", kMaxDepth));
      }
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  /// For trees that grow in a loop.
  void limit(const Term& term) const {
    if (term.depth < kMaxDepth) return;
    source_.fail(peek().offset, "this term is too long; use 'let' or ':='");
  }

  const Token& peek() const { return tokens_[at_]; }

  Token take() {
    const Token token = peek();
    if (token.kind != Token::Kind::End) ++at_;
    return token;
  }

  bool accept(std::string_view spelling) {
    if (!peek().is(spelling)) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view spelling, std::string_view where) {
    if (!accept(spelling)) expected(fmt::format("'{}' {}", spelling, where));
  }

  [[noreturn]] void expected(const std::string& what) const {
    const Token& token = peek();
    source_.fail(
        token.offset,
        token.kind == Token::Kind::End
            ? fmt::format("expected {}, but the file ends", what)
            : fmt::format("expected {}, but found '{}'", what, token.text));
  }

  std::string name(const std::string& what) {
    if (peek().kind != Token::Kind::Word ||
        std::ranges::count(kKeywords, peek().text) > 0) {
      expected(what);
    }
    return std::string(take().text);
  }

  // Types.

  Declaration declaration() {
    Declaration result;
    result.offset = peek().offset;
    result.name = name("a free identifier");
    expect(":", "and a type behind the identifier");
    std::vector<BaseType> types{base_type()};
    const std::size_t offset = result.offset;
    while (accept("->")) types.push_back(base_type());
    for (const BaseType& type : types) {
      if (types.size() > 1 && type.sort == Sort::Array) {
        source_.fail(offset, "functions have no arrays as arguments");
      }
    }
    result.type.result = types.back();
    types.pop_back();
    result.type.parameters = std::move(types);
    return result;
  }

  BaseType base_type() {
    const Nesting nesting(*this);
    if (accept("(")) {
      const BaseType inner = base_type();
      expect(")", "behind the type");
      return inner;
    }
    if (accept("com")) return {};
    if (accept("exp")) return {Sort::Expression, data(), 0};
    if (accept("var")) return {Sort::Variable, data(), 0};
    return variable_type();
  }

  /// `data` or `data[size]`.
  BaseType variable_type() {
    const Data elements = data();
    if (!accept("[")) return {Sort::Variable, elements, 0};
    const std::int64_t length = size("an array");
    expect("]", "behind the size of the array");
    return {Sort::Array, elements, length};
  }

  Data data() {
    if (accept("bool")) return kBool;
    if (accept("int")) return kInt;
    if (!accept("nat")) expected("a type");
    expect("%", "and the number of values behind 'nat'");
    return {false, {0, size_atom("nat") - 1}};
  }

  std::int64_t size(const std::string& of) {
    const std::size_t offset = peek().offset;
    return checked_size(number_sum(), offset, of);
  }

  std::int64_t size_atom(const std::string& of) {
    const std::size_t offset = peek().offset;
    return checked_size(number_atom(), offset, of);
  }

  std::int64_t checked_size(std::int64_t value, std::size_t offset,
                            const std::string& of) const {
    if (value >= 1 && value <= kLargestSize) return value;
    source_.fail(offset, fmt::format("the size of {} is {}, and has to be "
                                     "from 1 to {}",
                                     of, value, kLargestSize));
  }

  std::int64_t calculate(Operator op, std::int64_t a, std::int64_t b,
                         std::size_t offset) const {
    if (op == Operator::Divide && b == 0) {
      source_.fail(offset, "division by zero");
    }
    std::int64_t value = 0;
    const bool is_too_large =
        op == Operator::Add        ? __builtin_add_overflow(a, b, &value)
        : op == Operator::Subtract ? __builtin_sub_overflow(a, b, &value)
        : op == Operator::Multiply ? __builtin_mul_overflow(a, b, &value)
                                   : false;
    if (is_too_large) source_.fail(offset, "this size is too large");
    return op == Operator::Divide ? a / b : value;
  }

  std::int64_t number_sum() {
    const Nesting nesting(*this);
    std::int64_t value = number_product();
    while (peek().is("+") || peek().is("-")) {
      const Token sign = take();
      value = calculate(sign.is("+") ? Operator::Add : Operator::Subtract,
                        value, number_product(), sign.offset);
    }
    return value;
  }

  std::int64_t number_product() {
    std::int64_t value = number_atom();
    while (peek().is("*") || peek().is("/")) {
      const Token sign = take();
      value = calculate(sign.is("*") ? Operator::Multiply : Operator::Divide,
                        value, number_atom(), sign.offset);
    }
    return value;
  }

  std::int64_t number_atom() {
    if (peek().kind == Token::Kind::Number) return take().value;
    if (accept("(")) {
      const std::int64_t value = number_sum();
      expect(")", "behind the size");
      return value;
    }
    const std::size_t offset = peek().offset;
    const std::string constant = name("a size");
    const auto it = constants_.find(constant);
    if (it != constants_.end()) return it->second;
    source_.fail(offset, fmt::format("'{0}' is not known; give it a value "
                                     "with -D {0}=N",
                                     constant));
  }

  // Terms.

  TermPointer term() {
    const Nesting nesting(*this);
    const std::size_t offset = peek().offset;
    TermPointer first = statement();
    if (!peek().is(";")) return first;
    TermPointer result = make(TermKind::Sequence, offset, std::move(first));
    while (accept(";")) add(result, statement());
    return result;
  }

  TermPointer statement() {
    const Nesting nesting(*this);
    const std::size_t offset = peek().offset;
    if (accept("new")) return new_block(offset);
    if (accept("let")) return let(offset);
    if (accept("\\")) return lambda(offset);
    if (accept("assert")) return assertion(offset);
    if (accept("while")) return loop(offset);
    TermPointer left = infix(kOrLevel);
    const std::size_t assign = peek().offset;
    if (!accept(":=")) return left;
    return make(TermKind::Assign, assign, std::move(left), infix(kOrLevel));
  }

  TermPointer new_block(std::size_t offset) {
    const BaseType declared = variable_type();
    const bool is_array = declared.sort == Sort::Array;
    TermPointer result =
        make(is_array ? TermKind::NewArray : TermKind::NewCell, offset);
    result->declared = declared;
    result->name = name("the name of the new variable");
    if (!is_array) {
      TermPointer initial = make(TermKind::Constant, offset);
      initial->type.result = {Sort::Expression, declared.data, 0};
      if (accept(":=")) initial = infix(kOrLevel);
      add(result, std::move(initial));
    }
    expect("in", "behind the new variable");
    add(result, term());
    return result;
  }

  TermPointer let(std::size_t offset) {
    TermPointer result = make(TermKind::Let, offset);
    result->name = name("a name behind 'let'");
    expect("be", "behind the name");
    add(result, term());
    expect("in", fmt::format("behind what '{}' stands for", result->name));
    add(result, term());
    return result;
  }

  TermPointer lambda(std::size_t offset) {
    TermPointer result = make(TermKind::Lambda, offset);
    result->name = name("the name of the argument");
    expect(":", "and the type of the argument");
    const std::size_t type_offset = peek().offset;
    result->declared = base_type();
    if (result->declared.sort == Sort::Array) {
      source_.fail(type_offset, "functions have no arrays as arguments");
    }
    expect(".", "behind the type of the argument");
    add(result, term());
    return result;
  }

  TermPointer assertion(std::size_t offset) {
    expect("(", "behind 'assert'");
    TermPointer condition = term();
    expect(")", "behind the condition");
    return make(TermKind::Assert, offset, std::move(condition), statement());
  }

  TermPointer loop(std::size_t offset) {
    TermPointer condition = term();
    expect("do", "behind the condition of 'while'");
    TermPointer body = term();
    expect("od", "at the end of 'while'");
    return make(TermKind::While, offset, std::move(condition), std::move(body));
  }

  TermPointer conditional(std::size_t offset) {
    TermPointer condition = term();
    expect("then", "behind the condition of 'if'");
    TermPointer yes = term();
    TermPointer no = make(TermKind::Skip, offset);
    if (accept("else")) no = term();
    expect("fi", "at the end of 'if'");
    return make(TermKind::If, offset, std::move(condition), std::move(yes),
                std::move(no));
  }

  std::optional<InfixSign> infix_sign(int level) const {
    for (const InfixSign& infix : kInfix) {
      if (infix.level == level && peek().is(infix.sign)) return infix;
    }
    return std::nullopt;
  }

  TermPointer infix(int level) {
    if (level == kUnaryLevel) return unary();
    TermPointer left = infix(level + 1);
    while (const auto sign = infix_sign(level)) {
      limit(*left);
      const std::size_t offset = take().offset;
      left = make(TermKind::Binary, offset, std::move(left), infix(level + 1));
      left->op = sign->op;
      if (level == kComparisonLevel) break;
    }
    return left;
  }

  TermPointer unary() {
    const Nesting nesting(*this);
    const std::size_t offset = peek().offset;
    const bool is_not = accept("!") || accept("not");
    if (!is_not && !accept("-")) return postfix();
    TermPointer result = make(TermKind::Unary, offset,
                              is_not ? infix(kComparisonLevel) : unary());
    result->op = is_not ? Operator::Not : Operator::Negate;
    return result;
  }

  TermPointer postfix() {
    TermPointer result = primary();
    while (peek().is("(") || peek().is("[")) {
      limit(*result);
      const std::size_t offset = take().offset;
      if (tokens_[at_ - 1].is("[")) {
        result = index(std::move(result), offset);
        continue;
      }
      result = make(TermKind::Apply, offset, std::move(result));
      do {
        add(result, term());
      } while (accept(","));
      expect(")", "behind the arguments");
    }
    return result;
  }

  TermPointer index(TermPointer array, std::size_t offset) {
    if (array->kind != TermKind::Identifier) {
      source_.fail(offset, "only a name of an array can have an index");
    }
    TermPointer result = make(TermKind::Index, array->offset, term());
    result->name = array->name;
    expect("]", "behind the index");
    return result;
  }

  TermPointer primary() {
    const Nesting nesting(*this);
    const std::size_t offset = peek().offset;
    if (accept("(")) {
      TermPointer inner = term();
      expect(")", "to close the parenthesis");
      return inner;
    }
    if (accept("if")) return conditional(offset);
    if (accept("skip")) return make(TermKind::Skip, offset);
    if (accept("abort")) return make(TermKind::Abort, offset);
    if (peek().is("true") || peek().is("false")) {
      return constant(kBool, take().is("true") ? 1 : 0, offset);
    }
    if (peek().kind == Token::Kind::Number) {
      const std::int64_t value = take().value;
      return constant({false, {value, value}}, value, offset);
    }
    TermPointer result = make(TermKind::Identifier, offset);
    result->name = name("a term");
    return result;
  }

  static TermPointer constant(const Data& data, std::int64_t value,
                              std::size_t offset) {
    TermPointer result = make(TermKind::Constant, offset);
    result->value = value;
    result->type.result = {Sort::Expression, data, 0};
    return result;
  }

  const support::Source& source_;
  const Constants& constants_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Judgement parse(const support::Source& source, const Constants& constants) {
  return Parser(source, constants).judgement();
}

Judgement read_judgement(const support::Source& source,
                         const Constants& constants) {
  Judgement result = parse(source, constants);
  check_types(result, source, constants);
  return result;
}

}  // namespace agon::algol
