// SPDX-License-Identifier: Apache-2.0
// Signed overflow as an error, compared with arithmetic on wider integers.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>

#include "frontend/frontend.h"
#include "ir/interpreter.h"

namespace agon::frontend {
namespace {

__extension__ using Wide = __int128;

enum class End : std::uint8_t { Value, Overflow, Undefined };

struct Outcome {
  End end = End::Value;
  Wide value = 0;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  if (outcome.end == End::Overflow) return out << "overflow";
  if (outcome.end == End::Undefined) return out << "undefined";
  return out << static_cast<long long>(outcome.value);
}

/// Signed numbers of one width.
struct Range {
  unsigned bits = 32;

  Outcome fit(Wide value) const {
    const Wide limit = Wide{1} << (bits - 1);
    if (value < -limit || value >= limit) return {End::Overflow, 0};
    return {End::Value, value};
  }
  Outcome apply(char op, Wide a, Wide b) const {
    switch (op) {
      case '+':
        return fit(a + b);
      case '-':
        return fit(a - b);
      case '*':
        return fit(a * b);
      case '<':
        return {End::Value, a < b};
      default:
        if (b == 0) return {End::Undefined, 0};
        if (fit(a / b).end == End::Overflow) return {End::Overflow, 0};
        return fit(op == '/' ? a / b : a % b);
    }
  }
};

class Program {
 public:
  Program(const std::string& text, bool overflow_is_error) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("agon-overflow-" + std::to_string(::getpid()) + ".c");
    std::ofstream(path) << text;
    Options options;
    options.overflow_is_error = overflow_is_error;
    support::Context context;
    const std::vector<std::string> files{path.string()};
    program_ = lower(files, options, context);
    std::filesystem::remove(path);
  }

  Outcome run(const std::string& name, std::vector<Wide> arguments) const {
    ir::InterpreterOptions options;
    for (const Wide argument : arguments) {
      options.arguments.push_back(static_cast<term::Bits>(argument));
    }
    ir::ZeroEnvironment environment;
    const ir::FunctionId function = *program_->find_function(name);
    const ir::Run run =
        ir::interpret(*program_, function, environment, options);
    if (run.outcome == ir::Outcome::Stopped) {
      EXPECT_EQ(program_->functions[run.actions.back().routine.index()].name,
                "__agon_overflow");
      return {End::Overflow, 0};
    }
    EXPECT_EQ(run.outcome, ir::Outcome::Returned);
    const unsigned width =
        program_->types.sort((*program_)[function].results.at(0)).width;
    return {End::Value,
            static_cast<Wide>(term::as_signed(run.results.at(0), width))};
  }

 private:
  std::optional<ir::Program> program_;
};

std::vector<Wide> interesting(Range range, std::mt19937_64& random) {
  const Wide limit = Wide{1} << (range.bits - 1);
  std::vector<Wide> result{-limit,    -limit + 1, -limit / 2, -7, -2, -1,
                           0,         1,          2,          3,  7,  limit / 2,
                           limit / 3, limit - 2,  limit - 1};
  for (int i = 0; i < 8; ++i) {
    const auto bits = static_cast<unsigned>(random() % range.bits);
    const Wide number = static_cast<Wide>(random() >> 1) % (Wide{1} << bits);
    result.push_back(random() % 2 == 0 ? number : -number);
  }
  return result;
}

TEST(Overflow, OfOneOperatorIsFoundExactly) {
  std::mt19937_64 random(1);
  for (const char* type : {"int", "long"}) {
    const Range range{type == std::string("int") ? 32U : 64U};
    const std::vector<Wide> values = interesting(range, random);
    std::string text;
    for (const auto& [name, op] : {std::pair{"add", '+'},
                                   {"sub", '-'},
                                   {"mul", '*'},
                                   {"div", '/'},
                                   {"rem", '%'}}) {
      text += fmt::format(
          "{0} {1}({0} a, {0} b) {{ return a {2} b; }}\n"
          "{0} {1}_to({0} a, {0} b) {{ a {2}= b; return a; }}\n",
          type, name, op);
    }
    for (const char* factor : {"-3", "-1", "0", "1", "10"}) {
      text += fmt::format(
          "{0} times{1}({0} a) {{ return a * {2}; }}\n", type,
          factor[0] == '-' ? std::string("_") + (factor + 1) : factor, factor);
    }
    text += fmt::format("{0} neg({0} a) {{ return -a; }}\n", type);
    text += fmt::format("{0} inc({0} a) {{ a++; return a; }}\n", type);
    text += fmt::format("{0} dec({0} a) {{ return --a; }}\n", type);
    const Program program(text, true);
    for (const Wide a : values) {
      EXPECT_EQ(program.run("neg", {a}), range.fit(-a));
      EXPECT_EQ(program.run("inc", {a}), range.fit(a + 1));
      EXPECT_EQ(program.run("times_3", {a}), range.fit(a * -3));
      EXPECT_EQ(program.run("times_1", {a}), range.fit(-a));
      EXPECT_EQ(program.run("times0", {a}), range.fit(0));
      EXPECT_EQ(program.run("times1", {a}), range.fit(a));
      EXPECT_EQ(program.run("times10", {a}), range.fit(a * 10));
      EXPECT_EQ(program.run("dec", {a}), range.fit(a - 1));
      for (const Wide b : values) {
        for (const auto& [name, op] : {std::pair{"add", '+'},
                                       {"sub", '-'},
                                       {"mul", '*'},
                                       {"div", '/'},
                                       {"rem", '%'}}) {
          const Outcome expected = range.apply(op, a, b);
          if (expected.end == End::Undefined) continue;
          EXPECT_EQ(program.run(name, {a, b}), expected);
          EXPECT_EQ(program.run(std::string(name) + "_to", {a, b}), expected);
        }
      }
    }
  }
}

TEST(Overflow, OfShiftsIsFoundExactly) {
  std::mt19937_64 random(3);
  for (const char* type : {"int", "long"}) {
    const Range range{type == std::string("int") ? 32U : 64U};
    std::string text = fmt::format(
        "{0} by({0} a, unsigned char b) {{ return a << b; }}\n"
        "{0} to({0} a, unsigned char b) {{ a <<= b; return a; }}\n",
        type);
    for (unsigned amount = 0; amount < range.bits; ++amount) {
      text += fmt::format("{0} by{1}({0} a) {{ return a << {1}; }}\n", type,
                          amount);
    }
    const Program program(text, true);
    for (const Wide a : interesting(range, random)) {
      for (unsigned amount = 0; amount < range.bits; ++amount) {
        const Outcome expected = range.fit(a * (Wide{1} << amount));
        EXPECT_EQ(program.run("by", {a, amount}), expected);
        EXPECT_EQ(program.run("to", {a, amount}), expected);
        EXPECT_EQ(program.run(fmt::format("by{}", amount), {a}), expected);
      }
      if (a == 0) continue;
      EXPECT_EQ(program.run("by", {a, range.bits}).end, End::Overflow);
      EXPECT_EQ(program.run("by", {a, 200}).end, End::Overflow);
    }
  }
}

TEST(Overflow, DoesNotConcernNarrowAndUnsignedNumbers) {
  const Program program(
      "int narrow(signed char c) { c++; c += 100; c = c * c; return c; }\n"
      "int none(unsigned a, unsigned b) { return (int)(a + b * a - 1); }\n"
      "int right(int a) { return (int)((unsigned)a << 31) | a >> 3; }\n",
      true);
  EXPECT_EQ(program.run("narrow", {127}),
            (Outcome{End::Value, static_cast<signed char>(28 * 28)}));
  EXPECT_EQ(program.run("none", {0xffffffff, 2}),
            (Outcome{End::Value, static_cast<int>(0xffffffffU * 3 - 1)}));
  EXPECT_EQ(program.run("right", {-1}), (Outcome{End::Value, -1}));
}

TEST(Overflow, IsFoundWhereTheResultIsThrownAway) {
  const char* const kWays[] = {"a + 1;",         "(void)(a + 1);",
                               "a + one();",     "(a + 1) < one();",
                               "-a - 2, b = 3;", "b ? (void)(a + 1) : (void)0;",
                               "b && (a + 1);",  "(void)(b = 1, a + b);"};
  std::string text = "int one(void) { return 1; }\n";
  for (std::size_t i = 0; i < std::size(kWays); ++i) {
    text +=
        fmt::format("int f{}(int a, int b) {{ {} return 5; }}\n", i, kWays[i]);
  }
  const Program program(text, true);
  for (std::size_t i = 0; i < std::size(kWays); ++i) {
    SCOPED_TRACE(kWays[i]);
    const std::string name = fmt::format("f{}", i);
    EXPECT_EQ(program.run(name, {2147483647, 1}).end, End::Overflow);
    EXPECT_EQ(program.run(name, {7, 1}), (Outcome{End::Value, 5}));
  }
}

TEST(Overflow, WrapsIfNothingElseIsAskedFor) {
  const Program program("int add(int a, int b) { return a + b; }\n", false);
  EXPECT_EQ(program.run("add", {2147483647, 1}),
            (Outcome{End::Value, -2147483648LL}));
}

/// An expression over a, b and c that also knows its value.
struct Expression {
  char op = 'v';  // v: variable, k: constant, &, |, ?: by position.
  Wide number = 0;
  std::vector<std::unique_ptr<Expression>> operands;

  std::string text() const {
    switch (op) {
      case 'v':
        return std::string(1, static_cast<char>('a' + number));
      case 'k':
        return fmt::format("{}", static_cast<long long>(number));
      case 'n':
        return "(- " + operands[0]->text() + ")";
      case '?':
        return fmt::format("({} ? {} : {})", operands[0]->text(),
                           operands[1]->text(), operands[2]->text());
      default:
        return fmt::format("({} {} {})", operands[0]->text(),
                           op == '&'   ? "&&"
                           : op == '|' ? "||"
                                       : std::string(1, op),
                           operands[1]->text());
    }
  }

  Outcome value(const std::vector<Wide>& inputs) const {
    if (op == 'v')
      return {End::Value, inputs[static_cast<std::size_t>(number)]};
    if (op == 'k') return {End::Value, number};
    const Outcome first = operands[0]->value(inputs);
    if (first.end != End::Value) return first;
    if (op == 'n') return Range{}.fit(-first.value);
    if (op == '?') return operands[first.value != 0 ? 1 : 2]->value(inputs);
    if (op == '&' && first.value == 0) return {End::Value, 0};
    if (op == '|' && first.value != 0) return {End::Value, 1};
    const Outcome second = operands[1]->value(inputs);
    if (second.end != End::Value) return second;
    if (op == '&' || op == '|') return {End::Value, second.value != 0};
    return Range{}.apply(op, first.value, second.value);
  }
};

std::unique_ptr<Expression> random_expression(std::mt19937_64& random,
                                              int depth) {
  auto result = std::make_unique<Expression>();
  if (depth == 0 || random() % 6 == 0) {
    const bool is_variable = random() % 4 != 0;
    result->op = is_variable ? 'v' : 'k';
    constexpr Wide constants[] = {0, 1, 2, 1000, 65536, 2147483647};
    result->number =
        is_variable ? static_cast<Wide>(random() % 3) : constants[random() % 6];
    return result;
  }
  constexpr std::string_view ops = "++--**/%n&|?<";
  result->op = ops[random() % ops.size()];
  const int count = result->op == 'n' ? 1 : result->op == '?' ? 3 : 2;
  for (int i = 0; i < count; ++i) {
    result->operands.push_back(random_expression(random, depth - 1));
  }
  return result;
}

TEST(Overflow, IsFoundWhereExpressionsAreEvaluatedAndOnlyThere) {
  std::mt19937_64 random(7);
  std::vector<std::unique_ptr<Expression>> expressions;
  std::string text;
  for (int i = 0; i < 150; ++i) {
    expressions.push_back(random_expression(random, 2 + i % 3));
    text += fmt::format("int f{}(int a, int b, int c) {{ return {}; }}\n", i,
                        expressions.back()->text());
  }
  const Program program(text, true);
  const std::vector<Wide> values = interesting(Range{}, random);
  int overflows = 0;
  int normal = 0;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    for (int k = 0; k < 60; ++k) {
      std::vector<Wide> inputs;
      for (int n = 0; n < 3; ++n) {
        inputs.push_back(values[random() % values.size()]);
      }
      const Outcome expected = expressions[i]->value(inputs);
      if (expected.end == End::Undefined) continue;
      ++(expected.end == End::Overflow ? overflows : normal);
      ASSERT_EQ(program.run(fmt::format("f{}", i), inputs), expected)
          << expressions[i]->text();
    }
  }
  EXPECT_GT(overflows, 500);
  EXPECT_GT(normal, 500);
}

}  // namespace
}  // namespace agon::frontend
