// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <utility>

#include "cli/commands.h"
#include "cli/strategy_tree.h"
#include "cli/watch.h"
#include "game/equivalence.h"
#include "game/simulation.h"
#include "game/traces.h"

namespace agon::cli {
namespace {

using game::Semantics;
using support::Verdict;

constexpr std::size_t kShownLines = 60;
constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max();

/// The two systems of a comparison and the place for the answer.
class Comparison {
 public:
  Comparison(const CompareOptions& options, Session& session)
      : options_(options),
        session_(session),
        impl_(load(options.implementation, session)),
        spec_(load(options.specification, session)) {
    watch(impl_);
    watch(spec_);
    result_.target = impl_.name;
    result_.spec = spec_.name;
  }

  ExitCode run() {
    switch (options_.relation) {
      case Relation::Simulation:
        simulation(Semantics::Strong);
        break;
      case Relation::WeakSimulation:
        simulation(Semantics::Weak);
        break;
      case Relation::Trace:
        traces(Semantics::Strong);
        break;
      case Relation::WeakTrace:
        traces(Semantics::Weak);
        break;
      case Relation::Strong:
        bisimulation(game::Equivalence::Strong, "strongly");
        break;
      case Relation::Branching:
        bisimulation(game::Equivalence::Branching, "branching");
        break;
      case Relation::Weak:
        bisimulation(game::Equivalence::Weak, "weakly");
        break;
    }
    note_kinds(impl_);
    note_kinds(spec_);
    const ExitCode code = exit_code(*result_.verdict);
    session_.report.results.push_back(std::move(result_));
    return code;
  }

 private:
  static const char* weakly(Semantics semantics) {
    return semantics == Semantics::Weak ? "weakly " : "";
  }

  void simulation(Semantics semantics) {
    const game::SimulationResult played = game::simulate(
        *impl_.successors, *spec_.successors, semantics,
        {.strategies = options_.counterexamples}, session_.context);
    answer(played.verdict, played.reason, "simulation", played.positions);
    if (played.verdict == Verdict::Holds) {
      session_.print("holds: {} {}simulates {}\n", spec_.name,
                     weakly(semantics), impl_.name);
    }
    if (played.verdict != Verdict::Violated) return;
    session_.print("violated: {} does not {}simulate {}\n\n", spec_.name,
                   semantics == Semantics::Weak ? "weakly " : "", impl_.name);
    session_.print(
        "How the implementation wins, from (its state, the specification's "
        "state):\n");
    explain_strategies(played.strategies, semantics);
  }

  void explain_strategies(const std::vector<game::Strategy>& strategies,
                          Semantics semantics) {
    Counterexample& counterexample = result_.counterexample.emplace();
    for (const game::Strategy& strategy : strategies) {
      StrategyTree tree = describe(strategy, *spec_.successors, semantics);
      if (counterexample.tree) session_.print("\nAnother way to win:\n");
      session_.text += to_text(tree, options_.full ? kEverything : kShownLines);
      if (counterexample.tree) {
        counterexample.more_trees.push_back(std::move(tree));
      } else {
        counterexample.tree = std::move(tree);
      }
    }
    counterexample.actions = first_play(*counterexample.tree);
  }

  void traces(Semantics semantics) {
    const game::TraceResult searched = game::include_traces(
        *impl_.successors, *spec_.successors, semantics, session_.context);
    answer(searched.verdict, searched.reason,
           searched.decided_by_simulation ? "simulation" : "trace",
           searched.pairs);
    const char* const kind =
        semantics == Semantics::Weak ? "weak trace" : "trace";
    if (searched.verdict == Verdict::Holds) {
      session_.print("holds: every {} of {} is one of {}\n", kind, impl_.name,
                     spec_.name);
    }
    if (searched.verdict != Verdict::Violated) return;
    session_.print("violated: {} has a {} that {} does not have\n\n",
                   impl_.name, kind, spec_.name);
    explain_trace(*searched.counterexample);
  }

  void explain_trace(const game::OffendingTrace& trace) {
    Counterexample& counterexample = result_.counterexample.emplace();
    for (const lts::Label label : trace.actions) {
      counterexample.actions.push_back(session_.labels->name(label));
    }
    counterexample.allowed.emplace();
    for (const lts::Label label : trace.allowed) {
      counterexample.allowed->push_back(session_.labels->name(label));
    }
    const std::size_t last = counterexample.actions.size() - 1;
    session_.print("A shortest one:\n");
    for (std::size_t i = 0; i <= last; ++i) {
      session_.print("  {}{}\n", counterexample.actions[i],
                     i == last ? "   <- not allowed here" : "");
    }
    if (counterexample.allowed->empty()) {
      session_.print("The specification allows nothing in its place.\n");
    } else {
      session_.print("The specification allows in its place: {}\n",
                     fmt::join(*counterexample.allowed, ", "));
    }
  }

  void bisimulation(game::Equivalence equivalence, const char* how) {
    const lts::Lts& impl = build(impl_, session_.context);
    const lts::Lts& spec = build(spec_, session_.context);
    const game::EquivalenceResult compared =
        game::compare(impl, spec, equivalence, session_.context);
    answer(compared.verdict, compared.reason, "bisimulation",
           impl.num_states() + spec.num_states());
    if (compared.verdict == Verdict::Holds) {
      session_.print("holds: {} and {} are {} bisimilar\n", impl_.name,
                     spec_.name, how);
    }
    if (compared.verdict != Verdict::Violated) return;
    session_.print("violated: {} and {} are not {} bisimilar\n\n", impl_.name,
                   spec_.name, how);
    Counterexample& counterexample = result_.counterexample.emplace();
    if (!compared.formula) {
      session_.print("{}\n", compared.reason);
      return;
    }
    counterexample.formula =
        to_string(*compared.formula, *session_.labels, kEverything);
    session_.print(
        "A formula that is true of the first and false of the second:\n"
        "  {}\n{}\n",
        options_.full ? *counterexample.formula
                      : to_string(*compared.formula, *session_.labels),
        legend(equivalence));
  }

  static const char* legend(game::Equivalence equivalence) {
    switch (equivalence) {
      case game::Equivalence::Strong:
        return "(<a>X: some a-step leads to X; !X: not X)";
      case game::Equivalence::Branching:
        return "(X<a>Y: silent steps through X and an a-step lead to Y; "
               "<<a>>X: an a-step and silent steps around it do; !X: not X)";
      case game::Equivalence::Weak:
        return "(<<a>>X: an a-step and silent steps around it lead to X; "
               "!X: not X)";
    }
    return "";
  }

  void answer(Verdict verdict, const std::string& reason,
              const std::string& decided_by, std::size_t states) {
    result_.verdict = verdict;
    if (verdict == Verdict::Unknown) result_.reason = reason;
    result_.decided_by = decided_by;
    result_.states = states;
    if (verdict == Verdict::Unknown) session_.print("unknown: {}\n", reason);
  }

  void note_kinds(const System& system) {
    if (has_special_states(system)) {
      session_.context.note(system.name +
                            " has END or ERROR states; compare looks at "
                            "actions only, and 'agon lts check' at ERROR");
    }
  }

  const CompareOptions& options_;
  Session& session_;
  System impl_;
  System spec_;
  Result result_;
};

}  // namespace

ExitCode run_compare(const CompareOptions& options, Session& session) {
  begin(session, session.subject, options.specification.name());
  return Comparison(options, session).run();
}

}  // namespace agon::cli
