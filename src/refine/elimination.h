// SPDX-License-Identifier: Apache-2.0
/// Would the abstraction with other predicates still admit a play?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abstraction/abstract_program.h"
#include "refine/minimise.h"
#include "refine/play.h"
#include "refine/shortcut.h"
#include "support/context.h"

namespace agon::refine {

/// Whether candidates eliminate a play: CEEliminate for a path (TWO Fig. 8),
/// CanPlay for a tree (SIM Fig. 11). What the play claims before and after its
/// steps is not looked at.
///
/// The abstraction is made only where the play goes, and for each step only of
/// the candidates that depend on each other there. So what is found out about
/// one set of candidates and one play is of use for others.
class Elimination {
 public:
  Elimination(abstraction::AbstractSteps& steps,
              abstraction::Solutions& solutions,
              const abstraction::Start& start, support::Context& context)
      : steps_(steps),
        solutions_(solutions),
        start_(start),
        context_(context),
        num_calls_(context.statistics()["solver.calls"]),
        find_shortcuts_(*steps.blocks().program().pool, solutions) {}

  /// Asks from time to time how often the solver may still be called; tests are
  /// given up if it may not.
  void ask_for_calls_left(std::function<std::uint64_t()> calls_left) {
    calls_left_ = std::move(calls_left);
  }

  /// Says what a candidate stands for, which may change.
  void track(std::uint32_t candidate, abstraction::Precision predicates);

  /// Takes a play that some abstraction has admitted, and gives it a number.
  std::uint32_t remember(const Play& play);

  enum class Outcome : std::uint8_t {
    Admitted,
    Unknown,  ///< It takes too much to find out.
    Eliminated,
  };
  /// Whether the candidates eliminate a play.
  Outcome test(const Choice& candidates, std::uint32_t play);
  bool eliminates(const Choice& candidates, std::uint32_t play) {
    return test(candidates, play) == Outcome::Eliminated;
  }

  /// Divides candidates so that no step of the play depends on two parts, and
  /// leaves out those that no condition on the way depends on. So what
  /// eliminates the play has a part that does.
  std::vector<Choice> parts(const Choice& candidates, std::uint32_t play);

  /// What was done besides asking `solutions`, in units of about the time that
  /// one of its questions takes.
  std::uint64_t effort() const { return effort_ / kFine; }

 private:
  using Words = std::vector<std::uint32_t>;
  struct WordsHash {
    std::size_t operator()(const Words& words) const;
  };

  /// What terms are about, in numbers: see Solutions::About.
  struct Topic {
    Words leaves;
    Words outer;
    /// Memories, and where they are read: 0 if they are used otherwise.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  };
  /// A step of plays.
  struct Step {
    ir::LocationId cut;
    ir::EdgeId exit;
    bool is_start;
    ir::LocationId to;
    /// What it does, if that is one statement; otherwise null.
    const abstraction::Exit* one_exit = nullptr;
    std::vector<Topic> conditions;
    Words touched;  ///< What it changes, or its conditions are about.
  };
  struct Node {
    std::uint32_t step;
    Words children;
  };
  struct Remembered {
    std::vector<Node> nodes;
    Words steps;  ///< Each once.
  };
  /// What a step does to the predicates of a candidate.
  struct Use {
    bool is_known = false;
    bool is_idle = false;  ///< Nothing.
    const Topic* topic = nullptr;
  };
  /// The predicates of a candidate; a new one whenever they change.
  struct Track {
    abstraction::Precision predicates;
    std::vector<Use> uses;  ///< By step.
  };
  /// Places in a list of tracks that depend on each other in a step.
  struct Group {
    Words places;
    bool has_condition = false;
    bool is_idle = true;
  };
  using Groups = std::vector<Group>;

  std::uint32_t step_of(const Play::Node& node);
  void describe(Step& step);
  Topic topic_of(std::span<const term::Term> terms);
  /// The same, remembered.
  const Topic& topic_for(const std::vector<term::Term>& terms);
  std::uint32_t leaf(term::Term term);
  bool is_idle(const Topic& topic, const std::vector<Topic>& conditions);
  /// Which leaves of topics have to be compared.
  const Words Topic::* relevant(std::span<const Topic* const> topics);
  const Use& use(std::uint32_t track, std::uint32_t step);
  Groups groups(const Words& tracks, std::uint32_t step);
  Words tracks_of(const Choice& candidates) const;

  /// States are numbers of answers by track.
  class Test;
  /// Nothing if there are more than the budget allows to ask for.
  const std::vector<Words>* relation(const Words& key, const Words& tracks,
                                     std::uint32_t step, const Words& state);
  std::size_t affordable_rows() const;
  std::optional<std::vector<abstraction::Answers>> rows_behind(
      const Words& tracks, std::uint32_t step, const Words& state);
  const std::optional<Shortcut>& shortcut_of(const Words& tracks,
                                             std::uint32_t step);
  std::vector<abstraction::Answers> compute(const Words& tracks,
                                            std::uint32_t step,
                                            const Words& state,
                                            std::size_t max_rows);
  std::uint32_t number_of(const abstraction::Answers& answers);

  abstraction::AbstractSteps& steps_;
  abstraction::Solutions& solutions_;
  const abstraction::Start& start_;
  support::Context& context_;
  const std::uint64_t& num_calls_;  // Of the solver; a statistic.
  std::function<std::uint64_t()> calls_left_ = [] { return kMostRows; };

  std::map<std::tuple<ir::LocationId, ir::EdgeId, bool>, std::uint32_t>
      step_index_;
  std::vector<Step> step_table_;
  std::vector<Remembered> plays_;
  std::vector<Track> tracks_;
  Words track_of_;  // By candidate.
  std::unordered_map<abstraction::Answers, std::uint32_t> answer_index_;
  std::vector<abstraction::Answers> answers_;
  /// From a step, and tracks with their answers, to all answers behind it.
  std::unordered_map<Words, std::vector<Words>, WordsHash> relations_;
  Shortcuts find_shortcuts_;
  /// By tracks and a step.
  std::unordered_map<Words, std::optional<Shortcut>, WordsHash> shortcuts_;
  std::unordered_map<Words, Outcome, WordsHash> known_;  // By play and tracks.

  std::unordered_map<term::Term, std::uint32_t> leaf_index_;
  std::unordered_map<Words, Topic, WordsHash> topics_;  // By terms.
  /// Who was the first to name a leaf, and in which round; and where it was
  /// read, if it is a memory.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> owners_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> places_;
  std::uint64_t round_ = 0;
  /// Behind one step, for candidates that depend on each other.
  static constexpr std::size_t kMostRows = 4096;
  static constexpr std::uint64_t kFine = 12;
  std::uint64_t effort_ = 0;  // Times kFine.
};

}  // namespace agon::refine
