// SPDX-License-Identifier: Apache-2.0
// What is outside the program: memory that other code made, by type, and the
// objects that other code may know.
#include <fmt/format.h>

#include "analysis/points_to_analysis.h"

namespace agon::analysis {

using ir::TypeKind;

namespace {

constexpr const char* kAnything = "c";  // Characters and void.
constexpr const char* kFunction = "fn";

}  // namespace

/// The same for types that may be one object's type: C allows to mix signed
/// and unsigned, and characters with everything.
std::string PointsToAnalysis::make_type_key(ir::TypeId id) const {
  if (!id.valid()) return kAnything;
  const ir::Type& type = program_.types[id];
  switch (type.kind) {
    case TypeKind::Void:
      return kAnything;
    case TypeKind::Integer:
    case TypeKind::Enum:
      return type.size == 1 ? kAnything : fmt::format("i{}", type.size);
    case TypeKind::Bool:
      return "b";
    case TypeKind::Float:
      return fmt::format("f{}", type.size);
    case TypeKind::Pointer:
      return "*" + make_type_key(type.element);
    case TypeKind::Array:
      return make_type_key(type.element);
    case TypeKind::Function:
      return kFunction;
    default:
      return type.name.empty() ? fmt::format("s{}", id.value()) : type.name;
  }
}

const std::string& PointsToAnalysis::type_key(ir::TypeId id) {
  const auto [found, is_new] = type_keys_.try_emplace(id);
  if (is_new) found->second = make_type_key(id);
  return found->second;
}

/// All that a pointer from outside can point to.
NodeId PointsToAnalysis::any_pointer(ir::TypeId to) {
  const std::string key = type_key(to);
  const auto [found, is_new] = any_.try_emplace(key);
  if (!is_new) return found->second;
  const NodeId node = add_node();
  found->second = node;
  SiteId site = unknown_;
  if (key != kAnything) {
    Site outside;
    outside.kind = SiteKind::External;
    outside.name = "ext " + program_.types.to_string(to);
    const bool is_function = key == kFunction;
    outside.shape = {is_function ? ir::TypeId() : to, !is_function};
    site = add_site(std::move(outside));
  }
  const std::size_t escaped = escaped_sites_.size();
  for (std::size_t i = 0; i < escaped; ++i) {
    add_part(node, key, escaped_sites_[i]);
  }
  add(node, place({site, layout(site).normal(0)}));
  if (!escaped_[site.index()]) escape(site);
  return node;
}

/// Lets a pointer from outside point to the parts of an object that have the
/// type of the key.
void PointsToAnalysis::add_part(NodeId node, const std::string& key,
                                SiteId site) {
  const bool is_function = sites_[site.index()].kind == SiteKind::Function;
  if (is_function != (key == kFunction)) return;
  const Layout& cells = layout(site);
  const bool is_all = key == kAnything && options_.characters_reach_all;
  if (cells.is_untyped() || is_all) {
    add(node, place({site, kAnyOffset}));
    return;
  }
  for (const Layout::Part& part : cells.parts()) {
    if (type_key(part.type) != key) continue;
    add(node, place({site, part.offset}));
  }
}

void PointsToAnalysis::escape(SiteId id) {
  escaped_[id.index()] = true;
  escaped_sites_.push_back(id);
  const Site site = sites_[id.index()];
  for (const auto& [key, node] : any_) {
    if (node.valid()) add_part(node, key, id);
  }
  if (site.kind == SiteKind::Function) {
    const ir::Function& function = program_[site.function];
    if (!function.has_body) return;
    reach(site.function);
    for (const ir::VariableId parameter : function.parameters) {
      hold_anything(parameter);
    }
    for (std::size_t i = 0; i < function.results.size(); ++i) {
      include(result_node(site.function, i), escape_);
    }
    return;
  }
  const Layout& cells = layout(id);
  for (std::uint32_t i = 0; i < cells.cells().size(); ++i) {
    include(content(site.first_cell + i), escape_);
  }
  if (site.object.valid() && program_[site.object].is_constant) return;
  if (cells.is_untyped()) {
    include(any_pointer({}), content(site.first_cell));
    return;
  }
  for (const Layout::Part& part : cells.parts()) {
    const ir::Type& type = program_.types[part.type];
    if (type.kind != TypeKind::Pointer) continue;
    include(any_pointer(type.element),
            content(site.first_cell + cells.cell_at(part.offset)));
  }
}

/// From now on code outside the program may run, which sees all globals.
void PointsToAnalysis::activate_outside() {
  if (outside_is_active_) return;
  outside_is_active_ = true;
  if (!escaped_[unknown_.index()]) escape(unknown_);
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const SiteId site = SiteId::at(i);
    if (program_.objects[i].kind != ir::ObjectKind::Global) continue;
    if (!escaped_[site.index()]) escape(site);
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const ir::VariableId variable = ir::VariableId::at(i);
    if (program_[variable].kind != ir::VariableKind::Global) continue;
    hold_anything(variable);
    include(variable_node(variable), escape_);
  }
}

void PointsToAnalysis::hold_anything(ir::VariableId variable) {
  const ir::TypeId type = program_[variable].type;
  if (!type.valid() || program_.types[type].kind != TypeKind::Pointer) return;
  include(any_pointer(program_.types[type].element), variable_node(variable));
}

}  // namespace agon::analysis
