// SPDX-License-Identifier: Apache-2.0
/// The machine that runs the code of a program. Internal to the folder.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ir/interpreter.h"
#include "ir/machine_array.h"
#include "ir/machine_code.h"
#include "ir/machine_compile.h"
#include "ir/rounds.h"

namespace agon::ir::machine {

class Machine {
 public:
  Machine(const Program& program, Environment& environment,
          const InterpreterOptions& options);

  Run run(FunctionId entry);

 private:
  friend class Bytes;
  friend class MachineState;

  /// Edges since a place that may turn out to be a round of a loop.
  struct Watch {
    bool is_on = false;
    std::uint64_t next = 0;      ///< Steps taken when it is put on.
    std::uint64_t interval = 1;  ///< Until then.
    std::uint32_t location = 0;
    std::size_t depth = 0;
    std::vector<const EdgeCode*> edges;
  };

  /// A call that has not returned.
  struct Frame {
    const FunctionCode* code = nullptr;
    std::size_t first_word = 0;   // Into words_.
    std::size_t first_array = 0;  // Into frame_arrays_.
    std::uint32_t location = 0;
    const EdgeCode* call = nullptr;  // The call made, while it runs.
    std::uint64_t first_free = 0;    // Addresses to give back at the return,
    std::uint64_t allocations = 0;   // unless there was one for the heap since.
  };

  // Control. These return false if the run is over.
  void start(FunctionId entry);
  void note_addresses(FunctionId entry);
  bool step();
  bool take(const EdgeCode& edge);
  bool call(const EdgeCode& edge);
  bool enter(FunctionId function);
  bool leave();
  bool watch_rounds();
  bool skip_rounds();
  Round watched_round();
  std::optional<term::Bits> value_of(term::Term term);
  void listen_to_locals(FunctionId function);
  void tell_left(FunctionId function);
  void store_results(const EdgeCode& edge);
  bool stop(Outcome outcome);
  void load_values(const FunctionCode& code, const EdgeCode& edge);
  void load_bases();
  void havoc_array(Array& array, const Havoc& havoc, const Position& position);
  static void fill(Array& array, const term::Value& value);

  // Values.
  std::uint64_t& word(Operand operand) {
    return bases_[operand >> 31][operand & ~kGlobal];
  }
  term::Bits load(Operand operand, unsigned width);
  void store(Operand operand, unsigned width, term::Bits value);
  Array& array(Operand operand) {
    return (operand & kGlobal) != 0
               ? *global_arrays_[operand & ~kGlobal]
               : *frame_arrays_[frames_.back().first_array + operand];
  }

  // Code.
  void execute(const FunctionCode& code, Block block);
  void execute_wide(const Instruction& instruction);
  void execute_read(const FunctionCode& code, const Instruction& instruction);
  term::Bits element(const FunctionCode& code, std::uint32_t node,
                     std::uint64_t index);
  bool assign_array(const FunctionCode& code, const EdgeCode& edge);
  bool gather(const FunctionCode& code, const ArrayNode& copy,
              std::size_t cell_size);

  // Memory.
  std::optional<std::uint64_t> allocate(std::uint64_t size,
                                        std::uint64_t alignment);
  std::uint64_t place(ObjectId id);
  std::optional<std::uint64_t> chosen_place(ObjectId id);
  bool create(const FunctionCode& code, const ObjectCode& object);
  void initialise(const FunctionCode& code, const ObjectCode& object,
                  std::uint64_t address);
  const ObjectCode* object_at(std::uint64_t address, std::uint64_t& first);

  // Routines without a body.
  void call_routine(FunctionId routine, const EdgeCode& edge);
  bool call_outside(const EdgeCode& edge, std::uint64_t address);
  bool call_allocator(const Function& routine);
  std::uint64_t allocate_heap(std::uint64_t size, std::uint64_t alignment);
  std::uint64_t allocate_zeroed(std::uint64_t number, std::uint64_t size);
  std::uint64_t reallocate(std::uint64_t old, std::uint64_t size);

  const Program& program_;
  Environment& environment_;
  const InterpreterOptions& options_;
  Compiler compiler_;
  Run run_;

  std::vector<std::unique_ptr<FunctionCode>> codes_;  // By FunctionId.
  FunctionCode globals_;
  std::vector<Frame> frames_;
  std::uint64_t taken_ = 0;  // Steps that were not skipped.
  Watch watch_;
  std::vector<std::uint64_t> words_;
  std::uint64_t* bases_[2] = {nullptr, nullptr};
  std::vector<std::unique_ptr<Array>> global_arrays_;
  std::vector<std::unique_ptr<Array>> frame_arrays_;
  std::vector<Array*> memory_;  // All of memory, or its regions.

  // What is kept between steps to save allocation.
  std::vector<term::Bits> values_;
  std::vector<const ArrayNode*> chain_;
  std::vector<std::uint8_t> buffer_;

  std::uint64_t first_free_ = 0;
  std::uint64_t never_used_ = 0;  // No address from here on was ever given.
  std::uint64_t limit_ = 0;
  std::uint64_t allocations_ = 0;
  const Function* allocator_ = nullptr;                // That runs.
  tsl::robin_map<std::uint64_t, std::uint64_t> heap_;  // Address to size.
  tsl::robin_map<std::uint64_t, FunctionId> function_at_;
};

/// The state of the call that runs.
class MachineState final : public StateView {
 public:
  explicit MachineState(Machine& machine) : machine_(machine) {}

  term::Bits value(VariableId variable) const override;
  std::vector<Position> calls() const override;

 private:
  Machine& machine_;
};

}  // namespace agon::ir::machine
