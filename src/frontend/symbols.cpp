// SPDX-License-Identifier: Apache-2.0
#include "frontend/symbols.h"

#include <clang/AST/Decl.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <fmt/format.h>

#include <filesystem>

#include "frontend/parse.h"
#include "support/big_stack.h"
#include "support/error.h"

namespace agon::frontend {
namespace {

constexpr std::size_t kStackBytes = std::size_t{1} << 30;

void note_function(const clang::FunctionDecl& function, Symbols& symbols) {
  if (function.getIdentifier() == nullptr) return;
  const std::string name = function.getName().str();
  if (function.doesThisDeclarationHaveABody()) {
    (function.isExternallyVisible() ? symbols.defined : symbols.own)
        .insert(name);
  } else if (!function.isDefined() &&
             (function.isUsed() || function.isReferenced())) {
    symbols.needed.insert(name);
  }
}

void note_variable(const clang::VarDecl& variable, Symbols& symbols) {
  if (!variable.isExternallyVisible()) return;
  const std::string name = variable.getName().str();
  if (variable.isThisDeclarationADefinition() !=
      clang::VarDecl::DeclarationOnly) {
    symbols.defined.insert(name);
  } else if (variable.isReferenced() || variable.isUsed()) {
    symbols.needed.insert(name);
  }
}

/// Declarations in bodies count as well.
void collect(const clang::DeclContext& context, Symbols& symbols) {
  for (const clang::Decl* const declared : context.decls()) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared)) {
      note_function(*function, symbols);
      if (function->doesThisDeclarationHaveABody()) {
        collect(*function, symbols);
      }
    } else if (const auto* variable =
                   llvm::dyn_cast<clang::VarDecl>(declared)) {
      if (variable->hasGlobalStorage()) note_variable(*variable, symbols);
    }
  }
}

std::string shown(const std::filesystem::path& file) {
  std::error_code error;
  const auto relative =
      file.lexically_relative(std::filesystem::current_path(error)).string();
  return error || relative.empty() || relative.starts_with("..") ? file.string()
                                                                 : relative;
}

}  // namespace

Symbols symbols_of(const std::string& file, const Options& options,
                   support::Context& context) {
  Symbols symbols;
  support::run_with_stack(kStackBytes, [&] {
    const std::vector<std::string> files{file};
    for (const Parsed& unit : parse(files, options, context)) {
      collect(*unit.tree->getASTContext().getTranslationUnitDecl(), symbols);
    }
  });
  for (const std::string& name : symbols.defined) symbols.needed.erase(name);
  return symbols;
}

std::vector<std::string> files_of(const std::string& build_directory) {
  std::string problem;
  const auto commands = clang::tooling::CompilationDatabase::loadFromDirectory(
      build_directory, problem);
  if (commands == nullptr) {
    throw support::InputError(fmt::format(
        "no compile_commands.json can be read in '{}'", build_directory));
  }
  std::set<std::string> files;
  for (const clang::tooling::CompileCommand& command :
       commands->getAllCompileCommands()) {
    const std::filesystem::path name =
        std::filesystem::path(command.Directory) / command.Filename;
    const std::string kind = name.extension().string();
    if (kind != ".c" && kind != ".i") continue;
    files.insert(shown(std::filesystem::absolute(name).lexically_normal()));
  }
  return {files.begin(), files.end()};
}

}  // namespace agon::frontend
