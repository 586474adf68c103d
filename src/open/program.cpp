// SPDX-License-Identifier: Apache-2.0
#include "open/program.h"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "ir/actions.h"
#include "support/error.h"

// A node becomes code that runs from `here_`, and the term that it answers. A
// term speaks of variables, so whatever has to outlive the code of another node
// is saved first. Numbers are terms of 64 bits; variables are as wide as C's.

namespace agon::open {
namespace {

using algol::Interval;
using algol::MoveKind;
using algol::Node;
using algol::NodeId;
using algol::NodeKind;
using algol::Operator;
using algol::Sort;
using ir::LocationId;
using ir::VariableId;
using term::Kind;
using term::Term;

constexpr unsigned kWide = 64;
constexpr unsigned kNarrow = 32;
constexpr unsigned kBool = 8;
constexpr std::size_t kMaxLocations = 20'000;
constexpr int kMaxDepth = 2'000;
constexpr const char* kReached = "__agon_reached";

/// Thrown by the writer, and caught in this file.
struct TooLarge {};

/// What a node answers, and where that lies at most.
struct Number {
  Term term;
  Interval range;
};

/// What a node is asked: its value, or an assignment.
struct Question {
  bool is_write = false;
  Number value = {};
};

/// What a move is about.
struct Said {
  MoveKind kind = MoveKind::Ask;
  bool by_environment = false;
  std::uint32_t identifier = algol::kNone;
  std::uint32_t argument = 0;
  Number value = {};
  const Number* index = nullptr;
};

class Writer {
 public:
  Writer(const algol::Tree& tree, std::span<const algol::Pattern> patterns)
      : tree_(tree),
        patterns_(patterns),
        program_(ir::DataModel::LP64),
        pool_(*program_.pool),
        cells_(tree.num_slots),
        arrays_(tree.num_words) {
    ir::Function reached;
    reached.name = reached.display = kReached;
    reached_ = program_.add_function(std::move(reached));
    ir::Function term;
    term.name = term.display = "term";
    entry_ = program_.add_function(std::move(term));
    choice_ = variable("choice", term::Sort::bits(kNarrow));
  }

  TermProgram run() {
    here_ = location();
    body_.set_entry(here_);
    body_.set_exit(location());
    root();
    body_.add_edge({here_, body_.exit(), ir::Return{{}}, {}, {}});
    body_.finish();
    ir::Function& entry = program_.functions[entry_.index()];
    entry.body = std::move(body_);
    entry.has_body = true;
    const std::string name = kReached;
    ir::mark_errors(program_, std::span(&name, 1));
    return {std::move(program_), entry_};
  }

 private:
  // Statements.

  LocationId location() {
    if (body_.num_locations() >= kMaxLocations) throw TooLarge();
    return body_.add_location();
  }

  void add(ir::Statement statement) {
    const LocationId next = location();
    body_.add_edge({here_, next, std::move(statement), {}, {}});
    here_ = next;
  }

  void go_to(LocationId to) {
    body_.add_edge({here_, to, ir::Assume{pool_.boolean(true)}, {}, {}});
  }

  /// Goes on where the condition holds; what is answered is where it does not.
  LocationId fork(Term condition) {
    const LocationId others = location();
    body_.add_edge(
        {here_, others, ir::Assume{pool_.negation(condition)}, {}, {}});
    add(ir::Assume{condition});
    return others;
  }

  /// Nothing follows.
  void end() { here_ = location(); }

  VariableId variable(const std::string& name, term::Sort sort) {
    ir::Variable variable;
    variable.name = variable.display = name;
    variable.owner = entry_;
    if (sort.is_array()) variable.kind = ir::VariableKind::Memory;
    const VariableId id = program_.add_variable(std::move(variable), sort);
    program_.functions[entry_.index()].locals.push_back(id);
    return id;
  }

  // Numbers.

  Term constant(std::int64_t value) {
    return pool_.bits(
        static_cast<term::Bits>(static_cast<std::uint64_t>(value)), kWide);
  }
  Number single(std::int64_t value) {
    return {constant(value), Interval::single(value)};
  }
  Term is_zero(const Number& number) {
    return pool_.equal(number.term, constant(0));
  }
  Term less_equal(Term a, Term b) {
    return pool_.binary(Kind::SLessEqual, a, b);
  }
  Term lies_in(const Number& number, Interval range) {
    if (range.contains(number.range)) return pool_.boolean(true);
    return pool_.conjunction({less_equal(constant(range.low), number.term),
                              less_equal(number.term, constant(range.high))});
  }

  /// A number that outlives what happens next.
  Number save(const Number& number) {
    if (!number.term.valid() || number.term.is_constant()) return number;
    const VariableId saved = variable("saved", term::Sort::bits(kWide));
    add(ir::Assign{saved, number.term});
    return {program_[saved].term, number.range};
  }

  Number reduce(const Number& number, Interval range) {
    if (range.contains(number.range)) return number;
    const auto size = static_cast<std::uint64_t>(range.high - range.low) + 1;
    if (std::has_single_bit(size)) {
      const auto bits = static_cast<unsigned>(std::countr_zero(size));
      const Term low = bits == 0 ? Term() : pool_.extract(number.term, 0, bits);
      if (bits == 0) return single(range.low);
      return {pool_.resize(low, kWide, range.low < 0), range};
    }
    AGON_ASSERT(range.low == 0);
    const Term modulus = constant(static_cast<std::int64_t>(size));
    const Term rest = pool_.binary(Kind::SRemainder, number.term, modulus);
    const Term positive = pool_.ite(pool_.signed_less(rest, constant(0)),
                                    pool_.add(rest, modulus), rest);
    return {pool_.ite(lies_in(number, range), number.term, positive), range};
  }

  static unsigned width(Interval range) {
    return range.high <= 1 && range.low == 0 ? kBool : kNarrow;
  }
  Term narrow(const Number& number, Interval range) {
    return pool_.extract(reduce(number, range).term, 0, width(range));
  }
  /// What a variable or element holds, which is in the range always.
  Number widen(Term stored, Interval range) {
    return {pool_.resize(stored, kWide, range.low < 0), range};
  }
  /// The engine need not find out that it is.
  Number known(Number number) {
    const std::int64_t full = std::int64_t{1} << width(number.range);
    if (number.range.high - number.range.low + 1 == full) return number;
    const Interval all = {0, full - 1};
    add(ir::Assume{lies_in({number.term, all}, number.range)});
    return number;
  }

  /// A value of the environment; see the header for when it is an input.
  Number input(Interval range) {
    if (range.is_single()) return single(range.low);
    const VariableId given = variable("input", term::Sort::bits(width(range)));
    add(ir::Havoc{given, ir::HavocReason::Input, {}});
    return known(widen(program_[given].term, range));
  }

  // Moves.

  void say(const Said& said) {
    algol::Move move;
    move.kind = said.kind;
    move.by_environment = said.by_environment;
    move.identifier = said.identifier;
    move.argument = said.argument;
    move.value = said.value.range;
    move.has_index = said.index != nullptr;
    if (move.has_index) move.index = said.index->range;
    const bool has_value =
        said.kind == MoveKind::Write || said.kind == MoveKind::Answer;
    for (const algol::Pattern& pattern : patterns_) {
      if (pattern.match(move) == algol::Pattern::Match::No) continue;
      std::vector<Term> conditions{pool_.boolean(true)};
      if (has_value) conditions.push_back(lies_in(said.value, pattern.value));
      if (move.has_index) {
        conditions.push_back(lies_in(*said.index, pattern.index));
      }
      const LocationId others = fork(pool_.conjunction(conditions));
      ir::Call call;
      call.callee = reached_;
      add(std::move(call));
      here_ = others;
    }
  }

  void say_answer(Sort sort, bool was_write, Said said) {
    const bool is_done = sort == Sort::Command || was_write;
    said.kind = is_done ? MoveKind::Done : MoveKind::Answer;
    say(said);
  }

  Number give_up(MoveKind kind) {
    say({.kind = kind});
    end();
    return single(0);
  }

  // Nodes.

  void root() {
    const Node& at = tree_.nodes[0];
    const NodeId child = tree_.child(at, 0);
    const auto start = [&](const Question& question) {
      say({.kind = question.is_write ? MoveKind::Write : MoveKind::Ask,
           .by_environment = true,
           .value = question.value});
      const Number value = ask(child, question);
      say_answer(tree_.type.sort, question.is_write, {.value = value});
    };
    if (tree_.type.sort != Sort::Variable) return start({});
    const LocationId after = location();
    const LocationId others = choose(0);
    start({});
    go_to(after);
    here_ = others;
    start({true, save(input(at.range))});
    go_to(after);
    here_ = after;
  }

  /// Goes on where the environment chooses this option.
  LocationId choose(std::uint32_t option) {
    if (option == 0) add(ir::Havoc{choice_, ir::HavocReason::Input, {}});
    return fork(
        pool_.equal(program_[choice_].term, pool_.bits(option, kNarrow)));
  }

  Number ask(NodeId id, const Question& question) {
    if (++depth_ > kMaxDepth) throw TooLarge();
    const Number answer = ask_kind(tree_.nodes[id], question);
    --depth_;
    return answer;
  }
  Number ask_child(const Node& at, std::uint32_t port) {
    return ask(tree_.child(at, port), {});
  }

  Number ask_kind(const Node& at, const Question& question) {
    switch (at.kind) {
      case NodeKind::Skip:
        return {};
      case NodeKind::Abort:
        return give_up(MoveKind::Abort);
      case NodeKind::Constant:
        return single(at.range.low);
      case NodeKind::Unary:
        return unary(at.op, ask_child(at, 0));
      case NodeKind::Binary:
        return binary(at);
      case NodeKind::Convert:
        return reduce(ask_child(at, 0), at.range);
      case NodeKind::Sequence:
        return sequence(at, question);
      case NodeKind::If:
        return branch(at, question);
      case NodeKind::While:
        return loop(at);
      case NodeKind::Assign:
        return ask(tree_.child(at, 0), {true, save(ask_child(at, 1))});
      case NodeKind::NewCell:
        store(cell(at.slot, at.range), ask_child(at, 0), at.range);
        return ask_child(at, 1);
      case NodeKind::NewArray:
        // An array that nobody uses has no width, and need not exist.
        new_array(at);
        return ask_child(at, 0);
      case NodeKind::Cell:
        return use_cell(at, question);
      case NodeKind::Element:
      case NodeKind::FreeElement:
        return element(at, question);
      case NodeKind::Use:
        return ask(tree_.child(tree_.nodes[at.target], 0), question);
      case NodeKind::Free:
        return call(at, question, nullptr);
      case NodeKind::Root:
      case NodeKind::Shared:
        break;
    }
    AGON_ASSERT(!"this automaton is never asked");
    return {};
  }

  Number unary(Operator op, const Number& operand) {
    const Interval range = apply(op, operand.range, {});
    if (op == Operator::Negate) return {pool_.negate(operand.term), range};
    return truth(is_zero(operand), range);
  }

  Number truth(Term condition, Interval range) {
    return {pool_.ite(condition, constant(1), constant(0)), range};
  }

  Number binary(const Node& at) {
    const Number left = save(ask_child(at, 0));
    Number right = ask_child(at, 1);
    if (at.op == Operator::Divide || at.op == Operator::Remainder) {
      if (right.range == Interval::single(0)) return give_up(MoveKind::Abort);
      if (right.range.contains(0)) {
        right = save(right);
        const LocationId others = fork(is_zero(right));
        give_up(MoveKind::Abort);
        here_ = others;
      }
    }
    return operate(at.op, left, right);
  }

  Number operate(Operator op, const Number& left, const Number& right) {
    const Interval range = apply(op, left.range, right.range);
    const Term a = left.term;
    const Term b = right.term;
    switch (op) {
      case Operator::Add:
        return {pool_.add(a, b), range};
      case Operator::Subtract:
        return {pool_.subtract(a, b), range};
      case Operator::Multiply:
        return {pool_.multiply(a, b), range};
      case Operator::Divide:
        return {pool_.binary(Kind::SDivide, a, b), range};
      case Operator::Remainder:
        return {pool_.binary(Kind::SRemainder, a, b), range};
      case Operator::Less:
        return truth(pool_.signed_less(a, b), range);
      case Operator::LessEqual:
        return truth(less_equal(a, b), range);
      case Operator::Greater:
        return truth(pool_.signed_less(b, a), range);
      case Operator::GreaterEqual:
        return truth(less_equal(b, a), range);
      case Operator::Equal:
        return truth(pool_.equal(a, b), range);
      case Operator::NotEqual:
        return truth(pool_.negation(pool_.equal(a, b)), range);
      case Operator::And:
        return truth(pool_.conjunction({pool_.negation(is_zero(left)),
                                        pool_.negation(is_zero(right))}),
                     range);
      case Operator::Or:
        return truth(pool_.disjunction({pool_.negation(is_zero(left)),
                                        pool_.negation(is_zero(right))}),
                     range);
      case Operator::Negate:
      case Operator::Not:
        break;
    }
    AGON_ASSERT(!"this operator has one operand");
    return {};
  }

  Number sequence(const Node& at, const Question& question) {
    for (std::uint32_t i = 0; i + 1 < at.num_children; ++i) ask_child(at, i);
    return ask(tree_.child(at, at.num_children - 1), question);
  }

  Number branch(const Node& at, const Question& question) {
    const Number condition = ask_child(at, 0);
    const LocationId others = fork(pool_.negation(is_zero(condition)));
    const LocationId after = location();
    const VariableId result = variable("saved", term::Sort::bits(kWide));
    const auto arm = [&](std::uint32_t port) {
      const Number answer = ask(tree_.child(at, port), question);
      if (answer.term.valid()) add(ir::Assign{result, answer.term});
      go_to(after);
      return answer;
    };
    const Number then = arm(1);
    here_ = others;
    const Number otherwise = arm(2);
    here_ = after;
    if (!then.term.valid() || !otherwise.term.valid()) return {};
    return {program_[result].term, hull(then.range, otherwise.range)};
  }

  Number loop(const Node& at) {
    const LocationId head = location();
    go_to(head);
    here_ = head;
    const Number condition = ask_child(at, 0);
    const LocationId others = fork(pool_.negation(is_zero(condition)));
    ask_child(at, 1);
    go_to(head);
    here_ = others;
    return {};
  }

  VariableId cell(std::uint32_t slot, Interval range) {
    if (!cells_[slot].valid()) {
      cells_[slot] = variable("cell", term::Sort::bits(width(range)));
    }
    return cells_[slot];
  }

  void store(VariableId target, const Number& value, Interval range) {
    add(ir::Assign{target, narrow(value, range)});
  }

  Number use_cell(const Node& at, const Question& question) {
    const VariableId used = cell(at.target, at.range);
    if (!question.is_write) return known(widen(program_[used].term, at.range));
    store(used, question.value, at.range);
    return {};
  }

  void new_array(const Node& at) {
    Interval range;
    if (!element_range(at, range)) return;
    const VariableId array =
        variable("array", term::Sort::array(kNarrow, width(range)));
    arrays_[at.memory] = array;
    add(ir::Assign{array,
                   pool_.constant_array(pool_.bits(0, width(range)), kNarrow)});
  }

  bool element_range(const Node& array, Interval& range) const {
    for (const Node& node : tree_.nodes) {
      if (node.kind != NodeKind::Element || node.target != array.memory) {
        continue;
      }
      range = node.range;
      return true;
    }
    return false;
  }

  Number element(const Node& at, const Question& question) {
    const bool is_free = at.kind == NodeKind::FreeElement;
    const std::int64_t length =
        is_free ? tree_.identifiers[at.target].type.result.length
                : tree_.sites[at.index_site].data.range.high + 1;
    Number index = save(ask_child(at, 0));
    const Interval bounds{0, length - 1};
    if (!bounds.contains(index.range)) {
      const LocationId others = fork(lies_in(index, bounds));
      const LocationId inside = here_;
      here_ = others;
      give_up(MoveKind::Bounds);
      here_ = inside;
      if (!bounds.meets(index.range)) return single(0);
      index.range = meet(index.range, bounds);
    }
    if (is_free) return call(at, question, &index);
    const Term place = pool_.extract(index.term, 0, kNarrow);
    const VariableId array = arrays_[at.target];
    const Term contents = program_[array].term;
    if (!question.is_write) {
      return known(widen(pool_.read(contents, place), at.range));
    }
    add(ir::Assign{
        array, pool_.write(contents, place, narrow(question.value, at.range))});
    return {};
  }

  /// The environment is asked, and may ask the arguments before it answers.
  Number call(const Node& at, const Question& question, const Number* index) {
    const algol::Identifier& called = tree_.identifiers[at.target];
    const std::uint32_t id = at.target;
    say({.kind = question.is_write ? MoveKind::Write : MoveKind::Ask,
         .identifier = id,
         .value = question.value,
         .index = index});
    const LocationId head = location();
    go_to(head);
    here_ = head;
    std::uint32_t option = 0;
    for (std::uint32_t i = 0; i < called.type.parameters.size(); ++i) {
      const std::uint32_t site = called.parameter_sites[i];
      for (const bool is_write : {false, true}) {
        if (is_write && site == algol::kNone) continue;
        const LocationId others = choose(option++);
        ask_argument(at, i, is_write);
        go_to(head);
        here_ = others;
      }
    }
    return environment_returns(called, id, question.is_write, index);
  }

  void ask_argument(const Node& at, std::uint32_t port, bool is_write) {
    const algol::Identifier& called = tree_.identifiers[at.target];
    Question question{is_write};
    if (is_write) {
      const std::uint32_t site = called.parameter_sites[port];
      question.value = save(input(tree_.sites[site].data.range));
    }
    say({.kind = is_write ? MoveKind::Write : MoveKind::Ask,
         .by_environment = true,
         .identifier = at.target,
         .argument = port + 1,
         .value = question.value});
    const Number answer = ask(tree_.child(at, port), question);
    say_answer(
        called.type.parameters[port].sort, is_write,
        {.identifier = at.target, .argument = port + 1, .value = answer});
  }

  Number environment_returns(const algol::Identifier& called, std::uint32_t id,
                             bool was_write, const Number* index) {
    const bool gives_value = called.site != algol::kNone && !was_write;
    const Number value =
        gives_value ? input(tree_.sites[called.site].data.range) : Number{};
    say({.kind = gives_value ? MoveKind::Answer : MoveKind::Done,
         .by_environment = true,
         .identifier = id,
         .value = value,
         .index = index});
    return value;
  }

  const algol::Tree& tree_;
  std::span<const algol::Pattern> patterns_;
  ir::Program program_;
  term::Pool& pool_;
  ir::FunctionId reached_;
  ir::FunctionId entry_;
  VariableId choice_;
  std::vector<VariableId> cells_;   // By slot.
  std::vector<VariableId> arrays_;  // By word.
  ir::Cfa body_;
  LocationId here_;
  int depth_ = 0;
};

}  // namespace

std::optional<TermProgram> to_program(
    const algol::Tree& tree, std::span<const algol::Pattern> patterns) {
  try {
    return Writer(tree, patterns).run();
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace agon::open
