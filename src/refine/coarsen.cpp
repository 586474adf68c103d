// SPDX-License-Identifier: Apache-2.0
#include "refine/coarsen.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "game/simulation.h"
#include "lts/successors.h"
#include "refine/atoms.h"

namespace agon::refine {
namespace {

using abstraction::AbstractProgram;
using abstraction::Answers;
using abstraction::Precision;
using lts::State;
using term::Term;

/// How large a model may get while it is looked at without some predicates.
std::size_t bound_on_states(const AbstractProgram& model) {
  constexpr std::size_t kFew = 256;
  constexpr std::size_t kMostTimes = 4;
  return std::max(kFew, kMostTimes * model.num_states());
}

/// Calls with each predicate at each state that has any, and its value.
void for_each_value(const AbstractProgram& model,
                    const std::function<void(State, Term, bool)>& take) {
  for (std::size_t s = 1; s < model.num_states(); ++s) {
    const State state = State::at(s);
    const auto& predicates = model.precision().at(model.location(state));
    const Answers& values = model.values(state);
    for (std::size_t i = 0; i < values.size(); ++i) {
      take(state, predicates[i], values[i]);
    }
  }
}

/// Comparisons of terms that are compared with several constants.
struct Comparisons {
  std::set<Term> changing;  ///< True at some states and false at others.
  std::set<Term> never_true;
};

Comparisons comparisons_of_many(const AbstractProgram& model) {
  std::array<std::set<Term>, 2> seen;
  for_each_value(
      model, [&](State, Term p, bool value) { seen[value ? 1 : 0].insert(p); });
  std::map<Term, std::vector<Term>> by_term;
  for (const Term p : model.precision().distinct()) {
    if (const auto compared = comparison_with_constant(p)) {
      by_term[compared->left].push_back(p);
    }
  }
  Comparisons result;
  for (const auto& [left, all] : by_term) {
    if (all.size() <= 2) continue;
    for (const Term p : all) {
      if (!seen[1].contains(p)) {
        result.never_true.insert(p);
      } else if (seen[0].contains(p)) {
        result.changing.insert(p);
      }
    }
  }
  return result;
}

/// Those that are false because another comparison of their term is true, at
/// each state that knows about them.
std::set<Term> implied_by_others(const AbstractProgram& model,
                                 std::set<Term> never_true) {
  std::set<std::pair<State, Term>> settled;
  for_each_value(model, [&](State s, Term p, bool value) {
    const auto compared = comparison_with_constant(p);
    if (value && compared) settled.emplace(s, compared->left);
  });
  std::set<Term> needed;
  for_each_value(model, [&](State s, Term p, bool) {
    if (!never_true.contains(p)) return;
    if (!settled.contains({s, comparison_with_constant(p)->left})) {
      needed.insert(p);
    }
  });
  std::erase_if(never_true, [&](Term p) { return needed.contains(p); });
  return never_true;
}

/// States that differ only in what is left out, as one.
class Merging {
 public:
  /// Gives up if the model gets too many states.
  Merging(AbstractProgram& model, const std::set<Term>& left_out,
          std::size_t most_states)
      : model_(model), left_out_(left_out), most_states_(most_states) {}

  /// Whether the specification simulates the merged states that are reached.
  bool holds_where_reached(const lts::Lts& spec, support::Context& context) {
    std::map<Key, std::vector<State>> reached;
    for (std::size_t s = 0; s < model_.num_states(); ++s) {
      reached[key_of(State::at(s))].push_back(State::at(s));
    }
    return holds(spec, context, [&](const Key& key) { return reached[key]; });
  }

  /// The same where a merged state stands for all that it can.
  bool holds_everywhere(const lts::Lts& spec, support::Context& context) {
    return holds(spec, context, [&](const Key& key) { return members(key); });
  }

 private:
  /// A location, and the values of what is not left out.
  using Key = std::pair<ir::LocationId, Answers>;
  using Members = std::function<std::vector<State>(const Key&)>;

  Key key_of(State s) const {
    Key key{model_.location(s), {}};
    for (std::size_t i = 0; i < model_.values(s).size(); ++i) {
      if (!left_out_.contains(model_.precision().at(key.first)[i])) {
        key.second.push_back(model_.values(s)[i]);
      }
    }
    return key;
  }

  bool holds(const lts::Lts& spec, support::Context& context,
             const Members& members) {
    const lts::Lts merged = merge(members);
    if (is_too_large_) return false;
    lts::ExplicitSuccessors left(merged);
    lts::ExplicitSuccessors right(spec);
    return game::simulate(left, right, game::Semantics::Weak, {}, context)
               .verdict == support::Verdict::Holds;
  }

  lts::Lts merge(const Members& members) {
    lts::LtsBuilder builder(model_.labels());
    std::vector<Key> keys;
    std::map<Key, State> index;
    const auto number_of = [&](State s) {
      const auto [at, is_new] = index.try_emplace(key_of(s));
      if (is_new) {
        at->second = builder.add_state();
        keys.push_back(at->first);
      }
      return at->second;
    };
    builder.set_initial(number_of(model_.initial()));
    for (std::size_t i = 0; i < keys.size() && !is_too_large_; ++i) {
      for (const State s : members(Key(keys[i]))) {
        for (const lts::Transition t : model_.expand(s)) {
          builder.add_transition(State::at(i), t.label, number_of(t.target));
        }
      }
    }
    for (const lts::Label label : model_.alphabet()) {
      builder.extend_alphabet(label);
    }
    return std::move(builder).build();
  }

  /// All states that a merged one stands for: of the comparisons of one term at
  /// most one is true.
  std::vector<State> members(const Key& key) {
    if (!key.first.valid()) return {model_.initial()};
    const std::vector<Term>& predicates = model_.precision().at(key.first);
    std::map<Term, std::vector<std::size_t>> open;  // Places by term.
    std::set<Term> settled;                         // Where a kept one is true.
    Answers known;
    auto kept = key.second.begin();
    for (std::size_t i = 0; i < predicates.size(); ++i) {
      const bool is_left_out = left_out_.contains(predicates[i]);
      known.push_back(!is_left_out && *kept++);
      const auto compared = comparison_with_constant(predicates[i]);
      if (is_left_out) open[compared->left].push_back(i);
      if (compared && known.back()) settled.insert(compared->left);
    }
    std::vector<Answers> all{known};
    for (const auto& [term, places] : open) {
      if (!settled.contains(term)) add_alternatives(all, places);
    }
    is_too_large_ |= all.size() > kMostMembers;
    if (is_too_large_) return {};
    std::vector<State> result;
    for (const Answers& values : all) {
      result.push_back(model_.intern(key.first, values));
    }
    is_too_large_ |= model_.num_states() > most_states_;
    return result;
  }

  /// To each, what it is with one of the places true.
  static void add_alternatives(std::vector<Answers>& all,
                               const std::vector<std::size_t>& places) {
    const std::size_t size = all.size();
    for (std::size_t k = 0; k < size; ++k) {
      for (const std::size_t place : places) {
        all.push_back(all[k]);
        all.back()[place] = true;
      }
    }
  }

  static constexpr std::size_t kMostMembers = 256;

  AbstractProgram& model_;
  const std::set<Term>& left_out_;
  const std::size_t most_states_;
  bool is_too_large_ = false;
};

Precision without(const Precision& precision, const std::set<Term>& left_out,
                  const abstraction::Blocks& blocks) {
  Precision result(blocks.body().num_locations());
  for (const abstraction::Block& block : blocks.all()) {
    for (const Term p : precision.at(block.start)) {
      if (!left_out.contains(p)) result.add(block.start, p);
    }
  }
  return result;
}

std::optional<Precision> without_implied(const AbstractProgram& model,
                                         const Comparisons& found,
                                         const abstraction::Blocks& blocks) {
  const std::set<Term> implied = implied_by_others(model, found.never_true);
  if (implied.empty()) return std::nullopt;
  return without(model.precision(), implied, blocks);
}

}  // namespace

std::optional<Precision> with_fewer_comparisons(
    AbstractProgram& model, abstraction::AbstractSteps& steps,
    const abstraction::Start& start, const lts::Lts& spec,
    support::Context& context) {
  const Comparisons found = comparisons_of_many(model);
  if (!found.changing.empty()) {
    AbstractProgram whole(steps, start, model.precision(), model.labels(),
                          model.alphabet());
    const std::size_t most_states = bound_on_states(model);
    if (Merging(model, found.changing, most_states)
            .holds_where_reached(spec, context) &&
        Merging(whole, found.changing, most_states)
            .holds_everywhere(spec, context)) {
      return without(model.precision(), found.changing, steps.blocks());
    }
  }
  return without_implied(model, found, steps.blocks());
}

std::optional<Precision> without_implied_comparisons(
    const AbstractProgram& model, const abstraction::Blocks& blocks) {
  return without_implied(model, comparisons_of_many(model), blocks);
}

}  // namespace agon::refine
