// SPDX-License-Identifier: Apache-2.0
#include "algol/machine.h"

#include "support/error.h"

namespace agon::algol {
namespace {

/// How long `run` goes on at a time.
constexpr std::uint64_t kStepsPerRun = std::uint64_t{1} << 14;

}  // namespace

Machine::Machine(const Tree& tree, const Precision& precision,
                 std::span<const Pattern> patterns)
    : tree_(tree),
      patterns_(patterns),
      slots_(tree.num_slots),
      words_(tree.num_words) {
  use(precision);
}

void Machine::use(const Precision& precision) {
  if (precision_ == &precision) return;
  precision_ = &precision;
  index_levels_.clear();
  for (const Partition& part : precision) {
    index_levels_.push_back(ArrayStore::levels_for(part.num_parts()));
  }
}

void Machine::watch(const std::vector<bool>* sites) {
  watched_ = sites;
  has_looked_ = had_looked_ = false;
}

void Machine::start() {
  token_ = {};
  slots_.assign(slots_.size(), {});
  words_.assign(words_.size(), 0);
  offer(Stage::Environment);
}

void Machine::record(Play* play, Origins* origins) {
  play_ = play;
  origins_ = origins;
}

Machine::Status Machine::run() {
  const std::uint64_t end = steps_ + kStepsPerRun;
  while (status_ == Status::Running && steps_ < end) {
    ++steps_;
    step();
  }
  return status_;
}

void Machine::step() {
  if (token_.stage == Stage::Question) {
    question();
  } else {
    answer();
  }
}

void Machine::ask(NodeId child, bool is_write, const Value& value) {
  token_.node = child;
  token_.stage = Stage::Question;
  token_.is_write = is_write;
  token_.value = value;
  token_.index = {};
}

void Machine::reply(const Value& value) {
  const Node& from = node();
  token_.port = from.port;
  token_.node = from.parent;
  token_.stage = Stage::Answer;
  token_.is_write = false;
  token_.value = value;
  token_.index = {};
}

void Machine::remember_question() {
  if (!node().can_be_written) return;
  words_[node().memory] = token_.is_write ? 1 : 0;
  slots_[node().slot] = token_.value;
}

void Machine::pass_question_to(std::uint32_t port) {
  const Node& at = node();
  if (!at.can_be_written) return ask_child(port);
  const bool is_write = words_[at.memory] != 0;
  const Value value = slots_[at.slot];
  words_[at.memory] = 0;
  slots_[at.slot] = {};
  ask(tree_.child(at, port), is_write, value);
}

void Machine::question() {
  const Node& at = node();
  switch (at.kind) {
    case NodeKind::Skip:
      return reply();
    case NodeKind::Abort:
      status_ = Status::Ended;
      return emit(move_of(MoveKind::Abort, false));
    case NodeKind::Constant:
      return reply({at.range, 0});
    case NodeKind::Assign:
      return ask_child(1);
    case NodeKind::Cell:
      return cell_question();
    case NodeKind::Use: {
      const Node& shared = tree_.nodes[at.target];
      AGON_ASSERT(words_[shared.memory] == 0);
      words_[shared.memory] = token_.node + 1;
      return ask(tree_.child(shared, 0), token_.is_write, token_.value);
    }
    case NodeKind::Free:
      return free_question();
    case NodeKind::Sequence:
    case NodeKind::If:
    case NodeKind::Element:
    case NodeKind::FreeElement:
      remember_question();
      return ask_child(0);
    case NodeKind::Unary:
    case NodeKind::Binary:
    case NodeKind::Convert:
    case NodeKind::While:
    case NodeKind::NewCell:
    case NodeKind::NewArray:
      return ask_child(0);
    case NodeKind::Root:
    case NodeKind::Shared:
      break;
  }
  AGON_ASSERT(!"this automaton is never asked");
}

void Machine::answer() {
  const Node& at = node();
  switch (at.kind) {
    case NodeKind::Root: {
      status_ = Status::Ended;
      return emit_answer_of(tree_.type.sort, words_[at.memory] != 0,
                            move_of(MoveKind::Answer, false));
    }
    case NodeKind::Unary: {
      const Interval result = apply(at.op, token_.value.interval, {});
      std::uint32_t origin = 0;
      if (origins_ != nullptr) {
        origin = origins_->add(
            {Origin::Kind::Result, at.op, 0, {}, token_.value, {}});
      }
      return reply({result, origin});
    }
    case NodeKind::Binary:
      return binary_answer();
    case NodeKind::Convert:
      return reply(reduced(token_.value, at.range));
    case NodeKind::Sequence:
      if (token_.port + 1 == at.num_children) return reply(token_.value);
      if (token_.port + 2 == at.num_children) {
        return pass_question_to(token_.port + 1);
      }
      return ask_child(token_.port + 1);
    case NodeKind::If:
      if (token_.port != 0) return reply(token_.value);
      return pass_question_to(token_.value.interval.low != 0 ? 1 : 2);
    case NodeKind::While:
      return while_answer();
    case NodeKind::Assign:
      if (token_.port == 0) return reply();
      return ask(tree_.child(at, 0), true, token_.value);
    case NodeKind::NewCell:
      if (token_.port == 0) return store();
      slots_[at.slot] = {};
      return reply(token_.value);
    case NodeKind::NewArray:
      words_[at.memory] = 0;
      return reply(token_.value);
    case NodeKind::Shared: {
      token_.node = words_[at.memory] - 1;
      words_[at.memory] = 0;
      return reply(token_.value);
    }
    case NodeKind::Element:
    case NodeKind::FreeElement:
      token_.index = token_.value;
      token_.value = {};
      return access();
    case NodeKind::Free: {
      const std::uint32_t port = token_.port;
      const BaseType& parameter =
          tree_.identifiers[at.target].type.parameters[port];
      Move move = move_of(MoveKind::Answer, false);
      move.argument = port + 1;
      emit_answer_of(parameter.sort, (words_[at.memory] & kWritesArgument) != 0,
                     move);
      words_[at.memory] &= ~kWritesArgument;
      token_.value = {};
      return offer(Stage::Environment);
    }
    default:
      break;
  }
  AGON_ASSERT(!"this automaton asks nobody");
}

void Machine::while_answer() {
  if (token_.port == 1) {
    token_.value = {};
    notice_loop();
    return ask_child(0);
  }
  if (token_.value.interval.low != 0) return ask_child(1);
  reply();
}

void Machine::notice_loop() {
  const auto is_marked = [&](std::size_t slot) {
    return slots_[slot].interval == marked_slots_[slot].interval;
  };
  bool is_same = marked_node_ == token_.node && words_ == marked_words_;
  for (std::size_t i = 0; is_same && i < slots_.size(); ++i) {
    is_same = is_marked(i);
  }
  if (is_same) {
    status_ = Status::Ended;
    return;
  }
  if (++since_mark_ < mark_distance_ && marked_node_ != kNone) return;
  marked_slots_ = slots_;
  marked_words_ = words_;
  marked_node_ = token_.node;
  mark_distance_ *= 2;
  since_mark_ = 0;
}

void Machine::free_question() {
  words_[node().memory] = token_.is_write ? kIsWritten : 0;
  emit(move_of(token_.is_write ? MoveKind::Write : MoveKind::Ask, false));
  token_.is_write = false;
  token_.value = {};
  offer(Stage::Environment);
}

}  // namespace agon::algol
