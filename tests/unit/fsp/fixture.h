// SPDX-License-Identifier: Apache-2.0
/// What the tests of FSP share: compiling texts, and looking at the results.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fsp/fsp.h"
#include "lts/explore.h"
#include "lts/lts.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::fsp::test {

/// Keeps the warnings.
class Recorder final : public support::Log {
 public:
  void write(Level level, std::string_view message) override {
    if (level == Level::Warning) warnings.emplace_back(message);
  }
  std::vector<std::string> warnings;
};

inline lts::Lts compile(const support::Source& source, const std::string& name,
                        support::Context& context,
                        const ParseOptions& options = {}) {
  const Model model = Model::parse(source, context, options);
  const auto labels = std::make_shared<lts::LabelTable>();
  const auto system = model.compile(
      name.empty() ? model.default_process() : name, labels, context);
  return lts::explore(*system, context);
}

inline lts::Lts compile(const std::string& text, const std::string& name = "",
                        const ParseOptions& options = {}) {
  support::Context context;
  return compile(support::Source::from_string("test.lts", text), name, context,
                 options);
}

inline lts::Lts compile_file(const std::string& file, const std::string& name) {
  support::Context context;
  return compile(support::Source::open(std::string(AGON_SOURCE_DIR) +
                                       "/tests/data/fsp/" + file),
                 name, context);
}

/// "states/transitions", the ERROR state not counted, as LTSA prints it.
inline std::string size(const lts::Lts& lts) {
  const lts::LtsInfo info = lts::info(lts);
  return std::to_string(info.states) + "/" + std::to_string(info.transitions);
}

inline std::string alphabet(const lts::Lts& lts) {
  std::set<std::string> names;
  for (const lts::Label label : lts.alphabet()) {
    names.insert(lts.labels()->name(label));
  }
  std::string result;
  for (const std::string& name : names) {
    result += (result.empty() ? "" : " ") + name;
  }
  return result;
}

/// A system in canonical text: states are numbered by a breadth-first search
/// that takes labels by name, so that it is independent of how labels and
/// states were numbered if the system is deterministic. `S` is STOP or any
/// other stuck state, `E` is END and `!` is ERROR:
///
///     0 a 1; 0 b !; 1 c E
inline std::string show(const lts::Lts& lts) {
  std::map<lts::State, std::string> names;
  std::deque<lts::State> queue;
  int next = 0;
  const auto name = [&](lts::State state) {
    const auto known = names.find(state);
    if (known != names.end()) return known->second;
    std::string text = std::to_string(next);
    if (lts.kind(state) == lts::StateKind::Error) {
      text = "!";
    } else if (lts.kind(state) == lts::StateKind::Terminated) {
      text = "E";
    } else if (lts.out(state).empty()) {
      text = "S";
    } else {
      ++next;
    }
    queue.push_back(state);
    names[state] = text;
    return text;
  };
  std::string result = name(lts.initial());
  if (!lts.out(lts.initial()).empty()) result.clear();
  while (!queue.empty()) {
    const lts::State state = queue.front();
    queue.pop_front();
    std::vector<std::pair<std::string, lts::State>> moves;
    for (const lts::Transition& t : lts.out(state)) {
      moves.emplace_back(lts.labels()->name(t.label), t.target);
    }
    std::sort(moves.begin(), moves.end());
    for (const auto& [label, target] : moves) {
      if (!result.empty()) result += "; ";
      result += names[state] + " " + label + " " + name(target);
    }
  }
  return result;
}

inline std::string show(const std::string& text, const std::string& name = "") {
  return show(compile(text, name));
}

/// The labels of a shortest path to a state of interest, by names in order.
template <class Wanted>
std::string shortest_trace(const lts::Lts& lts, const Wanted& wanted) {
  std::map<lts::State, std::string> traces{{lts.initial(), ""}};
  std::deque<lts::State> queue{lts.initial()};
  while (!queue.empty()) {
    const lts::State state = queue.front();
    queue.pop_front();
    if (wanted(state)) return traces[state];
    for (const lts::Transition& t : lts.out(state)) {
      const std::string trace = traces[state] +
                                (traces[state].empty() ? "" : " ") +
                                lts.labels()->name(t.label);
      if (traces.emplace(t.target, trace).second) queue.push_back(t.target);
    }
  }
  return "unreachable";
}

inline std::string trace_to_error(const lts::Lts& lts) {
  return shortest_trace(lts, [&](lts::State state) {
    return lts.kind(state) == lts::StateKind::Error;
  });
}

inline std::string trace_to_deadlock(const lts::Lts& lts) {
  return shortest_trace(lts, [&](lts::State state) {
    return lts.kind(state) == lts::StateKind::Ordinary &&
           lts.out(state).empty();
  });
}

/// "line:column: message" of the InputError that compiling throws.
inline std::string error(const std::string& text, const std::string& name = "",
                         support::Limits limits = {}) {
  support::Context context(limits);
  try {
    compile(support::Source::from_string("test.lts", text), name, context);
  } catch (const support::InputError& e) {
    return std::to_string(e.location().line) + ":" +
           std::to_string(e.location().column) + ": " + e.message();
  }
  return "no error";
}

}  // namespace agon::fsp::test
