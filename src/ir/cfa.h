// SPDX-License-Identifier: Apache-2.0
/// Control-flow automata: locations, and edges that carry statements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/ids.h"
#include "ir/statement.h"

namespace agon::ir {

/// A place in the source. Lines and columns count from 1; line 0: nowhere.
struct Position {
  FileId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Edge {
  LocationId from;
  LocationId to;
  Statement statement;
  Position position;
  InlineId inlined;  ///< The calls it was inlined through; invalid: none.

  friend bool operator==(const Edge&, const Edge&) = default;
};

/// The body of a function.
///
/// A location has one edge, or several edges of which each is an Assume and
/// whose conditions are exclusive and, except for `__VERIFIER_assume`,
/// complete; or none, where execution ends (the exit, or after `abort`).
class Cfa {
 public:
  /// The same locations with nothing between them, to be filled anew.
  Cfa without_edges() const;

  LocationId add_location();
  EdgeId add_edge(Edge edge);
  void set_entry(LocationId location) { entry_ = location; }
  void set_exit(LocationId location) { exit_ = location; }

  LocationId entry() const { return entry_; }
  LocationId exit() const { return exit_; }
  std::size_t num_locations() const { return num_locations_; }
  std::span<const Edge> edges() const { return edges_; }
  const Edge& edge(EdgeId id) const { return edges_[id.index()]; }

  /// Numbers locations in depth-first order from the entry, drops what cannot
  /// be reached and edges that do nothing (`assume true` between two locations
  /// that can be one), and indexes the edges. After this nothing may be added.
  /// Says for each edge that is left which one it was, as `add_edge` said.
  std::vector<EdgeId> finish();
  /// Indexes the edges, and leaves everything else as it is.
  void finish_unchanged();

  /// The edges that leave a location, in the order in which they were added.
  std::span<const EdgeId> out_edges(LocationId location) const;

  friend bool operator==(const Cfa& a, const Cfa& b) {
    return a.num_locations_ == b.num_locations_ && a.entry_ == b.entry_ &&
           a.exit_ == b.exit_ && a.edges_ == b.edges_;
  }

 private:
  /// Puts edges into the order of locations, and `added` along with them.
  void sort_edges(std::vector<EdgeId>& added);

  std::size_t num_locations_ = 0;
  LocationId entry_;
  LocationId exit_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_out_;  // Per location, into out_.
  std::vector<EdgeId> out_;
};

}  // namespace agon::ir
