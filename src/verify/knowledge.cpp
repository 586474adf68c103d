// SPDX-License-Identifier: Apache-2.0
// Any number in memory that is an address inside an object, or right behind it,
// counts as a pointer to it. So rather too much is known than too little.
#include "verify/knowledge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evidence/playback.h"
#include "ir/routines.h"

namespace agon::verify {
namespace {

using evidence::Recording;
using term::Bits;

/// Runs a recording as far as it goes.
class Performance : public evidence::Playback, public ir::Listener {
 public:
  Performance(const ir::Program& program, const Recording& recording,
              evidence::Until until)
      : Playback(recording),
        program_(program),
        until_(until),
        left_(recording.actions.size()),
        recorded_(recording.actions.begin(), recording.actions.end()) {}

  bool step(const ir::Step& step, const ir::StateView&) override {
    return !problem() && !is_over(step);
  }
  bool may_skip() override { return left_ > 0; }
  std::vector<Bits> call(const ir::Program& program,
                         const ir::Function& routine,
                         std::span<const Bits> arguments,
                         ir::MemoryAccess& memory) override {
    if (routine.is_action) {
      actions_.push_back(routine.display);
      if (recorded_.contains(routine.display) && left_ > 0) --left_;
    }
    return Playback::call(program, routine, arguments, memory);
  }

  const std::vector<std::string>& actions() const { return actions_; }

 protected:
  /// Whether all that was recorded has happened.
  bool is_over(const ir::Step& step) const {
    if (left_ > 0) return false;
    if (until_ == evidence::Until::LastAction) return true;
    const ir::Edge& edge = program_[step.function].body.edge(step.edge);
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    return call != nullptr && call->callee.valid() &&
           program_[call->callee].is_action;
  }

  const ir::Program& program_;

 private:
  const evidence::Until until_;
  std::size_t left_;
  const std::set<std::string> recorded_;
  std::vector<std::string> actions_;
};

/// The same, except that what nobody knows stays as it is.
class Knowledge final : public Performance {
 public:
  Knowledge(const ir::Program& program, const Recording& recording,
            evidence::Until until)
      : Performance(program, recording, until),
        any_state_(recording.any_state),
        next_free_(program.pointer_width() == 64 ? kFree64 : kFree32) {
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      const ir::Variable& variable = program.variables[i];
      const bool is_seen = variable.kind == ir::VariableKind::Global &&
                           (!variable.is_static || any_state_) &&
                           variable.term.sort().is_bits();
      if (is_seen) seen_.push_back(ir::VariableId::at(i));
    }
  }

  /// What was not changed, for people.
  const std::optional<std::string>& refused() const { return refused_; }
  /// Whether a routine came to a pointer that it cannot have.
  bool is_lost() const { return is_lost_; }

  bool step(const ir::Step& step, const ir::StateView& state) override {
    if (is_lost_ || problem() || is_over(step)) return false;
    edge_ = &program_[step.function].body.edge(step.edge);
    const auto* const call = std::get_if<ir::Call>(&edge_->statement);
    if (call == nullptr) return true;
    values_.clear();
    for (const ir::VariableId variable : seen_) {
      values_.push_back(static_cast<std::uint64_t>(state.value(variable)));
    }
    return true;
  }

  /// What belongs to no object is outside, where others can look.
  void written(ir::VariableId, std::uint64_t first,
               std::uint64_t size) override {
    if (find(first) == nullptr) outside_.emplace(first, size);
  }

  std::vector<Bits> call(const ir::Program& program,
                         const ir::Function& routine,
                         std::span<const Bits> arguments,
                         ir::MemoryAccess& memory) override {
    const ir::RoutineModel model = ir::routine_model(routine);
    const bool is_outside =
        !routine.is_action &&
        (!model.is_known || model.result == ir::RoutineResult::Anything);
    if (!is_outside || gives_up_) {
      return Performance::call(program, routine, arguments, memory);
    }
    return followed(arguments, routine.display, memory, [&](Known& known) {
      return Performance::call(program, routine, arguments, known);
    });
  }

  std::optional<std::vector<Bits>> call_outside(
      const ir::Program& program, std::uint64_t address,
      std::span<const Bits> arguments, ir::MemoryAccess& memory) override {
    if (gives_up_) {
      return Performance::call_outside(program, address, arguments, memory);
    }
    return followed(
        arguments, evidence::kSomeFunction, memory, [&](Known& known) {
          return *Performance::call_outside(program, address, arguments, known);
        });
  }

  std::optional<std::uint64_t> place(const ir::Program& program,
                                     ir::ObjectId id,
                                     const ir::StateView& state) override {
    const ir::Object& object = program[id];
    std::uint64_t address = 0;
    if (const auto recorded = Playback::place(program, id, state)) {
      address = *recorded;
    } else {
      address = take_free(object.size, object.alignment);
    }
    const bool is_known = object.kind == ir::ObjectKind::Global &&
                          (!object.is_static || any_state_);
    add(address, object.size, object.display, is_known);
    return address;
  }

  std::optional<std::uint64_t> place(const ir::Program& program,
                                     ir::FunctionId id) override {
    std::optional<std::uint64_t> address = Playback::place(program, id);
    if (!address) address = take_free(1, 1);
    if (program[id].has_body) functions_.push_back(*address);
    return address;
  }

  void called(const ir::Action& action) override {
    const ir::Function& routine = program_[action.routine];
    const bool is_new =
        ir::routine_model(routine).result == ir::RoutineResult::Fresh;
    if (!is_new || action.results.empty()) return;
    std::uint64_t size = 1;
    for (const Bits argument : action.arguments) {
      const auto number = static_cast<std::uint64_t>(argument);
      size = routine.name == "calloc" ? size * number : number;
    }
    add(static_cast<std::uint64_t>(action.results.front()), size, "memory",
        false);
  }

 private:
  // Where objects lie of which the recording says nothing.
  static constexpr std::uint64_t kFree64 = std::uint64_t{1} << 45;
  static constexpr std::uint64_t kFree32 = 0xC000'0000;
  static constexpr std::uint64_t kMostBytes = 20'000'000;

  struct Object {
    std::uint64_t size = 0;
    std::string name;
    bool is_known = false;
  };

  std::uint64_t take_free(std::uint64_t size, std::uint64_t alignment) {
    const std::uint64_t unit = std::max<std::uint64_t>(alignment, 16);
    const std::uint64_t address = (next_free_ + unit - 1) / unit * unit;
    next_free_ = address + size + 1;
    return address;
  }

  /// A local has the place that it had in an earlier call.
  void add(std::uint64_t address, std::uint64_t size, const std::string& name,
           bool is_known) {
    Object& object = objects_[address];
    object.size = size;
    object.name = name;
    object.is_known = object.is_known || is_known;
  }

  /// The object that an address points into, or else right behind; null if
  /// there is none.
  std::pair<const std::uint64_t, Object>* find(std::uint64_t address) {
    auto after = objects_.upper_bound(address);
    if (after == objects_.begin()) return nullptr;
    --after;
    const bool is_inside = address - after->first <= after->second.size;
    return is_inside ? &*after : nullptr;
  }

  void learn(std::uint64_t value) {
    // Functions of the program may know everything that it has.
    gives_up_ =
        gives_up_ || std::ranges::find(functions_, value) != functions_.end();
    auto* const object = find(value);
    if (object == nullptr || object->second.is_known) return;
    object->second.is_known = true;
    known_.push_back(object->first);
  }

  /// Follows the pointers in all that is known.
  void look_around(ir::MemoryAccess& memory) {
    known_.clear();
    for (const auto& [address, object] : objects_) {
      if (object.is_known) known_.push_back(address);
    }
    for (const auto& [address, size] : outside_) {
      // The rest of a pointer may be written later.
      look_at(address, size + program_.pointer_width() / 8 - 1, memory);
    }
    for (std::size_t i = 0; i < known_.size() && !gives_up_; ++i) {
      look_at(known_[i], objects_[known_[i]].size, memory);
    }
  }

  void look_at(std::uint64_t address, std::uint64_t size,
               ir::MemoryAccess& memory) {
    const unsigned width = program_.pointer_width();
    looked_at_ += size;
    gives_up_ = gives_up_ || size > kMostBytes || looked_at_ > kMostBytes;
    if (gives_up_) return;
    std::uint64_t window = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      window = window >> 8 | std::uint64_t{memory.read_byte(address + i)}
                                 << (width - 8);
      if (i + 1 >= width / 8) learn(window);
    }
  }

  /// Null if code outside knows what is there.
  const Object* find_hidden(std::uint64_t address) {
    if (gives_up_) return nullptr;
    const auto* const object = find(address);
    const bool is_hidden = object != nullptr && !object->second.is_known &&
                           address != object->first + object->second.size;
    return is_hidden ? &object->second : nullptr;
  }

  void lose(std::uint64_t pointer, const std::string& routine) {
    const Object* const object = find_hidden(pointer);
    if (object == nullptr) return;
    is_lost_ = true;
    refuse(routine, *object);
  }

  void refuse(const std::string& routine, const Object& object) {
    if (refused_) return;
    refused_ = fmt::format(
        "in the violation found, '{}' would have to know the address of '{}' "
        "(line {})",
        routine, object.name, edge_->position.line);
  }

  /// Memory as a routine can change it.
  class Known final : public ir::MemoryAccess {
   public:
    Known(Knowledge& knowledge, ir::MemoryAccess& memory,
          const std::string& routine)
        : knowledge_(knowledge), memory_(memory), routine_(routine) {}

    std::uint8_t read_byte(std::uint64_t address) override {
      return memory_.read_byte(address);
    }
    void write_byte(std::uint64_t address, std::uint8_t value) override {
      if (memory_.read_byte(address) == value) return;
      if (const Object* object = knowledge_.find_hidden(address)) {
        knowledge_.refuse(routine_, *object);
        return;
      }
      written_[address] = value;
      memory_.write_byte(address, value);
    }
    void write_global(ir::VariableId global, Bits value) override {
      memory_.write_global(global, value);
    }

    /// The numbers that were written as a whole, in so far as they may be some.
    std::vector<std::uint64_t> pointers() const {
      const unsigned width = knowledge_.program_.pointer_width();
      std::vector<std::uint64_t> result;
      for (const auto& [address, byte] : written_) {
        std::uint64_t value = 0;
        for (unsigned low = 0; low < width; low += 8) {
          value |= std::uint64_t{memory_.read_byte(address + low / 8)} << low;
        }
        result.push_back(value);
      }
      return result;
    }

   private:
    Knowledge& knowledge_;
    ir::MemoryAccess& memory_;
    const std::string& routine_;
    std::map<std::uint64_t, std::uint8_t> written_;
  };

  /// A call of code about which nothing is known: what it can know from now
  /// on, and what comes of it.
  template <class Make>
  std::vector<Bits> followed(std::span<const Bits> arguments,
                             const std::string& routine,
                             ir::MemoryAccess& memory, const Make& make) {
    for (const Bits value : arguments) {
      learn(static_cast<std::uint64_t>(value));
    }
    for (const std::uint64_t value : values_) learn(value);
    look_around(memory);
    Known known(*this, memory, routine);
    const std::vector<Bits> results = make(known);
    for (const Bits result : results) {
      lose(static_cast<std::uint64_t>(result), routine);
    }
    for (const std::uint64_t pointer : known.pointers()) lose(pointer, routine);
    return results;
  }

  bool any_state_;
  std::uint64_t next_free_;
  const ir::Edge* edge_ = nullptr;
  std::vector<ir::VariableId> seen_;   // Globals that others see.
  std::vector<std::uint64_t> values_;  // Of these.
  std::map<std::uint64_t, Object> objects_;
  std::vector<std::uint64_t> functions_;
  std::vector<std::uint64_t> known_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> outside_;  // Written there.
  std::uint64_t looked_at_ = 0;
  bool gives_up_ = false;
  bool is_lost_ = false;
  std::optional<std::string> refused_;
};

}  // namespace

std::optional<std::string> change_without_knowledge(const ir::Program& program,
                                                    const Recording& recording,
                                                    evidence::Until until) {
  const auto entry = program.find_function(recording.entry);
  if (!entry) return std::nullopt;
  ir::InterpreterOptions options = evidence::playback_options(program);
  Knowledge knowledge(program, recording, until);
  options.listener = &knowledge;
  ir::interpret(program, *entry, knowledge, options);
  if (!knowledge.refused()) return std::nullopt;
  Performance recorded(program, recording, until);
  options.listener = &recorded;
  ir::interpret(program, *entry, recorded, options);
  const bool is_same =
      !knowledge.is_lost() && knowledge.actions() == recorded.actions();
  return is_same ? std::nullopt : knowledge.refused();
}

}  // namespace agon::verify
