// SPDX-License-Identifier: Apache-2.0
#include "ir/interpreter.h"

#include <gtest/gtest.h>

#include <set>

#include "helpers/build_program.h"

namespace agon::ir {
namespace {

using term::Bits;
using term::Term;
using test::Body;

/// Memory that holds something everywhere, and routines that use memory.
class Scribe : public ZeroEnvironment {
 public:
  std::uint8_t initial_byte(std::uint64_t address) override {
    return static_cast<std::uint8_t>(7 * address + 3);
  }
  Bits initial_value(const Program&, VariableId) override { return ~Bits{0}; }
  std::vector<Bits> call(const Program&, const Function& routine,
                         std::span<const Bits> arguments,
                         MemoryAccess& memory) override {
    const auto address = static_cast<std::uint64_t>(arguments[0]);
    if (routine.name == "put") {
      memory.write_byte(address, static_cast<std::uint8_t>(arguments[1]));
      return {};
    }
    return {memory.read_byte(address), 99};
  }
};

class InterpreterTest : public testing::Test {
 protected:
  Program program{DataModel::LP64};
  term::Pool& pool = *program.pool;
  TypeId integer = test::add_integer(program, "int", 4);
  TypeId wide = test::add_integer(program, "long", 8);
  TypeId pointer = test::add_pointer(program, integer);
  Scribe scribe;

  Term term(VariableId v) const { return program[v].term; }
  Term constant(std::int64_t value, unsigned width = 32) {
    return pool.bits(static_cast<Bits>(static_cast<term::SignedBits>(value)),
                     width);
  }
  Term load(Term address, unsigned bytes = 4) {
    return pool.read(term(program.memory), address, bytes);
  }
  auto run(FunctionId entry, std::vector<Bits> arguments = {},
           std::uint64_t max_steps = 1'000'000) {
    InterpreterOptions options;
    options.arguments = std::move(arguments);
    options.max_steps = max_steps;
    options.max_depth = 5000;
    return interpret(program, entry, scribe, options);
  }
  Call call(FunctionId callee, std::vector<Term> arguments,
            std::vector<VariableId> results = {}) {
    Call result;
    result.callee = callee;
    result.arguments = std::move(arguments);
    result.results = std::move(results);
    return result;
  }
};

TEST_F(InterpreterTest, ComputesFactorialsRecursively) {
  const FunctionId f = test::add_function(program, "factorial", {wide});
  Body body(program, f);
  const VariableId n = body.parameter("n", wide);
  const VariableId r = body.local("r", wide);
  const LocationId more = body.branch(
      pool.binary(term::Kind::SLessEqual, term(n), constant(1, 64)));
  body.leave({constant(1, 64)});
  body.here = more;
  body.add(call(f, {pool.subtract(term(n), constant(1, 64))}, {r}));
  body.leave({pool.multiply(term(n), term(r))});
  body.finish();

  const auto result = run(f, {20});
  EXPECT_EQ(result.outcome, Outcome::Returned);
  EXPECT_TRUE(result.results == std::vector<Bits>{2432902008176640000});
  EXPECT_EQ(run(f, {10'000}).outcome, Outcome::DepthLimit);
  EXPECT_EQ(run(f, {20}, 17).outcome, Outcome::StepLimit);
  EXPECT_EQ(run(f, {20}, 17).steps, 17U);
}

TEST_F(InterpreterTest, ComputesAckermann) {
  const FunctionId f = test::add_function(program, "ackermann", {integer});
  Body body(program, f);
  const VariableId m = body.parameter("m", integer);
  const VariableId n = body.parameter("n", integer);
  const VariableId r = body.local("r", integer);
  const LocationId m_positive = body.branch(pool.equal(term(m), constant(0)));
  body.leave({pool.add(term(n), constant(1))});
  body.here = m_positive;
  const Term less = pool.subtract(term(m), constant(1));
  const LocationId both = body.branch(pool.equal(term(n), constant(0)));
  body.add(call(f, {less, constant(1)}, {r}));
  body.leave({term(r)});
  body.here = both;
  body.add(call(f, {term(m), pool.subtract(term(n), constant(1))}, {r}));
  body.add(call(f, {less, term(r)}, {r}));
  body.leave({term(r)});
  body.finish();

  EXPECT_TRUE(run(f, {2, 3}).results == std::vector<Bits>{9});
  EXPECT_TRUE(run(f, {3, 3}).results == std::vector<Bits>{61});
}

TEST_F(InterpreterTest, GivesEveryCallObjectsOfItsOwn) {
  // f(n): int x = n; int* p = &x; if (n > 0) f(n - 1); return x;
  const FunctionId f = test::add_function(program, "f", {integer});
  const FunctionId see = test::add_function(program, "see", {}, false);
  Body body(program, f);
  const VariableId n = body.parameter("n", integer);
  const ObjectId x = test::add_object(program, "x", integer, f);
  const ObjectId y = test::add_object(program, "y", wide, f);
  const Term at_x = program[x].address;
  const Term at_y = program[y].address;
  // What is there before anything is written does not depend on other calls.
  body.add(call(see, {at_x, load(at_x), at_y}));
  body.write(at_x, term(n));
  body.write(at_y, constant(-1, 64));
  const LocationId last = body.branch(pool.equal(term(n), constant(0)));
  body.leave({load(at_x)});
  body.here = last;
  body.add(call(f, {pool.subtract(term(n), constant(1))}));
  body.add(call(f, {constant(0)}));
  body.add(call(see, {at_x, load(at_x), at_y}));
  body.leave({load(at_x)});
  body.finish();

  const auto result = run(f, {3});
  EXPECT_TRUE(result.results == std::vector<Bits>{3});
  for (const Action& action : result.actions) {
    const auto address = static_cast<std::uint64_t>(action.arguments[0]);
    const auto value = static_cast<std::uint32_t>(action.arguments[1]);
    EXPECT_NE(address, 0U);
    EXPECT_EQ(address % 4, 0U);
    EXPECT_EQ(action.arguments[2] % 8, 0U);
    std::uint32_t untouched = 0;
    for (unsigned k = 0; k < 4; ++k) {
      untouched |= std::uint32_t{scribe.initial_byte(address + k)} << (8 * k);
    }
    EXPECT_TRUE(value == untouched || (value >= 1 && value <= 3)) << value;
  }
  // At the deepest point four calls are active.
  std::set<Bits> addresses;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& arguments = result.actions[i].arguments;
    for (unsigned k = 0; k < 4; ++k) addresses.insert(arguments[0] + k);
    for (unsigned k = 0; k < 8; ++k) addresses.insert(arguments[2] + k);
  }
  EXPECT_EQ(addresses.size(), 4U * 12U);
}

TEST_F(InterpreterTest, CallsThroughPointers) {
  const FunctionId one = test::add_function(program, "one", {integer});
  const FunctionId two = test::add_function(program, "two", {integer});
  for (const FunctionId f : {one, two}) {
    Body body(program, f);
    // The second argument is narrower at the call, the third is not given.
    const VariableId a = body.parameter("a", wide);
    const VariableId b = body.parameter("b", integer);
    const VariableId c = body.parameter("c", integer);
    const Term low = pool.extract(term(a), 0, 32);
    body.leave({pool.add(pool.add(low, term(b)),
                         pool.add(term(c), constant(f == one ? 100 : 200)))});
    body.finish();
  }
  const FunctionId main = test::add_function(program, "main", {integer});
  Body body(program, main);
  const VariableId choice = body.parameter("choice", wide);
  const VariableId r = body.local("r", integer);
  Call by_pointer;
  by_pointer.pointer = pool.ite(
      pool.equal(term(choice), constant(1, 64)), program.address_of(one),
      pool.ite(pool.equal(term(choice), constant(2, 64)),
               program.address_of(two), term(choice)));
  by_pointer.arguments = {constant(-1, 8), constant(5, 64)};
  by_pointer.results = {r};
  body.add(by_pointer);
  body.leave({term(r)});
  body.finish();

  EXPECT_TRUE(run(main, {1}).results == std::vector<Bits>{360});
  EXPECT_TRUE(run(main, {2}).results == std::vector<Bits>{460});
  EXPECT_EQ(run(main, {0}).outcome, Outcome::BadCall);
  EXPECT_EQ(run(main, {77}).outcome, Outcome::BadCall);
  EXPECT_EQ(run(main).outcome, Outcome::BadCall);  // initial_value.
}

TEST_F(InterpreterTest, AllocatesMemory) {
  const FunctionId allocate =
      test::add_function(program, "malloc", {pointer}, false);
  const FunctionId zeroed =
      test::add_function(program, "calloc", {pointer}, false);
  const FunctionId resize =
      test::add_function(program, "realloc", {pointer}, false);
  const FunctionId release = test::add_function(program, "free", {}, false);
  const FunctionId stack =
      test::add_function(program, "alloca", {pointer}, false);
  const FunctionId main = test::add_function(program, "main", {integer});
  Body body(program, main);
  const VariableId p = body.local("p", pointer);
  const VariableId q = body.local("q", pointer);
  body.add(call(allocate, {constant(8, 64)}, {p}));
  body.write(term(p), constant(0x1122334455667788, 64));
  body.add(call(allocate, {constant(0, 64)}, {q}));
  body.add(call(allocate, {constant(0, 64)}, {q}));
  body.add(call(stack, {constant(3, 64)}, {q}));
  body.add(call(zeroed, {constant(3, 64), constant(5, 64)}, {q}));
  body.add(call(resize, {term(p), constant(20, 64)}, {p}));
  body.add(call(release, {term(p)}));
  const Term past = pool.add(term(p), constant(8, 64));
  body.leave({load(term(p), 8), load(past), load(term(q), 8)});
  body.finish();

  const auto result = run(main);
  ASSERT_EQ(result.outcome, Outcome::Returned);
  ASSERT_EQ(result.actions.size(), 7U);
  std::set<Bits> addresses;
  for (std::size_t i = 0; i < 6; ++i) {
    const Bits address = result.actions[i].results.at(0);
    EXPECT_NE(address, Bits{0});
    EXPECT_EQ(address % 16, Bits{0});
    EXPECT_TRUE(addresses.insert(address).second);
  }
  EXPECT_TRUE(result.actions[6].results.empty());
  EXPECT_TRUE(result.results[0] == Bits{0x1122334455667788});
  const auto fresh =
      static_cast<std::uint64_t>(result.actions[5].results[0]) + 8;
  EXPECT_EQ(static_cast<std::uint8_t>(result.results[1]),
            scribe.initial_byte(fresh));
  EXPECT_TRUE(result.results[2] == 0);
}

TEST_F(InterpreterTest, StopsAndBlocks) {
  const FunctionId main = test::add_function(program, "main");
  Body body(program, main);
  const VariableId x = body.parameter("x", integer);
  body.add(Assume{pool.signed_less(term(x), constant(10))});
  const LocationId rest = body.branch(pool.equal(term(x), constant(3)));
  body.assign(x, constant(4));  // No edge follows.
  body.here = rest;
  body.leave();
  body.finish();

  EXPECT_EQ(run(main, {3}).outcome, Outcome::Stopped);
  EXPECT_EQ(run(main, {4}).outcome, Outcome::Returned);
  const auto blocked = run(main, {11});
  EXPECT_EQ(blocked.outcome, Outcome::Blocked);
  EXPECT_EQ(blocked.steps, 0U);
  EXPECT_EQ(blocked.last_location, program[main].body.entry());
  EXPECT_EQ(blocked.last_function, main);
}

TEST_F(InterpreterTest, ShowsMemoryToRoutines) {
  // Two fields of one object, each in a region of its own.
  Variable region;
  region.name = region.display = "region";
  region.kind = VariableKind::Memory;
  const VariableId ints =
      program.add_variable(region, term::Sort::array(64, 32));
  const VariableId longs =
      program.add_variable(region, term::Sort::array(64, 64));
  const TypeId record =
      test::add_struct(program, "struct pair", 16,
                       {{"a", integer, 0, 0, 0}, {"b", wide, 8, 0, 0}});
  const ObjectId object = test::add_object(program, "o", record);
  program.objects[object.index()].arrays = {ints, longs};
  program.objects[object.index()].is_zeroed = true;
  program.objects[object.index()].initial = {{longs, 8, constant(0x1234, 64)}};
  const Term address = program[object].address;
  const Term b = pool.add(address, constant(8, 64));

  const FunctionId put = test::add_function(program, "put", {}, false);
  const FunctionId get = test::add_function(program, "get", {integer}, false);
  const FunctionId main = test::add_function(program, "main", {integer});
  Body body(program, main);
  const VariableId x = body.local("x", integer);
  const VariableId y = body.local("y", integer);
  body.add(call(get, {pool.add(b, constant(1, 64))}, {x, y}));
  body.add(call(put, {pool.add(address, constant(2, 64)), constant(0x56, 8)}));
  body.leave({term(x), term(y), pool.read(term(ints), address),
              pool.read(term(longs), b), load(address)});
  body.finish();

  const auto result = run(main);
  EXPECT_TRUE(result.results[0] == 0x12);
  EXPECT_TRUE(result.results[1] == 99);
  EXPECT_TRUE(result.results[2] == 0x560000);
  EXPECT_TRUE(result.results[3] == 0x1234);
}

TEST_F(InterpreterTest, ComposesWideElementsOfBytes) {
  Variable region;
  region.name = region.display = "region";
  region.kind = VariableKind::Memory;
  const VariableId ints =
      program.add_variable(region, term::Sort::array(64, 32));
  const FunctionId main = test::add_function(program, "main", {integer});
  Body body(program, main);
  const VariableId p = body.parameter("p", pointer);
  body.leave({pool.read(term(ints), term(p)), load(term(p))});
  body.finish();
  for (const Bits address : {Bits{0x123}, ~Bits{0} - 1}) {
    const auto result = run(main, {address});
    EXPECT_TRUE(result.results[0] == result.results[1]);
    EXPECT_TRUE(result.results[0] != 0);
  }
}

TEST_F(InterpreterTest, KeepsTheHeapWhenACallReturns) {
  const FunctionId allocate =
      test::add_function(program, "malloc", {pointer}, false);
  const FunctionId make = test::add_function(program, "make", {pointer});
  {
    Body body(program, make);
    const VariableId p = body.local("p", pointer);
    test::add_object(program, "unused", wide, make);
    body.add(call(allocate, {constant(8, 64)}, {p}));
    body.write(term(p), constant(5, 64));
    body.leave({term(p)});
    body.finish();
  }
  const FunctionId fill = test::add_function(program, "fill");
  {
    const TypeId buffer = test::add_array(program, wide, 8);
    const Term at =
        program[test::add_object(program, "b", buffer, fill)].address;
    Body body(program, fill);
    for (int i = 0; i < 8; ++i) {
      body.write(pool.add(at, constant(8 * i, 64)), constant(-1, 64));
    }
    body.leave();
    body.finish();
  }
  const FunctionId main = test::add_function(program, "main", {wide});
  Body body(program, main);
  const VariableId p = body.local("p", pointer);
  body.add(call(make, {}, {p}));
  body.add(call(fill, {}));
  body.leave({load(term(p), 8)});
  body.finish();
  EXPECT_TRUE(run(main).results == std::vector<Bits>{5});
}

TEST_F(InterpreterTest, WrapsAtTheEndOfMemory) {
  Program small(DataModel::ILP32);
  term::Pool& terms = *small.pool;
  const TypeId type = test::add_integer(small, "int", 4);
  const FunctionId main = test::add_function(small, "main", {type});
  Body body(small, main);
  const Term end = terms.bits(~Bits{0} - 1, 32);
  body.write(end, terms.bits(0x44332211, 32));
  const VariableId x = body.local("x", type);
  const Term memory = small[small.memory].term;
  // The address is not constant, so that nothing can be simplified.
  body.leave({terms.read(memory, small[x].term, 2),
              terms.read(memory, terms.add(small[x].term, end), 4)});
  body.finish();
  const auto result = interpret(small, main, scribe);
  EXPECT_TRUE(result.results[0] == 0x4433);
  EXPECT_TRUE(result.results[1] == 0x44332211);
}

TEST_F(InterpreterTest, DoesNotCopyForever) {
  const FunctionId main = test::add_function(program, "main");
  Body body(program, main);
  const VariableId n = body.parameter("n", wide);
  const Term memory = term(program.memory);
  body.assign(program.memory, pool.copy(memory, constant(64, 64), term(n),
                                        memory, constant(60, 64)));
  body.leave({load(constant(72, 64))});
  body.finish();
  EXPECT_EQ(run(main, {~Bits{0}}).outcome, Outcome::StepLimit);
  const auto result = run(main, {1000});
  EXPECT_EQ(static_cast<std::uint8_t>(result.results[0]),
            scribe.initial_byte(68));
}

}  // namespace
}  // namespace agon::ir
