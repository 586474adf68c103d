// SPDX-License-Identifier: Apache-2.0
#include "analysis/inline.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/call_graph.h"
#include "analysis/coerce.h"
#include "analysis/known_values.h"
#include "analysis/statements.h"
#include "support/error.h"
#include "term/substitute.h"

// Top-down, with a stack of copies that are still to be made. A copy reserves a
// range of locations and translates the edges of its function one by one; a
// call that is to be inlined only makes the locations and assignments around
// the next copy and pushes that. The graph of inlinable calls has no cycles, or
// their depth is bounded, so this ends.
//
// Arguments are terms over the caller's variables and results over the copy's,
// so assigning the parameters one after the other does not disturb the
// arguments that follow. Results are assigned to the caller's variables, of
// which globals may occur in later values; such values go through temporaries.

namespace agon::analysis {
namespace {

using ir::Edge;
using ir::LocationId;

class Inliner {
 public:
  Inliner(const ir::Program& program, const InlineOptions& options)
      : source_(program),
        options_(options),
        result_(program),
        calls_(program, [&](const CallSite& site) {
          return !site.through_pointer && program[site.callee].has_body &&
                 !options.keep.contains(site.callee);
        }) {}

  Inlined run(ir::FunctionId entry) {
    std::vector<ir::FunctionId> roots{entry};
    for (const ir::FunctionId function : calls_.reachable(entry)) {
      if (options_.max_depth == 0 && function != entry &&
          calls_.is_recursive(function)) {
        roots.push_back(function);
      }
    }
    for (const ir::FunctionId root : roots) {
      if (source_[root].has_body) inline_into(root);
      if (!reason_.empty()) return {std::nullopt, reason_};
    }
    return {std::move(result_), {}};
  }

 private:
  /// A body to be copied.
  struct Copy {
    ir::FunctionId function;
    LocationId entry;  ///< Where the copy starts.
    LocationId after;  ///< Where it returns to.
    std::vector<ir::VariableId> results;
    ir::InlineId inlined;
    term::Substitution terms;
    std::unordered_map<ir::VariableId, ir::VariableId> variables;
    std::unordered_map<ir::InlineId, ir::InlineId> chains;
    std::vector<LocationId> locations;
    term::Substitution arguments;      ///< Constants among them.
    std::optional<KnownValues> known;  ///< If recursion is followed.
  };

  void inline_into(ir::FunctionId root);
  void copy_body(Copy& copy);
  LocationId exit_of(const Copy& copy);
  void copy_edge(Copy& copy, const Edge& edge);
  void copy_call(Copy& copy, const Edge& edge, const ir::Call& call);
  void pass_on(Copy& copy, const ir::Call& call,
               std::vector<ir::Statement>& statements);
  void end_too_deep(Copy& copy, const Edge& edge);
  void copy_return(Copy& copy, const Edge& edge, const ir::Return& ret);

  void own_variables(Copy& copy);
  void own_objects(Copy& copy);
  template <class Named>
  void tell_apart(Named& named);
  ir::VariableId copy_variable(ir::VariableId id);
  ir::InlineId chain(Copy& copy, ir::InlineId inner);
  bool is_inlinable(ir::FunctionId callee) const;
  bool is_too_deep(const Copy& copy, ir::FunctionId callee) const;
  bool fits(ir::FunctionId function, const ir::Position& call);

  term::Term map(const Copy& copy, term::Term term) {
    if (copy.terms.empty()) return term;
    return term::substitute(*result_.pool, term, copy.terms);
  }
  static ir::VariableId map(const Copy& copy, ir::VariableId id) {
    const auto found = copy.variables.find(id);
    return found == copy.variables.end() ? id : found->second;
  }

  /// target := value, or anything if there is no value of its sort.
  ir::Statement assignment(ir::VariableId target, term::Term value) {
    if (value.valid()) {
      value = coerce(*result_.pool, value, result_[target].term.sort());
    }
    if (!value.valid()) {
      return ir::Havoc{target, ir::HavocReason::Undefined, {}};
    }
    return ir::Assign{target, value};
  }

  /// Adds edges with the statements, one after the other.
  void add_chain(LocationId from, LocationId to,
                 std::vector<ir::Statement> statements, const Edge& like);

  const ir::Program& source_;
  const InlineOptions& options_;
  ir::Program result_;
  CallGraph calls_;
  ir::FunctionId root_;
  std::set<std::string> shown_;  // In the body of `root_`.
  ir::Cfa body_;
  std::vector<Copy> pending_;
  std::size_t num_edges_ = 0;
  std::string reason_;
};

// A cycle is cut where it is entered, unless it is followed: calls from outside
// stay calls as well as those inside.
bool Inliner::is_inlinable(ir::FunctionId callee) const {
  return callee.valid() && source_[callee].has_body &&
         !options_.keep.contains(callee) &&
         (options_.max_depth > 0 || !calls_.is_recursive(callee));
}

bool Inliner::is_too_deep(const Copy& copy, ir::FunctionId callee) const {
  if (!calls_.is_recursive(callee)) return false;
  std::size_t depth = callee == root_ ? 1 : 0;
  for (ir::InlineId at = copy.inlined; at.valid();
       at = result_.inlined[at.index()].outer) {
    if (result_.inlined[at.index()].callee == callee) ++depth;
  }
  return depth >= options_.max_depth;
}

void Inliner::inline_into(ir::FunctionId root) {
  root_ = root;
  shown_.clear();
  body_ = ir::Cfa();
  const ir::Function& function = source_[root];
  Copy top;
  top.function = root;
  if (!fits(root, function.position)) return;
  top.entry = body_.add_location();
  top.after = body_.add_location();
  body_.set_entry(top.entry);
  body_.set_exit(top.after);
  pending_.push_back(std::move(top));
  while (!pending_.empty() && reason_.empty()) {
    Copy copy = std::move(pending_.back());
    pending_.pop_back();
    copy_body(copy);
  }
  body_.finish();
  result_.functions[root.index()].body = std::move(body_);
}

bool Inliner::fits(ir::FunctionId id, const ir::Position& call) {
  const ir::Function& function = source_[id];
  num_edges_ += function.body.edges().size() + function.parameters.size() + 1;
  if (num_edges_ <= options_.max_edges) return true;
  std::string place;
  if (call.line != 0) {
    place =
        fmt::format(" ({}:{})", source_.files[call.file.index()], call.line);
  }
  reason_ = fmt::format(
      "inlining the calls of '{}' needs more than {} edges; the limit was "
      "reached at a call of '{}'{}",
      source_[root_].display, options_.max_edges, function.display, place);
  return false;
}

void Inliner::copy_body(Copy& copy) {
  const ir::Cfa& body = source_[copy.function].body;
  if (copy.inlined.valid()) {
    own_variables(copy);
    own_objects(copy);
  }
  if (options_.max_depth > 0) {
    copy.known.emplace(source_, copy.function, std::move(copy.arguments));
  }
  copy.locations.resize(body.num_locations());
  for (LocationId& location : copy.locations) location = body_.add_location();
  if (body.exit().valid()) {
    copy.locations[body.exit().index()] = exit_of(copy);
  }
  body_.add_edge({copy.entry,
                  copy.locations[body.entry().index()],
                  ir::Assume{result_.pool->boolean(true)},
                  {},
                  {}});
  // Copies are taken from the end of the stack: push the first call last.
  const std::size_t first = pending_.size();
  for (const Edge& edge : body.edges()) {
    copy_edge(copy, edge);
    if (!reason_.empty()) return;
  }
  std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(first),
               pending_.end());
}

// Control that gets to the exit without a return leaves the results open.
LocationId Inliner::exit_of(const Copy& copy) {
  if (copy.results.empty()) return copy.after;
  const LocationId exit = body_.add_location();
  std::vector<ir::Statement> statements;
  for (const ir::VariableId result : copy.results) {
    statements.push_back(assignment(result, {}));
  }
  Edge like;
  like.position = source_[copy.function].position;
  like.inlined = copy.inlined;
  add_chain(exit, copy.after, std::move(statements), like);
  return exit;
}

void Inliner::copy_edge(Copy& copy, const Edge& edge) {
  if (copy.known && !copy.known->is_taken(edge)) return;
  if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
    if (is_inlinable(call->callee)) {
      if (is_too_deep(copy, call->callee)) {
        end_too_deep(copy, edge);
      } else {
        copy_call(copy, edge, *call);
      }
      return;
    }
  }
  if (copy.inlined.valid()) {
    if (const auto* ret = std::get_if<ir::Return>(&edge.statement)) {
      copy_return(copy, edge, *ret);
      return;
    }
  }
  Edge mapped = edge;
  mapped.from = copy.locations[edge.from.index()];
  mapped.to = copy.locations[edge.to.index()];
  mapped.inlined = chain(copy, edge.inlined);
  mapped.statement = map_statement(
      edge.statement, [&](term::Term term) { return map(copy, term); },
      [&](ir::VariableId id) { return map(copy, id); });
  body_.add_edge(std::move(mapped));
}

void Inliner::copy_call(Copy& copy, const Edge& edge, const ir::Call& call) {
  if (!fits(call.callee, edge.position)) return;
  Copy next;
  next.function = call.callee;
  next.entry = body_.add_location();
  next.after = copy.locations[edge.to.index()];
  for (const ir::VariableId result : call.results) {
    next.results.push_back(map(copy, result));
  }
  const ir::InlineId outer = chain(copy, edge.inlined);
  next.inlined = ir::InlineId::at(result_.inlined.size());
  result_.inlined.push_back({call.callee, edge.position, outer});

  std::vector<ir::Statement> statements;
  const auto& parameters = source_[call.callee].parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ir::VariableId own = copy_variable(parameters[i]);
    next.variables.emplace(parameters[i], own);
    next.terms.emplace(source_[parameters[i]].term, result_[own].term);
    term::Term argument =
        i < call.arguments.size() ? call.arguments[i] : term::Term();
    if (argument.valid() && copy.known) {
      argument = copy.known->at(edge.from, argument);
    }
    if (argument.valid()) argument = map(copy, argument);
    statements.push_back(assignment(own, argument));
    const auto* const known = std::get_if<ir::Assign>(&statements.back());
    if (known != nullptr && known->value.is_constant()) {
      next.arguments.emplace(source_[parameters[i]].term, known->value);
    }
  }
  pass_on(copy, call, statements);
  Edge like = edge;
  like.inlined = outer;
  add_chain(copy.locations[edge.from.index()], next.entry,
            std::move(statements), like);
  pending_.push_back(std::move(next));
}

void Inliner::pass_on(Copy& copy, const ir::Call& call,
                      std::vector<ir::Statement>& statements) {
  const ir::Function& callee = source_[call.callee];
  if (!callee.type.valid() || !source_.types[callee.type].is_variadic) return;
  const auto sort = term::Sort::bits(source_.pointer_width());
  for (std::size_t i = callee.parameters.size(); i < call.arguments.size();
       ++i) {
    if (call.arguments[i].sort() != sort) continue;
    statements.push_back(
        ir::Assign{result_.add_told(root_), map(copy, call.arguments[i])});
  }
}

void Inliner::end_too_deep(Copy& copy, const Edge& edge) {
  LocationId from = copy.locations[edge.from.index()];
  const ir::InlineId inlined = chain(copy, edge.inlined);
  if (!options_.too_deep.empty()) {
    auto action = result_.find_function(options_.too_deep);
    if (!action) {
      ir::Function made;
      made.name = made.display = options_.too_deep;
      made.is_action = true;
      action = result_.add_function(std::move(made));
    }
    const LocationId next = body_.add_location();
    ir::Call performed;
    performed.callee = *action;
    body_.add_edge({from, next, std::move(performed), edge.position, inlined});
    from = next;
  }
  body_.add_edge({from, copy.locations[edge.to.index()],
                  ir::Assume{result_.pool->boolean(false)}, edge.position,
                  inlined});
}

void Inliner::copy_return(Copy& copy, const Edge& edge, const ir::Return& ret) {
  std::vector<term::Term> values;
  for (std::size_t k = 0; k < copy.results.size(); ++k) {
    values.push_back(k < ret.values.size() ? map(copy, ret.values[k])
                                           : term::Term());
  }
  std::vector<ir::Statement> statements;
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (!values[k].valid()) continue;
    const auto read = term::variables_of(values[k]);
    const bool disturbed =
        std::any_of(read.begin(), read.end(), [&](term::Term variable) {
          const auto end =
              copy.results.begin() + static_cast<std::ptrdiff_t>(k);
          return std::find(copy.results.begin(), end,
                           result_.variable_of(variable)) != end;
        });
    if (!disturbed) continue;
    ir::Variable temporary;
    temporary.name = result_[copy.results[k]].name;
    temporary.display = result_[copy.results[k]].display;
    temporary.type = result_[copy.results[k]].type;
    temporary.kind = ir::VariableKind::Temporary;
    temporary.owner = root_;
    const ir::VariableId id =
        result_.add_variable(std::move(temporary), values[k].sort());
    result_.functions[root_.index()].locals.push_back(id);
    statements.emplace_back(ir::Assign{id, values[k]});
    values[k] = result_[id].term;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    statements.push_back(assignment(copy.results[k], values[k]));
  }
  Edge like = edge;
  like.inlined = chain(copy, edge.inlined);
  num_edges_ += statements.size();
  add_chain(copy.locations[edge.from.index()], copy.after,
            std::move(statements), like);
}

void Inliner::add_chain(LocationId from, LocationId to,
                        std::vector<ir::Statement> statements,
                        const Edge& like) {
  if (statements.empty()) {
    statements.emplace_back(ir::Assume{result_.pool->boolean(true)});
  }
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool last = i + 1 == statements.size();
    const LocationId next = last ? to : body_.add_location();
    body_.add_edge(
        {from, next, std::move(statements[i]), like.position, like.inlined});
    from = next;
  }
}

/// Two things in one function are not shown by the same name.
template <class Named>
void Inliner::tell_apart(Named& named) {
  if (shown_.empty()) {
    for (const ir::VariableId id : source_[root_].parameters) {
      shown_.insert(source_[id].display);
    }
    for (const ir::VariableId id : source_[root_].locals) {
      shown_.insert(source_[id].display);
    }
    for (const ir::ObjectId id : source_[root_].objects) {
      shown_.insert(source_[id].display);
    }
  }
  if (!shown_.insert(named.display).second) named.display = named.name;
}

ir::VariableId Inliner::copy_variable(ir::VariableId id) {
  ir::Variable variable = source_[id];
  if (variable.kind == ir::VariableKind::Parameter) {
    variable.kind = ir::VariableKind::Local;
  }
  variable.owner = root_;
  const ir::VariableId own =
      result_.add_variable(std::move(variable), source_[id].term.sort());
  result_.functions[root_.index()].locals.push_back(own);
  tell_apart(result_.variables[own.index()]);
  return own;
}

void Inliner::own_variables(Copy& copy) {
  for (const ir::VariableId id : source_[copy.function].locals) {
    const ir::VariableId own = copy_variable(id);
    copy.variables.emplace(id, own);
    copy.terms.emplace(source_[id].term, result_[own].term);
  }
}

void Inliner::own_objects(Copy& copy) {
  std::vector<ir::ObjectId> copies;
  for (const ir::ObjectId id : source_[copy.function].objects) {
    if (source_[id].kind != ir::ObjectKind::Local) continue;
    ir::Object object = source_[id];
    object.owner = root_;
    const ir::ObjectId own = result_.add_object(std::move(object));
    result_.objects[own.index()].arrays = source_[id].arrays;
    tell_apart(result_.objects[own.index()]);
    result_.functions[root_.index()].objects.push_back(own);
    copy.terms.emplace(source_[id].address, result_[own].address);
    copies.push_back(own);
  }
  for (const ir::ObjectId own : copies) {
    for (ir::InitialCell& cell : result_.objects[own.index()].initial) {
      cell.value = map(copy, cell.value);
    }
  }
}

// A body that has itself been inlined into has chains of its own, which now
// continue with the call that is being inlined.
ir::InlineId Inliner::chain(Copy& copy, ir::InlineId inner) {
  if (!inner.valid()) return copy.inlined;
  if (!copy.inlined.valid()) return inner;
  std::vector<ir::InlineId> unknown;
  while (inner.valid() && !copy.chains.contains(inner)) {
    unknown.push_back(inner);
    inner = source_.inlined[inner.index()].outer;
  }
  ir::InlineId outer = inner.valid() ? copy.chains.at(inner) : copy.inlined;
  for (; !unknown.empty(); unknown.pop_back()) {
    ir::InlinedCall step = source_.inlined[unknown.back().index()];
    step.outer = outer;
    outer = ir::InlineId::at(result_.inlined.size());
    result_.inlined.push_back(step);
    copy.chains.emplace(unknown.back(), outer);
  }
  return outer;
}

}  // namespace

Inlined inline_calls(const ir::Program& program, ir::FunctionId entry,
                     const InlineOptions& options) {
  return Inliner(program, options).run(entry);
}

}  // namespace agon::analysis
