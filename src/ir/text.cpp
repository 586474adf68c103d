// SPDX-License-Identifier: Apache-2.0
#include "ir/text.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/text_names.h"
#include "support/error.h"
#include "term/smtlib.h"

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// Writes a program. Terms are collected, and written as their number unless
/// `with_terms` is set.
class Writer {
 public:
  Writer(const Program& program, bool with_terms,
         std::vector<Position>* places = nullptr)
      : program_(program), with_terms_(with_terms), places_(places) {}

  std::string write() {
    line("{} {}", words::kHeader, word(words::kModels, program_.model));
    for (const std::string& file : program_.files) {
      if (places_ == nullptr) line("file {}", quote(file));
    }
    for (std::size_t i = 0; i < program_.types.size(); ++i) {
      write_type(TypeId::at(i));
    }
    for (const Conversion& each : program_.conversions) {
      line("conversion{}{}", type(" from", each.from), type(" to", each.to));
    }
    for (const NumberedAddress& each : program_.numbered) {
      line("numbered {}{}", each.value, type(" to", each.to));
    }
    for (const Variable& variable : program_.variables) write(variable);
    line("memory {}", name(program_.memory));
    for (const Object& object : program_.objects) write(object);
    for (const Function& function : program_.functions) write(function);
    for (const Assumption& assumption : program_.assumptions) {
      line("assumption {} {}{}", quote(assumption.subject),
           quote(assumption.why), place(assumption.position));
    }
    for (const InlinedCall& inlined : program_.inlined) {
      line("inlined {}{}{}", name(inlined.callee), place(inlined.call),
           inlined.outer.valid()
               ? fmt::format(" outer {}", inlined.outer.value())
               : "");
    }
    write_initial_values();
    for (const Function& function : program_.functions) write_body(function);
    return std::move(text_);
  }

  const std::vector<Term>& terms() const { return terms_; }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format,
                   std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  template <class Words, class Enum>
  static std::string_view word(const Words& words, Enum value) {
    return words[static_cast<std::size_t>(value)];
  }

  // Parts of a line, with a space in front where they may be missing.
  static std::string flag(std::string_view name, bool is_set) {
    return is_set ? fmt::format(" {}", name) : "";
  }
  static std::string number(std::string_view name, std::uint64_t value,
                            std::uint64_t unless) {
    return value == unless ? "" : fmt::format(" {} {}", name, value);
  }
  /// Where places are listed apart, they are not a part of the text.
  std::string place(const Position& position) {
    if (places_ != nullptr) places_->push_back(position);
    if (places_ != nullptr || position == Position()) return "";
    const std::string file =
        position.file.valid() ? std::to_string(position.file.value()) : "-";
    return fmt::format(" @{}:{}:{}", file, position.line, position.column);
  }
  static std::string type(std::string_view role, TypeId id) {
    return id.valid() ? fmt::format("{} t{}", role, id.value()) : "";
  }
  std::string name(VariableId id) const { return quote(program_[id].name); }
  std::string name(FunctionId id) const { return quote(program_[id].name); }
  template <class Id>
  std::string list(std::string_view role, const std::vector<Id>& ids) const {
    if (ids.empty()) return "";
    std::string result = fmt::format(" {}", role);
    for (const Id id : ids) result += ' ' + quote(program_[id].name);
    return result;
  }
  static std::string list(std::string_view role,
                          const std::vector<TypeId>& types) {
    if (types.empty()) return "";
    std::string result = fmt::format(" {}", role);
    for (const TypeId id : types) result += type("", id);
    return result;
  }
  std::string owner(FunctionId id) const {
    return id.valid() ? fmt::format(" owner {}", name(id)) : "";
  }

  std::string text(Term term) {
    terms_.push_back(term);
    if (with_terms_) return term::to_text(term);
    return fmt::format("term{}", terms_.size());
  }
  std::string text(const std::vector<Term>& terms) {
    std::string result;
    for (const Term term : terms) result += ' ' + text(term);
    return result;
  }

  void write_type(TypeId id) {
    const Type& type = program_.types[id];
    text_ += fmt::format(
        "type t{} {} {}{}{}{}{}{}{}{}{}", id.value(),
        word(words::kTypeKinds, type.kind), quote(type.name),
        flag("signed", type.is_signed), flag("incomplete", !type.is_complete),
        flag("variadic", type.is_variadic), flag("walked", type.is_walked),
        number("size", type.size, 0), number("align", type.alignment, 1),
        number("count", type.count, 0), Writer::type(" element", type.element));
    text_ += list("parameters", type.parameters);
    for (const Field& field : type.fields) {
      text_ += fmt::format(" field {} t{} {} {} {}", quote(field.name),
                           field.type.value(), field.offset, field.bit_offset,
                           field.bit_width);
    }
    for (const Enumerator& each : type.enumerators) {
      text_ += fmt::format(" value {} {}", quote(each.name), each.value);
    }
    text_ += '\n';
  }

  void write(const Variable& variable) {
    line("variable {} {} {}{}{}{}{}{}", quote(variable.name),
         word(words::kVariableKinds, variable.kind),
         term::to_smtlib(variable.term.sort()),
         fmt::format(" display {}", quote(variable.display)),
         type("", variable.type), owner(variable.owner),
         flag("static", variable.is_static), place(variable.position));
  }

  void write(const Object& object) {
    line("object {} {} display {}{}{}{}{}{}{}{}{}{}{}", quote(object.name),
         word(words::kObjectKinds, object.kind), quote(object.display),
         type("", object.type), number("size", object.size, 0),
         number("align", object.alignment, 1),
         flag("constant", object.is_constant), flag("zeroed", object.is_zeroed),
         flag("static", object.is_static), owner(object.owner),
         place(object.position), list("in", object.arrays),
         object.bytes.empty() ? "" : " bytes " + quote(object.bytes));
  }

  void write(const Function& function) {
    const std::string address =
        function.address.valid()
            ? fmt::format(" address {}", quote(function.address.name()))
            : "";
    line("function {} display {}{}{}{}{}{}{}{}{}{}{}{}", quote(function.name),
         quote(function.display), type("", function.type),
         flag("body", function.has_body), flag("static", function.is_static),
         flag("noreturn", function.is_noreturn),
         flag("action", function.is_action), address, place(function.position),
         list("results", function.results),
         list("parameters", function.parameters),
         list("locals", function.locals), list("objects", function.objects));
  }

  void write_initial_values() {
    for (const Variable& variable : program_.variables) {
      if (!variable.initial.valid()) continue;
      line("initial {} {}", quote(variable.name), text(variable.initial));
    }
    for (const Object& object : program_.objects) {
      for (const InitialCell& cell : object.initial) {
        line("cell {} {} {} {}", quote(object.name), name(cell.array),
             cell.offset, text(cell.value));
      }
    }
  }

  void write_body(const Function& function) {
    const Cfa& body = function.body;
    if (!body.entry().valid()) return;
    line("automaton {} locations {} entry {}{}", quote(function.name),
         body.num_locations(), body.entry().value(),
         body.exit().valid() ? fmt::format(" exit {}", body.exit().value())
                             : "");
    for (const Edge& edge : body.edges()) {
      line("edge {} {}{}{} {}", edge.from.value(), edge.to.value(),
           place(edge.position),
           edge.inlined.valid()
               ? fmt::format(" inlined {}", edge.inlined.value())
               : "",
           std::visit([&](const auto& s) { return write(s); }, edge.statement));
    }
  }

  std::string write(const Assign& assign) {
    return fmt::format("assign {} {}", name(assign.target), text(assign.value));
  }
  std::string write(const Havoc& havoc) {
    return fmt::format("havoc {} {} {}", name(havoc.target),
                       word(words::kHavocReasons, havoc.reason),
                       quote(havoc.source));
  }
  std::string write(const Assume& assume) {
    return fmt::format("assume {}", text(assume.condition));
  }
  std::string write(const Call& call) {
    const std::string callee = call.callee.valid()
                                   ? name(call.callee)
                                   : "pointer " + text(call.pointer);
    return fmt::format("call {}{}{}{}{}", callee, type("", call.type),
                       list("results", call.results),
                       call.arguments.empty() ? "" : " arguments",
                       text(call.arguments));
  }
  std::string write(const Return& leave) {
    return "return" + text(leave.values);
  }

  const Program& program_;
  bool with_terms_;
  std::vector<Position>* places_;
  std::string text_;
  std::vector<Term> terms_;
};

/// Rebuilds terms in another pool, each once.
class Translator {
 public:
  explicit Translator(term::Pool& pool) : pool_(pool) {}

  /// Invalid if a name has another meaning there.
  Term translate(Term root) {
    stack_.assign(1, root);
    std::vector<Term> operands;
    while (!stack_.empty()) {
      const Term term = stack_.back();
      if (known_.contains(term)) {
        stack_.pop_back();
        continue;
      }
      if (!gather(term, operands)) continue;
      stack_.pop_back();
      const Term result = build(term, operands);
      if (!result.valid()) return {};
      known_.emplace(term, result);
    }
    return known_.at(root);
  }

 private:
  /// The translated operands, or else puts those that are missing on the stack.
  bool gather(Term term, std::vector<Term>& operands) {
    operands.clear();
    const std::size_t size = stack_.size();
    for (const Term operand : term.operands()) {
      const auto found = known_.find(operand);
      if (found == known_.end()) {
        stack_.push_back(operand);
      } else {
        operands.push_back(found->second);
      }
    }
    return stack_.size() == size;
  }

  Term build(Term term, const std::vector<Term>& operands) {
    if (term.kind() == Kind::Variable || term.kind() == Kind::Address) {
      const Term found = pool_.find(term.name());
      const bool is_same = found.valid() && found.sort() == term.sort() &&
                           found.kind() == term.kind();
      return is_same ? found : Term();
    }
    if (term.kind() != Kind::Constant) return pool_.rebuild(term, operands);
    if (term.sort().is_bool()) return pool_.boolean(term.is_true());
    if (term.sort().is_int()) return pool_.integer(term.integer());
    return pool_.bits(term.value(), term.width());
  }

  term::Pool& pool_;
  std::unordered_map<Term, Term> known_;
  std::vector<Term> stack_;
};

}  // namespace

std::string to_text(const Program& program) {
  return Writer(program, true).write();
}

std::string to_text(const Program& program, std::vector<Position>& places) {
  return Writer(program, true, &places).write();
}

bool same_program(const Program& a, const Program& b) {
  Writer first(a, false);
  Writer second(b, false);
  if (first.write() != second.write()) return false;
  AGON_ASSERT(first.terms().size() == second.terms().size());
  if (a.pool == b.pool) return first.terms() == second.terms();
  Translator translator(*b.pool);
  for (std::size_t i = 0; i < first.terms().size(); ++i) {
    if (translator.translate(first.terms()[i]) != second.terms()[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace agon::ir
