// SPDX-License-Identifier: Apache-2.0
#include "fsp/compile.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "lts/aut.h"
#include "lts/explore.h"
#include "support/suggest.h"

namespace agon::fsp {

using lts::Lts;

/// How deep processes may refer to each other, counted in compositions and
/// references. A recursive composite that never ends hits this.
constexpr int kMaxDepth = 1000;
/// A sequence inside a sequence takes more of the stack than a composition.
constexpr int kSequenceDepth = 10;
/// What a reference costs on top of what it expands to.
constexpr std::size_t kReferenceCost = 10;
constexpr std::size_t kMaxWarnings = 20;

Compiler::Depth::Depth(Compiler& compiler, Offset offset, int levels)
    : compiler_(compiler), levels_(levels) {
  compiler_.depth_ += levels_;
  if (compiler_.depth_ > kMaxDepth) {
    compiler_.evaluator_.fail(
        offset,
        "processes refer to each other too deeply here; does this "
        "recursion end?");
  }
}

Compiler::Compiler(const File& file, const Evaluator& evaluator,
                   const lts::SharedLabels& labels, support::Context& context,
                   const LabelMeanings* meanings)
    : file_(file),
      evaluator_(evaluator),
      labels_(labels),
      context_(context),
      meanings_(meanings) {
  for (const ProcessDef& def : file.processes) processes_[def.name] = &def;
}

std::unique_ptr<lts::Successors> Compiler::compile(const ProcessDef& def,
                                                   std::vector<Value> arguments,
                                                   Offset place) {
  return compose(process(def, arguments, place, Role::Outermost), def.offset);
}

std::vector<std::string> Compiler::state_names(
    const lts::Successors& system) const {
  const auto known = names_.find(system.as_explicit());
  if (known == names_.end() || known->second.empty()) return {};
  std::vector<std::string> names = known->second;
  names.resize(known->first->num_states());  // A property may have got ERROR.
  return names;
}

std::unique_ptr<lts::Successors> Compiler::compile_all() {
  std::vector<System> parts;
  for (const ProcessDef& def : file_.processes) {
    parts.push_back(std::make_unique<lts::ExplicitSuccessors>(
        primitive(def, {}, def.offset)));
  }
  return compose(std::move(parts), 0);
}

std::shared_ptr<const Lts> Compiler::instantiate(const ProcRef& reference,
                                                 const Scope& scope) {
  const ProcessDef& def = look_up(reference);
  const std::vector<Value> values = arguments(reference, scope);
  if (def.kind != ProcessDef::Kind::Composite) {
    return primitive(def, values, reference.offset);
  }
  const System system =
      compose(process(def, values, reference.offset, Role::Inner), def.offset);
  return std::make_shared<const Lts>(build(*system, reference.offset));
}

bool Compiler::may_warn(Offset place) {
  return warned_.size() < kMaxWarnings && warned_.insert(place).second;
}

const ProcessDef& Compiler::look_up(const ProcRef& reference) const {
  const auto known = processes_.find(reference.name);
  if (known != processes_.end()) return *known->second;
  std::vector<std::string> names;
  for (const ProcessDef& def : file_.processes) names.push_back(def.name);
  evaluator_.fail(reference.offset,
                  fmt::format("there is no process '{}'{}", reference.name,
                              support::did_you_mean(reference.name, names)));
}

std::vector<Value> Compiler::arguments(const ProcRef& reference,
                                       const Scope& scope) {
  std::vector<Value> result;
  for (const Expr& argument : reference.arguments) {
    result.push_back(evaluator_.value(argument, scope));
  }
  return result;
}

/// Binds the parameters to the arguments, or to their defaults if there are no
/// arguments. `place` is where the process is referred to.
Scope Compiler::parameters(const ProcessDef& def,
                           const std::vector<Value>& arguments, Offset place) {
  if (!arguments.empty() && arguments.size() != def.parameters.size()) {
    evaluator_.fail(
        place, fmt::format("'{}' has {} parameters, but {} "
                           "arguments are given",
                           def.name, def.parameters.size(), arguments.size()));
  }
  Scope scope;
  for (std::size_t i = 0; i < def.parameters.size(); ++i) {
    const Parameter& parameter = def.parameters[i];
    scope =
        extend(scope, parameter.name,
               arguments.empty() ? evaluator_.value(parameter.fallback, scope)
                                 : arguments[i]);
  }
  return scope;
}

Compiler::Component Compiler::process(const ProcessDef& def,
                                      const std::vector<Value>& arguments,
                                      Offset place, Role role) {
  const Depth depth(*this, place);
  evaluator_.budget().charge(kReferenceCost, place);
  if (def.kind == ProcessDef::Kind::Composite) {
    return composite(def, parameters(def, arguments, place), role);
  }
  Component result;
  result.push_back(std::make_unique<lts::ExplicitSuccessors>(
      primitive(def, arguments, place)));
  return result;
}

std::shared_ptr<const Lts> Compiler::primitive(
    const ProcessDef& def, const std::vector<Value>& arguments, Offset place) {
  const Depth depth(*this, place, kSequenceDepth);
  const Scope scope = parameters(def, arguments, place);
  std::string key = def.name;
  for (const Binding* b = scope.get(); b != nullptr; b = b->outer.get()) {
    key += ',';
    key += b->value.text();
  }
  if (const auto known = built_.find(key); known != built_.end()) {
    return known->second;
  }
  if (!in_progress_.insert(key).second) {
    evaluator_.fail(place, fmt::format("'{}' is put in sequence with itself; "
                                       "only its last process may be '{}'",
                                       def.name, def.name));
  }
  Expansion made = def.kind == ProcessDef::Kind::Import
                       ? Expansion{read_import(def), {}}
                       : build_primitive(def, scope);
  const auto result =
      std::make_shared<const Lts>(modify(std::move(made.lts), def));
  if (!def.is_deterministic && !def.is_minimal) {
    names_[result.get()] = std::move(made.state_names);
  }
  in_progress_.erase(key);
  built_[key] = result;
  return result;
}

Expansion Compiler::build_primitive(const ProcessDef& def, const Scope& scope) {
  Expansion made =
      expand_process(def, scope, evaluator_, *this, labels_, context_);
  if (def.relabels.empty() && !def.hiding) return made;
  Component component;
  component.push_back(std::make_unique<lts::ExplicitSuccessors>(
      std::make_shared<const Lts>(std::move(made.lts))));
  if (!def.relabels.empty()) {
    const Renaming names = renaming(def.relabels, scope);
    const Offset offset = def.relabels.front().offset;
    std::vector<Component> all;
    all.push_back(std::move(component));
    warn_of_others(all, def.relabels, scope);
    component = std::move(all.front());
    rename_component(component, names, offset);
  }
  if (def.hiding) {
    component[0] = hide(std::move(component[0]), *def.hiding, scope);
  }
  return {*component[0]->as_explicit(), {}};
}

Lts Compiler::read_import(const ProcessDef& def) {
  std::filesystem::path path(def.path);
  if (path.is_relative()) {
    path = std::filesystem::path(evaluator_.source().locate(def.offset).file)
               .parent_path() /
           path;
  }
  const support::Source source = [&] {
    try {
      return support::Source::open(path.string());
    } catch (const support::InputError& error) {
      evaluator_.fail(def.path_offset, error.message());
    }
  }();
  return lts::read_aut(source, labels_, context_);
}

/// Builds the whole of a system; the place says whose it is if that fails.
Lts Compiler::build(lts::Successors& system, Offset offset) {
  if (const Lts* lts = system.as_explicit()) return *lts;
  try {
    return lts::explore(system, context_);
  } catch (const support::InputError& error) {
    evaluator_.fail(offset, error.message());
  }
}

/// Applies `deterministic`, `minimal` and `property`, in this order.
Lts Compiler::modify(Lts lts, const ProcessDef& def) {
  try {
    const bool is_composite = def.kind == ProcessDef::Kind::Composite;
    if (def.is_deterministic || (def.is_property && is_composite)) {
      lts = make_deterministic(lts, context_);
    } else if (def.is_minimal) {
      lts = minimise(lts, context_);
    }
  } catch (const support::InputError& error) {
    evaluator_.fail(def.offset, error.message());
  }
  if (!def.is_property) return lts;
  if (!is_deterministic(lts)) {
    evaluator_.fail(def.offset,
                    fmt::format("the property '{}' is not deterministic: some "
                                "state has two moves with one label, or a "
                                "hidden one",
                                def.name));
  }
  evaluator_.budget().charge(lts.num_states() * lts.alphabet().size(),
                             def.offset);
  return complete_property(lts);
}

}  // namespace agon::fsp
