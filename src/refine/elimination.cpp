// SPDX-License-Identifier: Apache-2.0
#include "refine/elimination.h"

#include <algorithm>
#include <functional>

#include "refine/partition.h"
#include "support/big_stack.h"
#include "support/error.h"
#include "support/hash.h"
#include "support/sort_unique.h"

namespace agon::refine {

using abstraction::Answers;
using abstraction::Precision;
using term::Term;

namespace {

/// A leaf that whatever happens in a block of several statements depends on.
constexpr std::uint32_t kWholeBlock = 0;

}  // namespace

std::size_t Elimination::WordsHash::operator()(const Words& words) const {
  std::uint64_t hash = 0;
  for (const std::uint32_t word : words) hash = support::mix(hash + word);
  return hash;
}

void Elimination::track(std::uint32_t candidate, Precision predicates) {
  if (track_of_.size() <= candidate) track_of_.resize(candidate + 1);
  track_of_[candidate] = static_cast<std::uint32_t>(tracks_.size());
  tracks_.push_back({std::move(predicates), {}});
}

std::uint32_t Elimination::remember(const Play& play) {
  Remembered remembered;
  for (const Play::Node& node : play.nodes) {
    remembered.nodes.push_back({step_of(node), node.children});
    remembered.steps.push_back(remembered.nodes.back().step);
  }
  support::sort_unique(remembered.steps);
  plays_.push_back(std::move(remembered));
  return static_cast<std::uint32_t>(plays_.size() - 1);
}

std::uint32_t Elimination::step_of(const Play::Node& node) {
  const auto [at, is_new] =
      step_index_.try_emplace({node.cut, node.exit, node.is_start},
                              static_cast<std::uint32_t>(step_table_.size()));
  if (is_new) {
    const ir::LocationId to = steps_.blocks().body().edge(node.exit).to;
    step_table_.push_back({node.cut, node.exit, node.is_start, to, {}, {}});
    describe(step_table_.back());
  }
  return at->second;
}

void Elimination::describe(Step& step) {
  if (steps_.blocks().block(step.cut).order.size() > 1) {
    step.conditions = {{{kWholeBlock}, {kWholeBlock}, {}}};
    return;
  }
  const auto& exits = steps_.exits(
      step.cut, step.is_start ? start_.values : abstraction::Values());
  const auto exit =
      std::ranges::find(exits, step.exit, &abstraction::Exit::edge);
  AGON_ASSERT(exit != exits.end());
  step.one_exit = &*exit;
  for (const Term& t : exit->guard) {
    step.conditions.push_back(topic_of({&t, 1}));
    const Words& about = step.conditions.back().leaves;
    step.touched.insert(step.touched.end(), about.begin(), about.end());
  }
  const ir::Program& program = steps_.blocks().program();
  for (const auto& [variable, value] : exit->values.entries()) {
    step.touched.push_back(leaf(program[variable].term));
  }
  support::sort_unique(step.touched);
  if (!step.is_start) return;
  for (const Term& t : start_.constraints) {
    step.conditions.push_back(topic_of({&t, 1}));
  }
}

Elimination::Topic Elimination::topic_of(std::span<const Term> terms) {
  Topic result;
  for (const Term t : terms) {
    const abstraction::Solutions::About& about = solutions_.about(t);
    for (const Term v : about.leaves) result.leaves.push_back(leaf(v));
    for (const Term v : about.outer) result.outer.push_back(leaf(v));
    for (const Term v : about.whole) result.places.emplace_back(leaf(v), 0);
    for (const Term r : about.reads) {
      result.places.emplace_back(leaf(r.operand(0)), r.id() + 1);
    }
  }
  support::sort_unique(result.leaves);
  support::sort_unique(result.outer);
  support::sort_unique(result.places);
  return result;
}

const Elimination::Topic& Elimination::topic_for(
    const std::vector<Term>& terms) {
  Words key;
  for (const Term t : terms) key.push_back(t.id());
  const auto [at, is_new] = topics_.try_emplace(std::move(key));
  if (is_new) {
    effort_ += kFine;
    at->second = topic_of(terms);
  }
  return at->second;
}

std::uint32_t Elimination::leaf(Term term) {
  const auto next = static_cast<std::uint32_t>(leaf_index_.size() + 1);
  return leaf_index_.try_emplace(term, next).first->second;
}

const Elimination::Words Elimination::Topic::* Elimination::relevant(
    std::span<const Topic* const> topics) {
  ++round_;
  places_.resize(leaf_index_.size() + 1);
  for (const Topic* topic : topics) {
    for (const auto& [memory, place] : topic->places) {
      auto& [round, first] = places_[memory];
      if (round != round_) first = place;
      round = round_;
      if (first != place) return &Topic::leaves;
    }
  }
  return &Topic::outer;
}

/// Whether no condition is about the same.
bool Elimination::is_idle(const Topic& topic,
                          const std::vector<Topic>& conditions) {
  std::vector<const Topic*> topics{&topic};
  for (const Topic& condition : conditions) topics.push_back(&condition);
  const Words Topic::* const leaves = relevant(topics);
  return std::ranges::none_of(conditions, [&](const Topic& condition) {
    return std::ranges::any_of(condition.*leaves, [&](std::uint32_t leaf) {
      return std::ranges::binary_search(topic.*leaves, leaf);
    });
  });
}

const Elimination::Use& Elimination::use(std::uint32_t track,
                                         std::uint32_t index) {
  std::vector<Use>& uses = tracks_[track].uses;
  if (uses.size() <= index) uses.resize(index + 1);
  Use& result = uses[index];
  if (result.is_known) return result;
  result.is_known = true;
  ++effort_;
  static const Topic kBlock{{kWholeBlock}, {kWholeBlock}, {}};
  static const Topic kNothing;
  const Step& step = step_table_[index];
  const Precision& predicates = tracks_[track].predicates;
  std::vector<Term> before;
  if (!step.is_start) before = predicates.at(step.cut);
  std::vector<Term> after = predicates.at(step.to);
  result.is_idle = before.empty() && after.empty();
  result.topic = result.is_idle ? &kNothing : &kBlock;
  if (result.is_idle || step.one_exit == nullptr) return result;
  bool is_same = before == after;
  if (is_same && !step.is_start) {
    result.topic = &topic_for(before);
    result.is_idle =
        std::ranges::none_of(result.topic->leaves, [&](std::uint32_t leaf) {
          return std::ranges::binary_search(step.touched, leaf);
        });
    if (result.is_idle) return result;
  }
  effort_ += kFine;
  for (Term& t : after) {
    t = steps_.execution().rewriter()(t, step.one_exit->values);
  }
  is_same = before == after;
  before.insert(before.end(), after.begin(), after.end());
  result.topic = &topic_for(before);
  result.is_idle = is_same && is_idle(*result.topic, step.conditions);
  return result;
}

/// Groups of tracks that are connected by what they, and conditions, are about.
/// Where no track of a group changes, each can be looked at by itself.
Elimination::Groups Elimination::groups(const Words& tracks,
                                        std::uint32_t step) {
  const auto size = static_cast<std::uint32_t>(tracks.size());
  const std::vector<Topic>& conditions = step_table_[step].conditions;
  effort_ += 1 + tracks.size() / kFine;
  if (std::ranges::all_of(
          tracks, [&](std::uint32_t t) { return use(t, step).is_idle; })) {
    return {};
  }
  std::vector<const Topic*> topics;
  for (const std::uint32_t t : tracks) topics.push_back(use(t, step).topic);
  for (const Topic& condition : conditions) topics.push_back(&condition);
  const Words Topic::* const leaves = relevant(topics);
  Partition partition(topics.size());
  owners_.resize(leaf_index_.size() + 1);
  for (std::uint32_t item = 0; item < topics.size(); ++item) {
    for (const std::uint32_t leaf : topics[item]->*leaves) {
      auto& [round, owner] = owners_[leaf];
      if (round == round_) {
        partition.join(item, owner);
      } else {
        round = round_;
        owner = item;
      }
    }
  }
  Groups found(topics.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    Group& group = found[partition.find(i)];
    group.places.push_back(i);
    group.is_idle &= use(tracks[i], step).is_idle;
  }
  for (std::uint32_t i = 0; i < conditions.size(); ++i) {
    found[partition.find(size + i)].has_condition = true;
  }
  std::erase_if(found, [](const Group& group) { return group.is_idle; });
  return found;
}

Elimination::Words Elimination::tracks_of(const Choice& candidates) const {
  Words result;
  for (const std::uint32_t c : candidates) result.push_back(track_of_[c]);
  return result;
}

std::vector<Choice> Elimination::parts(const Choice& candidates,
                                       std::uint32_t play) {
  const Words tracks = tracks_of(candidates);
  Partition partition(tracks.size());
  std::vector<bool> matters(tracks.size());
  for (const std::uint32_t step : plays_[play].steps) {
    for (const Group& group : groups(tracks, step)) {
      for (const std::uint32_t place : group.places) {
        partition.join(place, group.places.front());
        if (group.has_condition) matters[place] = true;
      }
    }
  }
  std::map<std::uint32_t, std::pair<Choice, bool>> found;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    auto& [part, has_condition] = found[partition.find(i)];
    part.push_back(candidates[i]);
    has_condition |= matters[i];
  }
  std::vector<Choice> result;
  for (auto& [root, part] : found) {
    if (part.second) result.push_back(std::move(part.first));
  }
  return result;
}

/// Whether some tracks leave a play possible.
class Elimination::Test {
 public:
  Test(Elimination& elimination, const Remembered& play, Words tracks)
      : elimination_(elimination),
        play_(play),
        tracks_(std::move(tracks)),
        groups_(elimination.step_table_.size()) {}

  Outcome run() {
    constexpr std::size_t kShallow =
        2000;  // Nodes that the usual stack is for.
    constexpr std::size_t kBytesPerNode = 1024;
    const Words nothing(tracks_.size(), elimination_.number_of({}));
    bool result = false;
    if (play_.nodes.size() < kShallow) {
      result = can_play(0, nothing);
    } else {
      support::run_with_stack(play_.nodes.size() * kBytesPerNode,
                              [&] { result = can_play(0, nothing); });
    }
    elimination_.effort_ += 4;
    if (!result) return Outcome::Eliminated;
    return has_given_up_ ? Outcome::Unknown : Outcome::Admitted;
  }

 private:
  static constexpr std::size_t kMostSteps = 5'000;

  const Groups& groups(std::uint32_t step) {
    auto& known = groups_[step];
    if (!known) known = elimination_.groups(tracks_, step);
    return *known;
  }

  bool can_play(std::uint32_t node, const Words& state) {
    while (groups(play_.nodes[node].step).empty()) {
      const Words& children = play_.nodes[node].children;
      if (children.empty()) return true;
      if (children.size() > 1) return can_play_all(node, state);
      node = children.front();
    }
    Words key = state;
    key.push_back(node);
    if (const auto known = known_.find(key); known != known_.end()) {
      return known->second;
    }
    const bool result = any_step(node, 0, state, state);
    known_.emplace(std::move(key), result);
    return result;
  }

  bool give_up() {
    has_given_up_ = true;
    return true;
  }

  bool can_play_all(std::uint32_t node, const Words& state) {
    return std::ranges::all_of(
        play_.nodes[node].children,
        [&](std::uint32_t child) { return can_play(child, state); });
  }

  /// Tries what groups from `index` on can do; others have done it.
  bool any_step(std::uint32_t node, std::size_t index, const Words& before,
                const Words& after) {
    elimination_.effort_ += 4;
    if (++steps_taken_ > kMostSteps || elimination_.calls_left_() == 0) {
      return give_up();
    }
    const std::uint32_t step = play_.nodes[node].step;
    if (index == groups(step).size()) return can_play_all(node, after);
    const Words& places = groups(step)[index].places;
    Words tracks;
    Words state;
    Words key{step};
    for (const std::uint32_t place : places) {
      tracks.push_back(tracks_[place]);
      state.push_back(before[place]);
      key.push_back(tracks.back());
      key.push_back(state.back());
    }
    const auto* const rows = elimination_.relation(key, tracks, step, state);
    if (rows == nullptr) return give_up();
    return std::ranges::any_of(*rows, [&](const Words& row) {
      Words next = after;
      for (std::size_t i = 0; i < row.size(); ++i) next[places[i]] = row[i];
      return any_step(node, index + 1, before, next);
    });
  }

  Elimination& elimination_;
  const Remembered& play_;
  const Words tracks_;
  std::vector<std::optional<Groups>> groups_;         // By step.
  std::unordered_map<Words, bool, WordsHash> known_;  // By state and node.
  std::size_t steps_taken_ = 0;
  bool has_given_up_ = false;
};

Elimination::Outcome Elimination::test(const Choice& candidates,
                                       std::uint32_t play) {
  Words key = tracks_of(candidates);
  key.push_back(play);
  if (const auto known = known_.find(key); known != known_.end()) {
    return known->second;
  }
  std::vector<Choice> divided{candidates};
  if (candidates.size() > 1) divided = parts(candidates, play);
  auto result = Outcome::Admitted;
  if (divided.size() == 1 && divided.front().size() == candidates.size()) {
    ++context_.statistics()["refine.tests"];
    result = Test(*this, plays_[play], tracks_of(candidates)).run();
  } else {
    for (const Choice& part : divided) {
      result = std::max(result, test(part, play));
      if (result == Outcome::Eliminated) break;
    }
  }
  // What was given up for lack of time may be found out later.
  if (result != Outcome::Unknown || calls_left_() > 0) {
    known_.emplace(std::move(key), result);
  }
  return result;
}

const std::vector<Elimination::Words>* Elimination::relation(
    const Words& key, const Words& tracks, std::uint32_t index,
    const Words& state) {
  const auto known = relations_.find(key);
  if (known != relations_.end()) return &known->second;
  const auto rows = rows_behind(tracks, index, state);
  if (!rows) return nullptr;
  std::vector<Words>& result = relations_[key];
  for (const Answers& row : *rows) {
    Words numbers;
    auto at = row.begin();
    for (const std::uint32_t t : tracks) {
      const auto size = static_cast<long>(
          tracks_[t].predicates.at(step_table_[index].to).size());
      numbers.push_back(number_of(Answers(at, at + size)));
      at += size;
    }
    result.push_back(std::move(numbers));
  }
  return &result;
}

/// Each row is a call of the solver, so that a single step can cost more than
/// all that may be spent.
std::size_t Elimination::affordable_rows() const {
  return std::min<std::uint64_t>(kMostRows, calls_left_());
}

std::optional<std::vector<Answers>> Elimination::rows_behind(
    const Words& tracks, std::uint32_t index, const Words& state) {
  std::size_t max_rows = kMostRows;
  std::vector<Answers> rows;
  if (const auto& shortcut = shortcut_of(tracks, index)) {
    Answers before;
    for (const std::uint32_t number : state) {
      const Answers& part = answers_[number];
      before.insert(before.end(), part.begin(), part.end());
    }
    rows = shortcut->rows(before);
  } else {
    const std::uint64_t before = num_calls_;
    const std::size_t most = affordable_rows();
    rows = compute(tracks, index, state, most);
    if (num_calls_ != before) max_rows = most;
  }
  if (rows.size() > max_rows) return std::nullopt;
  return rows;
}

const std::optional<Shortcut>& Elimination::shortcut_of(const Words& tracks,
                                                        std::uint32_t index) {
  static const std::optional<Shortcut> kNone;
  const Step& step = step_table_[index];
  if (step.one_exit == nullptr || step.is_start ||
      !steps_.facts(step.cut).empty()) {
    return kNone;
  }
  Words key = tracks;
  key.push_back(index);
  const auto [known, is_new] = shortcuts_.try_emplace(std::move(key));
  if (!is_new) return known->second;
  std::vector<Term> before;
  std::vector<Term> after;
  for (const std::uint32_t t : tracks) {
    std::ranges::copy(tracks_[t].predicates.at(step.cut),
                      std::back_inserter(before));
    std::ranges::copy(tracks_[t].predicates.at(step.to),
                      std::back_inserter(after));
  }
  for (Term& t : after) {
    t = steps_.execution().rewriter()(t, step.one_exit->values);
  }
  known->second = find_shortcuts_.find(before, after, step.one_exit->guard);
  effort_ += kFine + 2 * (before.size() + after.size());
  return known->second;
}

std::vector<Answers> Elimination::compute(const Words& tracks,
                                          std::uint32_t index,
                                          const Words& state,
                                          std::size_t max_rows) {
  ++context_.statistics()["refine.steps"];
  const Step& step = step_table_[index];
  std::vector<Term> literals;
  std::vector<Term> asked;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Precision& predicates = tracks_[tracks[i]].predicates;
    std::ranges::copy(predicates.at(step.to), std::back_inserter(asked));
    if (step.is_start) continue;
    std::ranges::copy(steps_.literals(step.cut, answers_[state[i]], predicates),
                      std::back_inserter(literals));
  }
  return step.is_start ? steps_.through(step.exit, start_, asked, max_rows)
                       : steps_.through(step.exit, step.cut,
                                        std::move(literals), asked, max_rows);
}

std::uint32_t Elimination::number_of(const Answers& answers) {
  const auto [at, is_new] = answer_index_.try_emplace(
      answers, static_cast<std::uint32_t>(answers_.size()));
  if (is_new) answers_.push_back(answers);
  return at->second;
}

}  // namespace agon::refine
