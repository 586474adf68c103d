// SPDX-License-Identifier: Apache-2.0
// `verify module`: whose calls and returns a process speaks of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spec/specification.h"
#include "support/error.h"

namespace agon::spec {
namespace {

using testing::HasSubstr;

std::vector<ModuleQuestion> load_text(const std::string& text) {
  support::Context context;
  return load(support::Source::from_string("test.agon", text), context)
      .modules();
}

std::string message(const std::string& text) {
  try {
    load_text(text);
  } catch (const support::InputError& error) {
    return error.message();
  }
  return "";
}

std::vector<std::string> alphabet(const lts::Lts& lts) {
  std::vector<std::string> names;
  for (const lts::Label label : lts.alphabet()) {
    names.emplace_back(lts.labels()->name(label));
  }
  return names;
}

TEST(VerifyModule, FindsRoutines) {
  const auto modules = load_text(
      "P = (call.push -> push.return[0] -> P | log.return -> P).\n"
      "verify module : P;\n");
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_EQ(modules[0].spec, "P");
  ASSERT_EQ(modules[0].routines.size(), 2U);
  for (const ModuleQuestion::Routine& each : modules[0].routines) {
    EXPECT_EQ(each.called.empty(), each.name != "push");
    EXPECT_FALSE(each.returned.empty());
  }
}

TEST(VerifyModule, SplitsReturnsOfEachRoutineApart) {
  const auto modules = load_text(
      "verify module : (f.return[0] -> f.return[0..2] -> STOP"
      " | g.return{result < 0} -> STOP);\n");
  ASSERT_EQ(modules.size(), 1U);
  for (const char* const name : {"f.return[0]", "f.return of another value",
                                 "g.return of another value"}) {
    EXPECT_EQ(std::ranges::count(alphabet(*modules[0].lts), name), 1) << name;
  }
  // Both classes of f.return[0..2] follow f.return[0].
  const lts::Lts& lts = *modules[0].lts;
  std::size_t after_zero = 0;
  for (const lts::Transition& t : lts.out(lts.initial())) {
    if (lts.labels()->name(t.label) != "f.return[0]") continue;
    after_zero = lts.out(t.target).size();
  }
  EXPECT_EQ(after_zero, 2U);
}

TEST(VerifyModule, TakesNoEventForACallOfTheClient) {
  EXPECT_THAT(message("event call.f = call f(x) when (x > 0);\n"
                      "verify module : (call.f -> STOP);\n"),
              HasSubstr("'call.f' is what the client does"));
}

TEST(VerifyModule, ModuleMayBeAType) {
  EXPECT_TRUE(load_text("verify module f(int x) : (return -> STOP);").empty());
}

TEST(VerifyModule, RejectsBadLines) {
  EXPECT_THAT(message("verify module : (return[0] -> STOP);"),
              HasSubstr("'f.return' is a return of f"));
  EXPECT_THAT(message("verify module : ;"), HasSubstr("expected"));
  EXPECT_THAT(message("verify module : Missing;"), HasSubstr("no process"));
  EXPECT_THAT(message("verify module : (a -> STOP)"), HasSubstr("';'"));
}

}  // namespace
}  // namespace agon::spec
