// SPDX-License-Identifier: Apache-2.0
#include "abstraction/sampling.h"

#include <algorithm>
#include <random>

#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::abstraction {

using term::Bits;
using term::Term;

namespace {

template <class Visit>
void visit_terms_of(const ir::Cfa& body, const Visit& visit) {
  for (const ir::Edge& edge : body.edges()) {
    if (const auto* const set = std::get_if<ir::Assign>(&edge.statement)) {
      term::visit_subterms(set->value, visit);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      term::visit_subterms(test->condition, visit);
    }
  }
}

class Sampler {
 public:
  Sampler(AbstractSteps& steps, const Start& start,
          const std::vector<Places>& places, support::Context& context,
          const SamplingOptions& options)
      : steps_(steps),
        start_(start),
        places_(places),
        context_(context),
        options_(options),
        program_(steps.blocks().program()),
        constants_(constants_of(steps.blocks().body())),
        samples_(places.size()) {}

  std::vector<std::vector<Sample>> run() {
    for (std::size_t i = 0; i < options_.runs; ++i) {
      if (context_.exhausted()) break;
      run_once();
    }
    return std::move(samples_);
  }

 private:
  void run_once() {
    begin();
    ir::LocationId at = steps_.blocks().body().entry();
    bool is_start = true;
    for (std::size_t i = 0; i < options_.max_blocks && at.valid(); ++i) {
      at = step(at, is_start ? start_.values : Values());
      is_start = false;
      if (at.valid()) note(at);
    }
  }

  void begin() {
    state_.clear();
    Bits next = 0x1000;
    for (const ir::Object& object : program_.objects) {
      set(object.address, next);
      next += (Bits{object.size} + 0xfff) / 0x1000 * 0x1000 + 0x1000;
    }
    for (const ir::Variable& variable : program_.variables) {
      const term::Sort sort = variable.term.sort();
      if (sort.is_bits()) set(variable.term, input(sort.width));
      if (sort.is_bool()) set(variable.term, input(1));
    }
  }

  void set(Term term, Bits number) {
    state_[term] = {term.sort(), term::Integer(number), {}};
  }

  Bits input(unsigned width) {
    switch (random_() % 4) {
      case 0:
        return term::truncate(random_() % 12, width);
      case 1:
        return term::truncate(Bits{random_()}, width);
      default:
        if (constants_.empty()) return term::truncate(random_() % 3, width);
        // A constant or one of its neighbours.
        return term::truncate(
            constants_[random_() % constants_.size()] + random_() % 3 - 1,
            width);
    }
  }

  /// Runs one block. Invalid where nothing goes on.
  ir::LocationId step(ir::LocationId cut, const Values& start) {
    choose(cut);
    for (const Exit& exit : steps_.exits(cut, start)) {
      const bool is_taken = std::ranges::all_of(exit.guard, [&](Term t) {
        return term::evaluate(t, state_).number != 0;
      });
      if (!is_taken) continue;
      std::vector<std::pair<Term, term::Value>> changed;
      for (const auto& [variable, value] : exit.values.entries()) {
        changed.emplace_back(program_[variable].term,
                             term::evaluate(value, state_));
      }
      for (auto& [term, value] : changed) state_[term] = std::move(value);
      return steps_.blocks().body().edge(exit.edge).to;
    }
    return {};
  }

  void choose(ir::LocationId cut) {
    const ir::Cfa& body = steps_.blocks().body();
    for (const ir::LocationId location : steps_.blocks().block(cut).order) {
      for (const ir::EdgeId id : body.out_edges(location)) {
        if (!std::holds_alternative<ir::Havoc>(body.edge(id).statement)) {
          continue;
        }
        const Term choice = steps_.choice(id);
        if (choice.sort().is_bits()) set(choice, input(choice.width()));
        if (choice.sort().is_bool()) set(choice, input(1));
      }
    }
  }

  void note(ir::LocationId at) {
    const Places& wanted = places_[at.index()];
    std::vector<Sample>& known = samples_[at.index()];
    if (wanted.empty() || known.size() >= options_.max_samples) return;
    Sample values;
    for (const Term place : wanted) {
      values.push_back(static_cast<Bits>(term::evaluate(place, state_).number));
    }
    known.push_back(std::move(values));
  }

  AbstractSteps& steps_;
  const Start& start_;
  const std::vector<Places>& places_;
  support::Context& context_;
  const SamplingOptions options_;
  const ir::Program& program_;
  const std::vector<Bits> constants_;
  std::mt19937_64 random_{1};
  term::Assignment state_;
  std::vector<std::vector<Sample>> samples_;
};

}  // namespace

std::vector<std::vector<Sample>> sample(AbstractSteps& steps,
                                        const Start& start,
                                        const std::vector<Places>& places,
                                        support::Context& context,
                                        const SamplingOptions& options) {
  return Sampler(steps, start, places, context, options).run();
}

std::vector<Bits> constants_of(const ir::Cfa& body) {
  std::vector<Bits> result;
  visit_terms_of(body, [&](Term t) {
    if (t.is_constant() && t.sort().is_bits()) result.push_back(t.value());
  });
  support::sort_unique(result);
  return result;
}

}  // namespace agon::abstraction
