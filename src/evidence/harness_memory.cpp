// SPDX-License-Identifier: Apache-2.0
// Addresses in a harness, and the memory that they are of.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "evidence/harness_writer.h"
#include "evidence/playback.h"
#include "ir/addresses.h"

namespace agon::evidence {
namespace {

constexpr std::uint64_t kPage = 4096;
// Above what is allocated in a recording; a process has no such addresses.
constexpr std::uint64_t kEnd = std::uint64_t{1} << 63;
// Where the memory of a client can be, instead of where a recording has it.
constexpr std::uint64_t kClientSize = std::uint64_t{1} << 45;
constexpr std::uint64_t kClientStart = kClientSize;

}  // namespace

std::optional<HarnessWriter::InObject> HarnessWriter::object_at(
    std::uint64_t address) const {
  for (const auto& [id, first] : script_.objects) {
    if (address >= first && address - first < program_[id].size) {
      return InObject{id, address - first};
    }
  }
  return std::nullopt;
}

const ir::Function* HarnessWriter::function_at(std::uint64_t address) const {
  for (const auto& [id, place] : script_.functions) {
    if (address == place) return &program_[id];
  }
  return nullptr;
}

bool HarnessWriter::is_outside(std::uint64_t address) const {
  const unsigned width = program_.pointer_width();
  const bool is_placed = std::ranges::any_of(placed_, [&](const auto& object) {
    return address >= object.first && address - object.first < object.second;
  });
  if (is_of_client(address)) return true;
  return address >= kFirstMapped && address < first_address(width) &&
         !is_placed && !object_at(address) &&
         (width == 64 || address < (std::uint64_t{1} << 30));
}

const OutsideFunction* HarnessWriter::outside_at(std::uint64_t address) const {
  const auto found =
      std::ranges::find(script_.outside, address, &OutsideFunction::address);
  if (found == script_.outside.end()) return nullptr;
  if (address == 0) throw Impossible{"a null pointer is called"};
  return &*found;
}

bool HarnessWriter::is_of_client(std::uint64_t address) const {
  const unsigned width = program_.pointer_width();
  return width == 64 && !script_.calls.empty() &&
         address >= ir::client_start(width) && address < ir::heap_start(width);
}

/// Where memory from outside is mapped.
std::uint64_t HarnessWriter::place(std::uint64_t address) const {
  return is_of_client(address) ? kClientStart + address % kClientSize : address;
}

/// The address as an expression of type `unsigned char *`.
std::string HarnessWriter::pointer(Bits wide, const ScriptStep* step) const {
  const auto address = static_cast<std::uint64_t>(wide);
  if (const OutsideFunction* const function = outside_at(address)) {
    declare(fmt::format("extern void {}();\n", function->name));
    return fmt::format("((unsigned char *){})", function->name);
  }
  if (address == 0) return "(void *)0";
  if (const auto found = object_at(address)) {
    return fmt::format("((unsigned char *){} + {})", symbol(found->id),
                       found->offset);
  }
  if (const ir::Function* const function = function_at(address)) {
    if (!includes_) {
      if (function->is_static) {
        throw Impossible{fmt::format("'{}' is static", function->display)};
      }
      declare(fmt::format("extern void {}();\n", function->display));
    }
    return fmt::format("((unsigned char *){})", function->display);
  }
  if (step != nullptr) {
    if (std::string found = given_pointer(address, *step); !found.empty()) {
      return found;
    }
    if (std::string found = found_pointer(address, *step); !found.empty()) {
      return found;
    }
  }
  return fmt::format("((unsigned char *){:#x})", place(address));
}

/// Whether one address is in a local, and the other one is not.
bool HarnessWriter::leaves_local(std::uint64_t from, std::uint64_t to) const {
  return std::ranges::any_of(script_.locals, [&](const auto& local) {
    const auto& [id, first] = local;
    return from - first < program_[id].size && to - first >= program_[id].size;
  });
}

/// Whether an address is in a local to which no pointer was given.
bool HarnessWriter::is_in_untold_local(std::uint64_t address) const {
  return std::ranges::any_of(script_.locals, [&](const auto& local) {
    const auto is_inside = [&](std::uint64_t each) {
      return each - local.second < program_[local.first].size;
    };
    return is_inside(address) &&
           std::ranges::none_of(given_, is_inside, &Given::address);
  });
}

/// Whether one address is in an object, or what was allocated, and the other
/// one behind it there, or at its end.
bool HarnessWriter::is_behind(std::uint64_t from, std::uint64_t to) const {
  const auto is_of = [&](std::uint64_t first, std::uint64_t size) {
    return to - first < size && from - first <= size;
  };
  const bool is_local =
      std::ranges::any_of(script_.locals, [&](const auto& local) {
        return is_of(local.second, program_[local.first].size);
      });
  std::uint64_t first = 0;
  for (const Recording::Answer& answer : recording_.answers) {
    if (answer.kind != Recording::Kind::Heap || answer.values.empty()) continue;
    const auto start =
        static_cast<std::uint64_t>(number(answer.values.front()));
    if (start < from) first = std::max(first, start);
  }
  return is_local || (first != 0 && is_of(first, kNear));
}

bool HarnessWriter::is_end_of_local(std::uint64_t address) const {
  return std::ranges::any_of(placed_, [&](const auto& object) {
    return address == object.first + object.second;
  });
}

/// Whether a pointer leads to an address.
bool HarnessWriter::is_near(std::uint64_t from, std::uint64_t to) const {
  return is_behind(from, to) ||
         (to - from < kNear && !leaves_local(from, to) && from >= kFirstMapped);
}

/// The same from a pointer that it can find.
std::string HarnessWriter::found_pointer(std::uint64_t address,
                                         const ScriptStep& step) const {
  if (!finds_bases_) return "";
  for (const ScriptStep::Found& found : step.found) {
    if (!is_near(found.value, address)) continue;
    const std::string place = found_place(found, step);
    if (place.empty()) continue;
    const auto known = std::ranges::find(bases_, place);
    const auto number = known - bases_.begin();
    if (known == bases_.end()) bases_.push_back(place);
    return fmt::format("(agon_base_{} + {})", number,
                       static_cast<std::int64_t>(address - found.value));
  }
  return "";
}

/// Where it is, as an expression of type `unsigned char *`; empty if nobody
/// else knows.
std::string HarnessWriter::found_place(const ScriptStep::Found& found,
                                       const ScriptStep& step) const {
  if (!found.variable.empty()) {
    const ir::Variable* const variable = global(found.variable);
    if (variable == nullptr || variable->is_static ||
        variable->term.sort().width != program_.pointer_width()) {
      return "";
    }
    if (!includes_) define(*variable);
    return fmt::format("(unsigned char *){}", variable->display);
  }
  const auto object = object_at(found.place);
  if (object && program_[object->id].is_static) return "";
  std::string place;
  if (object || is_outside(found.place)) {
    place = pointer(found.place, nullptr);
  } else if (!is_in_untold_local(found.place)) {
    place = given_pointer(found.place, step);
  }
  return place.empty() ? "" : fmt::format("*(unsigned char **){}", place);
}

/// An address next to something that the routine was given, or an earlier one;
/// empty if it is not.
std::string HarnessWriter::given_pointer(std::uint64_t address,
                                         const ScriptStep& step) const {
  const auto own = static_cast<std::size_t>(&step - script_.steps.data());
  for (const Given& given : std::views::reverse(given_)) {
    if (given.step > own || !is_near(given.address, address)) continue;
    const ScriptStep& from = script_.steps[given.step];
    const std::vector<std::string> names = arguments(from);
    if (given.argument >= names.size()) continue;
    keeps_ = keeps_ || given.step != own;
    return fmt::format(
        "((unsigned char *){} + {})",
        given.step == own
            ? names[given.argument]
            : fmt::format("agon_given[{}][{}]", given.step, given.argument),
        static_cast<std::int64_t>(address - given.address));
  }
  return "";
}

/// Writes bytes, and pointers to objects of the program as such.
std::string HarnessWriter::write_memory(
    const std::vector<Recording::Cell>& cells, const ScriptStep* step) const {
  std::map<std::uint64_t, std::uint8_t> bytes;
  for (const Recording::Cell& cell : cells) bytes[cell.address] = cell.byte;
  const unsigned size = program_.pointer_width() / 8;
  std::string result;
  for (auto at = bytes.begin(); at != bytes.end();) {
    const std::uint64_t first = at->first - at->first % size;
    std::uint64_t whole = 0;
    auto end = at;
    for (; end != bytes.end() && end->first - first < size; ++end) {
      whole |= std::uint64_t{end->second} << (8 * (end->first - first));
    }
    // At the start, what is not recorded is 0.
    const bool is_whole = step == nullptr || std::distance(at, end) == size;
    if (is_whole && is_elsewhere(whole)) {
      result += fmt::format("  *(void **){} = {};\n", writable(first, step),
                            pointer(whole, step));
      at = end;
    }
    for (; at != end; ++at) {
      result +=
          fmt::format("  *{} = {};\n", writable(at->first, step), at->second);
    }
  }
  return result;
}

/// Whether a pointer is another number in the process.
bool HarnessWriter::is_elsewhere(std::uint64_t address) const {
  return object_at(address) || function_at(address) != nullptr ||
         outside_at(address) != nullptr || is_of_client(address);
}

std::string HarnessWriter::writable(std::uint64_t address,
                                    const ScriptStep* step) const {
  std::string place = pointer(address, step);
  if (place.find("0x") == std::string::npos || is_outside(address)) {
    return place;
  }
  throw Impossible{
      fmt::format("memory is changed at {:#x}, which the routine that "
                  "changes it was not given",
                  address)};
}

std::string HarnessWriter::set_up_memory() const {
  std::map<std::uint64_t, std::uint64_t> pages;
  for (const std::uint64_t address : script_.touched) {
    if (is_outside(address)) {
      const auto [page, is_new] =
          pages.emplace(place(address) / kPage, address / kPage);
      if (!is_new && page->second != address / kPage) {
        throw Impossible{"the client of the module has too much memory"};
      }
    } else if (address < kFirstMapped || address >= kEnd) {
      throw Impossible{fmt::format(
          "memory is used at {:#x}, where no process has any", address)};
    }
  }
  std::string result;
  for (const std::uint64_t page : std::views::keys(pages)) {
    result += fmt::format("  agon_map({:#x});\n", page * kPage);
  }
  std::vector<Recording::Cell> outside;
  for (const Recording::Cell& cell : recording_.memory) {
    if (is_outside(cell.address)) outside.push_back(cell);
  }
  return result + write_memory(outside, nullptr);
}

}  // namespace agon::evidence
