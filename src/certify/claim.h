// SPDX-License-Identifier: Apache-2.0
/// What a certificate claims, from the files that the user gives.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evidence/certificate.h"
#include "frontend/frontend.h"
#include "ir/flatten.h"
#include "ir/program.h"
#include "spec/composition.h"
#include "spec/module_client.h"
#include "spec/weave.h"
#include "support/context.h"

namespace agon::certify {

struct Input {
  std::string certificate;
  std::vector<std::string> files;
  std::string spec;  ///< Empty: none.
  /// Of a module: the functions that clients call, and whether routines
  /// without a body may call them too.
  std::vector<std::string> api;
  bool callbacks = false;
  frontend::Options options;
};

/// Flat programs, one for each component, and what they are to conform to.
struct Claim {
  std::vector<ir::Flat> components;
  spec::Composition composition;
};

/// Reads the files of a certificate. Nothing in it is believed but which
/// question is asked.
class Claims {
 public:
  /// Throws InputError for what cannot be read, and Rejected if the certificate
  /// is about other files.
  Claims(const Input& input, const evidence::Certificate& certificate,
         support::Context& context);

  /// Throws Rejected if there is no such question.
  Claim of(const evidence::Proof& proof) const;

  /// Questions of the specification that the certificate says nothing about.
  std::vector<std::string> unproved() const;

  /// What the proofs take for granted about the program.
  std::vector<ir::Assumption> assumptions() const;

 private:
  Claim conformance(const evidence::Proof& proof) const;
  void require_granted(const std::string& entry) const;
  Claim of_program(const spec::ProgramQuestion& question,
                   ir::Program program) const;
  Claim reachability(const evidence::Proof& proof) const;
  Claim of_module(const evidence::Proof& proof) const;

  void prepare_module();

  /// A question about a module, and the program with its client.
  struct AboutModule {
    std::string spec;
    std::shared_ptr<const lts::Lts> lts;
    ir::Program program;
    ir::FunctionId client;
  };

  const evidence::Certificate& certificate_;
  bool callbacks_;
  std::optional<spec::Specification> specification_;
  spec::ModuleBorder border_;
  std::vector<AboutModule> modules_;
  std::optional<ir::Program> program_;
  spec::Woven woven_;
};

}  // namespace agon::certify
