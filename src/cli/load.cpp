// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"

#include <fmt/format.h>

#include <utility>

#include "cli/output.h"
#include "fsp/fsp.h"
#include "lts/aut.h"
#include "lts/explore.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::cli {
namespace {

using support::InputError;

constexpr std::string_view kFspColon = ".lts:";

System load_aut(const Input& input, Session& session) {
  if (!input.process.empty()) {
    throw InputError(
        fmt::format("'{}' holds one system without a name; only .lts files "
                    "have processes to choose from",
                    input.path));
  }
  System system;
  system.name = input.path;
  system.built = std::make_shared<const lts::Lts>(lts::read_aut(
      support::Source::open(input.path), session.labels, session.context));
  system.successors = std::make_unique<lts::ExplicitSuccessors>(system.built);
  return system;
}

System load_fsp(const Input& input, Session& session) {
  const fsp::Model model =
      fsp::Model::parse(support::Source::open(input.path), session.context);
  const std::string process =
      input.process.empty() ? model.default_process() : input.process;
  System system;
  system.name = input.path + ":" + process;
  system.successors = model.compile(process, session.labels, session.context);
  for (fsp::Model::Progress& test : model.progress_tests(session.context)) {
    system.progress.push_back({.name = std::move(test.name),
                               .actions = std::move(test.actions),
                               .conditional = test.conditional,
                               .condition = std::move(test.condition)});
  }
  return system;
}

}  // namespace

Input parse_input(const std::string& argument, const std::string& process) {
  Input input{argument, process};
  const std::size_t colon = argument.rfind(kFspColon);
  if (colon == std::string::npos) return input;
  const std::size_t cut = colon + kFspColon.size();
  input.path = argument.substr(0, cut - 1);
  input.process = argument.substr(cut);
  if (input.process.empty()) {
    throw InputError(fmt::format(
        "a process name should follow the colon of '{}'", argument));
  }
  if (!process.empty() && process != input.process) {
    throw InputError(
        fmt::format("'{}' and '--process {}' name two different processes",
                    argument, process));
  }
  return input;
}

System load(const Input& input, Session& session) {
  if (session.subject.empty()) {
    begin(session, input.name(), session.compared_to);
  }
  const std::string kind = extension(input.path);
  if (kind == ".aut") return load_aut(input, session);
  if (kind == ".lts") return load_fsp(input, session);
  if (kind == ".dot" || kind == ".svg") {
    throw InputError(fmt::format(
        "cannot read '{}': {} files are written, never read; name a .aut or "
        ".lts file",
        input.path, kind));
  }
  throw InputError(fmt::format(
      "cannot tell the format of '{}' from its name: it should end in .aut "
      "(Aldebaran) or .lts (FSP)",
      input.path));
}

const lts::Lts& build(System& system, support::Context& context) {
  if (const lts::Lts* whole = system.successors->as_explicit()) return *whole;
  if (!system.built) {
    system.built = std::make_shared<const lts::Lts>(
        lts::explore(*system.successors, context));
  }
  return *system.built;
}

}  // namespace agon::cli
