// SPDX-License-Identifier: Apache-2.0
#include "concurrent/certificate.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "game/traces.h"
#include "ir/flatten.h"
#include "ir/waiting.h"
#include "smt/solvers.h"
#include "spec/composition.h"
#include "support/watchdog.h"
#include "verify/component.h"
#include "verify/relation.h"

namespace agon::concurrent {
namespace {

using abstraction::AbstractProgram;
using lts::Label;
using lts::State;
using lts::Transition;

constexpr std::size_t kMostStates = 200'000;
constexpr std::size_t kMostPairs = 500'000;

/// The abstractions of all components, composed as they are.
class WholeProduct final : public lts::Successors {
 public:
  using Places = std::vector<State>;
  /// A step of one component.
  struct Part {
    std::uint32_t component = 0;
    Transition step;
  };

  WholeProduct(const Composition& composition,
               std::vector<AbstractProgram*> models, const lts::Lts& spec)
      : composition_(composition),
        models_(std::move(models)),
        labels_(spec.labels()),
        alphabet_(spec.alphabet().begin(), spec.alphabet().end()) {
    intern(Places(composition.model_of.size(), State(0)));
  }

  State initial() override { return State(0); }
  std::span<const Transition> expand(State state) override {
    auto& known = out_[state.index()];
    if (!known) {
      std::vector<Transition> found;
      moves(state, [&](Label label, const Places& there, const auto&) {
        found.push_back({label, intern(there)});
      });
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
      out_[state.index()] = std::move(found);
    }
    return *out_[state.index()];
  }
  lts::StateKind kind(State) override { return lts::StateKind::Ordinary; }
  bool can_terminate() const override { return false; }
  std::span<const Label> alphabet() const override { return alphabet_; }
  const lts::SharedLabels& labels() const override { return labels_; }

  std::size_t num_states() const { return places_.size(); }
  const Places& places(State state) const { return places_[state.index()]; }
  bool is_too_large() const { return places_.size() > kMostStates; }

  /// What each component does in a step of the product.
  std::vector<Part> parts(State from, Transition step) {
    std::vector<Part> result;
    moves(from, [&](Label label, const Places& there, const auto& parts) {
      if (result.empty() && label == step.label &&
          there == places_[step.target.index()]) {
        result = parts;
      }
    });
    return result;
  }

 private:
  using Reach =
      std::function<void(Label, const Places&, const std::vector<Part>&)>;

  State intern(const Places& places) {
    const auto [at, is_new] =
        index_.try_emplace(places, State::at(places_.size()));
    if (is_new) {
      places_.push_back(places);
      out_.emplace_back();
    }
    return at->second;
  }

  std::vector<Transition> steps(std::uint32_t component, State state) {
    const auto found = models_[composition_.model_of[component]]->expand(state);
    return {found.begin(), found.end()};
  }

  void moves(State state, const Reach& reach) {
    if (is_too_large()) return;
    const Places here = places_[state.index()];
    for (std::uint32_t i = 0; i < here.size(); ++i) {
      for (const Transition t : steps(i, here[i])) {
        if (t.label != lts::kTau) continue;
        Places there = here;
        there[i] = t.target;
        reach(lts::kTau, there, {{i, t}});
      }
    }
    for (const Event& event : composition_.events) {
      Places there = here;
      std::vector<Part> parts;
      combine(event, there, parts, reach);
    }
  }

  void combine(const Event& event, Places& there, std::vector<Part>& parts,
               const Reach& reach) {
    if (parts.size() == event.participants.size()) {
      return reach(event.visible, there, parts);
    }
    const Participant& each = event.participants[parts.size()];
    const State here = there[each.component];
    for (const Transition t : steps(each.component, here)) {
      if (std::ranges::count(each.locals, t.label) == 0) continue;
      there[each.component] = t.target;
      parts.push_back({each.component, t});
      combine(event, there, parts, reach);
      parts.pop_back();
    }
    there[each.component] = here;
  }

  const Composition& composition_;
  std::vector<AbstractProgram*> models_;
  lts::SharedLabels labels_;
  std::vector<Label> alphabet_;
  std::vector<Places> places_;
  std::map<Places, State> index_;
  std::vector<std::optional<std::vector<Transition>>> out_;
};

/// A flat component under abstraction.
struct FlatModel {
  FlatModel(ir::Flat made, const lts::Lts& actions, const std::string& name,
            abstraction::BlockMode mode, const verify::Options& options,
            support::Context& context)
      : flat(std::move(made)),
        task{*flat.program, flat.entry, actions},
        solvers(*flat.program->pool, {name}),
        solver(solvers.make()),
        watchdog(context, [this] { solver->interrupt(); }),
        component(task, options, mode, *solver, context) {}

  ir::Flat flat;
  verify::Task task;
  smt::SolverFactory solvers;
  std::unique_ptr<smt::Solver> solver;
  support::Watchdog watchdog;
  verify::Component component;
  std::vector<ir::Resting> rests;  ///< By location; for deadlocks.
};

/// A specification that sees nothing.
std::shared_ptr<const lts::Lts> anything() {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  builder.set_initial(builder.add_state());
  return std::make_shared<const lts::Lts>(std::move(builder).build());
}

class Proving {
 public:
  Proving(const Prepared& prepared, const CertificateRequest& request,
          const verify::Options& options, support::Context& context)
      : prepared_(prepared),
        spec_(prepared.spec != nullptr ? prepared.spec : anything()),
        request_(request),
        options_(options),
        context_(context) {}

  verify::Certified run() {
    if (!flatten()) return std::move(result_);
    while (!result_.proof && result_.reason.empty()) {
      if (const auto& reason = context_.exhausted()) {
        result_.reason = *reason;
        break;
      }
      iterate();
    }
    return std::move(result_);
  }

 private:
  bool asks_for_deadlocks() const { return prepared_.spec == nullptr; }

  bool flatten() {
    ir::Program program = request_.program;
    if (asks_for_deadlocks()) spec::mark_exits(program);
    for (std::size_t m = 0; m < prepared_.models.size(); ++m) {
      const Model& model = *prepared_.models[m];
      const auto first = std::ranges::find(prepared_.composition.model_of, m);
      const spec::ComponentQuestion& component =
          request_.question.components[static_cast<std::size_t>(
              first - prepared_.composition.model_of.begin())];
      ir::FlattenOptions flattening;
      flattening.any_state = component.routine != "main";
      for (const Label label : model.actions.alphabet()) {
        flattening.visible.insert(model.actions.labels()->name(label));
      }
      ir::Flat flat = ir::flatten(
          program, *program.find_function(component.entry), flattening);
      if (!flat.program) {
        result_.reason = flat.reason;
        return false;
      }
      models_.push_back(std::make_unique<FlatModel>(
          std::move(flat), model.actions, request_.solver,
          asks_for_deadlocks() ? abstraction::BlockMode::Waiting
                               : abstraction::BlockMode::Large,
          options_, context_));
      if (!asks_for_deadlocks()) continue;
      models_.back()->rests =
          ir::find_rests(*models_.back()->flat.program,
                         models_.back()->component.blocks().body(),
                         {model.endings.begin(), model.endings.end()},
                         spec::ProgramQuestion::kStop);
    }
    return true;
  }

  void iterate() {
    std::vector<std::unique_ptr<abstraction::Precision>> precisions;
    std::vector<std::unique_ptr<AbstractProgram>> programs;
    std::vector<AbstractProgram*> views;
    for (const auto& model : models_) {
      precisions.push_back(std::make_unique<abstraction::Precision>(
          model->component.refiner().precision()));
      programs.push_back(std::make_unique<AbstractProgram>(
          model->component.steps(), model->component.start(),
          *precisions.back(), model->task.spec.labels(),
          model->task.spec.alphabet()));
      views.push_back(programs.back().get());
    }
    WholeProduct product(prepared_.composition, views, *spec_);
    const std::optional<std::vector<Transition>> offence =
        asks_for_deadlocks() ? find_deadlock(product, views)
                             : find_trace(product);
    context_.progress(
        fmt::format("certificate: {} states together", product.num_states()));
    if (context_.exhausted() || !result_.reason.empty()) return;
    if (product.is_too_large()) {
      result_.reason = "the components have too many states together";
    } else if (!offence) {
      write(product, views);
    } else {
      examine(product, views, *offence);
    }
  }

  std::optional<std::vector<Transition>> find_trace(WholeProduct& product) {
    lts::ExplicitSuccessors spec(*spec_);
    const game::TraceResult played =
        game::include_traces(product, spec, game::Semantics::Weak, context_);
    if (played.counterexample) return played.counterexample->steps;
    if (played.verdict != support::Verdict::Holds) {
      result_.reason = played.reason;
    }
    return std::nullopt;
  }

  /// A way to where nobody can go on, breadth first.
  std::optional<std::vector<Transition>> find_deadlock(
      WholeProduct& product, const std::vector<AbstractProgram*>& views) {
    std::vector<std::optional<std::pair<std::size_t, Transition>>> found_by;
    for (std::size_t i = 0; i < product.num_states(); ++i) {
      if (context_.exhausted() || product.is_too_large()) return std::nullopt;
      if (is_deadlock(product.places(State::at(i)), views)) {
        std::vector<Transition> way;
        for (std::size_t at = i; at != 0; at = found_by[at]->first) {
          way.push_back(found_by[at]->second);
        }
        std::ranges::reverse(way);
        return way;
      }
      const auto steps = product.expand(State::at(i));
      found_by.resize(product.num_states());
      for (const Transition t : steps) {
        auto& by = found_by[t.target.index()];
        if (!by) by.emplace(i, t);
      }
    }
    return std::nullopt;
  }

  bool is_deadlock(const WholeProduct::Places& places,
                   const std::vector<AbstractProgram*>& views) const {
    std::vector<const ir::Resting*> here;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint32_t m = prepared_.composition.model_of[i];
      const ir::LocationId at = views[m]->location(places[i]);
      const ir::LocationId entry =
          models_[m]->component.blocks().body().entry();
      here.push_back(&models_[m]->rests[(at.valid() ? at : entry).index()]);
      if (here.back()->rest == ir::Rest::None) return false;
    }
    const auto offers = [&](const Participant& each) {
      const lts::Lts& actions =
          models_[prepared_.composition.model_of[each.component]]->task.spec;
      return std::ranges::any_of(each.locals, [&](Label local) {
        return here[each.component]->offers.contains(
            actions.labels()->name(local));
      });
    };
    const bool has_ended = std::ranges::all_of(
        here,
        [](const ir::Resting* each) { return each->rest == ir::Rest::Ended; });
    return !has_ended &&
           std::ranges::none_of(
               prepared_.composition.events, [&](const Event& event) {
                 return std::ranges::all_of(event.participants, offers);
               });
  }

  void examine(WholeProduct& product,
               const std::vector<AbstractProgram*>& views,
               const std::vector<Transition>& steps) {
    std::vector<std::vector<Transition>> local(
        prepared_.composition.model_of.size());
    State at = product.initial();
    for (const Transition step : steps) {
      for (const WholeProduct::Part& part : product.parts(at, step)) {
        local[part.component].push_back(part.step);
      }
      at = step.target;
    }
    bool is_finer = false;
    for (std::size_t i = 0; i < local.size() && !context_.exhausted(); ++i) {
      if (local[i].empty()) continue;
      const std::uint32_t m = prepared_.composition.model_of[i];
      FlatModel& model = *models_[m];
      const refine::Play play = refine::unfold(
          local[i], *views[m], model.component.blocks().body().entry());
      if (model.component.decide(play).answer != smt::Answer::Unsat) continue;
      is_finer |= model.component.refiner().refine({&play, 1});
    }
    if (!is_finer && !context_.exhausted()) {
      result_.reason =
          "the proof rests on what an analysis says about pointers or about "
          "unknown routines";
    }
  }

  void write(WholeProduct& product,
             const std::vector<AbstractProgram*>& views) {
    lts::LtsBuilder builder(product.labels());
    builder.set_initial(builder.add_state());
    for (std::size_t i = 0; i < product.num_states(); ++i) {
      if (context_.exhausted()) return;
      for (const Transition t : product.expand(State::at(i))) {
        builder.ensure_states(product.num_states());
        builder.add_transition(State::at(i), t.label, t.target);
      }
    }
    for (const auto& model : models_) {
      if (!model->component.has_failed()) continue;
      result_.reason = "the solver could not decide the steps of a component";
      return;
    }
    const lts::Lts system = std::move(builder).build();
    const bool by_simulation =
        options_.conformance == verify::Conformance::Simulation;
    const auto pairs = product.is_too_large() ? std::nullopt
                       : by_simulation
                           ? verify::simulation_relation(system, *spec_)
                           : verify::trace_relation(system, *spec_, kMostPairs);
    if (!pairs) {
      result_.reason = "the relation to the specification is too large";
      return;
    }
    evidence::Proof proof;
    for (const std::uint32_t m : prepared_.composition.model_of) {
      const ir::Flat& flat = models_[m]->flat;
      proof.components.push_back(
          verify::describe(*flat.program, flat.entry, *views[m]));
    }
    proof.spec_states = static_cast<std::uint32_t>(spec_->num_states());
    for (const verify::RelatedPair& pair : *pairs) {
      evidence::CertifiedPair entry;
      for (const State s : product.places(pair.state)) {
        entry.states.push_back(s.value());
      }
      for (const State s : pair.spec) entry.spec.push_back(s.value());
      proof.pairs.push_back(std::move(entry));
    }
    result_.proof = std::move(proof);
  }

  const Prepared& prepared_;
  const std::shared_ptr<const lts::Lts> spec_;
  const CertificateRequest& request_;
  const verify::Options options_;
  support::Context& context_;
  std::vector<std::unique_ptr<FlatModel>> models_;
  verify::Certified result_;
};

}  // namespace

verify::Certified certify(const CertificateRequest& request,
                          const verify::Options& options,
                          support::Context& context) {
  const verify::Options plain = verify::for_certificates(options);
  const Prepared prepared =
      prepare(request.program, request.question, request.has_errors,
              plain.integers, context);
  return verify::about_machine(Proving(prepared, request, plain, context).run(),
                               options);
}

}  // namespace agon::concurrent
