// SPDX-License-Identifier: Apache-2.0
/// Specifications that forbid errors.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "lts/lts.h"

namespace agon::spec {

/// Routines whose call is an error.
extern const std::array<std::string, 5> kErrorRoutines;
/// The one that `--overflow=error` calls.
extern const std::array<std::string, 1> kOverflowRoutine;

/// The specification that allows everything but an error.
lts::Lts no_error(const lts::SharedLabels& labels);
/// The same with labels of its own.
std::shared_ptr<const lts::Lts> no_error();

/// The same specification, but it does not allow an action either.
std::shared_ptr<const lts::Lts> without(const lts::Lts& spec,
                                        const std::string& action);
/// The same with errors.
std::shared_ptr<const lts::Lts> without_errors(const lts::Lts& spec);

}  // namespace agon::spec
