// SPDX-License-Identifier: Apache-2.0
#include "frontend/formats.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agon::frontend {
namespace {

struct Routine {
  std::string_view name;
  unsigned format;  ///< Which argument it is.
};

constexpr std::array<Routine, 8> kRoutines = {{
    {"printf", 0},
    {"vprintf", 0},
    {"fprintf", 1},
    {"vfprintf", 1},
    {"sprintf", 1},
    {"vsprintf", 1},
    {"snprintf", 2},
    {"vsnprintf", 2},
}};

/// Whether a conversion of the format is `%n`.
bool has_count(std::string_view format) {
  constexpr std::string_view kBetween = "0123456789 -+#'.*$hlqjztL";
  for (std::size_t at = format.find('%'); at < format.size();
       at = format.find('%', at)) {
    at = format.find_first_not_of(kBetween, at + 1);
    if (at == std::string_view::npos) return false;
    if (format[at] == 'n') return true;
    ++at;
  }
  return false;
}

bool is_place_of_number(const clang::Expr& argument) {
  const clang::QualType type = argument.IgnoreParenImpCasts()->getType();
  const clang::QualType to =
      type->isArrayType() ? type->getAsArrayTypeUnsafe()->getElementType()
                          : type->getPointeeType();
  return !to.isNull() && to->isIntegerType() && !to->isCharType();
}

}  // namespace

FormatWrites format_writes(const clang::CallExpr& call) {
  const clang::FunctionDecl* const callee = call.getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr) {
    return FormatWrites::Nothing;
  }
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  const auto found = std::ranges::find(
      kRoutines, std::string_view(name.data(), name.size()), &Routine::name);
  if (found == kRoutines.end() || call.getNumArgs() <= found->format) {
    return FormatWrites::Nothing;
  }
  const clang::Expr& format = *call.getArg(found->format);
  if (const auto* literal =
          llvm::dyn_cast<clang::StringLiteral>(format.IgnoreParenCasts())) {
    if (literal->getCharByteWidth() != 1) return FormatWrites::Unclear;
    const llvm::StringRef text = literal->getString();
    return has_count({text.data(), text.size()}) ? FormatWrites::Characters
                                                 : FormatWrites::Nothing;
  }
  bool is_unclear = name.starts_with("v");
  for (unsigned i = found->format + 1; i < call.getNumArgs(); ++i) {
    is_unclear = is_unclear || is_place_of_number(*call.getArg(i));
  }
  return is_unclear ? FormatWrites::Unclear : FormatWrites::Nothing;
}

}  // namespace agon::frontend
