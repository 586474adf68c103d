// SPDX-License-Identifier: Apache-2.0
#include "analysis/points_to.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/call_graph.h"
#include "analysis/library_callbacks.h"
#include "analysis/points_to_analysis.h"
#include "analysis/statements.h"
#include "ir/routines.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::analysis {

using term::Kind;
using term::Term;

PointsTo::PointsTo(const ir::Program& program, std::span<const Entry> entries,
                   const PointsToOptions& options)
    : analysis_(std::make_unique<PointsToAnalysis>(program, options)) {
  analysis_->initialise();
  for (const Entry& entry : entries) analysis_->enter(entry);
  analysis_->run();
}

PointsTo::~PointsTo() = default;
PointsTo::PointsTo(PointsTo&&) noexcept = default;
PointsTo& PointsTo::operator=(PointsTo&&) noexcept = default;

std::span<const Site> PointsTo::sites() const { return analysis_->sites(); }

const Layout& PointsTo::layout(SiteId id) const {
  return analysis_->layout(id);
}

std::span<const Link> PointsTo::links() const { return analysis_->links(); }

std::vector<Location> PointsTo::locations(term::Term address) const {
  std::vector<Location> result = representatives(address);
  const std::size_t size = result.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Location from = result[i];
    for (Location to : analysis_->stands_for(from.site)) {
      const bool is_any = from.offset == kAnyOffset || to.offset == kAnyOffset;
      to.offset = is_any ? kAnyOffset : to.offset + from.offset;
      result.push_back(to);
    }
  }
  support::sort_unique(result);
  return result;
}

std::vector<Location> PointsTo::representatives(term::Term address) const {
  const NodeId node = analysis_->node_of(address);
  std::vector<Location> result;
  if (!node.valid()) return result;
  analysis_->run();
  analysis_->places(node).for_each([&](std::uint32_t place) {
    result.push_back(analysis_->location(PlaceId(place)));
  });
  std::sort(result.begin(), result.end());
  return result;
}

std::uint32_t PointsTo::set_of(term::Term address) const {
  const NodeId node = analysis_->node_of(address);
  if (!node.valid()) return 0;
  analysis_->run();
  return analysis_->set_number(node);
}

std::vector<TouchedCell> PointsTo::touch(Location location, std::uint64_t size,
                                         std::uint64_t stride) const {
  auto cells = layout(location.site).touch(location.offset, size, stride);
  for (TouchedCell& cell : cells) {
    cell.cell += (*this)[location.site].first_cell;
  }
  return cells;
}

std::size_t PointsTo::num_cells() const {
  return analysis_->site_of_cell().size();
}

SiteId PointsTo::site_of_cell(std::uint32_t cell) const {
  return analysis_->site_of_cell()[cell];
}

Targets PointsTo::targets(const ir::Call& call) const {
  Targets result;
  if (call.callee.valid()) {
    result.functions.push_back(call.callee);
    return result;
  }
  for (const Location& location : representatives(call.pointer)) {
    const Site& site = (*this)[location.site];
    if (site.kind == SiteKind::External) result.has_unknown = true;
    if (site.kind == SiteKind::Function) {
      result.functions.push_back(site.function);
    }
  }
  support::sort_unique(result.functions);
  return result;
}

bool PointsTo::is_reachable(ir::FunctionId function) const {
  return analysis_->is_reachable(function);
}

bool PointsTo::is_visible(ir::VariableId global) const {
  return analysis_->is_visible(global);
}

bool PointsTo::may_be_called_back(ir::FunctionId function) const {
  const SiteId site =
      SiteId::at(analysis_->program().objects.size() + function.index());
  return !analysis_->is_module() && is_escaped(site);
}

bool PointsTo::calls_outside() const { return analysis_->calls_outside(); }

bool PointsTo::is_escaped(SiteId site) const {
  return analysis_->is_escaped(site);
}

SiteId PointsTo::unknown() const { return analysis_->unknown(); }

std::string PointsTo::to_string(Location location) const {
  const Site& site = (*this)[location.site];
  if (site.kind == SiteKind::Function) return site.name;
  const Layout& cells = layout(location.site);
  if (location.offset == kAnyOffset || cells.is_untyped()) {
    return site.name + "+?";
  }
  const std::uint32_t cell = cells.cell_at(location.offset);
  const std::uint32_t behind = location.offset - cells.cells()[cell].offset;
  std::string result = site.name + cells.path(cell);
  return behind == 0 ? result : fmt::format("{}+{}", result, behind);
}

std::string PointsTo::explain(term::Term address, Location location) const {
  const NodeId node = analysis_->node_of(address);
  std::string result;
  if (!node.valid()) return result;
  for (const auto& fact :
       analysis_->derivation(node, analysis_->place(location))) {
    result += fmt::format("{} holds {}\n", analysis_->describe(fact.node),
                          to_string(analysis_->location(fact.place)));
  }
  return result;
}

std::string PointsToAnalysis::describe(NodeId node) const {
  const auto is_it = [&](NodeId other) {
    return other.valid() && find(other) == node;
  };
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (is_it(variables_[i])) return program_.variables[i].display;
  }
  for (std::size_t i = 0; i < contents_.size(); ++i) {
    if (!is_it(contents_[i])) continue;
    const Site& site = sites_[site_of_cell_[i].index()];
    return site.name + layouts_of_[site_of_cell_[i].index()]->path(
                           static_cast<std::uint32_t>(i - site.first_cell));
  }
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const auto& nodes = results_[i];
    if (std::ranges::any_of(nodes, is_it)) {
      return "result of " + program_.functions[i].display;
    }
  }
  for (const auto& [key, any] : any_) {
    if (is_it(any.node)) return "code outside the program";
  }
  return "a term";
}

namespace {

bool touches_memory(Term term) {
  bool result = false;
  term::visit_subterms(term, [&](Term part) {
    result |= part.kind() == Kind::Read || part.kind() == Kind::Write ||
              part.kind() == Kind::Copy;
  });
  return result;
}

bool touches_memory(const ir::Program& program) {
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      bool does = false;
      for_each_term(edge.statement,
                    [&](Term term) { does |= touches_memory(term); });
      if (does) return true;
    }
  }
  return false;
}

/// Whether the program converts pointers to integers, and integers to pointers.
bool converts_both_ways(const ir::Program& program) {
  const auto any = [&](const auto& test) {
    return std::ranges::any_of(program.conversions, test);
  };
  return any([](const ir::Conversion& each) { return !each.to.valid(); }) &&
         any([](const ir::Conversion& each) { return !each.from.valid(); });
}

}  // namespace

std::vector<ir::Assumption> PointsTo::assumptions() const {
  std::vector<ir::Assumption> result;
  if (touches_memory(analysis_->program())) {
    result.push_back({"pointer arithmetic",
                      "a pointer stays inside the array that it points into",
                      {}});
  }
  if (converts_both_ways(analysis_->program())) {
    result.push_back({"pointers as integers",
                      "an integer becomes a pointer into what it was computed "
                      "from, not to what comparisons or tables tell",
                      {}});
  }
  if (analysis_->uses_heap_types()) {
    result.push_back({"allocated memory",
                      "it has the type that the first pointer to it says",
                      {}});
  }
  if (analysis_->uses_outside()) {
    result.push_back(
        {"aliasing",
         fmt::format(
             "a pointer from outside the program points to an object of its "
             "type, or of one that the program converts to or from it; a "
             "pointer to {} points to anything",
             analysis_->characters_reach_all() ? "characters or void" : "void"),
         {}});
    const bool has_plain_globals = std::ranges::any_of(
        analysis_->program().variables, [](const ir::Variable& v) {
          return v.kind == ir::VariableKind::Global && !v.is_static &&
                 v.type.valid();
        });
    if (has_plain_globals) {
      result.push_back({"globals",
                        "pointers from outside the program do not point to "
                        "variables whose address it never takes",
                        {}});
    }
  }
  if (analysis_->uses_numbers()) {
    result.push_back({"numbered addresses",
                      "at addresses that are written as numbers lies no object "
                      "of the program, and arrays there end before the next "
                      "such address",
                      {}});
  }
  if (analysis_->is_module()) add_given_away(result);
  if (analysis_->calls_outside() && !analysis_->is_module()) {
    result.push_back({"callbacks",
                      "routines without a body call no functions of the "
                      "program but those whose addresses they may know, and "
                      "perform no actions by calling these",
                      {}});
    add_called_back(result);
    add_interrupting(result);
  }
  if (analysis_->has_unknown_call()) {
    result.push_back({"function pointers",
                      "a pointer from outside the program may be called; what "
                      "it points to is not known",
                      {}});
  }
  return result;
}

/// Names the functions of which it matters that nobody calls them back.
void PointsTo::add_called_back(std::vector<ir::Assumption>& to) const {
  const ir::Program& program = analysis_->program();
  const CallGraph calls(program);
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const auto id = ir::FunctionId::at(i);
    if (!program[id].has_body || !may_be_called_back(id)) continue;
    const auto reached = calls.reachable(id);
    const bool performs = std::ranges::any_of(
        reached, [&](ir::FunctionId each) { return program[each].is_action; });
    if (!performs) continue;
    std::set<std::string> told = analysis_->told_of(id);
    const bool is_told = !told.empty();
    std::erase_if(told, calls_back);  // That is followed.
    if (is_told && told.empty() && !analysis_->enters_any_state()) continue;
    to.push_back(
        {program[id].display,
         fmt::format("its address is {}, which is taken not to call "
                     "it, though it may perform actions that are "
                     "asked about",
                     told.empty()
                         ? "known to code outside the program"
                         : fmt::format("given to {}", fmt::join(told, ", "))),
         program[id].position});
  }
}

/// Names the routines whose functions run at any time, not only when somebody
/// calls a routine without a body.
void PointsTo::add_interrupting(std::vector<ir::Assumption>& to) const {
  static const std::set<std::string_view> kNames = {
      "signal",         "sigaction",     "bsd_signal",  "sysv_signal",
      "pthread_create", "timer_create",  "thrd_create", "atexit",
      "on_exit",        "at_quick_exit", "makecontext", "clone"};
  for (const ir::FunctionId id : analysis_->unknown_routines()) {
    const ir::Function& routine = analysis_->program()[id];
    if (!kNames.contains(routine.name)) continue;
    to.push_back({routine.display,
                  "the functions that it gets run only within calls of "
                  "routines without a body: not in between, and not at the end",
                  routine.position});
  }
}

/// The routines without a body that get the address of a function.
std::set<std::string> PointsToAnalysis::told_of(ir::FunctionId function) {
  const SiteId site = SiteId::at(program_.objects.size() + function.index());
  const auto holds = [&](Term argument) {
    const NodeId node = node_of(argument);
    bool is_there = false;
    if (!node.valid()) return false;
    places(node).for_each([&](std::uint32_t place) {
      is_there = is_there || location(PlaceId(place)).site == site;
    });
    return is_there;
  };
  std::set<std::string> result;
  for (const CallSite& call : calls_) {
    if (!call.is_outside || !call.call->callee.valid()) continue;
    if (std::ranges::any_of(call.call->arguments, holds)) {
      result.insert(program_[call.call->callee].display);
    }
  }
  return result;
}

/// What a module tells about itself.
void PointsTo::add_given_away(std::vector<ir::Assumption>& to) const {
  bool gives_memory = false;
  for (std::size_t i = 0; i < sites().size(); ++i) {
    const Site& site = sites()[i];
    if (!is_escaped(SiteId::at(i))) continue;
    const ir::Program& program = analysis_->program();
    if (site.kind == SiteKind::Heap || site.kind == SiteKind::Object) {
      gives_memory = gives_memory || site.kind == SiteKind::Heap ||
                     program[site.object].is_static;
    }
    if (site.kind != SiteKind::Function || !program[site.function].has_body) {
      continue;
    }
    to.push_back({site.name,
                  "its address is given to code outside; calls of it from "
                  "there are looked at only if --api names it",
                  site.position});
  }
  if (!gives_memory) return;
  to.push_back({"memory",
                "clients change what the module has given them pointers to by "
                "calls only",
                {}});
}

std::size_t PointsTo::num_facts() const { return analysis_->num_facts(); }

}  // namespace agon::analysis
