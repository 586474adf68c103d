// SPDX-License-Identifier: Apache-2.0
/// Does the relation of a certificate prove conformance?
#pragma once

#include "evidence/certificate.h"
#include "spec/composition.h"

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

}  // namespace agon::certify
