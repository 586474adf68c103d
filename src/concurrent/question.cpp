// SPDX-License-Identifier: Apache-2.0
#include "concurrent/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lts/forbid.h"
#include "spec/composition.h"
#include "support/error.h"

namespace agon::concurrent {
namespace {

using spec::ComponentQuestion;
using spec::ProgramQuestion;

/// An action of a component and the names that it has in the program.
struct Named {
  std::string local;
  std::vector<std::string> names;
};

lts::Lts alphabet_of(const std::set<std::string>& names) {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  builder.set_initial(builder.add_state());
  for (const std::string& name : names) {
    builder.extend_alphabet(builder.labels()->intern(name));
  }
  return std::move(builder).build();
}

class Builder {
 public:
  Builder(const ir::Program& program, const ProgramQuestion& question,
          bool has_errors, verify::Integers integers, support::Context& context)
      : program_(program),
        question_(question),
        has_errors_(has_errors),
        integers_(integers),
        context_(context) {}

  Prepared run() {
    for (const ComponentQuestion& each : question_.components) {
      actions_.push_back(actions_of(each));
      result_.components.push_back(each.name);
    }
    if (question_.lts != nullptr) {
      result_.spec = with_forbidden();
      for (const lts::Label label : result_.spec->alphabet()) {
        constrained_.insert(result_.spec->labels()->name(label));
      }
    }
    count_participants();
    auto program = std::make_unique<ir::Program>(program_);
    if (asks_for_deadlocks()) spec::mark_exits(*program);
    result_.program = std::move(program);
    make_models();
    make_events();
    return std::move(result_);
  }

 private:
  bool asks_for_deadlocks() const { return question_.lts == nullptr; }

  /// All that a component can perform. What nobody else can take part in is
  /// named after it.
  std::vector<Named> actions_of(const ComponentQuestion& component) const {
    std::vector<Named> result;
    for (const auto& each : component.actions) {
      result.push_back({each.local, each.names});
      if (!is_forbidden(each.local)) continue;
      result.back().names = {fmt::format("{}.{}", component.name, each.local)};
    }
    const auto add_own = [&](const char* local) {
      result.push_back({local, {fmt::format("{}.{}", component.name, local)}});
    };
    if (has_errors_) add_own(verify::kError);
    if (asks_for_deadlocks()) {
      add_own(ProgramQuestion::kStop);
      add_own(ProgramQuestion::kSilent);
      add_own(ProgramQuestion::kExit);
    }
    return result;
  }

  bool is_forbidden(const std::string& local) const {
    return (has_errors_ && local == verify::kError) ||
           local.starts_with(spec::kOutsideGuards);
  }

  /// What is allowed nowhere has to be in the alphabet.
  std::shared_ptr<const lts::Lts> with_forbidden() const {
    std::vector<std::string> labels;
    for (const std::vector<Named>& actions : actions_) {
      for (const Named& action : actions) {
        if (is_forbidden(action.local)) labels.push_back(action.names.front());
      }
    }
    return std::make_shared<const lts::Lts>(
        lts::forbid(*question_.lts, labels));
  }

  void count_participants() {
    for (const std::vector<Named>& actions : actions_) {
      std::set<std::string> own;
      for (const Named& action : actions) {
        own.insert(action.names.begin(), action.names.end());
      }
      for (const std::string& name : own) ++participants_[name];
    }
  }

  /// Whether anybody but the component itself takes notice.
  bool matters(const std::string& name) const {
    return asks_for_deadlocks() || constrained_.contains(name) ||
           participants_.at(name) > 1;
  }

  void make_models() {
    std::map<std::string, std::set<std::string>> visible;  // By entry.
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      auto& names = visible[question_.components[i].entry];
      names.insert(ProgramQuestion::kStart);
      for (const Named& action : actions_[i]) {
        if (std::ranges::any_of(action.names, [&](const std::string& name) {
              return matters(name);
            })) {
          names.insert(action.local);
        }
      }
    }
    std::map<std::string, std::uint32_t> index;
    for (const ComponentQuestion& each : question_.components) {
      const auto [at, is_new] = index.try_emplace(
          each.entry, static_cast<std::uint32_t>(result_.models.size()));
      result_.composition.model_of.push_back(at->second);
      if (is_new) add_model(each, alphabet_of(visible.at(each.entry)));
    }
  }

  void add_model(const ComponentQuestion& component, lts::Lts actions) {
    const auto entry = program_.find_function(component.entry);
    AGON_ASSERT(entry.has_value());
    const bool any_state = component.routine != "main";
    auto model = std::make_unique<Model>(
        Model{verify::prepare(*result_.program, *entry, actions, any_state,
                              context_, integers_),
              std::move(actions),
              {},
              {*result_.program, *entry, any_state}});
    if (asks_for_deadlocks()) part_ends(model->prepared);
    for (const auto& each : component.actions) {
      if (each.is_return) model->endings.push_back(each.local);
    }
    model->endings.push_back(ProgramQuestion::kExit);
    if (model->prepared.reason && !result_.reason) {
      result_.reason = model->prepared.reason;
    }
    result_.models.push_back(std::move(model));
  }

  /// Gives each action after which nothing comes a location of its own behind
  /// it: having returned and being stuck are not the same, but preparing may
  /// have made them one place.
  static void part_ends(verify::Prepared& prepared) {
    ir::Program& program = prepared.program;
    const ir::Cfa old = program[prepared.entry].body;
    ir::Cfa body = old.without_edges();
    std::set<ir::LocationId> taken;
    bool is_changed = false;
    for (ir::Edge edge : old.edges()) {
      const bool is_last = std::holds_alternative<ir::Call>(edge.statement) &&
                           old.out_edges(edge.to).empty();
      if (is_last && !taken.insert(edge.to).second) {
        edge.to = body.add_location();
        is_changed = true;
      }
      body.add_edge(std::move(edge));
    }
    if (!is_changed) return;
    if (prepared.mathematical != nullptr) {  // Knows the edges by number.
      prepared.reason =
          "deadlocks of components that end in several ways are not decided "
          "over mathematical integers";
      return;
    }
    body.finish();
    program.functions[prepared.entry.index()].body = std::move(body);
  }

  void make_events() {
    std::map<std::string, Event> events;
    for (std::uint32_t i = 0; i < actions_.size(); ++i) {
      const Model& model = *result_.models[result_.composition.model_of[i]];
      for (const Named& action : actions_[i]) {
        const auto local = model.actions.labels()->find(action.local);
        if (!local) continue;
        for (const std::string& name : action.names) {
          add(events, name, i, *local);
        }
      }
      add(events, ProgramQuestion::kStart, i,
          *model.actions.labels()->find(ProgramQuestion::kStart));
    }
    auto& composition = result_.composition;
    for (auto& [name, event] : events) {
      if (name == ProgramQuestion::kStart) {
        composition.start =
            static_cast<std::uint32_t>(composition.events.size());
      }
      event.name = name;
      if (constrained_.contains(name)) {
        event.visible = *result_.spec->labels()->find(name);
      }
      composition.events.push_back(std::move(event));
    }
  }

  static void add(std::map<std::string, Event>& events, const std::string& name,
                  std::uint32_t component, lts::Label local) {
    auto& participants = events[name].participants;
    if (participants.empty() || participants.back().component != component) {
      participants.push_back({component, {}});
    }
    participants.back().locals.push_back(local);
  }

  const ir::Program& program_;
  const ProgramQuestion& question_;
  const bool has_errors_;
  const verify::Integers integers_;
  support::Context& context_;
  std::vector<std::vector<Named>> actions_;  // By component.
  std::set<std::string> constrained_;
  std::map<std::string, std::size_t> participants_;
  Prepared result_;
};

}  // namespace

Prepared prepare(const ir::Program& program, const ProgramQuestion& question,
                 bool has_errors, verify::Integers integers,
                 support::Context& context) {
  return Builder(program, question, has_errors, integers, context).run();
}

}  // namespace agon::concurrent
