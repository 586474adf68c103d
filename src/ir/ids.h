// SPDX-License-Identifier: Apache-2.0
/// The identifiers that parts of a program have.
#pragma once

#include "support/id.h"

namespace agon::ir {

using TypeId = support::Id<struct TypeTag>;
using VariableId = support::Id<struct VariableTag>;
using ObjectId = support::Id<struct ObjectTag>;
using FunctionId = support::Id<struct FunctionTag>;
using FileId = support::Id<struct FileTag>;
using InlineId = support::Id<struct InlineTag>;
/// Locations and edges are numbered within one function.
using LocationId = support::Id<struct LocationTag>;
using EdgeId = support::Id<struct EdgeTag>;

}  // namespace agon::ir
