// SPDX-License-Identifier: Apache-2.0
/// Random open terms as text: small types, and most constructs of the language.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "helpers/random_lts.h"

namespace agon::test {

class RandomJudgement {
 public:
  explicit RandomJudgement(Random& random) : random_(random) {}

  std::string text() {
    const std::vector<std::string> all = {"x : nat%3",
                                          "e : exp nat%3",
                                          "b : exp bool",
                                          "c : com",
                                          "d : com",
                                          "f : com -> com",
                                          "g : exp nat%3 -> exp nat%2",
                                          "h : nat%3 -> com",
                                          "a : nat%3[2]",
                                          "k : com -> exp nat%3 -> com",
                                          "z : bool",
                                          "s : bool[3]",
                                          "u : nat%1",
                                          "i : exp bool -> exp nat%5",
                                          "j : bool -> exp bool -> exp bool",
                                          "o : com -> nat%3"};
    std::string declarations;
    for (const std::string& declaration : all) {
      if (!chance(1, 3)) continue;
      free_.push_back(declaration.substr(0, 1));
      if (!declarations.empty()) declarations += ", ";
      declarations += declaration;
    }
    if (has_free("x")) numbers_.emplace_back("x");
    if (has_free("z")) truths_.emplace_back("z");
    const int depth = 3 + static_cast<int>(below(random_, 2));
    const std::string term = chance(1, 6)    ? number(depth)
                             : chance(1, 8)  ? truth(depth)
                             : chance(1, 12) ? function(depth)
                             : chance(1, 16) ? place(depth)
                                             : command(depth);
    return fmt::format("{} |- {}", declarations, term);
  }

  /// Straight-line code and counting loops about one array.
  std::string text_about_an_array() {
    std::string body;
    const std::size_t length = 2 + below(random_, 4);
    for (std::size_t i = 0; i < length; ++i) body += array_statement() + "; ";
    return fmt::format(
        "e : exp nat%4, x : nat%4, c : com |- new nat%4[4] r in "
        "new nat%6 v := 0 in {}assert (r[{}] {} {}) {}",
        body, array_index(), chance(1, 2) ? "=" : "<", constant(),
        chance(1, 3) ? "c" : "abort");
  }

  /// Arithmetic on more values, two of which come from outside.
  std::string text_about_numbers() {
    std::string body;
    const std::size_t length = below(random_, 4);
    for (std::size_t i = 0; i < length; ++i) body += step() + "; ";
    return fmt::format(
        "e : exp nat%17, c : com |- new nat%17 u := e in new nat%20 v := {} in "
        "new int w := {} in {}assert ({}) abort; assert ({}) c",
        chance(1, 2) ? "e" : "u", linear(), body, condition(), condition());
  }

 private:
  std::string variable() {
    static const std::vector<std::string> names = {"u", "v", "w"};
    return one_of(names);
  }
  std::string linear() {
    static const std::vector<std::string> operators = {"+", "-", "*", "/", "%"};
    const std::string right = chance(1, 2)
                                  ? natural_variable()
                                  : fmt::format("{}", 1 + below(random_, 12));
    return fmt::format("{} {} {}", natural_variable(), one_of(operators),
                       right);
  }
  /// Declared before `w`, whose first value is made of them.
  std::string natural_variable() { return chance(1, 2) ? "u" : "v"; }
  std::string condition() {
    static const std::vector<std::string> operators = {"<",  "<=", ">",
                                                       ">=", "=",  "!="};
    const std::string right =
        chance(1, 2) ? variable() : fmt::format("{}", below(random_, 25));
    return fmt::format("{} {} {}{}", chance(1, 3) ? linear() : variable(),
                       one_of(operators), right,
                       chance(1, 3) ? " | " + condition() : "");
  }
  std::string step() {
    const std::string assignment =
        fmt::format("{} := {}", variable(), linear());
    if (chance(1, 3)) {
      return fmt::format("if {} then {} fi", condition(), assignment);
    }
    if (chance(1, 6)) {
      return fmt::format("while v > {} do v := v - 1; {} od",
                         below(random_, 20),
                         chance(1, 2) ? "skip" : "w := w + 3");
    }
    return assignment;
  }

  std::string array_index() {
    static const std::vector<std::string> indices = {"0", "1",   "2",  "3",
                                                     "e", "e+1", "v%4"};
    return one_of(indices);
  }
  std::string array_value() {
    static const std::vector<std::string> values = {"1", "2", "3",  "e",
                                                    "x", "v", "v+1"};
    return one_of(values);
  }
  std::string array_write() {
    return fmt::format("r[{}] := {}", array_index(), array_value());
  }
  std::string array_statement() {
    switch (below(random_, 6)) {
      case 0:
        return fmt::format("v := r[{}]", array_index());
      case 1:
        return fmt::format("if r[{}] = {} then {} else {} fi", array_index(),
                           constant(), array_write(), array_write());
      case 2:
        return fmt::format(
            "v := 0; while v < {} do {}; v := v+1 od", 2 + below(random_, 4),
            chance(1, 2) ? fmt::format("r[v%4] := {}", array_value()) : "skip");
      default:
        return array_write();
    }
  }

  bool chance(std::size_t part, std::size_t of) {
    return below(random_, of) < part;
  }
  bool has_free(const std::string& name) const {
    return std::ranges::count(free_, name) > 0;
  }
  std::string one_of(const std::vector<std::string>& names) {
    return names[below(random_, names.size())];
  }
  std::string constant() { return fmt::format("{}", below(random_, 4)); }

  std::string number(int depth) {
    switch (below(random_, depth <= 0 ? 4 : 11)) {
      case 0:
        return constant();
      case 1:
      case 2:
        return numbers_.empty() ? constant() : one_of(numbers_);
      case 3:
        return has_free("e") ? "e" : constant();
      case 4:
        return fmt::format("({} + {})", number(depth - 1), number(depth - 1));
      case 5:
        return fmt::format("({} - {})", number(depth - 1), number(depth - 1));
      case 6:
        return fmt::format("({} {} {})", number(depth - 1),
                           chance(1, 2)   ? "*"
                           : chance(1, 2) ? "/"
                                          : "%",
                           number(depth - 1));
      case 7:
        return has_free("g")   ? fmt::format("g({})", number(depth - 1))
               : has_free("i") ? fmt::format("i({})", truth(depth - 1))
               : has_free("u") ? "u"
                               : element(depth);
      case 8:
        return element(depth);
      case 9:
        return fmt::format("(if {} then {} else {} fi)", truth(depth - 1),
                           number(depth - 1), number(depth - 1));
      default:
        return fmt::format("({}; {})", command(depth - 1), number(depth - 1));
    }
  }

  /// An element of an array, mostly with an index that it has.
  std::string element(int depth) {
    if (has_free("a") && chance(1, 2)) {
      return fmt::format("a[{}]", index(depth));
    }
    return arrays_.empty()
               ? constant()
               : fmt::format("{}[{}]", one_of(arrays_), index(depth));
  }
  std::string index(int depth) {
    return chance(1, 2) ? fmt::format("{}", below(random_, 2))
                        : number(depth - 1) + "*1";
  }

  std::string truth(int depth) {
    static const std::vector<std::string> comparisons = {"<",  "<=", ">",
                                                         ">=", "=",  "!="};
    switch (below(random_, depth <= 0 ? 4 : 9)) {
      case 0:
        return has_free("b") ? "b" : "true";
      case 1:
        if (!truths_.empty()) return one_of(truths_);
        break;
      case 7:
        if (has_free("s")) return fmt::format("s[{}]", index(depth));
        break;
      case 8:
        if (has_free("j") && !truths_.empty()) {
          return fmt::format("j({}, {})", one_of(truths_), truth(depth - 1));
        }
        break;
      case 4:
        return fmt::format("({} & {})", truth(depth - 1), truth(depth - 1));
      case 5:
        return fmt::format("({} | {})", truth(depth - 1), truth(depth - 1));
      case 6:
        return fmt::format("(!{})", truth(depth - 1));
      default:
        break;
    }
    return fmt::format("({} {} {})", number(depth - 1), one_of(comparisons),
                       number(depth - 1));
  }

  /// A function, whose arguments the environment has.
  std::string function(int depth) {
    const std::string name = fmt::format("t{}", ++fresh_);
    if (has_free("k") && chance(1, 3)) return "k";
    if (chance(1, 2)) {
      return fmt::format("\\{0}:com. \\{0}n:exp nat%3. {1}; {0}; {0}n", name,
                         command(depth - 1));
    }
    numbers_.push_back(name);
    const std::string body = command(depth - 1);
    numbers_.pop_back();
    return fmt::format("\\{}:nat%3. {}", name, body);
  }

  /// A variable of type nat%3, if there is one.
  std::string place(int depth) {
    if (has_free("o") && chance(1, 2)) return "o(" + command(depth - 1) + ")";
    if (numbers_.empty()) return number(depth);
    return fmt::format("({}; {})", command(depth - 1), local());
  }

  std::string assignment(int depth) {
    std::vector<std::string> targets = numbers_;
    if (!arrays_.empty()) {
      targets.push_back(fmt::format("{}[{}]", one_of(arrays_), index(depth)));
    }
    if (has_free("a")) targets.push_back(fmt::format("a[{}]", index(depth)));
    if (has_free("o")) targets.push_back("o(" + leaf() + ")");
    if (!truths_.empty() && chance(1, 3)) {
      return fmt::format("{} := {}", one_of(truths_), truth(depth - 1));
    }
    if (has_free("s") && chance(1, 4)) {
      return fmt::format("s[{}] := {}", index(depth), truth(depth - 1));
    }
    if (numbers_.size() > 1) {
      targets.push_back(fmt::format("(if {} then {} else {} fi)",
                                    truth(depth - 1), local(), local()));
    }
    if (targets.empty()) return "skip";
    return fmt::format("{} := {}", one_of(targets), number(depth - 1));
  }

  /// Of the type that all variables have.
  std::string local() { return one_of(numbers_); }

  std::string command(int depth) {
    if (depth <= 0) return leaf();
    switch (below(random_, 17)) {
      case 14:
        return new_truth(depth);
      case 15:
        return nested_function(depth);
      case 16:
        return variable_function(depth);
      case 0:
      case 1:
        return fmt::format("{}; {}", command(depth - 1), command(depth - 1));
      case 2:
        return fmt::format("if {} then {} else {} fi", truth(depth - 1),
                           command(depth - 1), command(depth - 1));
      case 3:
        return fmt::format("while {} do {} od", truth(depth - 1),
                           command(depth - 1));
      case 4:
      case 5:
        return new_cell(depth);
      case 6:
        return new_array(depth);
      case 7:
        return fmt::format("(assert ({}) {})", truth(depth - 1), leaf());
      case 8:
        return call(depth);
      case 9:
        return let(depth);
      case 10:
        return fmt::format("(\\p{0}:com. p{0}; {1}; p{0})({2})", ++fresh_,
                           command(depth - 1), command(depth - 1));
      case 11:
        return number_function(depth);
      default:
        return assignment(depth);
    }
  }

  std::string leaf() {
    switch (below(random_, 6)) {
      case 0:
        return "abort";
      case 1:
        return has_free("c") ? "c" : "skip";
      case 2:
        return has_free("d") ? "d" : "skip";
      default:
        return assignment(1);
    }
  }

  std::string new_cell(int depth) {
    const std::string name = fmt::format("v{}", ++fresh_);
    const std::string initial = number(depth - 1);
    numbers_.push_back(name);
    const std::string body = command(depth - 1);
    numbers_.pop_back();
    return fmt::format("(new nat%3 {} := {} in {})", name, initial, body);
  }

  std::string new_truth(int depth) {
    const std::string name = fmt::format("y{}", ++fresh_);
    const std::string initial = truth(depth - 1);
    truths_.push_back(name);
    const std::string body = command(depth - 1);
    truths_.pop_back();
    return fmt::format("(new bool {} := {} in {})", name, initial, body);
  }

  /// Two arguments, of which the second is used inside of the first.
  std::string nested_function(int depth) {
    const std::string name = fmt::format("m{}", ++fresh_);
    return fmt::format(
        "((\\{0}:com. \\{0}n:exp nat%5. {0}; assert ({0}n {1} {2}) {3}) ({4}) "
        "({5}))",
        name, chance(1, 2) ? "<" : "!=", number(depth - 2), leaf(),
        command(depth - 1), number(depth - 1));
  }

  /// A variable passed by name, which is used and assigned to.
  std::string variable_function(int depth) {
    if (numbers_.empty()) return command(depth - 1);
    const std::string given = local();
    const std::string name = fmt::format("n{}", ++fresh_);
    numbers_.push_back(name);
    const std::string body = command(depth - 1);
    numbers_.pop_back();
    return fmt::format("((\\{0}:nat%3. {1}; {0} := {0} + 1) ({2}))", name, body,
                       given);
  }

  std::string new_array(int depth) {
    const std::string name = fmt::format("r{}", ++fresh_);
    arrays_.push_back(name);
    const std::string body = command(depth - 1);
    arrays_.pop_back();
    return fmt::format("(new nat%4[3] {} in {})", name, body);
  }

  std::string call(int depth) {
    std::vector<std::string> calls;
    if (has_free("f")) calls.push_back("f(" + command(depth - 1) + ")");
    if (has_free("h") && !numbers_.empty())
      calls.push_back("h(" + local() + ")");
    if (has_free("k")) {
      calls.push_back("k(" + command(depth - 1) + ", " + number(depth - 1) +
                      ")");
    }
    return calls.empty() ? command(depth - 1) : one_of(calls);
  }

  std::string let(int depth) {
    const std::string name = fmt::format("l{}", ++fresh_);
    return fmt::format("(let {0} be {1} in {2}; {0}; {0})", name,
                       command(depth - 1), command(depth - 1));
  }

  std::string number_function(int depth) {
    const std::string name = fmt::format("q{}", ++fresh_);
    const std::string given = number(depth - 1);
    const std::string twice = chance(1, 2) ? given : name + "f(" + given + ")";
    return fmt::format(
        "(let {0}f be (\\{0}:exp nat%4. {0} + {0}) in {1})", name,
        numbers_.empty()
            ? fmt::format("assert ({}f({}) < 4) {}", name, twice, leaf())
            : fmt::format("{} := {}f({})", local(), name, twice));
  }

  Random& random_;
  std::vector<std::string> free_;
  std::vector<std::string> numbers_;
  std::vector<std::string> truths_;
  std::vector<std::string> arrays_;
  int fresh_ = 0;
};

}  // namespace agon::test
