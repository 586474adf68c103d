// SPDX-License-Identifier: Apache-2.0
#include "lts/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace agon::lts {

// One breadth-first search numbers the states by distance and remembers the
// edge by which each was found, so the first ERROR and the first deadlock that
// it meets have shortest traces. Terminal sets come from Tarjan's algorithm on
// the transitions that the search recorded; the set with the lowest number is
// the nearest one.

namespace {

using support::Verdict;

constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

/// The reachable part, numbered from 0 in the order of a breadth-first search.
class Search {
 public:
  Search(Successors& system, bool record, support::Context& context)
      : system_(system), record_(record), context_(context) {}

  /// Stops early once ERROR and a deadlock are both known.
  void run() {
    visit(system_.initial(), kNone, kTau);
    for (std::uint32_t head = 0; head < order_.size(); ++head) {
      if (error && deadlock) return;
      if (out_of_limits()) return;
      expand(head);
    }
    first_.push_back(targets_.size());
    complete_ = !out_of_limits();
  }

  std::vector<Label> trace_to(std::uint32_t number) const {
    std::vector<Label> trace;
    for (; parent_[number] != kNone; number = parent_[number]) {
      trace.push_back(label_[number]);
    }
    std::reverse(trace.begin(), trace.end());
    return trace;
  }

  struct Edge {
    Label label;
    std::uint32_t target;
  };
  std::span<const Edge> out(std::uint32_t number) const {
    return {targets_.data() + first_[number],
            targets_.data() + first_[number + 1]};
  }

  std::size_t size() const { return order_.size(); }
  bool complete() const { return complete_; }
  const std::string& reason() const { return reason_; }

  std::optional<std::uint32_t> error;
  std::optional<std::uint32_t> deadlock;
  std::size_t ordinary_states = 0;
  std::size_t transitions = 0;

 private:
  std::uint32_t visit(State state, std::uint32_t parent, Label label) {
    if (number_.size() <= state.index()) {
      number_.resize(state.index() + 1, kNone);
    }
    std::uint32_t& number = number_[state.index()];
    if (number != kNone) return number;
    number = static_cast<std::uint32_t>(order_.size());
    order_.push_back(state);
    parent_.push_back(parent);
    label_.push_back(label);
    if (system_.kind(state) != StateKind::Error) {
      ++ordinary_states;
    } else if (!error) {
      error = number;
    }
    return number;
  }

  void expand(std::uint32_t head) {
    if (record_) first_.push_back(targets_.size());
    const State state = order_[head];
    const StateKind kind = system_.kind(state);
    if (kind == StateKind::Error) return;
    const auto moves = system_.expand(state);
    // Moves may have been cut short at a limit, which is no deadlock.
    if (moves.empty() && kind == StateKind::Ordinary && !deadlock &&
        !context_.exhausted()) {
      deadlock = head;
    }
    transitions += moves.size();
    for (const Transition& move : moves) {
      const std::uint32_t target = visit(move.target, head, move.label);
      if (record_) targets_.push_back({move.label, target});
    }
  }

  bool out_of_limits() {
    if (const auto& why = context_.exhausted()) {
      reason_ = *why;
    } else if (order_.size() > context_.limits().max_states) {
      reason_ = fmt::format("the limit of {} states was reached",
                            context_.limits().max_states);
    }
    return !reason_.empty();
  }

  Successors& system_;
  const bool record_;
  support::Context& context_;
  bool complete_ = false;
  std::string reason_;

  std::vector<std::uint32_t> number_;  // Indexed by the system's states.
  std::vector<State> order_;           // The inverse.
  std::vector<std::uint32_t> parent_;
  std::vector<Label> label_;
  std::vector<std::size_t> first_;
  std::vector<Edge> targets_;
};

/// A strongly connected set that no transition leaves.
struct TerminalSet {
  std::uint32_t nearest;  // Its lowest number.
  std::vector<Label> uses;
};

/// Tarjan's algorithm with an explicit stack.
class TerminalSets {
 public:
  explicit TerminalSets(const Search& graph)
      : graph_(graph),
        index_(graph.size(), kNone),
        low_(graph.size()),
        done_(graph.size(), false) {}

  /// The terminal sets, nearest first.
  std::vector<TerminalSet> find() {
    enter(0);
    while (!calls_.empty()) step();
    std::ranges::sort(sets_, {}, &TerminalSet::nearest);
    return std::move(sets_);
  }

 private:
  struct Call {
    std::uint32_t node;
    std::size_t next;
  };

  void enter(std::uint32_t node) {
    index_[node] = low_[node] = counter_++;
    path_.push_back(node);
    calls_.push_back({node, 0});
  }

  void step() {
    Call& call = calls_.back();
    const std::uint32_t node = call.node;
    const auto out = graph_.out(node);
    while (call.next < out.size()) {
      const std::uint32_t target = out[call.next++].target;
      if (index_[target] == kNone) {
        enter(target);  // Invalidates `call`.
        return;
      }
      if (!done_[target]) low_[node] = std::min(low_[node], index_[target]);
    }
    calls_.pop_back();
    if (!calls_.empty()) {
      std::uint32_t& low = low_[calls_.back().node];
      low = std::min(low, low_[node]);
    }
    if (low_[node] == index_[node]) close(node);
  }

  /// The component of `root` is complete: it is the end of the path.
  void close(std::uint32_t root) {
    auto begin = path_.end();
    do {
      --begin;
    } while (*begin != root);
    const std::span<const std::uint32_t> members(begin, path_.end());
    if (is_terminal(members)) {
      sets_.push_back({std::ranges::min(members), labels_of(members)});
    }
    for (const std::uint32_t member : members) done_[member] = true;
    path_.erase(begin, path_.end());
  }

  // Whatever a component can reach outside itself was closed before it.
  bool is_terminal(std::span<const std::uint32_t> members) const {
    for (const std::uint32_t member : members) {
      for (const Search::Edge& edge : graph_.out(member)) {
        if (done_[edge.target]) return false;
      }
    }
    return true;
  }

  std::vector<Label> labels_of(std::span<const std::uint32_t> members) const {
    std::vector<Label> labels;
    std::vector<bool> seen;
    for (const std::uint32_t member : members) {
      for (const Search::Edge& edge : graph_.out(member)) {
        const std::size_t i = edge.label.index();
        if (seen.size() <= i) seen.resize(i + 1, false);
        if (edge.label != kTau && !seen[i]) labels.push_back(edge.label);
        seen[i] = true;
      }
    }
    std::sort(labels.begin(), labels.end());
    return labels;
  }

  const Search& graph_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> done_;
  std::vector<std::uint32_t> path_;
  std::vector<Call> calls_;
  std::uint32_t counter_ = 0;
  std::vector<TerminalSet> sets_;
};

bool occurs(const std::string& entry, const std::vector<Label>& uses,
            const LabelTable& labels) {
  return std::ranges::any_of(uses, [&](Label label) {
    return matches_prefix(labels.name(label), entry);
  });
}

/// The entries of `entries` that no label of `uses` matches.
std::vector<std::string> missing_from(const std::vector<Label>& uses,
                                      const std::vector<std::string>& entries,
                                      const LabelTable& labels) {
  std::vector<std::string> missing;
  for (const std::string& entry : entries) {
    if (!occurs(entry, uses, labels)) missing.push_back(entry);
  }
  return missing;
}

ProgressFinding judge(const ProgressTest& test,
                      const std::vector<TerminalSet>& sets,
                      const Search& search, const LabelTable& labels) {
  ProgressFinding finding;
  finding.name = test.name;
  for (const TerminalSet& set : sets) {
    if (test.conditional &&
        missing_from(set.uses, test.condition, labels).size() ==
            test.condition.size()) {
      continue;
    }
    auto missing = missing_from(set.uses, test.actions, labels);
    const bool bad = test.demand == ProgressTest::Demand::AllOf
                         ? !missing.empty()
                         : missing.size() == test.actions.size();
    if (!bad) continue;
    finding.verdict = Verdict::Violated;
    finding.trace = search.trace_to(set.nearest);
    finding.recurring = set.uses;
    finding.missing = std::move(missing);
    return finding;
  }
  finding.verdict = Verdict::Holds;
  return finding;
}

Finding found(const std::optional<std::uint32_t>& place, const Search& search) {
  if (place) return {Verdict::Violated, "", search.trace_to(*place)};
  if (search.complete()) return {Verdict::Holds, "", {}};
  return {Verdict::Unknown, search.reason(), {}};
}

}  // namespace

ProgressTest default_progress(const Successors& system) {
  ProgressTest test;
  test.name = "default";
  test.demand = ProgressTest::Demand::AllOf;
  for (const Label label : system.alphabet()) {
    test.actions.push_back(system.labels()->name(label));
  }
  return test;
}

Analysis analyse(Successors& system, std::span<const ProgressTest> tests,
                 support::Context& context) {
  Search search(system, /*record=*/!tests.empty(), context);
  search.run();
  context.statistics()["lts.checked_states"] += search.size();

  Analysis analysis;
  analysis.states = search.ordinary_states;
  analysis.transitions = search.transitions;
  analysis.safety = found(search.error, search);
  analysis.deadlock = found(search.deadlock, search);
  const bool abandoned = search.error || !search.complete();
  std::vector<TerminalSet> sets;
  if (!tests.empty() && !abandoned) sets = TerminalSets(search).find();
  for (const ProgressTest& test : tests) {
    if (!abandoned) {
      analysis.progress.push_back(judge(test, sets, search, *system.labels()));
      continue;
    }
    ProgressFinding finding;
    finding.name = test.name;
    finding.reason = search.error ? "ERROR is reachable; check safety first"
                                  : search.reason();
    analysis.progress.push_back(std::move(finding));
  }
  return analysis;
}

}  // namespace agon::lts
