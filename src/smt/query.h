// SPDX-License-Identifier: Apache-2.0
/// Questions up to the names in them. Internal to the folder.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "term/term.h"

namespace agon::smt {

/// A question in canonical form. Two questions with the same key differ only in
/// the order and repetition of formulas, and in names; so an answer to one is
/// an answer to the other when the n-th leaf or assumption of the one is taken
/// for that of the other.
struct Query {
  std::vector<std::uint32_t> key;
  std::vector<term::Term> leaves;       ///< Variables and addresses.
  std::vector<term::Term> assumptions;  ///< Without repetitions.
};

/// Brings questions about terms of one pool into canonical form.
///
/// The formulas are sorted by their shape, in which all names are alike, and
/// written down as a graph in which leaves are numbered as they occur. That
/// finds most questions that differ only in names, but not all: the order of
/// formulas with the same shape, and of operands, is that of the terms.
class QueryWriter {
 public:
  Query write(std::span<const term::Term> formulas,
              std::span<const term::Term> assumptions);

 private:
  std::uint64_t shape(term::Term root);
  std::uint64_t combine(term::Term term) const;
  std::vector<term::Term> sort_by_shape(std::span<const term::Term> terms);
  std::uint32_t number(term::Term root, Query& query);
  void write_node(term::Term term, Query& query);

  std::vector<std::uint64_t> shapes_;  ///< By id; 0 is not known.
  tsl::robin_map<term::Term, std::uint32_t> numbers_;
};

}  // namespace agon::smt
