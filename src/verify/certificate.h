// SPDX-License-Identifier: Apache-2.0
/// Writes a proof down so that others can check it.
///
/// What the engine has proved is about a program that was divided and sliced by
/// analyses that nobody has to believe. So it is proved again about the flat
/// program (ir/flatten.h), which needs none of them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "abstraction/abstract_program.h"
#include "evidence/certificate.h"
#include "ir/program.h"
#include "lts/lts.h"
#include "support/context.h"
#include "verify/options.h"

namespace agon::verify {

struct CertificateRequest {
  const ir::Program& program;  ///< As it was woven.
  ir::FunctionId entry;
  const lts::Lts& spec;
  bool any_state = false;
  bool callbacks = false;  ///< See ir::FlattenOptions.
  /// Whether the specification was found to simulate the program; otherwise it
  /// is known to have its traces only.
  bool by_simulation = true;
  std::string solver = "z3";
  /// What the first proof has found about loops; null if it did without them,
  /// or nothing is known. Then loops are written out here, too.
  const Hints* hints = nullptr;
  /// Looks for a proof about loops, if that is not enough; may be empty.
  std::function<const Hints*()> look_for_hints;
};

struct Certified {
  /// With a component and the relation; nothing if there is a reason.
  std::optional<evidence::Proof> proof;
  std::string reason;  ///< Why not, for people.
};

/// An abstraction of a flat program, for a certificate. All of it is looked at.
evidence::CertifiedComponent describe(const ir::Program& program,
                                      ir::FunctionId entry,
                                      abstraction::AbstractProgram& model);

/// The refiner's options for proofs that are to be written down: what is known
/// to hold is worth no search for few predicates. They are always about the
/// machine's integers, which is more than that something holds of those without
/// bounds where nothing overflows.
Options for_certificates(Options options);

/// Says so where that is why there is none.
Certified about_machine(Certified found, const Options& options);

/// For a question whose answer is yes.
Certified certify(const CertificateRequest& request, const Options& options,
                  support::Context& context);

}  // namespace agon::verify
