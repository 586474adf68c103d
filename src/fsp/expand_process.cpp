// SPDX-License-Identifier: Apache-2.0
#include "fsp/expand_process.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "fsp/options.h"
#include "lts/explore.h"
#include "lts/successors.h"
#include "support/suggest.h"

namespace agon::fsp {
namespace {

// Work that is to be done for a state waits in a list, so that neither long
// chains of actions nor long chains of aliases (A[i] = A[i + 1]) recurse.

using lts::Label;
using lts::Lts;
using lts::State;
using lts::StateKind;

/// A new label costs more than a state.
constexpr std::size_t kNewLabel = 3;
/// Nobody reads the names of more.
constexpr std::size_t kMostNamed = 10'000;

class Expander {
 public:
  Expander(const ProcessDef& def, const Evaluator& evaluator,
           ProcessTable& processes, const lts::SharedLabels& labels,
           support::Context& context)
      : def_(def),
        evaluator_(evaluator),
        processes_(processes),
        context_(context),
        builder_(labels) {}

  Expansion run(const Scope& parameters) {
    define_instances(parameters);
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!instances_[i].state.valid()) {
        resolve(*instances_[i].body, instances_[i].scope, &instances_[i]);
      }
      while (!work_.empty()) {
        const Work work = std::move(work_.back());
        work_.pop_back();
        perform(work);
      }
    }
    if (def_.extension) {
      for (const auto& label : evaluator_.all(*def_.extension, parameters)) {
        extend(intern(label, def_.extension->offset));
      }
    }
    builder_.set_initial(instances_.front().state);
    const Lts all = std::move(builder_).build();
    lts::ExplicitSuccessors view(all);
    lts::Explored explored = lts::explore_traced(view, context_);
    return {std::move(explored.lts), names_of(explored.original)};
  }

 private:
  /// A local process at one combination of its indices.
  struct Instance {
    std::string name;  // As it is written.
    const Local* body = nullptr;
    Scope scope;
    State state;
    bool in_progress = false;
  };

  /// Transitions that have yet to be given to a state.
  struct Work {
    State state;
    Scope scope;
    const Local* local = nullptr;    // A choice or a sequence.
    const Branch* branch = nullptr;  // Inside of it, if the work is there.
    std::size_t position = 0;  // In the branch's prefixes or in the sequence.
    std::shared_ptr<const Lts> first;  // What the sequence starts with.
  };

  void define_instances(const Scope& parameters) {
    for (const LocalDef& def : def_.locals) {
      std::vector<BoundLabel> indices{{"", parameters}};
      if (!def.indices.empty()) {
        indices = evaluator_.expand({def.offset, def.indices}, parameters);
      }
      for (BoundLabel& index : indices) {
        const std::string key =
            index.text.empty() ? def.name : def.name + "." + index.text;
        if (!index_.emplace(key, instances_.size()).second) {
          evaluator_.fail(def.offset, fmt::format("the local process '{}' is "
                                                  "defined twice",
                                                  key));
        }
        evaluator_.budget().charge(1, def.offset);
        instances_.push_back({written(def.name, index.text),
                              &def.body,
                              std::move(index.scope),
                              {},
                              false});
      }
    }
  }

  /// Such as `A[1][2]` for the indices `1.2`.
  static std::string written(const std::string& name, std::string indices) {
    if (indices.empty()) return name;
    for (std::size_t at = 0; (at = indices.find('.', at)) != std::string::npos;
         at += 2) {
      indices.replace(at, 1, "][");
    }
    return name + "[" + indices + "]";
  }

  /// Of states of the builder, in this order.
  std::vector<std::string> names_of(const std::vector<State>& states) const {
    if (states.size() > kMostNamed) return {};
    std::unordered_map<std::size_t, const std::string*> names;
    for (const Instance& each : instances_) {
      if (!is_in_place_name(each.name)) {
        names.emplace(each.state.index(), &each.name);
      }
    }
    static const std::string stop = "STOP";
    static const std::string end = "END";
    static const std::string error = "ERROR";
    if (stop_.valid()) names[stop_.index()] = &stop;
    if (end_.valid()) names[end_.index()] = &end;
    if (error_.valid()) names[error_.index()] = &error;
    std::vector<std::string> result;
    for (const State state : states) {
      const auto found = names.find(state.index());
      result.push_back(found == names.end() ? "" : *found->second);
    }
    return result;
  }

  void perform(const Work& work) {
    if (work.first != nullptr) return embed(work);
    if (work.branch != nullptr) {
      return prefix(work.state, *work.branch, work.position, work.scope);
    }
    for (const Branch& branch : work.local->branches) {
      if (branch.guard.empty() ||
          evaluator_.holds(branch.guard.front(), work.scope)) {
        prefix(work.state, branch, 0, work.scope);
      }
    }
  }

  /// Adds the transitions for one action of a branch.
  void prefix(State source, const Branch& branch, std::size_t position,
              const Scope& scope) {
    const Labels& labels = branch.prefixes[position];
    for (const BoundLabel& label : evaluator_.expand(labels, scope)) {
      State target;
      if (position + 1 == branch.prefixes.size()) {
        target = resolve(branch.rest, label.scope, nullptr);
      } else {
        target = add_state(labels.offset);
        work_.push_back(
            {target, label.scope, nullptr, &branch, position + 1, nullptr});
      }
      evaluator_.budget().charge(1, labels.offset);
      builder_.add_transition(source, intern(label.text, labels.offset),
                              target);
    }
  }

  /// The state that a right-hand side is, following references. If `owner` is
  /// given then it, and every instance on the way, gets that state.
  State resolve(const Local& start, const Scope& start_scope, Instance* owner) {
    std::vector<Instance*> owners;
    if (owner != nullptr) {
      owner->in_progress = true;
      owners.push_back(owner);
    }
    const Local* local = &start;
    Scope scope = start_scope;
    State state;
    while (!state.valid()) {
      if (local->kind == Local::Kind::If) {
        if (evaluator_.holds(local->condition.front(), scope)) {
          local = &local->alternatives[0];
        } else if (local->alternatives.size() > 1) {
          local = &local->alternatives[1];
        } else {
          state = special(stop_, StateKind::Ordinary);
        }
      } else if (local->kind == Local::Kind::Choice) {
        state = add_state(local->offset);
        work_.push_back({state, scope, local, nullptr, 0, nullptr});
      } else if (state = start_sequence(*local, 0, scope); !state.valid()) {
        Instance* const next = refer(*local, scope, state);
        if (next == nullptr) break;
        next->in_progress = true;
        owners.push_back(next);
        local = next->body;
        scope = next->scope;
      }
    }
    for (Instance* const instance : owners) {
      instance->state = state;
      instance->in_progress = false;
    }
    return state;
  }

  /// The state of the first process of `P ; Q ; R` from `position` on that does
  /// not end at once; invalid if only the local process R is left.
  State start_sequence(const Local& local, std::size_t position,
                       const Scope& scope) {
    for (; position < local.before.size(); ++position) {
      const ProcRef& reference = local.before[position];
      auto first = processes_.instantiate(reference, scope);
      for (const Label label : first->alphabet()) extend(label);
      if (first->kind(first->initial()) == StateKind::Terminated) continue;
      bool ends = false;
      for (std::size_t i = 0; i < first->num_states(); ++i) {
        ends = ends || first->kind(State::at(i)) == StateKind::Terminated;
      }
      if (!ends) {
        evaluator_.fail(reference.offset,
                        fmt::format("'{}' never reaches END, so nothing can "
                                    "follow it",
                                    reference.name));
      }
      const State state = add_state(reference.offset);
      work_.push_back(
          {state, scope, &local, nullptr, position, std::move(first)});
      return state;
    }
    return {};
  }

  /// Copies a process of a sequence; its END is where the sequence goes on.
  void embed(const Work& work) {
    const Lts& part = *work.first;
    const Offset offset = work.local->before[work.position].offset;
    evaluator_.budget().charge(part.num_states() + part.num_transitions(),
                               offset);
    State next = start_sequence(*work.local, work.position + 1, work.scope);
    if (!next.valid()) {
      Instance* const instance = refer(*work.local, work.scope, next);
      if (instance != nullptr) {
        next = resolve(*instance->body, instance->scope, instance);
      }
    }
    std::vector<State> copy(part.num_states());
    for (std::size_t i = 0; i < copy.size(); ++i) {
      const StateKind kind = part.kind(State::at(i));
      if (State::at(i) == part.initial()) {
        copy[i] = work.state;
      } else if (kind == StateKind::Terminated) {
        copy[i] = next;
      } else if (kind == StateKind::Error) {
        copy[i] = special(error_, StateKind::Error);
      } else {
        copy[i] = builder_.add_state();
      }
    }
    for (std::size_t i = 0; i < copy.size(); ++i) {
      if (part.kind(State::at(i)) == StateKind::Terminated) continue;
      for (const lts::Transition& t : part.out(State::at(i))) {
        builder_.add_transition(copy[i], t.label, copy[t.target.index()]);
      }
    }
  }

  /// What the last name of a sequence refers to: a local process whose state is
  /// not known yet, or else the state is set.
  Instance* refer(const Local& local, const Scope& scope, State& state) {
    std::string key = local.name;
    for (const Expr& index : local.indices) {
      key += '.';
      key += evaluator_.value(index, scope).text();
    }
    const auto known = index_.find(key);
    if (known != index_.end()) {
      Instance& instance = instances_[known->second];
      if (instance.in_progress) {
        evaluator_.fail(local.offset,
                        fmt::format("the recursion of '{}' is not guarded by "
                                    "an action",
                                    key));
      }
      state = instance.state;
      return state.valid() ? nullptr : &instance;
    }
    if (key == "STOP") {
      state = special(stop_, StateKind::Ordinary);
    } else if (key == "END") {
      state = special(end_, StateKind::Terminated);
    } else {
      if (key != "ERROR") warn_undefined(local, key);
      state = special(error_, StateKind::Error);
    }
    return nullptr;
  }

  void warn_undefined(const Local& local, const std::string& key) {
    if (!processes_.may_warn(local.offset)) return;
    std::vector<std::string> names;
    bool is_local = false;
    for (const LocalDef& def : def_.locals) {
      names.push_back(def.name);
      is_local = is_local || def.name == local.name;
    }
    std::string hint;
    if (!is_local) {
      hint = processes_.is_process(local.name)
                 ? fmt::format(
                       "; to go on as the process '{0}', write "
                       "'{0};END'",
                       local.name)
                 : support::did_you_mean(local.name, names);
    }
    const support::Source& source = evaluator_.source();
    context_.warn(support::render_diagnostic(
        "warning",
        fmt::format("'{}' is not a local process of '{}' and becomes ERROR{}",
                    key, def_.name, hint),
        source.locate(local.offset), source.line_at(local.offset)));
  }

  State add_state(Offset offset) {
    evaluator_.budget().charge(1, offset);
    return builder_.add_state();
  }

  /// STOP, END and ERROR are one state each.
  State special(State& state, StateKind kind) {
    if (!state.valid()) state = builder_.add_state(kind);
    return state;
  }

  Label intern(const std::string& name, Offset offset) {
    const std::size_t known = builder_.labels()->size();
    const Label label = builder_.labels()->intern(name);
    if (builder_.labels()->size() > known) {
      evaluator_.budget().charge(kNewLabel, offset);
    }
    return label;
  }

  void extend(Label label) {
    if (label != lts::kTau) builder_.extend_alphabet(label);
  }

  const ProcessDef& def_;
  const Evaluator& evaluator_;
  ProcessTable& processes_;
  support::Context& context_;
  lts::LtsBuilder builder_;
  std::vector<Instance> instances_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Work> work_;
  State stop_;
  State end_;
  State error_;
};

}  // namespace

Expansion expand_process(const ProcessDef& def, const Scope& parameters,
                         const Evaluator& evaluator, ProcessTable& processes,
                         const lts::SharedLabels& labels,
                         support::Context& context) {
  return Expander(def, evaluator, processes, labels, context).run(parameters);
}

}  // namespace agon::fsp
