// SPDX-License-Identifier: Apache-2.0
#include "ir/program.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"

namespace agon::ir {
namespace {

TEST(Types, AreDeclaredAsInC) {
  Program program(DataModel::LP64);
  TypeTable& types = program.types;
  const TypeId integer = test::add_integer(program, "int", 4);
  const TypeId to_int = test::add_pointer(program, integer);
  const TypeId array = test::add_array(program, integer, 4);
  const TypeId pointers = test::add_array(program, to_int, 0);
  const TypeId to_array = test::add_pointer(program, array);
  const TypeId record = test::add_struct(program, "struct point", 8, {});
  Type function;
  function.kind = TypeKind::Function;
  function.element = to_int;
  const TypeId no_parameters = types.add(function);
  function.parameters = {to_array, test::add_pointer(program, record)};
  function.is_variadic = true;
  const TypeId variadic = types.add(function);
  const TypeId to_function = test::add_pointer(program, no_parameters);
  const TypeId table = test::add_array(program, to_function, 3);
  const TypeId to_void = test::add_pointer(program, TypeId());

  EXPECT_EQ(types.to_string(integer), "int");
  EXPECT_EQ(types.to_string(to_int), "int *");
  EXPECT_EQ(types.to_string(array), "int[4]");
  EXPECT_EQ(types.to_string(pointers), "int *[]");
  EXPECT_EQ(types.to_string(to_array), "int (*)[4]");
  EXPECT_EQ(types.to_string(to_void), "void *");
  EXPECT_EQ(types.declare(to_array, "a"), "int (*a)[4]");
  EXPECT_EQ(types.declare(array, "a"), "int a[4]");
  EXPECT_EQ(types.declare(record, "p"), "struct point p");
  EXPECT_EQ(types.declare(no_parameters, "f"), "int *f(void)");
  EXPECT_EQ(types.declare(variadic, "f"),
            "int *f(int (*)[4], struct point *, ...)");
  EXPECT_EQ(types.declare(to_function, "f"), "int *(*f)(void)");
  EXPECT_EQ(types.declare(table, "t"), "int *(*t[3])(void)");
  EXPECT_EQ(types.sort(integer), term::Sort::bits(32));
  EXPECT_EQ(types.sort(to_function), term::Sort::bits(64));
}

TEST(Program, StartsWithMemory) {
  for (const DataModel model : {DataModel::ILP32, DataModel::LP64}) {
    const Program program(model);
    const Variable& memory = program[program.memory];
    EXPECT_EQ(memory.name, "memory");
    EXPECT_EQ(memory.kind, VariableKind::Memory);
    EXPECT_EQ(memory.term.sort(),
              term::Sort::array(program.pointer_width(), 8));
    EXPECT_EQ(program.variable_of(memory.term), program.memory);
  }
}

TEST(Program, HasAddressesLikeTheIndicesOfItsMemory) {
  Program program(DataModel::LP64, term::Sort::array(0, 0));
  const TypeId type = test::add_integer(program, "int", 4);
  const ObjectId object = test::add_object(program, "x", type);
  const FunctionId function = test::add_function(program, "f");
  EXPECT_EQ(program[object].address.sort(), term::Sort::integer());
  EXPECT_EQ(program.address_of(function).sort(), term::Sort::integer());
  EXPECT_EQ(program.object_of(program[object].address), object);
}

TEST(Program, MakesNamesUnique) {
  Program program(DataModel::LP64);
  const TypeId integer = test::add_integer(program, "int", 4);
  const TypeId wide = test::add_integer(program, "long", 8);
  const auto name = [](const Program& p, VariableId id) { return p[id].name; };
  EXPECT_EQ(name(program, test::add_global(program, "x", integer)), "x");
  EXPECT_EQ(name(program, test::add_global(program, "x", wide)), "x.2");
  EXPECT_EQ(name(program, test::add_global(program, "x", integer)), "x.3");
  EXPECT_EQ(name(program, test::add_global(program, "x.2", integer)), "x.2.2");
  const ObjectId object = test::add_object(program, "x", wide);
  EXPECT_EQ(program[object].name, "x.4");
  EXPECT_EQ(program[object].address.name(), "x.4");
  EXPECT_EQ(program.object_of(program[object].address), object);

  // Copies share the pool, where a name has one sort.
  Program copy = program;
  EXPECT_EQ(name(program, test::add_global(program, "y", integer)), "y");
  EXPECT_EQ(name(copy, test::add_global(copy, "y", wide)), "y.2");
  EXPECT_EQ(copy.variables.size(), program.variables.size());
  EXPECT_FALSE(program.variable_of(copy.variables.back().term).valid());
}

TEST(Program, KnowsItsFunctions) {
  Program program(DataModel::LP64);
  const TypeId integer = test::add_integer(program, "int", 4);
  test::add_global(program, "f", integer);
  const FunctionId f = test::add_function(program, "f");
  const FunctionId g = test::add_function(program, "f");
  EXPECT_EQ(program[f].name, "f");
  EXPECT_EQ(program[g].name, "f.2");
  EXPECT_EQ(program.find_function("f"), f);
  EXPECT_EQ(program.find_function("f.2"), g);
  EXPECT_EQ(program.find_function("h"), std::nullopt);
  const term::Term address = program.address_of(g);
  EXPECT_EQ(program.address_of(g), address);
  EXPECT_NE(program.address_of(f), address);
  EXPECT_EQ(program.function_of(address), g);
  EXPECT_FALSE(program.function_of(program[program.memory].term).valid());
  program.assume("a", "b");
  program.assume("a", "b");
  program.assume("a", "c");
  EXPECT_EQ(program.assumptions.size(), 2U);
}

}  // namespace
}  // namespace agon::ir
