// SPDX-License-Identifier: Apache-2.0
// Reads programs from text. The form is described in text_names.h.
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "ir/text.h"
#include "ir/text_cursor.h"
#include "ir/text_names.h"
#include "ir/text_types.h"
#include "term/smtlib.h"
#include "term/substitute.h"

namespace agon::ir {
namespace {

using term::Term;

class Parser {
 public:
  explicit Parser(const support::Source& source)
      : cursor_(source), program_(read_header()) {}

  Program parse() {
    cursor_.expect_end_of_line();
    while (!cursor_.at_end()) {
      if (!cursor_.at_end_of_line()) parse_line();
      cursor_.expect_end_of_line();
    }
    finish_automaton();
    resolve_owners();
    check_types();
    return std::move(program_);
  }

 private:
  DataModel read_header() {
    cursor_.expect("agon-program");
    if (cursor_.number<unsigned>() != 1) cursor_.fail("expected version 1");
    return cursor_.choice<DataModel>(words::kModels, "ILP32 or LP64");
  }

  void parse_line() {
    if (cursor_.accept("edge")) return parse_edge();
    if (cursor_.accept("file")) {
      program_.files.push_back(cursor_.string());
    } else if (cursor_.accept("type")) {
      parse_type();
    } else if (cursor_.accept("conversion")) {
      Conversion& conversion = program_.conversions.emplace_back();
      if (cursor_.accept("from")) conversion.from = type();
      if (cursor_.accept("to")) conversion.to = type();
    } else if (cursor_.accept("numbered")) {
      NumberedAddress& numbered = program_.numbered.emplace_back();
      numbered.value = cursor_.number<std::uint64_t>();
      cursor_.expect("to");
      numbered.to = type();
    } else if (cursor_.accept("variable")) {
      parse_variable();
    } else if (cursor_.accept("memory")) {
      program_.memory = variable();
    } else if (cursor_.accept("object")) {
      parse_object();
    } else if (cursor_.accept("function")) {
      parse_function();
    } else if (cursor_.accept("assumption")) {
      std::string subject = cursor_.string();
      std::string why = cursor_.string();
      program_.assumptions.push_back(
          {std::move(subject), std::move(why), place()});
    } else if (cursor_.accept("inlined")) {
      parse_inlined();
    } else if (cursor_.accept("initial")) {
      Variable& target = program_.variables[variable().index()];
      target.initial = term(target.term.sort());
    } else if (cursor_.accept("cell")) {
      parse_cell();
    } else if (cursor_.accept("automaton")) {
      parse_automaton();
    } else {
      cursor_.fail("expected what this line describes, such as 'variable'");
    }
  }

  // Parts of lines.

  TypeId type() {
    if (!cursor_.accept_type()) cursor_.fail("expected a type, such as t3");
    const TypeId id(cursor_.number<std::uint32_t>());
    if (id.valid()) types_used_.push_back({cursor_.offset, id});
    return id;
  }
  std::vector<TypeId> types() {
    std::vector<TypeId> result;
    while (cursor_.at_type()) result.push_back(type());
    return result;
  }

  Position place() {
    Position result;
    if (!cursor_.accept('@')) return result;
    if (!cursor_.accept('-')) {
      result.file = FileId(cursor_.number<std::uint32_t>());
      if (result.file.index() >= program_.files.size()) {
        cursor_.fail("there is no such file");
      }
    }
    cursor_.expect(':');
    result.line = cursor_.number<std::uint32_t>();
    cursor_.expect(':');
    result.column = cursor_.number<std::uint32_t>();
    return result;
  }

  VariableId variable() {
    const std::string name = cursor_.string();
    const VariableId id = program_.variable_of(program_.pool->find(name));
    if (!id.valid()) cursor_.fail(fmt::format("no variable '{}'", name));
    return id;
  }
  ObjectId object() {
    const std::string name = cursor_.string();
    const ObjectId id = program_.object_of(program_.pool->find(name));
    if (!id.valid()) cursor_.fail(fmt::format("no object '{}'", name));
    return id;
  }
  FunctionId function() {
    const std::string name = cursor_.string();
    const auto id = program_.find_function(name);
    if (!id.has_value()) cursor_.fail(fmt::format("no function '{}'", name));
    return *id;
  }
  std::vector<VariableId> variables() {
    std::vector<VariableId> result;
    while (cursor_.at_string()) result.push_back(variable());
    return result;
  }

  Term term() {
    cursor_.at_end_of_line();  // The caret is to point to the term.
    const Term result =
        term::parse_term(*program_.pool, cursor_.source(), cursor_.offset);
    term::visit_subterms(result, [&](Term part) {
      if (part.kind() != term::Kind::Address ||
          program_.object_of(part).valid() ||
          program_.function_of(part).valid()) {
        return;
      }
      cursor_.fail(fmt::format("nothing has the address '{}'", part.name()));
    });
    return result;
  }
  Term term(term::Sort sort) {
    const Term result = term();
    if (result.sort() != sort) {
      cursor_.fail(fmt::format("expected a term of sort {}, and this is {}",
                               term::to_smtlib(sort),
                               term::to_smtlib(result.sort())));
    }
    return result;
  }
  std::vector<Term> terms() {
    std::vector<Term> result;
    while (!cursor_.at_end_of_line()) {
      result.push_back(term());
      if (result.back().sort().is_array()) cursor_.fail("this is an array");
    }
    return result;
  }

  /// A name that terms use, so that SMT-LIB has to be able to quote it.
  std::string symbol() {
    std::string name = cursor_.string();
    if (name.find_first_of("|\\") != std::string::npos) {
      cursor_.fail("this name must not contain '|' or a backslash");
    }
    return name;
  }

  void expect_name(const std::string& made, const std::string& wanted) {
    if (made == wanted) return;
    cursor_.fail(fmt::format("the name '{}' is used twice", wanted));
  }

  // Lines.

  void parse_type() {
    if (type().index() != program_.types.size()) {
      cursor_.fail(fmt::format("expected t{}", program_.types.size()));
    }
    Type result;
    result.kind = cursor_.choice<TypeKind>(words::kTypeKinds, "a kind of type");
    result.name = cursor_.string();
    result.is_signed = cursor_.accept("signed");
    result.is_complete = !cursor_.accept("incomplete");
    result.is_variadic = cursor_.accept("variadic");
    result.is_walked = cursor_.accept("walked");
    if (cursor_.accept("size")) result.size = cursor_.number<std::uint64_t>();
    if (cursor_.accept("align")) {
      result.alignment = cursor_.number<std::uint32_t>();
    }
    if (cursor_.accept("count")) result.count = cursor_.number<std::uint64_t>();
    if (cursor_.accept("element")) result.element = type();
    if (cursor_.accept("parameters")) result.parameters = types();
    while (cursor_.accept("field")) {
      Field& field = result.fields.emplace_back();
      field.name = cursor_.string();
      field.type = type();
      field.offset = cursor_.number<std::uint64_t>();
      field.bit_offset = cursor_.number<std::uint8_t>();
      field.bit_width = cursor_.number<std::uint16_t>();
    }
    while (cursor_.accept("value")) {
      Enumerator& enumerator = result.enumerators.emplace_back();
      enumerator.name = cursor_.string();
      enumerator.value = cursor_.number<std::int64_t>();
    }
    program_.types.add(std::move(result));
  }

  void parse_variable() {
    const bool is_memory = !seen_memory_;
    seen_memory_ = true;
    Variable result;
    result.name = symbol();
    result.kind = cursor_.choice<VariableKind>(words::kVariableKinds,
                                               "a kind of variable");
    const term::Sort sort = term::parse_sort(cursor_.source(), cursor_.offset);
    cursor_.expect("display");
    result.display = cursor_.string();
    if (cursor_.at_type()) result.type = type();
    const VariableId id =
        is_memory ? program_.memory : VariableId::at(program_.variables.size());
    if (cursor_.accept("owner")) {
      cursor_.at_string();
      owners_.push_back({cursor_.offset, cursor_.string(), id});
    }
    result.is_static = cursor_.accept("static");
    result.position = place();
    if (is_memory) {
      Variable& memory = program_.variables[id.index()];
      if (result.name != memory.name || sort != memory.term.sort()) {
        cursor_.fail("the first variable has to be 'memory'");
      }
      result.term = memory.term;
      memory = std::move(result);
      return;
    }
    const std::string name = result.name;
    program_.add_variable(std::move(result), sort);
    expect_name(program_[id].name, name);
  }

  void parse_object() {
    Object result;
    result.name = symbol();
    result.kind =
        cursor_.choice<ObjectKind>(words::kObjectKinds, "a kind of object");
    cursor_.expect("display");
    result.display = cursor_.string();
    if (cursor_.at_type()) result.type = type();
    if (cursor_.accept("size")) result.size = cursor_.number<std::uint64_t>();
    if (cursor_.accept("align")) {
      result.alignment = cursor_.number<std::uint32_t>();
    }
    result.is_constant = cursor_.accept("constant");
    result.is_zeroed = cursor_.accept("zeroed");
    result.is_static = cursor_.accept("static");
    if (cursor_.accept("owner")) {
      cursor_.at_string();
      object_owners_.push_back({cursor_.offset, cursor_.string(),
                                ObjectId::at(program_.objects.size())});
    }
    result.position = place();
    std::vector<VariableId> arrays;
    if (cursor_.accept("in")) arrays = variables();
    for (const VariableId v : arrays) expect_array(v);
    if (cursor_.accept("bytes")) {
      result.bytes = cursor_.string();
      if (result.bytes.size() > result.size) {
        cursor_.fail("these are more bytes than the object has");
      }
    }
    const std::string name = result.name;
    const ObjectId id = program_.add_object(std::move(result));
    expect_name(program_[id].name, name);
    program_.objects[id.index()].arrays = std::move(arrays);
  }

  void expect_array(VariableId id) {
    const term::Sort sort = program_[id].term.sort();
    if (!sort.is_array()) cursor_.fail("this variable is not an array");
  }

  void parse_function() {
    Function result;
    result.name = cursor_.string();
    cursor_.expect("display");
    result.display = cursor_.string();
    if (cursor_.at_type()) result.type = type();
    result.has_body = cursor_.accept("body");
    result.is_static = cursor_.accept("static");
    result.is_noreturn = cursor_.accept("noreturn");
    result.is_action = cursor_.accept("action");
    if (cursor_.accept("address")) {
      const std::string address = symbol();
      expect_name(program_.pool->find(address) ? "" : address, address);
      result.address =
          program_.pool->address(address, program_.pointer_width());
    }
    result.position = place();
    if (cursor_.accept("results")) result.results = types();
    if (cursor_.accept("parameters")) result.parameters = variables();
    if (cursor_.accept("locals")) result.locals = variables();
    if (cursor_.accept("objects")) {
      while (cursor_.at_string()) result.objects.push_back(object());
    }
    const std::string name = result.name;
    const FunctionId id = program_.add_function(std::move(result));
    expect_name(program_[id].name, name);
  }

  void parse_inlined() {
    InlinedCall result;
    result.callee = function();
    result.call = place();
    if (cursor_.accept("outer")) {
      result.outer = InlineId(cursor_.number<std::uint32_t>());
      if (result.outer.index() >= program_.inlined.size()) {
        cursor_.fail("this has to be an earlier line");
      }
    }
    program_.inlined.push_back(result);
  }

  void parse_cell() {
    Object& target = program_.objects[object().index()];
    InitialCell cell;
    cell.array = variable();
    expect_array(cell.array);
    cell.offset = cursor_.number<std::uint64_t>();
    cell.value = term();
    if (!cell.value.sort().is_bits()) cursor_.fail("expected a bit-vector");
    target.initial.push_back(cell);
  }

  void parse_automaton() {
    finish_automaton();
    current_ = function();
    automaton_.emplace();
    cursor_.expect("locations");
    const auto count = cursor_.number<std::uint32_t>();
    if (count > cursor_.source().text().size()) {
      cursor_.fail("more locations than edges could reach");
    }
    for (std::uint32_t i = 0; i < count; ++i) automaton_->add_location();
    cursor_.expect("entry");
    automaton_->set_entry(location());
    if (cursor_.accept("exit")) automaton_->set_exit(location());
  }

  void finish_automaton() {
    if (!automaton_.has_value()) return;
    automaton_->finish();
    program_.functions[current_.index()].body = *std::move(automaton_);
    automaton_.reset();
  }

  LocationId location() {
    const LocationId id(cursor_.number<std::uint32_t>());
    if (id.index() >= automaton_->num_locations()) {
      cursor_.fail("there is no such location");
    }
    return id;
  }

  void parse_edge() {
    if (!automaton_.has_value()) cursor_.fail("an automaton comes first");
    Edge edge;
    edge.from = location();
    edge.to = location();
    edge.position = place();
    if (cursor_.accept("inlined")) {
      edge.inlined = InlineId(cursor_.number<std::uint32_t>());
      if (edge.inlined.index() >= program_.inlined.size()) {
        cursor_.fail("there is no such line");
      }
    }
    edge.statement = statement();
    automaton_->add_edge(std::move(edge));
  }

  Statement statement() {
    if (cursor_.accept("assign")) {
      const VariableId target = variable();
      return Assign{target, term(program_[target].term.sort())};
    }
    if (cursor_.accept("assume")) return Assume{term(term::Sort::boolean())};
    if (cursor_.accept("return")) return Return{terms()};
    if (cursor_.accept("call")) return call();
    cursor_.expect("havoc");
    Havoc havoc;
    havoc.target = variable();
    havoc.reason =
        cursor_.choice<HavocReason>(words::kHavocReasons, "a reason");
    havoc.source = cursor_.string();
    return havoc;
  }

  Call call() {
    Call result;
    if (cursor_.accept("pointer")) {
      result.pointer = term(term::Sort::bits(program_.pointer_width()));
    } else {
      result.callee = function();
    }
    if (cursor_.at_type()) result.type = type();
    if (cursor_.accept("results")) result.results = variables();
    if (cursor_.accept("arguments")) result.arguments = terms();
    return result;
  }

  // What can only be checked at the end.

  FunctionId owner(std::size_t offset, const std::string& name) {
    const auto id = program_.find_function(name);
    if (id.has_value()) return *id;
    cursor_.source().fail(offset, fmt::format("no function '{}'", name));
  }

  void resolve_owners() {
    for (const auto& [offset, name, id] : owners_) {
      program_.variables[id.index()].owner = owner(offset, name);
    }
    for (const auto& [offset, name, id] : object_owners_) {
      program_.objects[id.index()].owner = owner(offset, name);
    }
  }

  void check_types() {
    for (const auto& [offset, id] : types_used_) {
      if (id.index() < program_.types.size()) continue;
      cursor_.source().fail(offset, "there is no such type");
    }
    const TypeId bad = find_self_containing(program_.types);
    if (!bad.valid()) return;
    throw support::InputError(fmt::format("'{}': the type t{} contains itself",
                                          cursor_.source().name(),
                                          bad.value()));
  }

  template <class Id>
  struct Owner {
    std::size_t offset;
    std::string name;
    Id id;
  };

  TextCursor cursor_;
  Program program_;
  bool seen_memory_ = false;
  std::vector<std::pair<std::size_t, TypeId>> types_used_;
  std::vector<Owner<VariableId>> owners_;
  std::vector<Owner<ObjectId>> object_owners_;
  std::optional<Cfa> automaton_;
  FunctionId current_;
};

}  // namespace

Program parse_text(const support::Source& source) {
  return Parser(source).parse();
}

}  // namespace agon::ir
