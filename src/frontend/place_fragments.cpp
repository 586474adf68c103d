// SPDX-License-Identifier: Apache-2.0
#include "frontend/place_fragments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <unordered_map>

namespace agon::frontend {
namespace {

struct Known {
  std::size_t unit = 0;
  const clang::FunctionDecl* declaration = nullptr;
};

/// A declaration of each function: its definition if there is one, or else one
/// that says most.
std::unordered_map<std::string, Known> find_functions(
    const std::vector<Parsed>& units) {
  std::unordered_map<std::string, Known> result;
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const clang::Decl* declared :
         units[i].tree->getASTContext().getTranslationUnitDecl()->decls()) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
      if (function == nullptr || function->getIdentifier() == nullptr) continue;
      Known& known = result[function->getName().str()];
      const auto says = [](const clang::FunctionDecl* each) {
        if (each == nullptr) return 0;
        if (each->doesThisDeclarationHaveABody()) return 3;
        return each->isImplicit() ? 1 : 2;
      };
      if (says(function) > says(known.declaration)) known = {i, function};
    }
  }
  return result;
}

std::string signature(const clang::FunctionDecl& function,
                      const ir::Fragment& fragment) {
  const clang::PrintingPolicy& policy =
      function.getASTContext().getPrintingPolicy();
  std::string text;
  const auto add = [&](clang::QualType type, std::string name) {
    type.getUnqualifiedType().getAsStringInternal(name, policy);
    text += (text.empty() ? "" : ", ") + name;
  };
  if (fragment.with_result && !function.getReturnType()->isVoidType()) {
    add(function.getReturnType(), "result");
  }
  for (std::size_t i = 0; i < function.getNumParams(); ++i) {
    add(function.getParamDecl(static_cast<unsigned>(i))->getType(),
        i < fragment.parameters.size() ? fragment.parameters[i] : "");
  }
  return "(" + (text.empty() ? "void" : text) + ")";
}

}  // namespace

std::vector<std::string> place_fragments(
    const std::vector<Parsed>& units,
    const std::vector<ir::Fragment>& fragments) {
  const auto known = find_functions(units);
  std::vector<std::string> result(units.size());
  for (const ir::Fragment& fragment : fragments) {
    const auto found = known.find(fragment.routine);
    if (found == known.end()) continue;
    std::string text = fragment.text;
    const std::size_t at = text.find(ir::Fragment::kSignature);
    if (at != std::string::npos) {
      text.replace(at, ir::Fragment::kSignature.size(),
                   signature(*found->second.declaration, fragment));
    }
    result[found->second.unit] += text;
  }
  return result;
}

}  // namespace agon::frontend
