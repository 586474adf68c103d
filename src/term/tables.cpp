// SPDX-License-Identifier: Apache-2.0
#include "term/tables.h"

#include <algorithm>

#include "support/error.h"
#include "support/hash.h"

namespace agon::term {
namespace {

std::uint64_t combine(std::uint64_t seed, std::uint64_t word) {
  return support::mix(seed * 0x9e3779b97f4a7c15U + word);
}

std::uint64_t pack(Sort sort) {
  return std::uint64_t{static_cast<std::uint8_t>(sort.kind)} << 32 |
         std::uint64_t{sort.width} << 16 | sort.index_width;
}

}  // namespace

std::size_t Pool::Tables::Hash::operator()(const Node* node) const {
  std::uint64_t hash =
      combine(pack(node->sort), static_cast<std::uint64_t>(node->kind));
  hash = combine(hash, node->parameter);
  for (const Term term : node->operands) hash = combine(hash, term.id());
  if (node->kind == Kind::Constant) {
    if (node->sort.is_int()) {
      return combine(hash, boost::multiprecision::hash_value(*node->integer));
    }
    hash = combine(combine(hash, node->words[0]), node->words[1]);
  }
  return hash;
}

bool Pool::Tables::Equal::operator()(const Node* a, const Node* b) const {
  if (a->kind != b->kind || a->sort != b->sort ||
      a->parameter != b->parameter ||
      !std::ranges::equal(a->operands, b->operands)) {
    return false;
  }
  if (a->kind != Kind::Constant) return true;
  return a->sort.is_int() ? *a->integer == *b->integer : a->words == b->words;
}

Term Pool::Tables::intern(Node candidate) {
  const auto known = known_.find(&candidate);
  if (known != known_.end()) return Term(*known);
  candidate.id = static_cast<std::uint32_t>(nodes.size());
  if (!candidate.operands.empty()) {
    std::pmr::polymorphic_allocator<Term> allocator(&operands_);
    Term* const copy = allocator.allocate(candidate.operands.size());
    std::ranges::uninitialized_copy(candidate.operands,
                                    std::span(copy, candidate.operands.size()));
    candidate.operands = {copy, candidate.operands.size()};
  }
  if (candidate.kind == Kind::Constant && candidate.sort.is_int()) {
    candidate.integer = &integers_.emplace_back(*candidate.integer);
  }
  const Node* const node = &nodes.emplace_back(candidate);
  known_.insert(node);
  return Term(node);
}

Term Pool::Tables::make(Kind kind, Sort sort, std::span<const Term> operands,
                        std::uint32_t parameter) {
  Node node;
  node.kind = kind;
  node.sort = sort;
  node.operands = operands;
  node.parameter = parameter;
  return intern(node);
}

Term Pool::Tables::lookup(Kind kind, Sort sort,
                          std::initializer_list<Term> operands) const {
  Node node;
  node.kind = kind;
  node.sort = sort;
  node.operands = {operands.begin(), operands.size()};
  const auto known = known_.find(&node);
  return known == known_.end() ? Term() : Term(*known);
}

Term Pool::Tables::constant(Sort sort, Bits value) {
  Node node;
  node.sort = sort;
  node.set_value(value);
  return intern(node);
}

Term Pool::Tables::constant(const Integer& value) {
  Node node;
  node.sort = Sort::integer();
  node.integer = &value;
  return intern(node);
}

// Names are unique by themselves, so named terms stay out of the big table.
Term Pool::Tables::named(Kind kind, Sort sort, std::string_view name) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) {
    AGON_ASSERT(known->second->kind == kind && known->second->sort == sort);
    return Term(known->second);
  }
  Node node;
  node.kind = kind;
  node.sort = sort;
  node.id = static_cast<std::uint32_t>(nodes.size());
  node.name = &names_.emplace_back(name);
  const Node* const stored = &nodes.emplace_back(node);
  by_name_.emplace(*stored->name, stored);
  return Term(stored);
}

Term Pool::Tables::find(std::string_view name) const {
  const auto known = by_name_.find(name);
  return known == by_name_.end() ? Term() : Term(known->second);
}

}  // namespace agon::term
