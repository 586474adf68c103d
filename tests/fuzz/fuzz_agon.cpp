// SPDX-License-Identifier: Apache-2.0
// Any bytes are a specification or an InputError, and nothing worse.
#include <cstddef>
#include <cstdint>
#include <string>

#include "spec/specification.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace agon;
  support::Context context(support::Limits{.max_states = 2000});
  const auto source = support::Source::from_string(
      "fuzz.agon", std::string(reinterpret_cast<const char*>(data), size));
  spec::LoadOptions options;
  options.allow_import = false;
  try {
    spec::load(source, context, options);
  } catch (const support::InputError&) {
  }
  return 0;
}
