// SPDX-License-Identifier: Apache-2.0
#include "concurrent/search.h"

#include <algorithm>
#include <bit>

// A position is a class of each component and, for traces, a set of states of
// the specification. Those are visited first to which few components had to
// move, so that a counterexample needs few of them, and then in order of depth;
// where deadlocks are looked for, those with the fewest moves.
//
// Quotients grow while they are explored: a class that gets another member may
// lead to more places, and then its positions are visited again. When a class
// is divided its positions are gone, and with them all that was found by way of
// them; whoever leads there is visited again.

namespace agon::concurrent {

using lts::Label;
using lts::State;
using support::Verdict;

Search::Search(const Composer& composer, const lts::Lts* spec,
               support::Context& context, SearchOptions options)
    : composer_(composer),
      spec_(spec),
      context_(context),
      options_(options),
      tuples_(std::in_place),
      with_(composer.models().size()),
      growth_seen_(composer.models().size()) {
  if (spec == nullptr) return;
  spec_states_.emplace(*spec);
  spec_sets_.emplace(*spec_states_, lts::Silent::Hidden, lts::Errors::Ignore,
                     context);
}

Finding Search::run(std::size_t most) {
  finding_.reset();
  if (is_started_) {
    requeue_grown();  // Others may have asked the models, too.
  } else {
    start();
  }
  do {
    while (!queue_.empty() && !context_.exhausted()) {
      if (num_positions() > most) {
        return {Verdict::Unknown, "there are too many positions", {}};
      }
      look_for_symmetry();
      if (visit_next()) continue;
      if (!symmetry_ || take_back_permutations(*finding_)) return *finding_;
      start_anew(std::nullopt);
    }
  } while (!context_.exhausted() && !is_symmetric_in_the_end());
  if (const auto& why = context_.exhausted()) {
    return {Verdict::Unknown, *why, {}};
  }
  return {Verdict::Holds, {}, {}};
}

/// False if something was found.
bool Search::visit_next() {
  const auto [moved, depth, stamp, node] = queue_.top();
  queue_.pop();
  Data& data = nodes_[node];
  if (!data.is_live || !data.is_queued || data.stamp != stamp) return true;
  data.is_queued = false;
  ++num_visits_;
  if (!process(node)) {
    queue(node);  // What it offends by may turn out not to be there.
    return false;
  }
  requeue_grown();
  return true;
}

void Search::look_for_symmetry() {
  if (has_tried_symmetry_ || num_positions() < options_.many) return;
  has_tried_symmetry_ = true;
  if (auto found = Symmetry::find(composer_, spec_)) {
    start_anew(std::move(found));
  } else {
    requeue_grown();
  }
}

/// If it is not, there is more to be visited.
bool Search::is_symmetric_in_the_end() {
  if (!symmetry_) return true;
  if (symmetry_->holds()) {
    requeue_grown();
  } else {
    start_anew(std::nullopt);
  }
  return queue_.empty();
}

void Search::start_anew(std::optional<Symmetry> symmetry) {
  symmetry_ = std::move(symmetry);
  tuples_.emplace();
  nodes_.clear();
  with_.assign(composer_.models().size(), {});
  queue_ = {};
  start();
}

void Search::start() {
  is_started_ = true;
  reach(kNone, {}, composer_.initial(), spec_at_first());
  requeue_grown();
}

State Search::spec_at_first() {
  return spec_sets_ ? spec_sets_->initial() : State(0);
}

Place Search::place(Node node) const {
  Place result;
  const auto words = (*tuples_)[node];
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    result.push_back(Class(words[i].value()));
  }
  return result;
}

State Search::spec_at(Node node) const {
  return State((*tuples_)[node].back().value());
}

/// False if something was found.
bool Search::process(Node node) {
  const Place here = place(node);
  if (const auto few = persistent_moves(here)) {
    made_.clear();
    for (const Move& move : *few) {
      if (!take(node, here, move)) return false;
    }
    const bool goes_on =
        spec_ == nullptr || std::ranges::any_of(made_, [&](Node each) {
          return nodes_[each].stamp > nodes_[node].stamp;
        });
    if (goes_on) return true;
  }
  const std::vector<Move> all = composer_.moves(here, kAllComponents);
  if (all.empty() && spec_ == nullptr && is_deadlock(here)) {
    finding_ = found(node, std::nullopt);
    return false;
  }
  for (const Move& move : all) {
    if (!take(node, here, move)) return false;
  }
  return true;
}

bool Search::is_deadlock(const Place& here) const {
  bool has_waiting = false;
  for (std::uint32_t i = 0; i < here.size(); ++i) {
    const auto rest = static_cast<Rest>(composer_.model(i).kind(here[i]));
    if (rest == Rest::None) return false;
    has_waiting = has_waiting || rest == Rest::Waiting;
  }
  return has_waiting;
}

/// None if the specification sees one of the moves.
std::size_t Search::num_hidden_outcomes(const Place& here,
                                        const std::vector<Move>& moves) const {
  std::size_t result = 0;
  for (const Move& move : moves) {
    if (spec_ != nullptr && composer_.visible(move) != lts::kTau) return 0;
    result += composer_.num_outcomes(here, move);
  }
  return result;
}

/// Moves of some components that are enough. Those with the fewest outcomes, so
/// that choices are put off, since one that is made early multiplies all that
/// follows; and then those of the fewest components.
std::optional<std::vector<Move>> Search::persistent_moves(
    const Place& here) const {
  std::optional<std::vector<Move>> best;
  std::pair<std::size_t, int> least(std::numeric_limits<std::size_t>::max(), 0);
  for (const std::uint64_t group : composer_.independent_groups(here)) {
    std::vector<Move> moves = composer_.moves(here, group);
    const std::pair cost(num_hidden_outcomes(here, moves),
                         std::popcount(group));
    if (cost.first == 0 || cost >= least) continue;
    best = std::move(moves);
    least = cost;
  }
  return best;
}

/// None if the specification does not allow the move.
std::optional<State> Search::spec_after(State spec, const Move& move) {
  const Label label = composer_.visible(move);
  if (spec_ == nullptr || label == lts::kTau) return spec;
  const auto answers = spec_sets_->expand(spec);
  const auto at = std::ranges::find(answers, label, &lts::Transition::label);
  if (at == answers.end()) return std::nullopt;
  return at->target;
}

bool Search::take(Node node, const Place& here, const Move& move) {
  const std::optional<State> spec = spec_after(spec_at(node), move);
  if (!spec) {
    if (context_.exhausted()) return true;  // The set may be incomplete.
    if (composer_.num_outcomes(here, move) == 0) return true;
    finding_ = found(node, move);
    return false;
  }
  composer_.outcomes(here, move, [&](const Place& there) {
    if (!context_.exhausted()) reach(node, move, there, *spec);
  });
  return true;
}

void Search::reach(Node from, const Move& move, Place place, State spec) {
  if (symmetry_) symmetry_->normalise(place);
  std::vector<Word> words;
  for (const Class c : place) words.push_back(Word(c.value()));
  words.push_back(Word(spec.value()));
  const Node node = tuples_->intern(words);
  if (node >= nodes_.size()) nodes_.resize(node + 1);
  if (from != kNone) {
    auto& successors = nodes_[from].successors;
    if (std::ranges::find(successors, node) == successors.end()) {
      successors.push_back(node);
      nodes_[node].predecessors.push_back(from);
    }
    made_.push_back(node);
  }
  Data& data = nodes_[node];
  if (data.is_live) return;
  data.is_live = true;
  data.parent = from;
  data.by = move;
  data.stamp = ++next_stamp_;
  data.depth = 0;
  data.moved = 0;
  if (spec_ == nullptr) {
    data.num_moves = static_cast<std::uint32_t>(
        composer_.moves(place, kAllComponents).size());
  }
  if (from != kNone) {
    Data& parent = nodes_[from];
    parent.children.push_back(node);
    data.depth = parent.depth + 1;
    data.moved = parent.moved | movers(parent, move);
  }
  for (std::uint32_t i = 0; i < place.size(); ++i) {
    if (!place[i].valid()) continue;
    auto& by_class = with_[composer_.composition().model_of[i]];
    if (by_class.size() <= place[i].index()) {
      by_class.resize(place[i].index() + 1);
    }
    auto& nodes = by_class[place[i].index()];
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  }
  queue(node);
}

std::uint64_t Search::movers(const Data& from, const Move& move) const {
  if (move.is_silent()) return bit(move.component);
  if (from.parent == kNone) return 0;  // All of them start.
  std::uint64_t result = 0;
  for (const Participant& each :
       composer_.composition().events[move.event].participants) {
    result |= bit(each.component);
  }
  return result;
}

void Search::queue(Node node) {
  Data& data = nodes_[node];
  if (data.is_queued) return;
  data.is_queued = true;
  queue_.emplace(rank(data), data.depth, data.stamp, node);
}

/// What is small comes first. Where little can happen, a deadlock is near.
std::uint64_t Search::rank(const Data& data) const {
  if (options_.order == SearchOptions::Order::Latest) return ~data.stamp;
  if (spec_ == nullptr) return data.num_moves;
  return static_cast<std::uint64_t>(std::popcount(data.moved));
}

void Search::requeue_grown() {
  for (std::size_t m = 0; m < with_.size(); ++m) {
    if (with_[m].empty()) continue;
    for (const Class c : composer_.models()[m]->grown_since(growth_seen_[m])) {
      if (c.index() >= with_[m].size()) continue;
      for (const Node node : with_[m][c.index()]) {
        if (nodes_[node].is_live) queue(node);
      }
    }
  }
}

void Search::forget(std::uint32_t model, const std::vector<Class>& changed) {
  for (const Class c : changed) {
    if (c.index() >= with_[model].size()) continue;
    const std::vector<Node> nodes = std::move(with_[model][c.index()]);
    with_[model][c.index()].clear();
    for (const Node node : nodes) kill(node);
  }
  start();  // Again, if that was one of them.
}

/// With all that was found by way of it.
void Search::kill(Node first) {
  std::vector<Node> open{first};
  std::vector<Node> lead_there;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    Data& data = nodes_[node];
    if (!data.is_live) continue;
    for (const Node each : data.children) {
      if (nodes_[each].parent == node) open.push_back(each);
    }
    for (const Node each : data.predecessors) {
      std::erase(nodes_[each].successors, node);
      lead_there.push_back(each);
    }
    data = Data();
  }
  for (const Node node : lead_there) {
    if (nodes_[node].is_live) queue(node);
  }
}

Finding Search::found(Node node, const std::optional<Move>& last) {
  Finding result;
  result.verdict = Verdict::Violated;
  if (last) result.path.push_back({*last, {}});
  for (; nodes_[node].parent != kNone; node = nodes_[node].parent) {
    result.path.push_back({nodes_[node].by, place(node)});
  }
  std::ranges::reverse(result.path);
  return result;
}

/// A path to normalised places becomes one that can be taken. False if there is
/// none, since the components are not symmetric after all.
bool Search::take_back_permutations(Finding& finding) {
  Place here = composer_.initial();
  State spec = spec_at_first();
  for (PathStep& step : finding.path) {
    const std::optional<State> then = spec_after(spec, step.move);
    if (!take_back_permutation(here, spec, step)) return false;
    here = step.after;
    if (then) spec = *then;
  }
  return spec_ != nullptr ||
         (composer_.moves(here, kAllComponents).empty() && is_deadlock(here));
}

/// Finds the move from a place that is like that of a step.
bool Search::take_back_permutation(const Place& here, State spec,
                                   PathStep& step) {
  const std::optional<State> wanted = spec_after(spec, step.move);
  for (const Move& move : composer_.moves(here, kAllComponents)) {
    if (spec_after(spec, move) != wanted) continue;
    std::optional<Place> found;
    composer_.outcomes(here, move, [&](const Place& there) {
      Place normal = there;
      symmetry_->normalise(normal);
      if (step.after.empty() || normal == step.after) found = there;
    });
    if (!found) continue;
    step.move = move;
    if (!step.after.empty()) step.after = std::move(*found);
    return true;
  }
  return false;
}

std::size_t Search::num_states() const {
  support::SequenceTable<Word> seen;
  for (Node node = 0; node < nodes_.size(); ++node) {
    const auto words = (*tuples_)[node];
    if (nodes_[node].is_live) seen.intern(words.first(words.size() - 1));
  }
  return seen.size();
}

std::set<Label> Search::performed() const {
  std::set<Label> all;
  for (const Event& event : composer_.composition().events) {
    if (event.visible != lts::kTau) all.insert(event.visible);
  }
  std::set<Label> result;
  for (Node node = 0; node < nodes_.size() && result != all; ++node) {
    if (!nodes_[node].is_live) continue;
    const Place here = place(node);
    for (const Move& move : composer_.moves(here, kAllComponents)) {
      const Label label = composer_.visible(move);
      if (label != lts::kTau && !result.contains(label) &&
          composer_.num_outcomes(here, move) > 0) {
        result.insert(label);
      }
    }
  }
  return symmetry_ ? symmetry_->close(std::move(result)) : result;
}

std::vector<bool> Search::reached_in_spec() const {
  std::vector<bool> result(spec_->num_states());
  for (Node node = 0; node < nodes_.size(); ++node) {
    if (!nodes_[node].is_live) continue;
    for (const State member : spec_sets_->members(spec_at(node))) {
      result[member.index()] = true;
    }
  }
  return result;
}

}  // namespace agon::concurrent
