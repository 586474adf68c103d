// SPDX-License-Identifier: Apache-2.0
#include "algol/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <utility>

#include "algol/refine.h"
#include "support/error.h"
#include "support/hash.h"
#include "support/sequence_table.h"

// Each refinement starts a new layer: the states that are found with its
// precision. It begins in one state of an older layer, on the path that was
// refined, behind which the precisions make a difference. The old state is
// replaced by the new one, which stands for the same; so all ways to it go on
// in the new layer. Old states that can be reached without those that were
// replaced stay, and so do the moves that were found behind them: they are the
// queue of MAGE. The others are not looked at any more, unless somebody comes
// to them on another way.

namespace agon::algol {
namespace {

using Kind = OptionGroup::Kind;

/// The options of a state in the order in which they are tried: one of each
/// group, then the others.
class OptionOrder {
 public:
  explicit OptionOrder(std::span<const OptionGroup> groups) : groups_(groups) {}

  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const OptionGroup& group : groups_) sum += group.count;
    return sum;
  }

  Step at(std::uint64_t place) const {
    if (place < groups_.size()) return {groups_[place], 0};
    place -= groups_.size();
    for (const OptionGroup& group : groups_) {
      if (place < group.count - 1) return {group, place + 1};
      place -= group.count - 1;
    }
    AGON_ASSERT(!"there are no more options");
    return {};
  }

  /// How much longer an option waits than the state itself.
  std::uint32_t cost(std::uint64_t place) const {
    const bool waits =
        groups_.front().kind == Kind::Guess || place >= groups_.size();
    return waits ? 1 : 0;
  }

 private:
  std::span<const OptionGroup> groups_;
};

/// A state of a layer.
struct Place {
  std::uint32_t layer = kNone;
  std::uint32_t state = 0;
  bool valid() const { return layer != kNone; }
};

/// A step from one state to another of the same layer.
struct Way {
  std::uint32_t to = 0;
  std::uint32_t cost = 0;
  Step step;
  std::uint32_t next = kNone;  // Of the ways from the same state.
};

/// What is known of a state.
struct Known {
  Place from;               // How it is reached: from there,
  Step step;                // unless that state was replaced by this one.
  std::uint32_t cost = 0;   // Options on the way that had to wait.
  std::uint32_t depth = 0;  // All options on the way.
  std::uint64_t tried = 0;  // Options.
  std::uint32_t first_way = kNone;
  Place replaced_by;
  bool is_live = false;  // It can be reached.
  bool is_done = false;  // All options were tried.
  bool is_waiting = false;
};

struct Layer {
  Layer(const Tree& tree, Precision given, std::span<const Pattern> patterns)
      : precision(std::move(given)), machine(tree, precision, patterns) {}

  Precision precision;
  Machine machine;
  support::SequenceTable<StateWord> states;
  std::vector<Known> known;
  std::vector<Way> ways;
};

}  // namespace

class Search::Impl {
 public:
  Impl(const Tree& tree, Precision precision, std::span<const Pattern> patterns,
       Order order, support::Context& context)
      : tree_(tree), patterns_(patterns), order_(order), context_(context) {
    can_refine_ = std::ranges::any_of(
        precision, [](const Partition& part) { return !part.is_exact(); });
    add_layer(std::move(precision));
    Machine& machine = layers_[0]->machine;
    machine.start();
    root_ = arrive_at(0);
    know(root_).is_live = true;
    wait(root_, 0);
  }

  SearchResult run(std::uint64_t max_steps) {
    const std::uint64_t end = steps_ + max_steps;
    for (;;) {
      if (!running_) {
        const Waiting* const next = this->next();
        if (next == nullptr) return answer(SearchResult::Kind::Nothing);
        const Waiting taken = *next;
        waiting_[turn_].pop_back();
        if (taken.hit != kNone) {
          hits_[taken.hit].is_waiting = false;
          return found(hits_[taken.hit]);
        }
        expand(taken.place);
      }
      if (const auto reason = must_stop()) return stopped(*reason);
      if (steps_ >= end) return answer(SearchResult::Kind::Paused);
      if (!go_on()) continue;
      const Arrival arrival = *std::exchange(running_, std::nullopt);
      const Machine& machine = layers_[arrival.from.layer]->machine;
      if (machine.status() == Machine::Status::Choice) reached(arrival);
      if (machine.status() != Machine::Status::Hit) continue;
      hits_.push_back({arrival, machine.hit_is_certain()});
      return found(hits_.back());
    }
  }

  void refine() {
    const auto cuts = find_cuts(tree_, patterns_, path_);
    Precision finer = layers_.back()->precision;
    if (apply_cuts(cuts, finer)) add_layer(std::move(finer));
    const std::size_t at = first_difference();
    const auto layer = static_cast<std::uint32_t>(layers_.size() - 1);
    const Place old = places_[at];
    AGON_ASSERT(old.layer != layer && !know(old).replaced_by.valid());
    const std::uint32_t state = layers_[layer]->states.intern(words_);
    if (state == layers_[layer]->known.size()) {
      layers_[layer]->known.emplace_back();
      ++num_known_;
    }
    know(old).replaced_by = {layer, state};
    look_around();
  }

  const Precision& finest() const { return layers_.back()->precision; }
  std::uint64_t steps() const { return steps_; }
  std::size_t num_states() const { return num_known_; }

 private:
  /// The machine is on its way from a state.
  struct Arrival {
    Place from;
    Step step;
    std::uint32_t cost = 0;
  };
  /// A move that matches is made on the way from a state.
  struct Hit {
    Arrival last;
    bool is_certain = false;  // If there is no guess.
    bool is_waiting = false;
  };
  /// A state whose options have not all been tried, or a hit.
  struct Waiting {
    Place place;
    std::uint32_t hit = kNone;
  };

  Known& know(Place place) { return layers_[place.layer]->known[place.state]; }

  void add_layer(Precision precision) {
    layers_.push_back(
        std::make_unique<Layer>(tree_, std::move(precision), patterns_));
  }

  static SearchResult answer(SearchResult::Kind kind) {
    SearchResult result;
    result.kind = kind;
    return result;
  }
  static SearchResult stopped(const std::string& reason) {
    SearchResult result;
    result.reason = reason;
    return result;
  }

  std::optional<std::string> must_stop() {
    if (const auto& reason = context_.exhausted()) return reason;
    if (num_known_ >= context_.limits().max_states) {
      return fmt::format("more than {} states", context_.limits().max_states);
    }
    return std::nullopt;
  }

  // Searching.

  OptionOrder options_of(Place place) {
    const auto options = layers_[place.layer]->machine.options();
    if (order_ == Order::Program) return OptionOrder(options);
    shuffled_.assign(options.begin(), options.end());
    std::uint64_t random = support::mix(context_.seed() + 1) + place.state;
    for (std::size_t i = shuffled_.size(); i > 1; --i) {
      random = support::mix(random + i);
      std::swap(shuffled_[i - 1], shuffled_[random % i]);
    }
    return OptionOrder(shuffled_);
  }

  /// The last of those that wait whose turn it is.
  const Waiting* next() {
    while (turn_ < waiting_.size()) {
      auto& now = waiting_[turn_];
      if (now.empty()) {
        ++turn_;
      } else if (is_needed(now.back())) {
        return &now.back();
      } else {
        now.pop_back();
      }
    }
    return nullptr;
  }

  bool is_needed(const Waiting& waiting) {
    if (waiting.hit != kNone) {
      Hit& hit = hits_[waiting.hit];
      const Known& last = know(hit.last.from);
      hit.is_waiting = last.is_live && !last.replaced_by.valid();
      return hit.is_waiting;
    }
    Known& known = know(waiting.place);
    if (known.is_live && !known.replaced_by.valid()) return true;
    known.is_waiting = false;
    return false;
  }

  /// States wait for those that are reached with fewer waiting options, and of
  /// these, for those that are at most half as deep.
  static std::size_t turn(std::uint32_t cost, std::uint32_t depth) {
    constexpr unsigned kShallow = 5;  // Up to 32 steps are not deep.
    constexpr std::size_t kLayers = 32;
    const auto bits = static_cast<unsigned>(std::bit_width(depth));
    return cost * kLayers + (bits > kShallow ? bits - kShallow : 0);
  }

  void push(std::size_t turn, const Waiting& waiting) {
    if (turn >= waiting_.size()) waiting_.resize(turn + 1);
    waiting_[turn].push_back(waiting);
    turn_ = std::min(turn_, turn);
  }

  /// The next option of the state costs so much.
  void wait(Place place, std::uint32_t cost) {
    Known& known = know(place);
    known.is_waiting = true;
    push(turn(known.cost + cost, known.depth), {place, kNone});
  }

  /// Takes the next option of the state.
  void expand(Place place) {
    Layer& layer = *layers_[place.layer];
    layer.machine.load(layer.states[place.state]);
    const OptionOrder options = options_of(place);
    Known& known = know(place);
    const std::uint64_t option = known.tried++;
    const Step step = options.at(option);
    known.is_waiting = false;
    known.is_done = known.tried == options.count();
    if (!known.is_done) wait(place, options.cost(known.tried));
    running_ = {place, step, options.cost(option)};
    layer.machine.choose(step.group, step.number);
  }

  /// True if the machine has arrived somewhere.
  bool go_on() {
    Machine& machine = layers_[running_->from.layer]->machine;
    const std::uint64_t before = machine.steps();
    const bool has_arrived = machine.run() != Machine::Status::Running;
    steps_ += machine.steps() - before;
    return has_arrived;
  }

  Place arrive_at(std::uint32_t layer) {
    Layer& here = *layers_[layer];
    here.machine.save(words_);
    const std::uint32_t state = here.states.intern(words_);
    if (state == here.known.size()) {
      here.known.emplace_back();
      ++num_known_;
    }
    return {layer, state};
  }

  /// The machine is at a choice.
  void reached(const Arrival& arrival) {
    const Place place = arrive_at(arrival.from.layer);
    const Known from = know(arrival.from);
    if (can_refine_) {
      Layer& layer = *layers_[place.layer];
      layer.ways.push_back(
          {place.state, arrival.cost, arrival.step, from.first_way});
      know(arrival.from).first_way =
          static_cast<std::uint32_t>(layer.ways.size() - 1);
    }
    Known& known = know(place);
    if (known.is_live) return;
    const Reach how{from.cost + arrival.cost, from.depth + 1, arrival.from,
                    arrival.step};
    if (known.depth != 0) return revive(place, how);
    set_live(known, how);  // It is new.
    wait(place, options_of(place).cost(0));
  }

  // Which states can be reached.

  struct Reach {
    std::uint32_t cost = 0;
    std::uint32_t depth = 0;
    Place from;
    Step step;
  };

  static void set_live(Known& known, const Reach& how) {
    known.is_live = true;
    known.cost = how.cost;
    known.depth = how.depth;
    known.from = how.from;
    known.step = how.step;
  }

  /// The state can be reached now, and so can what lies behind it.
  void revive(Place start, const Reach& reach) {
    std::deque<std::pair<Place, Reach>> queue{{start, reach}};
    while (!queue.empty()) {
      const auto [place, how] = queue.front();
      queue.pop_front();
      Known& known = know(place);
      if (known.is_live) continue;
      set_live(known, how);
      if (known.replaced_by.valid()) {
        queue.push_front({known.replaced_by, {how.cost, how.depth, place, {}}});
        continue;
      }
      const std::vector<Way>& ways = layers_[place.layer]->ways;
      for (std::uint32_t i = known.first_way; i != kNone; i = ways[i].next) {
        const Way& way = ways[i];
        const Reach next{how.cost + way.cost, how.depth + 1, place, way.step};
        if (way.cost == 0) {
          queue.push_front({{place.layer, way.to}, next});
        } else {
          queue.push_back({{place.layer, way.to}, next});
        }
      }
      if (known.is_done || known.is_waiting) continue;
      Layer& layer = *layers_[place.layer];
      layer.machine.load(layer.states[place.state]);
      wait(place, options_of(place).cost(known.tried));
    }
  }

  /// After a state was replaced: finds out anew what can be reached, and how.
  void look_around() {
    for (const auto& layer : layers_) {
      for (Known& known : layer->known) known.is_live = false;
    }
    revive(root_, {});
    for (std::uint32_t i = 0; i < hits_.size(); ++i) {
      if (!hits_[i].is_waiting) wait_again(i);
    }
  }

  /// A move that was found waits behind all states whose turn is the same.
  void wait_again(std::uint32_t hit) {
    const Arrival& last = hits_[hit].last;
    const Known& from = know(last.from);
    if (!from.is_live || from.replaced_by.valid()) return;
    hits_[hit].is_waiting = true;
    const std::size_t when = turn(from.cost + last.cost, from.depth);
    push(when, {{}, hit});
    std::ranges::rotate(waiting_[when], waiting_[when].end() - 1);
  }

  // Paths.

  /// The path to a hit, with the states where its choices are made.
  SearchResult found(const Hit& hit) {
    path_.clear();
    places_.clear();
    SearchResult result = answer(SearchResult::Kind::Found);
    result.is_certain = hit.is_certain;
    Place place = hit.last.from;
    Step step = hit.last.step;
    for (;;) {
      if (step.group.kind == Kind::Guess) result.is_certain = false;
      path_.push_back({step, &layers_[place.layer]->precision});
      places_.push_back(place);
      const Known* known = &know(place);
      while (known->from.valid() && know(known->from).replaced_by.valid()) {
        known = &know(known->from);
      }
      if (!known->from.valid()) break;
      step = known->step;
      place = known->from;
    }
    std::ranges::reverse(path_);
    std::ranges::reverse(places_);
    result.path = path_;
    return result;
  }

  /// The last choice on the path up to which the finest precision makes no
  /// difference, the state of which is left in `words_`.
  std::size_t first_difference() {
    const Precision& finer = layers_.back()->precision;
    Machine& machine = layers_.back()->machine;
    machine.start();
    for (std::size_t i = 0;; ++i) {
      AGON_ASSERT(i < path_.size());
      machine.save(words_);
      const std::vector<bool> changed = differences(*path_[i].precision, finer);
      machine.watch(&changed);
      machine.list_again();
      bool differs = machine.has_looked();
      if (!differs) {
        machine.choose(path_[i].step.group, path_[i].step.number);
        while (machine.run() == Machine::Status::Running &&
               !machine.has_looked()) {
        }
        differs =
            machine.had_looked() || machine.status() != Machine::Status::Choice;
      }
      machine.watch(nullptr);
      if (differs) return i;
    }
  }

  static std::vector<bool> differences(const Precision& a, const Precision& b) {
    std::vector<bool> result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      result[i] = a[i].num_parts() != b[i].num_parts();
    }
    return result;
  }

  const Tree& tree_;
  std::span<const Pattern> patterns_;
  Order order_;
  support::Context& context_;
  bool can_refine_ = true;
  std::vector<std::unique_ptr<Layer>> layers_;
  Place root_;
  std::vector<Hit> hits_;
  std::optional<Arrival> running_;
  std::vector<StateWord> words_;
  std::vector<OptionGroup> shuffled_;
  std::vector<std::vector<Waiting>> waiting_;  // By turn; taken from the end.
  std::size_t turn_ = 0;
  std::size_t num_known_ = 0;
  std::uint64_t steps_ = 0;
  Path path_;                  // That was found last.
  std::vector<Place> places_;  // Where its choices are made.
};

Search::Search(const Tree& tree, Precision precision,
               std::span<const Pattern> patterns, Order order,
               support::Context& context)
    : impl_(std::make_unique<Impl>(tree, std::move(precision), patterns, order,
                                   context)) {}
Search::~Search() = default;

SearchResult Search::run(std::uint64_t max_steps) {
  return impl_->run(max_steps);
}
void Search::refine() { impl_->refine(); }
const Precision& Search::finest() const { return impl_->finest(); }
std::size_t Search::num_states() const { return impl_->num_states(); }
std::uint64_t Search::steps() const { return impl_->steps(); }

}  // namespace agon::algol
