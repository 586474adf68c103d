// SPDX-License-Identifier: Apache-2.0
/// Kinds of options that CLI11 does not have.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace agon::cli {

/// CLI11's own range lets "nan" pass and writes itself into the help.
inline CLI::Validator between(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low &&
            value <= high) {
          return std::string();
        }
        return fmt::format("{} is not a number from {} to {}", text, low, high);
      },
      "");
}

/// One of the keys of a table.
template <class T>
CLI::Validator one_of(const std::map<std::string, T>& table) {
  std::vector<std::string> names;
  for (const auto& [name, value] : table) names.push_back(name);
  return CLI::Validator(
      [names](std::string& text) {
        if (std::ranges::count(names, text) > 0) return std::string();
        return names.size() == 1
                   ? fmt::format("'{}' is not known; there is only '{}'", text,
                                 names.front())
                   : fmt::format("'{}' is none of {}", text,
                                 fmt::join(names, ", "));
      },
      "");
}

/// An option whose value is one of the keys of a table.
template <class T>
void add_choice(CLI::App* command, const std::string& name, T& target,
                const std::map<std::string, T>& values,
                const std::string& help) {
  std::vector<std::string> names;
  for (const auto& [word, value] : values) names.push_back(word);
  command
      ->add_option_function<std::string>(
          name,
          [&target, values](const std::string& word) {
            target = values.at(word);
          },
          help)
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->check(one_of(values));
}

}  // namespace agon::cli
