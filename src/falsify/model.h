// SPDX-License-Identifier: Apache-2.0
/// Over-approximating models of a body, and who moves where in them.
///
/// The names of rules and conditions are those of FALS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/domain.h"
#include "ir/program.h"
#include "smt/solver.h"
#include "support/context.h"

namespace agon::falsify {

enum class Player : std::uint8_t {
  Falsifier,  ///< Wants to reach the error.
  Preventer,  ///< Wants to avoid it.
};

using NodeId = std::uint32_t;

/// Whether every state of a source has a step into a target (A1), so that the
/// Falsifier can insist on it.
enum class Certainty : std::uint8_t {
  Unsure,  ///< No, or not shown.
  Open,    ///< To be settled when it matters; see settle.h.
  Sure,
};

/// A step of the model.
struct Move {
  NodeId target = 0;
  ir::EdgeId edge;
  Certainty certainty = Certainty::Unsure;
  /// Of a choice that is sure: terms over the state before it, of which one is
  /// always a value that leads into the target.
  std::vector<term::Term> values = {};
  /// A must transition of a choice: the Falsifier can take it, but what is
  /// chosen leads elsewhere, too.
  bool is_extra = false;
};

enum class NodeKind : std::uint8_t {
  Inner,  ///< Execution goes on.
  Bad,    ///< All its states are bad: the error is called.
  End,    ///< Execution ends without an error.
};

/// States at one location.
struct Node {
  ir::LocationId location;
  domain::Value value;
  term::Term states;  ///< The value as a formula.
  NodeKind kind = NodeKind::Inner;
  Player owner = Player::Preventer;
  bool is_choice = false;
  /// Whether execution may end here, for want of an assumption that holds.
  bool may_block = false;
  std::vector<Move> moves;
};

/// An augmented model (FALS, Definition 3.1). Node 0 is the start.
///
/// H1: moves follow edges of the body. S1, A2: from each state of an inner node
/// that does not block, execution goes to a state of the target of a move. A1:
/// where the Falsifier owns a node, sure moves are possible from each state.
/// H2 is A1 for choices of values: their targets may be larger than chosen.
struct Model {
  std::vector<Node> nodes;
  std::optional<std::string> reason;  ///< Why it is not complete, if it is not.

  std::vector<NodeId> at(ir::LocationId location) const;
};

struct ModelOptions {
  Player inputs = Player::Falsifier;  ///< Who chooses what the program asks.
  std::size_t max_nodes = 20'000;
  std::uint64_t max_queries = ~std::uint64_t{0};  ///< To the solver.
  /// Values that are kept apart where a cycle starts, and some times as many
  /// elsewhere; further ones are widened.
  std::size_t values_per_location = 24;
};

/// Builds the default augmented model (FALS, Definition 3.5) from all states
/// at the entry. The body must call nothing but actions; calling the one with
/// the name `error` is bad.
Model build(const ir::Program& program, ir::FunctionId entry,
            domain::Domain& domain, const ModelOptions& options,
            smt::Solver& solver, support::Context& context);

/// Whether a Havoc is a choice that some execution of the real program can
/// make, and not only our ignorance.
bool is_input(const ir::Program& program, const ir::Havoc& havoc);

}  // namespace agon::falsify
