// SPDX-License-Identifier: Apache-2.0
#include "verify/first_reads.h"

#include <algorithm>
#include <set>

#include "ir/interpreter.h"
#include "ir/print.h"
#include "term/substitute.h"
#include "verify/readable.h"

namespace agon::verify {
namespace {

using term::Term;

constexpr std::size_t kMostRead = 1000;
constexpr std::size_t kMostReads = 12;

class FirstReads {
 public:
  FirstReads(const Task& task, const term::Assignment& initial)
      : program_(task.program),
        entry_(task.entry),
        style_(ir::c_style(task.program)),
        initial_(initial) {
    ir::ZeroEnvironment nothing;
    ir::InterpreterOptions options;
    options.max_steps = 0;
    for (const auto& [object, address] :
         ir::interpret(program_, entry_, nothing, options).addresses) {
      const Term place = program_[object].address;
      initial_[place] = {place.sort(), address, {}};
    }
  }

  void follow(const ir::Edge& edge) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      look(assign->value);
      assign_to(assign->target, assign->value);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      look(test->condition);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      assign_to(havoc->target, {});
    }
  }

  std::vector<std::pair<std::string, std::string>> take() {
    return std::move(found_);
  }

 private:
  bool is_given(Term variable) const {
    const ir::VariableId id = program_.variable_of(variable);
    if (!id.valid() || changed_.contains(variable)) return false;
    const ir::Variable& known = program_[id];
    return known.kind == ir::VariableKind::Memory ||
           known.kind == ir::VariableKind::Global ||
           (known.kind == ir::VariableKind::Parameter && known.owner == entry_);
  }

  /// Whether a term means the same as at the start.
  bool is_from_start(Term t) const {
    return std::ranges::all_of(term::variables_of(t),
                               [&](Term v) { return is_given(v); });
  }

  /// Copies of what was given, such as arguments, are followed.
  void assign_to(ir::VariableId target, Term value) {
    const Term variable = program_[target].term;
    if (value.valid()) {
      value = term::substitute(*program_.pool, value, copies_);
    }
    changed_.insert(variable);
    copies_.erase(variable);
    const bool is_copy =
        value.valid() && (value.kind() == term::Kind::Variable ||
                          value.kind() == term::Kind::Address);
    if (is_copy && is_from_start(value)) copies_.emplace(variable, value);
  }

  void look(Term in) {
    if (found_.size() >= kMostReads) return;
    in = term::substitute(*program_.pool, in, copies_);
    term::visit_subterms(in, [&](Term t) {
      if (t.kind() != term::Kind::Read || !t.sort().is_bits() ||
          t.operand(0).kind() != term::Kind::Variable || !is_from_start(t) ||
          !seen_.insert(t).second) {
        return;
      }
      note(t);
    });
  }

  void note(Term read) {
    std::string name = with_short_names(formula_text(read, style_));
    const bool is_in_source = name.find_first_of(" ?[(") == std::string::npos ||
                              name.find("->") != std::string::npos;
    if (!is_in_source) return;
    ir::Variable like;  // For the sign only.
    const term::Value value = term::evaluate(read, initial_);
    const bool is_unsigned = style_.is_unsigned && style_.is_unsigned(read);
    found_.emplace_back(
        std::move(name),
        is_unsigned ? value.number.str() : number_text(program_, like, value));
  }

  const ir::Program& program_;
  ir::FunctionId entry_;
  term::CStyle style_;
  term::Assignment initial_;  // With the places of objects.
  std::set<Term> changed_;
  std::set<Term> seen_;
  term::Substitution copies_;
  std::vector<std::pair<std::string, std::string>> found_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> first_reads(
    const Task& task, const ir::Cfa& body, const refine::Execution& run,
    const term::Assignment& initial) {
  FirstReads reads(task, initial);
  const std::size_t steps = std::min(run.steps.size(), kMostRead);
  for (std::size_t i = 0; i < steps; ++i) {
    reads.follow(body.edge(run.steps[i].edge));
  }
  return reads.take();
}

}  // namespace agon::verify
