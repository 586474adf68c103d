// SPDX-License-Identifier: Apache-2.0
#include "refine/vercon.h"

#include <map>

#include "term/substitute.h"

namespace agon::refine {
namespace {

using term::Term;

class Backward {
 public:
  explicit Backward(const abstraction::Blocks& blocks)
      : blocks_(blocks),
        program_(blocks.program()),
        pool_(*blocks.program().pool) {}

  /// Where the step from `cut` to `exit` can be made so that `after` holds.
  Term before(ir::LocationId cut, ir::EdgeId exit, Term after) {
    std::map<ir::LocationId, Term> at;
    const abstraction::Block& block = blocks_.block(cut);
    for (auto location = block.order.rbegin(); location != block.order.rend();
         ++location) {
      std::vector<Term> ways;
      for (const ir::EdgeId id : blocks_.body().out_edges(*location)) {
        const ir::LocationId to = blocks_.body().edge(id).to;
        if (id == exit) {
          ways.push_back(through(id, after));
        } else if (!blocks_.is_cut(to) && !blocks_.action(id).valid()) {
          ways.push_back(through(id, at.at(to)));
        }
      }
      at[*location] = pool_.disjunction(ways);
    }
    return at.at(cut);
  }

 private:
  /// Some run of the statement ends where `after` holds.
  Term through(ir::EdgeId id, Term after) {
    const ir::Statement& statement = blocks_.body().edge(id).statement;
    if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
      return replace(after, assign->target, assign->value);
    }
    if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
      const term::Sort sort = program_[havoc->target].term.sort();
      return replace(after, havoc->target, pool_.fresh("input", sort));
    }
    if (const auto* test = std::get_if<ir::Assume>(&statement)) {
      return pool_.conjunction({test->condition, after});
    }
    return after;
  }

  Term replace(Term formula, ir::VariableId variable, Term value) {
    return term::substitute(pool_, formula, {{program_[variable].term, value}});
  }

  const abstraction::Blocks& blocks_;
  const ir::Program& program_;
  term::Pool& pool_;
};

}  // namespace

term::Term verification_condition(const Play& play,
                                  const abstraction::Blocks& blocks) {
  term::Pool& pool = *blocks.program().pool;
  Backward backward(blocks);
  std::vector<Term> conditions(play.nodes.size());
  for (std::size_t i = play.nodes.size(); i-- > 0;) {
    const Play::Node& node = play.nodes[i];
    std::vector<Term> below;
    for (const std::uint32_t child : node.children) {
      below.push_back(conditions[child]);
    }
    conditions[i] =
        backward.before(node.cut, node.exit, pool.conjunction(below));
  }
  return conditions.front();
}

}  // namespace agon::refine
