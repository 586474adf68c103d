// SPDX-License-Identifier: Apache-2.0
#include "falsify/way.h"

#include <algorithm>
#include <map>
#include <queue>

#include "falsify/model.h"
#include "term/substitute.h"

namespace agon::falsify {
namespace {

using ir::LocationId;
using term::Term;

constexpr std::size_t kMostSteps = 20'000;
constexpr std::size_t kMostQueries = 1'000;

/// An execution up to here, for some of the values of its choices.
struct Path {
  LocationId at;
  std::size_t steps = 0;
  std::map<ir::VariableId, Term> values;  ///< Where they are not the initial.
  std::vector<Term> conditions;           ///< On what was chosen.
  std::vector<Term> chosen;               ///< Of scalars, in order.
};

class Search {
 public:
  Search(const ir::Program& program, ir::FunctionId entry,
         const std::vector<bool>& is_goal, smt::Solver& solver,
         support::Context& context)
      : program_(program),
        body_(program[entry].body),
        pool_(*program.pool),
        is_goal_(is_goal),
        solver_(solver),
        context_(context) {
    measure();
  }

  std::optional<std::vector<term::Bits>> run() {
    push({body_.entry(), 0, {}, {}, {}});
    for (std::size_t i = 0; i < kMostSteps && !open_.empty(); ++i) {
      if (context_.exhausted() || queries_ >= kMostQueries) break;
      Path path = open_.top().second;
      open_.pop();
      if (is_goal_[path.at.index()]) {
        if (auto values = solve(path)) return values;
        continue;
      }
      for (const ir::EdgeId edge : body_.out_edges(path.at)) {
        follow(path, body_.edge(edge));
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kFar = ~std::size_t{0};

  /// How many edges it takes at least from each location to a goal.
  void measure() {
    distance_.assign(body_.num_locations(), kFar);
    for (std::size_t i = 0; i < is_goal_.size(); ++i) {
      if (is_goal_[i]) distance_[i] = 0;
    }
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const ir::Edge& edge : body_.edges()) {
        const std::size_t after = distance_[edge.to.index()];
        if (after == kFar || distance_[edge.from.index()] <= after + 1) {
          continue;
        }
        distance_[edge.from.index()] = after + 1;
        is_new = true;
      }
    }
  }

  void push(Path path) {
    const std::size_t left = distance_[path.at.index()];
    if (left == kFar) return;
    const std::size_t length = path.steps + left;
    open_.emplace(length, std::move(path));
  }

  Term value(const Path& path, Term term) {
    term::Substitution known;
    for (const Term variable : term::variables_of(term)) {
      const auto found = path.values.find(program_.variable_of(variable));
      if (found != path.values.end()) known[variable] = found->second;
    }
    return term::substitute(pool_, term, known);
  }

  void follow(const Path& path, const ir::Edge& edge) {
    Path next = path;
    next.at = edge.to;
    ++next.steps;
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      const Term condition = value(path, test->condition);
      if (condition.is_false()) return;
      if (!condition.is_true()) {
        if (!is_ours(condition)) return;
        next.conditions.push_back(condition);
        if (!is_possible(next)) return;
      }
    } else if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      next.values[assign->target] = value(path, assign->value);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      const Term variable = program_[havoc->target].term;
      const bool is_choice = is_input(program_, *havoc);
      const Term any =
          pool_.fresh(is_choice ? "choice" : "anything", variable.sort());
      if (is_choice) ours_.push_back(any);
      if (!variable.sort().is_array()) next.chosen.push_back(any);
      next.values[havoc->target] = any;
    } else {
      return;
    }
    push(std::move(next));
  }

  /// Whether a condition depends on nothing but the Falsifier's choices.
  bool is_ours(Term condition) const {
    return std::ranges::all_of(
        term::variables_of(condition), [&](Term variable) {
          return std::ranges::find(ours_, variable) != ours_.end();
        });
  }

  bool is_possible(const Path& path) {
    ++queries_;
    ++context_.statistics()["solver.calls"];
    return solver_.check(path.conditions) != smt::Answer::Unsat;
  }

  std::optional<std::vector<term::Bits>> solve(const Path& path) {
    ++queries_;
    ++context_.statistics()["solver.calls"];
    if (solver_.check(path.conditions) != smt::Answer::Sat) {
      return std::nullopt;
    }
    const term::Assignment model = solver_.model();
    std::vector<term::Bits> values;
    for (const Term chosen : path.chosen) {
      const auto found = model.find(chosen);
      values.push_back(found == model.end()
                           ? 0
                           : static_cast<term::Bits>(found->second.number));
    }
    return values;
  }

  struct IsLonger {
    bool operator()(const std::pair<std::size_t, Path>& a,
                    const std::pair<std::size_t, Path>& b) const {
      return a.first > b.first;
    }
  };

  const ir::Program& program_;
  const ir::Cfa& body_;
  term::Pool& pool_;
  const std::vector<bool>& is_goal_;
  smt::Solver& solver_;
  support::Context& context_;
  std::vector<std::size_t> distance_;
  std::vector<Term> ours_;
  std::size_t queries_ = 0;
  std::priority_queue<std::pair<std::size_t, Path>,
                      std::vector<std::pair<std::size_t, Path>>, IsLonger>
      open_;
};

}  // namespace

std::optional<std::vector<term::Bits>> find_way(
    const ir::Program& program, ir::FunctionId entry,
    const std::vector<bool>& is_goal, smt::Solver& solver,
    support::Context& context) {
  return Search(program, entry, is_goal, solver, context).run();
}

}  // namespace agon::falsify
