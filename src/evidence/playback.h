// SPDX-License-Identifier: Apache-2.0
/// Runs recordings.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evidence/recording.h"
#include "ir/interpreter.h"

namespace agon::evidence {

/// Where the interpreter puts what no recording speaks of: far from all that
/// one can speak of.
constexpr std::uint64_t first_address(unsigned pointer_width) {
  return pointer_width == 64 ? std::uint64_t{1} << 44 : 0xB000'0000;
}

/// How a recording is to be run.
ir::InterpreterOptions playback_options(const ir::Program& program);

/// Answers as recorded. A question that is not the recorded one gets 0, and
/// `problem` then says which it was.
class Playback : public ir::Environment {
 public:
  /// `recording` has to outlive it.
  explicit Playback(const Recording& recording);

  term::Bits choose(const ir::Program& program, const ir::Havoc& havoc,
                    const ir::Position& position) override;
  const term::Value* choose_array(const ir::Program& program,
                                  const ir::Havoc& havoc,
                                  const ir::Position& position) override;
  std::vector<term::Bits> call(const ir::Program& program,
                               const ir::Function& routine,
                               std::span<const term::Bits> arguments,
                               ir::MemoryAccess& memory) override;
  std::optional<std::vector<term::Bits>> call_outside(
      const ir::Program& program, std::uint64_t address,
      std::span<const term::Bits> arguments, ir::MemoryAccess& memory) override;
  std::uint8_t initial_byte(std::uint64_t address) override;
  term::Bits initial_value(const ir::Program& program,
                           ir::VariableId variable) override;
  std::optional<std::uint64_t> place(const ir::Program& program,
                                     ir::ObjectId object,
                                     const ir::StateView& state) override;
  std::optional<std::uint64_t> place(const ir::Program& program,
                                     ir::FunctionId function) override;
  std::optional<std::uint64_t> allocate(const ir::Program& program,
                                        const ir::Function& routine) override;

  /// Is shown what a routine changes, before it does.
  using Watch =
      std::function<void(const Recording::Answer&, ir::MemoryAccess&)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  const std::optional<std::string>& problem() const { return problem_; }
  /// The answer that was given last; null before the first.
  const Recording::Answer* last() const {
    return next_ == 0 ? nullptr : &recording_.answers[next_ - 1];
  }
  std::size_t num_answers() const { return next_; }
  /// Of the function of other files that was called last: its address, and what
  /// it was given.
  std::uint64_t outside_address() const { return outside_address_; }
  const std::vector<term::Bits>& outside_arguments() const {
    return outside_arguments_;
  }

 private:
  std::vector<term::Bits> answer_call(const ir::Program& program,
                                      const std::string& routine,
                                      ir::MemoryAccess& memory);
  bool is_next(Recording::Kind kind, const std::string& name) const;
  const Recording::Answer* next(Recording::Kind kind, const std::string& name);

  const Recording& recording_;
  Watch watch_;
  std::size_t next_ = 0;
  std::unordered_map<std::uint64_t, std::uint8_t> memory_;
  std::map<std::string, term::Bits> initial_;
  term::Value array_;
  std::uint64_t outside_address_ = 0;
  std::vector<term::Bits> outside_arguments_;
  std::optional<std::string> problem_;
};

}  // namespace agon::evidence
