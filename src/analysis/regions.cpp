// SPDX-License-Identifier: Apache-2.0
#include "analysis/regions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "analysis/regions_classes.h"
#include "analysis/regions_names.h"
#include "analysis/statements.h"
#include "support/error.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

// A term that denotes all of memory is *projected* onto a region: writes to
// other regions drop out of it. A read is then one of the projection onto the
// region that its address lies in.

namespace agon::analysis {
namespace {

using term::Kind;
using term::Term;

constexpr std::uint32_t kNoRegion = 0xffffffff;

class Splitter {
 public:
  Splitter(const ir::Program& program, const PointsTo& points_to)
      : old_(program),
        points_to_(points_to),
        classes_(program, points_to),
        result_{program, {}},
        pool_(*program.pool) {}

  SplitMemory run();

 private:
  using Memo = std::unordered_map<std::uint64_t, Term>;

  void make_regions();
  void make_twins();
  void divide_objects();
  std::uint32_t region_at(Term address, unsigned bytes);
  Term element(Term byte, unsigned bytes);
  Term free_array(Term array, unsigned bytes);

  // Terms.
  Term scalar(Term term);
  Term operand(Term term);
  Term project(Term array, std::uint32_t region);
  Term project_copy(Term copy, std::uint32_t region);
  void find_changes(Term array, std::vector<std::uint32_t>& regions);

  // Statements.
  void rewrite(ir::FunctionId function);
  void rewrite(const ir::Edge& edge, ir::Cfa& body);
  void rewrite_memory(const ir::Assign& assign, std::vector<ir::Statement>& to);
  void rewrite_havoc(const ir::Havoc& havoc, std::vector<ir::Statement>& to);
  bool reads(Term term, const std::vector<std::uint32_t>& regions);
  Term store_away(Term mapped);

  const ir::Program& old_;
  const PointsTo& points_to_;
  RegionClasses classes_;
  SplitMemory result_;
  term::Pool& pool_;
  std::vector<std::uint32_t> region_of_class_;  // By cell.
  std::map<std::pair<Term, unsigned>, ir::VariableId> twins_;
  std::map<ir::VariableId, std::vector<ir::VariableId>> twins_of_;
  std::unordered_map<Term, Term> scalars_;
  Memo projections_;

  // While an assignment to several regions is taken apart.
  std::vector<std::uint32_t> changing_;
  std::map<Term, Term> stored_;
  std::vector<ir::Statement> before_;
  ir::FunctionId function_;
};

SplitMemory Splitter::run() {
  make_regions();
  make_twins();
  divide_objects();
  for (std::size_t i = 0; i < old_.functions.size(); ++i) {
    if (old_.functions[i].has_body) rewrite(ir::FunctionId::at(i));
  }
  return std::move(result_);
}

void Splitter::make_regions() {
  const std::size_t size = classes_.num_cells();
  region_of_class_.assign(size, kNoRegion);
  const unsigned address_width = old_.pointer_width();
  for (std::uint32_t cell = 0; cell < size; ++cell) {
    const std::uint32_t root = classes_.find(cell);
    if (!classes_.is_accessed(root)) continue;
    std::uint32_t& number = region_of_class_[root];
    if (number == kNoRegion) {
      number = static_cast<std::uint32_t>(result_.regions.size());
      result_.regions.push_back({{}, classes_.element_bytes(root), {}, {}});
    }
    result_.regions[number].cells.push_back(cell);
  }
  for (Region& region : result_.regions) {
    region.name = region_name(old_, points_to_, region);
    ir::Variable variable;
    variable.name = region.name;
    variable.display = region.name;
    variable.kind = ir::VariableKind::Memory;
    region.variable = result_.program.add_variable(
        std::move(variable),
        term::Sort::array(address_width, 8 * region.element_bytes));
    region.name = result_.program[region.variable].name;
  }
}

/// Makes the arrays that arbitrary values are copied from.
void Splitter::make_twins() {
  for (const Term copy : classes_.copies()) {
    if (!classes_.is_free(copy.operand(3))) continue;
    for (const std::uint32_t cell : classes_.classes_of_copy(copy)) {
      free_array(copy.operand(3), classes_.element_bytes(cell));
    }
  }
}

void Splitter::divide_objects() {
  for (std::size_t i = 0; i < old_.objects.size(); ++i) {
    ir::Object& object = result_.program.objects[i];
    const Site& site = points_to_.sites()[i];
    const Layout& layout = points_to_.layout(SiteId::at(i));
    object.arrays.clear();
    for (std::uint32_t k = 0; k < layout.cells().size(); ++k) {
      const std::uint32_t region =
          region_of_class_[classes_.find(site.first_cell + k)];
      if (region == kNoRegion) continue;
      object.arrays.push_back(result_.regions[region].variable);
    }
    support::sort_unique(object.arrays);
    for (ir::InitialCell& cell : object.initial) {
      const std::uint32_t offset =
          layout.normal(static_cast<std::int64_t>(cell.offset));
      const std::uint32_t at =
          site.first_cell + (offset == kAnyOffset ? 0 : layout.cell_at(offset));
      cell.array =
          result_.regions[region_of_class_[classes_.find(at)]].variable;
      cell.value = scalar(cell.value);
    }
  }
}

std::uint32_t Splitter::region_at(Term address, unsigned bytes) {
  return region_of_class_[classes_.class_of(address, bytes)];
}

/// `bytes` times the same byte.
Term Splitter::element(Term byte, unsigned bytes) {
  Term result = byte;
  for (unsigned i = 1; i < bytes; ++i) result = pool_.concat(byte, result);
  return result;
}

/// The array of arbitrary values that serves regions with such elements.
Term Splitter::free_array(Term array, unsigned bytes) {
  if (bytes == 1) return array;
  const auto [found, is_new] = twins_.try_emplace({array, bytes});
  if (is_new) {
    const ir::VariableId original = old_.variable_of(array);
    ir::Variable twin = old_[original];
    found->second = result_.program.add_variable(
        std::move(twin), term::Sort::array(old_.pointer_width(), 8 * bytes));
    twins_of_[original].push_back(found->second);
    if (old_[original].owner.valid()) {
      result_.program.functions[old_[original].owner.index()].locals.push_back(
          found->second);
    }
  }
  return result_.program[found->second].term;
}

Term Splitter::scalar(Term term) {
  const auto known = scalars_.find(term);
  if (known != scalars_.end()) return known->second;
  Term result = term;
  if (term.kind() == Kind::Read) {
    const unsigned bytes = std::max(1U, term.width() / 8);
    const std::uint32_t region = region_at(term.operand(1), bytes);
    const unsigned size = result_.regions[region].element_bytes;
    result = pool_.read(project(term.operand(0), region),
                        operand(term.operand(1)), bytes / size);
  } else if (!term.operands().empty()) {
    std::vector<Term> operands;
    for (const Term part : term.operands()) operands.push_back(operand(part));
    result = pool_.rebuild(term, operands);
  }
  scalars_.emplace(term, result);
  return result;
}

/// An operand of a read, write or copy: what it reads itself may have to be
/// read before anything changes.
Term Splitter::operand(Term term) {
  const Term mapped = scalar(term);
  return !changing_.empty() && reads(mapped, changing_) ? store_away(mapped)
                                                        : mapped;
}

Term Splitter::project(Term array, std::uint32_t region) {
  const std::uint64_t key = support::pair_key(array.id(), region);
  const auto known = projections_.find(key);
  if (known != projections_.end()) return known->second;
  const unsigned bytes = result_.regions[region].element_bytes;
  Term result;
  switch (array.kind()) {
    case Kind::Variable:
      result = classes_.is_free(array)
                   ? free_array(array, bytes)
                   : result_.program[result_.regions[region].variable].term;
      break;
    case Kind::ConstantArray:
      result = pool_.constant_array(element(operand(array.operand(0)), bytes),
                                    array.sort().index_width);
      break;
    case Kind::Write: {
      result = project(array.operand(0), region);
      const unsigned written = std::max(1U, array.operand(2).width() / 8);
      if (region_at(array.operand(1), written) != region) break;
      result = pool_.write(result, operand(array.operand(1)),
                           operand(array.operand(2)));
      break;
    }
    case Kind::Ite:
      result = pool_.ite(operand(array.operand(0)),
                         project(array.operand(1), region),
                         project(array.operand(2), region));
      break;
    default:
      result = project_copy(array, region);
  }
  projections_.emplace(key, result);
  return result;
}

Term Splitter::project_copy(Term copy, std::uint32_t region) {
  AGON_ASSERT(copy.kind() == Kind::Copy);
  const Term rest = project(copy.operand(0), region);
  const auto classes = classes_.classes_of_copy(copy);
  if (std::none_of(classes.begin(), classes.end(), [&](std::uint32_t cell) {
        return region_of_class_[cell] == region;
      })) {
    return rest;
  }
  return pool_.copy(rest, operand(copy.operand(1)), operand(copy.operand(2)),
                    project(copy.operand(3), region), operand(copy.operand(4)));
}

/// The regions in which a memory term may differ from the variable in it.
void Splitter::find_changes(Term array, std::vector<std::uint32_t>& regions) {
  std::vector<Term> open{array};
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    switch (term.kind()) {
      case Kind::Write:
        regions.push_back(region_at(term.operand(1),
                                    std::max(1U, term.operand(2).width() / 8)));
        open.push_back(term.operand(0));
        break;
      case Kind::Copy:
        for (const std::uint32_t cell : classes_.classes_of_copy(term)) {
          regions.push_back(region_of_class_[cell]);
        }
        open.push_back(term.operand(0));
        break;
      case Kind::Ite:
        open.push_back(term.operand(1));
        open.push_back(term.operand(2));
        break;
      case Kind::Variable:
        if (!classes_.is_free(term)) break;
        [[fallthrough]];
      default:  // All of memory is new.
        for (std::uint32_t i = 0; i < result_.regions.size(); ++i) {
          regions.push_back(i);
        }
    }
  }
  support::sort_unique(regions);
}

void Splitter::rewrite(ir::FunctionId id) {
  function_ = id;
  const ir::Cfa& old = old_[id].body;
  ir::Cfa body = old.without_edges();
  for (const ir::Edge& edge : old.edges()) rewrite(edge, body);
  body.finish();
  result_.program.functions[id.index()].body = std::move(body);
}

void Splitter::rewrite(const ir::Edge& edge, ir::Cfa& body) {
  std::vector<ir::Statement> statements;
  const auto* assign = std::get_if<ir::Assign>(&edge.statement);
  const auto* havoc = std::get_if<ir::Havoc>(&edge.statement);
  if (assign != nullptr && old_[assign->target].term.sort().is_array()) {
    rewrite_memory(*assign, statements);
  } else if (havoc != nullptr && old_[havoc->target].term.sort().is_array()) {
    rewrite_havoc(*havoc, statements);
  } else {
    statements.push_back(map_statement(
        edge.statement, [&](Term term) { return scalar(term); },
        [](ir::VariableId variable) { return variable; }));
  }
  if (statements.empty()) {
    statements.push_back(ir::Assume{pool_.boolean(true)});
  }
  ir::LocationId from = edge.from;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool is_last = i + 1 == statements.size();
    ir::Edge part = edge;
    part.from = from;
    part.to = is_last ? edge.to : body.add_location();
    part.statement = std::move(statements[i]);
    from = part.to;
    body.add_edge(std::move(part));
  }
}

void Splitter::rewrite_memory(const ir::Assign& assign,
                              std::vector<ir::Statement>& to) {
  std::vector<std::uint32_t> regions;
  find_changes(assign.value, regions);
  const bool is_several = regions.size() > 1;
  if (is_several) {
    changing_ = regions;
    scalars_.clear();
    projections_.clear();
  }
  for (const std::uint32_t region : regions) {
    const ir::VariableId target = result_.regions[region].variable;
    const Term value = project(assign.value, region);
    if (value != result_.program[target].term) {
      to.push_back(ir::Assign{target, value});
    }
  }
  to.insert(to.begin(), before_.begin(), before_.end());
  if (is_several) {
    changing_.clear();
    before_.clear();
    stored_.clear();
    scalars_.clear();
    projections_.clear();
  }
}

void Splitter::rewrite_havoc(const ir::Havoc& havoc,
                             std::vector<ir::Statement>& to) {
  const Term array = old_[havoc.target].term;
  const auto add = [&](ir::VariableId variable) {
    ir::Havoc each = havoc;
    each.target = variable;
    to.push_back(std::move(each));
  };
  if (!classes_.is_free(array)) {
    for (const Region& region : result_.regions) add(region.variable);
    return;
  }
  add(havoc.target);
  for (const ir::VariableId twin : twins_of_[havoc.target]) add(twin);
}

/// Whether a term reads one of the regions itself.
bool Splitter::reads(Term term, const std::vector<std::uint32_t>& regions) {
  bool result = false;
  term::visit_subterms(term, [&](Term part) {
    if (part.kind() != Kind::Variable || !part.sort().is_array()) return;
    for (const std::uint32_t region : regions) {
      result |= result_.program[result_.regions[region].variable].term == part;
    }
  });
  return result;
}

Term Splitter::store_away(Term mapped) {
  const auto known = stored_.find(mapped);
  if (known != stored_.end()) return known->second;
  const bool is_bool = mapped.sort().is_bool();
  const Term value =
      is_bool ? pool_.ite(mapped, pool_.bits(1, 1), pool_.bits(0, 1)) : mapped;
  ir::Variable temporary;
  temporary.name = "old";
  temporary.display = "old";
  temporary.kind = ir::VariableKind::Temporary;
  temporary.owner = function_;
  const ir::VariableId variable =
      result_.program.add_variable(std::move(temporary), value.sort());
  result_.program.functions[function_.index()].locals.push_back(variable);
  before_.push_back(ir::Assign{variable, value});
  const Term term = result_.program[variable].term;
  const Term result = is_bool ? pool_.equal(term, pool_.bits(1, 1)) : term;
  stored_.emplace(mapped, result);
  return result;
}

}  // namespace

SplitMemory split_memory(const ir::Program& program,
                         const PointsTo& points_to) {
  return Splitter(program, points_to).run();
}

}  // namespace agon::analysis
