// SPDX-License-Identifier: Apache-2.0
#include "verify/insight.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "ir/print.h"
#include "verify/readable.h"

namespace agon::verify {
namespace {

using evidence::Place;
using term::Term;

// Of a play that is shown, and how many iterations show theirs.
constexpr std::size_t kMostTests = 24;
constexpr std::size_t kMostActions = 50;
constexpr std::size_t kMostPlays = 1'000;

Place place_of(const ir::Program& program, const ir::Position& position) {
  if (position.line == 0) return {};
  return {program.files[position.file.index()], position.line};
}

/// The first line of the source that stands behind a location.
Place place_of(const abstraction::Blocks& blocks, ir::LocationId location) {
  if (!location.valid()) return {};
  for (const ir::EdgeId id : blocks.body().out_edges(location)) {
    const ir::Edge& edge = blocks.body().edge(id);
    if (edge.position.line != 0) {
      return place_of(blocks.program(), edge.position);
    }
  }
  return {};
}

std::string text_of(Term term, const term::CStyle& style) {
  return with_short_names(formula_text(term, style));
}

/// Choices on the way have names that mean nothing outside: `choice!12` is
/// called `input1`.
class InputNames {
 public:
  std::string rename(const std::string& text) {
    static constexpr std::string_view kChoice = "choice!";
    std::string result;
    std::size_t at = 0;
    for (std::size_t found = text.find(kChoice); found != std::string::npos;
         found = text.find(kChoice, at)) {
      result += text.substr(at, found - at);
      std::size_t end = found + kChoice.size();
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
      const std::string name = text.substr(found, end - found);
      const std::size_t number =
          names_.emplace(name, names_.size() + 1).first->second;
      result += fmt::format("input{}", number);
      at = end;
    }
    return result + text.substr(at);
  }

 private:
  std::map<std::string, std::size_t> names_;
};

/// The nodes from the root along the first children.
std::vector<std::uint32_t> first_branch(const refine::Play& play) {
  std::vector<std::uint32_t> result{0};
  while (!play.nodes[result.back()].children.empty()) {
    result.push_back(play.nodes[result.back()].children.front());
  }
  return result;
}

/// `node` and what is below it, in order.
std::vector<std::uint32_t> below(const refine::Play& play, std::uint32_t node) {
  std::vector<std::uint32_t> result{node};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& children = play.nodes[result[i]].children;
    result.insert(result.end(), children.begin(), children.end());
  }
  return result;
}

evidence::SpuriousPlay describe(const Component& component,
                                const refine::Play& play,
                                const refine::Discovery::Reason& reason) {
  const abstraction::Blocks& blocks = component.blocks();
  const ir::Program& program = blocks.program();
  const term::CStyle style = ir::c_style(program);
  evidence::SpuriousPlay result;
  for (const std::uint32_t node : first_branch(play)) {
    const ir::FunctionId action = blocks.action(play.nodes[node].exit);
    if (!action.valid() || result.actions.size() == kMostActions) continue;
    result.actions.push_back(program[action].display);
  }
  if (reason.paths.size() != play.nodes.size()) return result;
  result.place = place_of(blocks, play.nodes[reason.node].cut);
  InputNames names;
  for (const Term condition : reason.conflict) {
    if (condition.is_constant()) continue;
    result.conflict.push_back(names.rename(text_of(condition, style)));
  }
  for (const std::uint32_t node : below(play, reason.node)) {
    for (const ir::EdgeId id : reason.paths[node]) {
      const ir::Edge& edge = blocks.body().edge(id);
      const bool is_test = std::holds_alternative<ir::Assume>(edge.statement);
      if (!is_test || edge.position.line == 0) continue;
      if (result.tests.size() == kMostTests) return result;
      result.tests.emplace_back(
          with_short_names(ir::to_string(program, edge.statement)),
          place_of(program, edge.position));
    }
  }
  return result;
}

/// Predicates that are tracked somewhere where they were not.
std::vector<evidence::FoundPredicate> describe_new(
    const Component& component, const std::string& name,
    const abstraction::Precision& before, const abstraction::Precision& after) {
  const abstraction::Blocks& blocks = component.blocks();
  const term::CStyle style = ir::c_style(blocks.program());
  const std::vector<Term> old = before.distinct();
  std::vector<Term> seen = old;
  std::vector<evidence::FoundPredicate> result;
  for (std::size_t i = 0; i < blocks.body().num_locations(); ++i) {
    const auto location = ir::LocationId::at(i);
    for (const Term predicate : after.at(location)) {
      if (std::ranges::count(seen, predicate) > 0) continue;
      seen.push_back(predicate);
      result.push_back(
          {text_of(predicate, style), name, place_of(blocks, location)});
    }
  }
  return result;
}

/// Writes down states and transitions in the order of their numbers.
class Describer {
 public:
  Describer(abstraction::AbstractProgram& model,
            const abstraction::Blocks& blocks)
      : model_(model), blocks_(blocks), style_(ir::c_style(blocks.program())) {}

  evidence::Model run() {
    result_.num_states = model_.num_states();
    std::size_t size = 0;
    for (std::size_t i = 0; i < model_.num_states(); ++i) {
      const auto state = lts::State::at(i);
      size += model_.values(state).size() + 1;
      if (i == kMostStates || size > kMostValues) break;
      result_.states.push_back({cut(model_.location(state)),
                                model_.values(state),
                                model_.is_expanded(state)});
    }
    for (std::uint32_t i = 0; i < result_.states.size(); ++i) add_row(i);
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMostStates = 50'000;
  static constexpr std::size_t kMostValues = 3'000'000;
  static constexpr std::size_t kMostTransitions = 200'000;

  std::uint32_t cut(ir::LocationId location) {
    const auto [at, is_new] = cuts_.try_emplace(
        location, static_cast<std::uint32_t>(result_.cuts.size()));
    if (is_new) {
      evidence::Model::Cut& made = result_.cuts.emplace_back();
      made.place = place_of(blocks_, location);
      if (!location.valid()) return at->second;
      for (const Term predicate : model_.precision().at(location)) {
        made.predicates.push_back(number(predicate));
      }
    }
    return at->second;
  }

  std::uint32_t number(Term predicate) {
    const auto [at, is_new] = predicates_.try_emplace(
        predicate, static_cast<std::uint32_t>(predicates_.size()));
    if (is_new) {
      term::Pool& pool = *blocks_.program().pool;
      result_.predicates.emplace_back(
          text_of(predicate, style_),
          text_of(pool.negation(predicate), style_));
    }
    return at->second;
  }

  void add_row(std::uint32_t from) {
    if (!result_.states[from].is_explored) return;
    for (const lts::Transition t : model_.expand(lts::State::at(from))) {
      if (t.target.index() >= result_.states.size() ||
          result_.transitions.size() == kMostTransitions) {
        result_.states[from].is_explored = false;
        continue;
      }
      const auto [at, is_new] = labels_.try_emplace(
          t.label, static_cast<std::uint32_t>(labels_.size()));
      if (is_new) result_.labels.push_back(model_.labels()->name(t.label));
      result_.transitions.push_back({from, at->second, t.target.value()});
    }
  }

  abstraction::AbstractProgram& model_;
  const abstraction::Blocks& blocks_;
  const term::CStyle style_;
  std::map<ir::LocationId, std::uint32_t> cuts_;
  std::map<Term, std::uint32_t> predicates_;
  std::map<lts::Label, std::uint32_t> labels_;
  evidence::Model result_;
};

}  // namespace

History::History(evidence::Detail detail, support::Context& context)
    : detail_(detail), context_(context), before_(0) {}

std::uint64_t History::solver_calls() const {
  return context_.statistics()["solver.calls"];
}

void History::begin(std::size_t predicates) {
  if (!is_kept()) return;
  start_ = std::chrono::steady_clock::now();
  calls_ = solver_calls();
  iterations_.emplace_back().predicates = predicates;
}

void History::explored(std::size_t states) {
  if (is_kept()) iterations_.back().states = states;
}

void History::before_refining(const Component& component) {
  if (is_kept()) before_ = component.precision();
}

void History::after_refining(Component& component, const std::string& name,
                             std::span<const refine::Play> plays) {
  if (!is_kept() || plays.empty()) return;
  evidence::Iteration& now = iterations_.back();
  if (iterations_.size() <= kMostPlays) {
    now.spurious.push_back(describe(component, plays.back(),
                                    component.refiner().reason(plays.back())));
    now.spurious.back().component = name;
  }
  for (auto& each :
       describe_new(component, name, before_, component.precision())) {
    now.found.push_back(std::move(each));
  }
}

void History::end() {
  if (!is_kept()) return;
  evidence::Iteration& now = iterations_.back();
  now.solver_calls = solver_calls() - calls_;
  now.time_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_)
          .count();
}

evidence::Model describe_model(abstraction::AbstractProgram& model,
                               const abstraction::Blocks& blocks) {
  return Describer(model, blocks).run();
}

}  // namespace agon::verify
