// SPDX-License-Identifier: Apache-2.0
/// Parsing of the bodies of primitive and composite processes.
#pragma once

#include <vector>

#include "fsp/label_parser.h"

namespace agon::fsp {

class ProcessParser : public LabelParser {
 public:
  using LabelParser::LabelParser;

 protected:
  /// `Local (',' LocalDef)*`; the first definition is that of `name`.
  std::vector<LocalDef> locals(const Token& name);
  Local local();
  /// Fails if a process of that name cannot be defined.
  void check_not_predefined(const Token& name) const;
  Comp component();
  ProcRef reference();
  std::vector<RelabelDef> relabels();
  std::optional<Hiding> hiding();
  std::optional<PriorityDef> priority();

 private:
  Local conditional();
  Local choice();
  Local sequence();
  Branch branch();
  std::vector<Expr> arguments();
  Comp conditional_component();
  Comp plain_component();
  std::vector<RelabelDef> relabel_list();
  RelabelDef relabel();
};

}  // namespace agon::fsp
