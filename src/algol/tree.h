// SPDX-License-Identifier: Apache-2.0
/// A term as a tree of automata, one for each construct of the language.
///
/// The automata are those of game semantics (MAGE, sections 2 and 3). A node
/// is asked by its parent, asks its children in turn, and answers. Nothing is
/// composed in advance: only the node that has the move can go on, so the
/// state of the composition is where the move is, and what the nodes remember.
///
/// What a `let` or an argument stands for exists once, however often it is
/// used; a node of kind Shared remembers who asked. It is never asked again
/// before it has answered, since there is no recursion. Bodies of functions
/// exist once for each call: one call can be inside of another.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "algol/ast.h"
#include "algol/interval.h"
#include "algol/type.h"
#include "support/source.h"

namespace agon::algol {

using NodeId = std::uint32_t;
inline constexpr std::uint32_t kNone =
    std::numeric_limits<std::uint32_t>::max();

enum class NodeKind : std::uint8_t {
  Root,
  Skip,
  Abort,
  Constant,
  Unary,
  Binary,
  Convert,  // Reduces a number to the range of an argument.
  Sequence,
  If,
  While,
  Assign,
  NewCell,
  NewArray,
  Cell,         // A use of a cell: `target` is its slot.
  Element,      // A use of an array: `target` is its word.
  Shared,       // `memory` is the word for who asked.
  Use,          // `target` is the Shared node.
  Free,         // Calls `target`, an identifier of the environment.
  FreeElement,  // The same with an index.
};

/// An automaton. What it remembers lies in slots for values and in words.
struct Node {
  NodeKind kind = NodeKind::Skip;
  Operator op = Operator::Add;
  bool can_be_written = false;     ///< Questions can be `write(v)`.
  bool is_twice_the_same = false;  ///< Of a Binary: its operands are equal.
  NodeId parent = kNone;
  std::uint32_t port = 0;  ///< Which child of its parent it is.
  std::uint32_t first_child = 0;
  std::uint32_t num_children = 0;
  std::uint32_t target = kNone;
  std::uint32_t slot = kNone;    ///< For one value.
  std::uint32_t memory = kNone;  ///< For one word.
  std::uint32_t site = kNone;    ///< Where its data are approximated.
  std::uint32_t index_site = kNone;
  Interval range;  ///< Of data; of a constant, its value.
};

/// A data alphabet that can be approximated on its own.
struct Site {
  std::string name;
  Data data;
};

/// An identifier of the environment, with the sites of what it supplies.
struct Identifier {
  std::string name;
  Type type;
  std::uint32_t site = kNone;                  ///< Of what it answers.
  std::vector<std::uint32_t> parameter_sites;  ///< Of what it writes.
};

struct Tree {
  std::vector<Node> nodes;  ///< Node 0 is the root.
  std::vector<NodeId> children;
  std::vector<Site> sites;
  std::vector<Identifier> identifiers;
  BaseType type;  ///< Of the term.
  std::uint32_t num_slots = 0;
  std::uint32_t num_words = 0;

  NodeId child(const Node& node, std::uint32_t port) const {
    return children[node.first_child + port];
  }
};

/// Builds the tree. Arguments of a term that is a function become identifiers
/// of the environment. Throws InputError if there are too many automata.
Tree build_tree(const Judgement& judgement, const support::Source& source);

}  // namespace agon::algol
