// SPDX-License-Identifier: Apache-2.0
/// Recordings as JSON, there and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "evidence/inputs.h"
#include "evidence/recording.h"
#include "evidence/result.h"
#include "support/source.h"

namespace agon::report {

nlohmann::ordered_json to_json(const evidence::Inputs& inputs);
nlohmann::ordered_json to_json(const evidence::Recording& recording);
nlohmann::ordered_json to_json(const evidence::Interleaving& interleaving);

/// What the components of a program do in turn, as a JSON document.
std::string schedule(const evidence::Counterexample& counterexample);

/// One violation out of a result.
struct Recorded {
  std::string command;
  evidence::Inputs inputs;
  std::string target;
  std::string spec;
  /// Of a procedure or a module, or of a program.
  std::variant<evidence::Recording, evidence::Interleaving> execution;
};

/// Reads what `--json` has written, and takes the violation with this number,
/// from 1 on; 0: the first. Throws InputError for whatever is not so.
Recorded read_recorded(const support::Source& source, std::size_t number);

}  // namespace agon::report
