// SPDX-License-Identifier: Apache-2.0
#include "concurrent/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>

#include "concurrent/describe.h"
#include "concurrent/model.h"
#include "concurrent/product.h"
#include "support/error.h"
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
        history_(options.detail, context) {
    for (std::size_t i = 0; i < task.models.size(); ++i) {
      models_.push_back(std::make_unique<AbstractComponent>(
          *task.models[i], options, asks_for_deadlocks(), *solvers[i],
          context));
    }
  }

  evidence::Result run() {
    while (!is_decided()) iterate();
    result_.decided_by = asks_for_deadlocks() ? "deadlock"
                         : plays_simulation() ? "simulation"
                                              : "trace";
    for (std::size_t i = 0; i < models_.size(); ++i) {
      for (std::string& each : models_[i]->component().predicates()) {
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
    for (std::size_t i = 0; i < models_.size(); ++i) {
      result_.models.push_back(verify::describe_model(
          models_[i]->program(), models_[i]->component().blocks()));
      result_.models.back().component = owner_of(i);
    }
  }

  bool asks_for_deadlocks() const { return task_.spec == nullptr; }
  bool plays_simulation() const {
    return !asks_for_deadlocks() &&
           options_.conformance == verify::Conformance::Simulation;
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

  /// With one set of predicates: searches and divides classes.
  void iterate() {
    ++result_.iterations;
    history_.begin(num_predicates());
    too_coarse_.clear();
    std::vector<Quotient*> quotients;
    for (const auto& model : models_) quotients.push_back(&model->quotient());
    const Composer composer(task_.composition, quotients);
    if (plays_simulation()) {
      simulate(composer);
    } else {
      search(composer);
    }
    history_.explored(result_.states);
    history_.end();
  }

  std::size_t num_predicates() const {
    std::size_t result = 0;
    for (const auto& model : models_) {
      result += model->component().predicates().size();
    }
    return result;
  }

  void search(const Composer& composer) {
    Search search(composer, task_.spec.get(), context_);
    while (goes_on(search, composer)) {
    }
    result_.states = search.num_states();
  }

  /// Whether classes were divided.
  bool goes_on(Search& search, const Composer& composer) {
    const Finding finding = search.run();
    if (!is_conclusive(search.num_positions())) return false;
    if (finding.verdict == Verdict::Holds) {
      hold();
      if (!asks_for_deadlocks()) {
        note_what_never_happens(search.performed(), search.reached_in_spec());
      }
      return false;
    }
    const Tree tree = tree_of(finding.path, composer);
    const auto changed = divide(tree);
    for (const auto& [m, classes] : changed) search.forget(m, classes);
    if (decided_ || !changed.empty()) return !decided_;
    examine(tree);
    if (!result_.counterexample) return false;
    for (const lts::Label label : finding.allowed) {
      result_.counterexample->allowed.push_back(
          task_.spec->labels()->name(label));
    }
    return false;
  }

  void simulate(const Composer& composer) {
    for (bool is_divided = true; is_divided && !decided_;) {
      for (const auto& model : models_) model->explore(context_);
      Product product(composer, *task_.spec, context_);
      const Simulated played =
          concurrent::simulate(product, *task_.spec, context_);
      result_.states = product.num_states();
      if (!is_conclusive(product.num_states())) return;
      if (played.verdict == Verdict::Unknown) return give_up(played.reason);
      if (played.verdict == Verdict::Holds) {
        hold();
        note_what_never_happens(product);
        return;
      }
      is_divided = !divide(played.tree).empty();
      if (!is_divided && !decided_) examine(played.tree);
    }
  }

  void hold() {
    result_.verdict = Verdict::Holds;
    decided_ = true;
  }

  /// Whether nothing is missing in what was explored.
  bool is_conclusive(std::size_t positions) {
    std::size_t states = 0;
    bool has_failed = false;
    for (const auto& model : models_) {
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

  /// The part of a component in what happens. It takes part in the first event,
  /// as all do. Where a branch ends for it does not matter except in a
  /// deadlock.
  LocalTree project(const Tree& tree, std::uint32_t component) {
    LocalTree result;
    std::vector<std::uint32_t> last(tree.nodes.size());  // Of its own nodes.
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      const Tree::Node& node = tree.nodes[i];
      const std::vector<lts::Label>* const locals =
          locals_of(node.move, component);
      if (locals != nullptr) {
        const auto own = static_cast<std::uint32_t>(result.nodes.size());
        if (own > 0) result.nodes[last[i]].children.push_back(own);
        result.nodes.push_back(
            {*locals,
             node.before[component],
             node.after.empty() ? Class() : node.after[component],
             {}});
        last[i] = own;
      }
      for (const std::uint32_t child : node.children) last[child] = last[i];
    }
    for (LocalTree::Node& node : result.nodes) {
      if (node.children.empty() && !asks_for_deadlocks()) node.after = Class();
    }
    std::uint32_t end = 0;
    while (!tree.nodes[end].children.empty()) {
      end = tree.nodes[end].children.front();
    }
    shown_ends_.push_back(last[end]);
    return result;
  }

  const std::vector<lts::Label>* locals_of(const Move& move,
                                           std::uint32_t component) const {
    static const std::vector<lts::Label> silent{lts::kTau};
    if (move.is_silent()) {
      return move.component == component ? &silent : nullptr;
    }
    for (const Participant& each :
         task_.composition.events[move.event].participants) {
      if (each.component == component) return &each.locals;
    }
    return nullptr;
  }

  /// What the predicate abstractions do, or else divides classes and says which
  /// ones, by model. They are divided for one component of each model, since
  /// what happened is told in the classes of before.
  std::map<std::uint32_t, std::vector<Class>> divide(const Tree& tree) {
    std::map<std::uint32_t, std::vector<Class>> changed;
    runs_.clear();
    shown_ends_.clear();
    for (std::uint32_t i = 0; i < task_.components.size(); ++i) {
      const std::uint32_t m = task_.composition.model_of[i];
      const LocalTree local = project(tree, i);
      auto run = find(*models_[m], local);
      if (const auto& reason = context_.exhausted()) {
        give_up(*reason);
        return changed;
      }
      if (run) {
        runs_.push_back(std::move(*run));
      } else if (!changed.contains(m)) {
        changed[m] = divide(m, local);
      }
    }
    return changed;
  }

  /// A model that was too coarse several times is made as fine as is known to
  /// matter. More would not help, and what is coarse is mixed up with more.
  std::vector<Class> divide(std::uint32_t model, const LocalTree& local) {
    ++result_.splits;
    std::vector<Class> changed = models_[model]->rule_out(local);
    if (++too_coarse_[model] < kPatience) return changed;
    const auto more = models_[model]->quotient().stabilise();
    changed.insert(changed.end(), more.begin(), more.end());
    return changed;
  }

  /// In the game of simulation the places matter, otherwise just the actions.
  std::optional<game::Strategy> find(AbstractComponent& model,
                                     const LocalTree& local) {
    if (plays_simulation()) return model.find_tree(local);
    const auto run = model.find_run(local, asks_for_deadlocks());
    if (!run) return std::nullopt;
    game::Strategy result;
    lts::State at = model.initial();
    for (const Transition t : *run) {
      if (!result.nodes.empty()) {
        result.nodes.back().children = {
            static_cast<std::uint32_t>(result.nodes.size())};
      }
      result.nodes.push_back({{at, {}}, t, {}});
      at = t.target;
    }
    return result;
  }

  /// Is it real? If it is not, finds new predicates.
  void examine(const Tree& tree) {
    std::vector<refine::Feasibility> found;
    std::map<std::uint32_t, std::vector<refine::Play>> spurious;  // By model.
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      const std::uint32_t m = task_.composition.model_of[i];
      if (const auto same = same_run(i)) {
        found.push_back(found[*same]);
        continue;
      }
      refine::Play play = models_[m]->play(runs_[i]);
      found.push_back(models_[m]->component().decide(play));
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
      report(tree, found);
    } else {
      refine(spurious);
    }
  }

  /// An earlier component that does the same.
  std::optional<std::uint32_t> same_run(std::uint32_t component) const {
    const auto& model_of = task_.composition.model_of;
    for (std::uint32_t i = 0; i < component; ++i) {
      if (model_of[i] == model_of[component] && runs_[i] == runs_[component]) {
        return i;
      }
    }
    return std::nullopt;
  }

  void refine(
      const std::map<std::uint32_t, std::vector<refine::Play>>& spurious) {
    bool is_finer = false;
    for (const auto& [m, plays] : spurious) {
      verify::Component& component = models_[m]->component();
      history_.before_refining(component);
      is_finer |= component.refiner().refine(plays);
      history_.after_refining(component, owner_of(m), plays);
    }
    if (const auto& late = context_.exhausted()) {
      give_up(*late);
    } else if (!is_finer) {
      give_up("no predicate was found that rules out a path");
    }
    if (decided_) return;
    for (const auto& [m, plays] : spurious) models_[m]->rebuild();
  }

  void report(const Tree& tree, const std::vector<refine::Feasibility>& found) {
    std::vector<Executed> executed;
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      verify::Component& component =
          models_[task_.composition.model_of[i]]->component();
      if (const auto doubt = component.doubt(found[i])) {
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
      executed[i].branch = branch_through(runs_[i], shown_ends_[i]);
    }
    result_.verdict = Verdict::Violated;
    result_.counterexample = describe(task_, path, executed);
    if (asks_for_deadlocks()) note_what_is_waited_for(tree);
    if (plays_simulation()) describe_tree(tree);
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

  void describe_tree(const Tree& tree) {
    for (const Tree::Node& node : tree.nodes) {
      const bool is_event =
          !node.move.is_silent() && node.move.event != start_event();
      evidence::StrategyNode& made =
          result_.counterexample->strategy.emplace_back();
      made.challenge =
          is_event ? task_.composition.events[node.move.event].name : "tau";
      made.children = node.children;
      if (node.spec.valid()) made.specification = node.spec.value();
    }
  }

  std::uint32_t start_event() const {
    const auto& events = task_.composition.events;
    const auto at =
        std::ranges::find(events, spec::ProgramQuestion::kStart, &Event::name);
    return static_cast<std::uint32_t>(at - events.begin());
  }

  void note_what_is_waited_for(const Tree& tree) {
    for (std::uint32_t i = 0; i < task_.components.size(); ++i) {
      Quotient& quotient = models_[task_.composition.model_of[i]]->quotient();
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

  /// A proof that nothing bad happens is worth little if nothing does.
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

  void note_what_never_happens(Product& product) {
    std::set<lts::Label> performed;
    for (std::size_t s = 0; s < product.num_states(); ++s) {
      for (const Transition t : product.expand(lts::State::at(s))) {
        performed.insert(t.label);
      }
      if (context_.exhausted()) return;
    }
    const auto reached = verify::reached_states(product, *task_.spec, context_);
    if (reached) note_what_never_happens(performed, *reached);
  }

  static constexpr std::size_t kPatience = 2;

  const Prepared& task_;
  const verify::Options& options_;
  support::Context& context_;
  std::vector<std::unique_ptr<AbstractComponent>> models_;
  // By component, of what was found last: what it does, and the last of this in
  // the branch that is shown.
  std::vector<game::Strategy> runs_;
  std::vector<std::uint32_t> shown_ends_;
  std::map<std::uint32_t, std::size_t> too_coarse_;  // By model.
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
