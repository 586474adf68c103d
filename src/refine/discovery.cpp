// SPDX-License-Identifier: Apache-2.0
#include "refine/discovery.h"

#include <algorithm>
#include <set>

#include "abstraction/predicate_inference.h"
#include "refine/atoms.h"
#include "refine/walk.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::refine {

using abstraction::Values;
using term::Kind;
using term::Term;

namespace {

/// The variable that `left` of a comparison is, or is read from; invalid if
/// there is none.
Term variable_of(Term left) {
  const Term variable = left.kind() == Kind::Read ? left.operand(0) : left;
  return variable.kind() == Kind::Variable ? variable : Term();
}

/// The constant that an assignment stores in a variable, or in its memory.
Term stored_constant(Term value) {
  if (value.kind() == Kind::Write) value = value.operand(2);
  return value.is_constant() ? value : Term();
}

}  // namespace

Discovery::Discovery(abstraction::AbstractSteps& steps,
                     abstraction::Solutions& solutions, smt::Solver& solver,
                     const abstraction::Start& start, DiscoveryOptions options)
    : steps_(steps),
      solutions_(solutions),
      solver_(solver),
      start_(start),
      options_(options),
      program_(steps.blocks().program()),
      pool_(*program_.pool) {
  if (options_.families) find_families();
}

void Discovery::find_families() {
  std::map<Term, std::set<Term>> found;
  for (const ir::Edge& edge : steps_.blocks().body().edges()) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      if (const Term constant = stored_constant(assign->value);
          constant.valid()) {
        found[program_[assign->target].term].insert(constant);
      }
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      term::visit_subterms(test->condition, [&](Term t) {
        const auto compared = comparison_with_constant(t);
        if (compared && variable_of(compared->left).valid()) {
          found[variable_of(compared->left)].insert(compared->constant);
        }
      });
    }
  }
  for (const auto& [variable, constants] : found) {
    if (constants.size() > options_.max_family) continue;
    families_[variable].assign(constants.begin(), constants.end());
  }
}

/// The first node from below whose conditions contradict each other.
std::optional<std::uint32_t> Discovery::find_contradiction(const Play& play) {
  root_ = 0;
  conflict_.clear();
  origins_ = 0;
  at_.assign(play.nodes.size(), {});
  paths_.assign(play.nodes.size(), {});
  for (auto i = static_cast<std::uint32_t>(play.nodes.size()); i-- > 0;) {
    paths_[i] = path_of(play.nodes[i]);
    at_[i] = conditions_before(play, i);
    Terms terms = play.nodes[i].is_start ? start_.constraints : Terms();
    for (const Condition& c : at_[i]) terms.push_back(c.term);
    if (contradict(terms)) {
      root_ = i;
      return i;
    }
  }
  return std::nullopt;
}

bool Discovery::propose(const Play& play, const Taker& take) {
  const auto root = find_contradiction(play);
  if (!root) return false;
  const Terms given = play.nodes[*root].is_start ? start_.constraints : Terms();
  const std::vector<std::uint32_t> needed = core(at_[*root], given);
  for (const Condition& c : at_[*root]) {
    if (std::ranges::binary_search(needed, c.origin)) {
      conflict_.push_back(c.term);
    }
  }
  std::vector<std::uint32_t> every(origins_);
  for (std::uint32_t o = 0; o < origins_; ++o) every[o] = o;
  return take(weakest_preconditions(play, *root, needed)) ||
         take(facts(play, *root, {})) ||
         take(weakest_preconditions(play, *root, every)) ||
         take(around_inputs(play, *root)) ||
         take(facts(play, *root, facts_before(play.nodes[*root]))) ||
         take(ranges(play, *root));
}

std::vector<std::vector<Term>> Discovery::propose_branches(
    const Play& play, Candidates candidates) {
  const auto root = find_contradiction(play);
  std::vector<Terms> groups;
  if (candidates == Candidates::Core) {
    if (root) groups.push_back(core_branches(play, *root));
    groups.push_back(branches_below(play, root.value_or(0)));
  }
  choose_paths_above(play, root_);
  Terms taken;
  for (const auto& path : paths_) add_tests(path, taken);
  std::vector<ir::EdgeId> all(steps_.blocks().body().edges().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = ir::EdgeId::at(i);
  Terms tested;
  add_tests(all, tested);
  Terms assumed;
  for (const ir::EdgeId id : all) add_condition(id, assumed);
  support::sort_unique(assumed);
  groups.insert(groups.end(), {taken, tested, assumed});
  return groups;
}

/// The conditions of the steps that contradict each other.
std::vector<Term> Discovery::core_branches(const Play& play,
                                           std::uint32_t root) {
  const Terms given = play.nodes[root].is_start ? start_.constraints : Terms();
  const std::vector<std::uint32_t> needed = core(at_[root], given);
  Terms result;
  std::vector<bool> is_owned(origins_);
  for (std::size_t i = at_.size(); i-- > root;) {
    for (const Condition& c : at_[i]) {
      if (is_owned[c.origin]) continue;
      is_owned[c.origin] = true;
      if (!std::ranges::binary_search(needed, c.origin)) continue;
      for (const ir::EdgeId id : paths_[i]) add_condition(id, result);
    }
  }
  support::sort_unique(result);
  return result;
}

/// What is tested at a node and all below it.
std::vector<Term> Discovery::branches_below(const Play& play,
                                            std::uint32_t root) const {
  Terms result;
  std::vector<bool> below(play.nodes.size());
  for (std::uint32_t i = root; i < play.nodes.size(); ++i) {
    if (i == root) below[i] = true;
    for (const std::uint32_t child : play.nodes[i].children) {
      below[child] = below[i];
    }
    if (below[i]) add_tests(paths_[i], result);
  }
  return result;
}

/// What is assumed where there is nothing to choose is no branch: the program
/// does not depend on it.
void Discovery::add_tests(const std::vector<ir::EdgeId>& path,
                          Terms& to) const {
  const ir::Cfa& body = steps_.blocks().body();
  for (const ir::EdgeId id : path) {
    if (body.out_edges(body.edge(id).from).size() > 1) add_condition(id, to);
  }
  support::sort_unique(to);
}

void Discovery::add_condition(ir::EdgeId edge, Terms& to) const {
  const auto* const test =
      std::get_if<ir::Assume>(&steps_.blocks().body().edge(edge).statement);
  if (test == nullptr) return;
  term::visit_subterms(test->condition, [&](Term t) {
    if (t.sort().is_bool() && !t.is_constant() && !is_connective(t)) {
      to.push_back(abstraction::canonical(pool_, t));
    }
  });
}

void Discovery::choose_paths_above(const Play& play, std::uint32_t root) {
  for (std::uint32_t i = 0; i < root; ++i) paths_[i] = path_of(play.nodes[i]);
}

Discovery::Reason Discovery::reason(const Play& play) {
  choose_paths_above(play, root_);
  return {root_, conflict_, paths_};
}

const std::vector<ir::EdgeId>& Discovery::path_of(const Play::Node& node) {
  const auto [known, is_new] = chosen_.try_emplace(
      {node.cut, node.is_start, node.exit, node.before, node.after});
  if (is_new) known->second = choose_path(node);
  return known->second;
}

/// A path through the block from a state and to a state that the abstraction
/// allows.
std::vector<ir::EdgeId> Discovery::choose_path(const Play::Node& node) {
  const auto choice = [&](ir::EdgeId edge) { return steps_.choice(edge); };
  const Values before =
      node.is_start ? start_.values : steps_.constants(node.before);
  abstraction::Rewriter& rewrite = steps_.execution().rewriter();
  const auto exits =
      steps_.execution().run(node.cut, before, choice, node.exit);
  if (exits.empty()) return {};
  solver_.push();
  for (const Term t : node.before) solver_.add(rewrite(t, before));
  for (const Term t : exits.front().guard) solver_.add(t);
  for (const Term t : node.after) {
    solver_.add(rewrite(t, exits.front().values));
  }
  std::vector<ir::EdgeId> path;
  if (solver_.check() == smt::Answer::Sat) {
    for (const WalkStep& step :
         walk(steps_, node.cut, node.exit, before, choice, solver_.model())) {
      path.push_back(step.edge);
    }
  }
  solver_.pop();
  return path;
}

/// What must hold before the step of a node so that the chosen paths of it and
/// of all below it can be run.
Discovery::Conditions Discovery::conditions_before(const Play& play,
                                                   std::uint32_t index) {
  const Play::Node& node = play.nodes[index];
  if (paths_[index].empty()) return {};
  const abstraction::Exit run = steps_.execution().follow(
      paths_[index], node.is_start ? start_.values : Values(), fresh_choices());
  Conditions result;
  for (const std::uint32_t child : node.children) {
    for (const Condition& c : at_[child]) {
      result.push_back(
          {steps_.execution().rewriter()(c.term, run.values), c.origin});
    }
  }
  for (const Term condition : run.guard) {
    result.push_back({condition, origins_++});
  }
  return result;
}

/// What each edge of one step chooses: the same whenever it is asked.
abstraction::SymbolicExecution::Choice Discovery::fresh_choices() {
  return
      [this, chosen = std::map<ir::EdgeId, Term>()](ir::EdgeId edge) mutable {
        Term& known = chosen[edge];
        if (!known.valid()) {
          known = pool_.fresh("choice", steps_.choice(edge).sort());
        }
        return known;
      };
}

bool Discovery::contradict(const Terms& terms) {
  return solutions_.all(terms, 0, {}).empty();
}

/// Conditions that contradict each other, and no longer do if one is left out.
std::vector<std::uint32_t> Discovery::core(const Conditions& conditions,
                                           const Terms& given) {
  for (const Condition& c : conditions) {
    if (c.term.is_false()) return {c.origin};
  }
  Conditions needed = conditions;
  Terms terms;
  for (const Condition& c : conditions) terms.push_back(c.term);
  solver_.push();
  for (const Term t : given) solver_.add(t);
  if (solver_.check(terms) == smt::Answer::Unsat) {
    Terms found = solver_.core();
    std::ranges::sort(found);
    std::erase_if(needed, [&](const Condition& c) {
      return !std::ranges::binary_search(found, c.term);
    });
  }
  solver_.pop();
  for (std::size_t i = 0; i < needed.size() && needed.size() > 1;) {
    Terms others = given;
    for (std::size_t k = 0; k < needed.size(); ++k) {
      if (k != i) others.push_back(needed[k].term);
    }
    if (contradict(others)) {
      needed.erase(needed.begin() + static_cast<long>(i));
    } else {
      ++i;
    }
  }
  std::vector<std::uint32_t> origins;
  for (const Condition& c : needed) origins.push_back(c.origin);
  support::sort_unique(origins);
  return origins;
}

std::vector<Proposal> Discovery::weakest_preconditions(
    const Play& play, std::uint32_t root,
    const std::vector<std::uint32_t>& core) {
  std::vector<Proposal> result;
  std::vector<std::uint32_t> below = play.nodes[root].children;
  for (std::size_t k = 0; k < below.size(); ++k) {
    const Play::Node& node = play.nodes[below[k]];
    for (const Condition& c : at_[below[k]]) {
      if (std::ranges::binary_search(core, c.origin)) {
        add_atoms(node.cut, c.term, result);
      }
    }
    below.insert(below.end(), node.children.begin(), node.children.end());
  }
  return result;
}

void Discovery::add_atoms(ir::LocationId location, Term formula,
                          std::vector<Proposal>& to) {
  for (const Term atom : atoms(pool_, formula)) {
    add_predicate(location, atom, to);
  }
}

void Discovery::add_predicate(ir::LocationId location, Term atom,
                              std::vector<Proposal>& to) {
  if (atom.is_constant()) return;
  atom = abstraction::canonical(pool_, atom);
  const abstraction::Liveness& liveness = steps_.execution().liveness();
  const auto can_be_tracked = [&](Term term, ir::LocationId where) {
    return std::ranges::all_of(term::variables_of(term), [&](Term variable) {
      const ir::VariableId id = program_.variable_of(variable);
      return id.valid() && liveness.is_live(where, id);
    });
  };
  if (!can_be_tracked(atom, location)) return;
  to.push_back({location, atom});
  const auto compared = comparison_with_constant(atom);
  if (!compared || !variable_of(compared->left).valid()) return;
  const auto family = families_.find(variable_of(compared->left));
  if (family == families_.end()) return;
  for (const abstraction::Block& block : steps_.blocks().all()) {
    if (!can_be_tracked(compared->left, block.start)) continue;
    for (const Term constant : family->second) {
      if (constant.sort() != compared->left.sort()) continue;
      to.push_back({block.start, pool_.equal(compared->left, constant)});
    }
  }
}

}  // namespace agon::refine
