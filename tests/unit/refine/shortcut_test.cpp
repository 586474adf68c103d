// SPDX-License-Identifier: Apache-2.0
// Steps that are read off, against trying all values.
#include "refine/shortcut.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "unit/refine/subject.h"

namespace agon::refine {
namespace {

using abstraction::Answers;
using term::Assignment;
using term::Term;

constexpr unsigned kWidth = 3;

class ShortcutTest : public testing::Test {
 protected:
  Term predicate(test::Random& random) {
    const Term v = variables_[test::below(random, variables_.size())];
    const Term c = pool_.bits(random(), kWidth);
    switch (test::below(random, 4)) {
      case 0:
        return pool_.unsigned_less(v, c);
      case 1:
        return pool_.negation(pool_.equal(v, c));
      case 2:
        return pool_.equal(v,
                           variables_[test::below(random, variables_.size())]);
      default:
        return pool_.equal(v, c);
    }
  }

  std::vector<Term> predicates(test::Random& random, std::size_t size) {
    std::vector<Term> result(size);
    for (Term& t : result) t = predicate(random);
    std::erase_if(result, [](Term t) { return t.is_constant(); });
    return result;
  }

  static Answers answers(const std::vector<Term>& terms,
                         const Assignment& world) {
    Answers result;
    for (const Term t : terms) result.push_back(test::holds(t, world));
    return result;
  }

  term::Pool pool_;
  support::Context context_;
  std::unique_ptr<smt::Solver> solver_ = smt::make_z3_solver();
  abstraction::Solutions solutions_{pool_, *solver_, context_};
  Shortcuts shortcuts_{pool_, solutions_};
  std::vector<Term> variables_{pool_.variable("x", term::Sort::bits(kWidth)),
                               pool_.variable("y", term::Sort::bits(kWidth)),
                               pool_.variable("z", term::Sort::bits(kWidth))};
};

TEST_F(ShortcutTest, SaysWhatTryingAllValuesSays) {
  test::Random random(51);
  const std::vector<Assignment> worlds = test::all_assignments(variables_);
  std::size_t found = 0;
  std::size_t impossible = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    const std::vector<Term> before = predicates(random, test::below(random, 5));
    std::vector<Term> after = predicates(random, test::below(random, 3));
    for (const Term t : before) {
      if (test::below(random, 2) == 0) after.push_back(t);
      if (test::below(random, 4) == 0) after.push_back(pool_.negation(t));
    }
    const std::vector<Term> guard = predicates(random, test::below(random, 3));
    const auto shortcut = shortcuts_.find(before, after, guard);
    if (!shortcut) continue;
    ++found;
    std::map<Answers, std::set<Answers>> expected;
    for (const Assignment& world : worlds) {
      std::set<Answers>& rows = expected[answers(before, world)];
      if (test::hold(guard, world)) rows.insert(answers(after, world));
    }
    for (const auto& [given, rows] : expected) {
      const std::vector<Answers> said = shortcut->rows(given);
      impossible += rows.empty() ? 1 : 0;
      EXPECT_EQ(std::set<Answers>(said.begin(), said.end()), rows)
          << "case " << i;
    }
  }
  EXPECT_GT(found, test::scaled(300) / 4);
  EXPECT_GT(impossible, 0U);
}

}  // namespace
}  // namespace agon::refine
