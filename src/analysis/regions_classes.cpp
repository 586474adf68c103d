// SPDX-License-Identifier: Apache-2.0
#include "analysis/regions_classes.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/statements.h"
#include "support/error.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::analysis {

using term::Kind;
using term::Term;

namespace {

/// Whether an element at one place of what is copied never begins within an
/// element of the other.
bool is_aligned(const TouchedCell& a, const TouchedCell& b) {
  if (a.is_anywhere || b.is_anywhere) return false;
  const auto period = static_cast<std::int64_t>(std::gcd(a.period, b.period));
  return period == 0 ? a.low == b.low : (a.low - b.low) % period == 0;
}

std::vector<bool> find_free_arrays(const ir::Program& program) {
  std::vector<bool> result(program.variables.size(), false);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = program.variables[i].term.sort().is_array() &&
                ir::VariableId::at(i) != program.memory;
  }
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      const auto* assign = std::get_if<ir::Assign>(&edge.statement);
      if (assign != nullptr) result[assign->target.index()] = false;
    }
  }
  return result;
}

/// Cells at the same place of a range.
struct Alike {
  TouchedCell where;
  std::vector<std::uint32_t> cells;
  bool is_met = false;
};

std::vector<Alike> group(const std::vector<TouchedCell>& touched) {
  std::vector<Alike> result;
  std::map<TouchKey, std::size_t> number;
  for (const TouchedCell& cell : touched) {
    const auto [found, is_new] =
        number.try_emplace(key_of(cell), result.size());
    if (is_new) result.push_back({cell, {}, false});
    result[found->second].cells.push_back(cell.cell);
  }
  return result;
}

unsigned bytes_of(Term value) { return std::max(1U, value.width() / 8); }

}  // namespace

RegionClasses::RegionClasses(const ir::Program& program,
                             const PointsTo& points_to)
    : program_(program),
      points_to_(points_to),
      parent_(points_to.num_cells()),
      width_(points_to.num_cells(), 0),
      is_bytes_(points_to.num_cells(), false),
      is_touched_(points_to.num_cells(), false),
      is_free_(find_free_arrays(program)) {
  std::iota(parent_.begin(), parent_.end(), 0);
  initialise();
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      for_each_term(edge.statement, [&](Term term) { visit(term); });
    }
  }
  reallocate(program);
  follow_links();
  finish();
}

bool RegionClasses::is_free(Term array) const {
  const ir::VariableId variable = program_.variable_of(array);
  return variable.valid() && is_free_[variable.index()];
}

std::uint32_t RegionClasses::find(std::uint32_t cell) {
  while (parent_[cell] != cell) {
    parent_[cell] = parent_[parent_[cell]];
    cell = parent_[cell];
  }
  return cell;
}

// The cell with the lowest number stands for a class.
void RegionClasses::unite(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  parent_[b] = a;
  if (is_bytes_[b]) is_bytes_[a] = true;
  if (width_[b] != 0) note_width(a, width_[b], true);
}

void RegionClasses::note_width(std::uint32_t cell, unsigned bytes,
                               bool is_exact) {
  const std::uint32_t root = find(cell);
  if (!is_exact || (width_[root] != 0 && width_[root] != bytes)) {
    is_bytes_[root] = true;
  }
  if (width_[root] == 0) width_[root] = bytes;
}

void RegionClasses::initialise() {
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const SiteId site = SiteId::at(i);
    for (const ir::InitialCell& cell : program_.objects[i].initial) {
      visit(cell.value);
      const std::uint32_t offset = points_to_.layout(site).normal(
          static_cast<std::int64_t>(cell.offset));
      std::uint32_t first = 0;
      access({{site, offset}}, first, bytes_of(cell.value));
    }
  }
}

/// Merges what an access of `bytes` bytes can touch, and says one of its cells.
void RegionClasses::access(std::vector<Location> locations,
                           std::uint32_t& first, unsigned bytes) {
  first = points_to_[points_to_.unknown()].first_cell;
  bool is_first = true;
  for (const Location& location : locations) {
    const auto touched = points_to_.touch(location, bytes);
    const bool is_exact = touched.size() == 1 && !touched[0].is_anywhere &&
                          touched[0].low == 0 && touched[0].size >= bytes &&
                          location.offset % bytes == 0;
    for (const TouchedCell& cell : touched) {
      if (is_first) first = cell.cell;
      is_first = false;
      is_touched_[cell.cell] = true;
      unite(first, cell.cell);
      note_width(cell.cell, bytes, is_exact);
    }
  }
  if (is_first) note_width(first, bytes, false);
}

void RegionClasses::access(Term address, unsigned bytes) {
  const std::uint64_t key = support::pair_key(address.id(), bytes);
  if (accesses_.contains(key)) return;
  const auto [found, is_new] = sets_.try_emplace(
      support::pair_key(points_to_.set_of(address), bytes), 0U);
  std::uint32_t first = found->second;
  if (is_new) {
    access(points_to_.representatives(address), first, bytes);
    sets_[support::pair_key(points_to_.set_of(address), bytes)] = first;
  }
  accesses_.emplace(key, first);
}

std::uint32_t RegionClasses::class_of(Term address, unsigned bytes) {
  access(address, bytes);
  return find(accesses_.at(support::pair_key(address.id(), bytes)));
}

void RegionClasses::visit(Term term) {
  term::visit_subterms(term, [&](Term part) {
    if (part.id() >= visited_.size()) visited_.resize(part.id() + 1, false);
    if (visited_[part.id()]) return;
    visited_[part.id()] = true;
    if (part.kind() == Kind::Read) {
      access(part.operand(1), bytes_of(part));
    } else if (part.kind() == Kind::Write) {
      access(part.operand(1), bytes_of(part.operand(2)));
    } else if (part.kind() == Kind::Copy) {
      copy(part);
    }
  });
}

std::vector<TouchedCell> RegionClasses::touch(Term address, std::uint64_t size,
                                              std::uint64_t stride) {
  std::vector<TouchedCell> result;
  for (const Location& location : points_to_.representatives(address)) {
    for (TouchedCell& cell : points_to_.touch(location, size, stride)) {
      result.push_back(cell);
    }
  }
  if (result.empty()) {
    result = points_to_.touch({points_to_.unknown(), kAnyOffset}, size);
  }
  for (const TouchedCell& cell : result) is_touched_[cell.cell] = true;
  return result;
}

/// What is touched outside may be any of the cells that it stands for.
void RegionClasses::follow_links() {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const Link& link : points_to_.links()) {
      if (!is_touched_[link.outside]) continue;
      if (!is_touched_[link.cell]) is_changed = true;
      is_touched_[link.cell] = true;
      unite(link.outside, link.cell);
    }
  }
}

void RegionClasses::meet(const std::vector<TouchedCell>& to,
                         const std::vector<TouchedCell>& from) {
  std::vector<Alike> targets = group(to);
  std::vector<Alike> sources = group(from);
  for (Alike& target : targets) {
    for (Alike& source : sources) {
      if (!may_meet(target.where, source.where)) continue;
      const std::uint32_t cell = target.cells.front();
      target.is_met = true;
      source.is_met = true;
      unite(cell, source.cells.front());
      if (!is_aligned(target.where, source.where)) is_bytes_[find(cell)] = true;
    }
  }
  for (const std::vector<Alike>& groups : {targets, sources}) {
    for (const Alike& alike : groups) {
      if (!alike.is_met) continue;
      for (const std::uint32_t cell : alike.cells) {
        unite(alike.cells.front(), cell);
      }
    }
  }
}

void RegionClasses::copy(Term term) {
  const Term size_term = term.operand(2);
  const std::uint64_t size = size_term.is_constant()
                                 ? static_cast<std::uint64_t>(size_term.value())
                                 : kUnbounded;
  const std::uint64_t stride = stride_of(size_term);
  const Term source = term.operand(3);
  const auto to = touch(term.operand(1), size, stride);
  copy_terms_.push_back(term);
  std::vector<std::uint32_t>& changed = copies_[term];
  for (const TouchedCell& cell : to) {
    changed.push_back(cell.cell);
    cuts_.push_back({cell, size, stride});
  }
  if (source.kind() == Kind::ConstantArray || is_free(source)) return;
  const auto from = touch(term.operand(4), size, stride);
  for (const TouchedCell& cell : from) cuts_.push_back({cell, size, stride});
  meet(to, from);
}

/// What an allocator copies keeps its distance from the start.
void RegionClasses::reallocate(const ir::Program& program) {
  for (std::uint32_t i = 0; i < points_to_.sites().size(); ++i) {
    const Site& site = points_to_.sites()[i];
    if (site.kind != SiteKind::Heap) continue;
    const ir::Edge& edge = program[site.function].body.edge(site.edge);
    const auto* call = std::get_if<ir::Call>(&edge.statement);
    if (call == nullptr || call->arguments.empty()) continue;
    const bool may_be_realloc =
        !call->callee.valid() || program[call->callee].name == "realloc";
    if (!may_be_realloc) continue;
    const std::uint32_t start = points_to_.layout(SiteId::at(i)).normal(0);
    const auto to = points_to_.touch({SiteId::at(i), start}, kUnbounded);
    std::vector<TouchedCell> from;
    for (const Location& old : points_to_.representatives(call->arguments[0])) {
      const auto touched = points_to_.touch(old, kUnbounded);
      from.insert(from.end(), touched.begin(), touched.end());
    }
    meet(to, from);
  }
}

std::vector<std::uint32_t> RegionClasses::classes_of_copy(Term term) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t cell : copies_.at(term)) {
    if (is_accessed(cell)) result.push_back(find(cell));
  }
  support::sort_unique(result);
  return result;
}

void RegionClasses::finish() {
  for (const Cut& cut : cuts_) {
    const std::uint32_t root = find(cut.where.cell);
    const unsigned bytes = width_[root];
    if (bytes > 1 && !is_bytes_[root] &&
        !is_whole(cut.where, bytes, cut.size, cut.stride)) {
      is_bytes_[root] = true;
    }
  }
  visited_ = {};
  cuts_ = {};
}

}  // namespace agon::analysis
