// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cli/commands.h"
#include "cli/label_list.h"
#include "cli/output.h"
#include "cli/written.h"
#include "lts/composition.h"
#include "lts/explore.h"
#include "lts/operators.h"

namespace agon::cli {

ExitCode run_compose(const ComposeOptions& options, Session& session) {
  check_system_output(options.output);
  std::vector<std::unique_ptr<lts::Successors>> components;
  std::string name;
  for (const Input& input : options.inputs) {
    System system = load(input, session);
    if (!name.empty()) name += " || ";
    name += system.name;
    components.push_back(std::move(system.successors));
  }
  std::unique_ptr<lts::Successors> system = std::make_unique<lts::Composition>(
      std::move(components), session.context);
  if (!options.hide.empty() || !options.keep.empty()) {
    system = lts::hide(std::move(system), [&](const std::string& label) {
      return options.keep.empty() ? matches_any(label, options.hide)
                                  : !matches_any(label, options.keep);
    });
  }
  deliver(options.output, name, lts::explore(*system, session.context),
          session);
  return ExitCode::Holds;
}

}  // namespace agon::cli
