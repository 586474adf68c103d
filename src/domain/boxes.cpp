// SPDX-License-Identifier: Apache-2.0
#include "domain/boxes.h"

#include <algorithm>
#include <set>

#include "term/substitute.h"

namespace agon::domain {
namespace {

using term::Kind;
using term::Term;

std::set<Term> scalars_in(const ir::Cfa& body, const ir::Program& program) {
  std::set<Term> found;
  const auto look = [&](Term term) {
    for (const Term variable : term::variables_of(term)) {
      if (is_followed(variable.sort())) found.insert(variable);
    }
  };
  for (const ir::Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      look(assign->value);
      look(program[assign->target].term);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      look(test->condition);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      look(program[havoc->target].term);
    }
  }
  return found;
}

/// Variables that are assigned to, but never anything but a constant.
std::set<Term> flags_in(const ir::Cfa& body, const ir::Program& program) {
  std::set<Term> assigned;
  std::set<Term> others;
  for (const ir::Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      (assign->value.is_constant() ? assigned : others)
          .insert(program[assign->target].term);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      others.insert(program[havoc->target].term);
    }
  }
  std::erase_if(assigned, [&](Term flag) { return others.contains(flag); });
  return assigned;
}

}  // namespace

BoxDomain::BoxDomain(const Setting& setting)
    : program_(setting.program), body_(setting.program[setting.entry].body) {
  const std::set<Term> flags = flags_in(body_, program_);
  for (const Term variable : scalars_in(body_, program_)) {
    if (flags.contains(variable)) flags_.push_back(terms_.size());
    index_.emplace(variable, terms_.size());
    terms_.push_back(variable);
    variables_.push_back(program_.variable_of(variable));
  }
}

std::size_t BoxDomain::index_of(Term variable) const {
  const auto found = index_.find(variable);
  return found != index_.end() ? found->second : terms_.size();
}

Box BoxDomain::unpack(const Value& value) const {
  Box box(terms_.size());
  for (std::size_t i = 0; i < box.size(); ++i) {
    box[i] = {static_cast<std::int64_t>(value[2 * i]),
              static_cast<std::int64_t>(value[2 * i + 1])};
  }
  return box;
}

Value BoxDomain::pack(const Box& box) const {
  Value value;
  value.reserve(2 * box.size());
  for (const Range& range : box) {
    value.push_back(static_cast<std::uint64_t>(range.low));
    value.push_back(static_cast<std::uint64_t>(range.high));
  }
  return value;
}

Value BoxDomain::top() const {
  Box box;
  for (const Term variable : terms_) box.push_back(all_of(variable.sort()));
  return pack(box);
}

std::vector<Value> BoxDomain::post(const Value& value,
                                   const ir::Assign& assign) {
  const std::size_t target = index_of(program_[assign.target].term);
  if (target == terms_.size()) return {value};
  const std::set<Value> cases =
      assign_cases(value, target, assign.value, kMostCases);
  return {cases.begin(), cases.end()};
}

std::set<Value> BoxDomain::assign_cases(const Value& value, std::size_t target,
                                        Term assigned, unsigned depth) {
  std::set<Value> result;
  if (assigned.kind() == Kind::Ite && depth > 0) {
    const Term condition = assigned.operand(0);
    for (const Value& part : filter(value, condition)) {
      result.merge(assign_cases(part, target, assigned.operand(1), depth - 1));
    }
    for (const Value& part :
         filter(value, program_.pool->negation(condition))) {
      result.merge(assign_cases(part, target, assigned.operand(2), depth - 1));
    }
    if (result.size() <= kMostParts) return result;
    result.clear();
  }
  Box box = unpack(value);
  for (const Range& piece : pieces(target, evaluate(assigned, box))) {
    box[target] = piece;
    result.insert(pack(box));
  }
  return result;
}

std::vector<Value> BoxDomain::post(const Value& value, const ir::Havoc& havoc) {
  const std::size_t target = index_of(program_[havoc.target].term);
  if (target == terms_.size()) return {value};
  Box box = unpack(value);
  std::vector<Value> result;
  for (const Range& piece : choices(target)) {
    box[target] = piece;
    result.push_back(pack(box));
  }
  return result;
}

std::vector<Value> BoxDomain::filter(const Value& value, Term condition) {
  const Box before = unpack(value);
  std::vector<Box> narrowed;
  narrow(before, condition, true, narrowed);
  std::set<Value> result;
  for (const Box& box : narrowed) {
    std::vector<Box> cut{box};
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (box[i] == before[i]) continue;
      std::vector<Box> finer;
      for (const Box& part : cut) {
        for (const Range& piece : pieces(i, box[i])) {
          finer.push_back(part);
          finer.back()[i] = piece;
        }
      }
      if (finer.size() > kMostBoxes) {  // Round this variable up instead.
        for (Box& part : cut) {
          for (const Range& piece : pieces(i, box[i])) {
            part[i] = hull(part[i], piece);
          }
        }
        continue;
      }
      cut = std::move(finer);
    }
    for (const Box& part : cut) result.insert(pack(part));
  }
  return {result.begin(), result.end()};
}

bool BoxDomain::is_below(const Value& a, const Value& b) const {
  const Box inner = unpack(a);
  const Box outer = unpack(b);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (hull(inner[i], outer[i]) != outer[i]) return false;
  }
  return true;
}

Value BoxDomain::join(const Value& a, const Value& b) const {
  Box box = unpack(a);
  const Box other = unpack(b);
  for (std::size_t i = 0; i < box.size(); ++i) box[i] = hull(box[i], other[i]);
  return pack(box);
}

Value BoxDomain::widen(const Value& a, const Value& b) const {
  Box box = unpack(a);
  const Box other = unpack(b);
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (hull(box[i], other[i]) != box[i]) {
      box[i] = widen_range(i, box[i], other[i]);
    }
  }
  return pack(box);
}

Value BoxDomain::situation(const Value& value) const {
  Value result;
  for (const std::size_t i : flags_) {
    result.push_back(value[2 * i]);
    result.push_back(value[2 * i + 1]);
  }
  return result;
}

Value BoxDomain::keep(const Value& value, const Keep& is_kept) const {
  Box box = unpack(value);
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (!is_kept(variables_[i])) box[i] = all_of(terms_[i].sort());
  }
  return pack(box);
}

Term BoxDomain::concretise(const Value& value) const {
  term::Pool& pool = *program_.pool;
  const Box box = unpack(value);
  std::vector<Term> parts;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const Term x = terms_[i];
    const Range all = all_of(x.sort());
    if (box[i] == all) continue;
    if (x.sort().is_bool()) {
      parts.push_back(box[i].low != 0 ? x : pool.negation(x));
      continue;
    }
    const Term low = pool.bits(static_cast<term::Bits>(box[i].low), x.width());
    const Term high =
        pool.bits(static_cast<term::Bits>(box[i].high), x.width());
    if (box[i].is_single()) {
      parts.push_back(pool.equal(x, low));
      continue;
    }
    const Term zero = pool.bits(0, x.width());
    if (box[i].low == 1) {
      parts.push_back(pool.signed_less(zero, x));
    } else if (box[i].low != all.low) {
      parts.push_back(pool.negation(pool.signed_less(x, low)));
    }
    if (box[i].high == -1) {
      parts.push_back(pool.signed_less(x, zero));
    } else if (box[i].high != all.high) {
      parts.push_back(pool.negation(pool.signed_less(high, x)));
    }
  }
  return pool.conjunction(parts);
}

}  // namespace agon::domain
