// SPDX-License-Identifier: Apache-2.0
#include "evidence/readable.h"

#include <fmt/format.h>

#include <map>

#include "ir/print.h"
#include "ir/text.h"
#include "support/error.h"
#include "term/bits.h"
#include "term/print_c.h"
#include "term/smtlib.h"
#include "term/substitute.h"

namespace agon::evidence {
namespace {

ir::Program only_names(ir::Program program) {
  for (ir::Function& function : program.functions) {
    function.has_body = false;
    function.body = ir::Cfa();
  }
  program.inlined.clear();
  return ir::parse_text(
      support::Source::from_string("names", ir::to_text(program)));
}

}  // namespace

term::Term parse_predicate(const ir::Program& program,
                           const std::string& exact) {
  const support::Source source =
      support::Source::from_string("a predicate", exact);
  std::size_t offset = 0;
  const term::Term term = term::parse_term(*program.pool, source, offset);
  if (offset != exact.size()) source.fail(offset, "expected the end");
  if (!term.sort().is_bool()) source.fail(0, "expected a condition");
  term::visit_subterms(term, [&](term::Term part) {
    const bool is_known = part.kind() == term::Kind::Variable
                              ? program.variable_of(part).valid()
                              : part.kind() != term::Kind::Address ||
                                    program.object_of(part).valid() ||
                                    program.function_of(part).valid();
    if (!is_known) source.fail(0, "'" + part.name() + "' is not known");
  });
  return term;
}

PredicatePrinter::PredicatePrinter(const ir::Program& program)
    : names_(only_names(program)) {}

void PredicatePrinter::print(CertifiedPredicate& predicate) {
  const term::CStyle style = ir::c_style(names_);
  const term::Term term = parse_predicate(names_, predicate.exact);
  predicate.text = term::to_c(term, style);
  predicate.negation = term::to_c(names_.pool->negation(term), style);
}

std::vector<std::string> holds(const CertifiedComponent& component,
                               const CertifiedState& state) {
  std::vector<std::string> result;
  for (const std::int64_t literal : state.literals) {
    const auto number =
        static_cast<std::size_t>(literal < 0 ? -literal : literal) - 1;
    const CertifiedPredicate& predicate = component.predicates[number];
    result.push_back(literal < 0 ? predicate.negation : predicate.text);
  }
  return result;
}

std::string place_of(const ir::Program& program, const ir::Cfa& body,
                     ir::LocationId location) {
  for (const ir::EdgeId id : body.out_edges(location)) {
    const std::string place = ir::place_of(program, body.edge(id));
    if (!place.empty()) return place;
  }
  for (const ir::Edge& edge : body.edges()) {
    if (edge.to != location) continue;
    const std::string place = ir::place_of(program, edge);
    if (!place.empty()) return place;
  }
  return {};
}

std::string values_text(const ir::Program& program,
                        const term::Assignment& model) {
  std::map<std::string, std::string> shown;
  for (const auto& [term, value] : model) {
    const ir::VariableId id = program.variable_of(term);
    if (!id.valid() || !value.sort.is_bits()) continue;
    const bool is_signed =
        program[id].type.valid() && program.types[program[id].type].is_signed;
    const auto bits = static_cast<term::Bits>(value.number);
    const auto number =
        is_signed
            ? static_cast<std::int64_t>(term::as_signed(bits, value.sort.width))
            : static_cast<std::int64_t>(bits);
    shown[program[id].display] = fmt::format("{}", number);
  }
  std::string text;
  for (const auto& [name, value] : shown) {
    text += fmt::format("{} {} = {}", text.empty() ? ", for example with" : ",",
                        name, value);
  }
  return text;
}

}  // namespace agon::evidence
