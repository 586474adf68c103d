// SPDX-License-Identifier: Apache-2.0
/// What the option tables say, for people and shells: help, the manual page,
/// completion.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class FormatterBase;
class Option;
}  // namespace CLI

namespace agon::cli {

/// Help that fits 80 columns. Set it before commands are added.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// Once all options are there: those that few people need are only named by
/// `--help`, and explained by `--help-all`.
void arrange_help(CLI::App& app);

/// The page for man(1), and scripts for shells.
std::string manual_page(const CLI::App& app);
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

/// Of the type name of an option, such as `short|full`: what it can be. Empty
/// if that is not a list of words.
std::vector<std::string> choices_of(const CLI::Option& option);

/// All commands below an application with commands, and their names behind
/// `agon`.
std::vector<std::pair<std::string, const CLI::App*>> commands_of(
    const CLI::App& app);

}  // namespace agon::cli
