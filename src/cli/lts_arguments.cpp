// SPDX-License-Identifier: Apache-2.0
#include "cli/lts_arguments.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/label_list.h"
#include "cli/option_kinds.h"

namespace agon::cli {
namespace {

constexpr const char* kInputHelp = "FILE.aut, FILE.lts, or FILE.lts:PROCESS";
constexpr double kMostCounterexamples = 1000;

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
};

class Commands {
 public:
  explicit Commands(CLI::App& lts) : lts_(lts) {
    add_info();
    add_convert();
    add_compose();
    add_minimize();
    add_compare();
    add_check();
    add_draw();
  }

  std::vector<std::pair<CLI::App*, Run>> take() { return std::move(runs_); }

 private:
  CLI::App* add(const std::string& name, const std::string& what,
                const std::string& example, Run run) {
    CLI::App* const command = lts_.add_subcommand(name, what);
    command->footer("Example:\n  " + example);
    runs_.emplace_back(command, std::move(run));
    return command;
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
                     "simulation, weak-simulation, trace, weak-trace, strong, "
                     "branching or weak; SPEC simulates IMPL, SPEC has its "
                     "traces, or they are bisimilar")
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
  }

  CLI::App& lts_;
  // Shared with the commands, which outlive this.
  std::shared_ptr<Words> words_ = std::make_shared<Words>();
  std::vector<std::pair<CLI::App*, Run>> runs_;
};

}  // namespace

std::vector<std::pair<CLI::App*, Run>> add_lts_commands(CLI::App& lts) {
  return Commands(lts).take();
}

}  // namespace agon::cli
