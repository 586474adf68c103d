// SPDX-License-Identifier: Apache-2.0
#include "certify/claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/rejected.h"
#include "ir/actions.h"
#include "ir/apart.h"
#include "ir/flatten.h"
#include "ir/library.h"
#include "ir/routines.h"
#include "ir/text.h"
#include "spec/errors.h"
#include "spec/induction.h"
#include "support/error.h"

namespace agon::certify {
namespace {

bool answers(const evidence::Proof& proof, const spec::Question& question) {
  return question.target == proof.target && question.arm == proof.arm &&
         question.spec == proof.spec && question.guard == proof.guard;
}

ir::Flat flattened(const ir::Program& program, const std::string& function,
                   const ir::FlattenOptions& options) {
  const auto entry = program.find_function(function);
  if (!entry || !program[*entry].has_body) {
    throw Rejected(fmt::format("there is no function '{}'", function));
  }
  ir::Flat flat = ir::flatten(program, *entry, options);
  const auto overlap = ir::find_overlap(flat, program, options.any_state);
  if (overlap) throw Rejected(*overlap);
  return flat;
}

bool is_of(const ir::Flat& flat, const evidence::Proof& proof) {
  return flat.program && !proof.components.empty() &&
         evidence::sha256(ir::to_text(*flat.program)) ==
             proof.components.front().program;
}

/// The program that a proof is about.
ir::Program variant_of(ir::Program program, const evidence::Proof& proof) {
  return proof.has_library ? ir::with_library(program) : program;
}

/// The claim that a function conforms. The certificate chooses how it was
/// flattened; then what was left out must not happen either.
Claim about(const ir::Program& program, const std::string& function,
            std::shared_ptr<const lts::Lts> spec, ir::FlattenOptions options,
            const evidence::Proof& proof) {
  Claim claim;
  claim.composition = spec::alone(
      spec::without(*spec::without(*spec, ir::kTooDeep), ir::kNoFunction));
  options.visible = claim.composition.visible.front();
  ir::Flat flat = flattened(program, function, options);
  for (const ir::FlattenOptions& each : ir::variants(options, flat)) {
    if (is_of(flat, proof)) break;
    flat = flattened(program, function, each);
  }
  if (!flat.program) throw Rejected(flat.reason);
  claim.components.push_back(std::move(flat));
  return claim;
}

}  // namespace

Claims::Claims(const Input& input, const evidence::Certificate& certificate,
               support::Context& context)
    : certificate_(certificate), callbacks_(input.callbacks) {
  const std::vector<std::string> specs(input.spec.empty() ? 0 : 1, input.spec);
  for (const auto& why :
       {evidence::difference(input.files, certificate.sources),
        evidence::difference(specs, certificate.spec)}) {
    if (why) throw Rejected(*why);
  }
  frontend::Options options = input.options;
  options.overflow_is_error = certificate.overflow_is_error;
  options.volatile_is_input = certificate.volatile_is_input;
  options.malloc_may_fail = certificate.malloc_may_fail;
  if (!input.spec.empty()) {
    specification_ = spec::load(input.spec, context);
    options.fragments = specification_->fragments();
  }
  program_ = frontend::lower(input.files, options, context);
  const bool is_lp64 = program_->model == ir::DataModel::LP64;
  if (certificate.data_model != (is_lp64 ? "LP64" : "ILP32")) {
    throw Rejected(
        fmt::format("it is about the data model {}", certificate.data_model));
  }
  if (!input.api.empty() && certificate.command != "module") {
    throw support::InputError("it is about no module: --api says nothing");
  }
  border_ = {input.api, spec::without_body(*program_)};
  if (specification_) woven_ = spec::weave(*program_, *specification_);
  if (certificate.command == "module") {
    prepare_module();
  } else if (specification_ && certificate.overflow_is_error) {
    ir::mark_errors(*program_, spec::kOverflowRoutine);
  }
  ir::assume_routines(*program_);
  ir::assume_flat(*program_);
}

std::vector<ir::Assumption> Claims::assumptions() const {
  std::vector<ir::Assumption> result;
  for (const evidence::Proof& proof : certificate_.proofs) {
    for (const ir::Assumption& each :
         variant_of(*program_, proof).assumptions) {
      if (std::ranges::find(result, each) == result.end()) {
        result.push_back(each);
      }
    }
  }
  return result;
}

/// What all questions about a module have in common.
void Claims::prepare_module() {
  if (border_.api.empty()) {
    throw support::InputError("it is about a module: --api is missing");
  }
  for (const std::string& name : border_.api) {
    const auto function = program_->find_function(name);
    if (!function || !(*program_)[*function].has_body) {
      throw Rejected(fmt::format("there is no function '{}'", name));
    }
  }
  spec::unfold(*program_, woven_.own);
  ir::mark_errors(*program_, spec::kErrorRoutines);
  spec::assume_calls_only(*program_);
  program_->assume("clients",
                   "have no pointers but to their own memory and to what the "
                   "module has given them, which they change by calls only");
  // In the same order as where they are decided: names depend on it.
  const auto add = [&](const spec::ModuleQuestion* question) {
    ir::Program program = *program_;
    const spec::ModuleClient client =
        spec::add_client(program, specification_ ? &*specification_ : nullptr,
                         question, border_);
    modules_.push_back({question != nullptr ? question->spec : spec::kNoError,
                        question != nullptr ? question->lts : spec::no_error(),
                        std::move(program), client.function});
  };
  add(nullptr);
  if (!specification_) return;
  for (const spec::ModuleQuestion& each : specification_->modules()) add(&each);
}

Claim Claims::of(const evidence::Proof& proof) const {
  if (certificate_.command == "check") return conformance(proof);
  if (certificate_.command == "reach") return reachability(proof);
  if (certificate_.command == "module") return of_module(proof);
  throw Rejected(fmt::format("'{}' is no command that can be certified",
                             certificate_.command));
}

Claim Claims::conformance(const evidence::Proof& proof) const {
  for (const spec::Question& question : woven_.questions) {
    if (!answers(proof, question)) continue;
    const auto spec = certificate_.overflow_is_error
                          ? spec::without_errors(*question.lts)
                          : question.lts;
    ir::FlattenOptions options;
    options.any_state = question.target != "main";
    const ir::Program program = variant_of(*program_, proof);
    Claim claim = about(program, question.entry, spec, options, proof);
    if (woven_.own.empty()) return claim;
    if (is_of(claim.components.front(), proof)) {
      require_granted(question.entry);
      return claim;
    }
    // With the calls themselves that an abstraction stands for.
    ir::Program unfolded = program;
    spec::unfold(unfolded, woven_.own);
    return about(unfolded, question.entry, spec, options, proof);
  }
  for (const spec::ProgramQuestion& question : woven_.programs) {
    if (question.definition.name == proof.target &&
        question.spec == proof.spec) {
      for (const auto& each : question.components) require_granted(each.entry);
      return of_program(question, variant_of(*program_, proof));
    }
  }
  throw Rejected("the specification does not ask this");
}

/// An induction is complete only if the other proofs are there, too.
void Claims::require_granted(const std::string& entry) const {
  const auto is_proved = [&](const spec::Question& question) {
    return std::ranges::any_of(certificate_.proofs, [&](const auto& proof) {
      return answers(proof, question);
    });
  };
  const auto gap = spec::unproved(*program_, woven_, entry, is_proved);
  if (gap) throw Rejected(spec::takes_for_granted(*gap));
}

Claim Claims::of_module(const evidence::Proof& proof) const {
  if (proof.has_library) {
    throw Rejected("what the C library does is no part of a module");
  }
  for (const AboutModule& each : modules_) {
    if (proof.target != spec::kModuleTarget || proof.spec != each.spec) {
      continue;
    }
    ir::FlattenOptions options;
    options.callbacks = callbacks_;
    return about(each.program, each.program[each.client].name, each.lts,
                 options, proof);
  }
  throw Rejected("the specification does not ask this");
}

std::vector<std::string> Claims::unproved() const {
  std::vector<std::string> result;
  const auto note = [&](const std::string& target, std::size_t arm,
                        const std::string& spec) {
    const bool is_proved = std::ranges::any_of(
        certificate_.proofs, [&](const evidence::Proof& proof) {
          return proof.target == target && proof.arm == arm &&
                 proof.spec == spec;
        });
    if (!is_proved) result.push_back(fmt::format("{}: {}", target, spec));
  };
  if (certificate_.command == "module") {
    for (const AboutModule& each : modules_) {
      note(spec::kModuleTarget, 0, each.spec);
    }
    return result;
  }
  for (const spec::Question& question : woven_.questions) {
    note(question.target, question.arm, question.spec);
  }
  for (const spec::ProgramQuestion& question : woven_.programs) {
    note(question.definition.name, 0, question.spec);
  }
  return result;
}

Claim Claims::of_program(const spec::ProgramQuestion& question,
                         ir::Program program) const {
  Claim claim;
  claim.composition = spec::together(question, certificate_.overflow_is_error);
  if (claim.composition.asks_for_deadlocks) spec::mark_exits(program);
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    const spec::ComponentQuestion& component = question.components[i];
    ir::FlattenOptions options;
    options.visible = claim.composition.visible[i];
    options.any_state = component.routine != "main";
    claim.components.push_back(flattened(program, component.entry, options));
    const ir::Flat& flat = claim.components.back();
    if (!flat.program) throw Rejected(flat.reason);
  }
  return claim;
}

Claim Claims::reachability(const evidence::Proof& proof) const {
  if (proof.errors.empty()) throw Rejected("it forbids nothing");
  ir::Program program = *program_;
  ir::mark_errors(program, proof.errors);
  program = variant_of(std::move(program), proof);
  ir::FlattenOptions options;
  options.any_state = proof.target != "main";
  return about(program, proof.target, spec::no_error(), options, proof);
}

}  // namespace agon::certify
