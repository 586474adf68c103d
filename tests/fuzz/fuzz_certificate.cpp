// SPDX-License-Identifier: Apache-2.0
// Any bytes are a certificate or an InputError; and what was read can be
// written and read again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "evidence/certificate.h"
#include "support/error.h"
#include "support/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace agon;
  evidence::Certificate read;
  try {
    read = evidence::read_certificate(support::Source::from_string(
        "fuzz.json", std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const support::InputError&) {
    return 0;
  }
  const std::string written = evidence::write(read);
  const evidence::Certificate again = evidence::read_certificate(
      support::Source::from_string("written.json", written));
  AGON_ASSERT(evidence::write(again) == written);
  return 0;
}
