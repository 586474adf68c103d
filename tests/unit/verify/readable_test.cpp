// SPDX-License-Identifier: Apache-2.0
#include "verify/readable.h"

#include <gtest/gtest.h>

namespace agon::verify {
namespace {

TEST(Readable, LeavesOutWhatOnlyMakesNamesUnique) {
  EXPECT_EQ(with_short_names("[flush::disk.2->state == 2]"),
            "[disk->state == 2]");
  EXPECT_EQ(with_short_names("error.10 = t.6 + a[i.3]"), "error = t + a[i]");
}

TEST(Readable, KeepsMembersAndNumbers) {
  EXPECT_EQ(with_short_names("s.f1 = p->x.y + 0x1f"), "s.f1 = p->x.y + 0x1f");
}

TEST(Readable, KeepsNamesApart) {
  EXPECT_EQ(with_short_names("flush::d.2 = suspend::d.2 + n.3"),
            "flush::d = suspend::d + n");
  EXPECT_EQ(with_short_names("flush::d.2 = flush::d.3 + suspend::d.4"),
            "flush::d.2 = flush::d.3 + suspend::d");
  EXPECT_EQ(with_short_names("x.2 = x"), "x.2 = x");
}

TEST(Readable, CallsAFunctionWithEventsByItsName) {
  EXPECT_EQ(with_short_names("deep with events::n.2 = m + 1"), "n = m + 1");
  EXPECT_EQ(with_short_names("deep.1 with events::n.2 = run::n - 1"),
            "deep::n = run::n - 1");
}

TEST(Readable, TellsOnlyTheSizeOfAnEndlessText) {
  term::Pool pool;
  term::Term x = pool.variable("x", term::Sort::bits(32));
  EXPECT_EQ(formula_text(pool.equal(x, pool.bits(1, 32)), {}), "x == 1");
  // Twice as long with each round, though each adds one term.
  for (unsigned i = 0; i < 60; ++i) {
    x = pool.multiply(x, pool.add(x, pool.bits(i + 1, 32)));
  }
  const std::string text = formula_text(pool.equal(x, pool.bits(1, 32)), {});
  EXPECT_LT(text.size(), 100U);
}

}  // namespace
}  // namespace agon::verify
