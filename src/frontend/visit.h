// SPDX-License-Identifier: Apache-2.0
/// All statements and expressions inside of one, each before its parts.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <vector>

namespace agon::frontend {

template <typename Visitor>
void visit_statements(const clang::Stmt& root, Visitor&& visitor) {
  std::vector<const clang::Stmt*> waiting{&root};
  while (!waiting.empty()) {
    const clang::Stmt& stmt = *waiting.back();
    waiting.pop_back();
    visitor(stmt);
    for (const clang::Stmt* child : stmt.children()) {
      if (child != nullptr) waiting.push_back(child);
    }
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&stmt)) {
      if (list->getArrayFiller() != nullptr) {
        waiting.push_back(list->getArrayFiller());
      }
    }
  }
}

}  // namespace agon::frontend
