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
#include "cli/lts_arguments.h"
#include "cli/open_arguments.h"
#include "cli/option_kinds.h"
#include "frontend/compiler_words.h"
#include "report/version.h"
#include "support/error.h"
#include "support/suggest.h"

// docs/architecture.md says which files see CLI11.

namespace agon::cli {
namespace {

/// The words of one command line as CLI11 stores them.
struct Words {
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

constexpr double kLargestSeed = 9e15;  // Whole numbers are exact up to here.

class Parser {
 public:
  Parser()
      : app_(
            "Agon decides by games whether C code does what a state machine "
            "allows.",
            "agon") {
    app_.formatter(help_formatter());
    app_.set_version_flag("--version", fmt::format("agon {}", report::kVersion),
                          "Print the version and exit");
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer(
        "Example:\n  agon check examples/uart.c --spec examples/uart.agon\n"
        "Exit codes: 0 holds, 1 violated, 2 bad usage or input, 3 unknown, "
        "4 internal error.\n"
        "See 'agon COMMAND --help' for what a command does.");
    add_conformance();
    add_reach();
    add_falsify();
    add_c_command("module", "Can any client of a C module make it misbehave?",
                  "agon module examples/stack.c --api push,pop", words_->module,
                  run_module);
    add_open();
    add_model();
    add_play();
    add_replay();
    add_lts();
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
    CLI::App* const command = app_.add_subcommand(name, what);
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
                     "Write violations with their paths as SARIF; for code "
                     "hosts and editors")
        ->type_name("FILE");
    command
        ->add_option(
            "--junit", common.junit,
            "Write the results as JUnit's XML; for continuous integration")
        ->type_name("FILE");
  }

  /// Of commands whose answers can be kept.
  void add_cache(CLI::App* command) {
    command
        ->add_option("--cache", words_->common.cache,
                     "Keep answers here and use them again; proofs and "
                     "violations, as long as nothing that matters has changed")
        ->type_name("DIR");
  }

  /// Of commands that have something to show.
  void add_html(CLI::App* command) {
    command
        ->add_option(
            "--html", words_->common.html,
            "Write a page for a browser; to look at the results, step by step")
        ->type_name("FILE");
  }

  void add_lts() {
    CLI::App* const lts =
        app_.add_subcommand("lts", "Work on labelled transition systems");
    lts->require_subcommand(1);
    lts->footer(
        "Systems are read from .aut (Aldebaran) and .lts (FSP) files; in an "
        "FSP file,\nFILE.lts:PROCESS chooses the process.\n"
        "See 'agon lts COMMAND --help' for the options of a command.\n"
        "Exit codes: 0 holds or done, 1 violated, 2 bad usage or input, "
        "3 unknown, 4 internal error.");
    for (auto& [command, run] : add_lts_commands(*lts)) {
      add_common(command);
      runs_.emplace_back(command, std::move(run));
    }
  }

  void add_open() {
    CLI::App* const command = add(
        "open", "Can some environment make an open term misbehave?",
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
    CLI::App* const command = add(
        "replay", "Run a recorded violation, step by step",
        "agon check examples/disk_bug.c --spec examples/disk.agon "
        "--json result.json\n  agon replay result.json",
        [options](Session& session) { return run_replay(*options, session); });
    add_options(command, *options);
    add_common(command);
  }

  void add_play() {
    PlayOptions& options = words_->play;
    CLI::App* const command = add(
        "play", "Play the specification against a recorded violation",
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
    CLI::App* const command =
        add(name, what, example,
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
  }

  /// Nothing is kept that nobody gets to see.
  void choose_detail() {
    CommonOptions& common = words_->common;
    common.detail = !common.html.empty()   ? evidence::Detail::Model
                    : !common.json.empty() ? evidence::Detail::History
                                           : evidence::Detail::None;
    for (EngineOptions* const engine :
         {&words_->reach.engine, &words_->conformance.engine,
          &words_->module.engine}) {
      engine->verify.detail = common.detail;
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
  std::vector<std::pair<CLI::App*, Run>> runs_;
  std::map<CLI::App*, CInput*> c_inputs_;  // Of the commands that read C.
};

}  // namespace

std::variant<Invocation, Explanation> parse_arguments(
    std::span<const std::string> words) {
  return Parser().parse(words);
}

}  // namespace agon::cli
