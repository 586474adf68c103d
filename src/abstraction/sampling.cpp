// SPDX-License-Identifier: Apache-2.0
#include "abstraction/sampling.h"

#include <algorithm>
#include <random>
#include <unordered_map>

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

constexpr std::size_t kAttempts = 8;
constexpr std::size_t kMostWishes = 4;
constexpr std::size_t kNever = 1'000'000;

class Sampler {
 public:
  Sampler(AbstractSteps& steps, const Start& start,
          const std::vector<Places>& places, smt::Solver& solver,
          support::Context& context, const SamplingOptions& options)
      : steps_(steps),
        start_(start),
        places_(places),
        solver_(solver),
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
    ir::LocationId at = first_step();
    for (std::size_t i = 1; i < options_.max_blocks && at.valid(); ++i) {
      note(at);
      at = step(at);
    }
    if (at.valid()) note(at);
  }

  /// Through the first block, by the exit that was taken least often.
  ir::LocationId first_step() {
    const ir::LocationId entry = steps_.blocks().body().entry();
    const std::vector<Exit>& exits = steps_.exits(entry, start_.values);
    std::vector<std::size_t>& times = times_of(exits);
    std::size_t taken = exits.size();
    for (std::size_t i = 0; i < kAttempts; ++i) {
      begin();
      choose(entry);
      taken = exit_of(exits);
      if (is_rare(taken, times)) return leave(exits, taken);
    }
    for (std::size_t& each : times) {
      if (each != *std::ranges::min_element(times)) continue;
      const auto wanted = static_cast<std::size_t>(&each - times.data());
      if (leads_on(exits[wanted]) && find_start(exits[wanted])) {
        return leave(exits, wanted);
      }
      each = kNever;
    }
    return leave(exits, taken);
  }

  bool leads_on(const Exit& exit) const {
    const ir::Cfa& body = steps_.blocks().body();
    const ir::LocationId to = body.edge(exit.edge).to;
    return steps_.blocks().is_cut(to) && !body.out_edges(to).empty();
  }

  /// Values with which an exit is taken; some of them are those that are often
  /// drawn.
  bool find_start(const Exit& exit) {
    solver_.push();
    for (const Term t : start_.constraints) solver_.add(t);
    for (const Term t : exit.guard) solver_.add(t);
    std::vector<Term> wishes;
    bool is_found = is_possible(wishes);
    if (is_found) {
      for (const Term place : places_in(exit.guard)) {
        term::Pool& pool = *program_.pool;
        const unsigned width = place.width();
        wishes.push_back(pool.equal(place, pool.bits(input(width), width)));
        if (!is_possible(wishes)) wishes.pop_back();
      }
      is_found = is_possible(wishes);
    }
    if (is_found) {
      for (auto& [term, value] : solver_.model()) state_[term] = value;
    }
    solver_.pop();
    return is_found;
  }

  bool is_possible(const std::vector<Term>& wishes) {
    ++context_.statistics()["solver.calls"];
    return solver_.check(wishes) == smt::Answer::Sat;
  }

  /// A few variables and places in memory, not always the same.
  std::vector<Term> places_in(const std::vector<Term>& guard) {
    std::vector<Term> result;
    for (const Term formula : guard) {
      term::visit_subterms(formula, [&](Term t) {
        const bool is_named =
            t.kind() == term::Kind::Variable || t.kind() == term::Kind::Read;
        if (is_named && t.sort().is_bits()) result.push_back(t);
      });
    }
    support::sort_unique(result);
    std::ranges::shuffle(result, random_);
    if (result.size() > kMostWishes) result.resize(kMostWishes);
    return result;
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
    switch (random_() % 5) {
      case 0:
        return term::truncate(random_() % 12, width);
      case 1:
        return term::truncate(Bits{random_()}, width);
      case 2:
        return term::truncate(random_() % 2, width);
      default:
        if (constants_.empty()) return term::truncate(random_() % 3, width);
        // A constant or one of its neighbours.
        return term::truncate(
            constants_[random_() % constants_.size()] + random_() % 3 - 1,
            width);
    }
  }

  /// Runs one block. Invalid where nothing goes on. Draws again while an exit
  /// would be taken that was taken before more often than another one: few
  /// numbers are equal to a constant, or less than another small one.
  ir::LocationId step(ir::LocationId cut) {
    const std::vector<Exit>& exits = steps_.exits(cut, {});
    std::size_t taken = exits.size();
    for (std::size_t i = 0; i < kAttempts; ++i) {
      const bool has_choice = choose(cut);
      taken = exit_of(exits);
      if (!has_choice || is_rare(taken, times_of(exits))) break;
    }
    return leave(exits, taken);
  }

  std::vector<std::size_t>& times_of(const std::vector<Exit>& exits) {
    std::vector<std::size_t>& result = times_[&exits];
    result.resize(exits.size());
    return result;
  }

  static bool is_rare(std::size_t exit, const std::vector<std::size_t>& times) {
    return exit < times.size() &&
           times[exit] == *std::ranges::min_element(times);
  }

  /// Which one is taken; their number if none is.
  std::size_t exit_of(const std::vector<Exit>& exits) const {
    const auto found = std::ranges::find_if(exits, [&](const Exit& exit) {
      return std::ranges::all_of(exit.guard, [&](Term t) {
        return term::evaluate(t, state_).number != 0;
      });
    });
    return static_cast<std::size_t>(found - exits.begin());
  }

  ir::LocationId leave(const std::vector<Exit>& exits, std::size_t taken) {
    if (taken == exits.size()) return {};
    ++times_of(exits)[taken];
    const Exit& exit = exits[taken];
    std::vector<std::pair<Term, term::Value>> changed;
    for (const auto& [variable, value] : exit.values.entries()) {
      changed.emplace_back(program_[variable].term,
                           term::evaluate(value, state_));
    }
    for (auto& [term, value] : changed) state_[term] = std::move(value);
    return steps_.blocks().body().edge(exit.edge).to;
  }

  /// Draws what the block chooses; false if that is nothing.
  bool choose(ir::LocationId cut) {
    bool result = false;
    const ir::Cfa& body = steps_.blocks().body();
    for (const ir::LocationId location : steps_.blocks().block(cut).order) {
      for (const ir::EdgeId id : body.out_edges(location)) {
        if (!std::holds_alternative<ir::Havoc>(body.edge(id).statement)) {
          continue;
        }
        result = true;
        const Term choice = steps_.choice(id);
        if (choice.sort().is_bits()) set(choice, input(choice.width()));
        if (choice.sort().is_bool()) set(choice, input(1));
      }
    }
    return result;
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
  smt::Solver& solver_;
  support::Context& context_;
  const SamplingOptions options_;
  const ir::Program& program_;
  const std::vector<Bits> constants_;
  std::mt19937_64 random_{1};
  term::Assignment state_;
  std::vector<std::vector<Sample>> samples_;
  std::unordered_map<const std::vector<Exit>*, std::vector<std::size_t>> times_;
};

}  // namespace

std::vector<std::vector<Sample>> sample(AbstractSteps& steps,
                                        const Start& start,
                                        const std::vector<Places>& places,
                                        smt::Solver& solver,
                                        support::Context& context,
                                        const SamplingOptions& options) {
  return Sampler(steps, start, places, solver, context, options).run();
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
