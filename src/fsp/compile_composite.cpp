// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fsp/compile.h"
#include "lts/composition.h"
#include "lts/operators.h"

namespace agon::fsp {

using lts::Label;
using lts::Lts;

/// Every state of a composition holds a state of each component.
constexpr std::size_t kMaxComponents = 4096;
/// A single step that may end in more states than this is not attempted.
constexpr double kMaxBranching = 1e6;

Compiler::Component Compiler::composite(const ProcessDef& def,
                                        const Scope& scope, Role role) {
  std::vector<Component> components;
  component(def.body.front(), scope, components);
  Component parts;
  for (Component& component : components) {
    for (System& part : component) parts.push_back(std::move(part));
  }
  const bool is_reduced =
      def.is_minimal || def.is_deterministic || def.is_property;
  if (!def.priority && !def.hiding && !def.is_composed && !is_reduced) {
    return parts;
  }
  // Priority looks at the composed system, before anything is hidden.
  System system = compose(std::move(parts), def.offset);
  if (def.priority) {
    system = prioritise(std::move(system), *def.priority, scope);
  }
  if (def.hiding) system = hide(std::move(system), *def.hiding, scope);
  // Whether the surroundings can terminate depends on whether an END is really
  // reached here, which only building tells.
  if (is_reduced || (role == Role::Inner && system->can_terminate())) {
    system = std::make_unique<lts::ExplicitSuccessors>(
        std::make_shared<const Lts>(modify(build(*system, def.offset), def)));
  }
  Component result;
  result.push_back(std::move(system));
  return result;
}

void Compiler::component(const Comp& comp, const Scope& scope,
                         std::vector<Component>& out) {
  const Depth depth(*this, comp.offset);
  switch (comp.kind) {
    case Comp::Kind::If:
      if (evaluator_.holds(comp.condition.front(), scope)) {
        component(comp.members[0], scope, out);
      } else if (comp.members.size() > 1) {
        component(comp.members[1], scope, out);
      }
      return;
    case Comp::Kind::Forall:
      for (const BoundLabel& index : evaluator_.expand(*comp.ranges, scope)) {
        component(comp.members.front(), index.scope, out);
      }
      return;
    default:
      plain_component(comp, scope, out);
  }
}

void Compiler::plain_component(const Comp& comp, const Scope& scope,
                               std::vector<Component>& out) {
  std::vector<Component> made;
  if (comp.prefix) {
    for (const BoundLabel& label : evaluator_.expand(*comp.prefix, scope)) {
      if (label.text == "tau") {
        evaluator_.fail(comp.prefix->offset, "'tau' cannot label a process");
      }
      const std::size_t first = made.size();
      members(comp, label.scope, made);
      for (std::size_t i = first; i < made.size(); ++i) {
        prefix_component(made[i], {label.text}, comp.prefix->offset);
      }
      check_size(made, comp.offset);
    }
  } else {
    members(comp, scope, made);
  }
  if (comp.sharing) {
    const auto prefixes = process_labels(*comp.sharing, scope);
    for (Component& one : made) {
      prefix_component(one, prefixes, comp.sharing->offset);
    }
  }
  if (!comp.relabels.empty()) {
    const Renaming names = renaming(comp.relabels, scope);
    const Offset offset = comp.relabels.front().offset;
    warn_of_others(made, comp.relabels, scope);
    for (Component& one : made) rename_component(one, names, offset);
  }
  std::move(made.begin(), made.end(), std::back_inserter(out));
  check_size(out, comp.offset);
}

/// At once and not only when all components are there: they may be many more.
void Compiler::check_size(const std::vector<Component>& components,
                          Offset offset) {
  std::size_t size = 0;
  for (const Component& component : components) size += component.size();
  if (size > kMaxComponents) {
    evaluator_.fail(offset, fmt::format("this composes more than {} components",
                                        kMaxComponents));
  }
}

void Compiler::members(const Comp& comp, const Scope& scope,
                       std::vector<Component>& out) {
  if (comp.kind == Comp::Kind::Reference) {
    const ProcRef& reference = comp.reference;
    out.push_back(process(look_up(reference), arguments(reference, scope),
                          reference.offset, Role::Inner));
    return;
  }
  for (const Comp& member : comp.members) component(member, scope, out);
}

std::vector<std::string> Compiler::process_labels(const Labels& labels,
                                                  const Scope& scope) {
  std::vector<std::string> result = evaluator_.all(labels, scope);
  if (std::ranges::find(result, "tau") != result.end()) {
    evaluator_.fail(labels.offset, "'tau' cannot label a process");
  }
  return result;
}

Renaming Compiler::renaming(const std::vector<RelabelDef>& defs,
                            const Scope& scope) {
  Renaming result;
  for (const RelabelDef& def : defs) add_renaming(def, scope, result);
  return result;
}

void Compiler::add_renaming(const RelabelDef& def, const Scope& scope,
                            Renaming& renaming) {
  if (def.pair.empty()) {
    for (const BoundLabel& index : evaluator_.expand(def.ranges, scope)) {
      for (const RelabelDef& member : def.members) {
        add_renaming(member, index.scope, renaming);
      }
    }
    return;
  }
  for (const BoundLabel& fresh : evaluator_.expand(def.pair[0], scope)) {
    if (fresh.text == "tau") {
      evaluator_.fail(def.offset,
                      "to make an action silent, hide it with '\\'");
    }
    for (const BoundLabel& old : evaluator_.expand(def.pair[1], fresh.scope)) {
      renaming[old.text].push_back(fresh.text);
    }
  }
}

/// Renames the parts one by one, so that labels that become equal synchronise,
/// with the exception that LTSA makes: if labels of a composite become equal
/// then it is composed first, and they do not.
void Compiler::rename_component(Component& component, const Renaming& renaming,
                                Offset offset) {
  std::vector<Label> alphabet;
  for (const System& part : component) {
    alphabet.insert(alphabet.end(), part->alphabet().begin(),
                    part->alphabet().end());
  }
  std::sort(alphabet.begin(), alphabet.end());
  alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  check_renaming(alphabet, renaming, offset);
  const lts::Relabelling all = relabelling(renaming, alphabet, *labels_);
  if (component.size() > 1 && merges(all, alphabet)) {
    System system = compose(std::exchange(component, {}), offset);
    component.push_back(std::move(system));
  }
  for (System& part : component) {
    auto changes = relabelling(renaming, part->alphabet(), *labels_);
    part = apply(std::move(part), std::move(changes), offset);
  }
}

void Compiler::prefix_component(Component& component,
                                const std::vector<std::string>& prefixes,
                                Offset offset) {
  for (System& part : component) {
    lts::Relabelling all;
    evaluator_.budget().charge(part->alphabet().size() * prefixes.size(),
                               offset);
    for (const Label label : part->alphabet()) {
      for (const std::string& prefix : prefixes) {
        all[label].push_back(
            labels_->intern(prefix + "." + labels_->name(label)));
      }
    }
    part = apply(std::move(part), std::move(all), offset);
  }
}

/// Renames after having checked that this does not get out of hand.
Compiler::System Compiler::apply(System system, lts::Relabelling relabelling,
                                 Offset offset) {
  std::size_t cost = system->alphabet().size();
  std::size_t most = 1;
  for (const auto& [label, images] : relabelling) {
    cost += images.size();
    most = std::max(most, images.size());
  }
  if (const Lts* lts = system->as_explicit()) {
    cost += lts->num_states() + lts->num_transitions();
    if (most > 1) {
      for (std::size_t i = 0; i < lts->num_states(); ++i) {
        for (const lts::Transition& t : lts->out(lts::State::at(i))) {
          const auto images = relabelling.find(t.label);
          if (images != relabelling.end()) cost += images->second.size();
        }
      }
    }
  }
  evaluator_.budget().charge(cost, offset);
  return rename(std::move(system), std::move(relabelling));
}

Compiler::System Compiler::compose(std::vector<System> parts, Offset offset) {
  if (parts.empty()) {  // Nothing, side by side, is done: END is neutral.
    lts::LtsBuilder builder(labels_);
    builder.set_initial(builder.add_state(lts::StateKind::Terminated));
    return std::make_unique<lts::ExplicitSuccessors>(
        std::make_shared<const Lts>(std::move(builder).build()));
  }
  if (parts.size() == 1) return std::move(parts.front());
  check_shared(parts, offset);
  check_branching(parts, offset);
  return std::make_unique<lts::Composition>(std::move(parts), context_);
}

/// A step in which n components take part that have two choices each has 2^n
/// outcomes. So as not to start on one that cannot be finished, this multiplies
/// the largest numbers of choices for each label.
void Compiler::check_branching(const std::vector<System>& parts,
                               Offset offset) {
  std::unordered_map<Label, double> outcomes;
  for (const System& part : parts) {
    const Lts* const lts = part->as_explicit();
    if (lts == nullptr) continue;
    std::unordered_map<Label, std::size_t> choices;
    for (std::size_t i = 0; i < lts->num_states(); ++i) {
      const auto moves = lts->out(lts::State::at(i));
      for (std::size_t first = 0, k = 1; k <= moves.size(); ++k) {
        if (k < moves.size() && moves[k].label == moves[first].label) continue;
        if (k - first > 1) {
          std::size_t& most = choices[moves[first].label];
          most = std::max(most, k - first);
        }
        first = k;
      }
    }
    for (const auto& [label, most] : choices) {
      if (label == lts::kTau) continue;
      double& product = outcomes.try_emplace(label, 1.0).first->second;
      product *= static_cast<double>(most);
      if (product > kMaxBranching) {
        evaluator_.fail(offset,
                        fmt::format("a single step on '{}' could lead "
                                    "to more than {} states here",
                                    labels_->name(label), kMaxBranching));
      }
    }
  }
}

Compiler::System Compiler::prioritise(System system,
                                      const PriorityDef& priority,
                                      const Scope& scope) {
  const auto names = evaluator_.all(priority.set, scope);
  check_listed(system->alphabet(), names, priority.set.offset);
  warn_of_others(system->alphabet(), names, priority.set.offset);
  const NameSet set(names.begin(), names.end());
  std::vector<Label> listed;
  for (const Label label : system->alphabet()) {
    if (matches(set, labels_->name(label))) listed.push_back(label);
  }
  return lts::prioritise(
      std::move(system),
      priority.high ? lts::Priority::High : lts::Priority::Low,
      std::move(listed));
}

Compiler::System Compiler::hide(System system, const Hiding& hiding,
                                const Scope& scope) {
  const auto names = evaluator_.all(hiding.set, scope);
  check_listed(system->alphabet(), names, hiding.set.offset);
  warn_of_others(system->alphabet(), names, hiding.set.offset);
  const NameSet set(names.begin(), names.end());
  lts::Relabelling hidden;
  for (const Label label : system->alphabet()) {
    if (matches(set, labels_->name(label)) != hiding.keep) {
      hidden[label] = {lts::kTau};
    }
  }
  return apply(std::move(system), std::move(hidden), hiding.set.offset);
}

}  // namespace agon::fsp
