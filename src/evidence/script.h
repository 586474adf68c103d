// SPDX-License-Identifier: Apache-2.0
/// A recorded execution as its program sees it: which routines around it are
/// called, what they return, change and perform.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "ir/program.h"
#include "term/bits.h"

namespace agon::evidence {

/// What of a woven program is no code of the user.
struct Surroundings {
  struct Observer {
    std::string routine;
    bool on_return = false;
  };
  /// Functions that stand for a routine that is described, by name.
  std::map<std::string, std::string> stands_for;
  std::map<std::string, Observer> observers;
  std::set<std::string> defined;    ///< What has a body in the user's files.
  std::set<std::string> statics;    ///< Those among them that are static.
  std::set<std::string> errors;     ///< Routines whose call is an error.
  std::set<std::string> undefined;  ///< What is called and has no body.
};

struct ScriptStep {
  enum class Kind : std::uint8_t {
    Call,   ///< A routine is called that the harness has to stand for.
    Enter,  ///< A function of the program is called that is observed.
    Leave,
  };
  Kind kind = Kind::Call;
  std::string routine;
  std::vector<term::Bits> arguments;
  std::vector<term::Bits> results;
  std::vector<Recording::Cell> memory;
  std::vector<Recording::Named> globals;
  std::vector<std::string> actions;
  /// A pointer to what is changed, or next to it, that could be found when it
  /// was called: in a global, or in memory if that has no name.
  struct Found {
    std::string variable;
    std::uint64_t place = 0;
    std::uint64_t value = 0;
  };
  std::vector<Found> found;
};

/// A call by the client of a module.
struct ClientCall {
  std::string function;
  std::vector<term::Bits> arguments;
  std::vector<term::Bits> results;
  std::vector<std::string> actions;  ///< What is performed before it.
  /// What the client changes before it.
  std::vector<Recording::Cell> memory;
  std::vector<Recording::Named> globals;
};

/// How far from a pointer a routine may change something behind it.
inline constexpr std::uint64_t kNear = 4096;

/// A function of other files that is called through a pointer.
struct OutsideFunction {
  std::string name;  ///< That the harness gives it.
  std::uint64_t address = 0;
  ir::TypeId type;
};

struct Script {
  std::vector<ScriptStep> steps;
  std::vector<OutsideFunction> outside;
  std::vector<ClientCall> calls;          ///< If execution starts in a client.
  std::vector<std::string> last_actions;  ///< After the target has returned.
  std::optional<std::vector<term::Bits>> results;  ///< Of the target.
  std::set<std::uint64_t> touched;                 ///< Bytes of memory.
  std::vector<std::pair<ir::ObjectId, std::uint64_t>> objects;  ///< Globals.
  std::vector<std::pair<ir::ObjectId, std::uint64_t>> locals;
  std::vector<std::pair<ir::FunctionId, std::uint64_t>> functions;
  /// Values that matter and that no harness can choose, for people.
  std::vector<std::string> not_fed;
};

/// Runs a recording. `program` is as in verify/record.h; `target` is the
/// function that the user has asked about.
Script make_script(const ir::Program& program, const Recording& recording,
                   const Surroundings& around, const std::string& target);

}  // namespace agon::evidence
