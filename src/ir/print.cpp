// SPDX-License-Identifier: Apache-2.0
#include "ir/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "ir/print_lvalue.h"

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

/// Statements longer than this do not move the columns behind them.
constexpr std::size_t kWidestColumn = 60;
constexpr std::size_t kNarrowestColumn = 24;

std::string join(const std::vector<std::string>& parts,
                 std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::string_view reason_text(HavocReason reason) {
  switch (reason) {
    case HavocReason::Input:
      return "input";
    case HavocReason::Uninitialised:
      return "uninitialised";
    case HavocReason::Undefined:
      return "undefined";
    case HavocReason::Float:
      return "floating point";
    case HavocReason::Unsupported:
      return "unsupported";
  }
  return "";
}

/// Prints the statements of one program.
class StatementPrinter {
 public:
  explicit StatementPrinter(const Program& program)
      : program_(program), lvalues_(program) {}

  std::string print(const Statement& statement) {
    return std::visit([&](const auto& s) { return print_one(s); }, statement);
  }

  /// The statement of an edge. Where its condition is the opposite of an
  /// earlier one, it is written the same way round: `a < b` and `a >= b`.
  std::string print(const Cfa& body, const Edge& edge) {
    const auto* const assume = std::get_if<Assume>(&edge.statement);
    if (assume == nullptr || !is_order(assume->condition)) {
      return print(edge.statement);
    }
    for (const EdgeId id : body.out_edges(edge.from)) {
      const Edge& other = body.edge(id);
      if (&other == &edge) break;
      const auto* const earlier = std::get_if<Assume>(&other.statement);
      if (earlier != nullptr && is_order(earlier->condition) &&
          earlier->condition.operand(0) == assume->condition.operand(1) &&
          earlier->condition.operand(1) == assume->condition.operand(0)) {
        return "[" + turned_round(assume->condition) + "]";
      }
    }
    return print(edge.statement);
  }

  std::string value(Term term, TypeId type) {
    return lvalues_.value(term, type);
  }

 private:
  static bool is_order(Term term) {
    return term.kind() >= Kind::ULess && term.kind() <= Kind::SLessEqual;
  }

  std::string turned_round(Term order) {
    const std::string whole = text(order);
    const std::string a = text(order.operand(0));
    const std::string b = text(order.operand(1));
    for (const auto& [symbol, other] :
         {std::pair(" < ", " > "), std::pair(" <= ", " >= ")}) {
      if (whole == a + symbol + b) return b + other + a;
    }
    return whole;
  }

  std::string name(VariableId id) const { return name_of(program_[id]); }
  std::string text(Term term) { return term::to_c(term, lvalues_.style()); }
  std::vector<std::string> texts(const std::vector<Term>& terms) {
    std::vector<std::string> result;
    for (const Term term : terms) result.push_back(text(term));
    return result;
  }

  std::string print_one(const Assign& assign) {
    const Variable& target = program_[assign.target];
    if (!target.term.sort().is_array()) {
      return fmt::format("{} = {}", name_of(target),
                         lvalues_.value(assign.value, target.type));
    }
    const auto changes = changes_of(target.term, assign.value);
    if (!changes.empty()) return join(changes, "; ");
    return fmt::format("{} = {}", name_of(target), text(assign.value));
  }

  /// The assignments and copies that change an array, in order; none if the
  /// new value is not made from the old one by these.
  std::vector<std::string> changes_of(Term array, Term value) {
    std::vector<std::string> changes;
    while (value.kind() == Kind::Write || value.kind() == Kind::Copy) {
      if (value.kind() == Kind::Write) {
        changes.push_back(print_write(array, value));
      } else if (std::string copied = print_copy(array, value);
                 !copied.empty()) {
        changes.push_back(std::move(copied));
      } else {
        return {};
      }
      value = value.operand(0);
    }
    if (value != array) return {};
    std::ranges::reverse(changes);
    return changes;
  }

  /// A copy from the array itself, from another one, or of one value.
  std::string print_copy(Term array, Term copy) {
    const std::string to = text(copy.operand(1));
    const std::string size = text(copy.operand(2));
    const Term source = copy.operand(3);
    if (source.kind() == Kind::ConstantArray) {
      return fmt::format("memset({}, {}, {})", to, text(source.operand(0)),
                         size);
    }
    if (source.kind() != Kind::Variable) return {};
    const bool is_other = source != array &&
                          copy.operand(4) == copy.operand(1) &&
                          program_.variable_of(source).valid();
    const std::string from =
        is_other ? name(program_.variable_of(source)) : text(copy.operand(4));
    return fmt::format("memcpy({}, {}, {})", to, from, size);
  }

  std::string print_write(Term array, Term write) {
    const Term address = write.operand(1);
    const Term value = write.operand(2);
    const VariableId variable = program_.variable_of(array);
    if (variable.valid() && program_[variable].kind == VariableKind::Global) {
      return fmt::format("{}[{}] = {}", name(variable), text(address),
                         text(value));  // No part of memory.
    }
    const auto place = lvalues_.scalar(address, value.width());
    if (place.has_value()) {
      return fmt::format("{} = {}", place->text,
                         lvalues_.value(value, place->type));
    }
    std::string where = text(address);
    if (where.find(' ') != std::string::npos) where = "(" + where + ")";
    return fmt::format("*({} *){} = {}", scalar_name(value.width()), where,
                       text(value));
  }

  static std::string scalar_name(unsigned width) {
    switch (width) {
      case 8:
        return "char";
      case 16:
        return "short";
      case 32:
        return "int";
      case 64:
        return "long";
      default:
        return fmt::format("int{}_t", width);
    }
  }

  std::string print_one(const Havoc& havoc) {
    if (!havoc.source.empty()) {
      return fmt::format("{} = {}()", name(havoc.target), havoc.source);
    }
    return fmt::format("{} = ? /* {} */", name(havoc.target),
                       reason_text(havoc.reason));
  }

  std::string print_one(const Assume& assume) {
    return fmt::format("[{}]", text(assume.condition));
  }

  std::string print_one(const Call& call) {
    std::string callee;
    if (call.callee.valid()) {
      callee = name_of(program_[call.callee]);
    } else {
      callee = text(call.pointer);
      const bool is_plain = callee.find_first_of(" *&") == std::string::npos;
      if (!is_plain) callee = "(" + callee + ")";
    }
    std::vector<std::string> arguments;
    const std::vector<TypeId> types = parameter_types(call);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      arguments.push_back(lvalues_.value(
          call.arguments[i], i < types.size() ? types[i] : TypeId()));
    }
    std::vector<std::string> results;
    for (const VariableId id : call.results) results.push_back(name(id));
    std::string assigned;
    if (results.size() == 1) assigned = results[0] + " = ";
    if (results.size() > 1) assigned = "{" + join(results, ", ") + "} = ";
    return fmt::format("{}{}({})", assigned, callee, join(arguments, ", "));
  }

  /// The types of the parameters, unless structs are passed as their scalars.
  std::vector<TypeId> parameter_types(const Call& call) const {
    if (!call.type.valid()) return {};
    const Type& type = program_.types[call.type];
    if (type.kind != TypeKind::Function) return {};
    const bool has_struct =
        std::ranges::any_of(type.parameters, [&](TypeId id) {
          return id.valid() && program_.types[id].is_record();
        });
    return has_struct ? std::vector<TypeId>() : type.parameters;
  }

  std::string print_one(const Return& leave) {
    const std::vector<std::string> values = texts(leave.values);
    if (values.empty()) return "return";
    if (values.size() == 1) return "return " + values[0];
    return "return {" + join(values, ", ") + "}";
  }

  const Program& program_;
  LvaluePrinter lvalues_;
};

/// A line with something in the column of places, if there is a place.
std::string with_place(std::string line, std::size_t column,
                       const std::string& place) {
  if (!place.empty()) {
    line.resize(std::max(line.size() + 2, column), ' ');
    line += place;
  }
  return line + '\n';
}

std::string print_body(const Program& program, FunctionId id,
                       StatementPrinter& printer) {
  const Cfa& body = program[id].body;
  const std::size_t digits = std::to_string(body.num_locations()).size();
  std::vector<std::string> statements;
  std::size_t width = kNarrowestColumn;
  for (const Edge& edge : body.edges()) {
    statements.push_back(printer.print(body, edge));
    if (statements.back().size() <= kWidestColumn) {
      width = std::max(width, statements.back().size());
    }
  }
  const std::size_t places = 3 + digits + 2 + width + 2 + digits + 3;
  std::string text = with_place(declaration(program, id), places,
                                to_string(program, program[id].position));
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Edge& edge = body.edges()[i];
    text += with_place(
        fmt::format("   {:>{}}  {:<{}}  {:>{}}", edge.from.value() + 1, digits,
                    statements[i], width, edge.to.value() + 1, digits),
        places, place_of(program, edge));
  }
  return text;
}

std::string print_globals(const Program& program, StatementPrinter& printer) {
  constexpr std::size_t kPlaces = 48;
  std::string text;
  for (const Variable& variable : program.variables) {
    if (variable.kind != VariableKind::Global) continue;
    std::string line = name_of(variable);
    if (variable.type.valid()) {
      line = program.types.declare(variable.type, name_of(variable));
    }
    if (variable.initial.valid()) {
      line += " = " + printer.value(variable.initial, variable.type);
    }
    text += with_place(std::move(line), kPlaces,
                       to_string(program, variable.position));
  }
  for (const Object& object : program.objects) {
    if (object.kind != ObjectKind::Global) continue;
    std::string line = name_of(object);
    if (object.type.valid()) {
      line = program.types.declare(object.type, name_of(object));
    }
    if (object.is_constant) line = "const " + line;
    text += with_place(std::move(line), kPlaces,
                       to_string(program, object.position));
  }
  return text.empty() ? text : text + '\n';
}

/// Inside the quotes of dot.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string dot_cluster(const Program& program, FunctionId id,
                        StatementPrinter& printer) {
  const Cfa& body = program[id].body;
  std::string text =
      fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", id.value(),
                  escaped(declaration(program, id)));
  for (std::size_t i = 0; i < body.num_locations(); ++i) {
    const LocationId location = LocationId::at(i);
    std::string_view shape;
    if (location == body.entry()) shape = ", style=bold";
    if (location == body.exit()) shape = ", shape=doublecircle";
    text += fmt::format("    n{}_{} [label=\"{}\"{}];\n", id.value(), i + 1,
                        i + 1, shape);
  }
  for (const Edge& edge : body.edges()) {
    const std::string place = place_of(program, edge);
    text += fmt::format("    n{}_{} -> n{}_{} [label=\"{}{}{}\"];\n",
                        id.value(), edge.from.value() + 1, id.value(),
                        edge.to.value() + 1, escaped(printer.print(body, edge)),
                        place.empty() ? "" : "\\n", escaped(place));
  }
  return text + "  }\n";
}

template <class Visit>
void for_bodies(const Program& program, const Visit& visit) {
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    if (program.functions[i].has_body) visit(FunctionId::at(i));
  }
}

}  // namespace

term::CStyle c_style(const Program& program) {
  const auto printer = std::make_shared<LvaluePrinter>(program);
  term::CStyle style;
  style.describe = [printer](Term term) { return printer->describe(term); };
  style.is_unsigned = [printer](Term term) {
    return printer->is_unsigned(term);
  };
  return style;
}

std::string to_string(const Program& program, const Position& position) {
  if (position.line == 0) return "";
  if (!position.file.valid()) return fmt::format("line {}", position.line);
  return fmt::format("{}:{}", program.files[position.file.index()],
                     position.line);
}

std::string place_of(const Program& program, const Edge& edge) {
  std::string text = to_string(program, edge.position);
  for (InlineId id = edge.inlined; id.valid();
       id = program.inlined[id.index()].outer) {
    const std::string call =
        to_string(program, program.inlined[id.index()].call);
    if (!call.empty()) text += (text.empty() ? "from " : " from ") + call;
  }
  return text;
}

std::string to_string(const Program& program, const Statement& statement) {
  return StatementPrinter(program).print(statement);
}

std::string declaration(const Program& program, FunctionId id) {
  const Function& function = program[id];
  std::vector<std::string> parameters;
  for (const VariableId v : function.parameters) {
    const Variable& variable = program[v];
    parameters.push_back(
        variable.type.valid()
            ? program.types.declare(variable.type, name_of(variable))
            : name_of(variable));
  }
  TypeId result;
  if (!function.results.empty()) result = function.results[0];
  if (function.type.valid()) {
    const Type& type = program.types[function.type];
    result = type.element;
    if (type.is_variadic) parameters.push_back("...");
  }
  const std::string list = parameters.empty() ? "void" : join(parameters, ", ");
  return (function.is_static ? "static " : "") +
         program.types.declare(result,
                               fmt::format("{}({})", name_of(function), list));
}

std::string print_function(const Program& program, FunctionId function) {
  StatementPrinter printer(program);
  return print_body(program, function, printer);
}

std::string print_program(const Program& program) {
  StatementPrinter printer(program);
  std::string text = print_globals(program, printer);
  for_bodies(program, [&](FunctionId id) {
    text += print_body(program, id, printer) + '\n';
  });
  if (!program.assumptions.empty()) text += "Assumptions\n";
  for (const Assumption& assumption : program.assumptions) {
    const std::string place = to_string(program, assumption.position);
    text += fmt::format("   {}: {}{}\n", assumption.subject, assumption.why,
                        place.empty() ? "" : " (" + place + ")");
  }
  return text;
}

std::string print_dot(const Program& program) {
  StatementPrinter printer(program);
  std::string text =
      "digraph program {\n"
      "  node [shape=circle];\n";
  for_bodies(program,
             [&](FunctionId id) { text += dot_cluster(program, id, printer); });
  return text + "}\n";
}

}  // namespace agon::ir
