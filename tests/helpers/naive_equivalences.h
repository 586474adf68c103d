// SPDX-License-Identifier: Apache-2.0
/// Relations between states, straight from their definitions, as oracles.
///
/// Everything here is a fixpoint over all pairs of states or a search through
/// all sets, as slow as that sounds. It shares no code with the library beyond
/// the data type of systems.
#pragma once

#include <cstddef>
#include <vector>

#include "helpers/random_lts.h"
#include "lts/lts.h"
#include "lts/partition.h"

namespace agon::test {

/// related[s][t] for all states; for preorders, t can do what s can.
using Relation = std::vector<std::vector<char>>;

/// Whether states of different kind may be related.
enum class Kinds { Respect, Ignore };

/// Park and Milner: what one can do the other can, into related states.
Relation naive_strong(const lts::Lts& lts, Kinds kinds);

/// Milner: s -a-> s' is answered by silent steps around an a, or just silent
/// steps if a is silent.
Relation naive_weak(const lts::Lts& lts, Kinds kinds);

/// Van Glabbeek and Weijland: s -a-> s' is answered by silent steps to some t1
/// that is related to s, and then an a into something related to s'; or a is
/// silent and s' is related to t already. If kinds are respected, the states on
/// the way to t1 have to be related to s as well. Otherwise this would follow:
/// their stuttering lemma.
Relation naive_branching(const lts::Lts& lts, Kinds kinds);

/// Branching bisimilarity by another algorithm, fast enough for hundreds of
/// states: states are told apart by the set of what they can do after steps
/// inside their class until that changes nothing (Blom and Orzan). Respects
/// kinds; classes are numbered by first member.
lts::Partition naive_signatures(const lts::Lts& lts);

/// Whether silent steps lead from s to t through states of the kind of s.
Relation naive_silent_reach(const lts::Lts& lts);

/// t simulates s.
Relation naive_simulation(const lts::Lts& lts, Kinds kinds);

/// Whether two systems with one label table have the same traces. With
/// `hide_silent` only visible labels count.
bool naive_same_traces(const lts::Lts& left, const lts::Lts& right,
                       bool hide_silent);

/// Whether states are in one class just if they are related both ways.
bool agrees(const lts::Partition& partition, const Relation& relation);

/// Both systems side by side; the states of `right` follow those of `left`,
/// and the initial state is that of `left`. With all kinds.
lts::Lts disjoint_union(const lts::Lts& left, const lts::Lts& right);

/// The same system with some END and ERROR states, some of them with
/// transitions, and some transitions twice.
lts::Lts decorate(Random& random, const lts::Lts& lts);

/// The same system with silent steps turned around where they lead to smaller
/// states. So there are long silent paths but no silent cycles.
lts::Lts forward_silence(const lts::Lts& lts);

/// Shapes to draw from by turns: small, dense, sparse, full of silent cycles,
/// free of silence, and, once in a hundred times, with up to 40 states.
RandomShape shape_of_round(std::size_t round);

}  // namespace agon::test
