// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "cli/terminal.h"
#include "frontend/compiler_words.h"

namespace agon::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kColumn = 26;  // Where explanations start.
constexpr const char* kExpert = "For experts";

const std::set<std::string> kExpertNames = {"paper",
                                            "integers",
                                            "blocks",
                                            "predicates",
                                            "candidates",
                                            "expansion",
                                            "reuse",
                                            "layers",
                                            "minimize",
                                            "max-subsets",
                                            "max-eliminating",
                                            "minimize-share",
                                            "counterexamples",
                                            "falsification",
                                            "max-predicates",
                                            "max-iterations",
                                            "levels",
                                            "max-states",
                                            "seed",
                                            "solver",
                                            "data-model",
                                            "typed-characters",
                                            "color",
                                            "conformance",
                                            "stats",
                                            "svcomp",
                                            "trace",
                                            "invariants",
                                            "unrolling",
                                            "32",
                                            "64",
                                            "overflow",
                                            "malloc-may-fail",
                                            "choices",
                                            "must"};

std::string indented(const std::string& text, std::size_t by) {
  const std::string space(by, ' ');
  std::string result = folded(text, kWidth - by);
  for (std::size_t at = 0; (at = result.find('\n', at)) != std::string::npos;
       ++at) {
    // `folded` goes on with four spaces, which are not wanted here.
    const std::size_t end = result.find_first_not_of(' ', at + 1);
    result.replace(at + 1, end - at - 1, space);
  }
  return result;
}

/// A name on the left, and what it means on the right.
std::string row(const std::string& name, const std::string& text) {
  const std::string left = "  " + name;
  if (left.size() + 2 <= kColumn) {
    return left + std::string(kColumn - left.size(), ' ') +
           indented(text, kColumn) + "\n";
  }
  if (left.size() + 2 + text.size() <= kWidth) {
    return left + "  " + text + "\n";
  }
  return left + "\n" + std::string(kColumn, ' ') + indented(text, kColumn) +
         "\n";
}

/// What to say of an option in few words: explanations start with it.
std::string first_clause(const std::string& text) {
  return text.substr(0, text.find(';'));
}

class Formatter final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    is_complete_ = mode != CLI::AppFormatMode::Normal;
    std::string text = CLI::Formatter::make_help(app, std::move(name),
                                                 CLI::AppFormatMode::Normal);
    // The library leaves an empty line behind groups as well as before them.
    for (std::size_t at = 0;
         (at = text.find("\n\n\n", at)) != std::string::npos;) {
      text.erase(at, 1);
    }
    return text;
  }

  std::string make_option(const CLI::Option* option,
                          bool is_positional) const override {
    return row(make_option_name(option, is_positional) +
                   (is_positional ? "" : make_option_opts(option)),
               is_complete_ ? make_option_desc(option)
                            : first_clause(make_option_desc(option)));
  }

  std::string make_group(
      std::string group, bool is_positional,
      std::vector<const CLI::Option*> options) const override {
    if (group != kExpert || is_complete_) {
      return CLI::Formatter::make_group(group, is_positional, options);
    }
    std::vector<std::string> names;
    for (const CLI::Option* const option : options) {
      names.push_back(option->get_name());
    }
    return "\n" +
           folded(
               fmt::format("{} (--help-all): {}", group, fmt::join(names, " ")),
               kWidth) +
           "\n";
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_display_name(true), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return folded(CLI::Formatter::make_description(app), kWidth);
  }

  std::string make_footer(const CLI::App* app) const override {
    std::string text = CLI::Formatter::make_footer(app);
    const std::string_view compiler = frontend::kCompilerHelp;
    if (const std::size_t at = text.find(compiler);
        !is_complete_ && at != std::string::npos) {
      text.replace(at, compiler.size(), frontend::kCompilerSummary);
    }
    return folded(text, kWidth);
  }

 private:
  mutable bool is_complete_ = false;  // What the library cannot pass on.
};

void collect(const CLI::App& app, const std::string& prefix,
             std::vector<std::pair<std::string, const CLI::App*>>& result) {
  for (const CLI::App* const each : app.get_subcommands({})) {
    const std::string name = prefix + each->get_name();
    result.emplace_back(name, each);
    collect(*each, name + " ", result);
  }
}

void arrange(CLI::App& app) {
  const auto commands = app.get_subcommands([](CLI::App*) { return true; });
  for (CLI::App* const command : commands) arrange(*command);
  bool has_experts = false;
  for (CLI::Option* const option :
       app.get_options([](CLI::Option*) { return true; })) {
    const auto& names = option->get_lnames();
    if (names.empty() || !kExpertNames.contains(names.front())) continue;
    option->group(kExpert);
    has_experts = true;
  }
  if (has_experts) {
    app.set_help_all_flag("--help-all", "Print help on all options and exit");
  }
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<Formatter>();
}

void arrange_help(CLI::App& app) { arrange(app); }

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.find('|') == std::string::npos || type == "FILE|-") return {};
  return CLI::detail::split(type, '|');
}

std::vector<std::pair<std::string, const CLI::App*>> commands_of(
    const CLI::App& app) {
  std::vector<std::pair<std::string, const CLI::App*>> result;
  collect(app, "", result);
  return result;
}

}  // namespace agon::cli
