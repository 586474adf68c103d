// SPDX-License-Identifier: Apache-2.0
/// The processes of an `.agon` file and of all that it imports.
#pragma once

#include <memory>
#include <vector>

#include "fsp/fsp.h"
#include "lts/lts.h"
#include "spec/ast.h"
#include "spec/returns.h"
#include "support/context.h"

namespace agon::spec {

/// A process as it was written: its returns are not split into classes.
struct Process {
  lts::Lts lts;
  std::vector<ReturnCondition> returns;  ///< All that its alphabet mentions.
  /// For each label of the table the return that it is, counted from 1, or 0.
  std::vector<std::uint32_t> return_of;
  /// What its states are called, for people; empty if they have no names.
  std::vector<std::string> state_names = {};

  /// The condition of a label, or null if it is not a return.
  const ReturnCondition* condition(lts::Label label) const {
    const std::uint32_t number = return_of[label.index()];
    return number == 0 ? nullptr : &returns[number - 1];
  }
};

class Processes {
 public:
  /// The files in the order in which they may use each other's names; the
  /// processes of all of them are one. Throws InputError.
  Processes(const std::vector<File>& files, WrittenConditions conditions,
            bool allow_import, support::Context& context);

  /// Compiles a process of `file`.
  Process compile(std::size_t file, const ProcessText& text,
                  support::Context& context) const;

  /// What a label that starts with `return` says about the result; `file` and
  /// `text` are where it occurs.
  ReturnCondition condition(const std::string& label, std::size_t file,
                            const ProcessText& text) const;

  const WrittenConditions& conditions() const { return conditions_; }

 private:
  fsp::Model::Compiled compile_named(const std::string& name,
                                     support::Context& context) const;

  std::vector<std::shared_ptr<const support::Source>> sources_;
  std::vector<Offset> begins_;  // Of each file in the joined text.
  WrittenConditions conditions_;
  lts::SharedLabels labels_;
  std::optional<support::Source> text_;  // Of all files.
  fsp::ParseOptions options_;
  std::optional<fsp::Model> model_;
};

}  // namespace agon::spec
