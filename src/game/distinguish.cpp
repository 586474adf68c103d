// SPDX-License-Identifier: Apache-2.0
#include "game/distinguish.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "game/simplify.h"
#include "support/error.h"
#include "support/hash.h"

namespace agon::game {
namespace {

// Spoiler claims that two states differ, and attacks by a transition s -a-> s'
// of one of them. Duplicator answers from the other one, t:
//
//   strong     t -a-> t', and the game goes on with s' and t';
//   weak       t =a=> t' with silent steps around the a, likewise;
//   branching  t ==> t1 -a-> t2, and Spoiler chooses s and t1 or s' and t2 to
//              go on with; or, if a is silent, nothing: then s' and t.
//
// Spoiler wins a pair if, for some attack, he wins a pair after each answer.
// This is a least fixpoint of Horn clauses, and it is computed as such: for
// each attack the answers to which Spoiler has nothing to say yet are counted,
// and pairs are won in the order of their rank, which is the number of rounds
// he needs. The attack that wins a pair makes a diamond, with what was won
// after the answers as its arguments. Pairs that are won alike make the same
// diamond, and one diamond often refutes several answers, which is left to
// simplify.cpp.
//
// Pairs are explored breadth-first from the one in question, and the fixpoint
// is computed anew each time that their number has doubled, until that pair is
// won. Where an attack has no answer at all, nothing else is explored.

using lts::kTau;
using lts::Label;
using lts::Lts;
using lts::State;
using lts::Transition;

constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostAnswers = 30'000'000;

/// The targets of answers, for the three kinds of games.
class Moves {
 public:
  explicit Moves(const Lts& lts) : lts_(lts), seen_(lts.num_states(), 0) {}

  /// Everything reached by silent steps, the state itself first.
  const std::vector<State>& silent(State state) {
    start();
    visit(state);
    close();
    return found_;
  }

  /// Everything reached by an a with silent steps around it.
  const std::vector<State>& weak(State state, Label label) {
    if (label == kTau) return silent(state);
    const std::vector<State> sources = silent(state);
    start();
    for (const State s : sources) {
      for (const Transition& t : lts_.out(s)) {
        if (t.label == label) visit(t.target);
      }
    }
    close();
    return found_;
  }

 private:
  void start() {
    ++round_;
    found_.clear();
  }
  void visit(State state) {
    if (std::exchange(seen_[state.index()], round_) != round_) {
      found_.push_back(state);
    }
  }
  void close() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      for (const Transition& t : lts_.out(found_[i])) {
        if (t.label != kTau) break;  // kTau sorts first.
        visit(t.target);
      }
    }
  }

  const Lts& lts_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t round_ = 0;
  std::vector<State> found_;
};

class Game {
 public:
  Game(const Lts& lts, Equivalence equivalence, support::Context& context)
      : lts_(lts), equivalence_(equivalence), context_(context), moves_(lts) {}

  std::optional<Formula> run(State left, State right);

 private:
  struct Pair {
    State first;  // The smaller one.
    State second;
    std::uint32_t rank = kNone;
    std::uint32_t attack = kNone;  // The one that wins.
    std::uint32_t watcher = kNone;
  };
  struct Attack {
    std::uint32_t pair;
    State attacker;
    Transition move;
    std::uint32_t first_answer;
    std::uint32_t open;  // Answers to which there is nothing to say yet.
  };
  /// What to go on with after an answer: one of two pairs, if they exist.
  struct Answer {
    std::uint32_t attack;
    std::uint32_t before;
    std::uint32_t after;
    std::uint32_t chosen;
  };
  /// The same by states. The pair of `t1` and the attacker, of `t2` and the
  /// target; invalid if there is no such choice.
  struct Reply {
    State t1;
    State t2;
    friend auto operator<=>(const Reply&, const Reply&) = default;
  };
  struct Watcher {
    std::uint32_t answer;
    std::uint32_t next;
  };

  std::uint32_t intern(State a, State b);
  bool collect(State attacker, State defender, Transition move);
  bool expand(std::uint32_t pair, State attacker, State defender);
  void expand(std::uint32_t pair);
  void add_attack(std::uint32_t pair, State attacker, Transition move);
  void watch(std::uint32_t pair, std::uint32_t answer);
  void solve();
  void win(std::uint32_t attack, std::uint32_t rank);
  Formula extract(std::uint32_t pair) const;
  Formula::Diamond diamond(const Attack& attack,
                           const std::vector<std::uint32_t>& index) const;
  std::uint32_t end_of_answers(std::uint32_t attack) const {
    return attack + 1 < attacks_.size()
               ? attacks_[attack + 1].first_answer
               : static_cast<std::uint32_t>(answers_.size());
  }

  const Lts& lts_;
  const Equivalence equivalence_;
  support::Context& context_;
  Moves moves_;
  tsl::robin_map<std::uint64_t, std::uint32_t, support::MixHash> index_;
  std::vector<Pair> pairs_;
  std::vector<Attack> attacks_;
  std::vector<Answer> answers_;
  std::vector<Watcher> watchers_;
  std::vector<std::uint32_t> won_;  // Pairs, in order of rank.
  std::vector<Reply> replies_;      // Scratch space.
};

std::uint32_t Game::intern(State a, State b) {
  if (b < a) std::swap(a, b);
  const auto [found, added] =
      index_.try_emplace(support::pair_key(a.value(), b.value()),
                         static_cast<std::uint32_t>(pairs_.size()));
  if (added) pairs_.push_back({a, b});
  return found->second;
}

// Finds the answers to an attack. False if one of them ends Spoiler's hopes.
bool Game::collect(State attacker, State defender, Transition move) {
  const auto [label, target] = move;
  replies_.clear();
  switch (equivalence_) {
    case Equivalence::Strong:
      for (const Transition& t : lts_.out(defender)) {
        if (t.label == label) replies_.push_back({State(), t.target});
      }
      break;
    case Equivalence::Weak:
      for (const State t : moves_.weak(defender, label)) {
        replies_.push_back({State(), t});
      }
      break;
    case Equivalence::Branching:
      if (label == kTau) replies_.push_back({State(), defender});
      for (const State t1 : moves_.silent(defender)) {
        // To go on with the same pair would lead nowhere.
        const bool useless = t1 == attacker || t1 == defender;
        for (const Transition& t : lts_.out(t1)) {
          if (t.label != label) continue;
          replies_.push_back({useless ? State() : t1, t.target});
        }
      }
      break;
  }
  for (Reply& reply : replies_) {
    if (reply.t2 != target) continue;
    if (!reply.t1.valid()) return false;
    reply.t2 = State();
  }
  std::sort(replies_.begin(), replies_.end());
  replies_.erase(std::unique(replies_.begin(), replies_.end()), replies_.end());
  return true;
}

void Game::watch(std::uint32_t pair, std::uint32_t answer) {
  watchers_.push_back({answer, pairs_[pair].watcher});
  pairs_[pair].watcher = static_cast<std::uint32_t>(watchers_.size() - 1);
}

void Game::add_attack(std::uint32_t pair, State attacker, Transition move) {
  const auto attack = static_cast<std::uint32_t>(attacks_.size());
  const auto first = static_cast<std::uint32_t>(answers_.size());
  attacks_.push_back({pair, attacker, move, first, 0});
  for (const auto& [t1, t2] : replies_) {
    const auto answer = static_cast<std::uint32_t>(answers_.size());
    answers_.push_back({attack, kNone, kNone, kNone});
    if (t1.valid()) {
      answers_[answer].before = intern(attacker, t1);
      watch(answers_[answer].before, answer);
    }
    if (t2.valid()) {
      answers_[answer].after = intern(move.target, t2);
      watch(answers_[answer].after, answer);
    }
  }
}

// Whether there is an attack without answer; then that one is added.
bool Game::expand(std::uint32_t pair, State attacker, State defender) {
  for (const Transition& move : lts_.out(attacker)) {
    if (!collect(attacker, defender, move) || !replies_.empty()) continue;
    add_attack(pair, attacker, move);
    return true;
  }
  return false;
}

void Game::expand(std::uint32_t pair) {
  const auto [first, second] =
      std::pair(pairs_[pair].first, pairs_[pair].second);
  if (expand(pair, first, second) || expand(pair, second, first)) return;
  for (const auto& [attacker, defender] :
       {std::pair(first, second), std::pair(second, first)}) {
    for (const Transition& move : lts_.out(attacker)) {
      if (collect(attacker, defender, move)) add_attack(pair, attacker, move);
    }
  }
}

void Game::win(std::uint32_t attack, std::uint32_t rank) {
  Pair& pair = pairs_[attacks_[attack].pair];
  if (pair.rank != kNone) return;
  pair.rank = rank;
  pair.attack = attack;
  won_.push_back(attacks_[attack].pair);
}

void Game::solve() {
  won_.clear();
  for (Pair& pair : pairs_) pair.rank = kNone;
  for (Answer& answer : answers_) answer.chosen = kNone;
  for (std::uint32_t a = 0; a < attacks_.size(); ++a) {
    attacks_[a].open = end_of_answers(a) - attacks_[a].first_answer;
    if (attacks_[a].open == 0) win(a, 1);
  }
  for (std::size_t head = 0; head < won_.size(); ++head) {
    const std::uint32_t pair = won_[head];
    for (std::uint32_t w = pairs_[pair].watcher; w != kNone;
         w = watchers_[w].next) {
      Answer& answer = answers_[watchers_[w].answer];
      if (answer.chosen != kNone) continue;
      answer.chosen = pair;
      if (--attacks_[answer.attack].open == 0) {
        win(answer.attack, pairs_[pair].rank + 1);
      }
    }
  }
}

Formula::Diamond Game::diamond(const Attack& attack,
                               const std::vector<std::uint32_t>& index) const {
  Formula::Diamond result{Modality::Step, attack.move.label, {}, {}};
  if (equivalence_ == Equivalence::Weak) result.modality = Modality::Weak;
  if (equivalence_ == Equivalence::Branching) {
    result.modality = Modality::Until;
  }
  const auto self = static_cast<std::uint32_t>(&attack - attacks_.data());
  for (std::uint32_t a = attack.first_answer; a < end_of_answers(self); ++a) {
    const std::uint32_t chosen = answers_[a].chosen;
    const bool before = chosen == answers_[a].before;
    const State owner = before ? attack.attacker : attack.move.target;
    const State holder = attacks_[pairs_[chosen].attack].attacker;
    (before ? result.before : result.after)
        .push_back({index[chosen], holder != owner});
  }
  return result;
}

// The diamonds for a pair and for all that it needs, in order of rank.
Formula Game::extract(std::uint32_t pair) const {
  std::vector<std::uint32_t> needed{pair};
  std::vector<std::uint32_t> index(pairs_.size(), kNone);
  index[pair] = 0;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::uint32_t attack = pairs_[needed[i]].attack;
    for (std::uint32_t a = attacks_[attack].first_answer;
         a < end_of_answers(attack); ++a) {
      const std::uint32_t chosen = answers_[a].chosen;
      if (std::exchange(index[chosen], 0) == kNone) needed.push_back(chosen);
    }
  }
  std::stable_sort(needed.begin(), needed.end(), [&](auto a, auto b) {
    return pairs_[a].rank < pairs_[b].rank;
  });
  Formula formula;
  for (const std::uint32_t p : needed) {
    index[p] = static_cast<std::uint32_t>(formula.diamonds.size());
    formula.diamonds.push_back(diamond(attacks_[pairs_[p].attack], index));
  }
  formula.root = {{index[pair], false}};
  return formula;
}

std::optional<Formula> Game::run(State left, State right) {
  AGON_ASSERT(left != right);
  const std::uint32_t start = intern(left, right);
  std::size_t next_solution = 64;
  for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
    if (context_.exhausted() || answers_.size() > kMostAnswers) return {};
    expand(p);
    if (p + 1 < next_solution && p + 1 < pairs_.size()) continue;
    next_solution *= 2;
    solve();
    if (pairs_[start].rank == kNone) continue;
    context_.statistics()["game.equivalence_pairs"] += pairs_.size();
    Formula formula = extract(start);
    formula.root.front().negated =
        attacks_[pairs_[start].attack].attacker != left;
    return simplify(formula, lts_, left, right);
  }
  AGON_ASSERT(false);  // The states are equivalent.
}

}  // namespace

std::optional<Formula> distinguish(const Lts& lts, State left, State right,
                                   Equivalence equivalence,
                                   support::Context& context) {
  return Game(lts, equivalence, context).run(left, right);
}

}  // namespace agon::game
