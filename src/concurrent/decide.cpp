// SPDX-License-Identifier: Apache-2.0
#include "concurrent/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>

#include "concurrent/describe.h"
#include "concurrent/ensemble.h"
#include "concurrent/simulation.h"
#include "concurrent/stages.h"
#include "support/error.h"
#include "verify/counterexample.h"
#include "verify/coverage.h"
#include "verify/insight.h"

namespace agon::concurrent {
namespace {

using lts::Transition;
using support::Verdict;

class Loop {
 public:
  Loop(const Prepared& task, const verify::Options& options,
       std::span<smt::Solver* const> solvers, support::Context& context)
      : task_(task),
        options_(options),
        context_(context),
        ensemble_(task, options, solvers, context),
        history_(options.detail, context) {}

  evidence::Result run() {
    while (!is_decided()) {
      ++result_.iterations;
      history_.begin(num_predicates());
      while (plays_simulation() ? simulate() : search()) {
      }
      history_.explored(result_.states);
      history_.end();
      start_refined_anew();
    }
    result_.decided_by = asks_for_deadlocks() ? "deadlock"
                         : plays_simulation() ? "simulation"
                                              : "trace";
    for (std::size_t i = 0; i < ensemble_.models().size(); ++i) {
      for (std::string& each : component(i).predicates()) {
        result_.predicates.push_back(
            fmt::format("{}: {}", owner_of(i), std::move(each)));
      }
    }
    describe_inside();
    return std::move(result_);
  }

 private:
  void describe_inside() {
    result_.history = history_.take();
    if (options_.detail != evidence::Detail::Model) return;
    for (std::size_t i = 0; i < ensemble_.models().size(); ++i) {
      result_.models.push_back(verify::describe_model(
          ensemble_.models()[i]->program(), component(i).blocks()));
      result_.models.back().component = owner_of(i);
    }
  }

  std::size_t num_predicates() const {
    std::size_t result = 0;
    for (const auto& model : ensemble_.models()) {
      result += model->component().precision().distinct().size();
    }
    return result;
  }

  bool asks_for_deadlocks() const { return ensemble_.asks_for_deadlocks(); }
  bool plays_simulation() const { return ensemble_.plays_simulation(); }
  verify::Component& component(std::size_t model) const {
    return ensemble_.models()[model]->component();
  }

  /// The first component that a model is of.
  const std::string& owner_of(std::size_t model) const {
    const auto& model_of = task_.composition.model_of;
    const auto at = std::ranges::find(model_of, model);
    return task_.components[static_cast<std::size_t>(at - model_of.begin())];
  }

  bool is_decided() {
    if (decided_) return true;
    if (options_.max_predicates != 0 &&
        num_predicates() > options_.max_predicates) {
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

  /// Whether another component takes part from now on.
  bool search() {
    begin_stage(searches_, [&](const Composer& composer) {
      return Search(composer, task_.spec.get(), context_);
    });
    const bool has_joined = pursue(searches_, [&](const Finding& found) {
      return tree_of(found.path, searches_.composer());
    });
    if (result_.verdict == Verdict::Holds) {
      note_what_never_happens(searches_.engine());
    }
    return has_joined;
  }

  /// As above.
  bool simulate() {
    begin_stage(simulations_, [&](const Composer& composer) {
      return Simulation(composer, *task_.spec, context_);
    });
    const bool has_joined =
        pursue(simulations_, [](const Simulated& found) { return found.tree; });
    if (result_.verdict == Verdict::Holds) note_what_never_happens();
    return has_joined;
  }

  /// A new one if there is none with those who take part.
  template <class Engine, class Make>
  void begin_stage(Stages<Engine>& stages, const Make& make) {
    Composer composer = ensemble_.compose();
    if (stages.select(composer.present())) return;
    stages.add(std::move(composer), make);
    ++context_.statistics()["concurrent.searches"];
  }

  /// Rules out what is not there until something is, or is not clear on this
  /// level. Whether another component takes part from now on.
  template <class Engine, class TreeOf>
  bool pursue(Stages<Engine>& stages, TreeOf tree_of) {
    Engine& engine = stages.engine();
    const std::size_t visits_before = engine.num_visits();
    bool has_joined = false;
    for (bool goes_on = true; goes_on;) {
      const auto found = engine.run();
      goes_on = false;
      if (!is_conclusive(engine.num_positions())) break;
      if (found.verdict == Verdict::Unknown) give_up(found.reason);
      if (found.verdict == Verdict::Holds) hold();
      if (decided_) break;
      const Tree tree = with_start(tree_of(found));
      const Followed followed = follow(tree);
      if (decided_) break;
      for (const auto& [m, classes] : followed.divided) {
        stages.forget(m, classes);
      }
      has_joined = followed.has_joined;
      goes_on = !followed.divided.empty();
      if (goes_on || has_joined) continue;
      examine(tree, followed);
    }
    result_.states = engine.num_states();
    context_.statistics()["concurrent.visits"] +=
        engine.num_visits() - visits_before;
    return has_joined;
  }

  Followed follow(const Tree& tree) {
    Followed result = ensemble_.follow(tree);
    result_.splits += result.divided.size();
    if (const auto& reason = context_.exhausted()) give_up(*reason);
    return result;
  }

  void hold() {
    result_.verdict = Verdict::Holds;
    decided_ = true;
    const auto& start =
        task_.composition.events[task_.composition.start].participants;
    result_.is_never_called =
        std::ranges::any_of(start, [&](const Participant& each) {
          return !ensemble_.model(each.component).can_perform(each.locals);
        });
  }

  /// Whether nothing is missing in what was explored.
  bool is_conclusive(std::size_t positions) {
    std::size_t states = 0;
    bool has_failed = false;
    for (const auto& model : ensemble_.models()) {
      states += model->num_states();
      has_failed = has_failed || model->component().has_failed();
    }
    context_.progress(fmt::format(
        "iteration {}: {} states of components, {} positions, {} splits",
        result_.iterations, states, positions, result_.splits));
    if (const auto& reason = context_.exhausted()) {
      give_up(*reason);
    } else if (has_failed) {
      give_up("the solver could not decide the steps of the program");
    }
    return !decided_;
  }

  static Tree tree_of(const std::vector<PathStep>& path,
                      const Composer& composer) {
    Tree result;
    Place before = composer.initial();
    for (const PathStep& step : path) {
      Tree::Node& node = result.nodes.emplace_back();
      node = {step.move, std::move(before), step.after, {}, {}};
      before = step.after;
      if (&step != &path.back()) {
        node.children = {static_cast<std::uint32_t>(result.nodes.size())};
      }
    }
    return result;
  }

  /// What happens with the event that all components start with. It is missing
  /// where none takes part.
  Tree with_start(Tree tree) const {
    if (!ensemble_.is_empty()) return tree;
    for (Tree::Node& node : tree.nodes) {
      for (std::uint32_t& child : node.children) ++child;
    }
    const Place before = tree.nodes.front().before;
    tree.nodes.insert(tree.nodes.begin(),
                      {{task_.composition.start, 0}, before, before, {1}});
    return tree;
  }

  /// Is it real? If it is not, finds new predicates.
  void examine(const Tree& tree, const Followed& followed) {
    std::vector<refine::Feasibility> found;
    std::map<std::uint32_t, std::vector<refine::Play>> spurious;  // By model.
    for (std::uint32_t i = 0; i < followed.runs.size(); ++i) {
      const std::uint32_t m = task_.composition.model_of[i];
      if (const auto same = same_run(followed, i)) {
        found.push_back(found[*same]);
        continue;
      }
      refine::Play play = ensemble_.model(i).play(followed.runs[i].strategy);
      found.push_back(component(m).decide(play));
      if (const auto& reason = context_.exhausted()) return give_up(*reason);
      if (found.back().answer == smt::Answer::Unknown) {
        return give_up("the solver could not decide a path: " +
                       found.back().reason);
      }
      if (found.back().answer == smt::Answer::Unsat) {
        spurious[m].push_back(std::move(play));
      }
    }
    if (spurious.empty()) {
      report(tree, followed, found);
    } else {
      refine(spurious);
    }
  }

  /// An earlier component that does the same.
  std::optional<std::uint32_t> same_run(const Followed& followed,
                                        std::uint32_t component) const {
    const auto& model_of = task_.composition.model_of;
    for (std::uint32_t i = 0; i < component; ++i) {
      if (model_of[i] == model_of[component] &&
          followed.runs[i].strategy == followed.runs[component].strategy) {
        return i;
      }
    }
    return std::nullopt;
  }

  void refine(
      const std::map<std::uint32_t, std::vector<refine::Play>>& spurious) {
    bool is_finer = false;
    for (const auto& [m, plays] : spurious) {
      history_.before_refining(component(m));
      is_finer |= component(m).refiner().refine(plays);
      history_.after_refining(component(m), owner_of(m), plays);
    }
    if (const auto& late = context_.exhausted()) {
      give_up(*late);
    } else if (!is_finer) {
      give_up("no predicate was found that rules out a path");
    }
    for (const auto& [m, plays] : spurious) refined_.insert(m);
  }

  /// What was explored without the components that have new predicates is kept,
  /// but who is needed is found out again.
  void start_refined_anew() {
    if (decided_) return;
    searches_.drop(refined_);
    simulations_.drop(refined_);
    for (const std::uint32_t m : refined_) ensemble_.rebuild(m);
    refined_.clear();
    ensemble_.leave_out();
  }

  void report(const Tree& tree, const Followed& followed,
              const std::vector<refine::Feasibility>& found) {
    std::vector<Executed> executed;
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      verify::Component& component = ensemble_.model(i).component();
      if (const auto doubt = component.doubt(found[i])) {
        return give_up(*doubt);
      }
      if (const auto doubt = verify::doubt_on_original(
              component.task(), component.blocks(), found[i])) {
        return give_up(*doubt);
      }
      if (asks_for_deadlocks() && component.blocks().has_unclear_choice()) {
        return give_up("it is not clear what a described routine waits for");
      }
      executed.push_back({component, found[i], 0});
    }
    std::vector<Move> path;
    for (std::uint32_t at = 0;; at = tree.nodes[at].children.front()) {
      path.push_back(tree.nodes[at].move);
      if (tree.nodes[at].children.empty()) break;
    }
    for (std::uint32_t i = 0; i < executed.size() && plays_simulation(); ++i) {
      executed[i].branch =
          branch_through(followed.runs[i].strategy, followed.ends[i]);
    }
    result_.verdict = Verdict::Violated;
    result_.counterexample = describe(task_, path, executed);
    if (asks_for_deadlocks()) note_what_is_waited_for(tree);
    const bool is_linear = std::ranges::all_of(
        tree.nodes,
        [](const Tree::Node& node) { return node.children.size() <= 1; });
    if (!is_linear) describe_tree(tree);
    decided_ = true;
  }

  /// The number of a leaf below a node among all leaves, breadth first:
  /// executions come in that order.
  static std::size_t branch_through(const game::Strategy& run,
                                    std::uint32_t node) {
    while (!run.nodes[node].children.empty()) {
      node = run.nodes[node].children.front();
    }
    std::vector<std::uint32_t> order{0};
    std::size_t leaves = 0;
    for (std::size_t i = 0; order[i] != node; ++i) {
      const auto& children = run.nodes[order[i]].children;
      if (children.empty()) ++leaves;
      order.insert(order.end(), children.begin(), children.end());
    }
    return leaves;
  }

  /// Without the event that all start with.
  void describe_tree(const Tree& tree) {
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
      const Tree::Node& node = tree.nodes[i];
      evidence::StrategyNode& made =
          result_.counterexample->strategy.emplace_back();
      made.challenge = node.move.is_silent()
                           ? "tau"
                           : task_.composition.events[node.move.event].name;
      for (const std::uint32_t child : node.children) {
        made.children.push_back(child - 1);
      }
      if (node.spec.valid()) made.specification = node.spec.value();
    }
  }

  void note_what_is_waited_for(const Tree& tree) {
    for (std::uint32_t i = 0; i < task_.components.size(); ++i) {
      Quotient& quotient = ensemble_.model(i).quotient();
      const Class at = tree.nodes.back().after[i];
      if (static_cast<Rest>(quotient.kind(at)) == Rest::Ended) continue;
      std::vector<std::string> names;
      for (const Event& event : task_.composition.events) {
        for (const Participant& each : event.participants) {
          const bool is_offered =
              each.component == i &&
              std::ranges::any_of(each.locals, [&](lts::Label local) {
                return quotient.offers(at, local);
              });
          if (is_offered) names.push_back(event.name);
        }
      }
      result_.counterexample->waiting.emplace_back(task_.components[i],
                                                   std::move(names));
    }
  }

  /// A proof that nothing bad happens is worth little if nothing does. Here all
  /// have to take part, also those that are not needed for the proof: they can
  /// only do less than was possible without them.
  void note_what_never_happens(const Search& search) {
    if (asks_for_deadlocks()) return;
    const std::set<lts::Label> possible = search.performed();
    const std::vector<bool> reachable = search.reached_in_spec();
    if (ensemble_.is_complete()) {
      note_what_never_happens(possible, reachable);
    } else {
      look_at_all_components(possible, reachable);
    }
  }

  /// What is simulated has no offending traces, so a search gets everywhere.
  void note_what_never_happens() {
    const auto alphabet = task_.spec->alphabet();
    look_at_all_components({alphabet.begin(), alphabet.end()},
                           std::vector(task_.spec->num_states(), true));
  }

  /// Until all that is thought to be possible was found to be.
  void look_at_all_components(const std::set<lts::Label>& possible,
                              const std::vector<bool>& reachable) {
    ensemble_.complete();
    const Composer composer = ensemble_.compose();
    Search whole(composer, task_.spec.get(), context_,
                 {.order = SearchOptions::Order::Latest});
    for (std::size_t most = 16; most < kMostForNotes; most *= 2) {
      const bool is_done = whole.run(most).verdict == Verdict::Holds;
      const auto performed = whole.performed();
      const auto reached = whole.reached_in_spec();
      const bool is_all = performed == possible && reached == reachable;
      if (!is_done && !is_all) continue;
      return note_what_never_happens(performed, reached);
    }
  }

  void note_what_never_happens(const std::set<lts::Label>& performed,
                               const std::vector<bool>& reached) {
    const lts::Lts& spec = *task_.spec;
    std::set<lts::Label> missing;
    for (const Transition t : spec.transitions()) {
      if (t.label != lts::kTau) missing.insert(t.label);
    }
    const std::size_t all = missing.size();
    for (const lts::Label label : performed) missing.erase(label);
    for (const lts::Label label : missing) {
      result_.never_performed.push_back(spec.labels()->name(label));
    }
    result_.is_vacuous = all > 0 && missing.size() == all;
    if (result_.is_vacuous) return;
    for (const std::vector<lts::Label>& way :
         verify::ways_to_others(spec, reached, missing)) {
      std::vector<std::string> names;
      for (const lts::Label label : way) {
        names.push_back(spec.labels()->name(label));
      }
      result_.never_reached.push_back(
          fmt::format("{}", fmt::join(names, ", ")));
    }
  }

  static constexpr std::size_t kMostForNotes = 10'000;

  const Prepared& task_;
  const verify::Options& options_;
  support::Context& context_;
  Ensemble ensemble_;
  Stages<Search> searches_;
  Stages<Simulation> simulations_;
  std::set<std::uint32_t> refined_;  // Models with new predicates.
  bool decided_ = false;
  verify::History history_;
  evidence::Result result_;
};

}  // namespace

evidence::Result decide(const Prepared& task, const verify::Options& options,
                        std::span<smt::Solver* const> solvers,
                        support::Context& context) {
  const auto before = std::chrono::steady_clock::now();
  const std::uint64_t calls = context.statistics()["solver.calls"];
  evidence::Result result = Loop(task, options, solvers, context).run();
  result.solver_calls = context.statistics()["solver.calls"] - calls;
  result.time_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before)
          .count();
  return result;
}

}  // namespace agon::concurrent
