// SPDX-License-Identifier: Apache-2.0
// What is refused, and how it is said. Each message is compared as a whole, the
// line and the caret included.
#include <gtest/gtest.h>

#include "woven.h"

namespace agon::test {
namespace {

constexpr const char* kC =
    "struct dev { int state; };\n"
    "unsigned char flags(void);\n"
    "int rd(int fd);\n"
    "int *where(void);\n"
    "void stop(void);\n"
    "int printf(const char *, ...);\n"
    "void halts(void) { stop(); }\n"
    "int proc(int x) { stop(); printf(\"\"); return rd(x) + flags() + "
    "*where(); }\n";

struct Case {
  const char* name;
  const char* agon;
  const char* message;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

class Errors : public Spec, public testing::WithParamInterface<Case> {};

TEST_P(Errors, AreShownAtTheirPlace) {
  EXPECT_EQ(error_of(kC, GetParam().agon), GetParam().message);
}

const Case kSyntax[] = {
    {"NoSemicolon", "verify int proc(int x) : P\nP = (a -> P).\n",
     "test.agon:2:1: error: expected ';' at the end of the line, but found "
     "'P'\n 2 | P = (a -> P).\n   | ^"},
    {"NoProcess", "verify int proc(int x);\n",
     "test.agon:1:23: error: expected ':' or 'when' after the routine, but "
     "found ';'\n 1 | verify int proc(int x);\n   |                       ^"},
    {"NoType", "verify proc(int x) : P;\n",
     "test.agon:1:8: error: expected the type that 'proc' returns in front of "
     "its name\n 1 | verify proc(int x) : P;\n   |        ^"},
    {"NoName", "assume int (int x) : P;\n",
     "test.agon:1:8: error: expected the type that 'int' returns in front of "
     "its name\n 1 | assume int (int x) : P;\n   |        ^"},
    {"NoParameters", "verify int proc : P;\n",
     "test.agon:1:17: error: expected '(' and the parameters of a routine, but "
     "found ':'\n 1 | verify int proc : P;\n   |                 ^"},
    {"Unnamed", "verify int proc(int) : (return -> STOP);\n",
     "test.agon:1:17: error: each parameter of a routine to verify needs a "
     "name\n 1 | verify int proc(int) : (return -> STOP);\n"
     "   |                 ^"},
    {"Unclosed", "verify int proc(int x) when (x : P;\n",
     "test.agon:1:29: error: this '(' is never closed\n"
     " 1 | verify int proc(int x) when (x : P;\n"
     "   |                             ^"},
    {"WrongBracket", "verify int proc(int x) when (x] : P;\n",
     "test.agon:1:31: error: expected ')', but found ']'\n"
     " 1 | verify int proc(int x) when (x] : P;\n"
     "   |                               ^"},
    {"MoreLabels", "P = STOP.\nverify int proc(int x) : P + {b};\n",
     "test.agon:2:28: error: labels are added to a process where it is "
     "defined, as in 'P = (a -> P) + {b}.'\n"
     " 2 | verify int proc(int x) : P + {b};\n"
     "   |                            ^"},
    {"EmptyGuard", "verify int proc(int x) when ( ) : P;\n",
     "test.agon:1:30: error: expected a condition\n"
     " 1 | verify int proc(int x) when ( ) : P;\n"
     "   |                              ^"},
    {"AfterOtherwise",
     "P = STOP.\nverify int proc(int x) when (x) : P otherwise : P when (1) : "
     "P;\n",
     "test.agon:2:51: error: nothing can follow 'otherwise'\n"
     " 2 | verify int proc(int x) when (x) : P otherwise : P when (1) : P;\n"
     "   |                                                   ^"},
    {"ReturnOfAName", "verify int proc(int x) : (return.ok -> STOP);\n",
     "test.agon:1:27: error: a return is written 'return', 'return[value]', "
     "'return[low..high]', 'return[_]' or 'return{condition}'\n"
     " 1 | verify int proc(int x) : (return.ok -> STOP);\n"
     "   |                           ^"},
    {"Fsp", "verify int proc(int x)\n  : (a -> return[1] STOP);\n",
     "test.agon:2:21: error: expected '->' after an action, but found the name "
     "'STOP'\n 2 |   : (a -> return[1] STOP);\n   |                     ^"},
    {"FspIsShownAsWritten",
     "verify int proc(int x) : (return{x < 1} return[_] -> STOP);\n",
     "test.agon:1:41: error: expected '->' after an action, but found the name "
     "'return'\n"
     " 1 | verify int proc(int x) : (return{x < 1} return[_] -> STOP);\n"
     "   |                                         ^"},
    {"EventName", "event Open = call rd;\n",
     "test.agon:1:7: error: expected the name of the event in lower case, but "
     "found 'Open'\n 1 | event Open = call rd;\n   |       ^"},
    {"EventKind", "event open = rd;\n",
     "test.agon:1:14: error: expected 'call' or 'return', but found 'rd'\n"
     " 1 | event open = rd;\n   |              ^"},
    {"EventTau", "event tau = call rd;\n",
     "test.agon:1:7: error: 'tau' cannot be defined\n"
     " 1 | event tau = call rd;\n   |       ^"},
    {"GuardsOfProgram", "verify program P = a || b when (1) : Q;\n",
     "test.agon:1:32: error: there are 2 components, but 1 guards\n"
     " 1 | verify program P = a || b when (1) : Q;\n"
     "   |                                ^"},
    {"Import", "import \"nowhere.agon\"\n",
     "test.agon:1:8: error: cannot read 'nowhere.agon': No such file or "
     "directory\n 1 | import \"nowhere.agon\"\n   |        ^"},
    {"Comment", "verify int proc(int x) /* : P;\n",
     "test.agon:1:24: error: this comment is never closed\n"
     " 1 | verify int proc(int x) /* : P;\n   |                        ^"},
};
INSTANTIATE_TEST_SUITE_P(Syntax, Errors, testing::ValuesIn(kSyntax),
                         [](const auto& one) {
                           return std::string(one.param.name);
                         });

const Case kMeaning[] = {
    {"Process", "Specs = (a -> Specs).\nverify int proc(int x) : Spec;\n",
     "test.agon:2:26: error: there is no process 'Spec'; did you mean "
     "'Specs'?\n"
     " 2 | verify int proc(int x) : Spec;\n   |                          ^"},
    {"ArgumentsOfProcess",
     "P(N=1) = (a[N] -> STOP).\nverify int proc(int x) : P(1, 2);\n",
     "test.agon:2:26: error: 'P' has 1 parameters, but 2 arguments are given\n"
     " 2 | verify int proc(int x) : P(1, 2);\n   |                          ^"},
    {"Routine", "verify int prok(int x) : (return -> STOP);\n",
     "test.agon:1:12: error: the C files neither declare nor call 'prok'; did "
     "you mean 'proc'?\n 1 | verify int prok(int x) : (return -> STOP);\n"
     "   |            ^"},
    {"RoutineOfAssumption", "assume int r(int fd) : (return[_] -> STOP);\n",
     "test.agon:1:12: error: the C files neither declare nor call 'r'; did you "
     "mean 'rd'?\n"
     " 1 | assume int r(int fd) : (return[_] -> STOP);\n   |            ^"},
    {"RoutineOfEvent", "event a = call stopp;\n",
     "test.agon:1:16: error: the C files neither declare nor call 'stopp'; did "
     "you mean 'stop'?\n 1 | event a = call stopp;\n   |                ^"},
    {"NoBody", "verify int rd(int fd) : (return[_] -> STOP);\n",
     "test.agon:1:12: error: 'rd' has no body in the C files, so that there is "
     "nothing to verify\n 1 | verify int rd(int fd) : (return[_] -> STOP);\n"
     "   |            ^"},
    {"ParametersOfAssumption",
     "assume int rd(int fd, int n) : (return[_] -> STOP);\n",
     "test.agon:1:12: error: 'rd' has 1 parameter in C, but 2 here\n"
     " 1 | assume int rd(int fd, int n) : (return[_] -> STOP);\n"
     "   |            ^"},
    {"VoidInC", "assume int stop(void) : (return[_] -> STOP);\n",
     "test.agon:1:12: error: 'stop' returns nothing in C, but one here\n"
     " 1 | assume int stop(void) : (return[_] -> STOP);\n   |            ^"},
    {"VoidHere", "verify void proc(int x) : (return -> STOP);\n",
     "test.agon:1:13: error: 'proc' returns a value in C, but nothing here\n"
     " 1 | verify void proc(int x) : (return -> STOP);\n   |             ^"},
    {"ValueOfVoid", "assume void stop(void) : (return[1] -> STOP);\n",
     "test.agon:1:26: error: this process performs 'return[1]', but 'stop' "
     "returns no value\n 1 | assume void stop(void) : (return[1] -> STOP);\n"
     "   |                          ^"},
    {"Guard", "verify int proc(int x)\n  when (x > y) : (return[_] -> STOP);\n",
     "test.agon:2:13: error: use of undeclared identifier 'y'\n"
     " 2 |   when (x > y) : (return[_] -> STOP);\n   |             ^"},
    {"Condition", "verify int proc(int x)\n  : (return{resul < 0} -> STOP);\n",
     "test.agon:2:13: error: use of undeclared identifier 'resul'\n"
     " 2 |   : (return{resul < 0} -> STOP);\n   |             ^"},
    {"Modifies",
     "assume int rd(int fd) : (return[_] -> STOP)\n  modifies fd, nothing;\n",
     "test.agon:2:16: error: use of undeclared identifier 'nothing'\n 2 |   "
     "modifies fd, nothing;\n   |                ^"},
    {"NoPlace", "assume int rd(int fd) : (return[_] -> STOP)\n  modifies 3;\n",
     "test.agon:2:12: error: expression is not assignable\n 2 |   modifies "
     "3;\n   |            ^"},
    {"Type", "assume size rd(int fd) : (return[_] -> STOP);\n",
     "test.agon:1:8: error: unknown type name 'size'\n"
     " 1 | assume size rd(int fd) : (return[_] -> STOP);\n   |        ^"},
    {"Negative", "assume unsigned char flags(void) : (return[-1] -> STOP);\n",
     "test.agon:1:36: error: a result of this type is never -1, as "
     "'return[-1]' says\n"
     " 1 | assume unsigned char flags(void) : (return[-1] -> STOP);\n"
     "   |                                    ^"},
    {"TooLarge",
     "assume unsigned char flags(void) : (return[1..256] -> STOP);\n",
     "test.agon:1:36: error: a result of this type is never 256, as "
     "'return[1..256]' says\n"
     " 1 | assume unsigned char flags(void) : (return[1..256] -> STOP);\n"
     "   |                                    ^"},
    {"Twice",
     "P = (return[_] -> STOP).\nassume int rd(int a) : P;\nassume int rd(int "
     "b) : P;\n",
     "test.agon:3:12: error: 'rd' already has an assumption on line 2\n"
     " 3 | assume int rd(int b) : P;\n   |            ^"},
    {"ErrorState", "assume void stop(void) : (a -> ERROR);\n",
     "test.agon:1:26: error: a process that stands for a routine cannot reach "
     "ERROR\n 1 | assume void stop(void) : (a -> ERROR);\n"
     "   |                          ^"},
    {"NamesOfEvent", "event a = call rd(x, y);\n",
     "test.agon:1:16: error: 'rd' has 1 parameter in C, but 2 are named here\n"
     " 1 | event a = call rd(x, y);\n   |                ^"},
    {"ConditionOfEvent", "event a = return rd when (x == 1);\n",
     "test.agon:1:27: error: use of undeclared identifier 'x'\n"
     " 1 | event a = return rd when (x == 1);\n   |                           "
     "^"},
    {"ComponentUnknown", "verify program P = pro : (a -> STOP);\n",
     "test.agon:1:20: error: the C files neither declare nor call 'pro'; did "
     "you mean 'proc'?\n 1 | verify program P = pro : (a -> STOP);\n   |       "
     "             ^"},
    {"ComponentWithoutBody", "verify program P = rd : (a -> STOP);\n",
     "test.agon:1:20: error: 'rd' has no body in the C files, so that it "
     "cannot be a component\n 1 | verify program P = rd : (a -> STOP);\n   |   "
     "                 ^"},
    {"ComponentTwice", "verify program P = x:proc || x:proc : (a -> STOP);\n",
     "test.agon:1:30: error: there is another component 'x'\n 1 | verify "
     "program P = x:proc || x:proc : (a -> STOP);\n   |                        "
     "      ^"},
    {"ComponentGuard", "verify program P = proc when (x > y) : (a -> STOP);\n",
     "test.agon:1:35: error: use of undeclared identifier 'y'\n 1 | verify "
     "program P = proc when (x > y) : (a -> STOP);\n   |                       "
     "            ^"},
    {"ComponentReturn", "verify program P = proc\n  : (return[0] -> STOP);\n",
     "test.agon:2:5: error: 'return.0' is not a return of a component; those "
     "of 'proc' are written 'proc.return'\n 2 |   : (return[0] -> STOP);\n   | "
     "    ^"},
    {"ComponentReturns",
     "verify program P = proc || x:halts : (x.return[1] -> STOP);\n",
     "test.agon:1:28: error: the specification mentions a value that 'halts' "
     "returns, but it returns none\n 1 | verify program P = proc || x:halts : "
     "(x.return[1] -> STOP);\n   |                            ^"},
    {"ComponentRelabel",
     "assume void stop(void) : (halt -> return -> STOP);\nverify program P = "
     "x:proc / {b/x.hal} : (b -> STOP);\n",
     "test.agon:2:32: error: no component performs 'x.hal'; did you mean "
     "'x.halt'?\n 2 | verify program P = x:proc / {b/x.hal} : (b -> STOP);\n   "
     "|                                ^"},
    {"ComponentStop", "verify program P = proc : STOP + {a};\n",
     "test.agon:1:27: error: expected a process with a name, as 'Nothing = "
     "STOP + {a}.', but found 'STOP'\n 1 | verify program P = proc : STOP + "
     "{a};\n   |                           ^"},
    {"ComponentLabel", "verify program P = x[1] || proc : (a -> STOP);\n",
     "test.agon:1:25: error: expected ':' and a routine after the name of a "
     "component, but found '|'\n 1 | verify program P = x[1] || proc : (a -> "
     "STOP);\n   |                         ^"},
    {"LabelThatIsNoReturn",
     "verify int proc(int x) : (return[1][2] -> STOP);\n",
     "test.agon:1:26: error: this process performs 'return.1.2', which is no "
     "return of a value\n 1 | verify int proc(int x) : (return[1][2] -> "
     "STOP);\n"
     "   |                          ^"},
};
INSTANTIATE_TEST_SUITE_P(Meaning, Errors, testing::ValuesIn(kMeaning),
                         [](const auto& one) {
                           return std::string(one.param.name);
                         });

TEST_F(Spec, CountsClasses) {
  std::string process = "(";
  for (char c = 'a'; c < 'a' + 13; ++c) {
    process += std::string("return{result & ") + c + "} -> STOP | ";
  }
  EXPECT_NE(error_of(kC, "verify int proc(int x) : " + process +
                             "return[0] -> STOP);\n")
                .find("split the values into too many classes"),
            std::string::npos);
}

}  // namespace
}  // namespace agon::test
