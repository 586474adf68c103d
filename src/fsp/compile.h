// SPDX-License-Identifier: Apache-2.0
/// From syntax trees to systems: references, composition and modifiers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fsp/ast.h"
#include "fsp/evaluate.h"
#include "fsp/expand_process.h"
#include "fsp/label_meanings.h"
#include "fsp/transform.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::fsp {

/// Compiles processes of one file into one label table. Lives as long as one
/// compilation; each instance of a primitive process is expanded once.
class Compiler final : public ProcessTable {
 public:
  /// All have to outlive the compiler. `meanings` may be null.
  Compiler(const File& file, const Evaluator& evaluator,
           const lts::SharedLabels& labels, support::Context& context,
           const LabelMeanings* meanings);

  /// The system of a process with arguments. Its outermost composition is not
  /// built. `arguments` has to be empty or complete.
  std::unique_ptr<lts::Successors> compile(const ProcessDef& def,
                                           std::vector<Value> arguments,
                                           Offset place);
  /// What the states of a system are called that `compile` has made; empty if
  /// they are not those of a process as it was written.
  std::vector<std::string> state_names(const lts::Successors& system) const;
  /// All processes of a file without composites side by side.
  std::unique_ptr<lts::Successors> compile_all();

  std::shared_ptr<const lts::Lts> instantiate(const ProcRef& reference,
                                              const Scope& scope) override;
  bool is_process(const std::string& name) const override {
    return processes_.contains(name);
  }
  bool may_warn(Offset place) override;

 private:
  using System = std::unique_ptr<lts::Successors>;
  /// A component of a composition. A composite that only composes stays a list
  /// of its parts, so that they become parts of what it is put into.
  using Component = std::vector<System>;

  /// Guards some levels of recursion; fails if there are too many.
  class Depth {
   public:
    Depth(Compiler& compiler, Offset offset, int levels = 1);
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { compiler_.depth_ -= levels_; }

   private:
    Compiler& compiler_;
    int levels_;
  };

  enum class Role { Outermost, Inner };

  const ProcessDef& look_up(const ProcRef& reference) const;
  std::vector<Value> arguments(const ProcRef& reference, const Scope& scope);
  Scope parameters(const ProcessDef& def, const std::vector<Value>& arguments,
                   Offset place);
  Component process(const ProcessDef& def, const std::vector<Value>& arguments,
                    Offset place, Role role);

  std::shared_ptr<const lts::Lts> primitive(const ProcessDef& def,
                                            const std::vector<Value>& arguments,
                                            Offset place);
  Expansion build_primitive(const ProcessDef& def, const Scope& scope);
  lts::Lts read_import(const ProcessDef& def);

  Component composite(const ProcessDef& def, const Scope& scope, Role role);
  void component(const Comp& comp, const Scope& scope,
                 std::vector<Component>& out);
  void plain_component(const Comp& comp, const Scope& scope,
                       std::vector<Component>& out);
  void members(const Comp& comp, const Scope& scope,
               std::vector<Component>& out);

  Renaming renaming(const std::vector<RelabelDef>& defs, const Scope& scope);
  void add_renaming(const RelabelDef& def, const Scope& scope,
                    Renaming& renaming);
  void rename_component(Component& component, const Renaming& renaming,
                        Offset offset);
  void check_size(const std::vector<Component>& components, Offset offset);
  void prefix_component(Component& component,
                        const std::vector<std::string>& prefixes,
                        Offset offset);
  std::vector<std::string> process_labels(const Labels& labels,
                                          const Scope& scope);
  System apply(System system, lts::Relabelling relabelling, Offset offset);

  System compose(std::vector<System> parts, Offset offset);
  void check_shared(const std::vector<System>& parts, Offset offset);
  void check_listed(std::span<const lts::Label> alphabet,
                    const std::vector<std::string>& names, Offset offset);
  void check_renaming(std::span<const lts::Label> alphabet,
                      const Renaming& renaming, Offset offset);
  void warn_of_others(const std::vector<Component>& components,
                      const std::vector<RelabelDef>& relabels,
                      const Scope& scope);
  void warn_of_others(std::span<const lts::Label> alphabet,
                      const std::vector<std::string>& names, Offset offset);
  void check_apart(const std::string& a, const std::string& b, Offset offset);
  void check_branching(const std::vector<System>& parts, Offset offset);
  System prioritise(System system, const PriorityDef& priority,
                    const Scope& scope);
  System hide(System system, const Hiding& hiding, const Scope& scope);
  lts::Lts build(lts::Successors& system, Offset offset);
  lts::Lts modify(lts::Lts lts, const ProcessDef& def);

  const File& file_;
  const Evaluator& evaluator_;
  lts::SharedLabels labels_;
  support::Context& context_;
  const LabelMeanings* meanings_;
  std::unordered_map<std::string, const ProcessDef*> processes_;
  std::unordered_map<std::string, std::shared_ptr<const lts::Lts>> built_;
  std::unordered_map<const lts::Lts*, std::vector<std::string>> names_;
  std::unordered_set<std::string> in_progress_;
  std::unordered_set<Offset> warned_;
  int depth_ = 0;
};

}  // namespace agon::fsp
