// SPDX-License-Identifier: Apache-2.0
#include "concurrent/quotient.h"

#include <algorithm>
#include <utility>

namespace agon::concurrent {

using lts::Label;
using lts::State;

Quotient::Quotient(Behaviour& behaviour, Kind kind, Merging merging)
    : behaviour_(behaviour), kind_(std::move(kind)), merging_(merging) {}

Quotient::Key Quotient::key(State state) {
  return {kind_(state), behaviour_.offers(state)};
}

bool Quotient::offers(Class c, Label label) const {
  return std::ranges::binary_search(offers(c), label);
}

bool Quotient::is_like(State state, Class c) {
  const Data& data = classes_[c.index()];
  return key(state) == Key(data.kind, data.offers);
}

Class Quotient::class_of(State state) {
  if (state.index() >= class_of_.size()) {
    class_of_.resize(std::max(state.index() + 1, 2 * class_of_.size()));
  }
  if (class_of_[state.index()].valid()) return class_of_[state.index()];
  Key wanted = key(state);
  const auto known = open_.find(wanted);
  if (merging_ == Merging::ByEnabledActions && known != open_.end()) {
    enter(state, known->second);
    grown_.push_back(known->second);
    return known->second;
  }
  const Class made = Class::at(classes_.size());
  classes_.push_back({wanted.second, wanted.first, {}, 0});
  enter(state, made);
  open_.insert_or_assign(std::move(wanted), made);
  return made;
}

void Quotient::enter(State state, Class c) {
  class_of_[state.index()] = c;
  classes_[c.index()].members.push_back(state);
  classes_[c.index()].version = ++version_;
}

const std::vector<Class>& Quotient::targets(Class c, Label label) {
  Row& row = rows_[{c, label}];
  if (row.version == classes_[c.index()].version) return row.targets;
  std::set<Class> found;
  // There may be more of them while their moves are looked at.
  for (std::size_t i = 0; i < classes_[c.index()].members.size(); ++i) {
    const State state = classes_[c.index()].members[i];
    for (const State target : behaviour_.after(state, label)) {
      found.insert(class_of(target));
    }
  }
  row.version = classes_[c.index()].version;
  row.targets.assign(found.begin(), found.end());
  return row.targets;
}

std::vector<Class> Quotient::divide(std::span<const std::vector<State>> sets) {
  std::set<Class> changed;
  for (const std::vector<State>& set : sets) {
    std::map<Class, std::vector<State>> parts;
    for (const State state : std::set<State>(set.begin(), set.end())) {
      parts[class_of_[state.index()]].push_back(state);
    }
    for (const auto& [c, part] : parts) {
      if (part.size() == classes_[c.index()].members.size()) continue;
      changed.insert({c, move_out(c, part)});
    }
  }
  return note_changed(changed);
}

Quotient::Signature Quotient::signature(State state) {
  Signature result;
  for (const Label label : offers(class_of_[state.index()])) {
    const std::vector<State>* const targets = behaviour_.known(state, label);
    if (targets == nullptr) {
      result.emplace(label, Class());
      continue;
    }
    for (const State target : *targets) {
      const bool is_known = target.index() < class_of_.size();
      result.emplace(label, is_known ? class_of_[target.index()] : Class());
    }
  }
  return result;
}

std::vector<Class> Quotient::stabilise() {
  std::set<Class> changed;
  for (bool again = true; std::exchange(again, false);) {
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      std::map<Signature, std::vector<State>> groups;
      const std::vector<State> members = classes_[i].members;
      for (const State state : members) {
        groups[signature(state)].push_back(state);
      }
      for (const auto& [signature, group] : groups) {
        if (group.front() == members.front()) continue;  // These stay.
        changed.insert({Class::at(i), move_out(Class::at(i), group)});
        again = true;
      }
    }
  }
  return note_changed(changed);
}

/// A new class of some members of another.
Class Quotient::move_out(Class from, const std::vector<State>& states) {
  const Class made = Class::at(classes_.size());
  Data data{classes_[from.index()].offers, kind(from), {}, 0};
  classes_.push_back(std::move(data));
  for (const State state : states) {
    std::erase(classes_[from.index()].members, state);
    enter(state, made);
  }
  return made;
}

// Whatever leads into a class that was divided has other targets now, so all
// rows are made anew when they are needed.
std::vector<Class> Quotient::note_changed(const std::set<Class>& changed) {
  if (!changed.empty()) {
    rows_.clear();
    for (Data& data : classes_) data.version = ++version_;
  }
  return {changed.begin(), changed.end()};
}

}  // namespace agon::concurrent
