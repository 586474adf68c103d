// SPDX-License-Identifier: Apache-2.0
#include "ir/waiting.h"

#include <algorithm>

#include "ir/fragment.h"
#include "term/substitute.h"

namespace agon::ir {
namespace {

/// The ways that a choice of a process has.
struct Ways {
  std::vector<EdgeId> actions;
  bool has_silent = false;
};

class Finder {
 public:
  Finder(const Program& program, const Cfa& body)
      : program_(program), body_(body) {}

  Waiting run() {
    Waiting result;
    result.offers.resize(body_.num_locations());
    std::vector<bool> is_offered(body_.edges().size());
    for (std::size_t i = 0; i < body_.edges().size(); ++i) {
      const Edge& edge = body_.edges()[i];
      const auto* const havoc = std::get_if<Havoc>(&edge.statement);
      if (havoc == nullptr || havoc->source != kProcessChoice) continue;
      const auto ways = ways_after(EdgeId::at(i));
      if (!ways) {
        result.has_unclear_choice = true;
        continue;
      }
      auto& offers = result.offers[edge.from.index()];
      if (!ways->has_silent) offers.emplace();
      for (const EdgeId each : ways->actions) {
        is_offered[each.index()] = true;
        if (offers) offers->insert(action(each));
      }
    }
    for (std::size_t i = 0; i < body_.edges().size(); ++i) {
      const FunctionId performed = action(EdgeId::at(i));
      if (is_offered[i] || !performed.valid()) continue;
      auto& offers = result.offers[body_.edges()[i].from.index()];
      if (!offers) offers.emplace();
      offers->insert(performed);
    }
    return result;
  }

 private:
  FunctionId action(EdgeId edge) const {
    const auto* const call = std::get_if<Call>(&body_.edge(edge).statement);
    return call != nullptr ? call->callee : FunctionId();
  }
  std::optional<Ways> ways_after(EdgeId choice) const;

  const Program& program_;
  const Cfa& body_;
};

/// Nothing if it is not clear.
std::optional<Ways> Finder::ways_after(EdgeId choice) const {
  Ways ways;
  std::set<VariableId> chosen{
      std::get<Havoc>(body_.edge(choice).statement).target};
  const auto is_about_choice = [&](term::Term value) {
    const auto variables = term::variables_of(value);
    return !variables.empty() &&
           std::ranges::all_of(variables, [&](term::Term each) {
             return chosen.contains(program_.variable_of(each));
           });
  };
  std::vector<bool> inside(body_.num_locations());
  std::vector<LocationId> open{body_.edge(choice).to};
  inside[open.front().index()] = true;
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    if (body_.out_edges(at).empty()) ways.has_silent = true;
    for (const EdgeId id : body_.out_edges(at)) {
      const Edge& edge = body_.edge(id);
      const auto* const assume = std::get_if<Assume>(&edge.statement);
      const auto* const assign = std::get_if<Assign>(&edge.statement);
      if (action(id).valid()) {
        ways.actions.push_back(id);
        continue;
      }
      const bool goes_on =
          (assume != nullptr && is_about_choice(assume->condition)) ||
          (assign != nullptr && is_about_choice(assign->value));
      if (!goes_on) {
        ways.has_silent = true;
        continue;
      }
      if (assign != nullptr) chosen.insert(assign->target);
      if (inside[edge.to.index()]) continue;
      inside[edge.to.index()] = true;
      open.push_back(edge.to);
    }
  }
  for (std::size_t i = 0; i < body_.edges().size(); ++i) {
    const Edge& edge = body_.edges()[i];
    const bool enters = inside[edge.to.index()] && !inside[edge.from.index()];
    if (enters && EdgeId::at(i) != choice) return std::nullopt;
  }
  return ways;
}

}  // namespace

Waiting find_waiting(const Program& program, const Cfa& body) {
  return Finder(program, body).run();
}

namespace {

std::string label_of(const Program& program, const Edge& edge) {
  const auto* const call = std::get_if<Call>(&edge.statement);
  return call == nullptr ? std::string() : program[call->callee].display;
}

/// By location: whether nothing leads there but an ending, or silent steps
/// after one.
std::vector<bool> find_ended(const Program& program, const Cfa& body,
                             const std::set<std::string>& endings) {
  std::vector<bool> ended(body.num_locations());
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::vector<bool> is_entered(ended.size());
    std::vector<bool> is_sure(ended.size(), true);
    for (const Edge& edge : body.edges()) {
      const std::string label = label_of(program, edge);
      const bool after_end = label.empty() && ended[edge.from.index()];
      is_entered[edge.to.index()] = true;
      if (!after_end && !endings.contains(label)) {
        is_sure[edge.to.index()] = false;
      }
    }
    for (std::size_t i = 0; i < ended.size(); ++i) {
      if (ended[i] || !is_entered[i] || !is_sure[i]) continue;
      ended[i] = is_changed = true;
    }
  }
  return ended;
}

}  // namespace

std::vector<Resting> find_rests(const Program& program, const Cfa& body,
                                const std::set<std::string>& endings,
                                const std::string& stop) {
  const Waiting waiting = find_waiting(program, body);
  const std::vector<bool> ended = find_ended(program, body, endings);
  std::vector<Resting> result(body.num_locations());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool is_stuck = body.out_edges(LocationId::at(i)).empty();
    if (is_stuck || waiting.offers[i]) result[i].rest = Rest::Waiting;
    if (!waiting.offers[i]) continue;
    for (const FunctionId action : *waiting.offers[i]) {
      result[i].offers.insert(program[action].display);
    }
  }
  for (const Edge& edge : body.edges()) {
    const std::string label = label_of(program, edge);
    if (label == stop || endings.contains(label)) {
      result[edge.to.index()].rest = Rest::Waiting;
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (ended[i] && result[i].offers.empty()) result[i].rest = Rest::Ended;
  }
  return result;
}

}  // namespace agon::ir
