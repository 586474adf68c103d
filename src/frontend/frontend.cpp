// SPDX-License-Identifier: Apache-2.0
// Linking: symbols of all translation units are known before the first body is
// lowered, so that a variable whose address any of them takes is in memory for
// all of them.
#include "frontend/frontend.h"

#include <clang/AST/Attr.h>
#include <clang/Basic/TargetInfo.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "frontend/address_taken.h"
#include "frontend/lowering.h"
#include "frontend/parse.h"
#include "ir/actions.h"
#include "ir/addresses.h"
#include "support/big_stack.h"
#include "support/error.h"
#include "term/substitute.h"

namespace agon::frontend {
namespace {

class Linker {
 public:
  Linker(ir::DataModel model, const Options& options) : program_(model) {
    symbols_.overflow_is_error = options.overflow_is_error;
    symbols_.volatile_is_input = options.volatile_is_input;
    symbols_.malloc_may_fail = options.malloc_may_fail;
    symbols_.constants_must_not_wrap = options.constants_must_not_wrap;
    for (const ir::Fragment& each : options.fragments) {
      symbols_.described.insert(each.routine);
      if (each.is_behaviour) symbols_.replaced.insert(each.routine);
    }
  }

  void add(const Parsed& parsed) {
    units_.push_back(std::make_unique<Unit>(
        parsed.tree->getASTContext(), parsed.directory, program_, symbols_));
  }

  Lowered link() {
    for (const auto& unit : units_) find_addresses(*unit);
    for (const auto& unit : units_) define_functions(*unit);
    for (const Strength strength :
         {Strength::Strong, Strength::Common, Strength::Weak}) {
      for (const auto& unit : units_) define_globals(*unit, strength);
    }
    for (const auto& unit : units_) define_aliases(*unit);
    for (const auto& unit : units_) refuse_second_names(*unit);
    lower_all();
    mark_walked();
    assume_places();
    put_constants_in();
    return {std::move(program_), std::move(symbols_.unreached)};
  }

 private:
  static bool is_replaceable(const clang::FunctionDecl& function) {
    return function.isInlined() || function.hasAttr<clang::WeakAttr>();
  }

  // What changes the meaning of a name behind Clang's back.
  static void refuse_unknown_names(const clang::Decl& declared, Unit& unit) {
    if (llvm::isa<clang::FileScopeAsmDecl>(declared)) {
      unit.fail(declared.getLocation(),
                "assembly outside of functions is not supported");
    }
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declared);
    const bool is_defined = function != nullptr
                                ? function->hasBody()
                                : llvm::isa<clang::VarDecl>(declared);
    if (is_defined && declared.hasAttr<clang::AsmLabelAttr>()) {
      unit.fail(declared.getLocation(),
                "a name for the assembler is not supported here");
    }
    for (const clang::Attr* attribute : declared.attrs()) {
      if (llvm::isa<clang::IFuncAttr, clang::WeakRefAttr,
                    clang::ConstructorAttr, clang::DestructorAttr>(attribute)) {
        unit.fail(declared.getLocation(),
                  fmt::format("the attribute '{}' is not supported",
                              attribute->getSpelling()));
      }
    }
  }

  // Attributes of other compilers that Clang ignores although they change what
  // a program does.
  static void refuse_unknown_attributes(Unit& unit) {
    for (const char* name :
         {"scalar_storage_order", "__scalar_storage_order__"}) {
      const clang::IdentifierTable& known = unit.clang().Idents;
      if (known.find(name) == known.end()) continue;
      const clang::SourceManager& sources = unit.clang().getSourceManager();
      const clang::FileID file = sources.getMainFileID();
      const std::size_t at = sources.getBufferData(file).find(name);
      unit.fail(sources.getLocForStartOfFile(file).getLocWithOffset(
                    at == llvm::StringRef::npos ? 0 : static_cast<int>(at)),
                fmt::format("the attribute '{}' is not supported", name));
    }
  }

  void find_addresses(Unit& unit) {
    refuse_unknown_attributes(unit);
    for (const clang::Decl* declared :
         unit.clang().getTranslationUnitDecl()->decls()) {
      refuse_unknown_names(*declared, unit);
      if (const auto* function =
              llvm::dyn_cast<clang::FunctionDecl>(declared)) {
        if (function->doesThisDeclarationHaveABody()) {
          find_address_taken(*function->getBody(), unit);
          unit.views().note(*function->getBody());
        }
      } else if (const auto* variable =
                     llvm::dyn_cast<clang::VarDecl>(declared)) {
        if (variable->hasInit()) {
          find_address_taken(*variable->getInit(), unit);
          unit.views().note(*variable->getInit());
        }
        if (variable->hasAttr<clang::AliasAttr>()) {
          unit.take_address(aliased<clang::VarDecl>(*variable, unit));
        }
      }
    }
  }

  static const clang::FunctionDecl* definition_of(
      const clang::FunctionDecl& function) {
    return function.getDefinition();
  }
  static const clang::VarDecl* definition_of(const clang::VarDecl& variable) {
    const clang::VarDecl* const found = variable.getDefinition();
    return found != nullptr ? found : variable.getActingDefinition();
  }

  /// What this declaration is another name for.
  template <typename Declaration>
  static const Declaration& aliased(const Declaration& alias, Unit& unit) {
    const std::string name =
        alias.template getAttr<clang::AliasAttr>()->getAliasee().str();
    const clang::TranslationUnitDecl& all =
        *unit.clang().getTranslationUnitDecl();
    for (const clang::NamedDecl* found :
         all.lookup(&unit.clang().Idents.get(name))) {
      const auto* other = llvm::dyn_cast<Declaration>(found);
      if (other == nullptr) continue;
      const Declaration* definition = definition_of(*other);
      if (definition != nullptr &&
          !definition->template hasAttr<clang::AliasAttr>()) {
        return *definition;
      }
    }
    unit.fail(alias.getLocation(),
              fmt::format("'{}' is an alias of '{}', which is not defined in "
                          "this file",
                          alias.getName().str(), name));
  }

  // C does not say where objects lie, and Agon has one answer.
  void assume_places() {
    const auto first = symbols_.pointers.first_doubtful();
    if (!first) return;
    program_.assume(
        "addresses",
        fmt::format(
            "objects lie in memory in the order in which they are declared or "
            "allocated, what is allocated from 0x{:x} on, and each text in the "
            "source at a place of its own",
            ir::heap_start(program_.pointer_width())),
        *first);
  }

  // After all definitions: one of them may take the place of a weak alias.
  void define_aliases(Unit& unit) {
    for (const clang::Decl* declared :
         unit.clang().getTranslationUnitDecl()->decls()) {
      if (!declared->hasAttr<clang::AliasAttr>()) continue;
      if (const auto* function =
              llvm::dyn_cast<clang::FunctionDecl>(declared)) {
        define_alias(unit, *function);
      } else {
        define_alias(unit, *llvm::cast<clang::VarDecl>(declared));
      }
    }
  }

  void define_alias(Unit& unit, const clang::FunctionDecl& alias) {
    const std::string name = alias.getName().str();
    if (Unit::has_fixed_meaning(name)) {
      unit.fail(alias.getLocation(),
                fmt::format("'{}' cannot be an alias", name));
    }
    const ir::FunctionId function = unit.function(aliased(alias, unit));
    if (!claim_alias(unit, alias)) return;
    symbols_.functions[name] = function;
    program_.functions[function.index()].is_static = false;
  }

  void define_alias(Unit& unit, const clang::VarDecl& alias) {
    const Storage& storage = unit.global(aliased(alias, unit));
    if (!claim_alias(unit, alias)) return;
    symbols_.globals[alias.getName().str()] = storage;
    symbols_.defined.insert(alias.getName().str());
    program_.objects[storage.object.index()].is_static = false;
  }

  // Of functions that other files do not see, the assembler's name is not known
  // before they are used.
  static void refuse_second_names(Unit& unit) {
    const clang::TranslationUnitDecl& all =
        *unit.clang().getTranslationUnitDecl();
    for (const clang::Decl* declared : all.decls()) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
      const auto* label = declared->getAttr<clang::AsmLabelAttr>();
      if (function == nullptr || label == nullptr) continue;
      const llvm::StringRef name = label->getLabel();
      if (name == function->getName()) continue;
      const auto here = all.lookup(&unit.clang().Idents.get(name));
      const bool is_hidden = std::ranges::any_of(here, [](const auto* other) {
        const auto* callee = llvm::dyn_cast<clang::FunctionDecl>(other);
        return callee != nullptr && callee->hasBody() &&
               (!callee->isExternallyVisible() || is_replaceable(*callee));
      });
      if (!is_hidden) continue;
      unit.fail(function->getLocation(),
                fmt::format("'{}' is another name of '{}' for the assembler, "
                            "which is not supported here",
                            function->getName().str(), name.str()));
    }
  }

  bool claim_alias(Unit& unit, const clang::NamedDecl& alias) {
    const std::string name = alias.getName().str();
    const bool is_weak = alias.hasAttr<clang::WeakAttr>();
    if (is_weak && claimed_.contains(name)) return false;
    claim(unit, name, alias.getLocation());
    return true;
  }

  void define_functions(Unit& unit) {
    for (const clang::Decl* declared :
         unit.clang().getTranslationUnitDecl()->decls()) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
      if (function == nullptr || !function->doesThisDeclarationHaveABody() ||
          !function->isExternallyVisible() || is_replaceable(*function)) {
        continue;
      }
      claim(unit, function->getName().str(), function->getLocation());
      symbols_.order.define(function->getName().str(), *function, unit);
      unit.function(*function);
    }
  }

  /// Which of several definitions of a variable linkers choose.
  enum class Strength : std::uint8_t { Strong, Common, Weak };

  static Strength strength_of(const clang::VarDecl& variable,
                              bool is_tentative) {
    if (variable.hasAttr<clang::WeakAttr>()) return Strength::Weak;
    return is_tentative ? Strength::Common : Strength::Strong;
  }

  void define_globals(Unit& unit, Strength strength) {
    for (const clang::Decl* declared :
         unit.clang().getTranslationUnitDecl()->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
      if (variable == nullptr || !variable->isExternallyVisible() ||
          variable->hasAttr<clang::AliasAttr>()) {
        continue;
      }
      const auto kind = variable->isThisDeclarationADefinition(unit.clang());
      if (kind == clang::VarDecl::DeclarationOnly) continue;
      const bool is_tentative = kind != clang::VarDecl::Definition;
      if (strength != strength_of(*variable, is_tentative)) continue;
      const std::string name = variable->getName().str();
      if (strength == Strength::Strong) {
        claim(unit, name, variable->getLocation());
      } else if (claimed_.contains(name)) {
        continue;
      }
      if (strength == Strength::Common) enlarge(unit, *variable);
      if (symbols_.defined.insert(name).second) {
        unit.global(*variable);
        unit.pending_globals.push_back(variable);
      }
    }
  }

  // Linkers give a variable that several units declare without a value the
  // largest size of all.
  void enlarge(Unit& unit, const clang::VarDecl& variable) {
    const auto found = symbols_.globals.find(variable.getName().str());
    if (found == symbols_.globals.end()) return;
    const Storage& storage = found->second;
    if (!storage.object.valid()) return;
    ir::Object& object = program_.objects[storage.object.index()];
    const ir::TypeId type =
        unit.type(variable.getType(), variable.getLocation());
    if (program_.types[type].size <= object.size) return;
    object.size = program_.types[type].size;
    object.type = type;
  }

  void claim(Unit& unit, const std::string& name, clang::SourceLocation where) {
    const ir::Position place = unit.position(where);
    const auto [entry, added] = claimed_.emplace(name, place);
    if (added) return;
    unit.fail(where,
              fmt::format("'{}' is defined twice; the other definition is at "
                          "{}:{}",
                          name, program_.files[entry->second.file.index()],
                          entry->second.line));
  }

  // What is lowered may refer to statics and inline functions not seen yet.
  void lower_all() {
    for (bool again = true; again;) {
      again = false;
      for (const auto& unit : units_) {
        while (!unit->pending_globals.empty() ||
               !unit->pending_functions.empty()) {
          again = true;
          lower_pending(*unit);
        }
      }
    }
  }

  void lower_pending(Unit& unit) {
    const auto globals = std::exchange(unit.pending_globals, {});
    for (const clang::VarDecl* variable : globals) {
      initialise_global(unit, *variable);
    }
    const auto functions = std::exchange(unit.pending_functions, {});
    Lowering lowering(unit);
    for (const clang::FunctionDecl* function : functions) {
      lowering.run(*function);
    }
  }

  void initialise_global(Unit& unit, const clang::VarDecl& variable) {
    const Storage storage = unit.global(variable);
    std::vector<Lowering::StaticCell> cells;
    const clang::VarDecl* with_init = nullptr;
    const clang::Expr* init = variable.getAnyInitializer(with_init);
    if (init != nullptr) {
      cells = Lowering(unit).static_initialiser(with_init->getType(), *init);
    }
    if (storage.object.valid()) {
      ir::Object& object = program_.objects[storage.object.index()];
      object.is_zeroed = true;
      for (const auto& cell : cells) {
        object.initial.push_back({program_.memory, cell.offset, cell.value});
      }
      return;
    }
    const auto set = [&](ir::VariableId id, std::uint64_t offset) {
      ir::Variable& target = program_.variables[id.index()];
      target.initial = program_.pool->bits(0, target.term.width());
      for (const auto& cell : cells) {
        if (cell.offset == offset) target.initial = cell.value;
      }
    };
    if (storage.variable.valid()) set(storage.variable, 0);
    for (std::size_t i = 0; i < storage.parts.size(); ++i) {
      set(storage.parts[i], storage.leaves[i].offset);
    }
    const clang::QualType type = variable.getType();
    if (!type.isConstQualified() || type.isVolatileQualified()) return;
    if (storage.variable.valid()) note_constant(storage.variable);
    for (const ir::VariableId part : storage.parts) note_constant(part);
  }

  void mark_walked() {
    const bool anything = std::ranges::any_of(units_, [](const auto& unit) {
      return unit->views().walks_over_void();
    });
    for (const auto& unit : units_) {
      unit->mark_walked(anything);
      unit->add_conversions();
    }
  }

  void note_constant(ir::VariableId id) {
    constants_.emplace(program_[id].term, program_[id].initial);
  }

  // Nobody can change a variable that is const and has no address.
  void put_constants_in() {
    if (constants_.empty()) return;
    const std::vector<ir::UnreachedCall> before = all_calls();
    const auto change = [&](term::Term& term) {
      if (term.valid()) {
        term = term::substitute(*program_.pool, term, constants_);
      }
    };
    ir::change_edges(program_, [&](ir::Edge& edge) {
      if (auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        change(assign->value);
      } else if (auto* test = std::get_if<ir::Assume>(&edge.statement)) {
        change(test->condition);
      } else if (auto* call = std::get_if<ir::Call>(&edge.statement)) {
        change(call->pointer);
        for (term::Term& argument : call->arguments) change(argument);
      } else if (auto* ret = std::get_if<ir::Return>(&edge.statement)) {
        for (term::Term& value : ret->values) change(value);
      }
    });
    std::ranges::copy(ir::without(before, all_calls()),
                      std::back_inserter(symbols_.unreached));
  }

  std::vector<ir::UnreachedCall> all_calls() const {
    std::vector<ir::UnreachedCall> result;
    for (const ir::Function& each : program_.functions) {
      std::ranges::copy(ir::calls_in(each.body, each.position),
                        std::back_inserter(result));
    }
    return result;
  }

  ir::Program program_;
  SharedNames symbols_;
  std::vector<std::unique_ptr<Unit>> units_;
  std::unordered_map<std::string, ir::Position> claimed_;
  term::Substitution constants_;
};

std::uint64_t microseconds(std::clock_t from, std::clock_t to) {
  return static_cast<std::uint64_t>(to - from) * 1'000'000 / CLOCKS_PER_SEC;
}

// Clang and the lowering recurse with the depth of expressions.
constexpr std::size_t kStackBytes = std::size_t{1} << 30;

ir::DataModel common_model(const std::vector<Parsed>& units) {
  std::optional<std::uint64_t> width;
  for (const Parsed& unit : units) {
    const clang::TargetInfo& target =
        unit.tree->getASTContext().getTargetInfo();
    const std::string file = unit.tree->getMainFileName().str();
    const std::uint64_t own = target.getPointerWidth(clang::LangAS::Default);
    if (!target.isLittleEndian() || (own != 32 && own != 64) ||
        target.getCharWidth() != 8) {
      throw support::InputError(fmt::format(
          "'{}' is compiled for {}, which is not supported: bytes must have 8 "
          "bits, lowest first, and pointers 32 or 64 bits",
          file, target.getTriple().str()));
    }
    if (width.value_or(own) != own) {
      throw support::InputError(
          fmt::format("'{}' is compiled for pointers of {} bits, another file "
                      "for {}",
                      file, own, *width));
    }
    width = own;
  }
  return width == 32 ? ir::DataModel::ILP32 : ir::DataModel::LP64;
}

// Tables that grow give back what they had, and ask for more at once. To have
// the kernel clear new pages each time costs more than to lower what is in
// them.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMuch = 1 << 30;
  ::mallopt(M_MMAP_THRESHOLD, kMuch);
  ::mallopt(M_TRIM_THRESHOLD, kMuch);
  ::mallopt(M_TOP_PAD, 1 << 24);
#endif
}

Lowered parse_and_link(std::span<const std::string> files,
                       const Options& options, support::Context& context) {
  const std::clock_t start = std::clock();
  const std::vector<Parsed> parsed = parse(files, options, context);
  const std::clock_t between = std::clock();
  Linker linker(common_model(parsed), options);
  for (const Parsed& unit : parsed) linker.add(unit);
  Lowered lowered = linker.link();
  context.statistics()["frontend.parse_us"] = microseconds(start, between);
  context.statistics()["frontend.lower_us"] =
      microseconds(between, std::clock());
  return lowered;
}

}  // namespace

Lowered lower_all(std::span<const std::string> files, const Options& options,
                  support::Context& context) {
  std::optional<Lowered> lowered;
  keep_freed_memory();
  support::run_with_stack(
      kStackBytes, [&] { lowered = parse_and_link(files, options, context); });
  return *std::move(lowered);
}

}  // namespace agon::frontend
