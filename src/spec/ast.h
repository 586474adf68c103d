// SPDX-License-Identifier: Apache-2.0
/// What the lines of an `.agon` file say. Plain values; what is C or FSP stays
/// text with its place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/source.h"

namespace agon::spec {

using Offset = std::uint32_t;

/// A piece of C, as written.
struct CText {
  Offset offset = 0;
  std::string text;
};

/// `int rd(int fd)`.
struct Signature {
  CText type;
  bool is_void = false;
  std::string name;
  Offset name_offset = 0;
  CText parameters;                ///< What is between the parentheses.
  std::vector<std::string> names;  ///< Of the parameters; empty: it has none.
  bool is_variadic = false;
};

/// A process by name, with arguments if need be, or written in place.
struct ProcessText {
  Offset offset = 0;
  std::string text;
  bool is_in_place = false;
};

/// One case of an `assume` or `verify`.
struct Arm {
  Offset offset = 0;
  std::optional<CText> guard;
  bool is_otherwise = false;
  ProcessText process;
};

/// `*p`, or `buffer[0..n-1]`.
struct Modified {
  CText place;  ///< Of a slice, the array or pointer.
  std::optional<CText> low;
  std::optional<CText> high;
};

struct Description {
  bool is_assumption = false;  ///< `assume`; otherwise `verify`.
  Offset offset = 0;
  Signature routine;
  std::vector<Arm> arms;
  std::vector<Modified> modifies;
  bool has_modifies = false;
};

/// `event open = call uart_open(dev) when (dev != 0);`
struct EventDef {
  Offset offset = 0;
  std::string label;
  bool on_return = false;
  std::string routine;
  Offset routine_offset = 0;
  std::optional<std::vector<std::string>> parameters;  ///< Their names.
  std::optional<CText> condition;
};

/// `new/old`, as in FSP.
struct Relabel {
  Offset old_offset = 0;
  std::string new_label;
  std::string old_label;
};

/// `x:node / {out/in}`.
struct Component {
  Offset offset = 0;
  std::string label;  ///< Empty if there is none.
  std::string routine;
  std::vector<Relabel> relabels;  ///< Of its own.
};

/// `verify program P = a || b when (g1; g2) : Spec;`
struct ProgramDef {
  Offset offset = 0;
  std::string name;
  std::vector<Component> components;
  /// Of all components, after those of their own: what stands behind the
  /// parentheses around them or, without, behind the last one.
  std::vector<Relabel> relabels;
  std::vector<CText> guards;  ///< None, or one per component.
  bool deadlock_free = false;
  std::optional<ProcessText> process;  ///< Unless `deadlock_free`.
};

/// `verify module : Spec;`
struct ModuleDef {
  Offset offset = 0;
  ProcessText process;
};

struct ImportDef {
  Offset offset = 0;
  std::string path;
};

/// A condition in `return{…}`, with the place where it occurs first.
struct WrittenCondition {
  std::string text;
  std::shared_ptr<const support::Source> source;
  Offset offset = 0;
};

/// The conditions of all files, by the name that stands for them in the text
/// that is given to FSP.
using WrittenConditions = std::map<std::string, WrittenCondition>;

struct File {
  std::shared_ptr<const support::Source> source;
  bool is_imported = false;
  std::vector<ImportDef> imports;
  std::vector<Description> descriptions;
  std::vector<EventDef> events;
  std::vector<ProgramDef> programs;
  std::vector<ModuleDef> modules;
  /// The text with all that is not FSP blanked out and each `return{…}` and
  /// `return[_]` replaced by a label.
  std::string processes;
};

}  // namespace agon::spec
