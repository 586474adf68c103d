// SPDX-License-Identifier: Apache-2.0
// A project may have thousands of files, and Clang needs a tenth of a second
// for each. So only those are parsed that mention a name that is looked for.
#include "cli/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "support/error.h"
#include "support/source.h"
#include "support/suggest.h"

namespace agon::cli {
namespace {

using support::InputError;

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(text[at - 1])) &&
        (end == text.size() || !is_part_of_name(text[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

Project::Project(const CInput& input, support::Context& context)
    : input_(input),
      context_(context),
      files_(frontend::files_of(input.options.build_directory)) {
  if (!files_.empty()) return;
  throw InputError(fmt::format("the compile_commands.json in '{}' names no C",
                               input.options.build_directory));
}

const frontend::Symbols& Project::symbols(const std::string& file) {
  const auto [at, is_new] = symbols_.try_emplace(file);
  if (!is_new) return at->second;
  context_.progress(fmt::format("reading {}", file));
  try {
    at->second = frontend::symbols_of(file, input_.options, context_);
  } catch (const InputError& error) {
    broken_.emplace_back(error.what());
  }
  return at->second;
}

bool Project::mentions(const std::string& file, const std::string& name) {
  const auto [at, is_new] = texts_.try_emplace(file);
  if (is_new) {
    try {
      at->second = support::Source::open(file).text();
    } catch (const InputError& error) {
      broken_.emplace_back(error.what());
    }
  }
  return has_word(at->second, name);
}

std::vector<std::string> Project::definitions(const std::string& name) {
  std::vector<std::string> result;
  for (const std::string& file : files_) {
    if (mentions(file, name) && symbols(file).defined.contains(name)) {
      result.push_back(file);
    }
  }
  return result;
}

std::string Project::definition(const std::string& routine) {
  std::vector<std::string> found = definitions(routine);
  std::vector<std::string> known;
  for (const bool is_last : {false, true}) {
    if (!found.empty()) break;
    // Static, or made by a macro.
    for (const std::string& file : files_) {
      if (!is_last && !mentions(file, routine)) continue;
      const frontend::Symbols& here = symbols(file);
      if (here.own.contains(routine) || here.defined.contains(routine)) {
        found.push_back(file);
      }
      known.insert(known.end(), here.defined.begin(), here.defined.end());
    }
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    throw InputError(fmt::format(
        "'{}' is defined in {}; name the C files that belong together", routine,
        fmt::join(found, " and in ")));
  }
  if (!broken_.empty()) {
    throw InputError(fmt::format(
        "no file of the project defines '{}', but not all can be read: {}",
        routine, broken_.front()));
  }
  throw InputError(fmt::format("no file of the project defines '{}'{}", routine,
                               support::did_you_mean(routine, known)));
}

std::vector<std::string> Project::files_for(
    const std::vector<std::string>& routines,
    const std::set<std::string>& described) {
  std::vector<std::string> result;
  const auto add = [&](const std::string& file) {
    if (std::ranges::count(result, file) == 0) result.push_back(file);
  };
  for (const std::string& routine : routines) add(definition(routine));
  std::set<std::string> defined;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const frontend::Symbols here = symbols(result[i]);
    defined.insert(here.defined.begin(), here.defined.end());
    for (const std::string& name : here.needed) {
      if (defined.contains(name) || described.contains(name)) continue;
      const std::vector<std::string> found = definitions(name);
      if (found.size() == 1) add(found.front());
      if (found.size() > 1) {
        context_.note(fmt::format("'{}' is defined in {}; none of them is used",
                                  name, fmt::join(found, " and in ")));
      }
    }
  }
  return result;
}

}  // namespace agon::cli
