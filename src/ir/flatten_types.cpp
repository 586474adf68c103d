// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/flattener.h"
#include "ir/unrelated.h"
#include "term/substitute.h"

// What the types of pointers from outside say about where they point to. A
// pointer that one of them points to comes from outside, too.

namespace agon::ir {

namespace {

constexpr std::size_t kMostPointers = 24;
constexpr unsigned kMostSteps = 2;  // Through memory.

/// The distances from some pointer at which pointers are read.
std::set<std::uint64_t> distances_of_reads(const Cfa& body, Term memory,
                                           unsigned width) {
  std::set<std::uint64_t> result;
  visit_terms(body, [&](Term part) {
    if (part.kind() != term::Kind::Read || part.operand(0) != memory ||
        part.width() != width) {
      return;
    }
    const Term index = part.operand(1);
    std::uint64_t distance = 0;
    if (index.kind() == term::Kind::Add) {
      for (const Term each : index.operands()) {
        if (each.is_constant()) {
          distance = static_cast<std::uint64_t>(each.value());
        }
      }
    }
    result.insert(distance);
  });
  return result;
}

/// The pointers in an object, by distance, if each has a type.
void collect_pointers(const TypeTable& types, TypeId id, std::uint64_t offset,
                      std::vector<std::pair<std::uint64_t, TypeId>>& result) {
  const Type& type = types[id];
  if (type.kind == TypeKind::Pointer && type.element.valid()) {
    result.emplace_back(offset, type.element);
  }
  for (const Field& field : type.fields) {
    collect_pointers(types, field.type, offset + field.offset, result);
  }
}

}  // namespace

/// Those with types that are kept, first the ones that are variables.
std::vector<Flattener::Given> Flattener::given_pointers(
    const UnrelatedTypes& types) {
  term::Pool& pool = *program_.pool;
  const Cfa& body = program_[entry_].body;
  const std::set<Term> used = variables_in(body);
  const Term memory = program_[program_.memory].term;
  const unsigned width = program_.pointer_width();
  std::vector<Given> result;
  for (const Variable& variable : program_.variables) {
    const bool is_pointer = used.contains(variable.term) &&
                            is_given(variable) &&
                            is_of(variable, TypeKind::Pointer);
    if (!is_pointer || result.size() == kMostPointers) continue;
    const TypeId to = program_.types[variable.type].element;
    if (!types.is_kept(to)) continue;
    result.push_back({variable.term, to, is_not_null(variable.term), 0});
  }
  const std::set<std::uint64_t> distances =
      distances_of_reads(body, memory, width);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Given holder = result[i];
    if (holder.steps == kMostSteps) break;
    std::vector<std::pair<std::uint64_t, TypeId>> inside;
    collect_pointers(program_.types, holder.to, 0, inside);
    for (const auto& [distance, to] : inside) {
      if (!distances.contains(distance) || !types.is_kept(to) ||
          result.size() == kMostPointers) {
        continue;
      }
      const Term value = pool.read(
          memory, pool.add(holder.value, number(distance)), width / 8);
      result.push_back({value, to,
                        pool.conjunction({holder.is_there, is_not_null(value)}),
                        holder.steps + 1});
    }
  }
  return result;
}

Term Flattener::is_not_null(Term pointer) {
  return program_.pool->negation(program_.pool->equal(pointer, number(0)));
}

/// That two objects have nothing in common.
Term Flattener::lie_apart(Term a, std::uint64_t size_of_a, Term b,
                          std::uint64_t size_of_b) {
  term::Pool& pool = *program_.pool;
  const auto is_far = [&](Term from, Term until, std::uint64_t size) {
    return pool.negation(
        pool.unsigned_less(pool.subtract(until, from), number(size)));
  };
  return pool.conjunction({is_far(a, b, size_of_a), is_far(b, a, size_of_b)});
}

/// What a pointer in memory is like, which those in variables are anyway.
Term Flattener::is_from_outside(const Given& pointer, const Span& gone) {
  term::Pool& pool = *program_.pool;
  std::vector<Term> parts{
      is_no_local(pointer.value, 1, gone),
      is_aligned(pointer.value, program_.types[pointer.to])};
  if (heap_.valid()) {
    parts.push_back(pool.unsigned_less(
        pointer.value, number(heap_start(program_.pointer_width()))));
  }
  return pool.conjunction(parts);
}

/// That objects of types that have nothing in common lie apart.
std::vector<Term> Flattener::known_by_types() {
  if (head_.valid()) return {};  // Clients pass what they like.
  term::Pool& pool = *program_.pool;
  const UnrelatedTypes unrelated(program_);
  const std::vector<Given> pointers = given_pointers(unrelated);
  const Span gone = locals();
  const std::set<Term> used = addresses_in(program_[entry_].body);
  std::vector<Term> parts;
  const auto size = [&](TypeId type) { return program_.types[type].size; };
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    const Given& a = pointers[i];
    std::vector<Term> known;
    if (a.steps > 0) known.push_back(is_from_outside(a, gone));
    for (const Object& object : program_.objects) {
      if (object.kind == ObjectKind::Local || !used.contains(object.address) ||
          !unrelated(a.to, object.type)) {
        continue;
      }
      known.push_back(
          lie_apart(a.value, size(a.to), object.address, object.size));
    }
    for (const NumberedAddress& each : program_.numbered) {
      if (!unrelated(a.to, each.to)) continue;
      known.push_back(
          lie_apart(a.value, size(a.to), number(each.value), size(each.to)));
    }
    for (std::size_t k = 0; k < i; ++k) {
      const Given& b = pointers[k];
      const Term apart = unrelated(a.to, b.to) ? lie_apart(a.value, size(a.to),
                                                           b.value, size(b.to))
                         : a.to == b.to ? are_apart(a.value, b.value, a.to)
                                        : pool.boolean(true);
      known.push_back(pool.implies(b.is_there, apart));
    }
    parts.push_back(pool.implies(a.is_there, pool.conjunction(known)));
  }
  return parts;
}

}  // namespace agon::ir
