// SPDX-License-Identifier: Apache-2.0
#include "domain/branch_predicates.h"

#include <algorithm>
#include <unordered_set>

#include "term/substitute.h"

namespace agon::domain {
namespace {

using term::Kind;
using term::Term;

constexpr std::size_t kMost = 16;
/// How many rounds of a loop that changes a variable step by step are looked
/// back: more would tell rounds apart, and not what the loop leads to.
constexpr unsigned kMostRounds = 2;

class Collector {
 public:
  explicit Collector(term::Pool& pool) : pool_(pool) {}

  void add(Term condition, unsigned rounds = 0) {
    if (condition.is_constant()) return;
    switch (condition.kind()) {
      case Kind::Not:
      case Kind::And:
      case Kind::Or:
        for (const Term part : condition.operands()) add(part, rounds);
        return;
      default:
        break;
    }
    if (!seen_.insert(condition).second) return;
    seen_.insert(pool_.negation(condition));
    found_.push_back(condition);
    rounds_.push_back(rounds);
  }

  const std::vector<Term>& found() const { return found_; }
  unsigned rounds(std::size_t i) const { return rounds_[i]; }

 private:
  term::Pool& pool_;
  std::unordered_set<Term> seen_;
  std::vector<Term> found_;
  std::vector<unsigned> rounds_;
};

bool is_step(const ir::Assign& assign, Term target) {
  const auto variables = term::variables_of(assign.value);
  return std::ranges::find(variables, target) != variables.end();
}

}  // namespace

std::vector<Term> branch_predicates(const ir::Program& program,
                                    ir::FunctionId entry,
                                    const std::vector<Term>& further) {
  const ir::Cfa& body = program[entry].body;
  Collector collector(*program.pool);
  for (const ir::Edge& edge : body.edges()) {
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      collector.add(test->condition);
    }
  }
  for (const Term condition : further) collector.add(condition);
  for (std::size_t i = 0; i < collector.found().size(); ++i) {
    for (const ir::Edge& edge : body.edges()) {
      if (collector.found().size() >= kMost) return collector.found();
      const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
      if (assign == nullptr) continue;
      const Term target = program[assign->target].term;
      const unsigned rounds =
          collector.rounds(i) + (is_step(*assign, target) ? 1 : 0);
      if (rounds > kMostRounds) continue;
      collector.add(term::substitute(*program.pool, collector.found()[i],
                                     {{target, assign->value}}),
                    rounds);
    }
  }
  return collector.found();
}

}  // namespace agon::domain
