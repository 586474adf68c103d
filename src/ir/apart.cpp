// SPDX-License-Identifier: Apache-2.0
#include "ir/apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "ir/routines.h"
#include "term/smtlib.h"
#include "term/substitute.h"

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

/// Says what is wrong.
struct Overlap {
  std::string what;
};

/// Arrays that lie apart, by the objects in them: names, since programs have
/// pools of their own.
using Owners = std::map<std::string, std::string>;

/// What points into which of the arrays; "" into none of them.
class Apart {
 public:
  using Excused = std::function<bool(const Edge&)>;

  /// `is_flat`: each place is in the array that is named where it is used.
  /// Statements that are excused may do what they like.
  Apart(const Program& program, const Owners& owners, bool is_flat,
        Excused is_excused = {})
      : program_(program),
        owners_(owners),
        is_flat_(is_flat),
        is_excused_(std::move(is_excused)) {
    for (const auto& [object, array] : owners) arrays_.insert(array);
  }

  /// What is allocated lies in this array, too.
  void hold_allocated(const Variable& next, const std::string& array) {
    allocated_ = next.term;
    holders_.emplace(allocated_, array);
    arrays_.insert(array);
  }

  /// And what is known of it, by its addresses.
  void hold_sizes(const Variable& sizes, const std::string& array) {
    sizes_ = sizes.term;
    holders_.emplace(sizes_, array);
  }

  void check(const std::vector<const Cfa*>& bodies) {
    for (const Cfa* const body : bodies) note_assigned(*body);
    for (std::size_t before = 0; before != holders_.size() + 1;) {
      before = holders_.size() + 1;
      look_at(bodies);
    }
    is_final_ = true;
    look_at(bodies);
    for (const Object& object : program_.objects) {
      for (const auto& cell : object.initial) expect("", cell.value);
    }
    for (const Variable& variable : program_.variables) {
      const bool is_given = variable.kind == VariableKind::Parameter ||
                            variable.kind == VariableKind::Global;
      const bool is_known = is_flat_ && variable.initial.valid();
      const bool holds_numbers = variable.term == sizes_;
      if (is_given && !is_known && !holds_numbers) expect("", variable.term);
    }
  }

  /// What others are told is written as in the original program.
  void check_told(const std::vector<Term>& values) {
    is_flat_ = false;
    into_.clear();
    for (const Term value : values) expect("", value);
  }

  /// Variables with these names point to none of the objects.
  void check_variables(const std::set<std::string>& names) {
    for (const Variable& variable : program_.variables) {
      if (names.contains(variable.name)) expect("", variable.term);
    }
  }

 private:
  void expect(const std::string& wanted, Term value) {
    if (into(value) != wanted) fail(value);
  }

  void look_at(const std::vector<const Cfa*>& bodies) {
    into_.clear();
    for (const Variable& variable : program_.variables) {
      const bool is_known = variable.initial.valid();
      if (is_known && variable.term != allocated_ && variable.term != sizes_) {
        assign(variable, variable.initial);
      }
    }
    for (const Cfa* const body : bodies) {
      for (const Edge& edge : body->edges()) {
        if (!is_excused_ || !is_excused_(edge)) look_at(edge.statement);
      }
    }
  }

  void note_assigned(const Cfa& body) {
    for (const Edge& edge : body.edges()) {
      const auto* const to = std::get_if<Assign>(&edge.statement);
      if (to != nullptr) assigned_.insert(program_[to->target].term);
    }
  }

  /// Whether it does not matter where contents are read: they are those of an
  /// array that holds anything, or the same everywhere.
  bool is_same_everywhere(Term contents) const {
    const bool is_anything = contents.kind() == Kind::Variable &&
                             contents != program_[program_.memory].term &&
                             !arrays_.contains(contents.name()) &&
                             !assigned_.contains(contents);
    return is_anything || contents.kind() == Kind::ConstantArray;
  }

  void look_at(const Statement& statement) {
    if (const auto* to = std::get_if<Assign>(&statement)) {
      assign(program_[to->target], to->value);
    } else if (const auto* havoc = std::get_if<Havoc>(&statement)) {
      const Term target = program_[havoc->target].term;
      const bool points_nowhere = havoc->reason == HavocReason::Uninitialised;
      if (!points_nowhere && !target.sort().is_array()) expect("", target);
    } else if (const auto* test = std::get_if<Assume>(&statement)) {
      expect("", test->condition);
    } else if (const auto* call = std::get_if<Call>(&statement)) {
      for (const Term value : call->arguments) expect("", value);
      for (const VariableId id : call->results) {
        expect("", program_[id].term);
      }
    } else if (const auto* ret = std::get_if<Return>(&statement)) {
      for (const Term value : ret->values) expect("", value);
    }
  }

  void assign(const Variable& target, Term value) {
    if (is_null(value)) return;
    const bool is_leak = target.is_told() || target.term.sort().is_array();
    if (!is_leak && !into(value).empty()) {
      holders_.try_emplace(target.term, into(value));
    }
    if (target.is_told()) {
      expect("", value);
    } else if (is_final_) {
      expect(into(target.term), value);
    }
  }

  [[noreturn]] void fail(Term term) const {
    throw Overlap{fmt::format("'{}' may point to what is taken to lie apart",
                              term::to_text(term))};
  }

  static bool is_null(Term term) {
    return term.is_constant() && !term.sort().is_bool() && term.value() == 0;
  }

  const std::string& into(Term term) {
    term::visit_subterms(term, [&](Term part) {
      if (!into_.contains(part)) into_.emplace(part, rule(part));
    });
    return into_.at(term);
  }

  std::string rule(Term part) const {
    const auto of = [&](std::size_t i) { return into_.at(part.operand(i)); };
    const auto expect_same = [&](std::size_t i, std::size_t k) {
      if (is_final_ && of(i) != of(k)) fail(part);
    };
    switch (part.kind()) {
      case Kind::Address:
        return found(owners_, part.name());
      case Kind::Variable:
        return arrays_.contains(part.name()) ? part.name()
                                             : found(holders_, part);
      case Kind::Equal:
      case Kind::ULess:
      case Kind::ULessEqual:
      case Kind::SLess:
      case Kind::SLessEqual:
        return "";
      case Kind::Copy:
        if (is_flat_ && !is_same_everywhere(part.operand(3))) expect_same(3, 4);
        [[fallthrough]];
      case Kind::Write:
        if (is_final_ && !of(2).empty()) fail(part);
        if (is_flat_) expect_same(0, 1);
        return of(0);
      case Kind::Read:
        if (is_flat_) expect_same(0, 1);
        return "";
      case Kind::Ite:
        if (is_null(part.operand(1))) return of(2);
        if (is_null(part.operand(2))) return of(1);
        expect_same(1, 2);
        return of(1).empty() ? of(2) : of(1);
      default:
        return of_operands(part);
    }
  }

  /// An address may have something added, and nothing else be done to it.
  std::string of_operands(Term part) const {
    std::string result;
    for (const Term operand : part.operands()) {
      const std::string& each = into_.at(operand);
      if (each.empty()) continue;
      const bool is_offset = part.kind() == Kind::Add && result.empty();
      if (is_final_ && !is_offset) fail(part);
      result = each;
    }
    return result;
  }

  template <class Map>
  static std::string found(const Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? "" : at->second;
  }

  const Program& program_;
  const Owners& owners_;
  std::set<std::string> arrays_;
  bool is_flat_;
  Excused is_excused_;
  bool is_final_ = false;    // All variables are known that hold addresses.
  Term allocated_;           // What is allocated next.
  Term sizes_;               // Of what is.
  std::set<Term> assigned_;  // Variables, in all bodies.
  std::map<Term, std::string> holders_;
  std::map<Term, std::string> into_;
};

/// What code that is not seen can name, or functions use that it can call:
/// names of objects and of variables.
std::set<std::string> seen_outside(const Program& original) {
  std::set<std::string> result;
  for (const Object& object : original.objects) {
    if (object.kind == ObjectKind::Global && !object.is_static) {
      result.insert(object.name);
    }
  }
  std::set<FunctionId> seen;
  std::vector<FunctionId> open;
  const auto visit = [&](FunctionId id) {
    if (id.valid() && seen.insert(id).second) open.push_back(id);
  };
  for (std::size_t i = 0; i < original.functions.size(); ++i) {
    if (original.functions[i].address.valid()) visit(FunctionId::at(i));
  }
  while (!open.empty()) {
    const Cfa& body = original[open.back()].body;
    open.pop_back();
    for (const Term address : addresses_in(body)) {
      result.insert(address.name());
    }
    for (const Term each : variables_in(body)) {
      const VariableId id = original.variable_of(each);
      if (id.valid() && original[id].kind == VariableKind::Global) {
        result.insert(each.name());
      }
    }
    for (const Edge& edge : body.edges()) {
      const auto* call = std::get_if<Call>(&edge.statement);
      if (call != nullptr) visit(call->callee);
    }
  }
  return result;
}

/// By location, the only edge that leads there; null if there are others, or if
/// execution starts there.
std::vector<const Edge*> only_ways(const Cfa& body) {
  std::vector<const Edge*> result(body.num_locations());
  std::vector<std::size_t> number(body.num_locations());
  number[body.entry().index()] = 1;
  for (const Edge& edge : body.edges()) {
    const bool is_first = ++number[edge.to.index()] == 1;
    result[edge.to.index()] = is_first ? &edge : nullptr;
  }
  return result;
}

/// The flag that is not set at a location; invalid if there is none.
VariableId unset_flag(const Program& program, const Edge* way) {
  const auto* const test =
      way != nullptr ? std::get_if<Assume>(&way->statement) : nullptr;
  if (test == nullptr || test->condition.kind() != Kind::Not) return {};
  const VariableId flag = program.variable_of(test->condition.operand(0));
  const bool is_flag =
      flag.valid() && program[flag].name.starts_with(kToldFlag);
  return is_flag ? flag : VariableId();
}

/// The objects that stay as they are as long as a flag is not set, by flag, as
/// the statements of a flat program say: where all of memory changes, their
/// bytes are copied from the old one.
std::map<VariableId, std::set<ObjectId>> find_kept(
    const Flat& flat, const std::vector<const Edge*>& ways) {
  const Program& program = *flat.program;
  const Term memory = program[program.memory].term;
  std::map<VariableId, std::set<ObjectId>> result;
  if (std::ranges::none_of(program.variables, [](const Variable& each) {
        return each.name.starts_with(kToldFlag);
      })) {
    return result;
  }
  for (const Edge& edge : program[flat.entry].body.edges()) {
    const auto* const to = std::get_if<Assign>(&edge.statement);
    if (to == nullptr || to->target == program.memory ||
        program[to->target].kind != VariableKind::Temporary) {
      continue;
    }
    for (Term at = to->value; at.kind() == Kind::Copy; at = at.operand(0)) {
      const VariableId flag = unset_flag(program, ways[edge.from.index()]);
      const ObjectId object = program.object_of(at.operand(1));
      const bool is_whole = object.valid() && at.operand(3) == memory &&
                            at.operand(4) == at.operand(1) &&
                            at.operand(2).is_constant() &&
                            at.operand(2).value() == program[object].size;
      if (!flag.valid() || !is_whole) throw Overlap{"a flag is of no object"};
      result[flag].insert(object);
    }
  }
  return result;
}

/// Whether execution gets to a location only by way of edges that set flags,
/// this one among them.
bool is_set_before(VariableId flag, const std::vector<const Edge*>& ways,
                   LocationId at) {
  for (const Edge* way = ways[at.index()]; way != nullptr;
       way = ways[way->from.index()]) {
    const auto* const sets = std::get_if<Assign>(&way->statement);
    if (sets == nullptr || !sets->value.is_true()) return false;
    if (sets->target == flag) return true;
  }
  return false;
}

/// Nobody knows an object whose flag is not set.
void check_flags(const Flat& flat, const Program& original, bool any_state) {
  const Program& program = *flat.program;
  const Cfa& body = program[flat.entry].body;
  const std::set<std::string> seen = seen_outside(original);
  const std::vector<const Edge*> ways = only_ways(body);
  for (const auto& [flag, objects] : find_kept(flat, ways)) {
    for (const Edge& edge : body.edges()) {
      const auto* const sets = std::get_if<Assign>(&edge.statement);
      const auto* const havoc = std::get_if<Havoc>(&edge.statement);
      if ((havoc != nullptr && havoc->target == flag) ||
          (sets != nullptr && sets->target == flag && !sets->value.is_true())) {
        throw Overlap{"a flag is taken back"};
      }
    }
    Owners owners;
    for (const ObjectId id : objects) {
      const Object& object = program[id];
      const bool is_known = object.kind != ObjectKind::Local &&
                            (any_state || seen.contains(object.name));
      if (is_known) {
        throw Overlap{
            fmt::format("'{}' can be changed elsewhere", object.name)};
      }
      owners.emplace(object.address.name(), "objects of " + program[flag].name);
    }
    Apart apart(program, owners, /*is_flat=*/false, [&](const Edge& edge) {
      return is_set_before(flag, ways, edge.from);
    });
    apart.check({&body});
    apart.check_told(flat.told);
    apart.check_variables(seen);
  }
}

/// Whether values are chosen by somebody whose pointers point anywhere.
bool has_client(const Cfa& body) {
  return std::ranges::any_of(body.edges(), [](const Edge& edge) {
    const auto* const havoc = std::get_if<Havoc>(&edge.statement);
    return havoc != nullptr && havoc->source == kClientValue;
  });
}

void check(const Flat& flat, const Program& original, bool any_state) {
  const Program& program = *flat.program;
  Owners owners;
  Owners statics;
  for (const Object& object : program.objects) {
    if (object.arrays.size() != 1 || object.arrays[0] == program.memory) {
      continue;
    }
    const std::string array = program[object.arrays.front()].name;
    owners.emplace(object.address.name(), array);
    if (object.kind != ObjectKind::Local) {
      statics.emplace(object.address.name(), array);
    }
  }
  if (owners.empty() && flat.heap_array.empty()) return;
  Apart apart(program, owners, /*is_flat=*/true);
  if (!flat.heap_array.empty()) {
    if (has_client(program[flat.entry].body)) {
      throw Overlap{"clients know what was allocated"};
    }
    apart.hold_allocated(program[flat.heap], flat.heap_array);
    if (flat.sizes.valid()) {
      apart.hold_sizes(program[flat.sizes], flat.heap_array);
    }
  }
  apart.check({&program[flat.entry].body});
  apart.check_told(flat.told);
  if (any_state || flat.calls_unknown) {
    for (const std::string& name : seen_outside(original)) {
      if (statics.contains(name)) {
        throw Overlap{fmt::format("'{}' can be changed elsewhere", name)};
      }
    }
    apart.check_variables(seen_outside(original));
  }
  if (!any_state) return;
  std::vector<const Cfa*> bodies;
  for (const Function& each : original.functions) {
    if (each.name != program[flat.entry].name) bodies.push_back(&each.body);
  }
  Apart(original, statics, /*is_flat=*/false).check(bodies);
}

}  // namespace

std::optional<std::string> find_overlap(const Flat& flat,
                                        const Program& original,
                                        bool any_state) {
  try {
    if (flat.program) {
      check(flat, original, any_state);
      check_flags(flat, original, any_state);
    }
    return std::nullopt;
  } catch (const Overlap& overlap) {
    return overlap.what;
  }
}

}  // namespace agon::ir
