// SPDX-License-Identifier: Apache-2.0
#include "ir/text.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "helpers/random_program.h"
#include "ir/interpreter.h"

namespace agon::ir {
namespace {

using support::Source;

Program reread(const Program& program) {
  return parse_text(Source::from_string("text", to_text(program)));
}

/// A program with something in every field.
Program full_program() {
  Program program(DataModel::LP64);
  term::Pool& pool = *program.pool;
  program.files = {"a \"quoted\" name.c", "back\\slash\n.h"};
  const TypeId integer = test::add_integer(program, "int", 4);
  const TypeId pointer = test::add_pointer(program, integer);
  Type type;
  type.kind = TypeKind::Struct;
  type.is_complete = false;
  type.name = "struct opaque";
  program.types.add(type);
  type.kind = TypeKind::Enum;
  type.is_complete = true;
  type.enumerators = {{"A", -9223372036854775807 - 1}, {"B", 7}};
  program.types.add(type);
  const TypeId record =
      test::add_struct(program, "struct s", 16,
                       {{"", integer, 0, 0, 0}, {"b", integer, 4, 7, 31}});
  Type function_type;
  function_type.kind = TypeKind::Function;
  function_type.is_variadic = true;
  function_type.element = integer;
  function_type.parameters = {pointer, integer};
  const TypeId signature = program.types.add(function_type);

  const VariableId g =
      test::add_global(program, "odd name", integer, pool.bits(7, 32));
  program.variables[g.index()].position = {FileId(1), 4, 5};
  const FunctionId f = test::add_function(program, "f", {integer});
  Function& function = program.functions[f.index()];
  function.display = "display of f";
  function.type = signature;
  function.is_static = function.is_noreturn = true;
  function.position = {FileId(), 1, 2};
  const FunctionId routine = test::add_function(program, "g", {}, false);
  const term::Term address = program.address_of(routine);
  const ObjectId object = test::add_object(program, "o", record, f);
  Object& o = program.objects[object.index()];
  o.is_constant = o.is_zeroed = true;
  o.initial = {
      {program.memory, 8, pool.add(program[object].address, pool.bits(4, 64))}};
  const ObjectId lost = test::add_object(program, "lost", record);
  program.objects[lost.index()].kind = ObjectKind::String;
  program.objects[lost.index()].bytes = {'a', '"', '\\', '\n', '\0', '\xff'};
  program.objects[lost.index()].arrays.clear();
  program.inlined = {{routine, {FileId(0), 3, 4}, InlineId()},
                     {f, {FileId(0), 5, 6}, InlineId(0)}};
  program.assume("asm", "a\treason", {FileId(0), 9, 9});
  program.conversions = {{integer, record}, {TypeId(), integer}};
  program.numbered = {{0x1000, record}, {~std::uint64_t{0}, integer}};

  test::Body body(program, f);
  const VariableId x = body.parameter("x", integer);
  body.add(Havoc{x, HavocReason::Float, "sqrt"});
  Call call;
  call.pointer = address;
  call.arguments = {program[x].term, address};
  call.results = {x, g};
  call.type = signature;
  body.add(call);
  body.write(address, program[x].term);
  const LocationId here = body.here;
  body.edge(here, here, Assume{pool.equal(program[x].term, pool.bits(1, 32))});
  body.edge(
      here, body.new_location(),
      Assume{pool.negation(pool.equal(program[x].term, pool.bits(1, 32)))});
  body.here = LocationId(4);
  body.leave({program[x].term, program[g].term});
  body.finish();
  return program;
}

TEST(Text, KeepsEveryField) {
  const Program program = full_program();
  const Program again = reread(program);
  EXPECT_TRUE(same_program(program, again));
  EXPECT_TRUE(same_program(again, program));
  EXPECT_EQ(to_text(program), to_text(again));
  // The fields themselves, as far as they contain no terms.
  EXPECT_EQ(program.files, again.files);
  EXPECT_EQ(program.types, again.types);
  EXPECT_EQ(program.conversions, again.conversions);
  EXPECT_EQ(program.numbered, again.numbered);
  EXPECT_EQ(program.assumptions, again.assumptions);
  EXPECT_EQ(program.inlined, again.inlined);
  EXPECT_EQ(again.variables.size(), program.variables.size());
  EXPECT_EQ(again.objects[1].arrays.size(), 0U);
  EXPECT_EQ(again.functions[0].position, program.functions[0].position);
}

TEST(Text, NoticesEveryDifference) {
  const Program program = full_program();
  EXPECT_TRUE(same_program(program, program));
  const auto differs = [&](auto change) {
    Program other = reread(program);
    change(other);
    return !same_program(program, other) && !same_program(other, program) &&
           to_text(program) != to_text(other);
  };
  EXPECT_TRUE(differs([](Program& p) { p.files[0] = "b.c"; }));
  EXPECT_TRUE(differs([](Program& p) { p.conversions.pop_back(); }));
  EXPECT_TRUE(differs([](Program& p) { p.numbered[0].value = 0x1004; }));
  EXPECT_TRUE(differs([](Program& p) { p.variables[1].display = "z"; }));
  EXPECT_TRUE(differs(
      [](Program& p) { p.variables[1].initial = p.pool->bits(8, 32); }));
  EXPECT_TRUE(differs([](Program& p) { p.variables[1].initial = {}; }));
  EXPECT_TRUE(differs([](Program& p) { p.variables[1].type = TypeId(); }));
  EXPECT_TRUE(
      differs([](Program& p) { p.variables[1].owner = FunctionId(0); }));
  EXPECT_TRUE(differs(
      [](Program& p) { p.variables[1].kind = VariableKind::Temporary; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[0].is_zeroed = false; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[0].is_constant = false; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[0].size = 3; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[0].alignment = 3; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[0].initial[0].offset = 0; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[0].arrays.clear(); }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[1].bytes[4] = 'x'; }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[0].is_static = false; }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[0].is_noreturn = false; }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[0].results.clear(); }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[0].parameters.clear(); }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[0].objects.clear(); }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[0].body = Cfa(); }));
  EXPECT_TRUE(differs([](Program& p) { p.functions[1].address = {}; }));
  EXPECT_TRUE(differs([](Program& p) { p.assumptions[0].why = ""; }));
  EXPECT_TRUE(differs([](Program& p) { p.inlined[1].outer = InlineId(); }));
}

TEST(Text, KeepsRandomPrograms) {
  test::Random random(31);
  for (std::size_t i = 0; i < test::scaled(150); ++i) {
    SCOPED_TRACE(i);
    const Program program = test::random_program(random);
    const Program again = reread(program);
    ASSERT_TRUE(same_program(program, again));
    InterpreterOptions options;
    options.max_steps = 300;
    options.max_depth = 5;
    options.record_path = true;
    ZeroEnvironment zero;
    const FunctionId entry = *program.find_function("f0");
    const auto run = interpret(program, entry, zero, options);
    const auto rerun = interpret(again, entry, zero, options);
    ASSERT_EQ(run.path, rerun.path);
    ASSERT_TRUE(run.actions == rerun.actions);
  }
}

std::string error_of(const std::string& text) {
  try {
    parse_text(Source::from_string("p.txt", text));
  } catch (const support::InputError& error) {
    const support::Location& place = error.location();
    return std::to_string(place.line) + ":" + std::to_string(place.column) +
           ": " + error.message();
  }
  return "no error";
}

TEST(Text, PointsToErrors) {
  EXPECT_EQ(error_of("agon-program 1 LP65\n"), "1:16: expected ILP32 or LP64");
  const std::string start =
      "agon-program 1 LP64\n"
      "variable \"memory\" memory (Array (_ BitVec 64) (_ BitVec 8)) display "
      "\"memory\"\n";
  EXPECT_EQ(error_of(start), "no error");
  EXPECT_EQ(error_of(start + "cell \"o\" 3\n"), "3:6: no object 'o'");
  EXPECT_EQ(error_of(start + "variable \"x\" local (_ BitVec 8) display \"x\" "
                             "owner \"f\"\n"),
            "3:51: no function 'f'");
  EXPECT_EQ(error_of(start + "initial \"memory\" (_ bv0 8)\n").substr(0, 6),
            "3:18: ");
  EXPECT_EQ(error_of(start + "inlined \"f\n"), "3:9: this name has no end");
  EXPECT_EQ(error_of(start + "type t0 pointer \"\" element t0\n"),
            "0:0: 'p.txt': the type t0 contains itself");
}

TEST(Text, SurvivesDamage) {
  test::Random random(32);
  const std::string text = to_text(full_program());
  for (std::size_t i = 0; i < test::scaled(1000); ++i) {
    std::string damaged = text;
    for (std::size_t k = 0; k <= test::below(random, 3); ++k) {
      const std::size_t at = test::below(random, damaged.size());
      switch (test::below(random, 3)) {
        case 0:
          damaged.erase(at, 1 + test::below(random, 8));
          break;
        case 1:
          damaged[at] = text[test::below(random, text.size())];
          break;
        default:
          damaged.insert(at, text.substr(test::below(random, text.size()), 6));
      }
    }
    try {
      const Program program = parse_text(Source::from_string("p", damaged));
      to_text(program);
    } catch (const support::InputError&) {
    }
  }
}

}  // namespace
}  // namespace agon::ir
