// SPDX-License-Identifier: Apache-2.0
// Any bytes are an open term or an InputError, and nothing worse. If it is a
// term, then the approximate and the precise search agree.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "algol/decide.h"
#include "algol/parser.h"
#include "algol/tree.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace agon;
  using algol::Decision;
  const support::Limits limits{.time = std::chrono::milliseconds(100),
                               .max_states = 1000};
  const auto source = support::Source::from_string(
      "fuzz.ia", std::string(reinterpret_cast<const char*>(data), size));
  try {
    const algol::Judgement judgement =
        algol::read_judgement(source, {{"size", 3}});
    const algol::Tree tree = algol::build_tree(judgement, source);
    for (const char* const move : {"abort", "bounds", "result"}) {
      const std::vector patterns{algol::parse_pattern(move, tree)};
      support::Context first(limits);
      support::Context second(limits);
      const Decision rough =
          algol::decide(judgement, tree, patterns, {}, first);
      const Decision precise = algol::decide(
          judgement, tree, patterns, {true, algol::Order::Program}, second);
      AGON_ASSERT(rough.kind == precise.kind ||
                  rough.kind == Decision::Kind::Unknown ||
                  precise.kind == Decision::Kind::Unknown);
    }
  } catch (const support::InputError&) {
  }
  return 0;
}
