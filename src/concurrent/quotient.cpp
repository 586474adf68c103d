// SPDX-License-Identifier: Apache-2.0
#include "concurrent/quotient.h"

#include <algorithm>
#include <utility>

namespace agon::concurrent {

using lts::Label;
using lts::State;

Quotient::Quotient(lts::Successors& system, Kind kind, Merging merging)
    : system_(system), kind_(std::move(kind)), merging_(merging) {}

std::vector<lts::Transition> Quotient::moves(State state) {
  const auto out = system_.expand(state);
  return {out.begin(), out.end()};
}

Quotient::Key Quotient::key(State state) {
  std::vector<Label> labels;
  for (const lts::Transition t : system_.expand(state)) {
    if (labels.empty() || labels.back() != t.label) labels.push_back(t.label);
  }
  return {kind_(state), std::move(labels)};
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
    for (const lts::Transition t : moves(classes_[c.index()].members[i])) {
      if (t.label == label) found.insert(class_of(t.target));
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
  for (const lts::Transition t : system_.expand(state)) {
    const bool is_known = t.target.index() < class_of_.size();
    result.emplace(t.label, is_known ? class_of_[t.target.index()] : Class());
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
