// SPDX-License-Identifier: Apache-2.0
/// How a harness is written: what it is made of, and what it knows of the
/// program. `harness.cpp` has how both get together and the start,
/// `harness_memory.cpp` addresses, `harness_values.cpp` types and values,
/// `harness_routines.cpp` the routines, `harness_calls.cpp` the call of the
/// target.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evidence/harness.h"

namespace agon::evidence {

using term::Bits;

/// Why there can be no harness.
struct Impossible {
  std::string why;
};

/// Below it, no process has memory.
inline constexpr std::uint64_t kFirstMapped = 0x10000;

/// In C.
std::string literal(Bits value);

class HarnessWriter {
 public:
  HarnessWriter(const HarnessQuestion& question, const std::string& path);
  Harness run();

 private:
  // How the program and the harness get together.
  bool is_static_target() const;
  bool reaches_statics() const;
  void choose_form();
  const ir::Variable* global(const std::string& name) const;
  bool differs(const ir::Variable& variable,
               const Recording::Named& value) const;
  bool is_touched(ir::ObjectId id, std::uint64_t address) const;
  std::string included() const;
  std::string command() const;

  // Types, as far as the calling convention is concerned.
  std::string c_type(ir::TypeId id) const;
  std::string value(ir::TypeId id, Bits bits, const ScriptStep* step) const;
  struct Part {
    ir::TypeId type;
    std::string way;  ///< Such as `.f1[2]`.
  };
  std::string record_type(ir::TypeId id) const;
  std::vector<Part> parts(ir::TypeId id) const;
  std::string take_value(ir::TypeId id, std::span<const Bits>& all,
                         const ScriptStep* step) const;
  std::vector<std::string> arguments(const ScriptStep& step) const;

  // Addresses.
  struct InObject {
    ir::ObjectId id;
    std::uint64_t offset = 0;
  };
  std::optional<InObject> object_at(std::uint64_t address) const;
  const ir::Function* function_at(std::uint64_t address) const;
  bool is_outside(std::uint64_t address) const;
  const OutsideFunction* outside_at(std::uint64_t address) const;
  bool is_of_client(std::uint64_t address) const;
  bool is_elsewhere(std::uint64_t address) const;
  std::uint64_t place(std::uint64_t address) const;
  std::string pointer(Bits wide, const ScriptStep* step) const;
  bool leaves_local(std::uint64_t from, std::uint64_t to) const;
  bool is_in_untold_local(std::uint64_t address) const;
  bool is_behind(std::uint64_t from, std::uint64_t to) const;
  bool is_end_of_local(std::uint64_t address) const;
  bool is_near(std::uint64_t from, std::uint64_t to) const;
  std::string found_pointer(std::uint64_t address,
                            const ScriptStep& step) const;
  std::string found_place(const ScriptStep::Found& found,
                          const ScriptStep& step) const;
  std::string given_pointer(std::uint64_t address,
                            const ScriptStep& step) const;
  std::string symbol(ir::ObjectId id) const;
  static bool is_inside(const std::string& name);
  std::string find(const std::string& name) const;
  void declare(const std::string& line) const;
  void define(const ir::Position& position, const std::string& what) const;
  void define_globals() const;
  void define_missing() const;
  bool is_of_user(const ir::Position& position) const;
  bool may_be_address(const ir::Type& type) const;
  void define(const ir::Variable& variable) const;
  void define(const ir::Object& object) const;
  std::string write_memory(const std::vector<Recording::Cell>& cells,
                           const ScriptStep* step) const;
  std::string writable(std::uint64_t address, const ScriptStep* step) const;

  // The start.
  std::string set_up_memory() const;
  std::string set_up_globals() const;
  std::string assign(const ir::Variable& variable, Bits bits,
                     const ScriptStep* step) const;

  // Routines.
  std::string table() const;
  static std::string quoted(const std::string& text);
  std::string routines() const;
  const ir::Type* type_of(const std::string& name) const;
  bool is_fixed(const std::string& name) const;
  bool is_called(const std::string& name) const;
  std::string routine(const std::string& name) const;
  std::string fallible(const std::string& allocator,
                       const std::string& input) const;
  std::string effects(const std::string& name) const;
  std::string keep_arguments(const ir::Type& type) const;
  std::string returned(const std::string& name, const ir::Type* type,
                       const std::string& result) const;
  static std::string nondet_type(const std::string& name);
  std::string observers() const;
  void declare_function(const std::string& name) const;

  // What is called.
  std::string call_target() const;
  std::string call_once() const;
  std::string call_as_client() const;
  std::string call_of(const std::string& function, const ir::Type& type,
                      std::span<const Bits> given, std::size_t others) const;
  std::string returned_before(Bits pointer, std::size_t calls) const;
  bool is_pointer(ir::TypeId id) const;
  bool defines_main() const;
  Bits argument(ir::VariableId parameter) const;
  std::string last_actions(ir::TypeId id, const std::string& result) const;

  const HarnessQuestion& question_;
  const ir::Program& program_;
  const Recording& recording_;
  const std::string& path_;
  Script script_;
  /// Where objects lie that the prepared program has too, and their sizes.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> placed_;
  /// Pointers that routines are given, other than to memory from outside.
  struct Given {
    std::size_t step;
    std::size_t argument;
    std::uint64_t address;
  };
  std::vector<Given> given_;
  bool includes_ = false;
  mutable bool finds_ = false;  // Looks for static variables of functions.
  mutable std::set<std::string> replaced_;  // Routines, while it runs.
  /// Pointers that a routine finds, before it changes anything.
  mutable std::vector<std::string> bases_;
  mutable bool finds_bases_ = false;
  mutable bool keeps_ = false;  // Arguments are needed after the call.
  mutable std::string declarations_ = "\n";
  mutable std::string functions_;
};

}  // namespace agon::evidence
