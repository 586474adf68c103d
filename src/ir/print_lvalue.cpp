// SPDX-License-Identifier: Apache-2.0
#include "ir/print_lvalue.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "term/substitute.h"

// An address is taken apart into a base, a constant and multiples of other
// terms. The base is an object or a pointer and has a type; a walk into that
// type uses up the constant by fields and elements, and a multiple of a term at
// the array whose elements have that size. Where anything is left over or does
// not fit, there is no answer, and the term is printed as it is.

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

/// Reads inside reads that are followed; more are hard to read anyway.
constexpr unsigned kDeepest = 24;
/// A sum of more parts was not written by hand.
constexpr unsigned kMostParts = 32;
/// Offsets and sizes beyond this are not computed with.
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

std::optional<std::int64_t> small(Term constant) {
  if (constant.sort().is_int()) {
    const term::Integer& number = constant.integer();
    if (abs(number) > kLargest) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (!constant.sort().is_bits()) return std::nullopt;
  const auto value = term::as_signed(constant.value(), constant.width());
  if (value > kLargest || value < -kLargest) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool is_compound(const std::string& text) {
  return text.find(' ') != std::string::npos;
}

std::string wrapped(const std::string& text) {
  return is_compound(text) ? "(" + text + ")" : text;
}

/// `text` so that a postfix operator can follow it.
std::string as_postfix(const std::string& text) {
  return text.starts_with('*') || text.starts_with('&') ? "(" + text + ")"
                                                        : text;
}

}  // namespace

LvaluePrinter::LvaluePrinter(const Program& program) : program_(program) {
  style_.describe = [this](Term term) { return describe(term); };
  style_.is_unsigned = [this](Term term) { return is_unsigned(term); };
}

std::string LvaluePrinter::describe(Term term) {
  if (term.kind() == Kind::Read) {
    const auto found = read(term);
    return found.has_value() ? found->text : "";
  }
  const VariableId variable = program_.variable_of(term);
  if (variable.valid()) return name_of(program_[variable]);
  const FunctionId function = program_.function_of(term);
  if (function.valid()) return name_of(program_[function]);
  const ObjectId object = program_.object_of(term);
  if (!object.valid()) return "";
  const TypeId type = program_[object].type;
  const bool decays =
      type.valid() && program_.types[type].kind == TypeKind::Array;
  return (decays ? "" : "&") + name_of(program_[object]);
}

bool LvaluePrinter::is_unsigned(Term term) {
  if (term.kind() == Kind::Address) return true;
  const TypeId id = type_of(term);
  if (!id.valid()) return term.width() == 1;  // A truth value.
  const Type& type = program_.types[id];
  return type.is_scalar() && type.kind != TypeKind::Float && !type.is_signed;
}

TypeId LvaluePrinter::type_of(Term term) {
  if (term.kind() == Kind::Variable) {
    const VariableId id = program_.variable_of(term);
    return id.valid() ? program_[id].type : TypeId();
  }
  if (term.kind() != Kind::Read) return {};
  const auto found = read(term);
  return found.has_value() ? found->type : TypeId();
}

std::optional<Lvalue> LvaluePrinter::read(Term term) {
  if (term.operand(0).kind() != Kind::Variable) return std::nullopt;
  const VariableId array = program_.variable_of(term.operand(0));
  if (array.valid() && program_[array].kind == VariableKind::Global) {
    return std::nullopt;  // No part of memory.
  }
  const auto known = reads_.find(term);
  if (known != reads_.end()) return known->second;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  auto result = scalar(term.operand(1), term.width());
  --depth_;
  reads_.emplace(term, result);
  return result;
}

std::optional<Lvalue> LvaluePrinter::scalar(Term address, unsigned width) {
  if (width % 8 != 0) return std::nullopt;
  return resolve(address, {width / 8, TypeId()});
}

std::string LvaluePrinter::value(Term term, TypeId id) {
  const bool is_sum =
      !term.sort().is_bool() &&
      (term.kind() == Kind::Add || term.kind() == Kind::Subtract ||
       term.kind() == Kind::Address);
  if (!is_sum || !id.valid()) return term::to_c(term, style_);
  const Type& type = program_.types[id];
  if (type.kind != TypeKind::Pointer || !type.element.valid()) {
    return term::to_c(term, style_);
  }
  const auto found = resolve(term, {0, type.element});
  if (!found.has_value()) return term::to_c(term, style_);
  const std::string& text = found->text;
  if (text.ends_with("[0]")) return text.substr(0, text.size() - 3);
  return "&" + text;
}

bool LvaluePrinter::is_base(Term term) {
  if (term.kind() == Kind::Address) return program_.object_of(term).valid();
  const TypeId id = type_of(term);
  return id.valid() && program_.types[id].kind == TypeKind::Pointer;
}

bool LvaluePrinter::add_part(Term term, std::int64_t scale, Sum& sum) {
  if (++sum.parts > kMostParts) return false;
  const auto scaled_by = [&](Term constant) -> std::optional<std::int64_t> {
    const auto factor = constant.is_constant() ? small(constant) : std::nullopt;
    std::int64_t product = 0;
    if (!factor || __builtin_mul_overflow(*factor, scale, &product) ||
        std::abs(product) > kLargest) {
      return std::nullopt;
    }
    return product;
  };
  if (term.is_constant()) {
    const auto value = scaled_by(term);
    if (value) sum.offset += *value;
    return value.has_value();
  }
  switch (term.kind()) {
    case Kind::Add:
    case Kind::Subtract:
      return add_part(term.operand(0), scale, sum) &&
             add_part(term.operand(1),
                      term.kind() == Kind::Add ? scale : -scale, sum);
    case Kind::Negate:
      return add_part(term.operand(0), -scale, sum);
    case Kind::Multiply:
      for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const auto factor = scaled_by(term.operand(i));
        if (factor) return add_part(term.operand(1 - i), *factor, sum);
      }
      break;
    case Kind::ShiftLeft: {
      const Term amount = term.operand(1);
      if (!amount.is_constant() || amount.value() >= 32) break;
      const auto bits = static_cast<unsigned>(amount.value());
      if (std::abs(scale) > kLargest >> bits) return false;
      return add_part(term.operand(0), scale * (std::int64_t{1} << bits), sum);
    }
    default:
      break;
  }
  if (scale == 1 && is_base(term)) {
    // An object is a better base than a pointer.
    if (!sum.base.valid()) {
      sum.base = term;
      return true;
    }
    if (term.kind() == Kind::Address) std::swap(sum.base, term);
  }
  sum.indices.push_back({term, scale});
  return true;
}

std::optional<LvaluePrinter::Sum> LvaluePrinter::decompose(Term address) {
  Sum sum;
  if (!add_part(address, 1, sum) || !sum.base.valid()) return std::nullopt;
  return sum;
}

std::optional<Lvalue> LvaluePrinter::resolve(Term address,
                                             const Wanted& wanted) {
  const auto sum = decompose(address);
  if (!sum.has_value()) return std::nullopt;
  if (sum->base.kind() != Kind::Address) return resolve_pointer(*sum, wanted);
  const Object& object = program_[program_.object_of(sum->base)];
  auto found = walk(object.type, sum->offset, sum->indices, wanted);
  if (found.has_value()) found->text = name_of(object) + found->text;
  return found;
}

std::optional<Lvalue> LvaluePrinter::resolve_pointer(const Sum& sum,
                                                     const Wanted& wanted) {
  const TypeId element = program_.types[type_of(sum.base)].element;
  const std::string pointer = as_postfix(describe(sum.base));
  if (!element.valid()) return std::nullopt;
  const Type& type = program_.types[element];
  std::int64_t offset = sum.offset;
  std::vector<Index> indices = sum.indices;
  std::string index;
  if (!is_beyond(type, offset) && type.size > 0) {
    index = take_index(static_cast<std::int64_t>(type.size), offset, indices);
  }
  auto found = walk(element, offset, std::move(indices), wanted);
  if (!found.has_value()) return std::nullopt;
  std::string& text = found->text;
  if (!index.empty() && index != "0") {
    text = fmt::format("{}[{}]{}", pointer, index, text);
  } else if (text.starts_with('.')) {
    text = pointer + "->" + text.substr(1);
  } else if (text.empty()) {
    text = wanted.type.valid() ? pointer + "[0]" : "*" + pointer;
  } else {
    text = "(*" + pointer + ")" + text;
  }
  return found;
}

bool LvaluePrinter::matches(TypeId id, const Wanted& wanted) const {
  const Type& type = program_.types[id];
  if (!wanted.type.valid()) {
    return type.is_scalar() && (wanted.size == 0 || type.size == wanted.size);
  }
  return id == wanted.type ||
         program_.types.to_string(id) == program_.types.to_string(wanted.type);
}

std::optional<Lvalue> LvaluePrinter::walk(TypeId id, std::int64_t offset,
                                          std::vector<Index> indices,
                                          const Wanted& wanted) {
  if (!id.valid()) return std::nullopt;
  const Type& type = program_.types[id];
  if (offset == 0 && indices.empty() && matches(id, wanted)) {
    return Lvalue{"", id};
  }
  if (type.kind == TypeKind::Array) {
    return walk_array(type, offset, std::move(indices), wanted);
  }
  // An index may also lead from outside into an array: `s.a[i - 1]`.
  for (const bool is_inside : {true, false}) {
    if (!is_inside && indices.empty()) break;
    for (const Field& field : type.fields) {
      if (field.bit_width != 0 || contains(field, offset) != is_inside) {
        continue;
      }
      if (!is_inside && program_.types[field.type].kind != TypeKind::Array) {
        continue;
      }
      const auto first = static_cast<std::int64_t>(field.offset);
      auto found = walk(field.type, offset - first, indices, wanted);
      if (!found.has_value()) continue;
      if (!field.name.empty()) found->text = "." + field.name + found->text;
      return found;
    }
  }
  return std::nullopt;
}

bool LvaluePrinter::contains(const Field& field, std::int64_t offset) const {
  const Type& type = program_.types[field.type];
  const auto first = static_cast<std::int64_t>(field.offset);
  const bool is_open = type.kind == TypeKind::Array && type.count == 0;
  return offset >= first &&
         (is_open || offset - first < static_cast<std::int64_t>(type.size));
}

/// Whether an offset is in an array without a length at the end of a struct.
bool LvaluePrinter::is_beyond(const Type& record, std::int64_t offset) const {
  if (!record.is_record() || record.fields.empty()) return false;
  const Field& last = record.fields.back();
  const Type& type = program_.types[last.type];
  return type.kind == TypeKind::Array && type.count == 0 &&
         contains(last, offset);
}

std::optional<Lvalue> LvaluePrinter::walk_array(const Type& type,
                                                std::int64_t offset,
                                                std::vector<Index> indices,
                                                const Wanted& wanted) {
  if (!type.element.valid()) return std::nullopt;
  const std::uint64_t size = program_.types[type.element].size;
  if (size == 0) return std::nullopt;
  const std::string index =
      take_index(static_cast<std::int64_t>(size), offset, indices);
  auto found = walk(type.element, offset, std::move(indices), wanted);
  if (found.has_value()) {
    found->text =
        fmt::format("[{}]{}", index.empty() ? "0" : index, found->text);
  }
  return found;
}

/// The index of an element of `size` bytes: what a multiple of the size is in
/// the sum. The offset that is left is within the element.
std::string LvaluePrinter::take_index(std::int64_t size, std::int64_t& offset,
                                      std::vector<Index>& indices) {
  std::int64_t constant = offset / size;
  if (offset % size < 0) --constant;
  offset -= constant * size;
  std::vector<Index> taken;
  std::erase_if(indices, [&](const Index& index) {
    if (index.scale % size != 0) return false;
    taken.push_back(index);
    return true;
  });
  const bool is_alone = taken.size() == 1 && constant == 0;
  std::string text;
  for (const Index& each : taken) {
    const std::int64_t factor = each.scale / size;
    std::string part = index_text(each.term);
    if (!is_alone || factor != 1) part = wrapped(part);
    if (std::abs(factor) != 1) {
      part = fmt::format("{} * {}", std::abs(factor), part);
    }
    if (text.empty()) {
      text = (factor < 0 ? "-" : "") + part;
    } else {
      text += (factor < 0 ? " - " : " + ") + part;
    }
  }
  if (text.empty()) return std::to_string(constant);
  if (constant == 0) return text;
  return fmt::format("{} {} {}", text, constant < 0 ? "-" : "+",
                     std::abs(constant));
}

/// An index is converted by C itself if its type has the right sign.
std::string LvaluePrinter::index_text(Term term) {
  const bool is_signed = term.kind() == Kind::SignExtend;
  const bool is_extended = is_signed || term.kind() == Kind::ZeroExtend;
  if (is_extended && has_sign(term.operand(0), is_signed)) {
    term = term.operand(0);
  }
  return term::to_c(term, style_);
}

bool LvaluePrinter::has_sign(Term term, bool is_signed) {
  bool result = true;
  term::visit_subterms(term, [&](Term part) {
    if (part.kind() == Kind::Variable && !part.sort().is_array()) {
      result &= is_unsigned(part) != is_signed;
    }
  });
  return result;
}

}  // namespace agon::ir
