// SPDX-License-Identifier: Apache-2.0
#include "certify/claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/rejected.h"
#include "ir/actions.h"
#include "ir/flatten.h"
#include "ir/routines.h"
#include "spec/errors.h"
#include "support/error.h"

namespace agon::certify {
namespace {

void compare_files(const std::vector<std::string>& given,
                   const std::vector<evidence::CertifiedFile>& certified) {
  if (given.size() != certified.size()) {
    throw Rejected(fmt::format("it is about {} files, and {} are given",
                               certified.size(), given.size()));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const support::Source source = support::Source::open(given[i]);
    if (evidence::sha256(source.text()) != certified[i].sha256) {
      throw Rejected(
          fmt::format("'{}' is not the file that it is about", given[i]));
    }
  }
}

ir::Flat flattened(const ir::Program& program, const std::string& function,
                   const std::set<std::string>& visible, bool any_state) {
  const auto entry = program.find_function(function);
  if (!entry || !program[*entry].has_body) {
    throw Rejected(fmt::format("there is no function '{}'", function));
  }
  ir::FlattenOptions options;
  options.any_state = any_state;
  options.visible = visible;
  ir::Flat flat = ir::flatten(program, *entry, options);
  if (!flat.program) throw Rejected(flat.reason);
  return flat;
}

}  // namespace

Claims::Claims(const Input& input, const evidence::Certificate& certificate,
               support::Context& context)
    : certificate_(certificate) {
  compare_files(input.files, certificate.sources);
  compare_files(
      input.spec.empty() ? std::vector<std::string>() : std::vector{input.spec},
      certificate.spec);
  frontend::Options options = input.options;
  options.overflow_is_error = certificate.overflow_is_error;
  options.volatile_is_input = certificate.volatile_is_input;
  std::optional<spec::Specification> specification;
  if (!input.spec.empty()) {
    specification = spec::load(input.spec, context);
    options.fragments = specification->fragments();
  }
  program_ = frontend::lower(input.files, options, context);
  const bool is_lp64 = program_->model == ir::DataModel::LP64;
  if (certificate.data_model != (is_lp64 ? "LP64" : "ILP32")) {
    throw Rejected(
        fmt::format("it is about the data model {}", certificate.data_model));
  }
  if (specification) woven_ = spec::weave(*program_, *specification);
  if (specification && certificate.overflow_is_error) {
    ir::mark_errors(*program_, spec::kOverflowRoutine);
  }
  ir::assume_routines(*program_);
  program_->assume("pointer arithmetic",
                   "a pointer stays inside the object that it points into");
}

Claim Claims::of(const evidence::Proof& proof) const {
  if (certificate_.command == "check") return conformance(proof);
  if (certificate_.command == "reach") return reachability(proof);
  throw Rejected(fmt::format("'{}' is no command that can be certified",
                             certificate_.command));
}

Claim Claims::conformance(const evidence::Proof& proof) const {
  for (const spec::Question& question : woven_.questions) {
    if (question.target != proof.target || question.arm != proof.arm ||
        question.spec != proof.spec || question.guard != proof.guard) {
      continue;
    }
    Claim claim;
    claim.composition = alone(certificate_.overflow_is_error
                                  ? spec::without_errors(*question.lts)
                                  : question.lts);
    claim.components.push_back(flattened(*program_, question.entry,
                                         claim.composition.visible.front(),
                                         question.target != "main"));
    return claim;
  }
  for (const spec::ProgramQuestion& question : woven_.programs) {
    if (question.definition.name == proof.target &&
        question.spec == proof.spec && question.lts != nullptr) {
      return of_program(question);
    }
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
  for (const spec::Question& question : woven_.questions) {
    note(question.target, question.arm, question.spec);
  }
  for (const spec::ProgramQuestion& question : woven_.programs) {
    note(question.definition.name, 0, question.spec);
  }
  return result;
}

Claim Claims::of_program(const spec::ProgramQuestion& question) const {
  Claim claim;
  claim.composition = together(question, certificate_.overflow_is_error);
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    const spec::ComponentQuestion& component = question.components[i];
    claim.components.push_back(flattened(*program_, component.entry,
                                         claim.composition.visible[i],
                                         component.routine != "main"));
  }
  return claim;
}

Claim Claims::reachability(const evidence::Proof& proof) const {
  if (proof.errors.empty()) throw Rejected("it forbids nothing");
  ir::Program program = *program_;
  ir::mark_errors(program, proof.errors);
  Claim claim;
  claim.composition = alone(std::make_shared<const lts::Lts>(
      spec::no_error(std::make_shared<lts::LabelTable>())));
  claim.components.push_back(flattened(program, proof.target,
                                       claim.composition.visible.front(),
                                       proof.target != "main"));
  return claim;
}

}  // namespace agon::certify
