// SPDX-License-Identifier: Apache-2.0
#include "report/game.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "report/json.h"
#include "report/specification.h"
#include "support/error.h"

namespace agon::report {
namespace {

using support::InputError;
using Strings = std::vector<std::string>;

constexpr std::size_t kMostStates = 1'000'000;

std::string text_at(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : "";
}

/// Whether every way down a tree ends.
bool is_finite(const StrategyTree& tree) {
  std::vector<std::size_t> open(tree.nodes.size());  // Responses left.
  std::vector<std::vector<std::size_t>> parents(tree.nodes.size());
  std::vector<std::size_t> done;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    open[i] = tree.nodes[i].responses.size();
    for (const std::size_t child : tree.nodes[i].responses) {
      parents[child].push_back(i);
    }
    if (open[i] == 0) done.push_back(i);
  }
  for (std::size_t k = 0; k < done.size(); ++k) {
    for (const std::size_t parent : parents[done[k]]) {
      if (--open[parent] == 0) done.push_back(parent);
    }
  }
  return done.size() == tree.nodes.size();
}

StrategyTree read_tree(const Json& json) {
  StrategyTree tree;
  for (const Json& node : json.at("nodes")) {
    StrategyTree::Node& made = tree.nodes.emplace_back();
    made.specification = text_at(node, "specification");
    made.challenge = node.at("challenge").get<std::string>();
    made.responses = node.at("responses").get<std::vector<std::size_t>>();
    if (node.contains("allowed")) {
      made.allowed = node.at("allowed").get<Strings>();
    }
  }
  for (const StrategyTree::Node& node : tree.nodes) {
    for (const std::size_t response : node.responses) {
      if (response >= tree.nodes.size()) throw InputError("no such node");
    }
  }
  if (tree.nodes.empty() || !is_finite(tree)) throw InputError("no tree");
  return tree;
}

Strings read_names(const Json& json) {
  Strings names;
  const auto found = json.find("names");
  if (found == json.end()) return names;
  for (const Json& each : found->get_ref<const Json::array_t&>()) {
    names.push_back(each.is_null() ? "" : each.get<std::string>());
  }
  return names;
}

SpecificationGraph read_graph(const Json& json) {
  SpecificationGraph graph;
  graph.initial = json.at("initial").get<std::uint32_t>();
  graph.num_states = json.at("states").get<std::size_t>();
  graph.alphabet = json.at("alphabet").get<Strings>();
  if (graph.num_states > kMostStates || graph.initial >= graph.num_states) {
    throw InputError("no such state");
  }
  graph.state_names = read_names(json);
  for (const Json& each : json.at("transitions")) {
    graph.transitions.push_back({each.at(0).get<std::uint32_t>(),
                                 each.at(1).get<std::string>(),
                                 each.at(2).get<std::uint32_t>()});
    const auto& made = graph.transitions.back();
    if (made.from >= graph.num_states || made.to >= graph.num_states) {
      throw InputError("no such state");
    }
  }
  return graph;
}

bool is_allowed(const lts::Lts& spec, const Strings& actions) {
  const Responder responder(spec);
  Responder::States states{spec.initial().value()};
  for (const std::string& action : actions) {
    states = responder.after(states, action);
  }
  return !states.empty();
}

std::optional<Game> unnamed_game(const Json& result) {
  const auto found = result.find("counterexample");
  if (found == result.end() || !found->is_object()) return std::nullopt;
  if (found->contains("waiting")) return std::nullopt;  // A deadlock.
  if (const auto tree = found->find("tree");
      tree != found->end() && tree->is_object()) {
    return Game(read_tree(*tree));
  }
  Strings actions = found->at("actions").get<Strings>();
  if (actions.empty()) return std::nullopt;
  if (const auto graph = result.find("specification");
      graph != result.end() && graph->is_object() &&
      graph->at("transitions").is_array()) {
    lts::Lts spec = to_lts(read_graph(*graph));
    if (!is_allowed(spec, actions)) {
      return Game(std::move(actions), std::move(spec));
    }
  }
  if (!found->contains("allowed")) return std::nullopt;
  return Game(std::move(actions), found->at("allowed").get<Strings>());
}

std::string place_of(const Json& at) {
  const std::string file = text_at(at, "file");
  const auto line = at.at("line").get<std::size_t>();
  return file.empty() || line == 0 ? "" : fmt::format("{}:{}", file, line);
}

/// Where the actions are performed, one after the other: in C, which may be
/// where its component was last.
Strings read_places(const Json& counterexample) {
  Strings places;
  const auto steps = counterexample.find("steps");
  if (steps == counterexample.end() || !steps->is_array()) return places;
  const Strings actions = counterexample.at("actions").get<Strings>();
  Json event;
  std::map<std::string, std::string> last;
  for (const Json& step : *steps) {
    const bool is_called = step.contains("call");
    std::string& place = last[text_at(step, "component")];
    if (is_called || !text_at(step, "file").ends_with(".agon")) {
      const std::string here = place_of(is_called ? step.at("call") : step);
      if (!here.empty()) place = here;
    }
    const std::string action = text_at(step, "action");
    const Json now = step.value("event", Json());
    const bool is_first = !action.empty() && (now.is_null() || now != event);
    if (!now.is_null()) event = now;
    if (is_first && places.size() < actions.size() &&
        action == actions[places.size()]) {
      places.push_back(place);
    }
  }
  return places;
}

std::optional<Game> read_game(const Json& result) {
  std::optional<Game> game = unnamed_game(result);
  if (const auto graph = result.find("specification");
      game && graph != result.end() && graph->is_object()) {
    game->set_names(read_names(*graph));
  }
  if (game) game->set_places(read_places(result.at("counterexample")));
  return game;
}

}  // namespace

Game::Position Game::start() const {
  return {spec_ ? spec_->initial().value() : 0, 0};
}

void Game::set_places(std::vector<std::string> places) {
  const bool is_forced =
      !tree_ || std::ranges::all_of(tree_->nodes, [](const auto& node) {
        return node.responses.size() <= 1;
      });
  if (is_forced) places_ = std::move(places);
}

std::string Game::named(std::string state) const {
  std::size_t number = 0;
  const char* const end = state.data() + state.size();
  const auto [at, error] = std::from_chars(state.data(), end, number);
  const bool has_name = error == std::errc() && at == end &&
                        number < names_.size() && !names_[number].empty();
  return has_name ? names_[number] : std::move(state);
}

Game::Turn Game::turn(const Position& at) const {
  Turn turn;
  if (tree_) {
    const StrategyTree::Node& node = tree_->nodes[at.node];
    turn.state = named(node.specification);
    turn.challenge = node.challenge;
    turn.allowed = node.allowed;
    const bool is_silent = node.challenge == "tau";
    if (!is_silent) turn.place = place_of(at.actions);
    for (const std::size_t child : node.responses) {
      turn.responses.push_back({named(tree_->nodes[child].specification),
                                {static_cast<std::uint32_t>(child),
                                 at.actions + (is_silent ? 0 : 1)}});
    }
    return turn;
  }
  turn.challenge = actions_[at.actions];
  turn.place = place_of(at.actions);
  if (!spec_) {
    if (at.actions + 1 < actions_.size()) {
      turn.responses.push_back({"", {0, at.actions + 1}});
    } else {
      turn.allowed = allowed_;
    }
    return turn;
  }
  const Responder responder(*spec_);
  turn.state = named(std::to_string(at.node));
  for (const std::uint32_t state : responder.after({at.node}, turn.challenge)) {
    turn.responses.push_back(
        {named(std::to_string(state)), {state, at.actions + 1}});
  }
  if (turn.responses.empty()) turn.allowed = responder.allowed({at.node});
  return turn;
}

std::vector<RecordedResult> read_results(const std::string& file,
                                         std::string_view json) {
  std::vector<RecordedResult> results;
  try {
    const Json document = Json::parse(json);
    const auto& list = document.at("results").get_ref<const Json::array_t&>();
    for (const Json& each : list) {
      results.push_back({text_at(each, "target"), text_at(each, "spec"),
                         text_at(each, "verdict"), read_game(each)});
    }
  } catch (const Json::exception&) {
    throw InputError(fmt::format("'{}' is not what agon --json writes", file));
  } catch (const InputError&) {
    throw InputError(
        fmt::format("'{}' describes a game that cannot be played", file));
  }
  return results;
}

}  // namespace agon::report
