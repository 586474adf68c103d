// SPDX-License-Identifier: Apache-2.0
#include "verify/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "abstraction/invariants.h"
#include "evidence/readable.h"
#include "game/simulation.h"
#include "game/traces.h"
#include "ir/flatten.h"
#include "ir/text.h"
#include "lts/forbid.h"
#include "smt/solvers.h"
#include "support/watchdog.h"
#include "term/smtlib.h"
#include "term/substitute.h"
#include "verify/component.h"
#include "verify/flat_tables.h"
#include "verify/opaque.h"
#include "verify/relation.h"
#include "verify/unfold.h"
#include "verify/unrolling.h"

namespace agon::verify {
namespace {

using abstraction::AbstractProgram;
using support::Verdict;

constexpr std::size_t kMaxNodes = 20'000;
constexpr std::size_t kMaxPairs = 1'000'000;
constexpr std::size_t kRoughIterations = 10;
constexpr std::uint64_t kUnrolling = 10'000;

/// By location of the program that was abstracted, what it is of the flat one.
/// Those behind the last are of no such location.
using Places = std::vector<Copy>;

/// Of a program that was not written out.
Places same_places(const ir::Cfa& flat) {
  Places result;
  for (std::size_t i = 0; i < flat.num_locations(); ++i) {
    result.push_back({ir::LocationId::at(i), {}});
  }
  return result;
}

/// How often the flat program passes a location at most where loops are written
/// out.
std::uint32_t most_copies(const Places& places) {
  std::map<ir::LocationId, std::uint32_t> copies;
  std::uint32_t result = 1;
  for (const Copy& place : places) {
    result = std::max(result, ++copies[place.location]);
  }
  return result;
}

/// A component that has no states yet.
evidence::CertifiedComponent component_of(const ir::Program& flat,
                                          ir::FunctionId entry) {
  evidence::CertifiedComponent result;
  result.name = flat[entry].display;
  result.program = evidence::sha256(ir::to_text(flat));
  return result;
}

/// The abstract program as a component of a certificate. The facts are true in
/// all states.
class Writer {
 public:
  Writer(const ir::Program& program, ir::FunctionId entry,
         AbstractProgram& model, const Places& places,
         const std::vector<term::Term>& facts)
      : program_(program),
        entry_(entry),
        body_(program[entry].body),
        model_(model),
        places_(places),
        facts_(facts),
        result_(component_of(program, entry)) {}

  evidence::CertifiedComponent write() {
    for (std::size_t i = 0; i < model_.num_states(); ++i) {
      add_state(lts::State::at(i));
    }
    evidence::PredicatePrinter printer(program_);
    for (evidence::CertifiedPredicate& predicate : result_.predicates) {
      printer.print(predicate);
    }
    for (evidence::CertifiedState& state : result_.states) {
      state.holds = evidence::holds(result_, state);
    }
    result_.rounds = most_copies(places_);
    return std::move(result_);
  }

 private:
  void add_state(lts::State state) {
    const ir::LocationId cut = model_.location(state);
    const Copy place =
        cut.valid() ? places_[cut.index()] : Copy{body_.entry(), {}};
    const ir::LocationId location = place.location;
    evidence::CertifiedState entry;
    entry.location = location.value();
    entry.place = evidence::place_of(program_, body_, location);
    if (cut.valid()) {
      for (const term::Term literal : model_.literals(state)) {
        entry.literals.push_back(number(literal));
      }
      for (const auto* more : {&place.known, &facts_}) {
        for (const term::Term fact : *more) {
          entry.literals.push_back(number(fact));
        }
      }
    }
    result_.states.push_back(std::move(entry));
    for (const lts::Transition t : model_.expand(state)) {
      result_.steps.push_back(
          {state.value(), model_.labels()->name(t.label), t.target.value()});
    }
  }

  std::int64_t number(term::Term literal) {
    const auto known = numbers_.find(literal);
    if (known != numbers_.end()) return known->second;
    result_.predicates.push_back({term::to_text(literal), {}, {}});
    const auto number = static_cast<std::int64_t>(result_.predicates.size());
    numbers_.emplace(literal, number);
    numbers_.emplace(program_.pool->negation(literal), -number);
    return number;
  }

  const ir::Program& program_;
  ir::FunctionId entry_;
  const ir::Cfa& body_;
  AbstractProgram& model_;
  const Places& places_;
  const std::vector<term::Term>& facts_;
  evidence::CertifiedComponent result_;
  std::map<term::Term, std::int64_t> numbers_;
};

/// The loop of sequential.cpp, for a question that is known to have the answer
/// yes. So a play that is real means that the program does too much.
class Proving {
 public:
  /// `program` does what the flat one does if the facts are true, or more; see
  /// `with_tables`, `write_out_loops` and `without_memory`.
  Proving(const ir::Flat& flat, const ir::Program& program, Places places,
          const std::vector<term::Term>& facts,
          const CertificateRequest& request, const Options& options,
          smt::Solver& solver, support::Context& context)
      : flat_(*flat.program),
        program_(program),
        places_(std::move(places)),
        facts_(facts),
        entry_(flat.entry),
        request_(request),
        solver_(solver),
        context_(context),
        task_{program, flat.entry, request.spec},
        component_(task_, options, options.blocks, solver, context),
        by_simulation_(request.by_simulation),
        next_invariants_(options.invariants) {}

  /// Starts with predicates that are likely to be needed, by location of the
  /// flat program.
  void start_with(const abstraction::Precision& hints, bool is_rough) {
    const term::Term memory = flat_[flat_.memory].term;
    for (const abstraction::Block& block : component_.blocks().all()) {
      const ir::LocationId place = flat_place(block.start);
      if (!place.valid()) continue;
      for (const term::Term predicate : hints.at(place)) {
        const auto used = term::variables_of(predicate);
        const bool is_useless =
            is_rough && std::ranges::find(used, memory) != used.end();
        if (!is_useless) component_.refiner().add(block.start, predicate);
      }
    }
  }

  /// With at most so many iterations; 0: no limit.
  Certified run(std::size_t most_iterations) {
    while (!result_.proof && result_.reason.empty()) {
      if (const auto& reason = context_.exhausted()) {
        result_.reason = *reason;
        break;
      }
      if (most_iterations != 0 && iterations_ == most_iterations) {
        result_.reason = "iterations were not enough";
        break;
      }
      iterate();
    }
    return std::move(result_);
  }

  /// All paths at once, if there are not many: nothing has to be known where
  /// they meet.
  Certified unroll() {
    Unrolling unrolling(task_, component_, 0, solver_, context_);
    if (unrolling.run(kUnrolling) != Unrolling::Outcome::Complete) return {};
    const auto actions = unrolling.last_actions();
    if (!actions) return {};
    evidence::CertifiedComponent about = component_of(flat_, entry_);
    about.rounds = unrolling.most_rounds() + 1;
    const ir::Cfa& body = program_[entry_].body;
    about.states.push_back({body.entry().value(),
                            evidence::place_of(flat_, body, body.entry()),
                            {},
                            {}});
    lts::LtsBuilder builder(request_.spec.labels());
    builder.set_initial(builder.add_state());
    for (const ir::EdgeId id : *actions) {
      const ir::Edge& edge = body.edge(id);
      const std::string& label =
          program_[std::get<ir::Call>(edge.statement).callee].display;
      const lts::State end = builder.add_state();
      builder.add_transition(lts::State::at(0),
                             *request_.spec.labels()->find(label), end);
      about.states.push_back(
          {edge.to.value(), evidence::place_of(flat_, body, edge.to), {}, {}});
      about.steps.push_back({0, label, end.value()});
    }
    by_simulation_ = false;
    relate(std::move(builder).build(), std::move(about));
    return std::move(result_);
  }

 private:
  ir::LocationId flat_place(ir::LocationId cut) const {
    return cut.index() < places_.size() ? places_[cut.index()].location
                                        : ir::LocationId();
  }

  void iterate() {
    const abstraction::Precision precision = component_.refiner().precision();
    AbstractProgram model(component_.steps(), component_.start(), precision,
                          request_.spec.labels(), request_.spec.alphabet());
    std::vector<refine::Play> plays;
    const Verdict verdict =
        by_simulation_ ? simulate(model, plays) : include_traces(model, plays);
    ++context_.statistics()["certificate.iterations"];
    context_.progress(fmt::format(
        "certificate: iteration {}, {} predicates, {} states", ++iterations_,
        precision.distinct().size(), model.num_states()));
    if (context_.exhausted()) return;
    if (verdict == Verdict::Holds) {
      write(model);
    } else if (component_.has_failed()) {
      result_.reason = "the solver could not decide the steps of the program";
    } else if (plays.empty()) {
      result_.reason = "the strategy tree is too large";
    } else {
      examine(plays);
    }
  }

  Verdict simulate(AbstractProgram& model, std::vector<refine::Play>& plays) {
    lts::ExplicitSuccessors spec(request_.spec);
    const game::SimulationResult played =
        game::simulate(model, spec, game::Semantics::Weak, {}, context_);
    for (const game::Strategy& strategy : played.strategies) {
      auto play = refine::unfold(strategy, model, program_[entry_].body.entry(),
                                 kMaxNodes);
      if (play) plays.push_back(std::move(*play));
    }
    return played.verdict;
  }

  Verdict include_traces(AbstractProgram& model,
                         std::vector<refine::Play>& plays) {
    lts::ExplicitSuccessors spec(request_.spec);
    const game::TraceResult played =
        game::include_traces(model, spec, game::Semantics::Weak, context_);
    if (played.counterexample) {
      plays.push_back(refine::unfold(played.counterexample->steps, model,
                                     program_[entry_].body.entry()));
    }
    return played.verdict;
  }

  void examine(const std::vector<refine::Play>& plays) {
    for (const refine::Play& play : plays) {
      const refine::Feasibility found = component_.decide(play);
      if (found.answer == smt::Answer::Unsat) continue;
      if (found.answer == smt::Answer::Sat && by_simulation_ &&
          !play.is_linear()) {
        by_simulation_ = false;
        return;
      }
      result_.reason =
          "the proof rests on what an analysis says about pointers or about "
          "unknown routines";
      return;
    }
    if (!component_.refiner().refine(plays) && !context_.exhausted()) {
      result_.reason = "no predicate was found that rules out a path";
      return;
    }
    strengthen();
  }

  /// As in sequential.cpp.
  void strengthen() {
    if (next_invariants_ == 0) return;
    const bool seems_endless =
        iterations_ >= kFewIterations && !is_strengthened_ &&
        abstraction::seem_to_diverge(
            component_.blocks(), component_.refiner().precision().distinct());
    const bool is_time = iterations_ >= next_invariants_ || seems_endless;
    if (!is_strengthening_ && !is_time) return;
    next_invariants_ = 2 * iterations_;
    is_strengthened_ = true;
    is_strengthening_ = !component_.strengthen();
  }

  /// All of the model, with its own numbers.
  lts::Lts whole(AbstractProgram& model) {
    lts::LtsBuilder builder(model.labels());
    builder.set_initial(builder.add_state());
    for (std::size_t i = 0; i < model.num_states(); ++i) {
      if (context_.exhausted()) break;
      for (const lts::Transition t : model.expand(lts::State::at(i))) {
        builder.ensure_states(model.num_states());
        builder.add_transition(lts::State::at(i), t.label, t.target);
      }
    }
    return std::move(builder).build();
  }

  /// Whether runs end in all copies of the places where states are: the flat
  /// program knows no copies.
  bool is_alike_in_copies(AbstractProgram& model) const {
    std::set<ir::LocationId> listed;
    for (std::size_t i = 1; i < model.num_states(); ++i) {
      listed.insert(flat_place(model.location(lts::State::at(i))));
    }
    for (std::size_t l = 0; l < places_.size(); ++l) {
      const auto copy = ir::LocationId::at(l);
      if (listed.contains(places_[l].location) &&
          !component_.blocks().is_cut(copy)) {
        return false;
      }
    }
    return true;
  }

  /// Whether the states speak of the flat program only.
  bool is_expressible(AbstractProgram& model) const {
    bool result = true;
    for (std::size_t i = 1; i < model.num_states(); ++i) {
      const auto state = lts::State::at(i);
      result &= flat_place(model.location(state)).valid();
      for (const term::Term literal : model.literals(state)) {
        for (const term::Term variable : term::variables_of(literal)) {
          result &= flat_.variable_of(variable).valid();
        }
      }
    }
    return result;
  }

  void write(AbstractProgram& model) {
    const lts::Lts system = whole(model);
    if (component_.has_failed() || context_.exhausted() ||
        !is_expressible(model)) {
      result_.reason = "the solver could not decide the steps of the program";
      return;
    }
    if (!is_alike_in_copies(model)) {
      result_.reason = "rounds of a loop end at different places";
      return;
    }
    relate(system, Writer(flat_, entry_, model, places_, facts_).write());
  }

  void relate(const lts::Lts& system, evidence::CertifiedComponent about) {
    const auto pairs = by_simulation_
                           ? simulation_relation(system, request_.spec)
                           : trace_relation(system, request_.spec, kMaxPairs);
    if (!pairs) {
      result_.reason = "the relation to the specification is too large";
      return;
    }
    evidence::Proof proof;
    proof.components.push_back(std::move(about));
    proof.spec_states = static_cast<std::uint32_t>(request_.spec.num_states());
    for (const RelatedPair& pair : *pairs) {
      evidence::CertifiedPair entry{{pair.state.value()}, {}};
      for (const lts::State s : pair.spec) entry.spec.push_back(s.value());
      proof.pairs.push_back(std::move(entry));
    }
    result_.proof = std::move(proof);
  }

  static constexpr std::size_t kFewIterations = 2;

  const ir::Program& flat_;
  const ir::Program& program_;
  const Places places_;
  const std::vector<term::Term>& facts_;
  ir::FunctionId entry_;
  const CertificateRequest& request_;
  smt::Solver& solver_;
  support::Context& context_;
  Task task_;
  Component component_;
  bool by_simulation_;
  std::size_t next_invariants_;
  bool is_strengthened_ = false;
  bool is_strengthening_ = false;
  std::size_t iterations_ = 0;
  Certified result_;
};

}  // namespace

evidence::CertifiedComponent describe(const ir::Program& program,
                                      ir::FunctionId entry,
                                      AbstractProgram& model) {
  return Writer(program, entry, model, same_places(program[entry].body), {})
      .write();
}

Options for_certificates(Options options) {
  options.refinement = {};
  options.integers = Integers::Machine;
  return options;
}

Certified about_machine(Certified found, const Options& options) {
  if (!found.proof && options.integers == Integers::Mathematical) {
    found.reason =
        "it is about integers without bounds, and there is no proof for the "
        "machine's";
  }
  return found;
}

namespace {

Certified prove(const ir::Flat& flat, const CertificateRequest& request,
                const Options& options, support::Context& context) {
  smt::SolverFactory solvers(*flat.program->pool, {request.solver});
  const auto solver = solvers.make();
  const support::Watchdog watchdog(context, [&] { solver->interrupt(); });
  const Options plain = for_certificates(options);
  const LookedUp tables = with_tables(*flat.program, flat.entry);
  std::optional<abstraction::Precision> hints;
  // Many proofs do not need to know what is in memory, and are found more
  // easily without it.
  const auto prove = [&](const ir::Program& program, const Places& places,
                         std::size_t most_iterations) {
    Certified found;
    for (const bool is_rough : {true, false}) {
      const ir::Program about =
          is_rough ? without_memory(program, flat.entry) : program;
      Proving proving(flat, about, places, tables.facts, request, plain,
                      *solver, context);
      if (hints) proving.start_with(*hints, is_rough);
      found = proving.run(is_rough ? kRoughIterations : most_iterations);
      if (found.proof || context.exhausted()) break;
    }
    return found;
  };
  const Places same = same_places((*flat.program)[flat.entry].body);
  const Hints* known = request.hints;
  if (known == nullptr) {
    Certified found = Proving(flat, tables.program, same, tables.facts, request,
                              plain, *solver, context)
                          .unroll();
    if (found.proof || context.exhausted()) return found;
    ir::Program written_out = tables.program;
    const auto copies = write_out_loops(written_out, flat.entry);
    if (copies) {
      found = prove(written_out, *copies, kRoughIterations);
      if (found.proof || context.exhausted()) return found;
    }
    if (request.look_for_hints) known = request.look_for_hints();
  }
  if (known != nullptr) hints = translate(*known, *flat.program, flat.entry);
  return prove(tables.program, same, 0);
}

/// Follows recursion deeper and deeper, until no call is too deep.
Certified prove_recursive(const CertificateRequest& request,
                          ir::FlattenOptions flattening, const Options& options,
                          bool& may_be_exact, support::Context& context) {
  Certified found;
  may_be_exact = false;
  for (const std::size_t depth : ir::kDepths) {
    flattening.depth = depth;
    const ir::Flat flat =
        ir::flatten(request.program, request.entry, flattening);
    if (!flat.program) {
      found.reason = flat.reason;
      break;
    }
    may_be_exact = flat.may_be_exact;
    found = prove(flat, request, options, context);
    if (found.proof || context.exhausted()) return found;
  }
  return {std::nullopt,
          fmt::format("functions call themselves, and calls were followed to "
                      "some depth only: {}",
                      found.reason)};
}

Certified prove(const CertificateRequest& request,
                ir::FlattenOptions flattening, const Options& options,
                support::Context& context) {
  const ir::Flat flat = ir::flatten(request.program, request.entry, flattening);
  bool may_be_exact = flat.may_be_exact;
  const auto prove_it = [&]() -> Certified {
    if (flat.program) return prove(flat, request, options, context);
    if (!flat.is_recursive) return {std::nullopt, flat.reason};
    CertificateRequest shallow = request;
    shallow.hints = nullptr;
    shallow.look_for_hints = nullptr;
    return prove_recursive(shallow, flattening, options, may_be_exact, context);
  };
  Certified found = prove_it();
  if (found.proof || flattening.is_exact || !may_be_exact ||
      context.exhausted()) {
    return found;
  }
  flattening.is_exact = true;
  Certified exact = prove(request, flattening, options, context);
  return exact.proof ? std::move(exact) : std::move(found);
}

}  // namespace

Certified certify(const CertificateRequest& request, const Options& options,
                  support::Context& context) {
  ir::FlattenOptions flattening;
  flattening.any_state = request.any_state;
  flattening.callbacks = request.callbacks;
  for (const lts::Label label : request.spec.alphabet()) {
    flattening.visible.insert(request.spec.labels()->name(label));
  }
  // What a flat program leaves out is an action, which must not happen.
  const std::array<std::string, 2> left_out = {ir::kTooDeep, ir::kNoFunction};
  const lts::Lts spec = lts::forbid(request.spec, left_out);
  const CertificateRequest complete{
      request.program,   request.entry,     spec,
      request.any_state, request.callbacks, request.by_simulation,
      request.solver,    request.hints,     request.look_for_hints};
  return about_machine(prove(complete, flattening, options, context), options);
}

}  // namespace agon::verify
