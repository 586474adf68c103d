// SPDX-License-Identifier: Apache-2.0
#include "algol/interpreter.h"

#include <limits>
#include <map>
#include <string>
#include <utility>

#include "support/error.h"

namespace agon::algol {
namespace {

struct Scope;

/// A term whose names mean what they mean in `scope`.
struct Thunk {
  const Term* term = nullptr;
  const Scope* scope = nullptr;
  const BaseType* reduce_to = nullptr;  // An argument of that type.
};

/// What a name means. Scopes live on the stack of the interpreter: nothing that
/// refers to one survives the term that made it.
struct Scope {
  enum class Kind : std::uint8_t { Cell, Array, Thunk, Free };
  const Scope* outer = nullptr;
  const std::string* name = nullptr;
  Kind kind = Kind::Free;
  std::int64_t* cell = nullptr;
  std::map<std::int64_t, std::int64_t>* array = nullptr;
  const BaseType* declared = nullptr;
  Thunk thunk;
  std::uint32_t identifier = 0;
  const Type* type = nullptr;
};

/// What the next arguments are, if the term is a function.
struct ArgumentList {
  Thunk thunk;
  const ArgumentList* rest = nullptr;
};

/// A question to a term: its value, or an assignment to it.
struct Question {
  bool is_write = false;
  std::int64_t value = 0;
};

class Interpreter {
 public:
  Interpreter(const Judgement& judgement, Environment& environment,
              std::uint64_t max_steps)
      : judgement_(judgement),
        environment_(environment),
        steps_left_(max_steps) {}

  Ending run() {
    std::map<std::size_t, Scope> scopes;
    const Scope* scope = nullptr;
    for (const Declaration& declaration : judgement_.declarations) {
      Scope& inner = scopes[num_identifiers_];
      inner.outer = scope;
      inner.name = &declaration.name;
      inner.identifier = num_identifiers_++;
      inner.type = &declaration.type;
      scope = &inner;
    }
    const Type& type = judgement_.term->type;
    const auto start = environment_.move({kNone, {{}, type.result}, {}, {}, 0});
    if (!start) return Ending::Left;
    const Question question{start->kind == MoveKind::Write, start->value.low};
    const std::int64_t value = ask(*judgement_.term, scope, nullptr, question);
    if (ending_ != Ending::Answered) return ending_;
    say_answer(kNone, 0, type.result, question.is_write, value);
    return ending_;
  }

 private:
  bool is_over() const { return ending_ != Ending::Answered; }

  void end(Ending ending) {
    if (!is_over()) ending_ = ending;
  }

  void say(Move move) {
    if (!is_over() && !environment_.is_content()) environment_.see(move);
  }

  void say_answer(std::uint32_t identifier, std::uint32_t argument,
                  const BaseType& type, bool was_write, std::int64_t value) {
    Move move;
    move.identifier = identifier;
    move.argument = argument;
    const bool has_value = type.has_data() && !was_write;
    move.kind = has_value ? MoveKind::Answer : MoveKind::Done;
    if (has_value) move.value = Interval::single(value);
    say(move);
  }

  std::int64_t give_up(MoveKind kind) {
    Move move;
    move.kind = kind;
    say(move);
    end(Ending::Aborted);
    return 0;
  }

  std::int64_t value_of(const Term& term, const Scope* scope) {
    return ask(term, scope, nullptr, {});
  }

  /// Every function returns 0 as soon as the play is over.
  std::int64_t ask(const Term& term, const Scope* scope,
                   const ArgumentList* arguments, Question question) {
    if (environment_.is_content()) end(Ending::Left);
    if (steps_left_ == 0) end(Ending::OutOfSteps);
    if (is_over()) return 0;
    --steps_left_;
    switch (term.kind) {
      case TermKind::Skip:
        return 0;
      case TermKind::Abort:
        return give_up(MoveKind::Abort);
      case TermKind::Constant:
        return term.value;
      case TermKind::Identifier:
        return ask_name(find(scope, term.name), arguments, question);
      case TermKind::Index:
        return ask_element(term, scope, question);
      case TermKind::Unary:
        return *apply(term.op, value_of(*term.children[0], scope), 0);
      case TermKind::Binary:
        return operate(term, scope);
      case TermKind::Sequence:
        for (std::size_t i = 0; i + 1 < term.children.size(); ++i) {
          value_of(*term.children[i], scope);
        }
        return ask(*term.children.back(), scope, nullptr, question);
      case TermKind::If: {
        const bool holds = value_of(*term.children[0], scope) != 0;
        return ask(*term.children[holds ? 1 : 2], scope, nullptr, question);
      }
      case TermKind::While:
        while (value_of(*term.children[0], scope) != 0 && !is_over()) {
          value_of(*term.children[1], scope);
        }
        return 0;
      case TermKind::Assign: {
        const std::int64_t value = value_of(*term.children[1], scope);
        return ask(*term.children[0], scope, nullptr, {true, value});
      }
      case TermKind::Assert:
        if (value_of(*term.children[0], scope) == 0) {
          value_of(*term.children[1], scope);
        }
        return 0;
      case TermKind::NewCell:
      case TermKind::NewArray:
        return in_block(term, scope);
      case TermKind::Let: {
        const Scope inner = name_thunk(
            term.name, {term.children[0].get(), scope, nullptr}, scope);
        return ask(*term.children[1], &inner, arguments, question);
      }
      case TermKind::Lambda:
        return enter(term, scope, arguments, question);
      case TermKind::Apply:
        return apply_function(term, scope, arguments, question, 1);
    }
    return 0;
  }

  static const Scope& find(const Scope* scope, const std::string& name) {
    while (*scope->name != name) scope = scope->outer;
    return *scope;
  }

  static Scope name_thunk(const std::string& name, const Thunk& thunk,
                          const Scope* outer) {
    Scope scope;
    scope.outer = outer;
    scope.name = &name;
    scope.kind = Scope::Kind::Thunk;
    scope.thunk = thunk;
    return scope;
  }

  std::int64_t operate(const Term& term, const Scope* scope) {
    const std::int64_t left = value_of(*term.children[0], scope);
    const std::int64_t right = value_of(*term.children[1], scope);
    if (is_over()) return 0;
    const auto value = apply(term.op, left, right);
    return value ? *value : give_up(MoveKind::Abort);
  }

  std::int64_t in_block(const Term& term, const Scope* scope) {
    std::int64_t cell = 0;
    std::map<std::int64_t, std::int64_t> array;
    Scope inner;
    inner.outer = scope;
    inner.name = &term.name;
    inner.declared = &term.declared;
    if (term.kind == TermKind::NewCell) {
      cell =
          reduce(value_of(*term.children[0], scope), term.declared.data.range);
      inner.kind = Scope::Kind::Cell;
      inner.cell = &cell;
    } else {
      inner.kind = Scope::Kind::Array;
      inner.array = &array;
    }
    return value_of_body(*term.children.back(), &inner);
  }

  std::int64_t value_of_body(const Term& body, const Scope* scope) {
    return ask(body, scope, nullptr, {});
  }

  std::int64_t enter(const Term& lambda, const Scope* scope,
                     const ArgumentList* arguments, Question question) {
    const Term& body = *lambda.children[0];
    if (arguments != nullptr) {
      Thunk thunk = arguments->thunk;
      thunk.reduce_to = &lambda.declared;
      const Scope inner = name_thunk(lambda.name, thunk, scope);
      return ask(body, &inner, arguments->rest, question);
    }
    const Type type{{}, lambda.declared};
    Scope inner;  // The environment is the argument.
    inner.outer = scope;
    inner.name = &lambda.name;
    inner.identifier = num_identifiers_++;
    inner.type = &type;
    return ask(body, &inner, nullptr, question);
  }

  /// Puts the arguments in front of the others, the last one first.
  std::int64_t apply_function(const Term& term, const Scope* scope,
                              const ArgumentList* rest, Question question,
                              std::size_t done) {
    if (done == term.children.size()) {
      return ask(*term.children[0], scope, rest, question);
    }
    const std::size_t next = term.children.size() - done;
    const ArgumentList list{{term.children[next].get(), scope, nullptr}, rest};
    return apply_function(term, scope, &list, question, done + 1);
  }

  std::int64_t ask_name(const Scope& named, const ArgumentList* arguments,
                        Question question) {
    switch (named.kind) {
      case Scope::Kind::Cell:
        if (!question.is_write) return *named.cell;
        *named.cell = reduce(question.value, named.declared->data.range);
        return 0;
      case Scope::Kind::Thunk:
        return ask_thunk(named.thunk, arguments, question);
      case Scope::Kind::Free:
        return call(named, arguments, question, nullptr);
      case Scope::Kind::Array:
        break;
    }
    return 0;
  }

  std::int64_t ask_thunk(const Thunk& thunk, const ArgumentList* arguments,
                         Question question) {
    const std::int64_t value =
        ask(*thunk.term, thunk.scope, arguments, question);
    const bool reduces =
        thunk.reduce_to != nullptr && thunk.reduce_to->sort == Sort::Expression;
    return reduces ? reduce(value, thunk.reduce_to->data.range) : value;
  }

  std::int64_t ask_element(const Term& term, const Scope* scope,
                           Question question) {
    const std::int64_t index = value_of(*term.children[0], scope);
    if (is_over()) return 0;
    if (index < 0 || index >= term.declared.length) {
      return give_up(MoveKind::Bounds);
    }
    const Scope& named = find(scope, term.name);
    if (named.kind == Scope::Kind::Free) {
      return call(named, nullptr, question, &index);
    }
    if (!question.is_write) {
      const auto it = named.array->find(index);
      return it == named.array->end() ? 0 : it->second;
    }
    (*named.array)[index] = reduce(question.value, term.declared.data.range);
    return 0;
  }

  /// The environment is asked, and may ask the arguments before it answers.
  std::int64_t call(const Scope& named, const ArgumentList* arguments,
                    Question question, const std::int64_t* index) {
    const std::uint32_t identifier = named.identifier;
    const Type& type = *named.type;
    const std::uint32_t first_missing = num_identifiers_;
    std::size_t given = 0;
    for (const auto* list = arguments; list != nullptr; list = list->rest) {
      ++given;
    }
    num_identifiers_ +=
        static_cast<std::uint32_t>(type.parameters.size() - given);
    Move move;
    move.identifier = identifier;
    move.kind = question.is_write ? MoveKind::Write : MoveKind::Ask;
    move.value = Interval::single(question.value);
    if (index != nullptr) {
      move.has_index = true;
      move.index = Interval::single(*index);
    }
    say(move);
    const Turn turn{identifier, type, question.is_write, index != nullptr,
                    index == nullptr ? 0 : *index};
    while (!is_over()) {
      const auto reaction = environment_.move(turn);
      if (!reaction) {
        end(Ending::Left);
      } else if (reaction->argument == 0) {
        return reaction->value.low;
      } else {
        ask_argument(*reaction, named, arguments, given, first_missing);
      }
    }
    return 0;
  }

  void ask_argument(const Move& reaction, const Scope& named,
                    const ArgumentList* arguments, std::size_t given,
                    std::uint32_t first_missing) {
    const std::size_t place = reaction.argument - 1;
    const BaseType& type = named.type->parameters[place];
    const Question question{reaction.kind == MoveKind::Write,
                            reaction.value.low};
    std::int64_t value = 0;
    if (place < given) {
      for (std::size_t i = 0; i < place; ++i) arguments = arguments->rest;
      Thunk thunk = arguments->thunk;
      thunk.reduce_to = &type;
      value = ask_thunk(thunk, nullptr, question);
    } else {  // The term is a function, and this is its argument.
      const Type missing_type{{}, type};
      Scope missing;
      missing.identifier =
          first_missing + static_cast<std::uint32_t>(place - given);
      missing.type = &missing_type;
      value = call(missing, nullptr, question, nullptr);
    }
    if (is_over()) return;
    say_answer(named.identifier, reaction.argument, type, question.is_write,
               value);
  }

  const Judgement& judgement_;
  Environment& environment_;
  std::uint64_t steps_left_;
  std::uint32_t num_identifiers_ = 0;
  Ending ending_ = Ending::Answered;
};

/// Moves as a play says.
class Script final : public Environment {
 public:
  explicit Script(const Play& play) : play_(play) {}

  void see(const Move& move) override {
    if (!is_instance(move, play_[at_])) {
      has_failed_ = true;
      return;
    }
    seen_.push_back(move);
    ++at_;
  }

  std::optional<Move> move(const Turn& turn) override {
    if (is_content()) return std::nullopt;
    Move move = play_[at_];
    if (!is_legal(move, turn)) {
      has_failed_ = true;
      return std::nullopt;
    }
    ++at_;
    move.value = Interval::single(move.value.low);
    move.index = Interval::single(turn.index);
    seen_.push_back(move);
    return move;
  }

  bool is_content() const override {
    return has_failed_ || at_ >= play_.size();
  }

  std::optional<Play> result() && {
    if (has_failed_ || at_ < play_.size()) return std::nullopt;
    return std::move(seen_);
  }

 private:
  static bool has_value(const Move& move) {
    return move.kind == MoveKind::Write || move.kind == MoveKind::Answer;
  }

  static bool is_instance(const Move& real, const Move& planned) {
    return !planned.by_environment && real.kind == planned.kind &&
           real.identifier == planned.identifier &&
           real.argument == planned.argument &&
           (!has_value(real) || planned.value.contains(real.value)) &&
           (!real.has_index || planned.index.contains(real.index));
  }

  static bool is_legal(const Move& move, const Turn& turn) {
    if (!move.by_environment || move.identifier != turn.identifier) {
      return false;
    }
    const bool is_question =
        move.kind == MoveKind::Ask || move.kind == MoveKind::Write;
    if (move.argument > turn.type.parameters.size()) return false;
    const BaseType& type = move.argument == 0
                               ? turn.type.result
                               : turn.type.parameters[move.argument - 1];
    if (has_value(move) && !type.data.range.contains(move.value)) return false;
    if (move.kind == MoveKind::Write && type.sort != Sort::Variable) {
      return false;
    }
    if (turn.identifier == kNone || move.argument != 0) return is_question;
    const bool gives_value = type.has_data() && !turn.is_write;
    return move.kind == (gives_value ? MoveKind::Answer : MoveKind::Done);
  }

  const Play& play_;
  std::size_t at_ = 0;
  bool has_failed_ = false;
  Play seen_;
};

}  // namespace

Ending interpret(const Judgement& judgement, Environment& environment,
                 std::uint64_t max_steps) {
  return Interpreter(judgement, environment, max_steps).run();
}

std::optional<Play> replay(const Judgement& judgement, const Play& play) {
  Script script(play);
  interpret(judgement, script, std::numeric_limits<std::uint64_t>::max());
  return std::move(script).result();
}

}  // namespace agon::algol
