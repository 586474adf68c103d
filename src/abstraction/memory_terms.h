// SPDX-License-Identifier: Apache-2.0
/// Terms for memory, simplified by what is known of objects.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace agon::abstraction {

/// Makes reads, writes and choices of arrays that mean the same as those of the
/// pool wherever objects do not overlap, which terms alone do not say
/// (`verify/start.h`). They keep places apart that are known, so that a value
/// found there is a term over scalars.
class MemoryTerms {
 public:
  explicit MemoryTerms(const ir::Program& program);

  /// Looks behind writes to other objects, and for each of the places that a
  /// conditional index can be.
  term::Term read(term::Term array, term::Term index, unsigned count);
  /// Writes to each of the places that a conditional index can be.
  term::Term write(term::Term array, term::Term index, term::Term value);
  /// One of two arrays. If they differ at known places only, then these are
  /// written with one of two values each.
  term::Term choose(term::Term condition, term::Term then,
                    term::Term otherwise);

 private:
  /// Elements from `index` on.
  struct Range {
    term::Term index;
    term::Bits count = 0;
  };

  /// An index as a term, if any, plus a constant, plus up to `slack`.
  struct Place {
    term::Term base;
    term::Bits offset = 0;
    term::Bits slack = 0;
    unsigned width = 0;

    explicit Place(term::Term index);
  };

  /// For each of the places that a conditional index can be.
  bool are_apart(const Range& a, const Range& b, unsigned depth = 0);
  bool are_apart(const Place& a, term::Bits count, const Place& b,
                 term::Bits other_count) const;
  /// An index without the parts of it that are small, like `i % 4`.
  const Place& surroundings(term::Term index);
  bool is_inside(term::Term object, term::Bits offset, term::Bits count) const;
  term::Term behind(term::Term array, const Range& range);
  term::Term read_at(term::Term array, term::Term index, unsigned count);
  term::Term read_either(term::Term array, term::Term index, unsigned count,
                         unsigned depth);
  bool add_writes(term::Term array, term::Term from,
                  std::vector<Range>& ranges);
  std::optional<term::Term> write_if(term::Term condition, term::Term array,
                                     term::Term written, term::Term from);

  const ir::Program& program_;
  term::Pool& pool_;
  std::unordered_map<term::Term, std::uint64_t> sizes_;  // Of objects.
  std::unordered_map<term::Term, Place> surroundings_;
};

}  // namespace agon::abstraction
