// SPDX-License-Identifier: Apache-2.0
#include "algol/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "support/error.h"
#include "support/hash.h"
#include "support/sequence_table.h"

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

class Search {
 public:
  Search(const Tree& tree, const Precision& precision,
         std::span<const Pattern> patterns, Order order,
         support::Context& context)
      : machine_(tree, precision, patterns), order_(order), context_(context) {}

  SearchResult run() {
    SearchResult result = find();
    result.states = states_.size();
    result.steps = machine_.steps();
    return result;
  }

 private:
  /// A state of which not all options have been tried.
  struct Open {
    std::uint32_t state;
    std::uint64_t place;
  };
  /// How a state was reached first.
  struct Arrival {
    std::uint32_t from = 0;
    std::uint32_t cost = 0;   // Options on the way that had to wait.
    std::uint32_t depth = 0;  // All options on the way.
    Step step;
  };

  SearchResult find() {
    machine_.start();
    reached({});
    while (const Open* const open = next()) {
      if (const auto reason = must_stop()) return stopped(*reason);
      const Arrival arrival = expand(*open);
      while (machine_.run() == Machine::Status::Running) {
        if (const auto reason = must_stop()) return stopped(*reason);
      }
      if (machine_.status() == Machine::Status::Hit) return found(arrival);
      if (machine_.status() == Machine::Status::Choice) reached(arrival);
    }
    SearchResult result;
    result.kind = SearchResult::Kind::Nothing;
    return result;
  }

  std::optional<std::string> must_stop() {
    if (const auto& reason = context_.exhausted()) return reason;
    if (states_.size() >= context_.limits().max_states) {
      return fmt::format("more than {} states", context_.limits().max_states);
    }
    return std::nullopt;
  }

  static SearchResult stopped(const std::string& reason) {
    SearchResult result;
    result.reason = reason;
    return result;
  }

  OptionOrder options_of(std::uint32_t state) {
    if (order_ == Order::Program) return OptionOrder(machine_.options());
    shuffled_.assign(machine_.options().begin(), machine_.options().end());
    std::uint64_t random = support::mix(context_.seed() + 1) + state;
    for (std::size_t i = shuffled_.size(); i > 1; --i) {
      random = support::mix(random + i);
      std::swap(shuffled_[i - 1], shuffled_[random % i]);
    }
    return OptionOrder(shuffled_);
  }

  /// The last of the open states whose turn it is.
  const Open* next() {
    while (turn_ < waiting_.size()) {
      if (!waiting_[turn_].empty()) return &waiting_[turn_].back();
      ++turn_;
    }
    return nullptr;
  }

  /// States wait for those that are reached with fewer waiting options, and of
  /// these, for those that are at most half as deep.
  static std::size_t turn(std::uint32_t cost, std::uint32_t depth) {
    constexpr unsigned kShallow = 5;  // Up to 32 steps are not deep.
    constexpr std::size_t kLayers = 32;
    const auto bits = static_cast<unsigned>(std::bit_width(depth));
    return cost * kLayers + (bits > kShallow ? bits - kShallow : 0);
  }

  /// Takes the next option of the state.
  Arrival expand(const Open& open) {
    const std::uint32_t state = open.state;
    const std::uint64_t place = open.place;
    machine_.load(states_[state]);
    const OptionOrder options = options_of(state);
    const Step step = options.at(place);
    const std::uint32_t cost = arrivals_[state].cost + options.cost(place);
    const std::uint32_t depth = arrivals_[state].depth;
    waiting_[turn_].pop_back();
    if (place + 1 < options.count()) {
      wait(turn(arrivals_[state].cost + options.cost(place + 1), depth),
           {state, place + 1});
    }
    machine_.choose(step.group, step.number);
    return {state, cost, depth + 1, step};
  }

  void wait(std::size_t turn, Open open) {
    if (turn >= waiting_.size()) waiting_.resize(turn + 1);
    waiting_[turn].push_back(open);
  }

  /// The machine is at a choice.
  void reached(const Arrival& arrival) {
    machine_.save(words_);
    const std::uint32_t state = states_.intern(words_);
    if (state != arrivals_.size()) return;
    arrivals_.push_back(arrival);
    wait(turn(arrival.cost + options_of(state).cost(0), arrival.depth),
         {state, 0});
  }

  SearchResult found(const Arrival& last) const {
    SearchResult result;
    result.kind = SearchResult::Kind::Found;
    result.is_certain = machine_.hit_is_certain();
    Arrival arrival = last;
    for (;;) {
      if (arrival.step.group.kind == Kind::Guess) result.is_certain = false;
      result.path.push_back(arrival.step);
      if (arrival.from == 0) break;
      arrival = arrivals_[arrival.from];
    }
    std::ranges::reverse(result.path);
    return result;
  }

  Machine machine_;
  Order order_;
  support::Context& context_;
  support::SequenceTable<StateWord> states_;
  std::vector<Arrival> arrivals_;
  std::vector<StateWord> words_;
  std::vector<OptionGroup> shuffled_;
  std::vector<std::vector<Open>> waiting_;  // By turn; taken from the end.
  std::size_t turn_ = 0;
};

}  // namespace

SearchResult search(const Tree& tree, const Precision& precision,
                    std::span<const Pattern> patterns, Order order,
                    support::Context& context) {
  return Search(tree, precision, patterns, order, context).run();
}

}  // namespace agon::algol
