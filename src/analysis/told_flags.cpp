// SPDX-License-Identifier: Apache-2.0
#include "analysis/told_flags.h"

#include <fmt/format.h>

namespace agon::analysis {

using term::Term;

namespace {

constexpr unsigned kWidth = 8;

}  // namespace

ir::VariableId add_temporary(ir::Program& program, ir::FunctionId function,
                             const std::string& display, term::Sort sort) {
  ir::Variable variable;
  variable.name = program[function].name + "::" + display;
  variable.display = display;
  variable.kind = ir::VariableKind::Temporary;
  variable.owner = function;
  const ir::VariableId id = program.add_variable(variable, sort);
  program.functions[function.index()].locals.push_back(id);
  return id;
}

ToldFlags::ToldFlags(ir::Program& program, const ToldObjects& told,
                     ir::FunctionId function,
                     const std::vector<ir::EdgeId>& calls)
    : program_(program),
      told_(told),
      function_(function),
      flags_(told.num_facts()) {
  for (const ir::EdgeId call : calls) {
    for (ToldObjects::Candidate c = 0; c < told.size(); ++c) {
      const bool is_open = told.during(call, c) == ToldObjects::Known::Perhaps;
      if (is_open) add(ToldObjects::told(c));
    }
  }
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (std::size_t i = 0; i < program[function].body.edges().size(); ++i) {
      is_more = add_needed(ir::EdgeId::at(i)) || is_more;
    }
  }
}

bool ToldFlags::add(Fact fact) {
  if (flags_[fact].valid()) return false;
  const ir::ObjectId object = told_.object(fact / 2);
  const bool is_told = fact == ToldObjects::told(fact / 2);
  flags_[fact] = add_temporary(
      program_, function_,
      fmt::format("{}({})", is_told ? "told" : "stored",
                  object.valid() ? program_[object].display : "heap"),
      term::Sort::bits(kWidth));
  return true;
}

/// What the flags depend on that there are.
bool ToldFlags::add_needed(ir::EdgeId edge) {
  bool is_new = false;
  for (const ToldObjects::Telling& each : told_.of(edge)) {
    if (!changes(edge, each)) continue;
    for (const Fact need : each.needs) {
      if (told_.before(edge, need) == ToldObjects::Known::Yes) continue;
      is_new = add(need) || is_new;
    }
  }
  return is_new;
}

bool ToldFlags::changes(ir::EdgeId edge,
                        const ToldObjects::Telling& telling) const {
  return flags_[telling.fact].valid() &&
         told_.before(edge, telling.fact) != ToldObjects::Known::Yes;
}

Term ToldFlags::is_set(Fact fact) const {
  term::Pool& pool = *program_.pool;
  return pool.negation(
      pool.equal(program_[flags_[fact]].term, pool.bits(0, kWidth)));
}

std::vector<ir::Statement> ToldFlags::at_start() const {
  std::vector<ir::Statement> result;
  for (Fact fact = 0; fact < flags_.size(); ++fact) {
    if (!flags_[fact].valid()) continue;
    const unsigned value = told_.is_true_at_start(fact) ? 1 : 0;
    result.emplace_back(
        ir::Assign{flags_[fact], program_.pool->bits(value, kWidth)});
  }
  return result;
}

std::vector<ir::Statement> ToldFlags::before(ir::EdgeId edge) const {
  term::Pool& pool = *program_.pool;
  std::vector<ir::Statement> result;
  for (const ToldObjects::Telling& each : told_.of(edge)) {
    if (!changes(edge, each)) continue;
    std::vector<Term> all{each.condition};
    for (const Fact need : each.needs) {
      const bool is_true = told_.before(edge, need) == ToldObjects::Known::Yes;
      if (!is_true) all.push_back(is_set(need));
    }
    const ir::VariableId flag = flags_[each.fact];
    result.emplace_back(
        ir::Assign{flag, pool.ite(pool.conjunction(all), pool.bits(1, kWidth),
                                  program_[flag].term)});
  }
  return result;
}

Term ToldFlags::is_hidden(std::optional<ToldObjects::Candidate> candidate,
                          ir::EdgeId call) const {
  term::Pool& pool = *program_.pool;
  if (!candidate) return pool.boolean(false);
  switch (told_.during(call, *candidate)) {
    case ToldObjects::Known::No:
      return pool.boolean(true);
    case ToldObjects::Known::Perhaps:
      return pool.negation(is_set(ToldObjects::told(*candidate)));
    default:
      return pool.boolean(false);
  }
}

}  // namespace agon::analysis
