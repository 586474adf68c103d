// SPDX-License-Identifier: Apache-2.0
// A forward analysis of two sets of facts at each location: what may be true,
// by the union of all ways, and what is, by their intersection.
#include "analysis/told_objects.h"

#include <algorithm>

#include "analysis/kept_addresses.h"
#include "ir/routines.h"
#include "term/substitute.h"

namespace agon::analysis {

using term::Kind;
using term::Term;

namespace {

constexpr std::size_t kWord = 64;

bool has(const std::vector<std::uint64_t>& words, std::uint32_t bit) {
  return (words[bit / kWord] >> bit % kWord & 1) != 0;
}

void set(std::vector<std::uint64_t>& words, std::uint32_t bit) {
  words[bit / kWord] |= std::uint64_t{1} << bit % kWord;
}

/// The stores to memory in a value, the first one first.
template <class Visit>
void for_each_store(const ir::Statement& statement, const Visit& visit) {
  const auto* const assign = std::get_if<ir::Assign>(&statement);
  if (assign == nullptr || !assign->value.sort().is_array()) return;
  term::visit_subterms(assign->value, [&](Term part) {
    if (part.kind() == Kind::Write || part.kind() == Kind::Copy) visit(part);
  });
}

enum class Effect : std::uint8_t { None, TellsArguments, Copies, Anything };

/// What a call does with addresses.
Effect effect_of(const ir::Program& program, const ir::Call& call) {
  if (!call.callee.valid()) return Effect::TellsArguments;
  const ir::Function& callee = program[call.callee];
  if (callee.is_action) return Effect::None;
  if (callee.has_body) return Effect::Anything;
  const ir::RoutineModel model = ir::routine_model(callee);
  if (!model.is_known || model.result == ir::RoutineResult::Anything) {
    return Effect::TellsArguments;
  }
  const bool copies = model.copies || callee.name == "realloc";
  return copies ? Effect::Copies : Effect::None;
}

}  // namespace

ToldObjects::ToldObjects(const ir::Program& program, const PointsTo& where,
                         ir::FunctionId function, bool any_state)
    : program_(program), where_(where), function_(function) {
  const ir::Cfa& body = program[function].body;
  tellings_.resize(body.edges().size());
  if (where.may_be_called_back(function)) return;
  find_foreign();
  add_candidates(any_state);
  drop_known();
  if (objects_.empty()) return;
  find_contents();
  for (std::size_t i = 0; i < tellings_.size(); ++i) {
    tellings_[i] = find_tellings(body.edge(ir::EdgeId::at(i)).statement);
  }
  spread();
}

void ToldObjects::add_candidate(SiteId site, ir::ObjectId object) {
  candidates_.emplace(site, static_cast<Candidate>(objects_.size()));
  objects_.push_back(object);
}

void ToldObjects::add_candidates(bool any_state) {
  std::optional<Candidate> heap;
  for (std::size_t i = 0; i < where_.sites().size(); ++i) {
    const auto id = SiteId::at(i);
    const Site& site = where_[id];
    if (!where_.is_escaped(id)) continue;
    if (site.kind == SiteKind::Heap) {
      if (!heap) {
        heap = static_cast<Candidate>(objects_.size());
        objects_.emplace_back();
      }
      candidates_.emplace(id, *heap);
    } else if (site.kind == SiteKind::Object) {
      const ir::Object& object = program_[site.object];
      const bool is_own_static = object.kind == ir::ObjectKind::Global &&
                                 object.is_static && !any_state;
      const bool is_own_local =
          object.kind == ir::ObjectKind::Local && object.owner == function_;
      if (is_own_static || is_own_local) add_candidate(id, site.object);
    }
  }
}

void ToldObjects::drop(const std::vector<bool>& dropped) {
  std::vector<Candidate> now(objects_.size());
  std::vector<ir::ObjectId> left;
  for (Candidate c = 0; c < objects_.size(); ++c) {
    now[c] = static_cast<Candidate>(left.size());
    if (!dropped[c]) left.push_back(objects_[c]);
  }
  std::erase_if(candidates_,
                [&](const auto& each) { return dropped[each.second]; });
  for (auto& [site, candidate] : candidates_) candidate = now[candidate];
  objects_ = std::move(left);
}

/// What is stored in a dropped one at the start is known, too.
void ToldObjects::drop_known() {
  drop(known_by_others());
  for (std::size_t before = 0; before != objects_.size();) {
    before = objects_.size();
    drop(known_at_start());
  }
}

std::vector<bool> ToldObjects::known_at_start() const {
  std::vector<bool> result(objects_.size(), false);
  const auto look = [&](Term value) {
    for (const Candidate c : candidates_of(value)) result[c] = true;
  };
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Term initial = program_.variables[i].initial;
    if (initial.valid() && where_.is_visible(ir::VariableId::at(i))) {
      look(initial);
    }
  }
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const SiteId site = SiteId::at(i);
    if (!where_.is_escaped(site) || candidates_.contains(site)) continue;
    for (const ir::InitialCell& cell : program_.objects[i].initial) {
      look(cell.value);
    }
  }
  return result;
}

/// Variables of the function that hold nothing but what its parameters held at
/// first, what unknown routines returned, and what is computed from these.
void ToldObjects::find_foreign() {
  const auto calls_it = [&](const ir::Edge& edge) {
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    return call != nullptr &&
           (call->callee == function_ ||
            (!call->callee.valid() && program_[function_].address.valid()));
  };
  for (const ir::Function& each : program_.functions) {
    if (std::ranges::any_of(each.body.edges(), calls_it)) return;
  }
  for (const auto* ids :
       {&program_[function_].parameters, &program_[function_].locals}) {
    foreign_.insert(ids->begin(), ids->end());
  }
  for (std::size_t before = 0; before != foreign_.size();) {
    before = foreign_.size();
    for (const ir::Edge& edge : program_[function_].body.edges()) {
      const ir::Statement& statement = edge.statement;
      if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        if (!is_foreign(assign->value)) foreign_.erase(assign->target);
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
        const bool is_nothing = havoc->reason == ir::HavocReason::Uninitialised;
        if (!is_nothing) foreign_.erase(havoc->target);
      } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
        if (is_unknown(*call)) continue;
        for (const ir::VariableId id : call->results) foreign_.erase(id);
      }
    }
  }
}

/// Whether only code outside runs, of which nothing is known.
bool ToldObjects::is_unknown(const ir::Call& call) const {
  if (!call.callee.valid()) return false;
  const ir::Function& callee = program_[call.callee];
  return !callee.has_body && !callee.is_action &&
         !ir::routine_model(callee).is_known;
}

bool ToldObjects::is_foreign(Term value) const {
  bool result = true;
  term::visit_subterms(value, [&](Term part) {
    if (part.kind() == Kind::Variable) {
      result = result && foreign_.contains(program_.variable_of(part));
    } else if (part.kind() == Kind::Address || part.kind() == Kind::Read) {
      result = false;
    }
  });
  return result;
}

/// When other functions run is not known: those are left that code outside may
/// call, and those that call themselves. A pointer that they got from outside
/// points only to what is known there already. They tell others of a local only
/// if its address is kept where they find it.
std::vector<bool> ToldObjects::known_by_others() const {
  std::vector<bool> result(objects_.size(), false);
  const auto look = [&](Term value) {
    if (!value.sort().is_bits() || value.is_constant()) return;
    for (const Location& place : where_.representatives(value)) {
      const auto found = candidates_.find(place.site);
      if (found != candidates_.end()) result[found->second] = true;
    }
  };
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const auto id = ir::FunctionId::at(i);
    if (id == function_ || !program_[id].has_body) continue;
    for (const ir::Edge& edge : program_[id].body.edges()) {
      const ir::Statement& statement = edge.statement;
      bool is_anything = false;
      if (const auto* call = std::get_if<ir::Call>(&statement)) {
        const Effect effect = effect_of(program_, *call);
        is_anything = effect == Effect::Copies || effect == Effect::Anything;
        for (const Term argument : call->arguments) look(argument);
      } else if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        if (!assign->value.sort().is_array()) look(assign->value);
      } else if (const auto* ret = std::get_if<ir::Return>(&statement)) {
        for (const Term value : ret->values) look(value);
      }
      for_each_store(statement, [&](Term store) {
        if (store.kind() == Kind::Write) look(store.operand(2));
        if (store.kind() == Kind::Copy) is_anything = true;
      });
      if (is_anything) result.assign(objects_.size(), true);
    }
  }
  if (std::ranges::count(result, true) == 0) return result;
  const std::set<SiteId> kept = kept_addresses(program_, where_);
  for (const auto& [site, candidate] : candidates_) {
    const ir::ObjectId object = objects_[candidate];
    const bool is_local =
        object.valid() && program_[object].kind == ir::ObjectKind::Local;
    if (is_local && !kept.contains(site)) result[candidate] = false;
  }
  return result;
}

/// Which candidates may hold the addresses of which, at any time.
void ToldObjects::find_contents() {
  contents_.resize(objects_.size());
  stored_at_start_.assign(objects_.size(), false);
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const auto holder = candidates_.find(SiteId::at(i));
    for (const ir::InitialCell& cell : program_.objects[i].initial) {
      for (const Candidate c : candidates_of(cell.value)) {
        stored_at_start_[c] = true;
        if (holder != candidates_.end()) contents_[holder->second].insert(c);
      }
    }
  }
  for (const ir::Edge& edge : program_[function_].body.edges()) {
    add_contents(edge.statement);
  }
  close_contents();
}

void ToldObjects::add_contents(const ir::Statement& statement) {
  const auto add_all = [&](const Place& place) {
    for (const Candidate holder : place.candidates) {
      for (Candidate c = 0; c < objects_.size(); ++c) {
        contents_[holder].insert(c);
      }
    }
  };
  for_each_store(statement, [&](Term store) {
    const Place place = place_of(store.operand(1));
    if (store.kind() == Kind::Copy) return add_all(place);
    const std::set<Candidate> stored = candidates_of(store.operand(2));
    for (const Candidate holder : place.candidates) {
      contents_[holder].insert(stored.begin(), stored.end());
    }
  });
  const auto* const call = std::get_if<ir::Call>(&statement);
  if (call == nullptr || effect_of(program_, *call) != Effect::Copies) return;
  if (!call->arguments.empty()) add_all(place_of(call->arguments[0]));
  for (const ir::VariableId result : call->results) {
    add_all(place_of(program_[result].term));
  }
}

/// Whoever knows an object also gets to what is in the objects in it.
void ToldObjects::close_contents() {
  for (std::set<Candidate>& inside : contents_) {
    std::vector<Candidate> open(inside.begin(), inside.end());
    while (!open.empty()) {
      const Candidate next = open.back();
      open.pop_back();
      for (const Candidate c : contents_[next]) {
        if (inside.insert(c).second) open.push_back(c);
      }
    }
  }
}

std::vector<ToldObjects::Telling> ToldObjects::find_tellings(
    const ir::Statement& statement) const {
  std::vector<Telling> result;
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    const ir::Variable& target = program_[assign->target];
    const bool is_seen = target.kind == ir::VariableKind::Global &&
                         where_.is_visible(assign->target);
    if (is_seen || target.is_told()) tell(assign->value, result);
    for_each_store(statement, [&](Term part) {
      const Place place = place_of(part.operand(1));
      if (part.kind() == Kind::Copy) {
        copy(place, result);
      } else {
        store(part.operand(2), place, result);
      }
    });
  } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
    tell_call(*call, result);
  }
  return result;
}

void ToldObjects::tell_call(const ir::Call& call,
                            std::vector<Telling>& to) const {
  switch (effect_of(program_, call)) {
    case Effect::None:
      return;
    case Effect::TellsArguments:
      for (const Term argument : call.arguments) tell(argument, to);
      return;
    case Effect::Copies:
      if (!call.arguments.empty()) copy(place_of(call.arguments[0]), to);
      for (const ir::VariableId result : call.results) {
        copy(place_of(program_[result].term), to);
      }
      return;
    case Effect::Anything:
      for (Candidate c = 0; c < objects_.size(); ++c) {
        to.push_back({told(c), program_.pool->boolean(true)});
      }
  }
}

void ToldObjects::tell(Term value, std::vector<Telling>& to) const {
  for (const Candidate c : candidates_of(value)) {
    tell(c, condition(value, c), {}, to);
  }
}

/// Then what is stored in it is told as well.
void ToldObjects::tell(Candidate candidate, Term condition,
                       const std::vector<Fact>& needs,
                       std::vector<Telling>& to) const {
  to.push_back({told(candidate), condition, needs});
  for (const Candidate inside : contents_[candidate]) {
    std::vector<Fact> both = needs;
    both.push_back(stored(inside));
    to.push_back({told(inside), condition, std::move(both)});
  }
}

void ToldObjects::store(Term value, const Place& place,
                        std::vector<Telling>& to) const {
  for (const Candidate c : candidates_of(value)) {
    const Term if_it = condition(value, c);
    to.push_back({stored(c), if_it});
    if (place.is_seen) tell(c, if_it, {}, to);
    for (const Candidate holder : place.candidates) {
      tell(c, if_it, {told(holder)}, to);
    }
  }
}

void ToldObjects::copy(const Place& place, std::vector<Telling>& to) const {
  const Term always = program_.pool->boolean(true);
  for (Candidate c = 0; c < objects_.size(); ++c) {
    if (place.is_seen) tell(c, always, {stored(c)}, to);
    for (const Candidate holder : place.candidates) {
      tell(c, always, {stored(c), told(holder)}, to);
    }
  }
}

ToldObjects::Place ToldObjects::place_of(Term address) const {
  Place result;
  const std::vector<Location> places = where_.locations(address);
  result.is_seen = places.empty();
  for (const Location& place : places) {
    const auto found = candidates_.find(place.site);
    if (found != candidates_.end()) {
      result.candidates.insert(found->second);
    } else if (where_[place.site].kind == SiteKind::External ||
               where_.is_escaped(place.site)) {
      result.is_seen = true;
    }
  }
  return result;
}

/// Those that a value points to. If it came from code outside, that has known
/// them before, and is told nothing by it.
std::set<ToldObjects::Candidate> ToldObjects::candidates_of(Term value) const {
  std::set<Candidate> result;
  if (!value.sort().is_bits() || is_foreign(value)) return result;
  for (const Location& place : where_.locations(value)) {
    const auto found = candidates_.find(place.site);
    if (found != candidates_.end()) result.insert(found->second);
  }
  return result;
}

/// That the value points to the object, or right behind it and to nothing else.
Term ToldObjects::condition(Term value, Candidate candidate) const {
  constexpr std::size_t kMostOthers = 8;
  term::Pool& pool = *program_.pool;
  const ir::ObjectId id = objects_[candidate];
  if (!id.valid() || !is_plain(value)) return pool.boolean(true);
  std::set<ir::ObjectId> others;
  for (const Location& place : where_.locations(value)) {
    const Site& site = where_[place.site];
    if (site.kind == SiteKind::Object) others.insert(site.object);
  }
  others.erase(id);
  if (others.size() > kMostOthers) return pool.boolean(true);
  const ir::Object& object = program_[id];
  const Term end =
      pool.add(object.address, pool.bits(object.size, value.width()));
  std::vector<Term> behind{pool.equal(value, end)};
  for (const ir::ObjectId other : others) {
    behind.push_back(pool.negation(is_inside(value, other)));
  }
  return pool.disjunction({is_inside(value, id), pool.conjunction(behind)});
}

Term ToldObjects::is_inside(Term value, ir::ObjectId id) const {
  term::Pool& pool = *program_.pool;
  const ir::Object& object = program_[id];
  return pool.unsigned_less(pool.subtract(value, object.address),
                            pool.bits(object.size, value.width()));
}

/// Whether it is a pointer and not an integer that was computed from one.
bool ToldObjects::is_plain(Term value) const {
  if (value.width() != program_.pointer_width()) return false;
  switch (value.kind()) {
    case Kind::Address:
      return true;
    case Kind::Variable: {
      const ir::TypeId type = program_[program_.variable_of(value)].type;
      return type.valid() && program_.types[type].kind == ir::TypeKind::Pointer;
    }
    case Kind::Add:
      return std::ranges::any_of(value.operands(),
                                 [&](Term t) { return is_plain(t); });
    case Kind::Ite:
      return is_plain(value.operand(1)) && is_plain(value.operand(2));
    default:
      return false;
  }
}

void ToldObjects::spread() {
  const ir::Cfa& body = program_[function_].body;
  states_.resize(body.num_locations());
  const Words none(num_facts() / kWord + 1, 0);
  State& start = states_[body.entry().index()];
  start = {none, none};
  for (Candidate c = 0; c < objects_.size(); ++c) {
    if (!stored_at_start_[c]) continue;
    set(start.may, stored(c));
    set(start.must, stored(c));
  }
  std::vector<ir::LocationId> open{body.entry()};
  std::vector<bool> is_open(body.num_locations(), false);
  for (std::size_t next = 0; next < open.size(); ++next) {
    is_open[open[next].index()] = false;
    for (const ir::EdgeId out : body.out_edges(open[next])) {
      State after = states_[open[next].index()];
      apply(tellings_[out.index()], after);
      const ir::LocationId to = body.edge(out).to;
      State& there = states_[to.index()];
      bool is_new = there.may.empty();
      if (is_new) there = after;
      for (std::size_t i = 0; i < after.may.size(); ++i) {
        is_new = is_new || (after.may[i] & ~there.may[i]) != 0 ||
                 (there.must[i] & ~after.must[i]) != 0;
        there.may[i] |= after.may[i];
        there.must[i] &= after.must[i];
      }
      if (!is_new || is_open[to.index()]) continue;
      is_open[to.index()] = true;
      open.push_back(to);
    }
  }
}

void ToldObjects::apply(const std::vector<Telling>& tellings,
                        State& state) const {
  for (const Telling& each : tellings) {
    const auto all = [&](const Words& of) {
      return std::ranges::all_of(each.needs,
                                 [&](Fact need) { return has(of, need); });
    };
    if (all(state.may)) set(state.may, each.fact);
    if (each.condition.is_true() && all(state.must)) {
      set(state.must, each.fact);
    }
  }
}

std::optional<ToldObjects::Candidate> ToldObjects::find(
    ir::ObjectId object) const {
  const auto found = candidates_.find(SiteId::at(object.index()));
  if (found == candidates_.end()) return std::nullopt;
  return found->second;
}

std::optional<ToldObjects::Candidate> ToldObjects::heap() const {
  const auto found = std::ranges::find(objects_, ir::ObjectId());
  if (found == objects_.end()) return std::nullopt;
  return static_cast<Candidate>(found - objects_.begin());
}

bool ToldObjects::is_true_at_start(Fact fact) const {
  return fact % 2 == 1 && stored_at_start_[fact / 2];
}

ToldObjects::Known ToldObjects::before(ir::EdgeId edge, Fact fact) const {
  const State& state =
      states_[program_[function_].body.edge(edge).from.index()];
  if (state.may.empty() || !has(state.may, fact)) return Known::No;
  return has(state.must, fact) ? Known::Yes : Known::Perhaps;
}

ToldObjects::Known ToldObjects::during(ir::EdgeId call,
                                       Candidate candidate) const {
  State state = states_[program_[function_].body.edge(call).from.index()];
  if (state.may.empty()) return Known::No;
  apply(tellings_[call.index()], state);
  if (!has(state.may, told(candidate))) return Known::No;
  return has(state.must, told(candidate)) ? Known::Yes : Known::Perhaps;
}

}  // namespace agon::analysis
