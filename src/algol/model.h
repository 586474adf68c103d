// SPDX-License-Identifier: Apache-2.0
/// The whole precise model of a term, built before anything is asked.
///
/// For comparison with the lazy search, for tests, and for other tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algol/ast.h"
#include "algol/decide.h"
#include "algol/move.h"
#include "algol/tree.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::algol {

struct Model {
  /// Its labels are the moves; nothing if a limit was reached.
  std::optional<lts::Lts> lts;
  std::string reason;
  std::vector<Move> moves;  ///< Indexed by label, where it is one of them.
};

Model build_model(const Tree& tree, const lts::SharedLabels& labels,
                  support::Context& context);

/// Searches a model breadth-first, so that the play is a shortest one.
Decision decide_eagerly(const Judgement& judgement, const Model& model,
                        const std::vector<Pattern>& patterns);

/// How many traces cover every transition without following a loop twice: the
/// branches of a depth-first search.
std::uint64_t count_loop_free_traces(const lts::Lts& lts);

}  // namespace agon::algol
