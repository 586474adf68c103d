// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/graphviz.h"
#include "cli/output.h"
#include "cli/written.h"
#include "lts/dot.h"
#include "support/error.h"

namespace agon::cli {
namespace {

/// Beyond this nobody can read a picture, and Graphviz takes minutes.
constexpr std::size_t kMaxStates = 200;
constexpr std::size_t kMaxTransitions = 1000;

void check_readable(const lts::Lts& lts, const std::string& name) {
  if (lts.num_states() <= kMaxStates &&
      lts.num_transitions() <= kMaxTransitions) {
    return;
  }
  throw support::InputError(fmt::format(
      "'{}' has {} states and {} transitions, too many to read in a picture "
      "(the limits are {} and {}); minimize it first, or insist with --force",
      name, lts.num_states(), lts.num_transitions(), kMaxStates,
      kMaxTransitions));
}

}  // namespace

ExitCode run_draw(const DrawOptions& options, Session& session) {
  const std::string kind = extension(options.output);
  if (kind != ".svg" && kind != ".dot") {
    throw support::InputError(
        fmt::format("cannot draw '{}': the name should end in .svg or .dot",
                    options.output));
  }
  System system = load(options.input, session);
  const lts::Lts& lts = build(system, session.context);
  if (!options.force) check_readable(lts, system.name);
  const std::string text = lts::write_dot(lts);
  if (kind == ".dot") {
    write_file(options.output, text);
  } else {
    draw_svg(options.output, text, session.context);
  }
  announce(options.output, system.name, lts, session);
  return ExitCode::Holds;
}

}  // namespace agon::cli
