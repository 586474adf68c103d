// SPDX-License-Identifier: Apache-2.0
#include "ir/unreached.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace agon::ir {

std::vector<UnreachedCall> calls_in(const Cfa& body, Position caller) {
  std::vector<UnreachedCall> result;
  for (const Edge& edge : body.edges()) {
    const auto* const call = std::get_if<Call>(&edge.statement);
    if (call == nullptr || !call->callee.valid()) continue;
    result.push_back({caller, call->callee, edge.position});
  }
  return result;
}

std::vector<UnreachedCall> without(std::vector<UnreachedCall> calls,
                                   std::vector<UnreachedCall> others) {
  const auto is_before = [](const UnreachedCall& a, const UnreachedCall& b) {
    return std::tie(a.caller, a.callee, a.position) <
           std::tie(b.caller, b.callee, b.position);
  };
  std::ranges::sort(calls, is_before);
  std::ranges::sort(others, is_before);
  std::vector<UnreachedCall> result;
  std::ranges::set_difference(calls, others, std::back_inserter(result),
                              is_before);
  return result;
}

std::vector<UnreachedCall> finish(Cfa& body, Position caller) {
  std::vector<UnreachedCall> before = calls_in(body, caller);
  body.finish();
  return without(std::move(before), calls_in(body, caller));
}

}  // namespace agon::ir
