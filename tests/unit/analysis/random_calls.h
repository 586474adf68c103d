// SPDX-License-Identifier: Apache-2.0
/// Random programs with calls, and environments to run them in.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ir/interpreter.h"
#include "ir/program.h"
#include "support/hash.h"

namespace agon::test {

/// How often random tests repeat: `count` times AGON_TEST_SCALE.
inline unsigned scaled(unsigned count) {
  const char* scale = std::getenv("AGON_TEST_SCALE");
  if (scale == nullptr) return count;
  return static_cast<unsigned>(count * std::max(std::atof(scale), 0.001));
}

struct RandomProgramOptions {
  bool recursion = true;
  bool pointers = false;  ///< Calls through pointers.
  bool mismatches = false;
  unsigned num_functions = 4;
  unsigned size = 14;  ///< Locations per function, about.
};

/// Functions `f0` (the entry), `f1`, … over bytes, an array in memory and
/// locals whose address is taken, with any jumps, and routines without a body.
/// Every edge has a line of its own. Locals are assigned before anything else.
class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, const RandomProgramOptions& options)
      : program(ir::DataModel::LP64), options_(options), random_(seed) {
    program.files.push_back("random.c");
    byte_ = add_type(1);
    add_globals();
    add_routines();
    for (unsigned i = 0; i < options.num_functions; ++i) declare(i);
    if (options.pointers) {
      for (const ir::FunctionId f : functions_) {
        if (chance(60)) program.address_of(f);
      }
    }
    for (unsigned i = 0; i < options.num_functions; ++i) define(i);
  }

  ir::Program program;

 private:
  using Term = term::Term;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  term::Pool& pool() { return *program.pool; }
  ir::Position position() { return {ir::FileId(0), ++line_, 1}; }

  ir::TypeId add_type(unsigned size) {
    ir::Type type;
    type.kind = ir::TypeKind::Integer;
    type.size = size;
    type.name = "unsigned char";
    return program.types.add(type);
  }

  ir::VariableId add_variable(std::string name, ir::VariableKind kind,
                              ir::FunctionId owner, unsigned width = 8) {
    ir::Variable variable;
    variable.name = name;
    variable.display = name;
    variable.kind = kind;
    variable.owner = owner;
    variable.type = byte_;
    return program.add_variable(variable, term::Sort::bits(width));
  }

  void add_globals() {
    for (unsigned i = 0; i < 3; ++i) {
      globals_.push_back(
          add_variable("g" + std::to_string(i), ir::VariableKind::Global, {}));
      if (chance(50)) {
        program.variables[globals_.back().index()].initial =
            pool().bits(below(4), 8);
      }
    }
    ir::Object object;
    object.name = object.display = "array";
    object.size = 8;
    object.is_zeroed = true;
    object.initial.push_back({program.memory, 2, pool().bits(5, 8)});
    array_ = program.add_object(object);
  }

  void add_routines() {
    for (unsigned i = 0; i < 4; ++i) {
      ir::Function routine;
      routine.name = routine.display = "u" + std::to_string(i);
      if (i % 2 == 1) routine.results.push_back(byte_);
      routines_.push_back(program.add_function(routine));
    }
    ir::Function poke;
    poke.name = poke.display = "poke";  // Writes where its argument points.
    routines_.push_back(program.add_function(poke));
  }

  void declare(unsigned i) {
    ir::Function function;
    function.name = function.display = "f" + std::to_string(i);
    function.has_body = true;
    if (chance(70)) function.results.push_back(byte_);
    if (chance(20)) function.results.push_back(byte_);
    const ir::FunctionId id = program.add_function(function);
    functions_.push_back(id);
    const unsigned parameters = below(3);
    for (unsigned p = 0; p < parameters; ++p) {
      const unsigned width = options_.mismatches && chance(20) ? 16 : 8;
      const ir::VariableId parameter = add_variable(
          "p" + std::to_string(p), ir::VariableKind::Parameter, id, width);
      program.functions[id.index()].parameters.push_back(parameter);
    }
  }

  void define(unsigned i) {
    function_ = functions_[i];
    index_ = i;
    body_ = ir::Cfa();
    variables_ = globals_;
    for (const ir::VariableId p : program[function_].parameters) {
      if (program[p].term.width() == 8) variables_.push_back(p);
    }
    locations_.clear();
    const unsigned size = 3 + below(options_.size);
    for (unsigned n = 0; n < size; ++n) {
      locations_.push_back(body_.add_location());
    }
    exit_ = body_.add_location();
    body_.set_exit(exit_);
    body_.set_entry(body_.add_location());
    ir::LocationId at = body_.entry();
    add_locals(at);
    add_edge(at, locations_[0], ir::Assume{pool().boolean(true)});
    for (unsigned n = 0; n < size; ++n) fill(n);
    body_.finish();
    program.functions[function_.index()].body = std::move(body_);
  }

  void add_locals(ir::LocationId& at) {
    for (unsigned n = 0; n < 3; ++n) {
      const ir::VariableId local = add_variable(
          "x" + std::to_string(n), ir::VariableKind::Local, function_);
      program.functions[function_.index()].locals.push_back(local);
      const ir::LocationId next = body_.add_location();
      if (chance(40)) {
        add_edge(at, next, ir::Havoc{local, ir::HavocReason::Input, {}});
      } else {
        add_edge(at, next, ir::Assign{local, pool().bits(below(4), 8)});
      }
      at = next;
      variables_.push_back(local);
    }
    object_ = {};
    if (!chance(40)) return;
    ir::Object object;
    object.name = object.display = "local";
    object.kind = ir::ObjectKind::Local;
    object.size = 1;
    object.owner = function_;
    object_ = program.add_object(object);
    program.functions[function_.index()].objects.push_back(object_);
    const ir::LocationId next = body_.add_location();
    add_edge(at, next, write(program[object_].address, pool().bits(1, 8)));
    at = next;
  }

  void add_edge(ir::LocationId from, ir::LocationId to,
                ir::Statement statement) {
    body_.add_edge({from, to, std::move(statement), position(), {}});
  }

  Term variable() { return program[any_variable()].term; }
  ir::VariableId any_variable() {
    return variables_[below(static_cast<unsigned>(variables_.size()))];
  }

  Term address() {
    if (object_.valid() && chance(50)) return program[object_].address;
    const Term offset = pool().bit_and(variable(), pool().bits(7, 8));
    return pool().add(program[array_].address, pool().zero_extend(offset, 64));
  }

  ir::Statement write(Term where, Term value) {
    const Term memory = program[program.memory].term;
    return ir::Assign{program.memory, pool().write(memory, where, value)};
  }

  Term expression() {
    switch (below(6)) {
      case 0:
        return pool().bits(below(5), 8);
      case 1:
        return pool().add(variable(), pool().bits(1, 8));
      case 2:
        return pool().add(variable(), variable());
      case 3:
        return pool().read(program[program.memory].term, address());
      default:
        return variable();
    }
  }

  Term condition() {
    if (chance(30)) return pool().equal(variable(), pool().bits(below(4), 8));
    return pool().unsigned_less(expression(), expression());
  }

  ir::LocationId target(unsigned from) {
    const auto size = static_cast<unsigned>(locations_.size());
    if (from + 1 < size && chance(85)) {
      return locations_[from + 1 + (chance(30) ? below(size - from - 1) : 0)];
    }
    return locations_[below(size)];
  }

  void fill(unsigned n) {
    const ir::LocationId at = locations_[n];
    const unsigned kind = n + 1 == locations_.size() ? 99 : below(100);
    if (kind < 22) {
      add_edge(at, target(n), ir::Assign{any_variable(), expression()});
    } else if (kind < 26) {
      add_edge(at, target(n),
               ir::Havoc{any_variable(), ir::HavocReason::Input, {}});
    } else if (kind < 30) {
      add_edge(at, target(n), write(address(), expression()));
    } else if (kind < 34) {
      fill_loop(n);
    } else if (kind < 58) {
      fill_branch(n);
    } else if (kind < 60) {
      add_edge(at, target(n), ir::Assume{condition()});
    } else if (kind < 79) {
      add_edge(at, target(n), unknown_call());
    } else if (kind < 95) {
      add_edge(at, target(n), known_call());
    } else if (kind < 97) {
      // Execution stops.
    } else {
      ir::Return ret;
      for (std::size_t k = 0; k < program[function_].results.size(); ++k) {
        ret.values.push_back(expression());
      }
      add_edge(at, exit_, ret);
    }
  }

  void fill_branch(unsigned n) {
    const Term first = condition();
    const Term other = pool().negation(first);
    add_edge(locations_[n], target(n), ir::Assume{first});
    if (chance(80)) {
      add_edge(locations_[n], target(n), ir::Assume{other});
      return;
    }
    const Term second = condition();
    add_edge(locations_[n], target(n),
             ir::Assume{pool().conjunction({other, second})});
    add_edge(locations_[n], target(n),
             ir::Assume{pool().conjunction({other, pool().negation(second)})});
  }

  // A loop that counts, unless something else disturbs its counter.
  void fill_loop(unsigned n) {
    const ir::VariableId counter =
        add_variable("i", ir::VariableKind::Local, function_);
    program.functions[function_.index()].locals.push_back(counter);
    const ir::LocationId head = body_.add_location();
    const ir::LocationId inside = body_.add_location();
    const ir::LocationId last = body_.add_location();
    const Term i = program[counter].term;
    const Term bound = chance(60) ? pool().bits(1 + below(4), 8) : expression();
    const Term stay = chance(70)   ? pool().unsigned_less(i, bound)
                      : chance(50) ? pool().signed_less(i, bound)
                                   : pool().negation(pool().equal(i, bound));
    const unsigned step = chance(80) ? 1 : chance(50) ? 2 : 255;
    add_edge(locations_[n], head, ir::Assign{counter, pool().bits(0, 8)});
    add_edge(head, inside, ir::Assume{stay});
    add_edge(head, target(n), ir::Assume{pool().negation(stay)});
    if (chance(20)) variables_.push_back(counter);
    if (chance(50)) {
      add_edge(inside, last, ir::Assign{any_variable(), expression()});
    } else {
      add_edge(inside, last, chance(50) ? known_call() : unknown_call());
    }
    const ir::LocationId back = chance(90) ? head : target(n);
    add_edge(last, back,
             ir::Assign{counter, pool().add(i, pool().bits(step, 8))});
  }

  ir::Statement unknown_call() {
    ir::Call call;
    const unsigned which = below(5);
    call.callee = routines_[which];
    if (which == 4) {
      call.arguments = {address(), expression()};
      return call;
    }
    for (unsigned i = 0; i < which; ++i) {
      call.arguments.push_back(expression());
    }
    if (which % 2 == 1 && chance(80)) call.results = {any_variable()};
    return call;
  }

  ir::Statement known_call() {
    const auto count = static_cast<unsigned>(functions_.size());
    ir::FunctionId callee;
    if (options_.recursion && chance(15)) {
      callee = functions_[below(count)];
    } else if (index_ + 1 < count) {
      callee = functions_[index_ + 1 + below(count - index_ - 1)];
    } else {
      return unknown_call();
    }
    ir::Call call;
    for (const ir::VariableId p : program[callee].parameters) {
      Term argument = expression();
      if (!options_.mismatches) {
        argument = pool().resize(argument, program[p].term.width(), false);
      }
      call.arguments.push_back(argument);
    }
    if (options_.mismatches && chance(10)) {
      call.arguments.push_back(expression());
    }
    std::set<ir::VariableId> used;
    if (chance(85)) {
      for (std::size_t k = 0; k < program[callee].results.size(); ++k) {
        ir::VariableId result = any_variable();
        while (!used.insert(result).second) result = any_variable();
        call.results.push_back(result);
      }
    }
    call.callee = callee;
    if (options_.pointers && chance(50)) make_indirect(call);
    return call;
  }

  // Now and then the pointer is 0, and the call goes nowhere.
  void make_indirect(ir::Call& call) {
    if (!program[call.callee].address.valid()) return;
    const Term address = program[call.callee].address;
    call.pointer = chance(80)
                       ? address
                       : pool().ite(condition(), address, pool().bits(0, 64));
    call.callee = {};
  }

  RandomProgramOptions options_;
  std::mt19937_64 random_;
  ir::TypeId byte_;
  std::uint32_t line_ = 0;
  std::vector<ir::VariableId> globals_;
  std::vector<ir::FunctionId> routines_;
  std::vector<ir::FunctionId> functions_;
  ir::ObjectId array_;

  // The function that is being made.
  ir::FunctionId function_;
  unsigned index_ = 0;
  ir::Cfa body_;
  std::vector<ir::VariableId> variables_;
  std::vector<ir::LocationId> locations_;
  ir::LocationId exit_;
  ir::ObjectId object_;
};

/// Values from a hash of the seed and of where they are asked for, so that they
/// do not depend on what else a program does.
class HashEnvironment : public ir::Environment {
 public:
  /// `counting`: values also depend on how often they were asked for there.
  HashEnvironment(std::uint64_t seed, bool counting)
      : seed_(seed), counting_(counting) {}

  term::Bits choose(const ir::Program&, const ir::Havoc&,
                    const ir::Position& position) override {
    return value(position.line, choices_[position.line]++) % 4;
  }

  std::vector<term::Bits> call(const ir::Program&, const ir::Function& routine,
                               std::span<const term::Bits> arguments,
                               ir::MemoryAccess& memory) override {
    const std::uint64_t name = std::hash<std::string>()(routine.name);
    const std::uint64_t result = value(name, calls_[routine.name]++);
    if (routine.name == "poke") {
      memory.write_byte(static_cast<std::uint64_t>(arguments[0]),
                        static_cast<std::uint8_t>(result % 8));
    }
    return {result % 4};
  }

  std::uint8_t initial_byte(std::uint64_t) override { return 3; }

  term::Bits initial_value(const ir::Program& program,
                           ir::VariableId variable) override {
    return value(std::hash<std::string>()(program[variable].name), 0) % 4;
  }

 private:
  std::uint64_t value(std::uint64_t key, std::uint64_t count) const {
    return support::mix(seed_ * 31 + key + (counting_ ? count << 32 : 0));
  }

  std::uint64_t seed_;
  bool counting_;
  std::map<std::uint32_t, std::uint64_t> choices_;
  std::map<std::string, std::uint64_t> calls_;
};

/// What is observed of a run: routines by name and their arguments, except
/// addresses, which may differ.
struct Observation {
  ir::Outcome outcome = ir::Outcome::Returned;
  std::vector<term::Bits> results;
  std::vector<std::pair<std::string, std::vector<term::Bits>>> actions;
  std::uint64_t steps = 0;
};

inline Observation observe(const ir::Program& program, const std::string& entry,
                           HashEnvironment environment,
                           std::uint64_t max_steps) {
  ir::InterpreterOptions options;
  options.max_steps = max_steps;
  options.max_depth = 200;
  const ir::Run run = ir::interpret(program, *program.find_function(entry),
                                    environment, options);
  Observation result{run.outcome, run.results, {}, run.steps};
  for (const ir::Action& action : run.actions) {
    const std::string& name = program[action.routine].name;
    auto arguments = action.arguments;
    if (name == "poke") arguments.erase(arguments.begin());
    result.actions.emplace_back(name, std::move(arguments));
  }
  return result;
}

}  // namespace agon::test
