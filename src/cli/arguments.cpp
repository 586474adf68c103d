// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "cli/c_arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/label_list.h"
#include "cli/open_arguments.h"
#include "cli/option_kinds.h"
#include "frontend/compiler_words.h"
#include "report/version.h"
#include "support/error.h"
#include "support/suggest.h"

// Only this file, c_arguments.cpp, open_arguments.cpp and option_kinds.h see
// CLI11.

namespace agon::cli {
namespace {

using Run = std::function<ExitCode(Session&)>;

constexpr const char* kInputHelp = "FILE.aut, FILE.lts, or FILE.lts:PROCESS";

/// The words of one command line as CLI11 stores them.
struct Words {
  std::string first;
  std::string second;
  std::vector<std::string> files;
  std::string process;
  std::string output;
  std::string hide;
  std::string keep;
  std::string choice;
  bool flag = false;
  std::size_t count = 1;
  double timeout_s = 0;
  std::size_t memory_mb = 0;
  CommonOptions common;
  OpenOptions open;
  ModelOptions model;
  ReachOptions reach;
  FalsifyOptions falsify;
  ConformanceOptions conformance;
  ReplayOptions replay;
  ModuleOptions module;
  PlayOptions play;
};

constexpr double kMostCounterexamples = 1000;
constexpr double kLargestSeed = 9e15;  // Whole numbers are exact up to here.

class Parser {
 public:
  Parser() : app_("Agon decides by games.", "agon") {
    app_.formatter(help_formatter());
    app_.set_version_flag("--version", fmt::format("agon {}", report::kVersion),
                          "Print the version and exit");
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer("See 'agon COMMAND --help' for what a command does.");
    lts_ = app_.add_subcommand("lts", "Work on labelled transition systems");
    lts_->require_subcommand(1);
    lts_->footer(
        "Systems are read from .aut (Aldebaran) and .lts (FSP) files; in an "
        "FSP file,\nFILE.lts:PROCESS chooses the process.\n"
        "See 'agon lts COMMAND --help' for the options of a command.\n"
        "Exit codes: 0 holds or done, 1 violated, 2 bad usage or input, "
        "3 unknown, 4 internal error.");
    add_info();
    add_convert();
    add_compose();
    add_minimize();
    add_compare();
    add_check();
    add_draw();
    add_open();
    add_model();
    add_conformance();
    add_reach();
    add_falsify();
    add_c_command("module", "Can any client of a C module make it misbehave?",
                  "agon module examples/stack.c --api push,pop", words_->module,
                  run_module);
    add_replay();
    add_play();
    arrange_help(app_);
  }

  std::variant<Invocation, Explanation> parse(
      std::span<const std::string> words) {
    if (auto wrong = check_names(words)) return *wrong;
    if (const auto made = generated(words)) return *made;
    try {
      std::vector<std::string> rest(words.begin(), words.end());
      if (const auto it = c_inputs_.find(addressed(words));
          it != c_inputs_.end()) {
        frontend::CompilerWords taken = frontend::take_compiler_words(words);
        rest = std::move(taken.rest);
        it->second->options.arguments = std::move(taken.arguments);
      }
      // CLI11 wants them last first.
      std::ranges::reverse(rest);
      app_.parse(rest);
    } catch (const support::InputError& error) {
      return complain(error.message(), words);
    } catch (const CLI::Success& asked_for_help) {
      return explain(asked_for_help);
    } catch (const CLI::ParseError& error) {
      return complain(error.what(), words);
    }
    for (const auto& [command, run] : runs_) {
      if (!command->parsed()) continue;
      finish_limits();
      choose_detail();
      finish_cache(command);
      return Invocation{name_after_agon(command), words_->common, run};
    }
    return complain("a command is required", words);
  }

 private:
  CLI::App* add(const std::string& name, const std::string& what,
                const std::string& example, Run run) {
    return add_to(lts_, name, what, example, std::move(run));
  }

  CLI::App* add_to(CLI::App* parent, const std::string& name,
                   const std::string& what, const std::string& example,
                   Run run) {
    CLI::App* const command = parent->add_subcommand(name, what);
    command->footer("Example:\n  " + example);
    runs_.emplace_back(command, std::move(run));
    return command;
  }

  void add_common(CLI::App* command) {
    CommonOptions& common = words_->common;
    command
        ->add_option("--json", common.json,
                     "Write the results as JSON; with '-' to stdout, which "
                     "then holds nothing else")
        ->type_name("FILE|-")
        ->check(CLI::Validator(
            [](std::string& text) {
              return text.empty() ? std::string("a file name is needed")
                                  : std::string();
            },
            ""));
    command->add_flag("-q,--quiet", common.quiet,
                      "Print nothing but verdicts and errors");
    add_choice<Colour>(command, "--color", common.colour,
                       {{"auto", Colour::Auto},
                        {"always", Colour::Always},
                        {"never", Colour::Never}},
                       "Colour the text: auto (the default), on a terminal "
                       "unless NO_COLOR is set; always; or never");
    command->add_flag("--stats", common.statistics,
                      "Print counters of the work done to stderr");
    command
        ->add_option("--timeout", words_->timeout_s,
                     "Give up as 'unknown' after so many seconds")
        ->type_name("S")
        ->check(between(0.001, 1e9));
    command
        ->add_option("--memory", words_->memory_mb,
                     "Give up as 'unknown' above so many MB of memory")
        ->type_name("MB")
        ->check(between(1, 1e9));
    command
        ->add_option("--max-states", common.limits.max_states,
                     "Refuse systems with more states than this")
        ->type_name("N")
        ->check(between(1, 4e9))
        ->capture_default_str();
    command
        ->add_option("--seed", common.seed,
                     "Seed of random choices; the same seed gives the same "
                     "output")
        ->type_name("N")
        ->check(between(0, kLargestSeed))
        ->capture_default_str();
  }

  /// Of commands that decide questions about C.
  void add_reports(CLI::App* command) {
    CommonOptions& common = words_->common;
    command
        ->add_option("--sarif", common.sarif,
                     "Write violations with their paths as SARIF, for code "
                     "hosts and editors")
        ->type_name("FILE");
    command
        ->add_option("--junit", common.junit,
                     "Write the results as JUnit's XML, for continuous "
                     "integration")
        ->type_name("FILE");
  }

  /// Of commands whose answers can be kept.
  void add_cache(CLI::App* command) {
    command
        ->add_option("--cache", words_->common.cache,
                     "Keep proofs and violations here, and use them again as "
                     "long as nothing that matters has changed")
        ->type_name("DIR");
  }

  /// Of commands that have something to show.
  void add_html(CLI::App* command) {
    command
        ->add_option("--html", words_->common.html,
                     "Write a page to look at the results with, for a browser")
        ->type_name("FILE");
  }

  void add_input(CLI::App* command) {
    command->add_option("FILE", words_->first, kInputHelp)->required();
    command
        ->add_option("--process", words_->process,
                     "The process of an FSP file; by default the last "
                     "composite, or the composition of all processes")
        ->type_name("P");
  }

  void add_output(CLI::App* command, const char* help) {
    command->add_option("-o,--output", words_->output, help)
        ->type_name("OUT")
        ->required();
  }

  void add_info() {
    CLI::App* const command =
        add("info", "Count states, transitions and labels",
            "agon lts info examples/driver.lts --process FIXED",
            [w = words_](Session& session) {
              return run_info({parse_input(w->first, w->process)}, session);
            });
    add_input(command);
    add_common(command);
  }

  void add_convert() {
    CLI::App* const command =
        add("convert", "Translate .aut or .lts into .aut or .dot",
            "agon lts convert examples/driver.lts:SPEC spec.aut",
            [w = words_](Session& session) {
              return run_convert({parse_input(w->first, w->process), w->second},
                                 session);
            });
    add_input(command);
    command->add_option("OUT", words_->second, "FILE.aut or FILE.dot")
        ->required();
    add_common(command);
  }

  void add_compose() {
    CLI::App* const command =
        add("compose",
            "Compose systems in parallel: shared labels synchronise, others "
            "interleave",
            "agon lts compose client.aut server.aut -o both.aut "
            "--hide 'request,reply'",
            [w = words_](Session& session) { return compose(*w, session); });
    command->add_option("FILES", words_->files, kInputHelp)->required();
    add_output(command, "FILE.aut or FILE.dot");
    CLI::Option* const hide =
        command
            ->add_option("--hide", words_->hide,
                         "Labels to make silent; 'a' also matches 'a.x'")
            ->type_name("A,B,...");
    command
        ->add_option("--keep", words_->keep,
                     "Make all labels silent except these")
        ->type_name("A,B,...")
        ->excludes(hide);
    add_common(command);
  }

  static ExitCode compose(const Words& words, Session& session) {
    ComposeOptions options;
    for (const std::string& file : words.files) {
      options.inputs.push_back(parse_input(file));
    }
    options.output = words.output;
    if (!words.hide.empty()) options.hide = split_labels(words.hide);
    if (!words.keep.empty()) options.keep = split_labels(words.keep);
    return run_compose(options, session);
  }

  void add_minimize() {
    CLI::App* const command =
        add("minimize", "Build the smallest equivalent system",
            "agon lts minimize examples/driver.lts:FIXED -o small.aut "
            "--equivalence branching",
            [w = words_](Session& session) {
              return run_minimize({parse_input(w->first, w->process), w->output,
                                   equivalences().at(w->choice)},
                                  session);
            });
    add_input(command);
    add_output(command, "FILE.aut or FILE.dot");
    command
        ->add_option("--equivalence", words_->choice,
                     "strong, branching, weak (bisimulation), trace, "
                     "weak-trace, or simulation")
        ->type_name("E")
        ->required()
        ->check(one_of(equivalences()));
    add_common(command);
  }

  static const std::map<std::string, Equivalence>& equivalences() {
    static const std::map<std::string, Equivalence> table{
        {"strong", Equivalence::Strong},
        {"branching", Equivalence::Branching},
        {"weak", Equivalence::Weak},
        {"trace", Equivalence::Trace},
        {"weak-trace", Equivalence::WeakTrace},
        {"simulation", Equivalence::Simulation}};
    return table;
  }

  void add_compare() {
    CLI::App* const command =
        add("compare", "Decide whether IMPL conforms to SPEC, and say why not",
            "agon lts compare examples/driver.lts:BUGGY "
            "examples/driver.lts:SPEC --relation weak-trace",
            [w = words_](Session& session) {
              return run_compare({parse_input(w->first), parse_input(w->second),
                                  relations().at(w->choice), w->flag, w->count},
                                 session);
            });
    command->add_option("IMPL", words_->first, kInputHelp)->required();
    command->add_option("SPEC", words_->second, kInputHelp)->required();
    command
        ->add_option("--relation", words_->choice,
                     "SPEC simulates IMPL or contains its traces: simulation, "
                     "weak-simulation, trace, weak-trace; or they are "
                     "bisimilar: strong, branching, weak")
        ->type_name("R")
        ->required()
        ->check(one_of(relations()));
    command->add_flag("--full", words_->flag,
                      "Print the whole strategy, however long it is");
    command
        ->add_option("--counterexamples", words_->count,
                     "Look for up to N distinct winning strategies; for "
                     "simulation and weak-simulation")
        ->type_name("N")
        ->check(between(1, kMostCounterexamples));
    add_common(command);
  }

  static const std::map<std::string, Relation>& relations() {
    static const std::map<std::string, Relation> table{
        {"simulation", Relation::Simulation},
        {"weak-simulation", Relation::WeakSimulation},
        {"trace", Relation::Trace},
        {"weak-trace", Relation::WeakTrace},
        {"strong", Relation::Strong},
        {"branching", Relation::Branching},
        {"weak", Relation::Weak}};
    return table;
  }

  void add_check() {
    CLI::App* const command =
        add("check", "Look for ERROR, deadlocks and lack of progress",
            "agon lts check examples/driver.lts --process FIXED",
            [w = words_](Session& session) {
              return run_check({parse_input(w->first, w->process), w->flag},
                               session);
            });
    add_input(command);
    command->add_flag("--default-progress", words_->flag,
                      "Also demand that every action recurs for ever");
    add_common(command);
  }

  void add_draw() {
    CLI::App* const command = add(
        "draw", "Draw a system with Graphviz",
        "agon lts draw examples/driver.lts:SPEC -o spec.svg",
        [w = words_](Session& session) {
          return run_draw(
              {parse_input(w->first, w->process), w->output, w->flag}, session);
        });
    add_input(command);
    add_output(command, "FILE.svg or FILE.dot");
    command->add_flag("--force", words_->flag,
                      "Draw it even if it is too large to read");
    add_common(command);
  }

  void add_open() {
    CLI::App* const command = add_to(
        &app_, "open", "Can some environment make an open term misbehave?",
        "agon open examples/stack.ia -D size=64 --never oflo",
        [w = words_](Session& session) { return run_open(w->open, session); });
    add_options(command, words_->open);
    add_common(command);
    add_html(command);
  }

  void add_model() {
    add_c_command("model", "Show what C files mean",
                  "agon model examples/uart.c --function uart_send",
                  words_->model, run_model);
  }

  void add_conformance() {
    add_c_command("check", "Do C procedures conform to their specifications?",
                  "agon check examples/uart.c --spec examples/uart.agon",
                  words_->conformance, run_conformance);
  }

  void add_reach() {
    add_c_command("reach", "Can an assertion fail or reach_error() be called?",
                  "agon reach examples/uart.c --entry main", words_->reach,
                  run_reach);
  }

  void add_falsify() {
    add_c_command("falsify",
                  "Is an error inevitable for some inputs, whatever an "
                  "abstraction does not know?",
                  "agon falsify examples/square_root.c", words_->falsify,
                  run_falsify);
  }

  void add_replay() {
    const std::shared_ptr<ReplayOptions> options(words_, &words_->replay);
    CLI::App* const command = add_to(
        &app_, "replay", "Run a recorded violation, step by step",
        "agon check examples/disk_bug.c --spec examples/disk.agon "
        "--json result.json\n  agon replay result.json",
        [options](Session& session) { return run_replay(*options, session); });
    add_options(command, *options);
    add_common(command);
  }

  void add_play() {
    PlayOptions& options = words_->play;
    CLI::App* const command = add_to(
        &app_, "play", "Play the specification against a recorded violation",
        "agon check examples/disk_bug.c --spec examples/disk.agon --json "
        "r.json\n"
        "  agon play r.json",
        [w = words_](Session& session) { return run_play(w->play, session); });
    command->add_option("RESULT", options.file, "A file that --json wrote")
        ->required();
    command
        ->add_option("--target", options.target,
                     "Play about this target, if there are several")
        ->type_name("NAME");
    command->footer(command->get_footer() +
                    "\nExit codes: 0 the game was played or left, 2 there is "
                    "nothing to play.");
  }

  /// A command that reads C. `options` are a part of the words.
  template <class Options>
  void add_c_command(const std::string& name, const std::string& what,
                     const std::string& example, Options& options,
                     ExitCode (*run)(const Options&, Session&)) {
    const std::shared_ptr<Options> shared(words_, &options);
    CLI::App* const command = add_to(
        &app_, name, what, example,
        [shared, run](Session& session) { return run(*shared, session); });
    c_inputs_.emplace(command, &options.input);
    add_options(command, options);
    add_common(command);
    if (name != "model") add_reports(command);
    if (name != "model" && name != "falsify") add_cache(command);
    if (name != "model") add_html(command);
  }

  void finish_limits() {
    support::Limits& limits = words_->common.limits;
    limits.time = std::chrono::milliseconds(
        static_cast<std::int64_t>(std::ceil(words_->timeout_s * 1000)));
    limits.memory_bytes = words_->memory_mb << 20;
  }

  /// What is installed beside the program. Not for users, so no option says
  /// it.
  std::optional<Explanation> generated(std::span<const std::string> words) {
    if (words.size() != 2 || words[0] != "--generate") return std::nullopt;
    if (words[1] == "man") return Explanation{{}, manual_page(app_)};
    if (words[1] == "bash") return Explanation{{}, bash_completion(app_)};
    if (words[1] == "zsh") return Explanation{{}, zsh_completion(app_)};
    return std::nullopt;
  }

  /// An option that is not known to be irrelevant may matter.
  void finish_cache(const CLI::App* command) {
    static const std::set<std::string> irrelevant{
        "json",   "sarif", "junit",   "html",   "quiet",   "color", "cache",
        "jobs",   "stats", "timeout", "memory", "trace",   "FILES", "spec",
        "target", "-p",    "api",     "entry",  "property"};
    // A kept answer does not have what these write.
    static const std::set<std::string> evidence{"certificate", "witness",
                                                "harness"};
    CommonOptions& common = words_->common;
    for (const CLI::Option* const option : command->get_options()) {
      const std::string name = option->get_lnames().empty()
                                   ? option->get_name()
                                   : option->get_lnames().front();
      if (option->count() == 0) continue;
      if (evidence.contains(name)) common.cache.clear();
      if (irrelevant.contains(name)) continue;
      common.decisive +=
          fmt::format("{}={}\n", name, fmt::join(option->results(), ","));
    }
    common.decisive +=
        fmt::format("detail={}\n",
                    static_cast<int>(words_->conformance.engine.verify.detail));
  }

  /// Nothing is kept that nobody gets to see.
  void choose_detail() {
    const CommonOptions& common = words_->common;
    const evidence::Detail detail =
        !common.html.empty()   ? evidence::Detail::Model
        : !common.json.empty() ? evidence::Detail::History
                               : evidence::Detail::None;
    for (EngineOptions* const engine :
         {&words_->reach.engine, &words_->conformance.engine,
          &words_->module.engine}) {
      engine->verify.detail = detail;
    }
  }

  /// CLI11 reports a misspelt command as a missing one, so we look ourselves.
  std::optional<Explanation> check_names(std::span<const std::string> words) {
    CLI::App* level = &app_;
    for (const std::string& word : words) {
      const auto commands = level->get_subcommands({});
      if (commands.empty() || word.starts_with('-')) return std::nullopt;
      std::vector<std::string> names;
      for (CLI::App* const command : commands) {
        names.push_back(command->get_name());
      }
      if (std::ranges::count(names, word) == 0) {
        return complain(fmt::format("there is no command '{}'{}", word,
                                    support::did_you_mean(word, names)),
                        words);
      }
      level = level->get_subcommand(word);
    }
    if (level->get_subcommands({}).empty()) return std::nullopt;
    return Explanation{ExitCode::BadInput, level->help()};
  }

  /// The command that the words name, as far as they name one.
  CLI::App* addressed(std::span<const std::string> words) {
    CLI::App* level = &app_;
    for (const std::string& word : words) {
      const auto next = level->get_subcommands(
          [&](CLI::App* command) { return command->get_name() == word; });
      if (next.empty()) break;
      level = next.front();
    }
    return level;
  }

  /// A suggestion for the first option that the command does not have.
  static std::string suggest_option(CLI::App* command,
                                    std::span<const std::string> words) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
      }
    }
    for (const std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      if (!name.starts_with("--") || name == "--") continue;
      if (std::ranges::count(names, name) > 0) continue;
      return support::did_you_mean(name, names);
    }
    return "";
  }

  /// Such as `lts compare`; empty for the program itself.
  static std::string name_after_agon(const CLI::App* command) {
    std::string name;
    for (; command->get_parent() != nullptr; command = command->get_parent()) {
      name = command->get_name() + (name.empty() ? "" : " ") + name;
    }
    return name;
  }

  Explanation complain(const std::string& what,
                       std::span<const std::string> words) {
    CLI::App* const command = addressed(words);
    const std::string name = name_after_agon(command);
    std::string advice = suggest_option(command, words);
    if (advice.empty() && c_inputs_.contains(command) &&
        what.find("not expected: -") != std::string::npos) {
      advice = "; arguments for the compiler go behind '--'";
    }
    return {ExitCode::BadInput,
            fmt::format("error: {}{}\nSee 'agon{}{} --help'.\n", what, advice,
                        name.empty() ? "" : " ", name)};
  }

  Explanation explain(const CLI::Success& what) {
    std::ostringstream out;
    std::ostringstream unused;
    app_.exit(what, out, unused);
    return {ExitCode::Holds, out.str()};
  }

  // Shared with the commands, which may outlive the parser.
  std::shared_ptr<Words> words_ = std::make_shared<Words>();
  CLI::App app_;
  CLI::App* lts_ = nullptr;
  std::vector<std::pair<CLI::App*, Run>> runs_;
  std::map<CLI::App*, CInput*> c_inputs_;  // Of the commands that read C.
};

}  // namespace

std::variant<Invocation, Explanation> parse_arguments(
    std::span<const std::string> words) {
  return Parser().parse(words);
}

}  // namespace agon::cli
