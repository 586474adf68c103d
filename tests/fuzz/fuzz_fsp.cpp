// SPDX-License-Identifier: Apache-2.0
// Any bytes are an FSP file or an InputError, and nothing worse.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "fsp/fsp.h"
#include "lts/explore.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace agon;
  support::Context context(support::Limits{.max_states = 2000});
  const auto source = support::Source::from_string(
      "fuzz.lts", std::string(reinterpret_cast<const char*>(data), size));
  // The first byte of a file is almost always a slash or a letter.
  fsp::ParseOptions options;
  options.allow_tau = size > 0 && data[0] % 2 == 0;
  options.allow_import = false;
  try {
    const auto model = fsp::Model::parse(source, context, options);
    model.progress_tests(context);
    const auto labels = std::make_shared<lts::LabelTable>();
    const auto system = model.compile(model.default_process(), labels, context);
    lts::explore(*system, context);
  } catch (const support::InputError&) {
  }
  return 0;
}
