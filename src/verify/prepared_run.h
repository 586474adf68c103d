// SPDX-License-Identifier: Apache-2.0
/// What a prepared program chooses, reads and allocates in one execution, in
/// terms of the source. For record.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/interpreter.h"
#include "verify/record.h"
#include "verify/sequential.h"

namespace agon::verify {

/// Where the calls stand that have not returned, the first one first.
using Calls = std::vector<ir::Position>;

/// Something that the prepared program chose or allocated.
struct Chosen {
  /// Some elements of an array.
  struct Part {
    std::uint64_t first = 0;
    std::uint64_t size = 0;
  };
  ir::Position position;
  Calls calls;
  ir::VariableId target;
  term::Value value;
  std::string source;  ///< The routine that was asked, if any.
  bool is_allocation = false;
  /// Of an array: the memory that gets it, which may be another variable, and
  /// the parts of that which stay as they were.
  ir::VariableId array;
  std::vector<Part> kept;
};

/// Runs a prepared program up to so many actions, or where it rests then.
class PreparedRun final : public ir::ZeroEnvironment, public ir::Listener {
 public:
  /// The arguments have to outlive it.
  PreparedRun(const Task& task, const term::Assignment& initial,
              const Choices& choices, std::size_t num_actions,
              evidence::Until until);

  const std::vector<Chosen>& chosen() const { return chosen_; }
  const ir::Run& run() const { return run_; }
  /// The elements of an array that were looked at at any time.
  const std::set<std::uint64_t>& reads(ir::VariableId array) const;

  bool step(const ir::Step& step, const ir::StateView& state) override;
  bool may_skip() override { return !heap_.valid() && num_actions_ < needed_; }
  void read(ir::VariableId array, std::uint64_t index,
            std::uint64_t count) override;
  std::vector<term::Bits> call(const ir::Program&, const ir::Function&,
                               std::span<const term::Bits>,
                               ir::MemoryAccess&) override;
  term::Bits choose(const ir::Program&, const ir::Havoc& havoc,
                    const ir::Position&) override;
  const term::Value* choose_array(const ir::Program&, const ir::Havoc& havoc,
                                  const ir::Position&) override;
  term::Bits initial_value(const ir::Program&,
                           ir::VariableId variable) override;
  const term::Value* initial_array(const ir::Program&,
                                   ir::VariableId variable) override;

 private:
  bool is_over(const ir::Step& step);
  void note_change(const ir::Assign& assign, const ir::StateView& state);
  void note_kept(term::Term copies, const ir::StateView& state,
                 std::vector<Chosen::Part>& kept) const;
  Chosen at_edge(ir::VariableId target) const;
  const term::Value& next(const ir::Havoc& havoc);

  const ir::Program& program_;
  const ir::Cfa& body_;
  const term::Assignment& initial_;
  const Choices& choices_;
  std::size_t needed_;
  evidence::Until until_;
  evidence::Rests rests_;
  std::size_t num_actions_ = 0;
  std::size_t next_ = 0;
  ir::VariableId heap_;
  term::Assignment addresses_;
  const ir::Edge* edge_ = nullptr;
  std::vector<Chosen> chosen_;
  std::map<ir::VariableId, std::set<std::uint64_t>> reads_;
  ir::Run run_;
};

/// Where the objects of a prepared program lie, by where they are declared and
/// the calls through which they came.
class Places {
 public:
  Places(const Task& task, const ir::Run& run);

  /// The place of an object of the original program that comes into being.
  std::optional<std::uint64_t> find(const ir::Object& object,
                                    const ir::StateView& state) const;
  std::optional<std::uint64_t> find(const ir::Function& function) const;

 private:
  std::map<std::string, std::uint64_t> by_name_;
  std::map<std::string, std::uint64_t> functions_;  // By name.
  std::map<std::pair<ir::Position, Calls>, std::uint64_t> locals_;
};

}  // namespace agon::verify
