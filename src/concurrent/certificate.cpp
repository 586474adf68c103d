// SPDX-License-Identifier: Apache-2.0
#include "concurrent/certificate.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "game/traces.h"
#include "ir/flatten.h"
#include "smt/solvers.h"
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
class Product final : public lts::Successors {
 public:
  using Places = std::vector<State>;
  /// A step of one component.
  struct Part {
    std::uint32_t component = 0;
    Transition step;
  };

  Product(const Composition& composition, std::vector<AbstractProgram*> models,
          const lts::Lts& spec)
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
            const verify::Options& options, support::Context& context)
      : flat(std::move(made)),
        task{*flat.program, flat.entry, actions},
        solvers(*flat.program->pool, {name}),
        solver(solvers.make()),
        watchdog(context, [this] { solver->interrupt(); }),
        component(task, options, abstraction::BlockMode::Large, *solver,
                  context) {}

  ir::Flat flat;
  verify::Task task;
  smt::SolverFactory solvers;
  std::unique_ptr<smt::Solver> solver;
  support::Watchdog watchdog;
  verify::Component component;
};

class Proving {
 public:
  Proving(const Prepared& prepared, const CertificateRequest& request,
          const verify::Options& options, support::Context& context)
      : prepared_(prepared),
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
  bool flatten() {
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
          request_.program, *request_.program.find_function(component.entry),
          flattening);
      if (!flat.program) {
        result_.reason = flat.reason;
        return false;
      }
      models_.push_back(std::make_unique<FlatModel>(
          std::move(flat), model.actions, request_.solver, options_, context_));
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
    Product product(prepared_.composition, views, *prepared_.spec);
    lts::ExplicitSuccessors spec(*prepared_.spec);
    const game::TraceResult played =
        game::include_traces(product, spec, game::Semantics::Weak, context_);
    context_.progress(
        fmt::format("certificate: {} states together", product.num_states()));
    if (context_.exhausted()) return;
    if (product.is_too_large()) {
      result_.reason = "the components have too many states together";
    } else if (played.verdict == support::Verdict::Holds) {
      write(product, views);
    } else if (!played.counterexample) {
      result_.reason = played.reason;
    } else {
      examine(product, views, played.counterexample->steps);
    }
  }

  void examine(Product& product, const std::vector<AbstractProgram*>& views,
               const std::vector<Transition>& steps) {
    std::vector<std::vector<Transition>> local(
        prepared_.composition.model_of.size());
    State at = product.initial();
    for (const Transition step : steps) {
      for (const Product::Part& part : product.parts(at, step)) {
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

  void write(Product& product, const std::vector<AbstractProgram*>& views) {
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
    const auto pairs =
        product.is_too_large() ? std::nullopt
        : by_simulation
            ? verify::simulation_relation(system, *prepared_.spec)
            : verify::trace_relation(system, *prepared_.spec, kMostPairs);
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
    proof.spec_states =
        static_cast<std::uint32_t>(prepared_.spec->num_states());
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
  if (options.integers == verify::Integers::Mathematical) {
    return {std::nullopt, "it is about integers without bounds"};
  }
  if (request.question.lts == nullptr) {
    return {std::nullopt, "there are none for freedom of deadlock"};
  }
  const Prepared prepared =
      prepare(request.program, request.question, request.has_errors,
              options.integers, context);
  return Proving(prepared, request, verify::for_certificates(options), context)
      .run();
}

}  // namespace agon::concurrent
