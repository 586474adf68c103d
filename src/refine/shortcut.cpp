// SPDX-License-Identifier: Apache-2.0
#include "refine/shortcut.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "refine/partition.h"
#include "term/substitute.h"

namespace agon::refine {

using abstraction::Answers;
using abstraction::OnePlace;
using abstraction::Solutions;
using term::Term;

class Shortcut::Finder {
 public:
  Finder(Shortcuts& shortcuts, std::span<const Term> before,
         std::span<const Term> after)
      : shortcuts_(shortcuts), before_(before), after_(after) {
    for (std::uint32_t i = 0; i < before.size(); ++i) {
      known_.try_emplace(before[i], i, false);
      known_.try_emplace(shortcuts.pool_.negation(before[i]), i, true);
    }
    for (const Term t : after) add_source(t);
  }

  void add_guard(Term t) {
    if (t.is_true()) return;
    if (const auto at = known_.find(t); at != known_.end()) {
      result_.demands_.push_back({at->second.first, !at->second.second});
    } else {
      guards_.push_back(t);
    }
  }

  std::optional<Shortcut> run() {
    for (auto& [root, group] : divide()) {
      Core& core = group.core;
      if (group.guards.empty() && core.after.empty()) continue;
      std::vector<Term> asked;
      for (const std::uint32_t i : core.before) asked.push_back(before_[i]);
      for (const std::uint32_t i : core.after) asked.push_back(after_[i]);
      if (is_flat_) {
        for (Term& t : asked) t = shortcuts_.flat(t);
        for (Term& t : group.guards) t = shortcuts_.flat(t);
      }
      const auto& rows = shortcuts_.solve(group.guards, asked);
      if (!rows) return std::nullopt;
      core.rows = *rows;
      result_.cores_.push_back(std::move(core));
    }
    return std::move(result_);
  }

 private:
  struct Group {
    Core core;
    std::vector<Term> guards;
  };

  void add_source(Term t) {
    if (t.is_constant()) {
      result_.sources_.push_back({Source::Kind::Constant, t.is_true()});
    } else if (const auto at = known_.find(t); at != known_.end()) {
      const auto [place, flip] = at->second;
      result_.sources_.push_back({Source::Kind::Copied, flip, place});
    } else {
      found_.push_back(static_cast<std::uint32_t>(result_.sources_.size()));
      result_.sources_.push_back({Source::Kind::Found});
    }
  }

  /// What is connected by variables.
  std::map<std::uint32_t, Group> divide() {
    std::vector<Term> items(before_.begin(), before_.end());
    for (const std::uint32_t i : found_) items.push_back(after_[i]);
    items.insert(items.end(), guards_.begin(), guards_.end());
    Partition partition = connected(items);
    std::map<std::uint32_t, Group> groups;
    std::uint32_t item = 0;
    for (std::uint32_t i = 0; i < before_.size(); ++i) {
      groups[partition.find(item++)].core.before.push_back(i);
    }
    for (const std::uint32_t i : found_) {
      groups[partition.find(item++)].core.after.push_back(i);
    }
    for (const Term t : guards_) {
      groups[partition.find(item++)].guards.push_back(t);
    }
    return groups;
  }

  Partition connected(const std::vector<Term>& items) {
    Solutions& solutions = shortcuts_.solutions_;
    OnePlace places;
    is_flat_ = std::ranges::all_of(
        items, [&](Term t) { return places.add(solutions.about(t)); });
    Partition partition(items.size());
    std::unordered_map<Term, std::uint32_t> owner;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const Solutions::About& about = solutions.about(items[i]);
      for (const Term leaf : is_flat_ ? about.outer : about.leaves) {
        const auto [at, is_new] = owner.try_emplace(leaf, i);
        if (!is_new) partition.join(i, at->second);
      }
    }
    return partition;
  }

  Shortcuts& shortcuts_;
  const std::span<const Term> before_;
  const std::span<const Term> after_;
  bool is_flat_ = false;  // Of each memory one place is read.
  std::unordered_map<Term, std::pair<std::uint32_t, bool>> known_;
  std::vector<std::uint32_t> found_;  // Of those after.
  std::vector<Term> guards_;
  Shortcut result_;
};

std::optional<Shortcut> Shortcuts::find(std::span<const Term> before,
                                        std::span<const Term> after,
                                        std::span<const Term> guard) {
  Shortcut::Finder finder(*this, before, after);
  for (const Term t : guard) finder.add_guard(t);
  return finder.run();
}

const std::optional<std::vector<Answers>>& Shortcuts::solve(
    const std::vector<Term>& guards, const std::vector<Term>& asked) {
  const auto [at, is_new] = solved_.try_emplace({guards, asked});
  if (is_new) at->second = boundary_.solve(guards, asked);
  return at->second;
}

Term Shortcuts::flat(Term term) {
  term::Substitution names;
  for (const Term read : solutions_.about(term).reads) {
    Term& name = names_[read];
    if (!name.valid()) name = pool_.fresh("read", read.sort());
    names.emplace(read, name);
  }
  return names.empty() ? term : term::substitute(pool_, term, names);
}

bool Shortcut::Core::agrees(const Answers& row, const Answers& with) const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (row[i] != with[before[i]]) return false;
  }
  return true;
}

std::vector<Answers> Shortcut::rows(const Answers& before) const {
  for (const Demand& demand : demands_) {
    if (before[demand.place] != demand.answer) return {};
  }
  Answers copied(sources_.size());
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    copied[i] = source.kind == Source::Kind::Copied
                    ? before[source.place] != source.flip
                    : source.flip;
  }
  std::vector<Answers> result{std::move(copied)};
  for (const Core& core : cores_) {
    std::vector<Answers> extended;
    for (const Answers& answers : core.rows) {
      if (!core.agrees(answers, before)) continue;
      for (Answers row : result) {
        for (std::size_t i = 0; i < core.after.size(); ++i) {
          row[core.after[i]] = answers[core.before.size() + i];
        }
        extended.push_back(std::move(row));
      }
    }
    result = std::move(extended);
  }
  return result;
}

}  // namespace agon::refine
