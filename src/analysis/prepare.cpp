// SPDX-License-Identifier: Apache-2.0
#include "analysis/prepare.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/callbacks.h"
#include "analysis/function_pointers.h"
#include "analysis/hidden_objects.h"
#include "analysis/inline.h"
#include "analysis/library_callbacks.h"
#include "analysis/mod_ref.h"
#include "analysis/points_to.h"
#include "analysis/prune.h"
#include "analysis/regions.h"
#include "ir/actions.h"
#include "ir/routines.h"
#include "support/big_stack.h"

namespace agon::analysis {
namespace {

/// Expressions of any depth are followed recursively.
constexpr std::size_t kStackBytes = std::size_t{1} << 30;

/// Bound on the edges where recursion is followed.
constexpr std::size_t kMostFollowed = 200'000;

bool has_calls_through_pointers(const ir::Program& program) {
  return std::ranges::any_of(program.functions, [](const ir::Function& f) {
    return std::ranges::any_of(f.body.edges(), [](const ir::Edge& edge) {
      const auto* const call = std::get_if<ir::Call>(&edge.statement);
      return call != nullptr && call->pointer.valid();
    });
  });
}

bool is_described(const ir::Function& function) {
  return function.name.starts_with(ir::kDescribed);
}

Prepared used(const ir::Program& program, ir::FunctionId entry, bool any_state,
              const std::vector<ir::VariableId>& keep = {}) {
  Pruned pruned = prune(program, {entry}, keep, any_state);
  return {std::move(pruned.program), pruned.functions[entry.index()],
          std::nullopt};
}

class Preparation {
 public:
  Preparation(const ir::Program& program, ir::FunctionId entry,
              const PrepareOptions& options, support::Context& context)
      : options_(options),
        context_(context),
        done_(used(program, entry, options.any_state)) {
    if (options.any_state) hidden_ = hidden_objects(program, entry);
  }

  Prepared run() {
    if (options_.visible) {
      ir::hide_actions(done_.program, *options_.visible);
      prune_unused();
    }
    if (options_.model_calls) add_library_callbacks(done_.program);
    if (options_.inline_calls && !stopped()) {
      context_.progress("inlining");
      inline_all();
    }
    if (options_.regions && !stopped()) {
      context_.progress("dividing memory");
      divide_memory();
    }
    if (options_.model_calls && !stopped()) model_calls();
    if (options_.slice && !stopped()) {
      context_.progress("slicing");
      slice_unobserved();
    }
    stopped();
    return std::move(done_);
  }

 private:
  bool stopped() {
    if (!done_.reason) done_.reason = context_.exhausted();
    return done_.reason.has_value();
  }

  void divide_memory() {
    const PointsTo where = points_to();
    if (!stopped()) done_.program = split_memory(done_.program, where).program;
  }

  void model_calls() {
    const PointsTo where = points_to();
    if (stopped()) return;
    const ModRef effects(done_.program, where);
    if (!options_.around) {
      done_.program =
          model_unknown_calls(done_.program, effects, options_.any_state);
      return;
    }
    ModelledModule module =
        model_module_calls(done_.program, effects, *options_.around);
    done_.program = std::move(module.program);
    done_.is_exact = done_.is_exact && module.is_exact;
    done_.is_doubtful = module.is_doubtful;
  }

  // Refers to the program as it is now.
  PointsTo analyse() {
    const std::vector<Entry> entries{{done_.entry, options_.any_state}};
    PointsToOptions limited;
    limited.characters_reach_all = options_.characters_reach_all;
    limited.is_module = options_.around.has_value();
    limited.hidden = hidden_;
    limited.context = &context_;
    PointsTo result(done_.program, entries, limited);
    if (!done_.reason) done_.reason = context_.exhausted();
    return result;
  }

  PointsTo points_to() {
    PointsTo result = analyse();
    for (const ir::Assumption& a : result.assumptions()) {
      done_.program.assume(a.subject, a.why, a.position);
    }
    return result;
  }

  std::set<ir::FunctionId> ids(const std::set<std::string>& names) const {
    std::set<ir::FunctionId> result;
    for (const std::string& name : names) {
      if (const auto found = done_.program.find_function(name)) {
        result.insert(*found);
      }
    }
    return result;
  }

  void prune_unused(const std::vector<ir::VariableId>& keep = {}) {
    Prepared pruned =
        used(done_.program, done_.entry, options_.any_state, keep);
    done_.entry = pruned.entry;
    done_.program = std::move(pruned.program);
  }

  /// What a described routine gets to know, it may keep for others, which is
  /// not followed.
  void assume_nothing_kept(const PointsTo& where) {
    const bool gives_pointers = std::ranges::any_of(
        done_.program.functions, [](const ir::Function& function) {
          return ir::routine_model(function).result ==
                 ir::RoutineResult::Anything;
        });
    if (!where.calls_outside() && !gives_pointers) return;
    const auto is_own = [&](const Location& location) {
      const Site& site = where[location.site];
      if (site.kind == SiteKind::Heap) return true;
      if (site.kind != SiteKind::Object) return false;
      const ir::Object& object = done_.program[site.object];
      return !object.is_constant &&
             (object.kind == ir::ObjectKind::Local || object.is_static);
    };
    const auto note = [&](const ir::Edge& edge) {
      const auto* const call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) return;
      const ir::Function& callee = done_.program[call->callee];
      if (!is_described(callee)) return;
      const bool is_told =
          std::ranges::any_of(call->arguments, [&](term::Term argument) {
            return std::ranges::any_of(where.locations(argument), is_own);
          });
      if (!is_told) return;
      done_.program.assume(callee.display,
                           "keeps no pointer that it is given: other "
                           "routines do not get to know it later",
                           edge.position);
    };
    for (std::size_t i = 0; i < done_.program.functions.size(); ++i) {
      if (!where.is_reachable(ir::FunctionId::at(i))) continue;
      const ir::Cfa& body = done_.program.functions[i].body;
      std::ranges::for_each(body.edges(), note);
    }
  }

  void inline_all() {
    if (std::ranges::any_of(done_.program.functions, is_described)) {
      assume_nothing_kept(analyse());
    }
    if (has_calls_through_pointers(done_.program)) {
      const PointsTo where = points_to();
      if (stopped()) return;
      done_.program = resolve_function_pointers(done_.program, where).program;
    }
    if (options_.callbacks && options_.around) {
      WithCallbacks with =
          add_callbacks(done_.program, done_.entry, *options_.around);
      done_.program = std::move(with.program);
      done_.is_exact = done_.is_exact && with.is_exact;
      if (!done_.reason) done_.reason = std::move(with.reason);
    }
    InlineOptions inlining;
    inlining.keep = ids(options_.keep);
    inlining.max_depth = options_.max_depth;
    inlining.too_deep = options_.too_deep;
    if (options_.max_depth > 0) inlining.max_edges = kMostFollowed;
    Inlined inlined =
        analysis::inline_calls(done_.program, done_.entry, inlining);
    if (!inlined.program) {
      done_.reason = inlined.reason;
      return;
    }
    done_.program = std::move(*inlined.program);
    prune_unused();
  }

  void slice_unobserved() {
    Criterion criterion = options_.criterion;
    if (options_.observed) criterion.routines = ids(*options_.observed);
    criterion.prune = false;
    if (options_.model_calls) {
      done_.program = slice(done_.program, done_.entry, criterion);
    } else if (options_.regions) {
      const PointsTo where = points_to();
      if (stopped()) return;
      const ModRef effects(done_.program, where);
      criterion.may_write = [&](ir::FunctionId routine, ir::VariableId array) {
        return effects.of(routine).may_write(array);
      };
      if (options_.observe_memory) add_memory_read(effects, criterion);
      done_.program = slice(done_.program, done_.entry, criterion);
    } else {
      if (options_.observe_memory) {
        criterion.variables.push_back(done_.program.memory);
      }
      done_.program = slice(done_.program, done_.entry, criterion);
    }
    prune_unused(criterion.variables);
  }

  void add_memory_read(const ModRef& effects, Criterion& criterion) const {
    const ir::Program& program = done_.program;
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
      const auto variable = ir::VariableId::at(v);
      if (program[variable].kind != ir::VariableKind::Memory) continue;
      for (std::size_t f = 0; f < program.functions.size(); ++f) {
        const auto routine = ir::FunctionId::at(f);
        const bool is_observed = criterion.routines
                                     ? criterion.routines->contains(routine)
                                     : !program[routine].has_body;
        if (is_observed && effects.of(routine).may_read(variable)) {
          criterion.variables.push_back(variable);
          break;
        }
      }
    }
  }

  const PrepareOptions& options_;
  support::Context& context_;
  Prepared done_;
  std::set<std::string> hidden_;
};

}  // namespace

Prepared prepare(const ir::Program& program, ir::FunctionId entry,
                 const PrepareOptions& options, support::Context& context) {
  std::optional<Prepared> done;
  support::run_with_stack(kStackBytes, [&] {
    done = Preparation(program, entry, options, context).run();
  });
  return *std::move(done);
}

}  // namespace agon::analysis
