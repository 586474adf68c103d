// SPDX-License-Identifier: Apache-2.0
// What is outside the program: memory that other code made, by type, and the
// objects that other code may know.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/points_to_analysis.h"
#include "support/broken.h"

namespace agon::analysis {

using ir::TypeKind;

namespace {

constexpr const char* kAnything = "c";   // Characters and void.
constexpr const char* kFunction = "fn";  // Then come the parameters.
constexpr const char* kNumber = "n";     // Integers that become pointers.

bool is_function_key(const std::string& key) {
  return key.starts_with(kFunction);
}

bool is_defined(const ir::Object& object) {
  return object.is_zeroed || !object.initial.empty() || !object.bytes.empty();
}

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
      return type.size == 1 && options_.characters_reach_all
                 ? kAnything
                 : fmt::format("i{}", type.size);
    case TypeKind::Bool:
      return "b";
    case TypeKind::Float:
      return fmt::format("f{}", type.size);
    case TypeKind::Pointer:
      return "*" + make_type_key(type.element);
    case TypeKind::Array:
      return make_type_key(type.element);
    case TypeKind::Function: {
      std::string key = kFunction;
      for (const ir::TypeId parameter : type.parameters) {
        key += "," + make_type_key(parameter);
      }
      return key;
    }
    default:
      return type.name.empty() ? fmt::format("s{}", id.value())
                               : "r" + type.name;
  }
}

const std::string& PointsToAnalysis::type_key(ir::TypeId id) {
  const auto [found, is_new] = type_keys_.try_emplace(id);
  if (is_new) found->second = make_type_key(id);
  return found->second;
}

/// All that a pointer from outside can point to. What code outside knows of one
/// type is not told apart: the site outside stands for it, and its cells hold
/// what all the cells hold that it stands for. Memory outside belongs to the
/// site of a type if a pointer to that type points to it, and else to the
/// unknown one; a pointer without a type can point to any of them.
NodeId PointsToAnalysis::any_pointer(ir::TypeId to) {
  const std::string key = type_key(to);
  const auto [found, is_new] = any_.try_emplace(key);
  if (!is_new) return found->second.node;
  const NodeId node = add_node();
  SiteId site = unknown_;
  if (key != kAnything) {
    Site outside;
    outside.kind = SiteKind::External;
    outside.name = "ext " + program_.types.to_string(to);
    const bool is_function = is_function_key(key);
    outside.shape = {is_function ? ir::TypeId() : to, !is_function};
    site = add_site(std::move(outside));
  }
  found->second = {node, site};
  const std::size_t escaped = escaped_sites_.size();
  for (std::size_t i = 0; i < escaped; ++i) {
    add_parts(key, found->second, escaped_sites_[i]);
  }
  add(node, place({site, layout(site).normal(0)}));
  if (!escaped_[site.index()]) escape(site);
  add_converted(key, node, key == kAnything);
  return node;
}

void PointsToAnalysis::note_conversions() {
  for (const ir::Conversion& each : program_.conversions) {
    const std::string from = each.from.valid() ? type_key(each.from) : kNumber;
    const std::string to = each.to.valid() ? type_key(each.to) : kNumber;
    if (from != to) conversions_[from].emplace(to, each.to);
  }
}

/// Lets a pointer from outside also point to what the program takes it to point
/// to: to a struct that begins with one of its type, or has one inside, or to
/// what only the program knows the type of. Since terms have no casts, this
/// holds for all pointers of the type. On the way they may be integers, or
/// pointers to characters or void, which point to all data anyway.
void PointsToAnalysis::add_converted(const std::string& key, NodeId node,
                                     bool has_all_data) {
  const auto found = conversions_.find(key);
  if (found == conversions_.end() || support::is_broken("outside")) return;
  const bool is_on_the_way = key == kAnything || key == kNumber;
  for (const auto& [other, to] : found->second) {
    if (other == kNumber || other == kAnything) {
      if (!is_on_the_way) add_converted(other, node, has_all_data);
    } else if (!has_all_data || is_function_key(other)) {
      include(any_pointer(to), node);
    }
  }
}

/// Lets a pointer from outside point to the parts of an object that have the
/// type of the key.
void PointsToAnalysis::add_parts(const std::string& key, const Outside& outside,
                                 SiteId site) {
  const bool is_function = sites_[site.index()].kind == SiteKind::Function;
  if (is_function != is_function_key(key) || site == outside.site) return;
  if (support::is_broken("outside")) return;
  if (is_function) {
    // One without a prototype may be any, and one whose address is converted
    // may be what it is converted to.
    const ir::TypeId type = program_[sites_[site.index()].function].type;
    const bool is_it = key == kFunction || !type.valid() ||
                       program_.types[type].parameters.empty() ||
                       type_key(type) == key ||
                       converted(type_key(type)).contains(key);
    if (is_it) add(outside.node, place({site, kAnyOffset}));
    return;
  }
  const Layout& cells = layout(site);
  if (key == kAnything) {
    add(outside.node, place({site, kAnyOffset}));
  } else if (cells.is_untyped()) {
    const bool is_outside = sites_[site.index()].kind == SiteKind::External;
    if (!is_outside) link(outside.site, site, kAnyOffset);
  } else {
    const bool is_outside = sites_[site.index()].kind == SiteKind::External;
    for (const Layout::Part& part : cells.parts()) {
      if (program_.types[part.type].kind == TypeKind::Array) continue;
      const std::string& own = type_key(part.type);
      if (own == key) {
        link(outside.site, site, part.offset);
      } else if (!is_outside && seen_as(own).contains(key)) {
        add(outside.node, place({site, part.offset}));
      }
    }
  }
}

/// Lets a site outside stand for a part of an object.
void PointsToAnalysis::link(SiteId outside, SiteId site, std::uint32_t offset) {
  stands_for_[outside.index()].push_back({site, offset});
  const auto cells = layout(outside).cells();
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    const std::uint32_t from = sites_[outside.index()].first_cell + i;
    const std::uint32_t to =
        sites_[site.index()].first_cell +
        (offset == kAnyOffset ? 0
                              : layout(site).cell_at(offset + cells[i].offset));
    links_.push_back({from, to});
    const ir::TypeId type = cells[i].type;
    const bool is_number =
        type.valid() && program_.types[type].kind != TypeKind::Pointer;
    // Whoever reads memory without a type sees all that escaped anyway.
    if (offset != kAnyOffset) include(content(from), content(to));
    if (offset != kAnyOffset || !is_number) {
      include(content(to), content(from));
    }
  }
}

/// Whether a move may lead from a part of an object to the rest of it. If that
/// lies behind the part then the distance is what is left of a way back to the
/// start and from there to another part, which takes a conversion. Numbers do
/// not go that way: what is behind one is the next in an array.
bool PointsToAnalysis::may_leave(Location from, const Move& move) {
  const Site& site = sites_[from.site.index()];
  if (site.kind != SiteKind::External || from.offset == kAnyOffset) {
    return false;
  }
  if (move.distance < 0) return true;
  if (!site.shape.type.valid()) return false;
  const ir::Type& type = program_.types[site.shape.type];
  return type.is_record() &&
         from.offset + static_cast<std::uint64_t>(move.distance) >= type.size &&
         conversions_.contains(type_key(site.shape.type));
}

/// The keys of what pointers to a type become pointers to, at once or by way of
/// integers, characters and void.
const std::set<std::string>& PointsToAnalysis::converted(
    const std::string& key) {
  const auto [known, is_new] = converted_.try_emplace(key);
  if (is_new) {
    known->second = reached_from(key, [](const std::string& other) {
      return other == kNumber || other == kAnything;
    });
  }
  return known->second;
}

/// The same by way of any type: what the program makes of a pointer to an
/// object may come back from outside.
const std::set<std::string>& PointsToAnalysis::seen_as(const std::string& key) {
  const auto [known, is_new] = seen_as_.try_emplace(key);
  if (is_new) {
    known->second = reached_from(key, [](const std::string&) { return true; });
  }
  return known->second;
}

std::set<std::string> PointsToAnalysis::reached_from(
    const std::string& key,
    const std::function<bool(const std::string&)>& leads_on) const {
  std::set<std::string> found;
  std::vector<std::string> open{key};
  while (!open.empty()) {
    const auto next = conversions_.find(open.back());
    open.pop_back();
    if (next == conversions_.end()) continue;
    for (const auto& [other, to] : next->second) {
      if (found.insert(other).second && leads_on(other)) open.push_back(other);
    }
  }
  found.erase(key);
  return found;
}

/// The parts of a type in a layout, and what is there that pointers to the type
/// become pointers to.
const PointsToAnalysis::Inside& PointsToAnalysis::inside(const Layout& cells,
                                                         ir::TypeId type) {
  const std::string& key = type_key(type);
  const auto [known, is_new] = inside_.try_emplace({&cells, key});
  Inside& result = known->second;
  if (!is_new) return result;
  const std::set<std::string>& others = converted(key);
  for (const Layout::Part& part : cells.parts()) {
    const std::string& own = type_key(part.type);
    const ir::Type& of = program_.types[part.type];
    if (own == key) result.parts.push_back(part.offset);
    if (of.is_record() && others.contains(own)) {
      result.around.emplace_back(part.offset, part.offset + of.size);
    }
  }
  return result;
}

/// From something outside that may be part of an object to what is around it.
void PointsToAnalysis::move_out(NodeId to, Location from, const Move& move,
                                SiteId into) {
  const Layout& cells = layout(into);
  if (cells.is_untyped() || into == from.site) return;
  const Inside& within = inside(cells, sites_[from.site.index()].shape.type);
  for (const std::uint32_t part : within.parts) {
    for (const std::uint32_t offset : cells.move(part + from.offset, move)) {
      const auto holds_both =
          [&](const std::pair<std::uint64_t, std::uint64_t>& around) {
            return around.first <= part && part < around.second &&
                   around.first <= offset && offset < around.second;
          };
      const bool is_there =
          move.distance < 0 || std::ranges::any_of(within.around, holds_both);
      if (offset != kAnyOffset && is_there) add(to, place({into, offset}));
    }
  }
}

void PointsToAnalysis::escape(SiteId id) {
  escaped_[id.index()] = true;
  escaped_sites_.push_back(id);
  const Site site = sites_[id.index()];
  for (const auto& [key, outside] : any_) {
    if (outside.node.valid()) add_parts(key, outside, id);
  }
  for (std::size_t i = 0; i < outward_.size(); ++i) {
    const Outward outward = outward_[i];
    move_out(outward.to, outward.from, outward.move, id);
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
  hold_anything(id);
}

void PointsToAnalysis::hold_anything(SiteId id) {
  const Site site = sites_[id.index()];
  if (site.object.valid() && program_[site.object].is_constant) return;
  const Layout& cells = layout(id);
  if (cells.is_untyped()) {
    include(any_pointer({}), seen(id));
    return;
  }
  for (const Layout::Part& part : cells.parts()) {
    if (!may_hold_address(part.type)) continue;
    hold_anything(content(site.first_cell + cells.cell_at(part.offset)),
                  part.type);
  }
}

/// From now on code outside the program may run, which sees the globals that
/// are not static.
void PointsToAnalysis::activate_outside() {
  if (outside_is_active_) return;
  outside_is_active_ = true;
  if (!escaped_[unknown_.index()]) escape(unknown_);
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const SiteId site = SiteId::at(i);
    const ir::Object& object = program_.objects[i];
    if (object.kind != ir::ObjectKind::Global || escaped_[i]) continue;
    if (!object.is_static) escape(site);
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const ir::VariableId variable = ir::VariableId::at(i);
    if (program_[variable].kind != ir::VariableKind::Global) continue;
    if (is_visible(variable)) escape_global(variable);
  }
}

/// Whatever ran before may have told others about static objects that are not
/// hidden and about functions. Static variables hold anything, but what they
/// are made to point to from now on nobody else knows.
void PointsToAnalysis::enter_any_state() {
  enters_any_state_ = true;
  activate_outside();
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const SiteId site = SiteId::at(i);
    const ir::Object& object = program_.objects[i];
    if (object.kind != ir::ObjectKind::Global || escaped_[i]) continue;
    if (options_.hidden.contains(object.name)) {
      hold_anything(site);
    } else {
      escape(site);
    }
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const ir::VariableId variable = ir::VariableId::at(i);
    if (program_[variable].kind != ir::VariableKind::Global) continue;
    if (!is_visible(variable)) hold_anything(variable);
  }
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (!program_.functions[i].address.valid()) continue;
    const SiteId site = SiteId::at(program_.objects.size() + i);
    if (!escaped_[site.index()]) escape(site);
  }
}

/// Globals that other files define may point to what these see.
void PointsToAnalysis::enter_start() {
  const auto is_foreign = [&](const ir::Variable& variable) {
    return variable.kind == ir::VariableKind::Global &&
           !variable.initial.valid();
  };
  const auto is_foreign_object = [&](const ir::Object& object) {
    return object.kind == ir::ObjectKind::Global && !is_defined(object);
  };
  if (std::ranges::none_of(program_.variables, is_foreign) &&
      std::ranges::none_of(program_.objects, is_foreign_object)) {
    return;
  }
  activate_outside();
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::Function& function = program_.functions[i];
    if (!function.address.valid() || function.is_static) continue;
    const SiteId site = SiteId::at(program_.objects.size() + i);
    if (!escaped_[site.index()]) escape(site);
  }
}

/// From now on the client of a module runs, which sees the globals that the
/// module does not define.
void PointsToAnalysis::activate_client() {
  if (has_client_) return;
  has_client_ = true;
  if (!escaped_[unknown_.index()]) escape(unknown_);
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const ir::Object& object = program_.objects[i];
    if (object.kind != ir::ObjectKind::Global || is_defined(object)) continue;
    if (!escaped_[i]) escape(SiteId::at(i));
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const ir::Variable& variable = program_.variables[i];
    if (variable.kind != ir::VariableKind::Global) continue;
    if (!variable.initial.valid()) escape_global(ir::VariableId::at(i));
  }
}

void PointsToAnalysis::escape_global(ir::VariableId variable) {
  hold_anything(variable);
  include(variable_node(variable), escape_);
}

void PointsToAnalysis::hold_anything(ir::VariableId variable) {
  const ir::TypeId type = program_[variable].type;
  if (may_hold_address(type)) hold_anything(variable_node(variable), type);
}

/// Integers only where the program makes pointers of them.
bool PointsToAnalysis::may_hold_address(ir::TypeId id) const {
  if (!id.valid()) return false;
  const ir::Type& type = program_.types[id];
  if (type.kind == TypeKind::Pointer) return true;
  const bool is_number =
      type.kind == TypeKind::Integer || type.kind == TypeKind::Enum;
  return is_number && 8 * type.size >= program_.pointer_width() &&
         conversions_.contains(kNumber);
}

void PointsToAnalysis::hold_anything(NodeId node, ir::TypeId id) {
  const ir::Type& type = program_.types[id];
  if (type.kind == TypeKind::Pointer) {
    include(any_pointer(type.element), node);
  } else {
    const bool is_untyped = conversions_.at(kNumber).contains(kAnything);
    if (is_untyped) include(any_pointer({}), node);
    add_converted(kNumber, node, is_untyped);
  }
}

}  // namespace agon::analysis
