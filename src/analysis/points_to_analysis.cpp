// SPDX-License-Identifier: Apache-2.0
// Objects, functions and calls.
#include "analysis/points_to_analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/points_to_cycles.h"
#include "ir/routines.h"
#include "support/error.h"

namespace agon::analysis {
namespace {

using term::Term;

/// The arrays that hold more than arbitrary values.
std::vector<bool> find_assigned_arrays(const ir::Program& program) {
  std::vector<bool> is_havocked(program.variables.size(), false);
  std::vector<bool> result(program.variables.size(), false);
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        result[assign->target.index()] = true;
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
        is_havocked[havoc->target.index()] = true;
      }
    }
  }
  result[program.memory.index()] = true;
  for (const ir::Object& object : program.objects) {
    for (const ir::VariableId array : object.arrays) {
      result[array.index()] = true;
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!is_havocked[i]) result[i] = true;
  }
  return result;
}

}  // namespace

PointsToAnalysis::PointsToAnalysis(const ir::Program& program,
                                   const PointsToOptions& options)
    : program_(program),
      options_(options),
      layouts_(program.types),
      variables_(program.variables.size()),
      results_(program.functions.size()),
      is_assigned_array_(find_assigned_arrays(program)),
      repeated_sums_(repeated_sums(program)),
      reached_(program.functions.size(), false) {
  escape_ = add_node();
  add_rule(escape_, {kEscape, {}, 0});
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ir::Object& object = program.objects[i];
    Site site;
    site.kind = SiteKind::Object;
    site.name = object.display.empty() ? object.name : object.display;
    site.object = ir::ObjectId::at(i);
    site.position = object.position;
    site.shape = {object.type, false};
    add_site(std::move(site));
  }
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    Site site;
    site.kind = SiteKind::Function;
    site.name = program.functions[i].display;
    site.function = ir::FunctionId::at(i);
    site.position = program.functions[i].position;
    add_site(std::move(site));
  }
  Site outside;
  outside.kind = SiteKind::External;
  outside.name = "ext";
  unknown_ = add_site(std::move(outside));
  note_conversions();
  note_numbers();
}

SiteId PointsToAnalysis::add_site(Site site) {
  const SiteId id = SiteId::at(sites_.size());
  const Layout& layout = layouts_[site.shape];
  site.first_cell = static_cast<std::uint32_t>(contents_.size());
  contents_.resize(contents_.size() + layout.cells().size());
  site_of_cell_.resize(contents_.size(), id);
  sites_.push_back(std::move(site));
  layouts_of_.push_back(&layout);
  escaped_.push_back(false);
  stands_for_.emplace_back();
  return id;
}

PlaceId PointsToAnalysis::place(Location location) {
  const auto [found, is_new] = place_of_.try_emplace(
      support::pair_key(location.site.value(), location.offset),
      PlaceId::at(places_.size()));
  if (is_new) places_.push_back(location);
  return found->second;
}

NodeId PointsToAnalysis::content(std::uint32_t cell) {
  if (!contents_[cell].valid()) contents_[cell] = add_node();
  return contents_[cell];
}

/// The pointers that code outside may have put into memory without a type.
/// They are kept apart from what the program puts there, which objects of all
/// types that may be there have to hold as well.
NodeId PointsToAnalysis::seen(SiteId site) {
  NodeId& node = seen_[site];
  if (!node.valid()) node = add_node();
  return node;
}

void PointsToAnalysis::load(PlaceId from, std::uint64_t size, NodeId into) {
  for (const TouchedCell& cell : touch(from, size, 0)) {
    include(content(cell.cell), into);
  }
  const SiteId site = places_[from.index()].site;
  if (layout(site).is_untyped() && size >= program_.pointer_width() / 8) {
    include(seen(site), into);
  }
}

NodeId PointsToAnalysis::variable_node(ir::VariableId variable) {
  NodeId& node = variables_[variable.index()];
  if (!node.valid()) node = add_node();
  return node;
}

NodeId PointsToAnalysis::result_node(ir::FunctionId function, std::size_t i) {
  std::vector<NodeId>& nodes = results_[function.index()];
  while (nodes.size() <= i) nodes.push_back(add_node());
  return nodes[i];
}

std::vector<TouchedCell> PointsToAnalysis::touch(PlaceId place,
                                                 std::uint64_t size,
                                                 std::uint64_t stride) const {
  const auto [site, offset] = places_[place.index()];
  auto cells = layout(site).touch(offset, size, stride);
  for (TouchedCell& cell : cells) {
    cell.cell += sites_[site.index()].first_cell;
  }
  return cells;
}

void PointsToAnalysis::apply(const Rule& rule, PlaceId place_id) {
  const Location from = places_[place_id.index()];
  switch (rule.kind) {
    case kMove: {
      const Move& move = moves_[rule.number];
      for (const std::uint32_t offset :
           layout(from.site).move(from.offset, move)) {
        add(rule.node, place({from.site, offset}));
      }
      if (!may_leave(from, move)) break;
      if (!moved_out_.emplace(rule, place_id).second) break;
      outward_.push_back({rule.node, from, move});
      for (std::size_t i = 0; i < escaped_sites_.size(); ++i) {
        move_out(rule.node, from, move, escaped_sites_[i]);
      }
      break;
    }
    case kAnywhere:
      add(rule.node, place({from.site, kAnyOffset}));
      break;
    case kLoad:
      load(place_id, rule.number, rule.node);
      break;
    case kStore:
      for (const TouchedCell& cell : touch(place_id, rule.number, 0)) {
        include(rule.node, content(cell.cell));
      }
      break;
    case kCopySource:
      copy_from(rule.number, place_id);
      break;
    case kCopyTarget:
      copy_to(rule.number, place_id);
      break;
    case kCallThrough: {
      CallSite& site = calls_[rule.number];
      const Site& target = sites_[from.site.index()];
      if (target.kind == SiteKind::Function) {
        call_function(site, target.function);
      } else if (target.kind == SiteKind::External) {
        call_outside(site);
      }
      break;
    }
    case kEscape:
      if (!escaped_[from.site.index()]) escape(from.site);
      break;
  }
}

void PointsToAnalysis::initialise() {
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const SiteId site = SiteId::at(i);
    for (const ir::InitialCell& cell : program_.objects[i].initial) {
      note(cell.value);
      const NodeId value = node_of(cell.value);
      if (!value.valid()) continue;
      const auto offset = static_cast<std::int64_t>(cell.offset);
      const PlaceId to = place({site, layout(site).normal(offset)});
      for (const TouchedCell& touched :
           touch(to, std::max(1U, cell.value.width() / 8), 0)) {
        include(value, content(touched.cell));
      }
    }
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Term initial = program_.variables[i].initial;
    if (!initial.valid()) continue;
    const NodeId value = node_of(initial);
    if (value.valid()) include(value, variable_node(ir::VariableId::at(i)));
  }
}

void PointsToAnalysis::enter(const Entry& entry) {
  reach(entry.function);
  if (entry.any_state) {
    enter_any_state();
  } else {
    enter_start();
  }
  for (const ir::VariableId parameter : program_[entry.function].parameters) {
    hold_anything(parameter);
  }
}

void PointsToAnalysis::run() {
  do {
    while (!pending_.empty()) {
      const ir::FunctionId function = pending_.back();
      pending_.pop_back();
      process(function);
    }
    solve(options_.context);
  } while (!pending_.empty());
}

void PointsToAnalysis::reach(ir::FunctionId function) {
  if (reached_[function.index()]) return;
  reached_[function.index()] = true;
  pending_.push_back(function);
}

void PointsToAnalysis::process(ir::FunctionId function) {
  const ir::Cfa& body = program_[function].body;
  for (std::size_t i = 0; i < body.edges().size(); ++i) {
    process(function, ir::EdgeId::at(i));
  }
}

void PointsToAnalysis::process(ir::FunctionId function, ir::EdgeId edge) {
  const ir::Statement& statement = program_[function].body.edge(edge).statement;
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    note(assign->value);
    const NodeId value = node_of(assign->value);
    if (value.valid()) {
      include(value, program_[assign->target].is_told()
                         ? escape_
                         : variable_node(assign->target));
    }
  } else if (const auto* assume = std::get_if<ir::Assume>(&statement)) {
    note(assume->condition);
  } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
    process_call(function, edge, *call);
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
    process_havoc(*havoc);
  } else if (const auto* leave = std::get_if<ir::Return>(&statement)) {
    for (std::size_t i = 0; i < leave->values.size(); ++i) {
      note(leave->values[i]);
      const NodeId value = node_of(leave->values[i]);
      if (value.valid()) include(value, result_node(function, i));
    }
  }
}

}  // namespace agon::analysis
