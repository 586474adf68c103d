// SPDX-License-Identifier: Apache-2.0
/// Which cells belong together. Internal; see regions.h.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/points_to.h"
#include "support/hash.h"

namespace agon::analysis {

/// Union-find over cells, and how each class is accessed.
class RegionClasses {
 public:
  RegionClasses(const ir::Program& program, const PointsTo& points_to);

  /// The class of an access to `bytes` bytes, as one of its cells.
  std::uint32_t class_of(term::Term address, unsigned bytes);
  /// The classes that a Copy changes, in order.
  std::vector<std::uint32_t> classes_of_copy(term::Term copy);
  std::uint32_t find(std::uint32_t cell);

  bool is_accessed(std::uint32_t cell) { return width_[find(cell)] != 0; }
  unsigned element_bytes(std::uint32_t cell) {
    const std::uint32_t root = find(cell);
    return is_bytes_[root] ? 1 : width_[root];
  }
  std::size_t num_cells() const { return parent_.size(); }

  /// All copies, in order.
  const std::vector<term::Term>& copies() const { return copy_terms_; }

  /// Whether the array only provides arbitrary bytes.
  bool is_free(term::Term array) const;

 private:
  /// Cells that a Copy takes or sets, which may cut elements apart.
  struct Cut {
    TouchedCell where;
    std::uint64_t size = 0;
    std::uint64_t stride = 0;
  };

  void visit(term::Term term);
  void access(term::Term address, unsigned bytes);
  void access(std::vector<Location> locations, std::uint32_t& first,
              unsigned bytes);
  void copy(term::Term term);
  void reallocate(const ir::Program& program);
  void meet(const std::vector<TouchedCell>& to,
            const std::vector<TouchedCell>& from);
  std::vector<TouchedCell> touch(term::Term address, std::uint64_t size,
                                 std::uint64_t stride);
  void initialise();
  void follow_links();
  void unite(std::uint32_t a, std::uint32_t b);
  void note_width(std::uint32_t cell, unsigned bytes, bool is_exact);
  void finish();

  const ir::Program& program_;
  const PointsTo& points_to_;
  std::vector<std::uint32_t> parent_;
  std::vector<unsigned> width_;  // Of all accesses; 0: none.
  std::vector<bool> is_bytes_;
  std::vector<bool> is_touched_;  // By something.
  std::vector<bool> is_free_;     // By variable.
  std::vector<bool> visited_;     // By term.
  tsl::robin_map<std::uint64_t, std::uint32_t, support::MixHash> accesses_;
  // The same by sets of places instead of terms.
  tsl::robin_map<std::uint64_t, std::uint32_t, support::MixHash> sets_;
  std::unordered_map<term::Term, std::vector<std::uint32_t>> copies_;
  std::vector<term::Term> copy_terms_;
  std::vector<Cut> cuts_;
};

}  // namespace agon::analysis
