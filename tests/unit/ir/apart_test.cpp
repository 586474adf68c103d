// SPDX-License-Identifier: Apache-2.0
#include "ir/apart.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontend/frontend.h"
#include "ir/actions.h"
#include "support/context.h"
#include "term/substitute.h"

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

constexpr const char* kHead =
    "extern void *malloc(unsigned long size);\n"
    "extern void take(int *p);\n"
    "extern void unknown(void);\n"
    "extern int any(void);\n"
    "extern void reach_error(void);\n";

class ApartTest : public testing::Test {
 protected:
  ApartTest()
      : path_(testing::TempDir() + "apart_" + std::to_string(::getpid()) +
              ".c") {}
  ~ApartTest() override { std::filesystem::remove(path_); }

  void flatten(const std::string& text, const std::string& entry = "main") {
    std::ofstream(path_) << kHead << text;
    support::Context context;
    original_ = frontend::lower(std::vector<std::string>{path_}, {}, context);
    const std::vector<std::string> errors{"reach_error"};
    mark_errors(original_, errors);
    FlattenOptions options;
    options.visible = {"error"};
    options.any_state = any_state_ = entry != "main";
    flat_ = ir::flatten(original_, *original_.find_function(entry), options);
    ASSERT_TRUE(flat_.program) << flat_.reason;
  }

  /// The objects that have an array of their own, by what they are called.
  std::vector<std::string> apart() const {
    std::vector<std::string> result;
    for (const Object& object : flat_.program->objects) {
      if (object.arrays != std::vector{flat_.program->memory}) {
        result.push_back(object.display);
      }
    }
    return result;
  }

  /// Takes an object out of memory, and whatever is read and written at its
  /// address, as a mistake would.
  void take_out(const std::string& name) {
    Program& program = *flat_.program;
    for (std::size_t i = 0; i < program.objects.size(); ++i) {
      if (program.objects[i].display != name) continue;
      const VariableId own = add_array();
      program.objects[i].arrays = {own};
      const Term address = program.objects[i].address;
      change_edges(program,
                   [&](Edge& edge) { move(edge.statement, address, own); });
      return;
    }
    FAIL() << "no object " << name;
  }

  /// The same for all that is allocated, to which `p` points.
  void take_out_allocated() {
    Program& program = *flat_.program;
    const VariableId own = add_array();
    flat_.heap_array = program[own].name;
    std::vector<Term> pointers{program[flat_.heap].term};
    for (const Variable& each : program.variables) {
      if (each.display == "p") pointers.push_back(each.term);
    }
    for (const Term pointer : pointers) {
      change_edges(program,
                   [&](Edge& edge) { move(edge.statement, pointer, own); });
    }
  }

  bool is_rejected() const {
    return find_overlap(flat_, original_, any_state_).has_value();
  }

  Flat flat_;

 private:
  VariableId add_array() {
    Program& program = *flat_.program;
    Variable array;
    array.name = array.display = "own array";
    array.kind = VariableKind::Memory;
    const Term memory = program[program.memory].term;
    return program.add_variable(std::move(array), memory.sort());
  }

  static bool is_at(Term place, Term address) {
    bool result = false;
    term::visit_subterms(
        place, [&](Term part) { result = result || part == address; });
    return result;
  }

  void move(Statement& statement, Term address, VariableId own) {
    Program& program = *flat_.program;
    const Term memory = program[program.memory].term;
    const auto moved = [&](Term value) {
      return term::transform(
          *program.pool, value,
          [&](Term part, std::span<const Term> operands) -> Term {
            const bool reads = part.kind() == Kind::Read;
            const bool writes = part.kind() == Kind::Write;
            if ((!reads && !writes) || part.operand(0) != memory ||
                !is_at(part.operand(1), address)) {
              return {};
            }
            const Term array = program[own].term;
            return reads ? program.pool->read(array, operands[1], part.count())
                         : program.pool->write(array, operands[1], operands[2]);
          });
    };
    if (auto* assign = std::get_if<Assign>(&statement)) {
      const Term old = assign->value;
      assign->value = moved(old);
      if (assign->target == program.memory && assign->value != old) {
        assign->target = own;
      }
    } else if (auto* test = std::get_if<Assume>(&statement)) {
      test->condition = moved(test->condition);
    }
  }

  std::string path_;
  Program original_{DataModel::LP64};
  bool any_state_ = false;
};

TEST_F(ApartTest, AcceptsWhatLiesApart) {
  flatten(
      "static int cells[4];\n"
      "int main(void) {\n"
      "  int *p = any() ? cells : &cells[2];\n"
      "  *p = 1;\n"
      "  unknown();\n"
      "  if (p != cells && cells[any() & 3] > 1) reach_error();\n"
      "  return 0;\n"
      "}\n");
  EXPECT_EQ(apart(), std::vector<std::string>{"cells"});
  EXPECT_FALSE(is_rejected());
}

TEST_F(ApartTest, AcceptsArraysThatAreNotInitialised) {
  flatten(
      "int main(void) {\n"
      "  char text[20];\n"
      "  text[any() & 7] = 1;\n"
      "  unknown();\n"
      "  return text[any() & 7];\n"
      "}\n");
  EXPECT_EQ(apart(), std::vector<std::string>{"text"});
  EXPECT_FALSE(is_rejected());
}

TEST_F(ApartTest, AcceptsWhatIsAllocated) {
  flatten(
      "int main(void) {\n"
      "  int *p = malloc(4 * sizeof *p), *end = p + 4;\n"
      "  while (p != end) *p++ = 1;\n"
      "  unknown();\n"
      "  return end[-1];\n"
      "}\n");
  EXPECT_EQ(flat_.heap_array, "bytes of heap");
  EXPECT_FALSE(is_rejected());
}

/// Together with objects that the same pointers point to.
TEST_F(ApartTest, AcceptsWhatIsAllocatedOrAnObject) {
  flatten(
      "int main(void) {\n"
      "  int x, *p = any() ? &x : malloc(sizeof *p);\n"
      "  *p = 1;\n"
      "  unknown();\n"
      "  return *p;\n"
      "}\n");
  EXPECT_EQ(flat_.heap_array, "bytes of main::x");
  EXPECT_EQ(apart(), std::vector<std::string>{"x"});
  EXPECT_FALSE(is_rejected());
}

/// Somebody else can change what was allocated.
class AllocatedTest
    : public ApartTest,
      public testing::WithParamInterface<std::pair<const char*, const char*>> {
};

TEST_P(AllocatedTest, IsNotApart) {
  const auto [entry, text] = GetParam();
  flatten(text, entry);
  EXPECT_EQ(flat_.heap_array, "");
  ASSERT_FALSE(is_rejected());
  take_out_allocated();
  EXPECT_TRUE(is_rejected());
}

constexpr std::pair<const char*, const char*> kAllocated[] = {
    {"main", "int main(void) { int *p = malloc(4); take(p); return *p; }\n"},
    {"main",
     "int main(void) { int *p = malloc(8); take(p + 1); unknown(); "
     "return *p; }\n"},
    {"main",
     "int *place[2];\n"
     "int main(void) { int *p = malloc(4); place[any() & 1] = p; unknown(); "
     "return *p; }\n"},
    {"main",
     "int *place;\n"
     "int main(void) { int *p = malloc(4); place = p; unknown(); "
     "return *p; }\n"},
    {"main",
     "int *given(void);\n"
     "int main(void) { int *p = any() ? malloc(4) : given(); *p = 1; "
     "return *p; }\n"},
    {"run", "int run(int *p) { if (!p) p = malloc(4); return *p; }\n"},
    {"run",
     "static int *p;\n"
     "int run(void) { if (any()) p = malloc(4); return *p; }\n"},
    {"main",
     "unsigned long number;\n"
     "int main(void) { int *p = malloc(4); number = (unsigned long)p ^ 5; "
     "unknown(); return *p; }\n"},
    {"main",
     "int main(void) { int **p = malloc(8); *p = malloc(4); unknown(); "
     "return **p; }\n"},
};

INSTANTIATE_TEST_SUITE_P(All, AllocatedTest, testing::ValuesIn(kAllocated));

/// What is copied from memory is not like what is copied from anywhere.
TEST_F(ApartTest, RejectsContentsOfAnotherArray) {
  flatten(
      "int main(void) {\n"
      "  char text[20];\n"
      "  text[any() & 7] = 1;\n"
      "  return text[any() & 7];\n"
      "}\n");
  ASSERT_FALSE(is_rejected());
  Program& program = *flat_.program;
  const Term memory = program[program.memory].term;
  change_edges(program, [&](Edge& edge) {
    auto* const to = std::get_if<Assign>(&edge.statement);
    if (to == nullptr || to->value.kind() != Kind::Copy) return;
    std::vector<Term> operands(to->value.operands().begin(),
                               to->value.operands().end());
    operands[3] = memory;
    to->value = program.pool->rebuild(to->value, operands);
  });
  EXPECT_TRUE(is_rejected());
}

/// Each can be changed by somebody else, and is in memory therefore. If it were
/// not, that would be noticed.
class ExposedTest
    : public ApartTest,
      public testing::WithParamInterface<std::pair<const char*, const char*>> {
};

TEST_P(ExposedTest, IsNotApart) {
  const auto [entry, text] = GetParam();
  flatten(text, entry);
  EXPECT_TRUE(apart().empty());
  ASSERT_FALSE(is_rejected());
  take_out("x");
  EXPECT_TRUE(is_rejected());
}

constexpr std::pair<const char*, const char*> kExposed[] = {
    // An unknown routine is told.
    {"main", "int main(void) { int x = 0; take(&x); return x; }\n"},
    {"main", "int main(void) { int x = 0; int *p = &x; take(p); return x; }\n"},
    // It is in memory.
    {"main",
     "int *place[2];\n"
     "int main(void) { int x = 0; place[any() & 1] = &x; unknown(); "
     "return x; }\n"},
    // Others can name it.
    {"main",
     "int x[2];\n"
     "int main(void) { x[any() & 1] = 0; unknown(); return x[0]; }\n"},
    {"run", "int x[2];\nint run(void) { return x[any() & 1]; }\n"},
    // A function uses it that others can call.
    {"main",
     "static int x[2];\nextern void give(void (*f)(void));\n"
     "static void change(void) { x[any() & 1] = 1; }\n"
     "int main(void) { give(change); unknown(); return x[0]; }\n"},
    // A function may have told it before.
    {"run",
     "static int x[2];\nvoid tell(void) { take(x); }\n"
     "int run(void) { x[0] = 0; unknown(); return x[any() & 1]; }\n"},
    {"run",
     "static int x[2];\nstatic int *p;\nvoid set(void) { p = x; }\n"
     "int run(void) { x[0] = 0; if (p) *p = 1; return x[any() & 1]; }\n"},
    // What points there may come from elsewhere.
    {"main",
     "int *given(void);\n"
     "int main(void) { int x = 0; int *p = any() ? &x : given(); *p = 1; "
     "return x; }\n"},
    // A number is made of it.
    {"main",
     "int main(void) { int x = 0; unsigned long n = (unsigned long)&x * 2; "
     "*(int *)(n / 2) = 1; return x; }\n"},
};

INSTANTIATE_TEST_SUITE_P(All, ExposedTest, testing::ValuesIn(kExposed));

}  // namespace
}  // namespace agon::ir
