// SPDX-License-Identifier: Apache-2.0
/// Runs a tree of automata: passes the move from automaton to automaton until
/// somebody has a choice.
///
/// This is composition on the fly (MAGE, Definition 3). There is one move in
/// the tree at a time, the token. The automaton that it arrives at passes it
/// on; all others rest. So between two choices there is nothing to search: the
/// plausible moves are those of one automaton. A choice is the environment's,
/// or it comes from approximation: a state that is forced in the precise model
/// is not forced in the approximate one. The former are certain, the latter not
/// (MAGE, Proposition 7).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algol/array_store.h"
#include "algol/move.h"
#include "algol/origins.h"
#include "algol/precision.h"
#include "algol/tree.h"

namespace agon::algol {

/// A word of a stored state.
struct StateWord {
  std::uint32_t word = 0;
  std::uint32_t value() const { return word; }
  friend bool operator==(StateWord, StateWord) = default;
};

/// What one automaton is about to do.
enum class Stage : std::uint8_t {
  Question,  // The token comes from the parent,
  Answer,    // or from a child.
  // Choices:
  Environment,
  Divisor,      // Is it zero?
  Truth,        // What does a comparison give?
  Store,        // In which part is the new value of a cell,
  Bounds,       // is the index outside,
  IndexPart,    // in which part is it,
  ElementPart,  // in which part is the element that is read,
  WritePart,    // or that is written?
};

/// Options of a choice that differ in a value only.
struct OptionGroup {
  enum class Kind : std::uint8_t {
    AskTerm,      // The environment starts the term,
    WriteTerm,    // or assigns to it,
    AskArgument,  // asks an argument of its own,
    WriteArgument,
    Return,
    Guess,  // A choice of the approximation.
  };
  Kind kind = Kind::Guess;
  std::uint32_t argument = 0;
  std::uint64_t count = 1;
};

class Machine {
 public:
  enum class Status : std::uint8_t {
    Running,
    Choice,
    Ended,  // The play is over: there is an answer, or there never will be.
    Hit,    // A move was made that matches a pattern.
  };

  /// All have to outlive the machine.
  Machine(const Tree& tree, const Precision& precision,
          std::span<const Pattern> patterns);

  /// Goes to the first choice, which is the environment's.
  void start();

  /// Runs on. Returns Running after some time, so that limits can be kept.
  Status run();

  Status status() const { return status_; }
  std::span<const OptionGroup> options() const { return options_; }
  void choose(const OptionGroup& group, std::uint64_t number);

  /// The state at a choice as words that are equal if and only if the states
  /// are; and back.
  void save(std::vector<StateWord>& state) const;
  void load(std::span<const StateWord> state);

  /// From now on, moves and origins are recorded. No state can be loaded.
  void record(Play* play, Origins* origins);

  /// From now on, data are distinguished like this. What is remembered has to
  /// be as it would be if they always had been.
  void use(const Precision& precision);

  /// From now on, notices when it looks at how data of these sites are
  /// divided. Null: it does not.
  void watch(const std::vector<bool>* sites);
  bool has_looked() const { return has_looked_; }
  /// The same, up to the choice where it is now, without its options.
  bool had_looked() const { return had_looked_; }
  void list_again() { list_options(); }

  // What a choice is about.
  const Tree& tree() const { return tree_; }
  const Node& node() const { return tree_.nodes[token_.node]; }
  Stage stage() const { return token_.stage; }
  const Value& value() const { return token_.value; }
  const Value& index() const { return token_.index; }
  const Value& remembered() const { return slots_[node().slot]; }

  /// After a hit: which pattern, and whether the move surely matches.
  std::size_t hit_pattern() const { return hit_pattern_; }
  bool hit_is_certain() const { return hit_is_certain_; }
  const Value& hit_value() const { return hit_value_; }
  const Value& hit_index() const { return hit_index_; }

  std::uint64_t steps() const { return steps_; }

 private:
  // What a Free node remembers: it is being written, or writes an argument.
  static constexpr std::uint32_t kIsWritten = 1;
  static constexpr std::uint32_t kWritesArgument = 2;

  struct Token {
    NodeId node = 0;
    Stage stage = Stage::Environment;
    bool is_write = false;   // Of a question.
    std::uint32_t port = 0;  // Of an answer.
    Value value;
    Value index;
  };

  void step();
  void question();
  void answer();
  void binary_answer();
  void while_answer();
  void cell_question();
  void free_question();
  void ask(NodeId child, bool is_write = false, const Value& value = {});
  void ask_child(std::uint32_t port) { ask(tree_.child(node(), port)); }
  void reply(const Value& value = {});
  void remember_question();
  void pass_question_to(std::uint32_t port);
  void finish_binary(Interval result);
  void store();
  void finish_store();
  void access();
  void access_within_bounds();
  void read_element(std::uint64_t index_part);
  void write_element(std::uint64_t index_part);
  void finish_read(std::uint64_t part);
  void finish_write(std::uint64_t index_part, std::uint64_t part);
  void notice_loop();

  void offer(Stage stage);
  void list_options();
  void list_environment_options();
  std::uint64_t count_guesses() const;
  void choose_guess(std::uint64_t number);
  void environment_returns(std::uint64_t number);
  void emit(Move move);
  Move move_of(MoveKind kind, bool by_environment) const;
  void emit_answer_of(Sort sort, bool was_write, Move move);

  const Partition& partition(std::uint32_t site) const {
    if (watched_ != nullptr && (*watched_)[site]) has_looked_ = true;
    return (*precision_)[site];
  }
  std::uint64_t default_element(const Node& node) const;
  Value part_value(std::uint32_t site, std::uint64_t part, const Value& from);
  Value reduced(const Value& value, Interval range);

  const Tree& tree_;
  const Precision* precision_ = nullptr;
  std::span<const Pattern> patterns_;

  Token token_;
  std::vector<Value> slots_;
  std::vector<std::uint32_t> words_;
  ArrayStore arrays_;
  std::vector<unsigned> index_levels_;  // By site.

  Status status_ = Status::Choice;
  std::vector<OptionGroup> options_;
  std::size_t hit_pattern_ = 0;
  bool hit_is_certain_ = false;
  Value hit_value_;
  Value hit_index_;
  std::uint64_t steps_ = 0;

  // Loops without a choice are noticed by Brent's method: the state is compared
  // with one from earlier, which is renewed at growing distances.
  std::vector<Value> marked_slots_;
  std::vector<std::uint32_t> marked_words_;
  NodeId marked_node_ = kNone;
  std::uint64_t mark_distance_ = 1;
  std::uint64_t since_mark_ = 0;

  const std::vector<bool>* watched_ = nullptr;
  mutable bool has_looked_ = false;
  bool had_looked_ = false;

  Play* play_ = nullptr;
  Origins* origins_ = nullptr;
};

}  // namespace agon::algol
