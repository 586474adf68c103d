// SPDX-License-Identifier: Apache-2.0
// From terms to sets: a pointer passes through every operator that can keep it,
// whole or in pieces, but not through comparisons and conditions.
#include <algorithm>
#include <bit>
#include <numeric>

#include "analysis/points_to_analysis.h"
#include "term/substitute.h"

namespace agon::analysis {

using term::Kind;
using term::Term;

namespace {

constexpr std::size_t kManyCopyParts = 50000;

std::int64_t signed_value(Term constant) {
  const unsigned width = std::min(constant.width(), 64U);
  return static_cast<std::int64_t>(
      term::as_signed(term::truncate(constant.value(), width), width));
}

std::uint64_t magnitude(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? std::uint64_t{0} - bits : bits;
}

/// What is left of a divisor where a product may wrap before it is extended.
std::uint64_t power_of_two_part(std::uint64_t value) {
  return value == 0 ? 0 : std::uint64_t{1} << std::countr_zero(value);
}

std::uint64_t scaled(std::uint64_t stride, std::uint64_t factor) {
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(stride, factor, &product)) return product;
  return power_of_two_part(stride);
}

/// Whether a term is a multiple of something extended, from which a constant
/// cannot have been taken out.
bool is_extended(Term term) {
  while (term.kind() == Kind::Multiply || term.kind() == Kind::ShiftLeft) {
    term = term.operand(0);
  }
  return term.kind() == Kind::SignExtend || term.kind() == Kind::ZeroExtend;
}

}  // namespace

std::uint64_t stride_of(Term term) {
  switch (term.kind()) {
    case Kind::Constant:
      return magnitude(signed_value(term));
    case Kind::Multiply: {
      const Term factor = term.operand(1);
      if (!factor.is_constant()) return 1;
      return scaled(stride_of(term.operand(0)),
                    magnitude(signed_value(factor)));
    }
    case Kind::ShiftLeft: {
      const Term amount = term.operand(1);
      if (!amount.is_constant() || amount.value() >= 63) return 1;
      return scaled(stride_of(term.operand(0)),
                    std::uint64_t{1} << static_cast<unsigned>(amount.value()));
    }
    case Kind::Concat: {
      const Term low = term.operand(1);
      if (!low.is_constant() || low.width() >= 63) return 1;
      const std::uint64_t unit = std::uint64_t{1} << low.width();
      return std::gcd(scaled(stride_of(term.operand(0)), unit),
                      static_cast<std::uint64_t>(low.value()));
    }
    case Kind::ZeroExtend:
    case Kind::SignExtend:
      return power_of_two_part(stride_of(term.operand(0)));
    case Kind::Negate:
      return stride_of(term.operand(0));
    case Kind::Add:
    case Kind::Subtract:
      return std::gcd(stride_of(term.operand(0)), stride_of(term.operand(1)));
    case Kind::Ite:
      return std::gcd(stride_of(term.operand(1)), stride_of(term.operand(2)));
    default:
      return 1;
  }
}

NodeId PointsToAnalysis::node_of(Term term) {
  const auto known = terms_.find(term);
  if (known != terms_.end()) return known->second;
  const NodeId node = make_node(term);
  terms_.emplace(term, node);
  return node;
}

NodeId PointsToAnalysis::make_node(Term term) {
  if (!term.sort().is_bits()) return {};
  switch (term.kind()) {
    case Kind::Constant:
      return number_node(term);
    case Kind::Variable: {
      const ir::VariableId variable = program_.variable_of(term);
      return variable.valid() ? variable_node(variable) : NodeId();
    }
    case Kind::Address: {
      const NodeId node = add_node();
      const ir::ObjectId object = program_.object_of(term);
      const ir::FunctionId function = program_.function_of(term);
      // Objects are the first sites, and functions come after them.
      const SiteId site =
          object.valid() ? SiteId::at(object.index())
          : function.valid()
              ? SiteId::at(program_.objects.size() + function.index())
              : unknown_;
      add(node, place({site, layout(site).normal(0)}));
      return node;
    }
    case Kind::Add:
    case Kind::Subtract:
      return sum_node(term);
    case Kind::Ite:
      return passing_node(term, 1, false);
    case Kind::Concat:
      // Constant low bits round an address down.
      return passing_node(term, 0, term.operand(1).is_constant());
    case Kind::Extract:
    case Kind::ZeroExtend:
    case Kind::SignExtend:
      return node_of(term.operand(0));
    case Kind::Read:
      return read_node(term);
    case Kind::Negate:
    case Kind::Multiply:
    case Kind::UDivide:
    case Kind::URemainder:
    case Kind::SDivide:
    case Kind::SRemainder:
    case Kind::BitNot:
    case Kind::BitAnd:
    case Kind::BitOr:
    case Kind::BitXor:
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return passing_node(term, 0, true);
    default:
      return {};
  }
}

/// The union of the operands from the one numbered `first` on. Constants are
/// masks, factors or distances of shifts unless they are put beside something.
NodeId PointsToAnalysis::passing_node(Term term, std::size_t first,
                                      bool anywhere) {
  const bool is_beside =
      term.kind() == Kind::Ite || term.kind() == Kind::Concat ||
      term.kind() == Kind::BitOr || term.kind() == Kind::BitXor;
  std::vector<NodeId> operands;
  for (std::size_t i = first; i < term.operands().size(); ++i) {
    if (term.operand(i).is_constant() && !is_beside) continue;
    const NodeId node = node_of(term.operand(i));
    if (node.valid()) operands.push_back(node);
  }
  if (operands.empty()) return {};
  if (operands.size() == 1 && !anywhere) return operands.front();
  const NodeId result = add_node();
  for (const NodeId operand : operands) {
    if (anywhere) {
      add_rule(operand, {kAnywhere, result, 0});
    } else {
      include(operand, result);
    }
  }
  return result;
}

PointsToAnalysis::Sum PointsToAnalysis::sum_of(Term whole) {
  Sum sum;
  std::vector<std::pair<Term, bool>> waiting{{whole, false}};
  while (!waiting.empty()) {
    const auto [term, negative] = waiting.back();
    waiting.pop_back();
    switch (term.kind()) {
      case Kind::Constant: {
        const std::int64_t value = signed_value(term);
        sum.constant += negative ? -value : value;
        break;
      }
      case Kind::Add:
      case Kind::Subtract: {
        const bool takes_away = term.kind() == Kind::Subtract;
        waiting.emplace_back(term.operand(1), negative != takes_away);
        waiting.emplace_back(term.operand(0), negative);
        break;
      }
      case Kind::Negate:
        waiting.emplace_back(term.operand(0), !negative);
        break;
      default:
        (negative ? sum.minus : sum.plus).push_back(term);
    }
  }
  return sum;
}

/// The type that declarations give to a term, if they do: of variables, and of
/// what is read at a constant distance from a pointer with a known type.
ir::TypeId PointsToAnalysis::declared_type(Term term) const {
  if (term.kind() == Kind::Variable) {
    const ir::VariableId variable = program_.variable_of(term);
    return variable.valid() ? program_[variable].type : ir::TypeId();
  }
  if (term.kind() != Kind::Read) return {};
  Term base = term.operand(1);
  std::int64_t distance = 0;
  if (base.kind() == Kind::Add && base.operand(1).is_constant()) {
    distance = signed_value(base.operand(1));
    base = base.operand(0);
  }
  const ir::ObjectId object = program_.object_of(base);
  const ir::TypeId whole =
      object.valid() ? program_[object].type : pointee(declared_type(base));
  if (!whole.valid()) return {};
  const Layout& layout = layouts_[{whole, true}];
  const std::uint32_t offset = layout.normal(distance);
  if (offset == kAnyOffset || layout.is_untyped()) return {};
  const Cell& cell = layout.cells()[layout.cell_at(offset)];
  const bool is_all = cell.offset == offset && cell.size * 8 == term.width();
  return is_all ? cell.type : ir::TypeId();
}

/// Whether a term is an address by its type.
bool PointsToAnalysis::is_pointer(Term term) const {
  if (term.kind() == Kind::Address) return true;
  if (term.kind() == Kind::Ite) {
    return is_pointer(term.operand(1)) && is_pointer(term.operand(2));
  }
  const ir::TypeId type = declared_type(term);
  return type.valid() && program_.types[type].kind == ir::TypeKind::Pointer;
}

// As many pointers as are taken away are distances. What is left are pointers,
// or numbers if there are none; and where nothing else could hold an address,
// what is taken away, since a later difference gets it back.
PointsToAnalysis::Bases PointsToAnalysis::bases(const Sum& sum) const {
  const auto is_typed = [&](Term part) { return is_pointer(part); };
  const auto pointers = std::ranges::count_if(sum.plus, is_typed);
  const auto subtracted = std::ranges::count_if(sum.minus, is_typed);
  Bases result;
  result.is_distance = subtracted > 0 && subtracted >= pointers;
  result.is_anywhere = result.is_distance;
  result.has_pointers = pointers > 0 && !result.is_distance;
  for (const Term part : sum.plus) {
    const bool counts =
        is_typed(part) ? result.has_pointers : !result.has_pointers;
    if (counts) result.terms.push_back(part);
  }
  if (subtracted > pointers || sum.plus.empty()) {
    result.is_anywhere = true;
    result.terms.insert(result.terms.end(), sum.minus.begin(), sum.minus.end());
  }
  return result;
}

NodeId PointsToAnalysis::sum_node(Term term) {
  const Sum sum = sum_of(term);
  const Bases bases = this->bases(sum);
  const Steps steps = steps_of(sum);
  NodeId result;
  const auto add_part = [&](NodeId node, Term part, Move move) {
    if (!node.valid()) return;
    if (!result.valid()) result = add_node();
    if (bases.is_anywhere) return add_rule(node, {kAnywhere, result, 0});
    add_strides(steps, part, move);
    add_rule(node, {kMove, result, move_number(std::move(move))});
  };
  for (const Term part : bases.terms) {
    Move move;
    move.distance = sum.constant;
    if (repeated_sums_.contains(term) && sum.constant != 0) {
      move.repeated = magnitude(sum.constant);
    }
    add_part(node_of(part), part, std::move(move));
  }
  if (bases.has_pointers || bases.is_distance) return result;
  const Term number = program_.pool->bits(
      static_cast<std::uint64_t>(sum.constant), term.width());
  add_part(node_of(number), {}, {});
  return result;
}

PointsToAnalysis::Steps PointsToAnalysis::steps_of(const Sum& sum) {
  Steps result;
  for (const auto* parts : {&sum.plus, &sum.minus}) {
    for (const Term part : *parts) {
      ++result.strides[stride_of(part)];
      if (!is_extended(part)) ++result.others;
    }
  }
  return result;
}

/// Adds the steps of all terms of a sum but one, which is invalid if there is
/// none to leave out.
void PointsToAnalysis::add_strides(const Steps& steps, Term but, Move& move) {
  const bool is_other = but.valid() && !is_extended(but);
  move.is_apart = steps.others == (is_other ? 1U : 0U);
  const std::uint64_t left_out = but.valid() ? stride_of(but) : 0;
  for (const auto& [stride, terms] : steps.strides) {
    const bool is_alone = but.valid() && stride == left_out && terms == 1;
    if (stride != 0 && !is_alone) move.strides.push_back(stride);
  }
}

std::uint32_t PointsToAnalysis::move_number(Move move) {
  const auto [found, is_new] =
      move_of_.try_emplace(move, static_cast<std::uint32_t>(moves_.size()));
  if (is_new) moves_.push_back(std::move(move));
  return found->second;
}

NodeId PointsToAnalysis::read_node(Term term) {
  const Term array = term.operand(0);
  note_array(array);
  const NodeId address = node_of(term.operand(1));
  if (is_free_array(array)) return {};
  const NodeId result = add_node();
  if (address.valid()) {
    add_rule(address, {kLoad, result, std::max(1U, term.width() / 8)});
  }
  return result;
}

bool PointsToAnalysis::is_free_array(Term term) const {
  const ir::VariableId variable = program_.variable_of(term);
  return variable.valid() && !is_assigned_array_[variable.index()];
}

void PointsToAnalysis::note(Term term) {
  if (!noted_.insert(term).second) return;
  term::visit_subterms(term, [&](Term part) {
    if (part.kind() == Kind::Read) node_of(part);
    if (part.sort().is_array()) note_array(part);
  });
}

void PointsToAnalysis::note_array(Term array) {
  std::vector<Term> open{array};
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    if (term.kind() == Kind::Variable || term.kind() == Kind::ConstantArray ||
        !noted_arrays_.insert(term).second) {
      continue;
    }
    for (const Term operand : term.operands()) {
      if (operand.sort().is_array()) open.push_back(operand);
    }
    if (term.kind() == Kind::Copy) note_copy(term);
    if (term.kind() != Kind::Write) continue;
    const NodeId address = node_of(term.operand(1));
    const NodeId value = node_of(term.operand(2));
    if (!address.valid() || !value.valid()) continue;
    add_rule(address,
             {kStore, value, std::max(1U, term.operand(2).width() / 8)});
  }
}

void PointsToAnalysis::note_copy(Term term) {
  const NodeId target = node_of(term.operand(1));
  const NodeId from = node_of(term.operand(4));
  if (!target.valid()) return;
  const Term size = term.operand(2);
  const Term source = term.operand(3);
  const std::uint64_t bytes = size.is_constant()
                                  ? static_cast<std::uint64_t>(size.value())
                                  : kUnbounded;
  if (source.kind() == Kind::ConstantArray) {
    const NodeId element = node_of(source.operand(0));
    if (!element.valid()) return;
    const std::uint32_t copy = add_copy(target, {}, bytes, stride_of(size));
    TouchedCell everywhere;
    everywhere.is_anywhere = true;
    include(element, source_node(copies_[copy], everywhere));
  } else if (!is_free_array(source) && from.valid()) {
    add_copy(target, from, bytes, stride_of(size));
  }
}

std::uint32_t PointsToAnalysis::add_copy(NodeId target, NodeId source,
                                         std::uint64_t size,
                                         std::uint64_t stride) {
  const auto number = static_cast<std::uint32_t>(copies_.size());
  Copy copy;
  copy.size = size;
  copy.stride = stride;
  copies_.push_back(std::move(copy));
  if (source.valid()) add_rule(source, {kCopySource, {}, number});
  add_rule(target, {kCopyTarget, {}, number});
  return number;
}

// Between sources and targets stands one set for each place in what is copied,
// on either side. Where there are too many of them, which only happens with
// memory that can be anything, new ones are not told apart.
NodeId PointsToAnalysis::source_node(Copy& copy, TouchedCell cell) {
  const auto known = copy.sources.find(key_of(cell));
  if (known != copy.sources.end()) return known->second.content;
  if (!cell.is_anywhere &&
      copy.sources.size() * copy.targets.size() > kManyCopyParts) {
    cell.is_anywhere = true;
    return source_node(copy, cell);
  }
  const NodeId node = add_node();
  copy.sources.emplace(key_of(cell), CopyPart{cell, node});
  for (const auto& [key, target] : copy.targets) {
    if (may_meet(cell, target.where)) include(node, target.content);
  }
  return node;
}

NodeId PointsToAnalysis::target_node(Copy& copy, TouchedCell cell) {
  const auto known = copy.targets.find(key_of(cell));
  if (known != copy.targets.end()) return known->second.content;
  if (!cell.is_anywhere &&
      copy.sources.size() * copy.targets.size() > kManyCopyParts) {
    cell.is_anywhere = true;
    return target_node(copy, cell);
  }
  const NodeId node = add_node();
  copy.targets.emplace(key_of(cell), CopyPart{cell, node});
  for (const auto& [key, source] : copy.sources) {
    if (may_meet(source.where, cell)) include(source.content, node);
  }
  return node;
}

void PointsToAnalysis::copy_from(std::uint32_t number, PlaceId from) {
  Copy& copy = copies_[number];
  for (const TouchedCell& cell : touch(from, copy.size, copy.stride)) {
    const NodeId node = source_node(copy, cell);
    include(content(cell.cell), node);
    const SiteId site = site_of_cell_[cell.cell];
    if (layout(site).is_untyped()) include(seen(site), node);
  }
}

void PointsToAnalysis::copy_to(std::uint32_t number, PlaceId to) {
  Copy& copy = copies_[number];
  for (const TouchedCell& cell : touch(to, copy.size, copy.stride)) {
    include(target_node(copy, cell), content(cell.cell));
  }
}

}  // namespace agon::analysis
