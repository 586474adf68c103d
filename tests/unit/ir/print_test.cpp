// SPDX-License-Identifier: Apache-2.0
#include "ir/print.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "helpers/random_program.h"

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

class PrintTest : public testing::Test {
 protected:
  PrintTest() { program.files = {"ring.c", "main.c"}; }

  Program program{DataModel::LP64};
  term::Pool& pool = *program.pool;
  TypeId integer = test::add_integer(program, "int", 4);
  TypeId character = test::add_integer(program, "char", 1);
  TypeId natural = test::add_integer(program, "unsigned", 4, false);
  TypeId size = test::add_integer(program, "size_t", 8, false);
  TypeId node = make_node();
  TypeId to_node = test::add_pointer(program, node);
  TypeId to_int = test::add_pointer(program, integer);
  VariableId p = test::add_global(program, "p", to_node);
  VariableId q = test::add_global(program, "q", to_int);
  VariableId i = test::add_global(program, "i", integer);
  VariableId u = test::add_global(program, "u", natural);
  VariableId n = test::add_global(program, "n", size);
  ObjectId list = test::add_object(program, "list", node);
  ObjectId grid = test::add_object(
      program, "grid",
      test::add_array(program, test::add_array(program, integer, 3), 5));

  /// struct node { struct node *next; int value; int data[4];
  ///               struct { char c; char name[7]; } tag; };
  TypeId make_node() {
    const TypeId incomplete = test::add_struct(program, "struct node", 0, {});
    const TypeId link = test::add_pointer(program, incomplete);
    const TypeId data = test::add_array(program, integer, 4);
    const TypeId name = test::add_array(program, character, 7);
    const TypeId tag =
        test::add_struct(program, "struct tag", 8,
                         {{"c", character, 0, 0, 0}, {"name", name, 1, 0, 0}});
    Type type = program.types[incomplete];
    type.size = 40;
    type.fields = {{"next", link, 0, 0, 0},
                   {"value", integer, 8, 0, 0},
                   {"data", data, 12, 0, 0},
                   {"tag", tag, 28, 0, 0}};
    program.types.complete(incomplete, type);
    return incomplete;
  }

  Term term(VariableId v) const { return program[v].term; }
  Term bits(std::int64_t value, unsigned width = 64) {
    return pool.bits(static_cast<term::Bits>(term::SignedBits{value}), width);
  }
  Term plus(Term a, std::int64_t b) { return pool.add(a, bits(b)); }
  Term times(Term a, std::int64_t b) {
    return pool.multiply(pool.sign_extend(a, 64), bits(b));
  }
  Term load(Term address, unsigned bytes) {
    return pool.read(term(program.memory), address, bytes);
  }
  std::string show(Term t) { return term::to_c(t, c_style(program)); }
  std::string show(const Statement& s) { return to_string(program, s); }
  std::string show_write(Term address, Term value) {
    return show(Assign{program.memory,
                       pool.write(term(program.memory), address, value)});
  }
};

TEST_F(PrintTest, NamesPlacesInMemory) {
  const Term o = program[list].address;
  const Term g = program[grid].address;
  EXPECT_EQ(show(load(term(p), 8)), "p->next");
  EXPECT_EQ(show(load(plus(term(p), 8), 4)), "p->value");
  EXPECT_EQ(show(load(plus(load(term(p), 8), 8), 4)), "p->next->value");
  EXPECT_EQ(show(load(plus(term(p), 16), 4)), "p->data[1]");
  EXPECT_EQ(show(load(plus(term(p), 28), 1)), "p->tag.c");
  EXPECT_EQ(show(load(plus(term(p), 31), 1)), "p->tag.name[2]");
  EXPECT_EQ(show(load(plus(term(p), 48), 4)), "p[1].value");
  EXPECT_EQ(show(load(plus(term(p), -32), 4)), "p[-1].value");
  EXPECT_EQ(show(load(term(q), 4)), "*q");
  EXPECT_EQ(show(load(plus(term(q), 4), 4)), "q[1]");
  EXPECT_EQ(show(load(plus(o, 8), 4)), "list.value");
  EXPECT_EQ(show(load(o, 8)), "list.next");
  EXPECT_EQ(show(load(g, 4)), "grid[0][0]");
  EXPECT_EQ(show(load(plus(g, 20), 4)), "grid[1][2]");
}

TEST(PrintIntegers, NamesPlacesInMemory) {
  Program program(DataModel::LP64, term::Sort::array(0, 0));
  term::Pool& pool = *program.pool;
  const TypeId type = test::add_integer(program, "int", 4);
  const TypeId record = test::add_struct(
      program, "struct pair", 8, {{"a", type, 0, 0, 0}, {"b", type, 4, 0, 0}});
  const ObjectId all =
      test::add_object(program, "all", test::add_array(program, record, 3));
  Variable index;
  index.name = index.display = "i";
  index.type = type;
  const Term i =
      program[program.add_variable(index, term::Sort::integer())].term;
  const Term place = pool.add(
      pool.add(program[all].address, pool.multiply(i, pool.integer(8))),
      pool.integer(12));
  const Term memory = program[program.memory].term;
  EXPECT_EQ(term::to_c(pool.read(memory, place), c_style(program)),
            "all[i + 1].b");
  const Statement write =
      Assign{program.memory, pool.write(memory, place, pool.integer(-3))};
  EXPECT_EQ(to_string(program, write), "all[i + 1].b = -3");
}

TEST_F(PrintTest, FindsIndices) {
  const Term o = program[list].address;
  const Term g = program[grid].address;
  const Term wide = pool.sign_extend(term(i), 64);
  EXPECT_EQ(show(load(pool.add(term(q), times(term(i), 4)), 4)), "q[i]");
  EXPECT_EQ(show(load(pool.add(term(q), pool.shift_left(wide, bits(2))), 4)),
            "q[i]");
  EXPECT_EQ(show(load(plus(pool.add(term(q), times(term(i), 4)), -4), 4)),
            "q[i - 1]");
  EXPECT_EQ(show(load(pool.subtract(term(q), times(term(i), 8)), 4)),
            "q[-2 * i]");
  EXPECT_EQ(show(load(plus(pool.add(o, times(term(i), 4)), 12), 4)),
            "list.data[i]");
  EXPECT_EQ(show(load(plus(pool.add(o, times(term(i), 4)), 8), 4)),
            "list.data[i - 1]");
  EXPECT_EQ(show(load(plus(pool.add(term(p), times(term(i), 40)), 8), 4)),
            "p[i].value");
  EXPECT_EQ(show(load(pool.add(plus(pool.add(term(p), times(term(i), 40)), 12),
                               times(term(u), 4)),
                      4)),
            "p[i].data[(int)u]");
  EXPECT_EQ(
      show(load(pool.add(pool.add(g, times(term(i), 12)),
                         pool.multiply(pool.zero_extend(term(u), 64), bits(4))),
                4)),
      "grid[i][u]");
  const Term sum = pool.add(term(i), bits(1, 32));
  EXPECT_EQ(show(load(pool.add(term(q), times(sum, 4)), 4)), "q[i + 1]");
  EXPECT_EQ(show(load(pool.add(term(q), pool.multiply(term(n), bits(4))), 4)),
            "q[n]");
}

TEST_F(PrintTest, LeavesOtherPlacesAlone) {
  EXPECT_EQ(show(load(plus(term(p), 9), 4)), "*(int *)(p + 9)");
  EXPECT_EQ(show(load(term(n), 4)), "*(int *)n");
  EXPECT_EQ(show_write(plus(term(n), 1), bits(0, 16)), "*(short *)(n + 1) = 0");
}

TEST_F(PrintTest, PrintsStatements) {
  const Term memory = term(program.memory);
  EXPECT_EQ(show(Assign{i, pool.add(term(i), bits(-1, 32))}), "i = i - 1");
  EXPECT_EQ(show(Assign{q, plus(program[list].address, 8)}), "q = &list.value");
  EXPECT_EQ(show(Assign{q, plus(program[list].address, 12)}), "q = list.data");
  EXPECT_EQ(show(Assign{p, program[list].address}), "p = &list");
  EXPECT_EQ(show(Assign{p, plus(term(p), 40)}), "p = &p[1]");
  EXPECT_EQ(show_write(plus(term(p), 8), bits(0, 32)), "p->value = 0");
  EXPECT_EQ(show_write(term(p), program[list].address), "p->next = &list");
  const Term two = pool.write(pool.write(memory, plus(term(p), 8), term(i)),
                              term(p), term(p));
  EXPECT_EQ(show(Assign{program.memory, two}), "p->value = i; p->next = p");
  EXPECT_EQ(
      show(Assign{program.memory, pool.copy(memory, term(p), bits(40), memory,
                                            program[list].address)}),
      "memcpy(p, &list, 40)");
  EXPECT_EQ(show(Assume{pool.signed_less(term(i), bits(10, 32))}), "[i < 10]");
  EXPECT_EQ(show(Assume{pool.unsigned_less(term(u), bits(10, 32))}),
            "[u < 10]");
  EXPECT_EQ(show(Havoc{i, HavocReason::Input, "__VERIFIER_nondet_int"}),
            "i = __VERIFIER_nondet_int()");
  EXPECT_EQ(show(Havoc{i, HavocReason::Uninitialised, ""}),
            "i = ? /* uninitialised */");
  EXPECT_EQ(show(Return{}), "return");
  EXPECT_EQ(show(Return{{term(i)}}), "return i");
  EXPECT_EQ(show(Return{{term(i), term(u)}}), "return {i, u}");
  Call call;
  call.callee = test::add_function(program, "read", {integer}, false);
  call.arguments = {term(i), program[grid].address};
  call.results = {i};
  EXPECT_EQ(show(call), "i = read(i, grid)");
  call.callee = FunctionId();
  call.pointer = load(term(p), 8);
  call.results = {i, u};
  EXPECT_EQ(show(call), "{i, u} = p->next(i, grid)");
}

/// int copy(struct node *b, int n): clears an array.
FunctionId add_copy(Program& program, TypeId integer, TypeId to_node) {
  const FunctionId f = test::add_function(program, "copy", {integer});
  program.functions[f.index()].position = {FileId(0), 12, 1};
  test::Body body(program, f);
  const auto b = program[body.parameter("b", to_node)].term;
  const auto n = program[body.parameter("n", integer)].term;
  const VariableId k = body.local("k", integer);
  term::Pool& pool = *program.pool;
  const Term index = program[k].term;
  body.position.line = 14;
  body.assign(k, pool.bits(0, 32));
  const LocationId head = body.here;
  const LocationId end = body.branch(pool.signed_less(index, n));
  body.write(pool.add(pool.add(b, pool.multiply(pool.sign_extend(index, 64),
                                                pool.bits(4, 64))),
                      pool.bits(12, 64)),
             pool.bits(0, 32));
  body.assign(k, pool.add(index, pool.bits(1, 32)));
  body.go_to(head);
  body.here = end;
  body.leave({index});
  body.finish();
  return f;
}

TEST_F(PrintTest, PrintsFunctions) {
  const FunctionId f = add_copy(program, integer, to_node);
  EXPECT_EQ(print_function(program, f),
            "int copy(struct node *b, int n)     ring.c:12\n"
            "   1  k = 0                     2   ring.c:14\n"
            "   2  [k < n]                   3   ring.c:15\n"
            "   2  [k >= n]                  5   ring.c:16\n"
            "   3  b->data[k] = 0            4   ring.c:17\n"
            "   4  k = k + 1                 2   ring.c:18\n"
            "   5  return k                  6   ring.c:20\n");
}

TEST_F(PrintTest, PrintsPrograms) {
  add_copy(program, integer, to_node);
  program.variables[i.index()].initial = bits(3, 32);
  program.variables[i.index()].position = {FileId(1), 3, 1};
  program.assume("asm", "is ignored", {FileId(1), 4, 1});
  const std::string text = print_program(program);
  EXPECT_NE(text.find("struct node *p\n"), std::string::npos) << text;
  EXPECT_NE(text.find("int i = 3                                       main.c:3"
                      "\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("int grid[5][3]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Assumptions\n   asm: is ignored (main.c:4)\n"),
            std::string::npos)
      << text;
}

TEST_F(PrintTest, TellsHowAnEdgeWasInlined) {
  program.inlined = {{FunctionId(), {FileId(1), 30, 1}, InlineId()},
                     {FunctionId(), {FileId(0), 20, 1}, InlineId(0)}};
  Edge edge;
  edge.position = {FileId(0), 16, 1};
  EXPECT_EQ(place_of(program, edge), "ring.c:16");
  edge.inlined = InlineId(1);
  EXPECT_EQ(place_of(program, edge), "ring.c:16 from ring.c:20 from main.c:30");
  EXPECT_EQ(to_string(program, Position()), "");
}

TEST_F(PrintTest, DrawsPrograms) {
  program.files[0] = "a\"b\\c.c";
  const FunctionId f = test::add_function(program, "f");
  test::Body body(program, f);
  body.assign(i, bits(1, 32));
  body.leave();
  body.finish();
  EXPECT_EQ(print_dot(program),
            "digraph program {\n"
            "  node [shape=circle];\n"
            "  subgraph cluster_0 {\n"
            "    label=\"void f(void)\";\n"
            "    n0_1 [label=\"1\", style=bold];\n"
            "    n0_2 [label=\"2\"];\n"
            "    n0_3 [label=\"3\", shape=doublecircle];\n"
            "    n0_1 -> n0_2 [label=\"i = 1\\na\\\"b\\\\c.c:1\"];\n"
            "    n0_2 -> n0_3 [label=\"return\\na\\\"b\\\\c.c:2\"];\n"
            "  }\n"
            "}\n");
}

TEST(PrintRandom, PrintsAnything) {
  test::Random random(5);
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    const Program program = test::random_program(random);
    EXPECT_FALSE(print_program(program).empty());
    EXPECT_FALSE(print_dot(program).empty());
  }
}

}  // namespace
}  // namespace agon::ir
