// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "certify/rejected.h"
#include "certify/relation.h"
#include "ir/waiting.h"

namespace agon::certify {
namespace {

std::vector<ir::Resting> rests(const Claim& claim, std::size_t component) {
  const ir::Flat& flat = claim.components[component];
  return ir::find_rests(*flat.program, (*flat.program)[flat.entry].body,
                        claim.composition.endings[component],
                        spec::ProgramQuestion::kStop);
}

bool can_happen(const spec::Event& event,
                const std::vector<const ir::Resting*>& here) {
  return std::ranges::all_of(
      event.participants, [&](const spec::Participant& each) {
        return std::ranges::any_of(each.locals, [&](const std::string& local) {
          return here[each.component]->offers.contains(local);
        });
      });
}

}  // namespace

std::vector<bool> resting_places(const Claim& claim, std::size_t component) {
  std::vector<bool> result;
  if (!claim.composition.asks_for_deadlocks) return result;
  for (const ir::Resting& each : rests(claim, component)) {
    result.push_back(each.rest == ir::Rest::Waiting);
  }
  return result;
}

void check_progress(const evidence::Proof& proof, const Claim& claim) {
  const spec::Composition& composition = claim.composition;
  if (!composition.asks_for_deadlocks) return;
  std::vector<std::vector<ir::Resting>> known;
  for (std::size_t i = 0; i < claim.components.size(); ++i) {
    known.push_back(rests(claim, i));
  }
  for (const evidence::CertifiedPair& pair : proof.pairs) {
    std::vector<const ir::Resting*> here;
    for (std::size_t i = 0; i < pair.states.size(); ++i) {
      const auto location = proof.components[i].states[pair.states[i]].location;
      if (location >= known[i].size()) throw Rejected("there is no location");
      here.push_back(&known[i][location]);
    }
    const auto is = [](ir::Rest rest) {
      return [rest](const ir::Resting* each) { return each->rest == rest; };
    };
    const bool goes_on =
        std::ranges::any_of(here, is(ir::Rest::None)) ||
        std::ranges::all_of(here, is(ir::Rest::Ended)) ||
        std::ranges::any_of(composition.events, [&](const spec::Event& event) {
          return can_happen(event, here);
        });
    if (!goes_on) {
      throw Rejected(fmt::format("in ({}) no component can go on",
                                 fmt::join(pair.states, ", ")));
    }
  }
}

}  // namespace agon::certify
