// SPDX-License-Identifier: Apache-2.0
// The machine against an interpreter that follows the definitions literally.
#include <gtest/gtest.h>

#include <map>

#include "helpers/random_program.h"
#include "ir/interpreter.h"
#include "support/hash.h"
#include "term/evaluate.h"

namespace agon::ir {
namespace {

using term::Bits;
using term::Integer;
using term::Term;
using term::Value;

constexpr std::uint64_t kFirstAddress = 0x200;
/// Bytes from here on are 0 at first, and the others are not.
constexpr std::uint64_t kEndOfNoise = 0x300;

/// Arbitrary answers, the same for the same number.
class Noise : public Environment {
 public:
  explicit Noise(std::uint64_t seed) : seed_(seed) {}

  Bits choose(const Program&, const Havoc&, const Position&) override {
    return next();
  }
  std::vector<Bits> call(const Program&, const Function&,
                         std::span<const Bits> arguments,
                         MemoryAccess&) override {
    if (arguments.size() == 1) return {};
    return {next()};
  }
  std::uint8_t initial_byte(std::uint64_t address) override {
    if (address >= kEndOfNoise) return 0;
    return static_cast<std::uint8_t>(support::mix(address));
  }
  Bits initial_value(const Program&, VariableId variable) override {
    return support::mix(variable.value());
  }

 private:
  Bits next() {
    const Bits high = support::mix(++seed_);
    return high << 64 | support::mix(seed_ + 77);
  }
  std::uint64_t seed_;
};

Value scalar(term::Sort sort, Bits value) {
  Value result;
  result.sort = sort;
  result.number = Integer(term::truncate(value, sort.width));
  return result;
}

/// Keeps all variables in one assignment and evaluates terms one by one. A
/// call saves the variables of the callee, and its return brings them back.
class Naive {
 public:
  Naive(const Program& program, Environment& environment,
        const InterpreterOptions& options)
      : program_(program), environment_(environment), options_(options) {}

  Run run(FunctionId entry) {
    start();
    std::vector<Bits> arguments;
    for (const VariableId v : program_[entry].parameters) {
      arguments.push_back(environment_.initial_value(program_, v));
    }
    enter(entry, arguments);
    while (step()) {
    }
    run_.last_function = frames_.back().function;
    run_.last_location = frames_.back().location;
    return run_;
  }

 private:
  struct Frame {
    FunctionId function;
    LocationId location;
    const Edge* call = nullptr;
    std::vector<std::pair<Term, Value>> saved;
  };

  void start() {
    std::uint64_t next = kFirstAddress;
    const unsigned width = program_.pointer_width();
    for (const Object& object : program_.objects) {
      next =
          (next + object.alignment - 1) / object.alignment * object.alignment;
      values_[object.address] = scalar(term::Sort::bits(width), next);
      next += object.size;
    }
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      if (!program_.functions[i].address.valid()) continue;
      next = (next + 15) / 16 * 16;
      values_[program_.functions[i].address] =
          scalar(term::Sort::bits(width), next);
      function_at_[next] = FunctionId::at(i);
      next += 16;
    }
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      initialise(VariableId::at(i));
    }
    for (const Object& object : program_.objects) initialise(object);
  }

  void initialise(VariableId id) {
    const Variable& variable = program_[id];
    const term::Sort sort = variable.term.sort();
    if (variable.owner.valid()) return;
    if (variable.initial.valid()) {
      values_[variable.term] = term::evaluate(variable.initial, values_);
    } else if (sort.is_array()) {
      Value array;
      array.sort = sort;
      const Bits mask = term::mask(sort.index_width);
      for (std::uint64_t i = 0; i < kEndOfNoise + 8; ++i) {
        const Bits index = (Bits{i} - 8) & mask;
        Integer element = 0;
        for (unsigned k = 0; k < sort.width / 8; ++k) {
          const auto byte = environment_.initial_byte(
              static_cast<std::uint64_t>((index + k) & mask));
          element |= Integer(byte) << (8 * k);
        }
        if (element != 0) array.elements[Integer(index)] = element;
      }
      values_[variable.term] = array;
    } else {
      values_[variable.term] =
          scalar(sort, environment_.initial_value(program_, id));
    }
  }

  void initialise(const Object& object) {
    const Integer first = values_[object.address].number;
    for (const VariableId v : object.arrays) {
      Value& array = values_[program_[v].term];
      for (std::uint64_t i = 0; object.is_zeroed && i < object.size; ++i) {
        array.elements[first + i] = 0;
      }
    }
    for (const VariableId v : object.arrays) {
      for (std::size_t i = 0; i < object.bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(object.bytes[i]);
        values_[program_[v].term].elements[first + i] = byte;
      }
    }
    for (const InitialCell& cell : object.initial) {
      Value& array = values_[program_[cell.array].term];
      const Bits value = bits(cell.value);
      for (unsigned k = 0; k < cell.value.width() / 8; ++k) {
        array.elements[first + cell.offset + k] =
            Integer((value >> (8 * k)) & 0xff);
      }
    }
  }

  Bits bits(Term term) { return Bits(term::evaluate(term, values_).number); }

  bool enter(FunctionId id, const std::vector<Bits>& arguments) {
    if (frames_.size() > options_.max_depth) return stop(Outcome::DepthLimit);
    Frame frame;
    frame.function = id;
    frame.location = program_[id].body.entry();
    const Function& function = program_[id];
    for (const auto* list : {&function.parameters, &function.locals}) {
      for (const VariableId v : *list) {
        const Term term = program_[v].term;
        frame.saved.emplace_back(term, values_[term]);
        values_[term] = scalar(term.sort(), 0);
      }
    }
    for (std::size_t i = 0;
         i < std::min(arguments.size(), function.parameters.size()); ++i) {
      const Term term = program_[function.parameters[i]].term;
      values_[term] = scalar(term.sort(), arguments[i]);
    }
    frames_.push_back(frame);
    return true;
  }

  bool stop(Outcome outcome) {
    run_.outcome = outcome;
    return false;
  }

  bool step() {
    Frame& frame = frames_.back();
    const Cfa& body = program_[frame.function].body;
    if (body.out_edges(frame.location).empty()) {
      return stop(Outcome::Stopped);
    }
    if (run_.steps == options_.max_steps) return stop(Outcome::StepLimit);
    for (const EdgeId id : body.out_edges(frame.location)) {
      const Edge& edge = body.edge(id);
      const auto* const assume = std::get_if<Assume>(&edge.statement);
      if (assume != nullptr && bits(assume->condition) == 0) continue;
      ++run_.steps;
      run_.path.push_back(
          {frame.function, id, static_cast<std::uint32_t>(frames_.size() - 1)});
      return take(edge);
    }
    return stop(Outcome::Blocked);
  }

  bool take(const Edge& edge) {
    if (const auto* call = std::get_if<Call>(&edge.statement)) {
      return take_call(edge, *call);
    }
    if (const auto* leave = std::get_if<Return>(&edge.statement)) {
      return take_return(*leave);
    }
    if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
      const Value value = term::evaluate(assign->value, values_);
      values_[program_[assign->target].term] = value;
    } else if (const auto* havoc = std::get_if<Havoc>(&edge.statement)) {
      const Term target = program_[havoc->target].term;
      values_[target] = scalar(
          target.sort(), environment_.choose(program_, *havoc, edge.position));
    }
    frames_.back().location = edge.to;
    return true;
  }

  bool take_call(const Edge& edge, const Call& call) {
    std::vector<Bits> arguments;
    for (const Term argument : call.arguments) {
      arguments.push_back(bits(argument));
    }
    FunctionId callee = call.callee;
    if (!callee.valid()) {
      const auto found =
          function_at_.find(static_cast<std::uint64_t>(bits(call.pointer)));
      if (found == function_at_.end()) return stop(Outcome::BadCall);
      callee = found->second;
    }
    frames_.back().call = &edge;
    if (program_[callee].has_body) return enter(callee, arguments);
    struct None : MemoryAccess {
      std::uint8_t read_byte(std::uint64_t) override { return 0; }
      void write_byte(std::uint64_t, std::uint8_t) override {}
    } none;
    auto results =
        environment_.call(program_, program_[callee], arguments, none);
    results.resize(1);
    results[0] = term::truncate(results[0], 32);
    run_.actions.push_back({callee, arguments, results, edge.position});
    finish_call(results);
    return true;
  }

  bool take_return(const Return& leave) {
    std::vector<Bits> results;
    for (const Term value : leave.values) results.push_back(bits(value));
    if (frames_.size() == 1) {
      run_.results = results;
      frames_.back().location = program_[frames_.back().function].body.exit();
      return stop(Outcome::Returned);
    }
    const auto saved = std::move(frames_.back().saved);
    frames_.pop_back();
    for (const auto& [term, value] : saved) values_[term] = value;
    finish_call(results);
    return true;
  }

  void finish_call(const std::vector<Bits>& results) {
    const Edge& edge = *frames_.back().call;
    const auto& targets = std::get<Call>(edge.statement).results;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Term target = program_[targets[i]].term;
      values_[target] = scalar(target.sort(), results[i]);
    }
    frames_.back().location = edge.to;
  }

  const Program& program_;
  Environment& environment_;
  const InterpreterOptions& options_;
  term::Assignment values_;
  std::map<std::uint64_t, FunctionId> function_at_;
  std::vector<Frame> frames_;
  Run run_;
};

TEST(InterpreterRandom, AgreesWithEvaluationOfTermsStepByStep) {
  test::Random random(20);
  std::map<Outcome, int> seen;
  for (std::size_t i = 0; i < test::scaled(600); ++i) {
    SCOPED_TRACE(i);
    const Program program = test::random_program(random);
    InterpreterOptions options;
    options.max_steps = 120;
    options.max_depth = 6;
    options.record_path = true;
    options.first_address = kFirstAddress;
    const FunctionId entry = *program.find_function("f0");
    Noise noise(i);
    const auto run = interpret(program, entry, noise, options);
    Noise same(i);
    const auto naive = Naive(program, same, options).run(entry);

    ASSERT_EQ(run.path.size(), naive.path.size());
    ASSERT_EQ(run.path, naive.path);
    ASSERT_EQ(run.actions.size(), naive.actions.size());
    for (std::size_t k = 0; k < run.actions.size(); ++k) {
      ASSERT_TRUE(run.actions[k] == naive.actions[k]) << k;
    }
    ASSERT_EQ(run.outcome, naive.outcome);
    ASSERT_TRUE(run.results == naive.results);
    ASSERT_EQ(run.steps, naive.steps);
    ASSERT_EQ(run.last_function, naive.last_function);
    ASSERT_EQ(run.last_location, naive.last_location);
    ++seen[run.outcome];
  }
  EXPECT_GT(seen[Outcome::Returned], 20);
  EXPECT_GT(seen[Outcome::StepLimit], 20);
  EXPECT_GT(seen[Outcome::DepthLimit], 20);
}

}  // namespace
}  // namespace agon::ir
