// SPDX-License-Identifier: Apache-2.0
// Lowers a C file and prints what that took:
//   CPU seconds of Clang's parse, of lowering, functions, edges, peak MB.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "support/error.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: agon_measure_frontend FILE.c [ARGUMENT…]\n", stderr);
    return 2;
  }
  try {
    agon::frontend::Options options;
    options.arguments.assign(argv + 2, argv + argc);
    agon::support::Context context;
    const agon::ir::Program program = agon::frontend::lower(
        std::vector<std::string>{argv[1]}, options, context);
    std::size_t functions = 0;
    std::size_t edges = 0;
    for (const agon::ir::Function& function : program.functions) {
      functions += function.has_body ? 1 : 0;
      edges += function.body.edges().size();
    }
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [&](const char* name) {
      return static_cast<double>(context.statistics()[name]) / 1e6;
    };
    fmt::print("{} {} {} {} {}\n", seconds("frontend.parse_us"),
               seconds("frontend.lower_us"), functions, edges,
               usage.ru_maxrss / 1024);
  } catch (const agon::support::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
