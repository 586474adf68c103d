// SPDX-License-Identifier: Apache-2.0
#include "ir/interpreter.h"

#include "ir/machine.h"

namespace agon::ir {

using term::Bits;

void Environment::before_choice(EdgeId, const StateView&) {}

Bits ZeroEnvironment::choose(const Program&, const Havoc&, const Position&) {
  return 0;
}

std::vector<Bits> ZeroEnvironment::call(const Program&, const Function&,
                                        std::span<const Bits>, MemoryAccess&) {
  return {};
}

std::uint8_t ZeroEnvironment::initial_byte(std::uint64_t) { return 0; }

Bits ZeroEnvironment::initial_value(const Program&, VariableId) { return 0; }

Run interpret(const Program& program, FunctionId entry,
              Environment& environment, const InterpreterOptions& options) {
  return machine::Machine(program, environment, options).run(entry);
}

}  // namespace agon::ir
