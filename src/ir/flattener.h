// SPDX-License-Identifier: Apache-2.0
/// What flatten.h is done with.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/flatten.h"
#include "ir/unrelated.h"
#include "term/substitute.h"

namespace agon::ir {

using term::Term;

/// A value as another sort: bit-vectors are extended with zeros or truncated,
/// Booleans count as 0 and 1. Invalid if there is no such reading.
Term converted(term::Pool& pool, Term value, term::Sort sort);

/// Shows the terms of all statements.
template <class Look>
void visit_terms(const Cfa& body, const Look& look) {
  for (const Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
      term::visit_subterms(assign->value, look);
    } else if (const auto* test = std::get_if<Assume>(&edge.statement)) {
      term::visit_subterms(test->condition, look);
    } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
      for (const Term each : call->arguments) term::visit_subterms(each, look);
    } else if (const auto* ret = std::get_if<Return>(&edge.statement)) {
      for (const Term each : ret->values) term::visit_subterms(each, look);
    }
  }
}

inline bool is_global(const Variable& variable) {
  return variable.kind == VariableKind::Global;
}

/// Makes one automaton of a program. `flatten.cpp` copies what functions do,
/// `flatten_calls.cpp` says what routines without a body do,
/// `flatten_module.cpp` what clients of modules do, `flatten_start.cpp` what is
/// known before, and `flatten_types.cpp` what types say about that.
class Flattener {
 public:
  Flattener(Program program, FunctionId entry, const FlattenOptions& options)
      : program_(std::move(program)), entry_(entry), options_(options) {}

  Flat run();

 private:
  /// A body that is being copied.
  struct Frame {
    FunctionId function;
    const Frame* caller = nullptr;  ///< Null: the entry itself.
    LocationId entry;               ///< Where it starts,
    LocationId after;               ///< and where it returns to.
    std::vector<VariableId> results;
    InlineId inlined;
    term::Substitution terms;
    std::unordered_map<VariableId, VariableId> variables;
    std::vector<LocationId> locations;

    VariableId map(VariableId id) const {
      const auto found = variables.find(id);
      return found == variables.end() ? id : found->second;
    }
  };

  /// A part of memory; invalid: there is none.
  struct Span {
    Term first;
    Term end;
  };

  /// A pointer from outside, in a variable or in memory.
  struct Given {
    Term value;
    TypeId to;
    Term is_there;       ///< It is not null, nor are those that lead there.
    unsigned steps = 0;  ///< Through memory.
  };

  void copy_body(Frame& frame);
  void copy_edge(const Frame& frame, const Edge& edge);
  void copy_call(const Frame& frame, const Edge& edge, Call call);
  void copy_return(const Frame& frame, LocationId from, const Return& ret);
  void branch(const Frame& frame, LocationId from, LocationId to,
              const Call& call);
  void enter(const Frame& frame, LocationId from, LocationId to,
             const Call& call, FunctionId callee);
  void call_too_deep(LocationId from, FunctionId callee);
  LocationId tell(LocationId at, const Call& call);
  void give_up(LocationId from, const char* name, const char* display);
  void call_routine(const Frame& frame, LocationId from, LocationId to,
                    const Call& call);
  void call_unknown(const Frame& frame, LocationId from, LocationId to,
                    const Call& call);
  LocationId change(LocationId at, VariableId target, const std::string& why);
  LocationId change_outside(LocationId at, const Call& call);
  void find_called_back();
  void call_client(LocationId from, LocationId to, const Call& call);
  LocationId give(LocationId at, VariableId target);
  LocationId act(LocationId at);
  LocationId resume(LocationId at);
  LocationId call_back(const Frame& frame, LocationId from, LocationId to,
                       const Call& call);
  LocationId forget_frames(const Frame& frame, LocationId at);
  void finish_callbacks();
  static Variable choice(const char* name);
  VariableId add_flag(const char* name);
  Term is_of_client(const Variable& pointer, const Span& locals);
  LocationId allocate(LocationId at, const Call& call, const std::string& name);
  LocationId fill(LocationId at, Term next, Term size, Term from);
  Term asked_size(const Call& call, const std::string& name);
  Term first_aligned(const Call& call, const std::string& name);
  Term moved_size(Term old, Term size);
  void own_names(Frame& frame);
  void finish_objects();
  void drop_unused_contents();
  void forget_initial_values();
  void assume_outside();
  std::vector<Term> known_of_given();
  Span locals();
  const Type* pointee(const Variable& pointer) const;
  Term is_no_local(Term p, std::uint64_t size, const Span& locals);
  Term is_aligned(Term pointer, const Type& to);
  Term are_apart(Term a, Term b, TypeId to);
  std::vector<Given> given_pointers(const UnrelatedTypes& types);
  Term is_not_null(Term pointer);
  Term lie_apart(Term a, std::uint64_t size_of_a, Term b,
                 std::uint64_t size_of_b);
  Term is_from_outside(const Given& pointer, const Span& gone);
  std::vector<Term> known_by_types();
  bool is_given(const Variable& variable) const;
  void assume_arguments(std::vector<Term>& parts);
  VariableId heap();
  VariableId sizes();
  VariableId add_local(Variable variable, term::Sort sort);

  Term map(const Frame& frame, Term term) {
    if (frame.terms.empty()) return term;
    return term::substitute(*program_.pool, term, frame.terms);
  }
  Term number(std::uint64_t value) {
    return program_.pool->bits(value, program_.pointer_width());
  }
  bool is_of(const Variable& variable, TypeKind kind) const {
    return variable.type.valid() && program_.types[variable.type].kind == kind;
  }
  bool is_truth_value(const Variable& variable) const {
    return is_of(variable, TypeKind::Bool) && variable.term.sort().is_bits();
  }
  /// That a variable of type _Bool is 0 or 1.
  Term is_bit(VariableId id) {
    const Term value = program_[id].term;
    return program_.pool->unsigned_less(value,
                                        program_.pool->bits(2, value.width()));
  }

  /// An edge to a new location.
  LocationId add(LocationId from, Statement statement) {
    const LocationId to = body_.add_location();
    add(from, to, std::move(statement));
    return to;
  }
  void add(LocationId from, LocationId to, Statement statement) {
    body_.add_edge({from, to, std::move(statement), position_, inlined_});
    if (body_.edges().size() > options_.max_edges && reason_.empty()) {
      reason_ = fmt::format("with all calls inlined it has more than {} edges",
                            options_.max_edges);
    }
  }
  void join(LocationId from, LocationId to) {
    add(from, to, Assume{program_.pool->boolean(true)});
  }
  LocationId assign(LocationId from, VariableId target, Term value) {
    if (value.valid()) {
      value = converted(*program_.pool, value, program_[target].term.sort());
    }
    return value.valid() ? add(from, Assign{target, value})
                         : add(from, Havoc{target, HavocReason::Undefined, {}});
  }

  Program program_;
  FunctionId entry_;
  const FlattenOptions& options_;
  Cfa body_;
  Position position_;  // Of what is added.
  InlineId inlined_;
  std::set<std::string> shown_;  // Names of variables and objects.
  VariableId heap_;
  VariableId sizes_;
  bool moves_blocks_ = false;  // Then sizes are known.
  bool calls_unknown_ = false;
  /// Globals and objects of functions whose addresses are used.
  std::optional<std::set<VariableId>> called_back_;
  std::set<ObjectId> used_back_;
  std::set<VariableId> named_back_;
  std::vector<VariableId> client_locals_;
  LocationId head_;       // Of the client's loop.
  LocationId hub_;        // Where those who wait go on,
  LocationId after_hub_;  // or nobody does.
  VariableId resumed_;
  std::vector<Term> turns_;
  std::vector<Term> told_;  // What unknown routines are given.
  bool is_recursive_ = false;
  bool calls_pointers_ = false;
  bool knows_types_ = false;  // Whether they say anything about pointers.
  std::map<unsigned, VariableId> hearers_;  // Of what is told, by width.
  std::string reason_;
};

}  // namespace agon::ir
