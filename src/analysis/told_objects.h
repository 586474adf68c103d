// SPDX-License-Identifier: Apache-2.0
/// From which places of a body on code outside may know an object.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/points_to.h"
#include "ir/program.h"

namespace agon::analysis {

/// Locals of a function, static variables and what is allocated, all of the
/// latter together, of which code outside may get to know in the function.
///
/// An address is told if it is given to a routine about which nothing is known,
/// or stored where such routines look: in a variable that other files see, or
/// in an object that was told before; or if the object in which it is stored is
/// told. Callbacks may tell what they can find.
class ToldObjects {
 public:
  using Candidate = std::uint32_t;
  /// That a candidate was told, or that its address is in memory.
  using Fact = std::uint32_t;
  static constexpr Fact told(Candidate candidate) { return 2 * candidate; }
  static constexpr Fact stored(Candidate candidate) {
    return 2 * candidate + 1;
  }

  enum class Known : std::uint8_t {
    No,
    Perhaps,  ///< It depends on the way that was taken.
    Yes,
  };

  /// A fact becomes true with an edge if the condition holds before it and the
  /// needed facts are true.
  struct Telling {
    Fact fact = 0;
    term::Term condition;
    std::vector<Fact> needs = {};
  };

  /// Refers to its arguments. With `any_state` static variables may be known
  /// from the start, and are not looked at.
  ToldObjects(const ir::Program& program, const PointsTo& where,
              ir::FunctionId function, bool any_state);

  std::size_t size() const { return objects_.size(); }
  std::size_t num_facts() const { return 2 * objects_.size(); }
  /// Of a candidate or fact of it; invalid for what is allocated.
  ir::ObjectId object(Candidate candidate) const { return objects_[candidate]; }
  /// Nothing if it is not looked at: then it may be known at any time.
  std::optional<Candidate> find(ir::ObjectId object) const;
  std::optional<Candidate> heap() const;

  /// Before an edge.
  Known before(ir::EdgeId edge, Fact fact) const;
  /// Whether code outside knows it while a call runs, also by its arguments.
  Known during(ir::EdgeId call, Candidate candidate) const;
  bool is_true_at_start(Fact fact) const;
  /// What happens with an edge, one after the other.
  const std::vector<Telling>& of(ir::EdgeId edge) const {
    return tellings_[edge.index()];
  }

 private:
  using Words = std::vector<std::uint64_t>;  // Bits by fact.
  struct State {
    Words may;
    Words must;
  };
  /// Where a pointer is stored.
  struct Place {
    bool is_seen = false;  ///< By code outside, at any time.
    std::set<Candidate> candidates;
  };

  void find_foreign();
  bool is_unknown(const ir::Call& call) const;
  bool is_foreign(term::Term value) const;
  void add_candidates(bool any_state);
  void add_candidate(SiteId site, ir::ObjectId object);
  void drop(const std::vector<bool>& dropped);
  void drop_known();
  std::vector<bool> known_at_start() const;
  std::vector<bool> known_by_others() const;
  void find_contents();
  void add_contents(const ir::Statement& statement);
  void close_contents();

  std::vector<Telling> find_tellings(const ir::Statement& statement) const;
  void tell(term::Term value, std::vector<Telling>& to) const;
  void tell(Candidate candidate, term::Term condition,
            const std::vector<Fact>& needs, std::vector<Telling>& to) const;
  void tell_call(const ir::Call& call, std::vector<Telling>& to) const;
  void store(term::Term value, const Place& place,
             std::vector<Telling>& to) const;
  void copy(const Place& place, std::vector<Telling>& to) const;
  Place place_of(term::Term address) const;
  std::set<Candidate> candidates_of(term::Term value) const;
  term::Term condition(term::Term value, Candidate candidate) const;
  term::Term is_inside(term::Term value, ir::ObjectId object) const;
  bool is_plain(term::Term value) const;

  void spread();
  void apply(const std::vector<Telling>& tellings, State& state) const;

  const ir::Program& program_;
  const PointsTo& where_;
  ir::FunctionId function_;
  std::set<ir::VariableId> foreign_;   // Hold what code outside has known.
  std::vector<ir::ObjectId> objects_;  // By candidate.
  std::map<SiteId, Candidate> candidates_;
  std::vector<std::set<Candidate>> contents_;  // What may be in a candidate.
  std::vector<bool> stored_at_start_;
  std::vector<std::vector<Telling>> tellings_;  // By edge.
  std::vector<State> states_;                   // By location; empty: none.
};

}  // namespace agon::analysis
