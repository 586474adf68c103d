// SPDX-License-Identifier: Apache-2.0
#include "algol/move.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "support/error.h"
#include "support/suggest.h"

namespace agon::algol {
namespace {

using support::InputError;

std::string value_text(Interval value, const BaseType& type) {
  if (value.is_single()) {
    if (type.data.is_bool) return value.low != 0 ? "true" : "false";
    return fmt::format("{}", value.low);
  }
  return fmt::format("{}..{}", value.low, value.high);
}

/// The type of what a move is about.
BaseType subject(const Move& move, const Tree& tree) {
  if (move.identifier == kNone) return tree.type;
  const Type& type = tree.identifiers[move.identifier].type;
  return move.argument == 0 ? type.result : type.parameters[move.argument - 1];
}

const char* question_word(Sort sort) {
  switch (sort) {
    case Sort::Command:
      return "run";
    case Sort::Expression:
      return "q";
    default:
      return "read";
  }
}

std::string what(const Move& move, const BaseType& type) {
  switch (move.kind) {
    case MoveKind::Ask:
      return question_word(type.sort);
    case MoveKind::Write:
      return fmt::format("write({})", value_text(move.value, type));
    case MoveKind::Answer:
      return value_text(move.value, type);
    case MoveKind::Done:
      return type.sort == Sort::Command ? "done" : "ok";
    case MoveKind::Abort:
      return "abort";
    case MoveKind::Bounds:
      return "bounds";
  }
  return "?";
}

std::string index_text(const Move& move) {
  if (!move.has_index) return "";
  return fmt::format("[{}]", value_text(move.index, {}));
}

}  // namespace

std::string to_string(const Move& move, const Tree& tree) {
  const std::string end = what(move, subject(move, tree));
  if (move.identifier == kNone) return end;
  std::string text = tree.identifiers[move.identifier].name + index_text(move);
  if (move.argument != 0) text += fmt::format(".{}", move.argument);
  return fmt::format("{}.{}", text, end);
}

std::string describe(const Move& move, const Tree& tree) {
  const BaseType type = subject(move, tree);
  if (move.kind == MoveKind::Abort) return "aborts";
  if (move.kind == MoveKind::Bounds) {
    return "uses an index outside of its array";
  }
  std::string name = "the term";
  if (move.identifier != kNone) {
    name = tree.identifiers[move.identifier].name + index_text(move);
  }
  const bool is_argument = move.argument != 0;
  const std::string object =
      is_argument ? fmt::format("argument {}", move.argument) : name;
  const std::string who = is_argument && move.by_environment ? name + " " : "";
  const std::string value = value_text(move.value, type);
  switch (move.kind) {
    case MoveKind::Ask:
      return fmt::format("{}{} {}", who,
                         type.sort == Sort::Command      ? "runs"
                         : type.sort == Sort::Expression ? "evaluates"
                                                         : "reads",
                         is_argument ? "its " + object : object);
    case MoveKind::Write:
      return fmt::format("{}writes {} to {}", who, value,
                         is_argument ? "its " + object : object);
    case MoveKind::Answer:
      return fmt::format("{} {} {}", object,
                         move.value.is_single() ? "is" : "is any of", value);
    default:
      return fmt::format("{} is done", object);
  }
}

Pattern::Match Pattern::match(const Move& move) const {
  if (move.identifier != identifier || move.argument != argument) {
    return Match::No;
  }
  const bool is_question =
      move.kind == MoveKind::Ask || move.kind == MoveKind::Write;
  const bool is_answer =
      move.kind == MoveKind::Answer || move.kind == MoveKind::Done;
  if (any_question ? !is_question
      : any_answer ? !is_answer
                   : move.kind != kind) {
    return Match::No;
  }
  bool is_sure = true;
  if (move.has_index) {
    if (!index.meets(move.index)) return Match::No;
    is_sure = index.contains(move.index);
  }
  if (move.kind == MoveKind::Write || move.kind == MoveKind::Answer) {
    if (!value.meets(move.value)) return Match::No;
    is_sure = is_sure && (move.by_environment || value.contains(move.value));
  }
  return is_sure ? Match::Yes : Match::Maybe;
}

namespace {

/// Reads `NAME[INDEX].ARGUMENT.WHAT`.
class PatternParser {
 public:
  PatternParser(std::string_view text, const Tree& tree)
      : rest_(text), tree_(tree) {
    result_.text = std::string(text);
  }

  Pattern run() {
    if (special()) return result_;
    BaseType type = tree_.type;
    const std::string_view name = take_word();
    const auto it =
        std::ranges::find(tree_.identifiers, name, &Identifier::name);
    if (it != tree_.identifiers.end()) {
      result_.identifier =
          static_cast<std::uint32_t>(it - tree_.identifiers.begin());
      type = suffixes(it->type);
      if (rest_.empty()) {
        result_.any_question = true;
        return result_;
      }
      if (!accept('.')) fail("expected '.'");
    } else {
      rest_ = result_.text;
      if (rest_ == "result") {
        result_.any_answer = true;
        return result_;
      }
    }
    end(type, it != tree_.identifiers.end());
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("move '{}': {}", result_.text, why));
  }

  bool special() {
    // `bounds` is no keyword, and may be declared.
    if (std::ranges::find(tree_.identifiers, rest_, &Identifier::name) !=
        tree_.identifiers.end()) {
      return false;
    }
    if (rest_ == "abort") {
      result_.kind = MoveKind::Abort;
      return true;
    }
    if (rest_ == "bounds") {
      result_.kind = MoveKind::Bounds;
      return true;
    }
    return false;
  }

  bool accept(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view take_word() {
    const std::size_t size = std::min(rest_.find_first_of(".[("), rest_.size());
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  std::optional<std::int64_t> number(std::string_view text) const {
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      return std::nullopt;
    }
    return value;
  }

  std::string_view until(char c) {
    const std::size_t size = rest_.find(c);
    if (size == std::string_view::npos) fail(fmt::format("expected '{}'", c));
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size + 1);
    return text;
  }

  /// `[INDEX]` and `.ARGUMENT`; the type of what remains.
  BaseType suffixes(const Type& type) {
    if (accept('[')) {
      const auto index = number(until(']'));
      if (!index || type.result.sort != Sort::Array || *index < 0 ||
          *index >= type.result.length) {
        fail("there is no such element");
      }
      result_.index = Interval::single(*index);
    }
    if (!rest_.starts_with('.')) return type.result;
    std::string_view after = rest_.substr(1);
    after = after.substr(0, std::min(after.find('.'), after.size()));
    const auto argument = number(after);
    if (!argument || type.is_base()) return type.result;
    if (*argument < 1 ||
        *argument > static_cast<std::int64_t>(type.parameters.size())) {
      fail(fmt::format("there is no argument {}", *argument));
    }
    rest_.remove_prefix(after.size() + 1);
    result_.argument = static_cast<std::uint32_t>(*argument);
    return type.parameters[result_.argument - 1];
  }

  /// `run`, `done`, `q`, `read`, `ok`, `write`, `write(V)` or `V`.
  void end(const BaseType& type, bool has_name) {
    const std::string_view word = take_word();
    const bool is_variable =
        type.sort == Sort::Variable || type.sort == Sort::Array;
    if (word == question_word(type.sort)) {
      result_.kind = MoveKind::Ask;
    } else if (word == (type.sort == Sort::Command ? "done" : "ok") &&
               type.sort != Sort::Expression) {
      result_.kind = MoveKind::Done;
    } else if (word == "write" && is_variable) {
      result_.kind = MoveKind::Write;
      if (accept('(')) result_.value = value(until(')'), type);
    } else if (type.has_data() && is_value(word, type)) {
      result_.kind = MoveKind::Answer;
      result_.value = value(word, type);
    } else {
      no_such_move(word, has_name);
    }
    if (!rest_.empty()) fail(fmt::format("'{}' is too much", rest_));
  }

  bool is_value(std::string_view word, const BaseType& type) const {
    return type.data.is_bool ? word == "true" || word == "false"
                             : number(word).has_value();
  }

  Interval value(std::string_view word, const BaseType& type) const {
    if (!is_value(word, type)) fail(fmt::format("'{}' is no value", word));
    const std::int64_t found =
        type.data.is_bool ? (word == "true" ? 1 : 0) : *number(word);
    if (!type.data.range.contains(found)) {
      fail(fmt::format("{} is not from {} to {}", found, type.data.range.low,
                       type.data.range.high));
    }
    return Interval::single(found);
  }

  [[noreturn]] void no_such_move(std::string_view word, bool has_name) const {
    std::vector<std::string> names;
    if (!has_name) {
      for (const Identifier& identifier : tree_.identifiers) {
        names.push_back(identifier.name);
      }
    }
    fail(fmt::format("the term makes no move '{}'{}", word,
                     support::did_you_mean(word, names)));
  }

  std::string_view rest_;
  const Tree& tree_;
  Pattern result_;
};

}  // namespace

Pattern parse_pattern(std::string_view text, const Tree& tree) {
  return PatternParser(text, tree).run();
}

}  // namespace agon::algol
