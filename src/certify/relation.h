// SPDX-License-Identifier: Apache-2.0
/// Does the relation of a certificate prove conformance, or that components do
/// not get stuck?
#pragma once

#include <vector>

#include "certify/claim.h"
#include "evidence/certificate.h"

namespace agon::certify {

/// Checks that the start is related to states in which the specification can
/// start, and that for every pair and every step of the system there is a pair
/// behind it whose states the specification can get to by the same action and
/// silent steps. Then the specification has all traces of the system; if each
/// pair has one state only, it simulates the system. Throws Rejected.
void check_relation(const evidence::Proof& proof,
                    const spec::Composition& composition);

/// Whether each pair has one state of the specification only.
bool is_simulation(const evidence::Proof& proof);

/// By location of a flat program: whether a state has to be listed there for
/// each way to get to it, since the component waits there. Empty if nobody asks
/// for deadlocks.
std::vector<bool> resting_places(const Claim& claim, std::size_t component);

/// Checks that in each state that the components are said to be in together,
/// all have ended, or one goes on by itself, or there is an event that all who
/// take part in it wait for. What a component waits for depends on its location
/// alone, so that it is certain. Throws Rejected.
void check_progress(const evidence::Proof& proof, const Claim& claim);

}  // namespace agon::certify
