// SPDX-License-Identifier: Apache-2.0
#include "cli/strategy_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace agon::cli {
namespace {

/// What a state can do, as the names of labels.
class Offers {
 public:
  Offers(lts::Successors& system, game::Semantics semantics)
      : system_(system), weak_(semantics == game::Semantics::Weak) {}

  const std::vector<std::string>& at(lts::State state) {
    const auto [entry, is_new] = known_.try_emplace(state);
    if (is_new) entry->second = compute(state);
    return entry->second;
  }

 private:
  std::vector<std::string> compute(lts::State start) {
    std::set<std::string> names;
    std::set<lts::State> seen{start};
    std::vector<lts::State> work{start};
    while (!work.empty()) {
      const lts::State state = work.back();
      work.pop_back();
      for (const lts::Transition& t : system_.expand(state)) {
        if (!weak_ || t.label != lts::kTau) {
          names.insert(system_.labels()->name(t.label));
        } else if (seen.insert(t.target).second) {
          work.push_back(t.target);
        }
      }
    }
    return {names.begin(), names.end()};
  }

  lts::Successors& system_;
  bool weak_;
  std::map<lts::State, std::vector<std::string>> known_;
};

/// Writes the lines of a tree. Strategies may be as deep as systems are large,
/// so there is a stack instead of recursion, and a chain of single responses
/// stays at its indentation.
class Printer {
 public:
  Printer(const StrategyTree& tree, std::size_t max_lines)
      : tree_(tree), max_lines_(max_lines), number_(tree.nodes.size(), 0) {}

  std::string print() {
    stack_.push_back({0, 0, ""});
    while (!stack_.empty()) {
      const Item item = std::move(stack_.back());
      stack_.pop_back();
      visit(item);
    }
    if (lines_ > max_lines_) {
      text_ += fmt::format("... {} more lines; --full prints them all\n",
                           lines_ - max_lines_);
    }
    return std::move(text_);
  }

 private:
  struct Item {
    std::size_t node;
    std::size_t depth;
    std::string response;  // The line that leads here; empty at the root.
  };

  void visit(const Item& item) {
    const StrategyTree::Node& node = tree_.nodes[item.node];
    if (!item.response.empty()) line(item.depth, item.response);
    if (number_[item.node] != 0) {
      line(item.depth, fmt::format("  and then as at #{}", number_[item.node]));
      return;
    }
    number_[item.node] = ++visited_;
    line(item.depth,
         fmt::format("#{} ({}, {}): the implementation does {} "
                     "and is in {}",
                     number_[item.node], node.implementation,
                     node.specification, node.challenge, node.moved_to));
    if (node.responses.empty()) {
      line(item.depth,
           node.allowed.empty()
               ? "  no response: the specification can do nothing there"
               : fmt::format("  no response: the specification can do only "
                             "{{{}}}",
                             fmt::join(node.allowed, ", ")));
      return;
    }
    const std::size_t count = node.responses.size();
    const std::size_t depth = count == 1 ? item.depth : item.depth + 1;
    for (std::size_t i = count; i-- > 0;) {
      const std::size_t child = node.responses[i];
      std::string response = fmt::format(
          "{}the specification answers {} and is in {}", count == 1 ? "  " : "",
          node.challenge, tree_.nodes[child].specification);
      if (count > 1) {
        response = fmt::format("response {} of {}: {}", i + 1, count, response);
      }
      stack_.push_back({child, depth, std::move(response)});
    }
  }

  void line(std::size_t depth, const std::string& content) {
    if (++lines_ > max_lines_) return;
    constexpr std::size_t kDeepest = 20;
    text_.append(2 * std::min(depth, kDeepest), ' ');
    text_ += content;
    text_ += '\n';
  }

  const StrategyTree& tree_;
  std::size_t max_lines_;
  std::vector<std::size_t> number_;
  std::size_t visited_ = 0;
  std::size_t lines_ = 0;
  std::vector<Item> stack_;
  std::string text_;
};

}  // namespace

StrategyTree describe(const game::Strategy& strategy, lts::Successors& spec,
                      game::Semantics semantics) {
  Offers offers(spec, semantics);
  StrategyTree tree;
  for (const game::Strategy::Node& node : strategy.nodes) {
    StrategyTree::Node named;
    named.implementation = std::to_string(node.position.impl.value());
    named.specification = std::to_string(node.position.spec.value());
    named.challenge = spec.labels()->name(node.challenge.label);
    named.moved_to = std::to_string(node.challenge.target.value());
    named.responses.assign(node.children.begin(), node.children.end());
    if (node.children.empty()) named.allowed = offers.at(node.position.spec);
    tree.nodes.push_back(std::move(named));
  }
  return tree;
}

std::vector<std::string> first_play(const StrategyTree& tree) {
  std::vector<std::string> actions;
  std::size_t at = 0;
  for (;;) {
    const StrategyTree::Node& node = tree.nodes[at];
    actions.push_back(node.challenge);
    if (node.responses.empty()) return actions;
    at = node.responses.front();
  }
}

std::string to_text(const StrategyTree& tree, std::size_t max_lines) {
  return Printer(tree, max_lines).print();
}

}  // namespace agon::cli
