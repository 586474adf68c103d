// SPDX-License-Identifier: Apache-2.0
/// The search for an offending trace, or a deadlock, of components that run in
/// parallel, on their quotients.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "concurrent/composer.h"
#include "concurrent/symmetry.h"
#include "lts/determinise.h"
#include "support/context.h"
#include "support/sequence_table.h"
#include "support/verdict.h"

namespace agon::concurrent {

struct PathStep {
  Move move;
  Place after;  ///< Empty after what offends.
};

struct Finding {
  support::Verdict verdict = support::Verdict::Unknown;
  std::string reason;          ///< Why Unknown.
  std::vector<PathStep> path;  ///< If Violated.
};

/// Kinds of classes, for deadlocks.
enum class Rest : std::uint32_t {
  None,     ///< It runs on by itself.
  Waiting,  ///< It does nothing but what it offers.
  Ended,    ///< It has returned.
};

struct SearchOptions {
  /// Which positions come first.
  enum class Order : std::uint8_t {
    FewComponents,  ///< Those to which few components have moved.
    Latest,         ///< Those found last, to get far soon.
  };
  Order order = Order::FewComponents;
  /// So many positions are worth looking for symmetry.
  std::size_t many = 1'000;
};

/// Keeps what it has explored: after a class was divided only those positions
/// are visited again that it, or the way to them, is part of.
///
/// Where some components can only move among themselves and the specification
/// does not see them, the others wait: their moves are independent of these
/// (persistent sets by components). For traces, one of the moves leads to a
/// position that was found later. So there is a way on to where nobody waits,
/// and what others do can be done there.
///
/// Once there are many positions, those that differ by a permutation of
/// components that nobody can tell apart become one. That they cannot is
/// checked again in the end, when all that they do is known.
class Search {
 public:
  /// Without a specification it looks for deadlocks. All arguments have to
  /// outlive it.
  Search(const Composer& composer, const lts::Lts* spec,
         support::Context& context, SearchOptions options = {});

  /// Goes on until something is found or there is nothing left, or there are
  /// too many positions.
  Finding run(std::size_t most = std::numeric_limits<std::size_t>::max());

  /// To be told when classes of a model were divided.
  void forget(std::uint32_t model, const std::vector<Class>& changed);

  std::size_t num_positions() const { return tuples_->size(); }
  /// Positions that were looked at; some several times.
  std::size_t num_visits() const { return num_visits_; }
  /// Those that are left, without the state of the specification.
  std::size_t num_states() const;
  /// If nothing was found: the visible labels that never occur, and the states
  /// of the specification that some trace leads to.
  std::set<lts::Label> performed() const;
  std::vector<bool> reached_in_spec() const;

 private:
  using Node = std::uint32_t;
  using Word = support::Id<struct WordTag>;
  static constexpr Node kNone = ~Node{0};

  struct Data {
    Node parent = kNone;
    Move by;
    std::uint32_t depth = 0;
    std::uint32_t num_moves = 0;  ///< On offer, where deadlocks are wanted.
    std::uint64_t moved = 0;      ///< Components that have moved on the way.
    std::uint64_t stamp = 0;      ///< Order of discovery.
    bool is_live = false;
    bool is_queued = false;
    std::vector<Node> children;  ///< Found by way of it first.
    std::vector<Node> successors;
    std::vector<Node> predecessors;
  };
  void start();
  void start_anew(std::optional<Symmetry> symmetry);
  bool visit_next();
  void look_for_symmetry();
  bool is_symmetric_in_the_end();
  bool process(Node node);
  bool take(Node node, const Place& here, const Move& move);
  void reach(Node from, const Move& move, Place place, lts::State spec);
  std::uint64_t movers(const Data& from, const Move& move) const;
  void queue(Node node);
  std::uint64_t rank(const Data& data) const;
  void kill(Node node);
  void requeue_grown();

  std::size_t num_hidden_outcomes(const Place& here,
                                  const std::vector<Move>& moves) const;
  std::optional<std::vector<Move>> persistent_moves(const Place& here) const;
  bool is_deadlock(const Place& here) const;
  Place place(Node node) const;
  lts::State spec_at_first();
  lts::State spec_at(Node node) const;
  Finding found(Node node, const std::optional<Move>& last);
  std::optional<lts::State> spec_after(lts::State spec, const Move& move);
  bool take_back_permutations(Finding& finding);
  bool take_back_permutation(const Place& here, lts::State spec,
                             PathStep& step);

  const Composer& composer_;
  const lts::Lts* spec_;
  std::optional<lts::ExplicitSuccessors> spec_states_;
  std::optional<lts::Determinised> spec_sets_;
  support::Context& context_;
  const SearchOptions options_;

  std::optional<Symmetry> symmetry_;
  bool has_tried_symmetry_ = false;
  std::optional<support::SequenceTable<Word>> tuples_;
  std::vector<Data> nodes_;
  std::vector<std::vector<std::vector<Node>>> with_;  // By model, then class.
  std::vector<std::size_t> growth_seen_;              // By model.
  using Entry = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::uint64_t next_stamp_ = 0;
  std::size_t num_visits_ = 0;
  bool is_started_ = false;
  std::vector<Node> made_;  // By the position that is looked at.
  std::optional<Finding> finding_;
};

}  // namespace agon::concurrent
