// SPDX-License-Identifier: Apache-2.0
#include "report/game.h"

#include <fmt/format.h>

#include <charconv>

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

std::optional<Game> read_game(const Json& result) {
  std::optional<Game> game = unnamed_game(result);
  if (const auto graph = result.find("specification");
      game && graph != result.end() && graph->is_object()) {
    game->set_names(read_names(*graph));
  }
  return game;
}

}  // namespace

Game::Position Game::start() const {
  return {spec_ ? spec_->initial().value() : 0, 0};
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
    for (const std::size_t child : node.responses) {
      turn.responses.push_back(
          {named(tree_->nodes[child].specification),
           {static_cast<std::uint32_t>(child), at.actions + 1}});
    }
    return turn;
  }
  turn.challenge = actions_[at.actions];
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
