// SPDX-License-Identifier: Apache-2.0
/// How often must transitions help or hurt falsification: plays random programs
/// whose error is reachable, with and without them, and prints a table.
///
///     agon_must_transitions [PROGRAMS [VALUES_PER_LOCATION]]
///
/// Questions are answered by trying all values, which is quicker on such
/// programs than a real solver.
#include <fmt/format.h>

#include <cstdlib>

#include "falsify/falsify.h"
#include "tests/unit/falsify/random_body.h"
#include "tests/unit/falsify/small_solver.h"

namespace {

using namespace agon;

struct Row {
  std::size_t programs = 0;
  std::size_t without = 0;
  std::size_t helped = 0;
  std::size_t hurt = 0;
  std::uint64_t queries = 0;
  std::uint64_t queries_with = 0;
};

bool wins(const falsify::Question& question, const std::string& domain,
          bool must, std::size_t values, std::uint64_t& queries) {
  test::SmallSolver solver;
  support::Context context;
  falsify::Options options;
  options.domain = domain;
  options.must = must;
  options.model.values_per_location = values;
  options.max_steps = 10'000;
  const bool result = falsify::falsify(question, options, solver, context).wins;
  queries += context.statistics()["solver.calls"];
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const auto count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  const auto values = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 24;
  fmt::print(
      "| domain | programs | falsified | helped | hurt | queries | "
      "with must |\n|---|---|---|---|---|---|---|\n");
  for (const char* domain : {"sign", "interval", "sign+interval", "parity",
                             "predicates", "interval+predicates"}) {
    Row row;
    const bool is_slow = std::string(domain).ends_with("predicates");
    for (std::size_t seed = 0; seed < (is_slow ? count / 10 : count); ++seed) {
      test::Random random(seed);
      const ir::Program program = test::RandomFalsifiable(random).build();
      const falsify::Question question{
          program, ir::FunctionId(0),
          test::RandomFalsifiable::start(random, program)};
      if (!test::ConcreteGame(program, question.start).falsifier_wins()) {
        continue;
      }
      const bool plain = wins(question, domain, false, values, row.queries);
      const bool with = wins(question, domain, true, values, row.queries_with);
      ++row.programs;
      row.without += plain ? 1 : 0;
      row.helped += with && !plain ? 1 : 0;
      row.hurt += plain && !with ? 1 : 0;
    }
    fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", domain, row.programs,
               row.without, row.helped, row.hurt, row.queries,
               row.queries_with);
  }
}
