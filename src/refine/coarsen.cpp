// SPDX-License-Identifier: Apache-2.0
#include "refine/coarsen.h"

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

/// Predicates that are true at some states and false at others.
std::set<Term> changing(const AbstractProgram& model) {
  std::array<std::set<Term>, 2> seen;
  for (std::size_t s = 1; s < model.num_states(); ++s) {
    const auto& predicates = model.precision().at(model.location(State::at(s)));
    const Answers& values = model.values(State::at(s));
    for (std::size_t i = 0; i < values.size(); ++i) {
      seen[values[i] ? 1 : 0].insert(predicates[i]);
    }
  }
  std::erase_if(seen[0], [&](Term p) { return !seen[1].contains(p); });
  return std::move(seen[0]);
}

/// Comparisons of terms that are compared with several constants.
std::set<Term> comparisons_of_many(const Precision& precision) {
  std::map<Term, std::set<Term>> by_term;
  for (const Term p : precision.distinct()) {
    if (const auto compared = comparison_with_constant(p)) {
      by_term[compared->left].insert(p);
    }
  }
  std::set<Term> result;
  for (auto& [left, all] : by_term) {
    if (all.size() > 2) result.merge(all);
  }
  return result;
}

/// States that differ only in what is left out, as one.
class Merging {
 public:
  Merging(AbstractProgram& model, const std::set<Term>& left_out)
      : model_(model), left_out_(left_out) {}

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
    return holds(spec, context, [&](const Key& key) { return members(key); }) &&
           !is_too_large_;
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
    for (std::size_t i = 0; i < keys.size(); ++i) {
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
  bool is_too_large_ = false;
};

}  // namespace

std::optional<Precision> without_changing_comparisons(
    AbstractProgram& model, abstraction::AbstractSteps& steps,
    const abstraction::Start& start, const lts::Lts& spec,
    support::Context& context) {
  std::set<Term> left_out = comparisons_of_many(model.precision());
  const std::set<Term> changes = changing(model);
  std::erase_if(left_out, [&](Term p) { return !changes.contains(p); });
  if (left_out.empty()) return std::nullopt;
  if (!Merging(model, left_out).holds_where_reached(spec, context)) {
    return std::nullopt;
  }
  AbstractProgram whole(steps, start, model.precision(), model.labels(),
                        model.alphabet());
  if (!Merging(whole, left_out).holds_everywhere(spec, context)) {
    return std::nullopt;
  }
  Precision result(steps.blocks().body().num_locations());
  for (const abstraction::Block& block : steps.blocks().all()) {
    for (const Term p : model.precision().at(block.start)) {
      if (!left_out.contains(p)) result.add(block.start, p);
    }
  }
  return result;
}

}  // namespace agon::refine
