// SPDX-License-Identifier: Apache-2.0
/// Predicates for contradictions that weakest preconditions cannot express,
/// because they are about inputs of the program that come later.
#include <algorithm>
#include <set>

#include "refine/bounds.h"
#include "refine/discovery.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::refine {

using abstraction::Values;
using term::Kind;
using term::Term;

namespace {

constexpr std::size_t kMostRanges = 32;  // Variables of a node, and nodes.

bool is_order(Term atom) {
  switch (atom.kind()) {
    case Kind::ULess:
    case Kind::ULessEqual:
    case Kind::SLess:
    case Kind::SLessEqual:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// What variables hold at the start.
Discovery::Terms Discovery::facts_before(const Play::Node& node) {
  Terms result;
  if (!node.is_start) return result;
  for (const auto& [variable, value] : start_.values.entries()) {
    if (!value.sort().is_array() && value.is_constant()) {
      result.push_back(pool_.equal(program_[variable].term, value));
    }
  }
  return result;
}

/// What the paths below `root` have tested or assigned and not changed since,
/// and what held before them. It matters where what comes later depends on
/// inputs of the program.
std::vector<Proposal> Discovery::facts(const Play& play, std::uint32_t root,
                                       Terms before) {
  std::vector<Proposal> result;
  struct Visit {
    std::uint32_t node;
    Terms known;
  };
  std::vector<Visit> open{{root, std::move(before)}};
  while (!open.empty()) {
    auto [index, known] = std::move(open.back());
    open.pop_back();
    for (const ir::EdgeId id : paths_[index]) {
      const ir::Statement& statement =
          steps_.blocks().body().edge(id).statement;
      const auto forget = [&](ir::VariableId variable) {
        std::erase_if(known, [&](Term t) {
          return std::ranges::count(term::variables_of(t),
                                    program_[variable].term) > 0;
        });
      };
      if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        const Term target = program_[assign->target].term;
        forget(assign->target);
        if (!target.sort().is_array() &&
            std::ranges::count(term::variables_of(assign->value), target) ==
                0) {
          known.push_back(pool_.equal(target, assign->value));
        }
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
        forget(havoc->target);
      } else if (const auto* test = std::get_if<ir::Assume>(&statement)) {
        known.push_back(test->condition);
      }
    }
    for (const std::uint32_t child : play.nodes[index].children) {
      for (const Term t : known) add_atoms(play.nodes[child].cut, t, result);
      open.push_back({child, known});
    }
  }
  return result;
}

/// Where the contradiction is about an input, nothing that mentions it can be
/// tracked. But if `input <= a` and `input == b` matter, so does `b <= a`.
std::vector<Proposal> Discovery::around_inputs(const Play& play,
                                               std::uint32_t root) {
  std::vector<Proposal> result;
  std::vector<std::uint32_t> below = play.nodes[root].children;
  for (std::size_t k = 0; k < below.size(); ++k) {
    const Play::Node& node = play.nodes[below[k]];
    std::map<Term, std::set<Term>> compared;  // By input, with what.
    Kind less = Kind::SLess;
    for (const Condition& c : at_[below[k]]) {
      term::visit_subterms(c.term, [&](Term atom) {
        if (atom.kind() != Kind::Equal && !is_order(atom)) return;
        if (atom.operand(0).sort().is_bool()) return;
        if (atom.kind() == Kind::ULess || atom.kind() == Kind::ULessEqual) {
          less = Kind::ULess;
        }
        for (const std::size_t side : {0U, 1U}) {
          const Term input = atom.operand(side);
          if (input.kind() != Kind::Variable) continue;
          if (program_.variable_of(input).valid()) continue;
          compared[input].insert(atom.operand(1 - side));
        }
      });
    }
    for (const auto& [input, terms] : compared) {
      for (const Term a : terms) {
        for (const Term b : terms) {
          if (a < b) add_predicate(node.cut, pool_.equal(a, b), result);
          if (a != b) add_predicate(node.cut, pool_.binary(less, a, b), result);
        }
      }
    }
    below.insert(below.end(), node.children.begin(), node.children.end());
  }
  return result;
}

/// The variables that the conditions before a node mention, and of arrays the
/// elements that have been written.
Discovery::Terms Discovery::mentioned(std::uint32_t node,
                                      const Values& values) {
  Terms result;
  for (const Condition& c : at_[node]) {
    for (const Term variable : term::variables_of(c.term)) {
      const ir::VariableId id = program_.variable_of(variable);
      if (!id.valid()) continue;
      if (!variable.sort().is_array()) result.push_back(variable);
      for (Term value = values.find(id);
           value.valid() && value.kind() == Kind::Write;
           value = value.operand(0)) {
        const Term index = value.operand(1);
        if (!term::variables_of(index).empty()) continue;
        result.push_back(pool_.read(variable, index, value.count()));
      }
    }
  }
  support::sort_unique(result);
  if (result.size() > kMostRanges) result.resize(kMostRanges);
  return result;
}

/// The last resort, where the contradiction is about inputs: between which
/// bounds everything lies that the conditions mention.
std::vector<Proposal> Discovery::ranges(const Play& play, std::uint32_t root) {
  std::vector<Proposal> result;
  struct Visit {
    std::uint32_t node;
    Values values;
    Terms given;
  };
  const bool is_start = play.nodes[root].is_start;
  std::vector<Visit> open{{root, is_start ? start_.values : Values(),
                           is_start ? start_.constraints : Terms()}};
  for (std::size_t seen = 0; !open.empty() && seen < kMostRanges; ++seen) {
    auto [index, values, given] = std::move(open.back());
    open.pop_back();
    if (paths_[index].empty()) continue;
    const abstraction::Exit run =
        steps_.execution().follow(paths_[index], values, fresh_choices());
    given.insert(given.end(), run.guard.begin(), run.guard.end());
    solver_.push();
    for (const Term t : given) solver_.add(t);
    for (const std::uint32_t child : play.nodes[index].children) {
      for (const Term shown : mentioned(child, run.values)) {
        const Term value = steps_.execution().rewriter()(shown, run.values);
        for (const Term bound : bounds(pool_, solver_, shown, value)) {
          add_predicate(play.nodes[child].cut, bound, result);
        }
      }
      open.push_back({child, run.values, given});
    }
    solver_.pop();
  }
  return result;
}

}  // namespace agon::refine
