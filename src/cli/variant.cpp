// SPDX-License-Identifier: Apache-2.0
#include "cli/variant.h"

#include "ir/library.h"
#include "spec/weave.h"

namespace agon::cli {

ir::Program variant_of(const ir::Program& program,
                       const AskedQuestion& question,
                       const evidence::Recording::Variant& variant) {
  ir::Program result =
      variant.has_library ? ir::with_library(program) : program;
  if (variant.is_unfolded && question.own != nullptr) {
    spec::unfold(result, *question.own);
  }
  return result;
}

}  // namespace agon::cli
