// SPDX-License-Identifier: Apache-2.0
/// Runs a program concretely. The yardstick for everything that reasons about
/// programs: it executes statements by their definition and knows no
/// abstraction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "term/bits.h"
#include "term/evaluate.h"

namespace agon::ir {

/// Memory as a routine without a body sees it.
class MemoryAccess {
 public:
  virtual ~MemoryAccess() = default;
  virtual std::uint8_t read_byte(std::uint64_t address) = 0;
  virtual void write_byte(std::uint64_t address, std::uint8_t value) = 0;
  /// Gives a global that has no address another value.
  virtual void write_global(VariableId, term::Bits) {}
};

/// What the variables hold that are neither arrays nor those of another call.
class StateView {
 public:
  virtual ~StateView() = default;
  virtual term::Bits value(VariableId variable) const = 0;
  /// Where the calls stand that have not returned, the first one first.
  virtual std::vector<Position> calls() const = 0;
};

/// Whatever the program itself does not determine.
class Environment {
 public:
  virtual ~Environment() = default;

  /// Comes before `choose`, unless the target is an array, and shows what an
  /// answer may depend on. `edge` is the Havoc's, in the function that runs.
  virtual void before_choice(EdgeId edge, const StateView& state);

  /// The value of a Havoc. Truncated to the width of its target; of an array,
  /// all elements get it.
  virtual term::Bits choose(const Program& program, const Havoc& havoc,
                            const Position& position) = 0;

  /// The value of a Havoc of an array, if its elements are not to be equal;
  /// otherwise nothing, and `choose` is asked.
  virtual const term::Value* choose_array(const Program&, const Havoc&,
                                          const Position&) {
    return nullptr;
  }

  /// The results of a routine without a body; missing ones count as 0.
  virtual std::vector<term::Bits> call(const Program& program,
                                       const Function& routine,
                                       std::span<const term::Bits> arguments,
                                       MemoryAccess& memory) = 0;

  /// The same for a call through a pointer to no function of the program, which
  /// is not null; then nothing if there is no other either.
  virtual std::optional<std::vector<term::Bits>> call_outside(
      const Program&, std::uint64_t /*address*/,
      std::span<const term::Bits> /*arguments*/, MemoryAccess&) {
    return std::nullopt;
  }

  /// What a byte holds that nothing has written. Must be a function of the
  /// address, so that memory is the same however it is divided into arrays.
  virtual std::uint8_t initial_byte(std::uint64_t address) = 0;

  /// The value of a global or parameter that is not initialised.
  virtual term::Bits initial_value(const Program& program,
                                   VariableId variable) = 0;

  /// What an array holds where nothing was written, if `initial_byte` is not to
  /// say it.
  virtual const term::Value* initial_array(const Program&, VariableId) {
    return nullptr;
  }

  /// Where an object is to lie that comes into being, if that matters.
  virtual std::optional<std::uint64_t> place(const Program&, ObjectId,
                                             const StateView&) {
    return std::nullopt;
  }

  /// The same for a function whose address is used.
  virtual std::optional<std::uint64_t> place(const Program&, FunctionId) {
    return std::nullopt;
  }

  /// The same for what `malloc` or the like is asked for.
  virtual std::optional<std::uint64_t> allocate(const Program&,
                                                const Function&) {
    return std::nullopt;
  }
};

/// Always 0.
class ZeroEnvironment : public Environment {
 public:
  term::Bits choose(const Program&, const Havoc&, const Position&) override;
  std::vector<term::Bits> call(const Program&, const Function&,
                               std::span<const term::Bits>,
                               MemoryAccess&) override;
  std::uint8_t initial_byte(std::uint64_t address) override;
  term::Bits initial_value(const Program&, VariableId) override;
};

/// A step of the path: the edge taken in a function, at a depth of calls.
struct Step {
  FunctionId function;
  EdgeId edge;
  std::uint32_t depth = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

/// A call of a routine without a body, or of `malloc` and the like.
struct Action {
  FunctionId routine;
  std::vector<term::Bits> arguments;
  std::vector<term::Bits> results;
  Position position;

  friend bool operator==(const Action&, const Action&) = default;
};

/// Is told what happens in a run.
class Listener {
 public:
  virtual ~Listener() = default;
  /// Comes before the edge is taken. False stops the run.
  virtual bool step(const Step& step, const StateView& state) = 0;
  /// Whether rounds of a loop may be passed without a word that only compute
  /// numbers, and are followed by another one like them.
  virtual bool may_skip() { return false; }
  /// Some elements of an array variable are looked at or written.
  virtual void read(VariableId, std::uint64_t, std::uint64_t) {}
  virtual void written(VariableId, std::uint64_t, std::uint64_t) {}
  /// A function with a body starts, or returns these results.
  virtual void entered(FunctionId, std::span<const term::Bits>,
                       const StateView&) {}
  virtual void left(FunctionId, std::span<const term::Bits>, const StateView&,
                    MemoryAccess&) {}
  /// A routine without a body has returned.
  virtual void called(const Action&) {}
};

struct InterpreterOptions {
  std::uint64_t max_steps = 50'000'000;  ///< Those that are skipped are free.
  std::size_t max_depth = 10'000;        ///< Of calls.
  bool record_path = false;
  /// After so many steps, rounds of a loop that only count are passed at once,
  /// unless somebody wants to know of each step.
  std::uint64_t skips_after = 4'096;
  static constexpr auto kNever = ~std::uint64_t{0};
  Listener* listener = nullptr;
  std::vector<term::Bits> arguments;  ///< Missing ones are `initial_value`s.
  /// Memory that objects and the heap get, in order of creation, starts here.
  std::uint64_t first_address = 0x10000;
  /// Asked every few thousand steps, if there is one; ends the run like the
  /// limit of steps.
  std::function<bool()> is_stopped;
};

enum class Outcome : std::uint8_t {
  Returned,    ///< The entry function returned.
  Stopped,     ///< A location without an edge: after abort, exit, an error.
  Blocked,     ///< No assumption at a branch holds: `__VERIFIER_assume`.
  StepLimit,   ///< Also: it was stopped; one statement copies over 256 MB.
  DepthLimit,  ///< Also: no address is left for the objects of a call.
  BadCall,     ///< A call through a pointer to no function, or a null one.
};

struct Run {
  Outcome outcome = Outcome::Returned;
  std::vector<term::Bits> results;
  std::vector<Action> actions;
  std::vector<Step> path;  ///< If it was asked for.
  std::uint64_t steps = 0;
  std::uint64_t skipped = 0;  ///< How many of them were passed at once.
  FunctionId last_function;
  LocationId last_location;
  /// Where the objects lie that exist when the entry starts.
  std::vector<std::pair<ObjectId, std::uint64_t>> addresses;
  std::vector<std::pair<FunctionId, std::uint64_t>> functions;
};

/// Runs `entry`. Globals are initialised as the program says, and locals start
/// as 0. Terms must not use mathematical integers.
///
/// `malloc`, `calloc`, `realloc`, `aligned_alloc`, `alloca` and `free` without
/// a body are carried out here: addresses are fresh and aligned to 16. They are
/// 0 only if none is left, or if more than 256 MB would have to be filled.
Run interpret(const Program& program, FunctionId entry,
              Environment& environment, const InterpreterOptions& options = {});

}  // namespace agon::ir
