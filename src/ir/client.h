// SPDX-License-Identifier: Apache-2.0
/// The most general client of a module, as a function.
#pragma once

#include <span>
#include <string>

#include "ir/program.h"

namespace agon::ir {

/// The name of the function that is added.
inline constexpr const char* kClient = "__agon_client";

/// A function that clients may call, and who is told about it.
struct ApiFunction {
  FunctionId function;
  FunctionId on_call;    ///< Gets the arguments before; or invalid.
  FunctionId on_return;  ///< Then the results and them; or invalid.
};

/// Adds a function that calls the functions as often as it likes, in any order
/// and with any arguments. Which function it calls is the value of the variable
/// `client_choice()`, by position; other numbers end it.
///
/// A pointer that it passes is a value of `kClientValue`, or one of those that
/// the module has returned for that type, of which it remembers one for each
/// function. Before each call it may change its own memory (`kClientActs`).
FunctionId add_client(Program& program, std::span<const ApiFunction> api);

/// The names of variables of the client, for people who want to know what it
/// did: which function it calls, what it passes, and what it gets.
std::string client_choice();
std::string client_argument(const Program& program, FunctionId function,
                            std::size_t parameter);
std::string client_result(const Program& program, FunctionId function,
                          std::size_t result);

}  // namespace agon::ir
