// SPDX-License-Identifier: Apache-2.0
/// Which variables a function may read and write, itself or by its callees.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "analysis/points_to.h"
#include "ir/program.h"

namespace agon::analysis {

/// Globals and memory only, in order of id.
struct Effects {
  std::vector<ir::VariableId> reads;
  std::vector<ir::VariableId> writes;

  bool may_read(ir::VariableId variable) const;
  bool may_write(ir::VariableId variable) const;

  friend bool operator==(const Effects&, const Effects&) = default;
};

/// The effects of functions and calls of a program, which may have one memory
/// or several.
///
/// A routine without a body may read and write all globals that it can name,
/// all arrays that hold part of an escaped object, and whatever the functions
/// do whose addresses it may have, except if it is known; then
/// its effects are on what its first argument points to, if any. Allocators
/// write nothing: what they clear or copy to was not there before. The client
/// of a module writes to memory that is outside of it.
class ModRef {
 public:
  /// `points_to` must be the analysis of this very program.
  ModRef(const ir::Program& program, const PointsTo& points_to);

  /// Of a call of the function; for one without a body, of any of its calls.
  const Effects& of(ir::FunctionId function) const {
    return effects_[function.index()];
  }
  /// Of one call, results not included.
  Effects of(const ir::Call& call) const;
  /// Of code about which nothing is known.
  const Effects& outside() const { return outside_; }
  /// Whether this call surely can write all that is in an array that it may
  /// write to. Otherwise part of it may be hidden from the routine.
  bool writes_surely(const ir::Call& call, ir::VariableId array) const;

  /// What is in an array, apart from memory of code outside: objects that
  /// nobody outside ever knows, others, and memory that the program allocated.
  struct Contents {
    std::vector<ir::ObjectId> hidden;
    std::vector<ir::ObjectId> escaped;
    bool heap = false;
    bool is_heap_escaped = false;
  };
  /// Nothing if functions write there that code outside may call.
  Contents contents(ir::VariableId array) const;

  /// Whether a pointer that code outside keeps in memory may be told to point
  /// to memory of the program, though it cannot know it.
  bool is_memory_shared() const;

  const ir::Program& program() const { return program_; }
  const PointsTo& points_to() const { return points_to_; }

 private:
  void find_arrays();
  void add_statement(ir::FunctionId function, const ir::Edge& edge);
  void close(const std::vector<std::vector<ir::FunctionId>>& callees);
  Effects routine_effects(const ir::Call& call, ir::FunctionId routine) const;
  void find_outside();
  void add_callbacks();
  void add_called_back(const ir::Statement& statement,
                       const std::set<SiteId>& kept);
  bool is_constant(SiteId site) const;
  bool is_undefined(SiteId id) const;
  std::set<SiteId> given(const ir::Call& call) const;
  void note_array(term::Term address, std::uint64_t bytes, term::Term array);

  const ir::Program& program_;
  const PointsTo& points_to_;
  /// By cell: the arrays that accesses to it use.
  std::vector<std::vector<ir::VariableId>> arrays_of_cell_;
  /// Sets of places, sizes and arrays that are in there.
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> noted_;
  std::vector<Effects> effects_;
  Effects outside_;
  Effects client_;
  std::set<SiteId> called_back_;  ///< What callbacks may write by themselves.
};

}  // namespace agon::analysis
