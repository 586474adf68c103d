// SPDX-License-Identifier: Apache-2.0
#include "cli/harness.h"

#include <algorithm>
#include <array>

#include "cli/output.h"
#include "cli/variant.h"
#include "evidence/harness.h"
#include "ir/routines.h"
#include "verify/record.h"

namespace agon::cli {
namespace {

/// What the C library does well enough.
constexpr std::array<std::string_view, 11> kLibrary = {
    "malloc", "calloc", "realloc", "aligned_alloc", "free",      "abort",
    "exit",   "_exit",  "_Exit",   "alloca",        "quick_exit"};

bool is_ours(const std::string& name) {
  return name.starts_with("__agon_") || name.starts_with("__builtin_") ||
         name.starts_with("__VERIFIER_assume");
}

}  // namespace

evidence::Surroundings surroundings(const ir::Program& program,
                                    const spec::Specification* specification,
                                    std::vector<std::string> errors) {
  evidence::Surroundings around;
  around.errors = {errors.begin(), errors.end()};
  for (const ir::Function& function : program.functions) {
    if (is_ours(function.name)) continue;
    if (function.name.find(ir::kWhereItFails) != std::string::npos) continue;
    const bool is_library = std::ranges::count(kLibrary, function.name) > 0;
    if (function.has_body) {
      around.defined.insert(function.display);
      if (function.is_static) around.statics.insert(function.display);
    } else if (!is_library) {
      around.undefined.insert(function.display);
    }
    for (const ir::Edge& edge : function.body.edges()) {
      const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
      if (havoc != nullptr && havoc->source.starts_with("__VERIFIER_nondet_")) {
        around.undefined.insert(havoc->source);
      }
    }
  }
  if (specification == nullptr) return around;
  for (const auto& each : specification->plan().replacements) {
    if (!each.is_own && program.find_function(each.shape.routine)) {
      around.stands_for[each.function] = each.shape.routine;
    }
  }
  for (const auto& each : specification->plan().observers) {
    around.observers[each.function] = {each.routine, each.on_return};
  }
  return around;
}

void write_harness(const std::string& path, const ir::Program& program,
                   const AskedQuestion& question,
                   const evidence::Recording* recording, Session& session) {
  if (path.empty() || session.has_harness) return;
  if (recording == nullptr || question.around == nullptr) {
    session.print("  no harness: {}\n",
                  recording == nullptr
                      ? "the execution could not be carried over to the source"
                      : "there is none for questions of this kind");
    return;
  }
  const ir::Program original =
      variant_of(program, question, recording->variant);
  const ir::Program runnable =
      verify::runnable({original, question.entry, question.any_state});
  const evidence::Inputs& inputs = *session.report.inputs;
  evidence::HarnessQuestion asked{
      runnable,        original, *recording,       *question.around,
      question.target, {},       inputs.arguments, inputs.overflow_is_error};
  for (const auto& file : inputs.files) asked.files.push_back(file.name);
  const evidence::Harness harness = evidence::make_harness(asked, path);
  if (harness.text.empty()) {
    session.print("  no harness: {}\n", harness.problem);
    return;
  }
  write_file(path, harness.text);
  session.has_harness = true;
  session.print("  harness: {}\n",
                harness.text.substr(3, harness.text.find(" */") - 3));
  for (const std::string& doubt : harness.doubts) {
    session.print("  the harness cannot choose a value: {}\n", doubt);
  }
}

}  // namespace agon::cli
