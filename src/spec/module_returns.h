// SPDX-License-Identifier: Apache-2.0
/// The calls and returns that the process of a module speaks of.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lts/lts.h"
#include "spec/returns.h"

namespace agon::spec {

class ModuleReturns {
 public:
  struct Routine {
    std::string name;
    bool is_called = false;  ///< Whether the process mentions its calls.
    ReturnClasses classes;   ///< Of its result; empty: returns are free.
  };
  /// Reads a label that starts with `return`.
  using ReadCondition = std::function<ReturnCondition(const std::string&)>;

  ModuleReturns(const lts::Lts& process, const ReadCondition& read);

  const std::vector<Routine>& routines() const { return routines_; }

  /// The process with each return replaced by returns of the classes that it
  /// covers, and without what leads to ERROR.
  lts::Lts split() const;

  /// `call.f`.
  static std::string call_of(const std::string& routine);

 private:
  /// What a label is a return of.
  struct Return {
    std::size_t routine = 0;
    std::size_t condition = 0;
  };
  std::size_t routine(const std::string& name);

  const lts::Lts& process_;
  std::vector<Routine> routines_;
  std::map<std::string, std::size_t> number_of_;
  std::map<lts::Label, Return> returns_;
};

}  // namespace agon::spec
