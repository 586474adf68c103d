// SPDX-License-Identifier: Apache-2.0
// Any bytes are an .aut file or an InputError; and what was read can be written
// and read again.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lts/aut.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace agon;
  support::Context context(support::Limits{.max_states = 2000});
  const auto labels = std::make_shared<lts::LabelTable>();
  std::string written;
  try {
    const lts::Lts lts = lts::read_aut(
        support::Source::from_string(
            "fuzz.aut", std::string(reinterpret_cast<const char*>(data), size)),
        labels, context);
    written = lts::write_aut(lts);
  } catch (const support::InputError&) {
    return 0;
  }
  const lts::Lts again = lts::read_aut(
      support::Source::from_string("written.aut", written), labels, context);
  AGON_ASSERT(lts::write_aut(again) == written);
  return 0;
}
