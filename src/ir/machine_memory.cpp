// SPDX-License-Identifier: Apache-2.0
// Objects, the heap, and routines without a body.
#include <algorithm>
#include <array>
#include <string_view>

#include "ir/machine.h"

namespace agon::ir::machine {
namespace {

using term::Bits;

constexpr std::uint64_t kHeapAlignment = 16;
/// The most bytes that `calloc` and `realloc` fill; of more they return 0.
constexpr std::uint64_t kMaxFilledBytes = std::uint64_t{1} << 28;

/// The width of the scalar at an offset of a type; 0 if there is none.
unsigned scalar_width(const TypeTable& types, TypeId id, std::uint64_t offset) {
  while (id.valid()) {
    const Type& type = types[id];
    if (type.is_scalar()) return static_cast<unsigned>(8 * type.size);
    if (type.kind == TypeKind::Array && type.element.valid()) {
      const std::uint64_t size = types[type.element].size;
      if (size == 0) return 0;
      offset %= size;
      id = type.element;
      continue;
    }
    id = TypeId();
    for (const Field& field : type.fields) {
      if (offset < field.offset ||
          offset - field.offset >= types[field.type].size) {
        continue;
      }
      offset -= field.offset;
      id = field.type;
      break;
    }
  }
  return 0;
}

}  // namespace

/// Memory, byte by byte, for the environment.
class Bytes final : public MemoryAccess {
 public:
  explicit Bytes(Machine& machine) : machine_(machine) {}

  // Only one of the arrays really holds the byte. It is the one that differs
  // from what an array holds there which nobody writes, if there is one.
  std::uint8_t read_byte(std::uint64_t address) override {
    const std::vector<Array*>& arrays = find(address);
    const std::uint8_t untouched = machine_.environment_.initial_byte(address);
    for (Array* const array : arrays) {
      const std::uint8_t held = byte(*array, address);
      if (held != 0 && held != untouched) return held;
    }
    for (Array* const array : arrays) {
      if (array->element_width() == width_) return byte(*array, address);
    }
    return byte(*arrays.front(), address);
  }

  void write_byte(std::uint64_t address, std::uint8_t value) override {
    for (Array* const array : find(address)) {
      const unsigned low = 8 * offset(*array, address);
      const std::uint64_t index = address - low / 8;
      const Bits old = array->read(index, 1);
      const Bits kept = old & ~(Bits{0xff} << low);
      array->write(index, 1, kept | Bits{value} << low);
    }
  }

  void write_global(VariableId id, Bits value) override {
    const Place place = machine_.compiler_.place(id);
    machine_.store(place.operand, place.width, value);
  }

 private:
  /// The arrays that hold an address, and in `width_` the width of elements
  /// that its type suggests.
  const std::vector<Array*>& find(std::uint64_t address) {
    std::uint64_t first = 0;
    const ObjectCode* const object = machine_.object_at(address, first);
    width_ = 8;
    if (object == nullptr || object->arrays.empty()) return machine_.memory_;
    const Program& program = machine_.program_;
    width_ = scalar_width(program.types, program[object->object].type,
                          address - first);
    arrays_.clear();
    for (const Operand operand : object->arrays) {
      arrays_.push_back(&machine_.array(operand));
    }
    return arrays_;
  }

  /// The elements of wider arrays are taken to be aligned.
  static unsigned offset(const Array& array, std::uint64_t address) {
    const unsigned size = std::max(1U, array.element_width() / 8);
    return static_cast<unsigned>(address % size);
  }
  static std::uint8_t byte(Array& array, std::uint64_t address) {
    const unsigned skipped = offset(array, address);
    const Bits value = array.read(address - skipped, 1);
    return static_cast<std::uint8_t>(value >> (8 * skipped));
  }

  Machine& machine_;
  unsigned width_ = 8;
  std::vector<Array*> arrays_;
};

std::optional<std::uint64_t> Machine::allocate(std::uint64_t size,
                                               std::uint64_t alignment) {
  alignment = std::max<std::uint64_t>(alignment, 1);
  const std::uint64_t over = first_free_ % alignment;
  const std::uint64_t gap = over == 0 ? 0 : alignment - over;
  size = std::max<std::uint64_t>(size, 1);
  const std::uint64_t room = limit_ - std::min(first_free_, limit_);
  if (gap >= room || size > room - gap) return std::nullopt;
  const std::uint64_t address = first_free_ + gap;
  first_free_ = address + size;
  return address;
}

bool Machine::create(const FunctionCode& code, const ObjectCode& object) {
  const Object& described = program_[object.object];
  const auto chosen = chosen_place(object.object);
  const auto address =
      chosen ? chosen : allocate(described.size, described.alignment);
  if (!address.has_value()) return stop(Outcome::DepthLimit);
  word(object.address) = *address;
  if (chosen || *address < never_used_) {
    for (const Operand operand : object.arrays) {
      array(operand).forget(*address, described.size);
    }
  }
  never_used_ = std::max(never_used_, first_free_);
  initialise(code, object, *address);
  return true;
}

void Machine::initialise(const FunctionCode& code, const ObjectCode& object,
                         std::uint64_t address) {
  const Object& described = program_[object.object];
  if (described.is_zeroed) {
    for (const Operand operand : object.arrays) {
      array(operand).zero(address, described.size);
    }
  }
  for (const Operand operand : object.arrays) {
    Array& target = array(operand);
    for (std::size_t i = 0; i < described.bytes.size(); ++i) {
      target.write(address + i, 1,
                   static_cast<unsigned char>(described.bytes[i]));
    }
  }
  for (const CellCode& cell : object.cells) {
    execute(code, cell.block);
    Array& target = array(cell.array);
    target.write(address + cell.offset,
                 std::max(1U, cell.value.width / target.element_width()),
                 load(cell.value.operand, cell.value.width));
  }
}

const ObjectCode* Machine::object_at(std::uint64_t address,
                                     std::uint64_t& first) {
  const auto search = [&](const FunctionCode& code,
                          std::uint64_t* words) -> const ObjectCode* {
    for (const ObjectCode& object : code.objects) {
      first = (object.address & kGlobal) != 0 ? word(object.address)
                                              : words[object.address];
      if (address >= first && address - first < program_[object.object].size) {
        return &object;
      }
    }
    return nullptr;
  };
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (address < frame->first_free) continue;
    const auto* const found =
        search(*frame->code, words_.data() + frame->first_word);
    if (found != nullptr) return found;
  }
  return search(globals_, nullptr);
}

void Machine::call_routine(FunctionId id, const EdgeCode& edge) {
  const Function& routine = program_[id];
  const FunctionCode& caller = *frames_.back().code;
  Action action;
  action.routine = id;
  action.arguments = values_;
  action.position = program_[caller.function].body.edge(edge.edge).position;
  if (!call_allocator(routine)) {
    Bytes bytes(*this);
    values_ = environment_.call(program_, routine, action.arguments, bytes);
    values_.resize(
        std::max<std::size_t>(routine.results.size(), edge.num_results), 0);
    for (std::size_t i = 0; i < routine.results.size(); ++i) {
      const Type& type = program_.types[routine.results[i]];
      if (!type.is_scalar()) continue;
      values_[i] = term::truncate(
          values_[i], program_.types.sort(routine.results[i]).width);
    }
  }
  action.results = values_;
  if (options_.listener != nullptr) options_.listener->called(action);
  run_.actions.push_back(std::move(action));
}

bool Machine::call_outside(const EdgeCode& edge, std::uint64_t address) {
  if (address == 0) return stop(Outcome::BadCall);
  Bytes bytes(*this);
  auto results = environment_.call_outside(program_, address, values_, bytes);
  if (!results) return stop(Outcome::BadCall);
  values_ = std::move(*results);
  store_results(edge);
  frames_.back().location = edge.to;
  return true;
}

void Machine::tell_left(FunctionId function) {
  Bytes bytes(*this);
  options_.listener->left(function, values_, MachineState(*this), bytes);
}

bool Machine::call_allocator(const Function& routine) {
  const std::string_view name = routine.name;
  allocator_ = &routine;
  const auto argument = [&](std::size_t i) {
    return i < values_.size() ? static_cast<std::uint64_t>(term::truncate(
                                    values_[i], program_.pointer_width()))
                              : 0;
  };
  std::uint64_t address = 0;
  if (name == "malloc") {
    address = allocate_heap(argument(0), kHeapAlignment);
  } else if (name == "calloc") {
    address = allocate_zeroed(argument(0), argument(1));
  } else if (name == "realloc") {
    address = reallocate(argument(0), argument(1));
  } else if (name == "aligned_alloc") {
    address = allocate_heap(argument(1), std::max(argument(0), kHeapAlignment));
  } else if (name == "alloca" || name == "__builtin_alloca") {
    // Not counted as an allocation for the heap: the return gives it back.
    address = allocate_heap(argument(0), kHeapAlignment);
    --allocations_;
    heap_.erase(address);
  } else if (name == "free") {
    heap_.erase(argument(0));
    values_.clear();
    return true;
  } else {
    return false;
  }
  values_ = {address};
  return true;
}

std::uint64_t Machine::allocate_heap(std::uint64_t size,
                                     std::uint64_t alignment) {
  ++allocations_;
  const auto chosen = environment_.allocate(program_, *allocator_);
  if (chosen) {
    for (Array* const each : memory_) each->forget(*chosen, size);
    heap_[*chosen] = size;
    return *chosen;
  }
  const auto address = allocate(size, alignment);
  if (!address.has_value()) return 0;
  if (*address < never_used_) {
    const std::uint64_t used = std::min(size, never_used_ - *address);
    for (Array* const each : memory_) each->forget(*address, used);
  }
  never_used_ = std::max(never_used_, first_free_);
  heap_[*address] = size;
  return *address;
}

std::uint64_t Machine::allocate_zeroed(std::uint64_t number,
                                       std::uint64_t size) {
  if (size != 0 && number > kMaxFilledBytes / size) return 0;
  const std::uint64_t address = allocate_heap(number * size, kHeapAlignment);
  if (address == 0) return 0;
  for (Array* const each : memory_) each->zero(address, number * size);
  return address;
}

std::uint64_t Machine::reallocate(std::uint64_t old, std::uint64_t size) {
  const auto found = heap_.find(old);
  const std::uint64_t old_size = found == heap_.end() ? 0 : found->second;
  const std::uint64_t copied = std::min(old_size, size);
  if (copied > kMaxFilledBytes) return 0;
  const std::uint64_t address = allocate_heap(size, kHeapAlignment);
  if (address == 0) return 0;
  for (Array* const each : memory_) {
    buffer_.resize(copied * each->cell_size());
    each->read_range(old, copied, buffer_.data());
    each->write_range(address, copied, buffer_.data());
  }
  heap_.erase(old);
  return address;
}

}  // namespace agon::ir::machine
