// SPDX-License-Identifier: Apache-2.0
/// Specifications: what `.agon` files say, ready to be bound to a program.
///
/// docs/agon.md describes the language. A specification is loaded; its
/// fragments are given to the front end together with the C files; `weave`
/// (weave.h) then puts it into the lowered program.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/cfa.h"
#include "ir/fragment.h"
#include "lts/lts.h"
#include "spec/ast.h"
#include "support/context.h"
#include "support/source.h"

namespace agon::spec {

/// A place in an `.agon` file that a message may have to show later.
struct Place {
  std::shared_ptr<const support::Source> source;
  Offset offset = 0;

  support::Location location() const { return source->locate(offset); }
  [[noreturn]] void fail(const std::string& message) const {
    source->fail(offset, message);
  }
};

/// How the action starts of a recursive call that no guard covers. It is
/// allowed nowhere.
inline constexpr std::string_view kOutsideGuards =
    "call outside the guards of ";

/// A label that a specification mentions though nothing in the program could
/// perform it, whatever it does.
struct Unperformed {
  std::string label;
  std::string suggestion;  ///< "; did you mean 'X'?", or nothing.
};

/// Does a routine conform to a process? One arm of a `verify`.
struct Question {
  std::string target;  ///< The routine, as in C.
  std::string spec;    ///< The process: its name, or its text if it is short.
  std::string guard;   ///< In C; empty if there is none.
  /// Over action labels and return classes. Its alphabet is what it constrains.
  std::shared_ptr<const lts::Lts> lts;
  std::vector<std::string> state_names;  ///< For people; may be empty.
  std::vector<Unperformed> unperformed;
  /// Returns that nobody expects: their conditions contradict each other.
  std::vector<std::string> contradictory;
  std::string entry;    ///< The function of the woven program to start in.
  std::string guards;   ///< The entry of its GuardCheck; empty without guards.
  std::size_t arm = 0;  ///< Of the `verify`.
  /// Whether the arms of the `verify` together cover every call.
  bool covers_all_entries = true;
  bool is_imported = false;
  Place place;
};

/// Guards that have to be exclusive, and those of an `assume` complete. They
/// are if no call of `entry` performs one of the two actions.
struct GuardCheck {
  static constexpr const char* kOverlap = "guards overlap";
  static constexpr const char* kIncomplete = "guards incomplete";
  /// What a call performs that the arm covers; not a mistake.
  static std::string covered(std::size_t arm);

  std::string routine;
  std::string entry;  ///< A function of the woven program.
  bool must_be_complete = false;
  bool must_be_exclusive = true;
  bool is_imported = false;
  Place place;
};

/// A routine of a program that runs in parallel with others.
struct ComponentQuestion {
  /// What an action is called in the program. Several names: one of them.
  struct Action {
    std::string local;  ///< As the routine performs it.
    std::vector<std::string> names;
    bool is_return = false;
  };
  std::string name;  ///< `x` in `x:node`; the routine if there is no label.
  std::string routine;
  std::string guard;  ///< In C; empty if there is none.
  std::string entry;  ///< The function of the woven program to start in.
  /// All that it can perform or is said to know, and its returns. `weave`
  /// enters what is not a return.
  std::vector<Action> actions;
};

/// A component that would take part in an action of others if it could get to a
/// call.
struct Bystander {
  std::string component;
  std::string action;  ///< As it is called in the program.
  ir::Position call;
};

/// A component that takes part in actions of others just because it calls
/// through a pointer, which might get to whatever performs them.
struct Supposed {
  std::string component;
  std::set<std::string> actions;  ///< As they are called in the program.
  ir::Position call;
};

/// Do several routines, run in parallel, conform? A `verify program`.
struct ProgramQuestion {
  /// What every component performs first.
  static constexpr const char* kStart = "component starts";
  /// What a described routine performs that goes no further, and where it takes
  /// a silent step or chooses to return.
  static constexpr const char* kStop = "component stops";
  static constexpr const char* kSilent = "silent step";
  /// What a component performs that ends without returning; see `mark_exits`.
  static constexpr const char* kExit = "component exits";

  ProgramDef definition;
  std::string spec;  ///< The process: its name, or its text if it is short.
  /// Null for `deadlock-free`. Over the names that actions have in the program.
  std::shared_ptr<const lts::Lts> lts;
  std::vector<std::string> state_names;  ///< For people; may be empty.
  std::vector<ComponentQuestion> components;
  std::vector<Unperformed> unperformed;  ///< `weave` enters them.
  std::vector<Bystander> bystanders;     ///< Likewise.
  std::vector<Supposed> supposed;        ///< Likewise.
  bool is_imported = false;
  Place place;
};

/// Does a module conform, whoever its client is? A `verify module`. Its actions
/// are `call.f` and `f.return…` for the functions f that clients call and for
/// the routines without a body that it calls itself.
struct ModuleQuestion {
  /// Functions of the fragments that perform the actions of a routine; empty if
  /// there are none.
  struct Routine {
    std::string name;
    std::string called;    ///< Has the parameters of the routine.
    std::string returned;  ///< Before these it has the result.
  };

  std::string spec;
  std::shared_ptr<const lts::Lts> lts;
  std::vector<std::string> state_names;  ///< For people; may be empty.
  std::vector<Routine> routines;         ///< All that the process mentions.
  bool is_imported = false;
  Place place;
};

/// How the functions of the fragments are to be used; for `weave`.
struct Plan {
  /// What a line says about the type of a routine, to be compared with C.
  struct Shape {
    std::string routine;
    std::size_t parameters = 0;
    bool is_variadic = false;
    bool is_void = false;
    bool is_imported = false;
    Place place;
  };
  /// Stands for the routine: always, or where a target calls itself.
  struct Replacement {
    Shape shape;
    std::string function;
    bool is_own = false;  ///< The abstraction of a recursive target.
    std::string effects;  ///< Called where its effects are due; or empty.
    std::vector<std::string> wrappers;  ///< Of the target; they call it.
  };
  struct Observer {
    std::string label;
    std::string routine;
    std::string function;
    bool on_return = false;
    std::optional<std::size_t> parameters;  ///< How many were named.
    bool is_imported = false;
    Place place;
    /// Of a module: only if the routine has no body, and nothing if it is not
    /// known.
    bool is_of_module = false;
  };
  /// A routine that runs as a component of a program.
  struct Component {
    std::string routine;
    std::string function;  ///< Calls it.
    bool needs_value = false;
    bool is_imported = false;
    Place place;
  };
  std::vector<std::string> actions;  ///< The label of `__agon_action_<i>`.
  std::set<std::string> performed;   ///< What assumptions and events perform.
  /// What each process that stands for a routine mentions, by its function.
  std::map<std::string, std::vector<std::string>> alphabets;
  std::vector<Component> components;
  std::vector<Replacement> replacements;
  std::vector<Observer> observers;
};

struct LoadOptions {
  bool allow_import = true;  ///< Off for text from untrusted sources.
};

class Specification {
 public:
  const std::vector<ir::Fragment>& fragments() const { return fragments_; }
  const std::vector<Question>& questions() const { return questions_; }
  const std::vector<GuardCheck>& guard_checks() const { return guard_checks_; }
  const std::vector<ProgramQuestion>& programs() const { return programs_; }
  const std::vector<ModuleQuestion>& modules() const { return modules_; }
  const Plan& plan() const { return plan_; }

 private:
  friend class Loader;

  std::vector<ir::Fragment> fragments_;
  std::vector<Question> questions_;
  std::vector<GuardCheck> guard_checks_;
  std::vector<ProgramQuestion> programs_;
  std::vector<ModuleQuestion> modules_;
  Plan plan_;
};

/// Reads a file and what it imports: paths are relative to the file that names
/// them, and "std.agon" comes with Agon. Throws InputError.
Specification load(const std::string& path, support::Context& context);
Specification load(const support::Source& source, support::Context& context,
                   const LoadOptions& options = {});

}  // namespace agon::spec
