// SPDX-License-Identifier: Apache-2.0
#include "frontend/unit.h"

#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse.h"
#include "ir/routines.h"
#include "support/error.h"

namespace agon::frontend {
namespace {

using ir::FunctionId;
using ir::ObjectId;
using ir::TypeId;
using ir::VariableId;

std::string line_text(const clang::SourceManager& sources,
                      clang::SourceLocation location) {
  const auto [file, offset] = sources.getDecomposedLoc(location);
  const llvm::StringRef text = sources.getBufferData(file);
  const std::size_t begin = text.rfind('\n', offset) + 1;
  return text.slice(offset == 0 ? 0 : begin, text.find('\n', offset)).str();
}

/// Routines that do not come back, whether or not they are declared so.
bool is_known_noreturn(llvm::StringRef name) {
  return name == "abort" || name == "exit" || name == "_exit" ||
         name == "_Exit" || name == "quick_exit" || name == "reach_error" ||
         name == "__VERIFIER_error" || name == "__assert_fail" ||
         name == "__assert_rtn" || name == "__builtin_trap";
}

/// What got a suffix to be unique is shown with it.
template <class Named>
void tell_apart(Named& named) {
  const std::size_t scope = named.name.rfind("::");
  named.display =
      scope == std::string::npos ? named.name : named.name.substr(scope + 2);
}

}  // namespace

Unit::Unit(clang::ASTContext& context, std::string directory,
           ir::Program& program, SharedNames& symbols)
    : clang_(context),
      directory_(std::move(directory)),
      program_(program),
      symbols_(symbols),
      types_(context, program.types, symbols.records),
      views_(context) {}

ir::Position Unit::position(clang::SourceLocation location) {
  const clang::SourceManager& sources = clang_.getSourceManager();
  const clang::PresumedLoc place =
      sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (place.isInvalid()) return {};
  if (last_name_ != place.getFilename() || !last_id_.valid()) {
    last_name_ = place.getFilename();
    const std::string shown = shown_path(last_name_, directory_);
    const auto [entry, added] = symbols_.files.try_emplace(
        shown, ir::FileId::at(program_.files.size()));
    if (added) program_.files.push_back(shown);
    last_id_ = entry->second;
  }
  return {last_id_, place.getLine(), place.getColumn()};
}

void Unit::fail(clang::SourceLocation location, const std::string& message) {
  const clang::SourceManager& sources = clang_.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(location);
  const clang::PresumedLoc presumed = sources.getPresumedLoc(place);
  if (presumed.isInvalid()) throw support::InputError(message);
  throw support::InputError(
      message,
      {shown_path(presumed.getFilename(), directory_), presumed.getLine(),
       presumed.getColumn()},
      shown_line(presumed.getFilename(), presumed.getLine(),
                 line_text(sources, place)));
}

TypeId Unit::type(clang::QualType type, clang::SourceLocation where) {
  try {
    return types_.lower(type);
  } catch (const support::InputError& error) {
    fail(where, error.message());
  }
}

term::Sort Unit::sort(clang::QualType type, clang::SourceLocation where) {
  return program_.types.sort(this->type(type, where));
}

std::uint64_t Unit::size_of(clang::QualType type) const {
  if (type->isVoidType() || type->isFunctionType()) return 1;  // As GNU C.
  return static_cast<std::uint64_t>(
      clang_.getTypeSizeInChars(type).getQuantity());
}

void Unit::declare_results(ir::Function& function, clang::QualType type,
                           clang::SourceLocation where) {
  if (type->isVoidType()) return;
  const TypeId lowered = this->type(type, where);
  for (const Leaf& leaf : leaves(program_.types, lowered)) {
    function.results.push_back(leaf.type.valid()
                                   ? leaf.type
                                   : this->type(clang_.UnsignedCharTy, where));
  }
}

void Unit::declare_parameters(FunctionId id,
                              const clang::FunctionDecl& declaration) {
  for (const clang::ParmVarDecl* parameter : declaration.parameters()) {
    const TypeId type =
        this->type(parameter->getType(), parameter->getLocation());
    const auto parts = leaves(program_.types, type);
    for (const Leaf& leaf : parts) {
      ir::Variable variable = describe(*parameter, id);
      variable.kind = ir::VariableKind::Parameter;
      if (parts.size() > 1) {
        fmt::format_to(std::back_inserter(variable.name), "@{}", leaf.offset);
      }
      variable.type = leaf.type;
      program_.functions[id.index()].parameters.push_back(program_.add_variable(
          std::move(variable), term::Sort::bits(leaf.size * 8)));
    }
  }
}

// A declaration may refer to a function under its name for the assembler.
std::string Unit::link_name(const clang::FunctionDecl& declaration) const {
  if (const auto* label = declaration.getAttr<clang::AsmLabelAttr>()) {
    const std::string name = label->getLabel().str();
    if (symbols_.functions.contains(name) ||
        symbols_.described.contains(name) || has_fixed_meaning(name) ||
        is_known_noreturn(name)) {
      return name;
    }
  }
  // The compiler's names for routines of the library.
  llvm::StringRef name = declaration.getName();
  if (name != "__builtin_trap") name.consume_front("__builtin_");
  return name.str();
}

bool Unit::has_fixed_meaning(std::string_view routine) {
  return routine == "reach_error" || routine == "__VERIFIER_error" ||
         routine == "__VERIFIER_assume";
}

FunctionId Unit::function(const clang::FunctionDecl& declaration) {
  const clang::FunctionDecl* key = declaration.getCanonicalDecl();
  if (const auto found = functions_.find(key); found != functions_.end()) {
    return found->second;
  }
  const clang::FunctionDecl* definition = nullptr;
  declaration.hasBody(definition);
  const std::string name = link_name(*key);
  if (has_fixed_meaning(name)) definition = nullptr;
  const bool is_static = key->getFormalLinkage() != clang::Linkage::External;
  const auto linked =
      is_static ? symbols_.functions.end() : symbols_.functions.find(name);
  FunctionId id;
  if (linked != symbols_.functions.end()) {
    id = linked->second;
  } else {
    ir::Function made;
    made.name = name;
    made.display = name;
    made.is_static = is_static;
    id = program_.add_function(std::move(made));
    tell_apart(program_.functions[id.index()]);
    if (!is_static) symbols_.functions.emplace(name, id);
  }
  functions_.emplace(key, id);
  ir::Function& entry = program_.functions[id.index()];
  entry.is_noreturn = entry.is_noreturn || key->isNoReturn() ||
                      (definition == nullptr && is_known_noreturn(name));
  if (entry.has_body) return id;
  const clang::FunctionDecl& shown =
      definition != nullptr ? *definition : declaration;
  entry.results.clear();
  declare_results(entry, shown.getReturnType(), shown.getLocation());
  const TypeId type = this->type(shown.getType(), shown.getLocation());
  const ir::Position place = position(shown.getLocation());
  program_.functions[id.index()].type = type;
  program_.functions[id.index()].position = place;
  if (definition != nullptr) {
    program_.functions[id.index()].has_body = true;
    declare_parameters(id, *definition);
    pending_functions.push_back(definition);
  }
  return id;
}

bool Unit::is_address_taken(const clang::VarDecl& declaration) const {
  return address_taken_.contains(declaration.getCanonicalDecl()) ||
         (declaration.hasExternalFormalLinkage() &&
          symbols_.address_taken.contains(declaration.getName().str()));
}

void Unit::take_address(const clang::VarDecl& declaration) {
  address_taken_.insert(declaration.getCanonicalDecl());
  if (declaration.hasExternalFormalLinkage()) {
    symbols_.address_taken.insert(declaration.getName().str());
  }
}

void Unit::mark_walked(bool anything) {
  const auto has_body = [&](const clang::FunctionDecl& function) {
    const auto found = symbols_.functions.find(function.getName().str());
    return found != symbols_.functions.end() &&
           program_[found->second].has_body;
  };
  for (const clang::RecordDecl* record : views_.walked(anything, has_body)) {
    const TypeId type = types_.find(clang_.getRecordType(record));
    if (type.valid()) program_.types.mark_walked(type);
  }
}

void Unit::add_conversions() {
  const auto find = [&](clang::QualType type) {
    return type.isNull() ? TypeId() : types_.find(type);
  };
  for (const Views::Conversion& each : views_.conversions()) {
    const ir::Conversion conversion{find(each.from), find(each.to)};
    const bool is_lowered = conversion.from.valid() != each.from.isNull() &&
                            conversion.to.valid() != each.to.isNull();
    if (!is_lowered) continue;
    if (std::ranges::count(program_.conversions, conversion) == 0) {
      program_.conversions.push_back(conversion);
    }
  }
  const unsigned width = program_.pointer_width();
  for (const Views::Number& each : views_.numbers()) {
    const auto value =
        static_cast<std::uint64_t>(term::truncate(each.value, width));
    const ir::NumberedAddress number{value, find(each.to)};
    if (value == 0 || !number.to.valid()) continue;
    if (std::ranges::count(program_.numbered, number) == 0) {
      program_.numbered.push_back(number);
    }
  }
}

ir::Variable Unit::describe(const clang::VarDecl& declaration,
                            FunctionId owner) {
  ir::Variable variable;
  variable.display = declaration.getName().str();
  variable.name = variable.display;
  if (owner.valid()) {
    variable.name = program_[owner].name + "::" + variable.name;
  } else if (const auto* inside = llvm::dyn_cast<clang::FunctionDecl>(
                 declaration.getDeclContext())) {
    variable.name = inside->getName().str() + "::" + variable.name;
  }
  variable.kind =
      owner.valid() ? ir::VariableKind::Local : ir::VariableKind::Global;
  variable.owner = owner;
  variable.is_static =
      !owner.valid() && !declaration.hasExternalFormalLinkage();
  variable.position = position(declaration.getLocation());
  return variable;
}

Storage Unit::allocate(const clang::VarDecl& declaration, FunctionId owner) {
  const TypeId type =
      this->type(declaration.getType(), declaration.getLocation());
  Storage storage;
  ir::Variable variable = describe(declaration, owner);
  if (is_address_taken(declaration) || !is_splittable(program_.types, type)) {
    ir::Object object;
    object.name = variable.name;
    object.display = variable.display;
    object.type = type;
    object.kind =
        owner.valid() ? ir::ObjectKind::Local : ir::ObjectKind::Global;
    object.size = info(type).size;
    if (declaration.hasInit() && declaration.hasFlexibleArrayInit(clang_)) {
      object.size += static_cast<std::uint64_t>(
          declaration.getFlexibleArrayInitChars(clang_).getQuantity());
    }
    object.alignment = static_cast<std::uint32_t>(
        clang_.getDeclAlign(&declaration).getQuantity());
    object.is_constant = declaration.getType().isConstQualified();
    object.is_static = variable.is_static;
    object.owner = owner;
    object.position = variable.position;
    storage.object = program_.add_object(std::move(object));
    tell_apart(program_.objects[storage.object.index()]);
    if (owner.valid()) {
      program_.functions[owner.index()].objects.push_back(storage.object);
    }
    return storage;
  }
  const bool is_scalar = info(type).is_scalar();
  storage.leaves = leaves(program_.types, type);
  for (const Leaf& leaf : storage.leaves) {
    ir::Variable part = variable;
    part.type = leaf.type;
    if (!is_scalar) {
      const std::string path = field_path(program_.types, type, leaf.offset);
      part.name += path;
      part.display += path;
    }
    const VariableId id =
        program_.add_variable(std::move(part), term::Sort::bits(leaf.size * 8));
    tell_apart(program_.variables[id.index()]);
    if (owner.valid()) {
      program_.functions[owner.index()].locals.push_back(id);
    }
    if (is_scalar) {
      storage.variable = id;
    } else {
      storage.parts.push_back(id);
    }
  }
  return storage;
}

// Units may declare a variable differently. Where it lies in memory its bytes
// are seen as each of them says; otherwise its parts must be the same.
void Unit::require_same(const Storage& storage,
                        const clang::VarDecl& declaration) {
  const clang::SourceLocation where = declaration.getLocation();
  const TypeId type = this->type(declaration.getType(), where);
  const auto& own = program_.types[type];
  std::uint64_t end = 0;
  bool is_same = true;
  ir::Position other;
  if (storage.object.valid()) {
    const ir::Object& object = program_[storage.object];
    end = object.size;
    other = object.position;
  } else {
    const auto parts = leaves(program_.types, type);
    is_same = std::ranges::equal(parts, storage.leaves, {}, &Leaf::extent,
                                 &Leaf::extent);
    end = own.size;
    other = program_[storage.variable.valid() ? storage.variable
                                              : storage.parts.front()]
                .position;
  }
  if (!own.is_complete || (is_same && own.size <= end)) return;
  fail(where, fmt::format("'{}' has another type here than at {}:{}",
                          declaration.getName().str(),
                          program_.files[other.file.index()], other.line));
}

const Storage& Unit::global(const clang::VarDecl& declaration) {
  const clang::VarDecl* key = declaration.getCanonicalDecl();
  if (const auto found = globals_.find(key); found != globals_.end()) {
    return *found->second;
  }
  const bool external = declaration.hasExternalFormalLinkage();
  if (external) {
    const auto found = symbols_.globals.find(key->getName().str());
    if (found != symbols_.globals.end()) {
      require_same(found->second, *declaration.getMostRecentDecl());
      return *globals_.emplace(key, &found->second).first->second;
    }
  }
  const clang::VarDecl* shown = declaration.getDefinition(clang_);
  if (shown == nullptr) shown = declaration.getActingDefinition();
  if (shown == nullptr) shown = declaration.getMostRecentDecl();
  Storage storage = allocate(*shown, FunctionId());
  if (!external) pending_globals.push_back(shown);
  const Storage& made =
      external
          ? symbols_.globals.emplace(key->getName().str(), std::move(storage))
                .first->second
          : statics_.emplace(key, std::move(storage)).first->second;
  globals_.emplace(key, &made);
  return made;
}

VariableId Unit::garbage() {
  if (!symbols_.garbage.valid()) {
    ir::Variable variable;
    variable.name = variable.display = "garbage";
    variable.kind = ir::VariableKind::Memory;
    symbols_.garbage = program_.add_variable(
        std::move(variable), term::Sort::array(program_.pointer_width(), 8));
  }
  return symbols_.garbage;
}

ir::FunctionId Unit::failure(const std::string& name,
                             clang::SourceLocation where) {
  const auto [entry, added] = symbols_.functions.try_emplace(name);
  if (added) {
    ir::Function routine;
    routine.name = routine.display = name;
    routine.is_noreturn = true;
    routine.type = type(clang_.getFunctionNoProtoType(clang_.VoidTy), where);
    entry->second = program_.add_function(std::move(routine));
  }
  return entry->second;
}

std::optional<std::string> Unit::failure_of(FunctionId routine) const {
  const ir::Function& called = program_[routine];
  if (!symbols_.malloc_may_fail || symbols_.replaced.contains(called.name)) {
    return std::nullopt;
  }
  return ir::failure_of(called);
}

FunctionId Unit::failing(FunctionId allocator) {
  const auto [entry, added] =
      symbols_.failing.try_emplace(program_[allocator].name);
  if (!added) return entry->second;
  ir::Function made;
  made.display = program_[allocator].name;
  made.name = made.display + std::string(ir::kWhereItFails);
  made.type = program_[allocator].type;
  made.results = program_[allocator].results;
  made.has_body = true;
  ir::Return null;
  for (const TypeId result : made.results) {
    null.values.push_back(
        program_.pool->bits(0, program_.types.sort(result).width));
  }
  made.body.set_entry(made.body.add_location());
  made.body.set_exit(made.body.add_location());
  // It stands nowhere, so that what it does is shown where it is called.
  made.body.add_edge(
      {made.body.entry(), made.body.exit(), std::move(null), {}, {}});
  made.body.finish();
  const FunctionId id = program_.add_function(std::move(made));
  for (const TypeId type : info(program_[id].type).parameters) {
    ir::Variable parameter;
    parameter.display =
        fmt::format("argument{}", program_[id].parameters.size() + 1);
    parameter.name =
        fmt::format("{}::{}", program_[id].display, parameter.display);
    parameter.kind = ir::VariableKind::Parameter;
    parameter.type = type;
    parameter.owner = id;
    program_.functions[id.index()].parameters.push_back(
        program_.add_variable(std::move(parameter), program_.types.sort(type)));
  }
  entry->second = id;
  return id;
}

// Anybody may change it, and nobody did before the start.
ObjectId Unit::error_number(clang::SourceLocation where) {
  if (!symbols_.error_number.valid()) {
    ir::Object object;
    object.name = object.display = "errno";
    object.type = type(clang_.IntTy, where);
    object.kind = ir::ObjectKind::Global;
    object.size = info(object.type).size;
    object.alignment = info(object.type).alignment;
    object.is_zeroed = true;
    object.position = position(where);
    symbols_.error_number = program_.add_object(std::move(object));
    tell_apart(program_.objects[symbols_.error_number.index()]);
  }
  return symbols_.error_number;
}

ObjectId Unit::string(const clang::StringLiteral& literal) {
  if (const auto found = strings_.find(&literal); found != strings_.end()) {
    return found->second;
  }
  ir::Object object;
  object.name = fmt::format("string{}", strings_.size() + 1);
  object.display = object.name;
  object.type = type(literal.getType(), literal.getBeginLoc());
  object.kind = ir::ObjectKind::String;
  object.size = size_of(literal.getType());
  object.alignment = literal.getCharByteWidth();
  object.is_constant = true;
  object.is_zeroed = true;
  object.position = position(literal.getBeginLoc());
  const unsigned width = literal.getCharByteWidth();
  if (width == 1) {
    object.bytes = literal.getBytes();
  } else {
    symbols_.pointers.note_moved(info(object.type).element);
    object.initial.reserve(literal.getLength());
    for (unsigned i = 0; i < literal.getLength(); ++i) {
      object.initial.push_back(
          {program_.memory, std::uint64_t{i} * width,
           pool().bits(literal.getCodeUnit(i), width * 8)});
    }
  }
  const ObjectId id = program_.add_object(std::move(object));
  strings_.emplace(&literal, id);
  return id;
}

}  // namespace agon::frontend
