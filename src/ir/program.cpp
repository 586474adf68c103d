// SPDX-License-Identifier: Apache-2.0
#include "ir/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace agon::ir {
namespace {

template <class Key, class Id>
Id look_up(const std::unordered_map<Key, Id>& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? Id() : found->second;
}

/// `name`, or else the first of `name.2`, `name.3`, … that is free. `last`
/// remembers the last suffix tried, which keeps many equal names cheap.
template <class IsTaken>
std::string with_suffix(std::string_view name, std::uint32_t& last,
                        const IsTaken& is_taken) {
  std::string candidate(name);
  while (is_taken(candidate)) {
    last = std::max<std::uint32_t>(last + 1, 2);
    candidate = fmt::format("{}.{}", name, last);
  }
  return candidate;
}

}  // namespace

Program::Program(DataModel data_model)
    : Program(data_model,
              term::Sort::array(data_model == DataModel::LP64 ? 64 : 32, 8)) {}

Program::Program(DataModel data_model, term::Sort memory_sort)
    : model(data_model), pool(std::make_shared<term::Pool>()) {
  Variable array;
  array.name = "memory";
  array.display = "memory";
  array.kind = VariableKind::Memory;
  memory = add_variable(std::move(array), memory_sort);
}

term::Term Program::make_address(std::string_view name) {
  return pool->address(name, (*this)[memory].term.sort().index_width);
}

// Every name gets into the pool, which all copies of a program share and which
// gives a name one sort: one that another copy made is as taken as one of ours.
std::string Program::unique(std::string_view name) {
  if (!pool->find(name).valid()) return std::string(name);
  return with_suffix(name, last_suffix_[std::string(name)],
                     [&](const std::string& candidate) {
                       return pool->find(candidate).valid();
                     });
}

VariableId Program::add_variable(Variable variable, term::Sort sort) {
  variable.name = unique(variable.name);
  variable.term = pool->variable(variable.name, sort);
  const VariableId id = VariableId::at(variables.size());
  variable_of_.emplace(variable.term, id);
  variables.push_back(std::move(variable));
  return id;
}

VariableId Program::add_told(FunctionId owner) {
  Variable variable;
  variable.name = variable.display = "...";
  variable.kind = VariableKind::Temporary;
  variable.owner = owner;
  const VariableId id =
      add_variable(std::move(variable), term::Sort::bits(pointer_width()));
  functions[owner.index()].locals.push_back(id);
  return id;
}

ObjectId Program::add_object(Object object) {
  object.name = unique(object.name);
  object.address = make_address(object.name);
  if (object.arrays.empty()) object.arrays.push_back(memory);
  const ObjectId id = ObjectId::at(objects.size());
  object_of_.emplace(object.address, id);
  objects.push_back(std::move(object));
  return id;
}

FunctionId Program::add_function(Function function) {
  const FunctionId id = FunctionId::at(functions.size());
  std::uint32_t last = 0;
  function.name =
      with_suffix(function.name, last, [&](const std::string& candidate) {
        return function_named_.contains(candidate);
      });
  function_named_.emplace(function.name, id);
  if (function.address.valid()) {
    function_of_.emplace(function.address, id);
  }
  functions.push_back(std::move(function));
  return id;
}

void Program::swap_names(FunctionId a, FunctionId b) {
  std::swap(functions[a.index()].name, functions[b.index()].name);
  function_named_[functions[a.index()].name] = a;
  function_named_[functions[b.index()].name] = b;
}

term::Term Program::address_of(FunctionId id) {
  Function& function = functions[id.index()];
  if (!function.address.valid()) {
    function.address = make_address(unique(function.name));
    function_of_.emplace(function.address, id);
  }
  return function.address;
}

std::optional<FunctionId> Program::find_function(std::string_view name) const {
  const FunctionId id = look_up(function_named_, std::string(name));
  return id.valid() ? std::optional(id) : std::nullopt;
}

VariableId Program::variable_of(term::Term term) const {
  return look_up(variable_of_, term);
}

ObjectId Program::object_of(term::Term address) const {
  return look_up(object_of_, address);
}

FunctionId Program::function_of(term::Term address) const {
  return look_up(function_of_, address);
}

void Program::assume(std::string subject, std::string why, Position position) {
  const bool is_known =
      std::ranges::any_of(assumptions, [&](const Assumption& known) {
        return known.subject == subject && known.why == why;
      });
  if (is_known) return;
  assumptions.push_back({std::move(subject), std::move(why), position});
}

std::vector<InitialCell> initial_cells(const Program& program, ObjectId id) {
  const Object& object = program[id];
  std::vector<InitialCell> result;
  for (const VariableId array : object.arrays) {
    for (std::size_t i = 0; i < object.bytes.size(); ++i) {
      const auto byte = static_cast<unsigned char>(object.bytes[i]);
      result.push_back({array, i, program.pool->bits(byte, 8)});
    }
  }
  result.insert(result.end(), object.initial.begin(), object.initial.end());
  return result;
}

}  // namespace agon::ir
