// SPDX-License-Identifier: Apache-2.0
/// FSP, the process language of LTSA: reading files and compiling processes.
///
/// docs/fsp.md describes the language and the limits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fsp/options.h"
#include "lts/label.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/source.h"

namespace agon::fsp {

/// A parsed file: names of processes, properties, progress tests. Cheap to
/// copy.
class Model {
 public:
  /// Parses a file and evaluates its constants, ranges and sets. Throws
  /// InputError. What is wrong inside of a process is found when that process
  /// is compiled. The paths of imports are relative to the name of `source`.
  static Model parse(const support::Source& source, support::Context& context,
                     const ParseOptions& options = {});

  struct ProcessInfo {
    std::string name;
    bool is_composite;
    bool is_property;
  };
  /// In order of definition. Imports count as primitive processes.
  std::span<const ProcessInfo> processes() const;

  /// The last composite process. If there is none, "DEFAULT", which stands for
  /// the composition of all processes.
  std::string default_process() const;

  /// Compiles a process, with its default parameters or with arguments as in
  /// "PIPE(4)". Its outermost composition is expanded on demand only; parts
  /// that are minimised are built. Throws InputError, for unknown names too.
  std::unique_ptr<lts::Successors> compile(const std::string& name,
                                           const lts::SharedLabels& labels,
                                           support::Context& context) const;

  /// The same, and what its states are called: by the local process that each
  /// of them is, such as `Held` or `Filled[2]`, STOP, END or ERROR; others have
  /// no name. There are no names at all unless it is a process as it was
  /// written, without relabelling or minimisation; then the system is explicit.
  struct Compiled {
    std::unique_ptr<lts::Successors> system;
    std::vector<std::string> state_names;
  };
  Compiled compile_named(const std::string& name,
                         const lts::SharedLabels& labels,
                         support::Context& context) const;

  /// `progress name = {actions}` or `progress name = if {condition} then
  /// {actions}`.
  struct Progress {
    std::string name;
    std::vector<std::string> condition;
    std::vector<std::string> actions;
    bool conditional = false;
  };
  /// In order of definition; an indexed one is a test per index, as in FAIR.1.
  std::vector<Progress> progress_tests(support::Context& context) const;

 private:
  struct Data;
  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace agon::fsp
