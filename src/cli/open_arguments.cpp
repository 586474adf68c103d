// SPDX-License-Identifier: Apache-2.0
#include "cli/open_arguments.h"

#include "cli/option_kinds.h"

namespace agon::cli {

void add_options(CLI::App* command, OpenOptions& options) {
  command->add_option("FILE", options.file, "An open term, FILE.ia")
      ->required();
  command
      ->add_option("-D", options.definitions,
                   "Give a number that the term leaves open a value")
      ->type_name("NAME=N")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--never", options.never,
                   "A move that must not be reachable; such as 'oflo' or "
                   "'x.write(3)'; by default abort and bounds. May be repeated")
      ->type_name("MOVE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--find", options.find,
                   "A move that should be reachable; the verdict is 'holds', "
                   "with a play, if it is. May be repeated")
      ->type_name("MOVE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--precise", options.precise,
                    "Search the precise model, without approximation; for "
                    "terms with few values");
  command->add_flag("--eager", options.eager,
                    "Build the whole precise model, then search it; for a "
                    "shortest play, of small terms");
  add_choice<algol::Order>(
      command, "--order", options.order,
      {{"program", algol::Order::Program}, {"random", algol::Order::Random}},
      "In which order to try options; that of the program, or a random one "
      "that --seed chooses");
  command
      ->add_option("-o,--output", options.output,
                   "Write the whole precise model to FILE.aut or FILE.dot")
      ->type_name("OUT");
  command->add_flag("--full", options.full,
                    "Print every move of a play, repeated ones too");
}

}  // namespace agon::cli
