// SPDX-License-Identifier: Apache-2.0
// The C that stands for a process does what the process does: random ones,
// interpreted for all choices, against their own transitions.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "woven.h"

namespace agon::test {
namespace {

constexpr std::size_t kLength = 4;   // Of the traces compared.
constexpr std::size_t kChoices = 5;  // That are tried in all ways.
constexpr std::size_t kWays = 4;     // Most transitions of a state.

struct Step {
  std::string label;
  std::size_t target = 0;
};

/// States with transitions; the first is the initial one.
struct Machine {
  std::vector<std::vector<Step>> states;

  std::string to_fsp() const {
    std::string text = "P = S0";
    for (std::size_t i = 0; i < states.size(); ++i) {
      text += ",\nS" + std::to_string(i) + " = ";
      for (std::size_t j = 0; j < states[i].size(); ++j) {
        text += (j == 0 ? "(" : " | ") + states[i][j].label + " -> S" +
                std::to_string(states[i][j].target);
      }
      text += states[i].empty() ? "STOP" : ")";
    }
    return text + ".\n";
  }
};

Machine random_machine(unsigned seed) {
  std::mt19937 random(seed);
  const auto upto = [&](std::size_t max) {
    return std::uniform_int_distribution<std::size_t>(0, max)(random);
  };
  static const std::vector<std::string> kLabels{
      "a", "b", "c", "tau", "return[1]", "return[2..3]", "return{result > 2}"};
  Machine machine;
  machine.states.resize(2 + upto(3));
  for (auto& state : machine.states) {
    std::map<std::pair<std::string, std::size_t>, bool> seen;
    for (std::size_t i = upto(kWays); i > 0; --i) {
      Step step{kLabels[upto(kLabels.size() - 1)],
                upto(machine.states.size() - 1)};
      // FSP calls a loop of references without an action an error.
      if (seen.emplace(std::pair{step.label, step.target}, true).second) {
        state.push_back(step);
      }
    }
  }
  return machine;
}

/// What the wrapper of the test shows of a value.
std::string shown(std::uint64_t value) {
  return "return[" + std::to_string(value) + "]";
}

bool meets(const std::string& label, std::uint64_t value) {
  if (label == "return[1]") return value == 1;
  if (label == "return[2..3]") return value == 2 || value == 3;
  return value > 2;
}

/// All traces of up to kLength actions, by definition. `choices` bounds how
/// often a run may have to choose.
class Naive {
 public:
  Naive(const Machine& machine, std::size_t choices) : machine_(machine) {
    walk(0, {}, choices);
  }

  Outcomes outcomes;

 private:
  void walk(std::size_t state, const Trace& trace, std::size_t choices) {
    // Enough if it was here before with as many choices left.
    const auto [known, is_new] =
        best_.try_emplace(std::pair{state, trace}, choices);
    if (!is_new && known->second >= choices) return;
    known->second = choices;
    outcomes.all.insert(trace);
    const auto& ways = machine_.states[state];
    if (trace.size() == kLength || ways.empty()) return;
    if (ways.size() > 1 && choices == 0) return;
    const std::size_t left = choices - (ways.size() > 1 ? 1 : 0);
    for (const Step& step : ways) {
      if (step.label.starts_with("return")) {
        come_back(step.label, trace, left);
        continue;
      }
      Trace next = trace;
      if (step.label != "tau") next.push_back(step.label);
      walk(step.target, next, left);
    }
  }

  void come_back(const std::string& label, const Trace& trace,
                 std::size_t choices) {
    if (label != "return[1]" && choices == 0) return;
    for (std::uint64_t value = 1; value <= 3; ++value) {
      if (!meets(label, value)) continue;
      Trace whole = trace;
      whole.push_back(shown(value));
      outcomes.complete.insert(whole);
      outcomes.all.insert(whole);
    }
  }

  const Machine& machine_;
  std::map<std::pair<std::size_t, Trace>, std::size_t> best_;
};

/// Traces that are too long to be compared are cut, and so is their return.
std::set<Trace> comparable(const std::set<Trace>& traces) {
  std::set<Trace> result;
  for (const Trace& trace : traces) {
    if (trace.size() <= kLength) result.insert(trace);
  }
  return result;
}

void expect_subset(const std::set<Trace>& small, const std::set<Trace>& large,
                   const char* what) {
  for (const Trace& trace : small) {
    if (large.contains(trace)) continue;
    std::string text;
    for (const std::string& label : trace) text += label + " ";
    ADD_FAILURE() << what << ": " << text;
    return;
  }
}

TEST_F(Spec, BehavesAsRandomProcessesDo) {
  const char* const scale = std::getenv("AGON_TEST_SCALE");
  const unsigned seeds =
      60 * (scale == nullptr ? 1U : static_cast<unsigned>(std::atoi(scale)));
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const Machine machine = random_machine(seed);
    SCOPED_TRACE(machine.to_fsp());
    weave("int g(void);\nint f(void) { return g(); }\n",
          machine.to_fsp() + "assume int g(void) : P;\n" +
              "verify int f(void) : (return[1] -> STOP | return[2] -> STOP | "
              "return[3] -> STOP) + {a, b, c};\n");
    const Outcomes run = this->run(woven_.questions.at(0).entry, {0, 1, 2, 3},
                                   {}, kLength, kChoices);
    const Outcomes must = Naive(machine, kChoices).outcomes;
    const Outcomes may = Naive(machine, 1000).outcomes;
    expect_subset(comparable(must.complete), run.complete, "missing");
    expect_subset(comparable(run.complete), may.complete, "too much");
    expect_subset(run.all, may.all, "too much");
    // Runs that stop where the process does show all of its traces.
    std::set<Trace> prefixes;
    for (Trace trace : run.all) {
      for (; !trace.empty(); trace.pop_back()) prefixes.insert(trace);
      prefixes.insert(trace);
    }
    expect_subset(comparable(must.all), prefixes, "missing");
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace agon::test
