// SPDX-License-Identifier: Apache-2.0
// Random primitive processes against an interpreter of the syntax trees that
// the texts were printed from. A state of the interpreter is the way to it from
// the local process it belongs to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "helpers/random_lts.h"
#include "unit/fsp/fixture.h"
#include "unit/fsp/naive.h"

namespace agon::fsp {
namespace {

using agon::test::below;
using agon::test::Random;
using test::Naive;

using Environment = std::map<std::string, int>;

/// variable + offset, or a number if there is no variable, or a comparison.
struct Term {
  std::string variable;
  int number = 0;
  std::string comparison;  // "", "==", "<", ">="

  std::string text() const {
    if (comparison.empty() && variable.empty()) return std::to_string(number);
    if (comparison.empty()) return fmt::format("{} + {}", variable, number);
    const std::string left = variable.empty() ? "1" : variable;
    return fmt::format("{} {} {}", left, comparison, number);
  }
  int value(const Environment& env) const {
    const int left =
        variable.empty() ? (comparison.empty() ? 0 : 1) : env.at(variable);
    if (comparison == "==") return left == number;
    if (comparison == "<") return left < number;
    if (comparison == ">=") return left >= number;
    return left + number;
  }
};

struct Action {
  std::vector<std::string> names;  // More than one: a set.
  std::optional<Term> index;
  std::string variable;  // Not empty: [variable: 0..top].
  int top = 0;

  std::string text() const {
    std::string result = names[0];
    if (names.size() > 1) result = "{" + names[0] + ", " + names[1] + "}";
    if (index) result += "[" + index->text() + "]";
    if (!variable.empty()) result += fmt::format("[{}:0..{}]", variable, top);
    return result;
  }
};

struct Body;
struct Way {
  std::optional<Term> guard;
  std::vector<Action> actions;
  std::vector<Body> rest;  // One.
};
struct Body {
  enum class Kind { Choice, If, Reference, Special };
  Kind kind = Kind::Choice;
  std::vector<Way> ways;
  Term condition;
  std::vector<Body> sides;
  std::string name;
  std::optional<Term> index;

  std::string text() const {
    std::string result;
    switch (kind) {
      case Kind::Special:
        return name;
      case Kind::Reference:
        return index ? name + "[" + index->text() + "]" : name;
      case Kind::If:
        result =
            fmt::format("if ({}) then {}", condition.text(), sides[0].text());
        return sides.size() > 1 ? result + " else " + sides[1].text() : result;
      case Kind::Choice:
        for (const Way& way : ways) {
          result += result.empty() ? "(" : " | ";
          if (way.guard) result += fmt::format("when ({}) ", way.guard->text());
          for (const Action& action : way.actions) {
            result += action.text() + " -> ";
          }
          result += way.rest[0].text();
        }
        return result + ")";
    }
    return result;
  }
};

struct Local {
  std::string name;
  int top = -1;  // Not negative: indexed by i from 0.
  Body body;
};

class Generator {
 public:
  explicit Generator(Random& random) : random_(random) {}

  std::vector<Local> run() {
    locals_.resize(1 + below(random_, 4));
    for (std::size_t k = 0; k < locals_.size(); ++k) {
      locals_[k].name = k == 0 ? "P" : "L" + std::to_string(k);
      if (k > 0 && below(random_, 2) == 0) {
        locals_[k].top = static_cast<int>(below(random_, 3));
      }
    }
    for (std::size_t k = 0; k < locals_.size(); ++k) {
      std::vector<std::string> scope;
      if (locals_[k].top >= 0) scope.push_back("i");
      locals_[k].body = body(scope, 0, k + 1);
    }
    return std::move(locals_);
  }

 private:
  /// References go to local processes from `first` on, so that those that no
  /// action guards do not go round in circles.
  Body body(const std::vector<std::string>& scope, int depth,
            std::size_t first) {
    Body result;
    const std::size_t die = below(random_, depth > 2 ? 4 : 10);
    if (die < 2 && first < locals_.size()) {
      const std::size_t k = first + below(random_, locals_.size() - first);
      result.kind = Body::Kind::Reference;
      result.name = locals_[k].name;
      if (locals_[k].top >= 0) result.index = term(scope, false);
    } else if (die < 4) {
      result.kind = Body::Kind::Special;
      const char* const names[] = {"STOP", "END", "ERROR"};
      result.name = names[below(random_, 3)];
    } else if (die == 4) {
      result.kind = Body::Kind::If;
      result.condition = term(scope, true);
      do {  // An `else` would belong to an inner `if`.
        result.sides.assign(1, body(scope, depth + 1, first));
      } while (result.sides[0].kind == Body::Kind::If);
      if (below(random_, 2) == 0) {
        result.sides.push_back(body(scope, depth + 1, first));
      }
    } else {
      const std::size_t count = 1 + below(random_, 3);
      for (std::size_t n = 0; n < count; ++n) {
        result.ways.push_back(way(scope, depth));
      }
    }
    return result;
  }

  Way way(std::vector<std::string> scope, int depth) {
    Way result;
    if (below(random_, 3) == 0) result.guard = term(scope, true);
    const std::size_t count = 1 + below(random_, 2);
    for (std::size_t n = 0; n < count; ++n) {
      result.actions.push_back(action(scope));
    }
    result.rest.push_back(body(scope, depth + 1, 0));
    return result;
  }

  Action action(std::vector<std::string>& scope) {
    Action result;
    const char* const names[] = {"a", "b", "c"};
    result.names.push_back(names[below(random_, 3)]);
    if (below(random_, 4) == 0) result.names.push_back("d");
    const std::size_t die = below(random_, 4);
    if (die == 0) result.index = term(scope, false);
    if (die == 1) {
      result.variable = "v" + std::to_string(scope.size());
      result.top = static_cast<int>(below(random_, 3));
      scope.push_back(result.variable);
    }
    return result;
  }

  Term term(const std::vector<std::string>& scope, bool is_condition) {
    Term result;
    if (!scope.empty() && below(random_, 4) > 0) {
      result.variable = scope[below(random_, scope.size())];
    }
    result.number = static_cast<int>(below(random_, 3));
    const char* const comparisons[] = {"==", "<", ">="};
    if (is_condition) result.comparison = comparisons[below(random_, 3)];
    return result;
  }

  Random& random_;
  std::vector<Local> locals_;
};

class Interpreter {
 public:
  explicit Interpreter(const std::vector<Local>& locals) : locals_(locals) {}

  Naive run() {
    Naive all;
    for (const Local& local : locals_) {
      for (int i = std::min(local.top, 0); i <= local.top; ++i) {
        Environment env;
        if (i >= 0) env["i"] = i;
        visit(local.body, env, instance(local.name, i), all);
        if (all.initial.empty()) all.initial = last_;
      }
    }
    Naive reachable;
    reachable.initial = all.initial;
    reachable.alphabet = all.alphabet;
    std::vector<std::string> stack{all.initial};
    while (!stack.empty()) {
      const std::string state = stack.back();
      stack.pop_back();
      if (!reachable.moves.emplace(state, all.moves[state]).second) continue;
      reachable.kinds[state] = all.kinds[state];
      for (const auto& [label, target] : all.moves[state]) {
        stack.push_back(target);
      }
    }
    return reachable;
  }

 private:
  static std::string instance(const std::string& name, int index) {
    return index < 0 ? name : fmt::format("{}.{}", name, index);
  }

  /// Adds the states of a body found at `path`; last_ is the first of them.
  void visit(const Body& body, const Environment& env, const std::string& path,
             Naive& all) {
    const std::string state = name(body, env, path);
    if (body.kind == Body::Kind::If) {
      if (const Body* side = chosen(body, env)) visit(*side, env, path, all);
    } else if (body.kind == Body::Kind::Choice) {
      all.kinds[state] = lts::StateKind::Ordinary;
      all.moves[state];
      for (std::size_t w = 0; w < body.ways.size(); ++w) {
        const Way& way = body.ways[w];
        if (way.guard && way.guard->value(env) == 0) continue;
        step(way, 0, env, state, fmt::format("{}/{}", path, w), all);
      }
    }
    if (state == "END") all.kinds[state] = lts::StateKind::Terminated;
    if (state == "ERROR") all.kinds[state] = lts::StateKind::Error;
    last_ = state;
  }

  void step(const Way& way, std::size_t n, const Environment& env,
            const std::string& source, const std::string& path, Naive& all) {
    const Action& action = way.actions[n];
    for (const std::string& head : action.names) {
      for (int v = 0; v <= action.top; ++v) {
        std::string label = head;
        Environment inner = env;
        if (action.index) {
          label += "." + std::to_string(action.index->value(env));
        }
        if (!action.variable.empty()) {
          label += "." + std::to_string(v);
          inner[action.variable] = v;
        }
        all.alphabet.insert(label);
        const std::string here = path + ">" + label;
        std::string target = here;
        if (n + 1 == way.actions.size()) {
          target = name(way.rest[0], inner, here);
          visit(way.rest[0], inner, here, all);
        } else {
          all.kinds[here] = lts::StateKind::Ordinary;
          step(way, n + 1, inner, here, here, all);
        }
        all.moves[source].emplace(label, target);
      }
    }
  }

  const Body* chosen(const Body& body, const Environment& env) const {
    if (body.condition.value(env) != 0) return &body.sides[0];
    return body.sides.size() > 1 ? &body.sides[1] : nullptr;
  }

  /// The state that a body found at `path` is.
  std::string name(const Body& body, const Environment& env,
                   const std::string& path) const {
    if (body.kind == Body::Kind::Special) return body.name;
    if (body.kind == Body::Kind::Choice) return path;
    if (body.kind == Body::Kind::If) {
      const Body* const side = chosen(body, env);
      return side == nullptr ? "STOP" : name(*side, env, path);
    }
    const int index = body.index ? body.index->value(env) : -1;
    for (const Local& local : locals_) {
      if (local.name != body.name || index > local.top) continue;
      Environment fresh;
      if (index >= 0) fresh["i"] = index;
      return name(local.body, fresh, instance(local.name, index));
    }
    return "ERROR";
  }

  const std::vector<Local>& locals_;
  std::string last_;
};

std::string print(const std::vector<Local>& locals) {
  std::string text;
  for (const Local& local : locals) {
    if (!text.empty()) text += ",\n";
    text += local.name;
    if (local.top >= 0) text += fmt::format("[i:0..{}]", local.top);
    text += " = " + local.body.text();
  }
  return text + ".\n";
}

TEST(FspRandom, ProcessesDenoteWhatTheInterpreterSays) {
  Random random(1);
  std::size_t states = 0;
  for (std::size_t n = 0; n < agon::test::scaled(2000); ++n) {
    const std::vector<Local> locals = Generator(random).run();
    const std::string text = print(locals);
    SCOPED_TRACE(text);
    const Naive expected = Interpreter(locals).run();
    const Naive found = test::to_naive(test::compile(text, "P"));
    states += expected.moves.size();
    ASSERT_EQ(test::difference(expected, found), "");
  }
  EXPECT_GT(states, agon::test::scaled(2000) * 3);  // Not all are trivial.
}

}  // namespace
}  // namespace agon::fsp
