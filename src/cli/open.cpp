// SPDX-License-Identifier: Apache-2.0
#include "cli/open.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "algol/decide.h"
#include "algol/model.h"
#include "algol/move.h"
#include "algol/parser.h"
#include "algol/tree.h"
#include "cli/output.h"
#include "cli/written.h"
#include "lts/bisimulation.h"
#include "open/relations.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::cli {
namespace {

using algol::Decision;
using support::InputError;
using support::Verdict;

constexpr std::size_t kWidestLabel = 40;
constexpr std::size_t kLongestBlock = 32;  // That is folded when repeated.

/// Equal blocks one after the other.
struct Repetition {
  std::size_t length = 1;
  std::size_t times = 1;
};

/// The blocks from `start` that fold most moves.
Repetition repetition(const std::vector<std::string>& labels,
                      std::size_t start) {
  Repetition best;
  for (std::size_t length = 1; length <= kLongestBlock; ++length) {
    std::size_t end = start + length;
    while (end < labels.size() && labels[end] == labels[end - length]) ++end;
    const std::size_t times = (end - start) / length;
    if (times > 2 && (times - 1) * length > (best.times - 1) * best.length) {
      best = {length, times};
    }
  }
  return best;
}

/// Some of these moves must not be reachable, or should be.
struct Question {
  std::vector<std::string> moves;
  bool should_be_reachable = false;

  std::string text() const {
    return fmt::format("{} {}", should_be_reachable ? "find" : "never",
                       fmt::join(moves, " or "));
  }
};

algol::Constants read_definitions(const std::vector<std::string>& words) {
  algol::Constants constants;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::int64_t value = 0;
    const char* const end = word.data() + word.size();
    const auto parsed =
        equals == std::string::npos
            ? std::from_chars_result{word.data(), std::errc::invalid_argument}
            : std::from_chars(word.data() + equals + 1, end, value);
    if (name.empty() || parsed.ec != std::errc() || parsed.ptr != end) {
      throw InputError(
          fmt::format("-D {}: expected NAME=NUMBER, such as size=64", word));
    }
    constants[name] = value;
  }
  return constants;
}

std::vector<Question> questions(const OpenOptions& options) {
  std::vector<Question> result;
  for (const std::string& move : options.never)
    result.push_back({{move}, false});
  for (const std::string& move : options.find) result.push_back({{move}, true});
  if (result.empty() && options.output.empty()) {
    result.push_back({{"abort", "bounds"}, false});
  }
  return result;
}

class Opening {
 public:
  Opening(const OpenOptions& options, Session& session)
      : options_(options),
        session_(session),
        source_(support::Source::open(options.file)),
        judgement_(algol::read_judgement(
            source_, read_definitions(options.definitions))),
        tree_(algol::build_tree(judgement_, source_)) {}

  ExitCode run() {
    session_.files = {options_.file};
    std::vector<std::pair<Question, std::vector<algol::Pattern>>> asked;
    for (const Question& question : questions(options_)) {
      std::vector<algol::Pattern> patterns;
      for (const std::string& move : question.moves) {
        patterns.push_back(algol::parse_pattern(move, tree_));
      }
      asked.emplace_back(question, std::move(patterns));
    }
    if (!options_.output.empty()) check_system_output(options_.output);
    if (options_.eager || !options_.output.empty()) {
      model_ = algol::build_model(tree_, session_.labels, session_.context);
      measure_model();
    }
    if (!options_.output.empty() && !write_model()) return ExitCode::Unknown;
    Verdict overall = Verdict::Holds;
    for (const auto& [question, patterns] : asked) {
      overall = worse(overall, answer(question, patterns));
    }
    return exit_code(overall);
  }

 private:
  static Verdict worse(Verdict a, Verdict b) {
    if (a == Verdict::Violated || b == Verdict::Violated) {
      return Verdict::Violated;
    }
    return a == Verdict::Holds ? b : a;
  }

  void measure_model() {
    if (!model_.lts) return;
    support::Statistics& statistics = session_.context.statistics();
    statistics["open.model.states"] = model_.lts->num_states();
    statistics["open.model.transitions"] = model_.lts->num_transitions();
    statistics["open.model.traces"] =
        algol::count_loop_free_traces(*model_.lts);
    const lts::Lts minimal = lts::quotient(
        *model_.lts, lts::strong_bisimulation(*model_.lts), lts::Inert::Keep);
    statistics["open.minimal.states"] = minimal.num_states();
    statistics["open.minimal.transitions"] = minimal.num_transitions();
    statistics["open.minimal.traces"] = algol::count_loop_free_traces(minimal);
  }

  bool write_model() {
    if (model_.lts) {
      deliver(options_.output, options_.file, *model_.lts, session_);
      return true;
    }
    give_up(session_, model_.reason);
    return false;
  }

  Verdict answer(const Question& question,
                 const std::vector<algol::Pattern>& patterns) {
    const auto start = std::chrono::steady_clock::now();
    const Decision decision =
        options_.eager ? algol::decide_eagerly(judgement_, model_, patterns)
                       : decide_lazily(patterns);
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    const bool is_reachable = decision.kind == Decision::Kind::Reachable;
    const Verdict verdict =
        decision.kind == Decision::Kind::Unknown       ? Verdict::Unknown
        : is_reachable == question.should_be_reachable ? Verdict::Holds
                                                       : Verdict::Violated;
    session_.print("{}: {}: {}\n", options_.file, question.text(),
                   to_string(verdict));
    explain(question, decision);
    support::Statistics& statistics = session_.context.statistics();
    statistics["open.nodes"] = tree_.nodes.size();
    statistics["open.iterations"] += decision.iterations;
    statistics["open.states"] += decision.states;
    statistics["open.steps"] += decision.steps;
    Result result = report(question, decision, verdict);
    result.time_s = time.count();
    session_.report.results.push_back(std::move(result));
    return verdict;
  }

  Decision decide_lazily(const std::vector<algol::Pattern>& patterns) {
    algol::DecideOptions options{options_.precise, options_.order};
    if (!options_.precise) {
      options.predicates = [&](std::size_t iterations) {
        return open::decide_by_predicates(judgement_, tree_, patterns,
                                          iterations, session_.context);
      };
    }
    return algol::decide(judgement_, tree_, patterns, options,
                         session_.context);
  }

  void explain(const Question& question, const Decision& decision) {
    switch (decision.kind) {
      case Decision::Kind::Unknown:
        session_.print("  {}\n", decision.reason);
        break;
      case Decision::Kind::Unreachable:
        session_.print("  no environment leads to {}\n",
                       fmt::join(question.moves, " or "));
        break;
      case Decision::Kind::Reachable:
        print_play(decision.play);
        break;
    }
  }

  void print_play(const algol::Play& play) {
    std::vector<std::string> labels;
    std::size_t width = 0;
    for (const algol::Move& move : play) {
      labels.push_back(to_string(move, tree_));
      width = std::max(width, std::min(labels.back().size(), kWidestLabel));
    }
    for (std::size_t i = 0; i < play.size();) {
      const Repetition repeated =
          options_.full ? Repetition{} : repetition(labels, i);
      for (std::size_t k = i; k < i + repeated.length; ++k) {
        session_.print("  {:<11}  {:<{}}  {}\n",
                       play[k].by_environment ? "environment" : "program",
                       labels[k], width, describe(play[k], tree_));
      }
      if (repeated.times > 1) {
        session_.print("  ... the last {} moves {} times in all\n",
                       repeated.length, repeated.times);
      }
      i += repeated.length * repeated.times;
    }
  }

  Result report(const Question& question, const Decision& decision,
                Verdict verdict) const {
    Result result;
    result.target = options_.file;
    result.spec = question.text();
    result.verdict = verdict;
    result.decided_by = decision.by_predicates ? "predicates"
                        : options_.eager       ? "eager"
                        : options_.precise     ? "precise"
                                               : "approximation";
    result.reason = decision.reason;
    result.iterations = decision.iterations;
    result.states = decision.states;
    if (decision.kind != Decision::Kind::Reachable) return result;
    Counterexample& counterexample = result.counterexample.emplace();
    for (const algol::Move& move : decision.example) {
      counterexample.actions.push_back(to_string(move, tree_));
    }
    std::vector<std::string> play;
    for (const algol::Move& move : decision.play) {
      play.push_back(to_string(move, tree_));
    }
    result.extra.emplace_back("play", std::move(play));
    return result;
  }

  const OpenOptions& options_;
  Session& session_;
  support::Source source_;
  algol::Judgement judgement_;
  algol::Tree tree_;
  algol::Model model_;
};

}  // namespace

ExitCode run_open(const OpenOptions& options, Session& session) {
  return Opening(options, session).run();
}

}  // namespace agon::cli
