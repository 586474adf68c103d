// SPDX-License-Identifier: Apache-2.0
/// A whole program: variables, objects in memory, functions.
///
/// A variable holds a scalar and has no address. Whatever has one is an object,
/// and its bytes are in an array variable: at first in `Program::memory`, the
/// one array of all bytes; later, when regions are known, in several. So every
/// statement assigns to variables only, and an expression is a term.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/cfa.h"
#include "ir/type.h"
#include "term/pool.h"

namespace agon::ir {

enum class DataModel : std::uint8_t { ILP32, LP64 };

enum class VariableKind : std::uint8_t {
  Global,
  Parameter,
  Local,
  Temporary,  ///< Made by lowering; has no name in the source.
  Memory,     ///< An array: all of memory, or a region of it.
};

struct Variable {
  std::string name;     ///< Unique in the program; the term has it too.
  std::string display;  ///< As in the source: `x`, `point.y`.
  term::Term term;
  TypeId type;  ///< Invalid for memory and for some temporaries.
  VariableKind kind = VariableKind::Local;
  FunctionId owner;        ///< Invalid for globals and memory.
  bool is_static = false;  ///< A global that other files cannot name.
  Position position;
  /// Value before the program starts; invalid: any. Globals only.
  term::Term initial;

  /// Whether it stands for a place that is not followed, such as `...`: what is
  /// put there may come out of any other (see Program::add_told).
  bool is_told() const { return name.starts_with("..."); }

  friend bool operator==(const Variable&, const Variable&) = default;
};

enum class ObjectKind : std::uint8_t { Global, Local, String };

/// The value of one scalar of an initialised object.
struct InitialCell {
  VariableId array;  ///< The memory that holds it.
  std::uint64_t offset = 0;
  term::Term value;  ///< A constant, an address, or a sum of both.

  friend bool operator==(const InitialCell&, const InitialCell&) = default;
};

/// Something that has an address.
struct Object {
  std::string name;  ///< Unique in the program; that of its address term.
  std::string display;
  term::Term address;
  TypeId type;
  ObjectKind kind = ObjectKind::Global;
  std::uint64_t size = 0;
  std::uint32_t alignment = 1;
  bool is_constant = false;
  bool is_zeroed = false;  ///< Bytes not in `initial` are 0; otherwise any.
  bool is_static = false;  ///< A global that other files cannot name.
  FunctionId owner;        ///< Of a local, which has one address per call.
  Position position;
  std::vector<VariableId> arrays;  ///< The memory that holds parts of it.
  /// What it begins with, as text: in each of `arrays`, whose elements are
  /// bytes then. `initial` comes on top. See also `initial_cells`.
  std::string bytes;
  std::vector<InitialCell> initial;

  friend bool operator==(const Object&, const Object&) = default;
};

struct Function {
  std::string name;  ///< Unique in the program; statics may get a suffix.
  std::string display;
  TypeId type;
  Position position;
  bool has_body = false;
  bool is_static = false;
  bool is_noreturn = false;
  /// A call performs the visible action `display` and touches nothing. Has no
  /// body, parameters or results.
  bool is_action = false;
  term::Term address;  ///< Valid if the function's address is used.
  std::vector<VariableId> parameters;  ///< Structs as their scalars, in order.
  std::vector<TypeId> results;         ///< Likewise; empty for void.
  std::vector<VariableId> locals;      ///< Temporaries too.
  std::vector<ObjectId> objects;
  Cfa body;

  friend bool operator==(const Function&, const Function&) = default;
};

/// Something that the user has to know to judge an answer.
struct Assumption {
  std::string subject;  ///< A routine, or a construct.
  std::string why;
  Position position;

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

/// One step of the way from an inlined statement back to its function.
struct InlinedCall {
  FunctionId callee;
  Position call;
  InlineId outer;  ///< Invalid: the call stands in the function itself.

  friend bool operator==(const InlinedCall&, const InlinedCall&) = default;
};

/// Somewhere pointers to one type become pointers to another one. Invalid: they
/// are integers.
struct Conversion {
  TypeId from;
  TypeId to;

  friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// Somewhere a number that is written in the text, and is not 0, becomes a
/// pointer to this type.
struct NumberedAddress {
  std::uint64_t value = 0;
  TypeId to;

  friend auto operator<=>(const NumberedAddress&,
                          const NumberedAddress&) = default;
};

struct Program {
  /// An empty program with its own pool and the array `memory`.
  explicit Program(DataModel model);
  /// The same with another sort of memory. If its indices are integers then so
  /// are addresses.
  Program(DataModel model, term::Sort memory_sort);

  DataModel model;
  std::shared_ptr<term::Pool> pool;  ///< Shared by all copies.
  TypeTable types;
  std::vector<std::string> files;
  std::vector<Variable> variables;
  std::vector<Object> objects;
  std::vector<Function> functions;
  std::vector<Assumption> assumptions;
  std::vector<InlinedCall> inlined;
  std::vector<Conversion> conversions;
  std::vector<NumberedAddress> numbered;
  VariableId memory;

  unsigned pointer_width() const { return model == DataModel::LP64 ? 64 : 32; }

  const Variable& operator[](VariableId id) const {
    return variables[id.index()];
  }
  const Object& operator[](ObjectId id) const { return objects[id.index()]; }
  const Function& operator[](FunctionId id) const {
    return functions[id.index()];
  }

  /// Adds a variable and makes its term. `name` gets a suffix if it is taken.
  /// The caller enters it into its function's `parameters` or `locals`.
  VariableId add_variable(Variable variable, term::Sort sort);
  /// Adds a local that gets a pointer which is handed to something that is not
  /// followed: variable arguments, or assembly.
  VariableId add_told(FunctionId owner);
  /// Adds an object, makes its address, and puts it into `memory` unless it
  /// lists arrays. The caller enters a local one into its function's `objects`.
  ObjectId add_object(Object object);
  /// Adds a function; an address that it has already is kept.
  FunctionId add_function(Function function);
  /// Gives each of two functions the other's name.
  void swap_names(FunctionId a, FunctionId b);
  /// The address of a function, made at the first use.
  term::Term address_of(FunctionId id);

  std::optional<FunctionId> find_function(std::string_view name) const;
  /// What a variable or address term stands for; invalid for others.
  VariableId variable_of(term::Term term) const;
  ObjectId object_of(term::Term address) const;
  FunctionId function_of(term::Term address) const;

  /// Adds an assumption unless it is there already, with its first place.
  void assume(std::string subject, std::string why, Position position = {});

 private:
  std::string unique(std::string_view name);
  term::Term make_address(std::string_view name);

  /// Names that are taken, with the last suffix that each was given.
  std::unordered_map<std::string, std::uint32_t> last_suffix_;
  std::unordered_map<term::Term, VariableId> variable_of_;
  std::unordered_map<term::Term, ObjectId> object_of_;
  std::unordered_map<term::Term, FunctionId> function_of_;
  std::unordered_map<std::string, FunctionId> function_named_;
};

/// All initial contents of an object as cells, those of `bytes` first.
std::vector<InitialCell> initial_cells(const Program& program, ObjectId id);

}  // namespace agon::ir
