// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/help.h"

namespace agon::cli {
namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return names;
}

/// The commands right below, and the options.
std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* const each : app.get_subcommands({})) {
    words.push_back(each->get_name());
  }
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : names_of(*option)) words.push_back(name);
  }
  return words;
}

std::string bash_case(const std::string& name, const CLI::App& app) {
  std::string text = fmt::format("    '{}')\n      words='{}'\n", name,
                                 fmt::join(words_of(app), " "));
  std::string cases;
  for (const CLI::Option* const option : app.get_options()) {
    const auto choices = choices_of(*option);
    if (choices.empty()) continue;
    cases +=
        fmt::format("        {}) values='{}' ;;\n",
                    fmt::join(names_of(*option), "|"), fmt::join(choices, " "));
  }
  if (!cases.empty()) {
    text += fmt::format("      case $previous in\n{}      esac\n", cases);
  }
  return text + "      ;;\n";
}

/// Text between square brackets in an argument of _arguments.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, text.find(';'))) {
    if (c == '\'') {
      result += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += '\\';
      result += c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string zsh_option(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : names_of(option)) {
    const auto choices = choices_of(option);
    const std::string value =
        option.get_type_size() == 0
            ? ""
            : fmt::format(":{}:{}", zsh_text(option.get_type_name()),
                          choices.empty()
                              ? "_files"
                              : fmt::format("({})", fmt::join(choices, " ")));
    const bool may_be_joined = !value.empty() && name.starts_with("--");
    text +=
        fmt::format(" \\\n        '{}{}[{}]{}'", name, may_be_joined ? "=" : "",
                    zsh_text(option.get_description()), value);
  }
  return text;
}

/// A function that completes what stands behind a command.
std::string zsh_function(const std::string& function, const CLI::App& app) {
  const auto commands = app.get_subcommands({});
  std::string text = fmt::format("{}() {{\n", function);
  if (commands.empty()) {
    text += "  _arguments -S";
    for (const CLI::Option* const option : app.get_options()) {
      if (!option->get_group().empty()) text += zsh_option(*option);
    }
    return text + " \\\n        '*:file:_files'\n}\n\n";
  }
  std::string values;
  std::string cases;
  for (const CLI::App* const each : commands) {
    values += fmt::format(" \\\n        '{}[{}]'", each->get_name(),
                          zsh_text(each->get_description()));
    cases +=
        fmt::format("        {0}) {1}_{0} ;;\n", each->get_name(), function);
  }
  return text + fmt::format(
                    "  local context state line\n"
                    "  _arguments -C '(-): :->command' '*:: :->rest'\n"
                    "  case $state in\n"
                    "    command)\n      _values command{}\n      ;;\n"
                    "    rest)\n      case $words[1] in\n{}      esac\n"
                    "      ;;\n  esac\n}}\n\n",
                    values, cases);
}

void add_zsh(const std::string& function, const CLI::App& app,
             std::string& text) {
  text += zsh_function(function, app);
  for (const CLI::App* const each : app.get_subcommands({})) {
    add_zsh(function + "_" + each->get_name(), *each, text);
  }
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string commands;
  std::string cases = bash_case("", app);
  for (const auto& [name, command] : commands_of(app)) {
    const std::size_t space = name.rfind(' ');
    const bool is_inner = space != std::string::npos;
    commands += fmt::format("      '{}/{}') command='{}' ;;\n",
                            is_inner ? name.substr(0, space) : "",
                            is_inner ? name.substr(space + 1) : name, name);
    cases += bash_case(name, *command);
  }
  return fmt::format(
      R"(# Completion of agon for bash, made from its option tables.
_agon() {{
  local current=${{COMP_WORDS[COMP_CWORD]}}
  local previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command='' words='' values='' i
  # For bash, --name=value is three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case $command/${{COMP_WORDS[i]}} in
{}    esac
  done
  case $command in
{}  esac
  if [[ -n $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  elif [[ $current == -* || $command == '' || $command == lts ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -F _agon agon
)",
      commands, cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string text =
      "#compdef agon\n"
      "# Completion of agon for zsh, made from its option tables.\n";
  add_zsh("_agon", app, text);
  return text + "_agon \"$@\"\n";
}

}  // namespace agon::cli
