// SPDX-License-Identifier: Apache-2.0
// Random compositions of small processes against the definitions of the
// operators on sets of strings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "helpers/random_lts.h"
#include "unit/fsp/fixture.h"
#include "unit/fsp/naive.h"

namespace agon::fsp {
namespace {

using agon::test::below;
using agon::test::Random;
using lts::StateKind;
using test::Naive;

using Names = std::vector<std::string>;

bool matches(const std::string& name, const std::string& entry) {
  return name == entry || name.starts_with(entry + ".");
}

bool matches_any(const std::string& name, const Names& entries) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto& entry) { return matches(name, entry); });
}

/// Replaces every label by its images; no tau in the alphabet.
Naive mapped(const Naive& system,
             const std::function<Names(const std::string&)>& images) {
  Naive result = system;
  result.alphabet.clear();
  for (auto& [state, moves] : result.moves) {
    Naive::Moves renamed;
    for (const auto& [label, target] : moves) {
      for (const auto& image : label == "tau" ? Names{label} : images(label)) {
        renamed.emplace(image, target);
      }
    }
    moves = renamed;
  }
  for (const std::string& label : system.alphabet) {
    for (const std::string& image : images(label)) {
      if (image != "tau") result.alphabet.insert(image);
    }
  }
  return result;
}

Naive prefixed(const Naive& system, const Names& prefixes) {
  return mapped(system, [&](const std::string& label) {
    Names images;
    for (const auto& prefix : prefixes) images.push_back(prefix + "." + label);
    return images;
  });
}

Naive renamed(const Naive& system, const std::string& fresh,
              const std::string& old) {
  return mapped(system, [&](const std::string& label) {
    if (!matches(label, old)) return Names{label};
    return Names{fresh + label.substr(old.size())};
  });
}

Naive hidden(const Naive& system, const Names& set, bool keep) {
  return mapped(system, [&](const std::string& label) {
    return Names{matches_any(label, set) != keep ? "tau" : label};
  });
}

/// Keeps the reachable part.
Naive trimmed(const Naive& system) {
  Naive result;
  result.initial = system.initial;
  result.alphabet = system.alphabet;
  Names stack{system.initial};
  while (!stack.empty()) {
    const std::string state = stack.back();
    stack.pop_back();
    if (!result.moves.emplace(state, system.moves.at(state)).second) continue;
    result.kinds[state] = system.kinds.at(state);
    for (const auto& move : system.moves.at(state)) {
      stack.push_back(move.second);
    }
  }
  return result;
}

Naive prioritised(const Naive& system, const Names& set, bool high) {
  Naive result = system;
  for (auto& [state, moves] : result.moves) {
    const auto preferred = [&](const auto& move) {
      return matches_any(move.first, set) == high;
    };
    if (std::none_of(moves.begin(), moves.end(), preferred)) continue;
    std::erase_if(moves, [&](const auto& move) { return !preferred(move); });
  }
  return trimmed(result);
}

class Product {
 public:
  explicit Product(const std::vector<Naive>& parts) : parts_(parts) {}

  Naive run() {
    Names initial;
    for (const Naive& part : parts_) {
      initial.push_back(part.initial);
      result_.alphabet.insert(part.alphabet.begin(), part.alphabet.end());
    }
    result_.initial = visit(initial);
    while (!todo_.empty()) {
      const Names tuple = todo_.back();
      todo_.pop_back();
      std::set<std::string> labels = result_.alphabet;
      for (const std::string& label : labels) joint(tuple, label);
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        for (const auto& [label, target] : parts_[i].moves.at(tuple[i])) {
          if (label != "tau") continue;
          Names next = tuple;
          next[i] = target;
          add(tuple, "tau", next);
        }
      }
    }
    return result_;
  }

 private:
  void joint(const Names& tuple, const std::string& label) {
    std::vector<Names> next{tuple};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].alphabet.contains(label)) continue;
      std::vector<Names> extended;
      for (const Names& partial : next) {
        for (const auto& [move, target] : parts_[i].moves.at(tuple[i])) {
          if (move != label) continue;
          extended.push_back(partial);
          extended.back()[i] = target;
        }
      }
      next = extended;
    }
    for (const Names& target : next) add(tuple, label, target);
  }

  void add(const Names& source, const std::string& label, const Names& target) {
    const std::string to = visit(target);
    result_.moves[name(source)].emplace(label, to);
  }

  static std::string name(const Names& tuple) {
    return fmt::format("{}", fmt::join(tuple, "|"));
  }

  std::string visit(const Names& tuple) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].kinds.at(tuple[i]) != StateKind::Error) continue;
      result_.kinds["!"] = StateKind::Error;
      result_.moves["!"];
      return "!";
    }
    if (result_.moves.contains(name(tuple))) return name(tuple);
    result_.moves[name(tuple)];
    result_.kinds[name(tuple)] = kind(tuple);
    todo_.push_back(tuple);
    return name(tuple);
  }

  /// END iff all that can end have, and cover the labels of those that cannot.
  StateKind kind(const Names& tuple) const {
    std::set<std::string> covered;
    bool can_end = false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].can_end()) continue;
      can_end = true;
      covered.insert(parts_[i].alphabet.begin(), parts_[i].alphabet.end());
      if (parts_[i].kinds.at(tuple[i]) != StateKind::Terminated) {
        return StateKind::Ordinary;
      }
    }
    for (const Naive& part : parts_) {
      if (!part.can_end() &&
          !std::includes(covered.begin(), covered.end(), part.alphabet.begin(),
                         part.alphabet.end())) {
        return StateKind::Ordinary;
      }
    }
    return can_end ? StateKind::Terminated : StateKind::Ordinary;
  }

  const std::vector<Naive>& parts_;
  Naive result_;
  std::vector<Names> todo_;
};

/// A process as a list of its states: P = S0, S0 = (…), …
std::string random_process(Random& random, const std::string& name) {
  const std::size_t states = 1 + below(random, 3);
  const char* const labels[] = {"a", "b", "c.x", "c.y", "ca"};
  std::string text = name + " = S0";
  for (std::size_t s = 0; s < states; ++s) {
    text += fmt::format(",\nS{} = (", s);
    const std::size_t moves = 1 + below(random, 3);
    for (std::size_t m = 0; m < moves; ++m) {
      const std::size_t die = below(random, 12);
      const std::string target =
          die == 0   ? "END"
          : die == 1 ? "STOP"
          : die == 2 ? "ERROR"
                     : fmt::format("S{}", below(random, states));
      text += fmt::format("{}{} -> {}", m == 0 ? "" : " | ",
                          labels[below(random, 5)], target);
    }
    text += ")";
  }
  if (below(random, 4) == 0) text += fmt::format(" + {{{}}}", labels[0]);
  return text + ".\n";
}

std::string in_braces(const Names& names) {
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

Names random_set(Random& random) {
  const Names all{"a", "b", "c", "c.x", "ca", "p", "p.a", "q"};
  Names result{all[below(random, all.size())]};
  if (below(random, 2) == 0) result.push_back(all[below(random, all.size())]);
  return result;
}

/// A composition, as a text and as what it means.
class Case {
 public:
  explicit Case(Random& random) : random_(random) {
    std::vector<Naive> parts;
    std::string list;
    const std::size_t count = 1 + below(random_, 3);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("P{}", i);
      text_ += random_process(random_, name);
      list += list.empty() ? "" : " || ";
      list += component(name, parts);
    }
    if (below(random_, 2) == 0) rename(parts);
    Naive system = Product(parts).run();
    std::string suffix;
    if (below(random_, 3) == 0) {
      const bool high = below(random_, 2) == 0;
      const Names set = random_set(random_);
      suffix += fmt::format(" {} {}", high ? "<<" : ">>", in_braces(set));
      system = prioritised(system, set, high);
    }
    if (below(random_, 3) == 0) {
      const bool keep = below(random_, 2) == 0;
      const Names set = random_set(random_);
      suffix += fmt::format(" {} {}", keep ? "@" : "\\", in_braces(set));
      system = hidden(system, set, keep);
    }
    text_ += fmt::format("||C = ({}){}{}.\n", list, relabels_, suffix);
    expected_ = system;
  }

  const std::string& text() const { return text_; }
  const Naive& expected() const { return expected_; }

 private:
  std::string component(const std::string& name, std::vector<Naive>& parts) {
    const Naive part = test::to_naive(test::compile(text_, name));
    switch (below(random_, 4)) {
      case 0:
        parts.push_back(prefixed(part, {"p"}));
        return "p:" + name;
      case 1:
        parts.push_back(prefixed(part, {"p"}));
        parts.push_back(prefixed(part, {"q"}));
        return "{p, q}:" + name;
      case 2:
        parts.push_back(prefixed(part, {"p", "q"}));
        return "{p, q}::" + name;
      default:
        parts.push_back(part);
        return name;
    }
  }

  void rename(std::vector<Naive>& parts) {
    const std::string old = random_set(random_)[0];
    const std::string fresh = random_set(random_)[0];
    relabels_ = fmt::format("/{{{}/{}}}", fresh, old);
    for (Naive& part : parts) part = renamed(part, fresh, old);
  }

  Random& random_;
  std::string text_;
  std::string relabels_;
  Naive expected_;
};

TEST(FspRandom, CompositionsAreWhatTheDefinitionsSay) {
  Random random(2);
  std::size_t states = 0;
  for (std::size_t n = 0; n < agon::test::scaled(1500); ++n) {
    const Case sample(random);
    SCOPED_TRACE(sample.text());
    const Naive found = test::to_naive(test::compile(sample.text(), "C"));
    ASSERT_EQ(test::difference(sample.expected(), found), "");
    states += found.moves.size();
  }
  EXPECT_GT(states, agon::test::scaled(1500) * 4);
}

}  // namespace
}  // namespace agon::fsp
