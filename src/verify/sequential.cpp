// SPDX-License-Identifier: Apache-2.0
#include "verify/sequential.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <set>

#include "abstraction/invariants.h"
#include "game/simulation.h"
#include "game/traces.h"
#include "refine/coarsen.h"
#include "verify/component.h"
#include "verify/counterexample.h"
#include "verify/coverage.h"
#include "verify/falsification.h"
#include "verify/insight.h"
#include "verify/invariants.h"
#include "verify/record.h"
#include "verify/turns.h"
#include "verify/unrolling.h"

namespace agon::verify {
namespace {

using abstraction::AbstractProgram;
using support::Verdict;

/// An abstract program with the precision that it refers to.
struct Abstraction {
  Abstraction(Component& component, const lts::Lts& spec,
              abstraction::Precision tracked)
      : precision(std::move(tracked)),
        model(component.steps(), component.start(), precision, spec.labels(),
              spec.alphabet()) {}

  const abstraction::Precision precision;
  AbstractProgram model;
};

/// What the abstract game says, and plays that have to be looked at.
struct Challenge {
  Verdict verdict = Verdict::Unknown;
  std::string reason;
  std::vector<refine::Play> plays;
};

class Loop {
 public:
  Loop(const Task& task, const Options& options, smt::Solver& solver,
       support::Context& context)
      : task_(task),
        options_(options),
        solver_(solver),
        context_(context),
        component_(task, options, options.blocks, solver, context),
        falsification_(task, component_, options.falsification, solver,
                       context),
        unrolling_(task, component_, options.unrolling, solver, context),
        calls_before_(context.statistics()["solver.calls"]),
        turns_(options.conformance, task.spec),
        next_invariants_(options.invariants),
        history_(options.detail, context) {}

  evidence::Result run() {
    do {
      decided_ = is_stuck_ = false;
      while (!is_decided()) iterate();
      if (is_open()) {
        adopt(falsification_.attempt_last(
            component_.refiner().precision().distinct(), steps()));
      }
      if (is_open() && is_stuck_ && options_.unrolls_when_stuck) {
        unroll(unrolling_.attempt_last());
      }
    } while (is_open() && is_stuck_ && component_.takes_up_postponed());
    result_.solver_calls = calls();
    if (result_.decided_by.empty()) {
      result_.decided_by = is_by_traces_ ? "trace" : "simulation";
    }
    result_.predicates = component_.predicates();
    result_.invariants = component_.invariants();
    result_.history = history_.take();
    return std::move(result_);
  }

 private:
  bool is_open() {
    return result_.verdict == Verdict::Unknown && !context_.exhausted();
  }

  bool is_decided() {
    if (decided_) return true;
    if (options_.max_predicates != 0 &&
        component_.refiner().precision().distinct().size() >
            options_.max_predicates) {
      give_up(fmt::format("more than {} predicates are needed",
                          options_.max_predicates));
    }
    if (const auto& reason = context_.exhausted()) give_up(*reason);
    if (options_.max_iterations != 0 &&
        result_.iterations >= options_.max_iterations) {
      give_up(fmt::format("{} iterations were not enough",
                          options_.max_iterations));
    }
    return decided_;
  }

  void give_up(std::string reason) {
    result_.verdict = Verdict::Unknown;
    result_.reason = std::move(reason);
    decided_ = true;
  }

  /// The same where nothing more can be learnt, though there is time.
  void get_stuck(std::string reason) {
    give_up(std::move(reason));
    is_stuck_ = true;
  }

  void iterate() {
    ++result_.iterations;
    auto tried = std::make_unique<Abstraction>(
        component_, task_.spec, component_.refiner().precision());
    AbstractProgram& model = tried->model;
    history_.begin(tried->precision.distinct().size());
    if (!options_.reuses_answers) component_.forget_steps();
    if (options_.expansion == Expansion::Full) build(model);
    is_by_traces_ = turns_.is_for_traces();
    Challenge challenge = is_by_traces_ ? play_traces(model) : play(model);
    result_.states = model.num_states();
    history_.explored(result_.states);
    context_.progress(fmt::format(
        "iteration {}: {} predicates, {} states, {} solver calls",
        result_.iterations, component_.refiner().precision().distinct().size(),
        result_.states, context_.statistics()["solver.calls"]));
    if (const auto& reason = context_.exhausted()) {
      give_up(*reason);  // The model may lack steps.
    } else if (component_.has_failed()) {
      get_stuck("the solver could not decide the steps of the program");
    } else if (challenge.verdict == Verdict::Unknown) {
      give_up(challenge.reason);
    } else if (challenge.verdict == Verdict::Holds) {
      conclude(model);
      if (auto coarser = coarsen(*tried)) tried = std::move(coarser);
    } else {
      unroll(unrolling_.attempt(work()));
      if (!decided_) examine(challenge);
      if (result_.verdict == Verdict::Violated) leave_out_implied(model);
      work_ += model.num_states() + Falsification::kIteration;
      turns_.note(steps());
      if (!decided_) falsify(model);
      if (!decided_) strengthen();
    }
    if (!decided_) tell();
    history_.end();
    if (decided_) show(tried->model);
  }

  void show(AbstractProgram& model) {
    if (options_.detail == evidence::Detail::Model) {
      result_.models = {describe_model(model, component_.blocks())};
    }
    if (options_.on_model) options_.on_model(model);
  }

  /// The specification simulates the model, or has its traces.
  void conclude(AbstractProgram& model) {
    result_.verdict = Verdict::Holds;
    result_.reason.clear();
    note_what_never_happens(model);
    if (options_.on_proof) options_.on_proof(hints_of(component_));
    if (options_.is_in_scope) {
      result_.loop_invariants = loop_invariants(task_, component_.blocks(),
                                                model, options_.is_in_scope);
    }
    decided_ = true;
  }

  /// A proof with fewer predicates, if one can be had for little. What happens
  /// and what does not is known better from the one that was found.
  std::unique_ptr<Abstraction> coarsen(Abstraction& found) {
    if (is_by_traces_ || !proposes_families()) return nullptr;
    const auto fewer = refine::with_fewer_comparisons(
        found.model, component_.steps(), component_.start(), task_.spec,
        context_);
    if (!fewer || component_.has_failed() || context_.exhausted()) {
      return nullptr;
    }
    component_.refiner().keep(*fewer);
    auto coarser =
        std::make_unique<Abstraction>(component_, task_.spec, *fewer);
    if (options_.detail == evidence::Detail::Model) build(coarser->model);
    return coarser;
  }

  /// A model that is shown is shown as it was searched.
  void leave_out_implied(const AbstractProgram& model) {
    if (!proposes_families() || options_.detail == evidence::Detail::Model) {
      return;
    }
    if (auto fewer =
            refine::without_implied_comparisons(model, component_.blocks())) {
      component_.refiner().keep(*std::move(fewer));
    }
  }

  /// Whether all comparisons of a variable are tracked if one is.
  bool proposes_families() const {
    return options_.refinement.predicates ==
           refine::PredicateSource::WeakestPreconditions;
  }

  void build(AbstractProgram& model) {
    for (std::size_t s = 0; s < model.num_states(); ++s) {
      model.expand(lts::State::at(s));
      if (context_.exhausted()) return;
    }
  }

  /// What is known so far, not too often.
  void tell() {
    if (!options_.on_learnt) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < kBetweenTales) return;
    told_ = now;
    options_.on_learnt(result_.iterations, component_.predicates());
  }

  /// A proof that nothing bad happens is worth little if nothing does.
  void note_what_never_happens(AbstractProgram& model) {
    std::set<lts::Label> performed;
    for (std::size_t s = 0; s < model.num_states(); ++s) {
      for (const lts::Transition t : model.expand(lts::State::at(s))) {
        performed.insert(t.label);
      }
      if (context_.exhausted()) return;
    }
    if (component_.has_failed()) return;  // Steps may be missing.
    note_missing(performed, [&]() -> std::optional<std::vector<bool>> {
      auto reached = reached_states(model, task_.spec, context_);
      if (component_.has_failed()) return std::nullopt;
      return reached;
    });
  }

  void note_missing(
      const std::set<lts::Label>& performed,
      const std::function<std::optional<std::vector<bool>>()>& reached) {
    std::set<lts::Label> all;
    for (const lts::Transition t : task_.spec.transitions()) {
      if (t.label != lts::kTau) all.insert(t.label);
    }
    std::set<lts::Label> missing;
    std::ranges::set_difference(all, performed,
                                std::inserter(missing, missing.end()));
    for (const lts::Label label : missing) {
      result_.never_performed.push_back(task_.spec.labels()->name(label));
    }
    result_.is_vacuous = !all.empty() && missing.size() == all.size();
    if (result_.is_vacuous) return;
    if (const auto states = reached()) note_unreached_states(*states, missing);
  }

  void note_unreached_states(const std::vector<bool>& reached,
                             const std::set<lts::Label>& never_performed) {
    for (const std::vector<lts::Label>& way :
         ways_to_others(task_.spec, reached, never_performed)) {
      std::vector<std::string> names;
      for (const lts::Label label : way) {
        names.push_back(task_.spec.labels()->name(label));
      }
      result_.never_reached.push_back(
          fmt::format("{}", fmt::join(names, ", ")));
    }
  }

  Challenge play(AbstractProgram& model) {
    lts::ExplicitSuccessors spec(task_.spec);
    const game::SimulationResult played =
        game::simulate(model, spec, game::Semantics::Weak,
                       {.strategies = options_.counterexamples}, context_);
    Challenge challenge{played.verdict, played.reason, {}};
    for (const game::Strategy& strategy : played.strategies) {
      auto play = refine::unfold(strategy, model,
                                 component_.blocks().body().entry(), kMaxNodes);
      if (play) challenge.plays.push_back(std::move(*play));
    }
    if (played.verdict != Verdict::Violated || !challenge.plays.empty()) {
      return challenge;
    }
    if (options_.conformance != Conformance::Auto) {
      return {Verdict::Unknown, "the strategy tree is too large", {}};
    }
    turns_.leave_simulation();
    is_by_traces_ = true;
    return play_traces(model);
  }

  Challenge play_traces(AbstractProgram& model) {
    lts::ExplicitSuccessors spec(task_.spec);
    const game::TraceResult played =
        game::include_traces(model, spec, game::Semantics::Weak, context_);
    Challenge challenge{played.verdict, played.reason, {}};
    if (played.counterexample) {
      challenge.plays.push_back(
          refine::unfold(played.counterexample->steps, model,
                         component_.blocks().body().entry()));
    }
    return challenge;
  }

  /// The first play that is real decides; otherwise all of them refine.
  void examine(const Challenge& challenge) {
    for (const refine::Play& play : challenge.plays) {
      if (!is_spurious(play)) return;
    }
    history_.before_refining(component_);
    const bool is_finer = component_.refiner().refine(challenge.plays);
    history_.after_refining(component_, "", challenge.plays);
    if (const auto& late = context_.exhausted()) {
      give_up(*late);
    } else if (!is_finer) {
      get_stuck("no predicate was found that rules out a path");
    }
  }

  bool is_spurious(const refine::Play& play) {
    const refine::Feasibility found = component_.decide(play);
    if (const auto& reason = context_.exhausted()) {
      give_up(*reason);
    } else if (found.answer == smt::Answer::Unknown) {
      get_stuck("the solver could not decide a path: " + found.reason);
    } else if (found.answer == smt::Answer::Unsat) {
      return true;
    } else if (!play.is_linear() && options_.conformance == Conformance::Auto) {
      turns_.leave_simulation();  // It is lost, but the traces may be there.
    } else {
      report(play, found);
    }
    return false;
  }

  void report(const refine::Play& play, const refine::Feasibility& found) {
    if (const auto doubt = component_.doubt(found)) {
      give_up(*doubt);
      return;
    }
    report_replayed(describe(task_, component_.blocks(), play, found), [&] {
      return replay_original(task_, component_.blocks(), found,
                             index_of_shortest(found));
    });
  }

  /// Only what the program itself was seen to do is a verdict. What clients of
  /// a module know of its memory is in the prepared program only, so there it
  /// was seen on that one.
  void report_replayed(evidence::Counterexample shown,
                       const std::function<Replayed()>& replay_it) {
    if (task_.original != nullptr) {
      Replayed replayed = replay_it();
      if (!replayed.problem.empty() && task_.module == nullptr) {
        give_up(
            "a violation was found that could not be replayed on the whole "
            "program: " +
            replayed.problem);
        return;
      }
      shown.recording = std::move(replayed.recording);
    }
    result_.verdict = Verdict::Violated;
    result_.reason.clear();
    result_.counterexample = std::move(shown);
    decided_ = true;
  }

  /// Refinement that goes round a loop needs a predicate for each round.
  void strengthen() {
    if (next_invariants_ == 0) return;
    if (!is_strengthening_ && !is_time_for_invariants()) return;
    next_invariants_ = 2 * result_.iterations;
    is_strengthening_ = !component_.strengthen();
  }

  bool is_time_for_invariants() {
    if (result_.iterations >= next_invariants_) return true;
    return next_invariants_ == options_.invariants &&
           result_.iterations >= kFewIterations &&
           abstraction::seem_to_diverge(
               component_.blocks(),
               component_.refiner().precision().distinct());
  }

  std::uint64_t calls() const {
    return context_.statistics()["solver.calls"] - calls_before_;
  }
  std::uint64_t steps() const {
    return work_ + Falsification::kQuery * calls();
  }
  /// The same, where some questions are harder than others.
  std::uint64_t work() const {
    return steps() + solver_.spent() / Falsification::kResourcesPerState;
  }

  void unroll(Unrolling::Outcome outcome) {
    if (outcome == Unrolling::Outcome::Violated) {
      report(unrolling_.play(), unrolling_.found());
      result_.decided_by = "unrolling";
    } else if (outcome == Unrolling::Outcome::Complete && traces_suffice()) {
      result_.verdict = Verdict::Holds;
      result_.decided_by = "unrolling";
      result_.reason.clear();
      decided_ = true;
      note_missing(unrolling_.performed(),
                   [&] { return unrolling_.reached_states(); });
    }
  }

  /// Whether a specification that has all traces is one that holds. There must
  /// be no call for the model of the proof, since there is none.
  bool traces_suffice() const {
    if (options_.on_model) return false;
    return options_.conformance != Conformance::Simulation ||
           is_deterministic(task_.spec);
  }

  /// Looks for a violation that is inevitable in the abstraction. The loop may
  /// be many iterations away from a path that leads there.
  void falsify(AbstractProgram& model) {
    adopt(falsification_.attempt(
        model, component_.refiner().precision().distinct(), steps()));
  }

  void adopt(const std::optional<Falsified>& won) {
    if (!won) return;
    const bool was_decided = decided_;
    const std::string reason = result_.reason;
    refine::Feasibility found;
    if (won->num_omitted == 0 && won->play.nodes.size() <= kMostPlayed) {
      found = component_.decide(won->play);
    }
    if (found.answer == smt::Answer::Sat) {
      report(won->play, found);
    } else {
      report_long(*won);
    }
    const bool is_trial = won->strategy.empty();
    if (result_.verdict == Verdict::Violated) {
      result_.decided_by = is_trial ? "execution" : "attractor";
      result_.strategy = won->strategy;
    } else if (is_trial) {  // Others may be better.
      result_.reason = reason;
      decided_ = was_decided;
    }
  }

  void report_long(const Falsified& won) {
    if (!component_.can_start(won.found.initial) ||
        uncertain_step(task_, won.found)) {
      return;
    }
    evidence::Counterexample shown =
        describe(task_, component_.blocks(), won.play, won.found);
    shown.actions = won.actions;
    shown.allowed = won.allowed;
    if (won.num_omitted != 0) add_end(won, shown.steps);
    report_replayed(std::move(shown), [&] {
      return record(task_, won.found.initial,
                    choices_of(task_.program, won.made), won.actions);
    });
  }

  /// The last step of an execution that is not shown as a whole.
  void add_end(const Falsified& won,
               std::vector<evidence::SourceStep>& steps) const {
    evidence::SourceStep last;
    last.line = won.last.line;
    if (last.line != 0) last.file = task_.program.files[won.last.file.index()];
    evidence::SourceStep omitted = last;
    omitted.text = fmt::format("... {} more steps ...", won.num_omitted);
    steps.push_back(std::move(omitted));
    last.action = last.text = won.actions.back();
    steps.push_back(std::move(last));
  }

  static constexpr std::chrono::milliseconds kBetweenTales{200};
  static constexpr std::size_t kFewIterations = 2;
  static constexpr std::size_t kMostPlayed = 300;
  static constexpr std::size_t kMaxNodes = 20'000;

  const Task& task_;
  const Options& options_;
  const smt::Solver& solver_;
  support::Context& context_;
  Component component_;
  Falsification falsification_;
  Unrolling unrolling_;
  std::uint64_t work_ = 0;            // States that were made.
  const std::uint64_t calls_before_;  // For other questions.
  Turns turns_;
  bool is_by_traces_ = false;    // The game of this iteration.
  std::size_t next_invariants_;  // The iteration to look for them; 0: never.
  bool is_strengthening_ = false;
  bool decided_ = false;
  History history_;
  bool is_stuck_ = false;
  std::chrono::steady_clock::time_point told_ =
      std::chrono::steady_clock::now();
  evidence::Result result_;
};

}  // namespace

evidence::Result decide(const Task& task, const Options& options,
                        smt::Solver& solver, support::Context& context) {
  const auto before = std::chrono::steady_clock::now();
  evidence::Result result = Loop(task, options, solver, context).run();
  result.time_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before)
          .count();
  return result;
}

}  // namespace agon::verify
