// SPDX-License-Identifier: Apache-2.0
// After some thousand steps the machine watches the edges that it takes. If
// they lead back to where it began to watch, and only compute numbers, then the
// rounds that are going to take the same edges are skipped (rounds.h). What is
// left of the loop is executed as ever.
#include <algorithm>

#include "ir/machine.h"

namespace agon::ir::machine {
namespace {

using term::Bits;
using term::Term;

constexpr std::uint64_t kSoon = 64;  // Behind rounds that were skipped.
constexpr std::uint64_t kLate = 1 << 20;
constexpr std::size_t kMostEdges = 400;  // Of a round.
/// What a compiled program does in a minute. What takes longer cannot be shown.
constexpr std::uint64_t kMostSkipped = std::uint64_t{1} << 36;

bool computes_numbers(const EdgeCode& edge) {
  return edge.kind == EdgeKind::Assign || edge.kind == EdgeKind::Assume;
}

}  // namespace

/// False if the run has to end here.
bool Machine::watch_rounds() {
  const std::uint32_t here = frames_.back().location;
  if (!watch_.is_on) {
    watch_.is_on = true;
    watch_.location = here;
    watch_.depth = frames_.size();
    watch_.edges.clear();
    return true;
  }
  const bool is_given_up = frames_.size() != watch_.depth ||
                           watch_.edges.size() > kMostEdges ||
                           !computes_numbers(*watch_.edges.back());
  if (!is_given_up && here != watch_.location) return true;
  watch_.is_on = false;
  const std::uint64_t before = run_.skipped;
  if (!is_given_up && !skip_rounds()) return false;
  watch_.interval =
      run_.skipped != before ? kSoon : std::min(2 * watch_.interval, kLate);
  watch_.next = taken_ + watch_.interval;
  return true;
}

bool Machine::skip_rounds() {
  if (options_.listener != nullptr && !options_.listener->may_skip()) {
    return true;
  }
  const auto rounds =
      count_rounds(*program_.pool, watched_round(),
                   [this](Term term) { return value_of(term); });
  if (!rounds) return true;
  const std::uint64_t length = watch_.edges.size();
  const std::uint64_t most = (kMostSkipped - run_.skipped) / length;
  const std::uint64_t skipped = std::min(rounds->number, most) * length;
  run_.skipped += skipped;
  run_.steps += skipped;
  if (rounds->number > most) return false;
  for (const auto& [variable, value] : rounds->values) {
    const Place place = compiler_.place(program_.variable_of(variable));
    store(place.operand, place.width, value);
  }
  return true;
}

/// An edge is taken if none before it can be.
Round Machine::watched_round() {
  const FunctionCode& code = *frames_.back().code;
  const Cfa& body = program_[code.function].body;
  Round round;
  term::Substitution now;
  const auto value = [&](Term term) {
    return term::substitute(*program_.pool, term, now);
  };
  std::uint32_t location = watch_.location;
  for (const EdgeCode* const taken : watch_.edges) {
    const EdgeCode* edge = code.edges.data() + code.first_out[location];
    for (; edge != taken; ++edge) {
      const auto& test = std::get<Assume>(body.edge(edge->edge).statement);
      round.guard.push_back(program_.pool->negation(value(test.condition)));
    }
    const Statement& statement = body.edge(taken->edge).statement;
    if (const auto* const test = std::get_if<Assume>(&statement)) {
      round.guard.push_back(value(test->condition));
    } else {
      const auto& assign = std::get<Assign>(statement);
      now[program_[assign.target].term] = value(assign.value);
    }
    location = taken->to;
  }
  round.after.insert(now.begin(), now.end());
  return round;
}

std::optional<Bits> Machine::value_of(Term term) {
  if (term.kind() == term::Kind::Read) {
    const VariableId id = program_.variable_of(term.operand(0));
    const auto index = static_cast<std::uint64_t>(term.operand(1).value());
    return array(compiler_.array(id)).read(index, term.count());
  }
  if (term.kind() == term::Kind::Address) {
    const ObjectId object = program_.object_of(term);
    if (object.valid()) return word(compiler_.address(object));
    const FunctionId function = program_.function_of(term);
    if (function.valid()) return word(compiler_.address(function));
    return std::nullopt;
  }
  const VariableId id = program_.variable_of(term);
  if (!id.valid()) return std::nullopt;
  const Place place = compiler_.place(id);
  return load(place.operand, place.width);
}

}  // namespace agon::ir::machine
