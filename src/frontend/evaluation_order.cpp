// SPDX-License-Identifier: Apache-2.0
#include "frontend/evaluation_order.h"

#include <clang/AST/Attr.h>
#include <clang/Basic/Builtins.h>

#include <algorithm>

#include "frontend/unit.h"
#include "support/sort_unique.h"

namespace agon::frontend {
namespace {

/// Beyond this much work the answer is yes.
constexpr std::size_t kMuchWork = 1'000'000;

/// Routines of the library that only look at their arguments, or give memory
/// or a value that nobody can foresee.
bool is_quiet(llvm::StringRef name) {
  static const std::unordered_set<std::string> kQuiet = {
      "abs",          "labs",        "llabs",   "strlen",  "strnlen",
      "strcmp",       "strncmp",     "memcmp",  "bcmp",    "strchr",
      "strrchr",      "strstr",      "strpbrk", "memchr",  "strcasecmp",
      "atoi",         "atol",        "isalpha", "isdigit", "isalnum",
      "isspace",      "isupper",     "islower", "isprint", "isxdigit",
      "ispunct",      "strncasecmp", "malloc",  "calloc",  "alloca",
      "toupper",      "tolower",     "fabs",    "sqrt",    "floor",
      "aligned_alloc"};
  return name.starts_with("__VERIFIER_nondet_") || kQuiet.contains(name.str());
}

int kind_of(clang::QualType type, const clang::ASTContext& context) {
  const clang::QualType plain = type.getCanonicalType();
  if (plain->isPointerType()) return 1;
  if (!plain->isScalarType()) return 0;
  const auto size = static_cast<int>(context.getTypeSize(plain));
  if (size <= 8) return 0;  // Characters may be part of anything.
  return plain->isRealFloatingType() ? size + 1 : size;
}

const clang::Expr& stripped(const clang::Expr& expr) {
  const clang::Expr* at = expr.IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(at)) {
    if (cast->getCastKind() != clang::CK_NoOp) break;
    at = cast->getSubExpr()->IgnoreParens();
  }
  return *at;
}

}  // namespace

/// Walks over an expression or a body, each node once.
class EvaluationOrder::Collector {
 public:
  Collector(EvaluationOrder& order, Unit& unit, Effects& effects,
            bool inside_function)
      : order_(order),
        unit_(unit),
        effects_(effects),
        inside_function_(inside_function) {}

  void visit(const clang::Stmt& stmt) {
    ++order_.work_;
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(stmt)) return;
    if (const auto* generic =
            llvm::dyn_cast<clang::GenericSelectionExpr>(&stmt)) {
      return visit(*generic->getResultExpr());
    }
    if (const auto* chosen = llvm::dyn_cast<clang::ChooseExpr>(&stmt)) {
      return visit(*chosen->getChosenSubExpr());
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&stmt)) {
      return visit_cast(*cast);
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&stmt)) {
      if (binary->isAssignmentOp()) {
        if (binary->isCompoundAssignmentOp()) read(*binary->getLHS());
        write(*binary->getLHS());
        visit_place(*binary->getLHS());
        return visit(*binary->getRHS());
      }
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&stmt)) {
      if (unary->isIncrementDecrementOp()) {
        read(*unary->getSubExpr());
        write(*unary->getSubExpr());
        return visit_place(*unary->getSubExpr());
      }
      if (unary->getOpcode() == clang::UO_AddrOf) {
        return visit_place(*unary->getSubExpr());
      }
    }
    if (llvm::isa<clang::AtomicExpr>(stmt)) {
      effects_.reads.emplace_back();
      effects_.writes.emplace_back();
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&stmt)) {
      visit_call(*call);
    }
    visit_children(stmt);
  }

  // What is evaluated to find the place, and not what it holds.
  void visit_place(const clang::Expr& original) {
    const clang::Expr& expr = stripped(original);
    if (llvm::isa<clang::DeclRefExpr>(expr)) return;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expr)) {
      return member->isArrow() ? visit(*member->getBase())
                               : visit_place(*member->getBase());
    }
    visit(expr);
  }

  void read(const clang::Expr& place) { note(place, effects_.reads); }

 private:
  void visit_children(const clang::Stmt& stmt) {
    for (const clang::Stmt* child : stmt.children()) {
      if (child != nullptr) visit(*child);
    }
  }

  void visit_cast(const clang::CastExpr& cast) {
    const clang::Expr& from = *cast.getSubExpr();
    if (cast.getCastKind() == clang::CK_LValueToRValue) {
      read(from);
      return visit_place(from);
    }
    if (cast.getCastKind() == clang::CK_ArrayToPointerDecay ||
        cast.getCastKind() == clang::CK_FunctionToPointerDecay) {
      return visit_place(from);
    }
    visit(from);
  }

  void visit_call(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr) {
      effects_.is_visible = effects_.is_everything = true;
      return;
    }
    const clang::FunctionDecl* body = nullptr;
    if (callee->hasBody(body)) {
      effects_.calls.push_back({body, &unit_});
      return;
    }
    const auto elsewhere = order_.bodies_.find(callee->getName().str());
    if (callee->isExternallyVisible() && elsewhere != order_.bodies_.end()) {
      effects_.calls.push_back(elsewhere->second);
      return;
    }
    llvm::StringRef name = callee->getName();
    const bool is_compilers = name.consume_front("__builtin_");
    if (is_quiet(name) || callee->hasAttr<clang::ConstAttr>()) return;
    if (name == "memcpy" || name == "memset" || name == "memmove") {
      note_pointee(*call.getArg(0), effects_.writes);
      return note_pointee(*call.getArg(1), effects_.reads);
    }
    effects_.reads.emplace_back();
    if (callee->hasAttr<clang::PureAttr>()) return;
    effects_.writes.emplace_back();
    if (callee->getBuiltinID() == 0) effects_.is_anything = true;
    if (!is_compilers) effects_.is_visible = true;
  }

  void write(const clang::Expr& place) { note(place, effects_.writes); }

  void note(const clang::Expr& place, std::vector<Cell>& cells) {
    Cell cell;
    cell.kind = kind_of(place.getType(), unit_.clang());
    if (locate(place, cell)) cells.push_back(cell);
  }

  // What a pointer points to, which may be the address of something.
  void note_pointee(const clang::Expr& pointer, std::vector<Cell>& cells) {
    const clang::Expr* at = pointer.IgnoreParenCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at)) {
      if (unary->getOpcode() == clang::UO_AddrOf) at = unary->getSubExpr();
    } else if (!at->getType()->isArrayType()) {
      at = nullptr;
    }
    Cell cell;
    if (at == nullptr || locate(*at, cell)) cells.push_back(cell);
  }

  // Finds the variable and the member; false if nobody else can see it.
  bool locate(const clang::Expr& original, Cell& cell) {
    const clang::Expr* at = &stripped(original);
    for (;;) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
        if (cell.field == nullptr) cell.field = name_of(*member);
        if (member->isArrow()) return true;
        at = &stripped(*member->getBase());
      } else if (const auto* element =
                     llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
        const auto* decay =
            llvm::dyn_cast<clang::CastExpr>(element->getBase()->IgnoreParens());
        if (decay == nullptr ||
            decay->getCastKind() != clang::CK_ArrayToPointerDecay) {
          return true;
        }
        at = &stripped(*decay->getSubExpr());
      } else if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
        return variable != nullptr && locate_variable(*variable, cell);
      } else {
        // A literal, or what a function returned, belongs to the expression.
        const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at);
        return unary != nullptr && unary->getOpcode() == clang::UO_Deref;
      }
    }
  }

  bool locate_variable(const clang::VarDecl& variable, Cell& cell) {
    if (variable.hasLocalStorage() && inside_function_) return false;
    cell.exposed =
        unit_.is_address_taken(variable) || variable.hasExternalFormalLinkage();
    cell.is_own = variable.hasLocalStorage() && !cell.exposed;
    cell.root = variable.hasExternalFormalLinkage()
                    ? order_.interned(variable.getName().str())
                    : static_cast<const void*>(variable.getCanonicalDecl());
    return true;
  }

  // Units have declarations of their own of the same struct.
  const void* name_of(const clang::MemberExpr& member) {
    const clang::ValueDecl& field = *member.getMemberDecl();
    std::string name = field.getName().str();
    if (const auto* record =
            llvm::dyn_cast<clang::RecordDecl>(field.getDeclContext())) {
      // The members of a union share their bytes.
      if (record->isUnion()) return nullptr;
      name = record->getName().str() + "." + name;
    }
    return order_.interned(name);
  }

  EvaluationOrder& order_;
  Unit& unit_;
  Effects& effects_;
  bool inside_function_;
};

void EvaluationOrder::Effects::add(const Effects& other) {
  reads.insert(reads.end(), other.reads.begin(), other.reads.end());
  writes.insert(writes.end(), other.writes.begin(), other.writes.end());
  is_visible = is_visible || other.is_visible;
  is_anything = is_anything || other.is_anything;
  is_everything = is_everything || other.is_everything;
}

void EvaluationOrder::Effects::sort() {
  for (std::vector<Cell>* cells : {&reads, &writes}) {
    support::sort_unique(*cells);
    cells->shrink_to_fit();
  }
}

void EvaluationOrder::define(const std::string& name,
                             const clang::FunctionDecl& body, Unit& unit) {
  bodies_[name] = {&body, &unit};
}

const void* EvaluationOrder::interned(const std::string& name) {
  return &*names_.insert(name).first;
}

const EvaluationOrder::Effects& EvaluationOrder::own(const Body& body) {
  const auto [entry, added] = own_.try_emplace(body.function);
  if (added) {
    Effects effects;
    Collector(*this, *body.unit, effects, true)
        .visit(*body.function->getBody());
    effects.sort();
    own_[body.function] = std::move(effects);
  }
  return own_.at(body.function);
}

// Of a function and of all that it calls.
const EvaluationOrder::Effects& EvaluationOrder::whole(const Body& body) {
  if (const auto found = whole_.find(body.function); found != whole_.end()) {
    return found->second;
  }
  Effects effects;
  std::unordered_set<const clang::FunctionDecl*> seen{body.function};
  std::vector<Body> waiting{body};
  while (!waiting.empty() && work_ < kMuchWork) {
    const Body next = waiting.back();
    waiting.pop_back();
    const Effects& found = own(next);
    effects.add(found);
    work_ += 1 + found.reads.size() + found.writes.size();
    for (const Body& called : found.calls) {
      if (seen.insert(called.function).second) waiting.push_back(called);
    }
  }
  effects.sort();
  return whole_[body.function] = std::move(effects);
}

EvaluationOrder::Effects EvaluationOrder::own_effects(const clang::Expr& expr,
                                                      Use use, Unit& unit) {
  Effects effects;
  Collector collector(*this, unit, effects, false);
  if (use == Use::Value) {
    collector.visit(expr);
  } else {
    if (use == Use::Update) collector.read(expr);
    collector.visit_place(expr);
  }
  return effects;
}

bool EvaluationOrder::same(const Cell& one, const Cell& two) {
  if (one.root != nullptr && one.root == two.root) {
    return one.field == nullptr || two.field == nullptr ||
           one.field == two.field;
  }
  if (one.root != nullptr && two.root != nullptr) return false;
  if (!one.exposed || !two.exposed) return false;
  if (one.field != nullptr && two.field != nullptr) {
    return one.field == two.field;
  }
  return one.kind == 0 || two.kind == 0 || one.kind == two.kind;
}

bool EvaluationOrder::meet(const std::vector<Cell>& one,
                           const std::vector<Cell>& two) {
  work_ += one.size() * two.size();
  if (work_ >= kMuchWork) return true;
  return std::ranges::any_of(one, [&](const Cell& c) {
    return std::ranges::any_of(two, [&](const Cell& d) { return same(c, d); });
  });
}

bool EvaluationOrder::conflict(const Effects& one, const Effects& two) {
  if (one.is_visible && two.is_visible) return true;
  const auto disturbs = [](const Effects& a, const Effects& b) {
    if (!a.is_anything && !a.is_everything) return false;
    const auto is_reached = [&](const Cell& cell) {
      return a.is_everything ? !cell.is_own : cell.exposed;
    };
    return std::ranges::any_of(b.reads, is_reached) ||
           std::ranges::any_of(b.writes, is_reached);
  };
  return disturbs(one, two) || disturbs(two, one) ||
         meet(one.writes, two.reads) || meet(one.writes, two.writes) ||
         meet(one.reads, two.writes);
}

bool EvaluationOrder::matters(const clang::Expr& first, Use use,
                              const clang::Expr& second, Unit& unit) {
  const Effects a = own_effects(first, use, unit);
  const Effects b = own_effects(second, Use::Value, unit);
  const auto parts = [&](const Effects& effects) {
    std::vector<const Effects*> all{&effects};
    for (const Body& called : effects.calls) all.push_back(&whole(called));
    return all;
  };
  const auto all_of_b = parts(b);
  return std::ranges::any_of(parts(a), [&](const Effects* one) {
    return std::ranges::any_of(
        all_of_b, [&](const Effects* two) { return conflict(*one, *two); });
  });
}

}  // namespace agon::frontend
