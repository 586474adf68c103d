// SPDX-License-Identifier: Apache-2.0
// Terms for memory, against those of the pool wherever objects may lie.
#include "abstraction/memory_terms.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "helpers/random_lts.h"
#include "term/evaluate.h"
#include "term/substitute.h"

namespace agon::abstraction {
namespace {

using term::Term;

/// Random reads of random memory, made in both ways.
class RandomMemory {
 public:
  RandomMemory(test::Random& random, unsigned element)
      : program(ir::DataModel::LP64),
        random_(random),
        pool_(*program.pool),
        element_(element) {
    for (const std::uint64_t size : {4, 8, 3}) {
      ir::Object object;
      object.name = object.display = "object" + std::to_string(size);
      object.size = size;
      program.add_object(object);
    }
    for (const char* name : {"c", "d"}) {
      conditions_.push_back(pool_.variable(name, term::Sort::boolean()));
    }
    pointer_ = pool_.variable("pointer", term::Sort::bits(64));
    number_ = pool_.variable("number", term::Sort::bits(8));
    memory_ = pool_.variable("bytes", term::Sort::array(64, element));
  }

  /// A place in an object, or anywhere.
  Term index(unsigned depth = 0) {
    if (depth < 3 && below(4) == 0) {
      const Term choice =
          pool_.ite(conditions_[below(2)], index(depth + 1), index(depth + 1));
      return below(2) == 0 ? choice : pool_.add(choice, number(below(3)));
    }
    if (below(10) == 0) return pool_.add(pointer_, number(below(2)));
    const ir::Object& object = program.objects[below(3)];
    const Term at = pool_.add(object.address, number(below(object.size + 1)));
    return below(8) == 0 ? pool_.add(at, small_number()) : at;
  }
  /// Of which more is known than its width says.
  Term small_number() {
    const Term wide = pool_.zero_extend(number_, 64);
    switch (below(4)) {
      case 0:
        return pool_.binary(term::Kind::URemainder, wide, number(3));
      case 1:
        return pool_.bit_and(wide, number(5));
      case 2:
        return pool_.zero_extend(pool_.extract(number_, 1, 2), 64);
      default:
        return wide;
    }
  }
  unsigned count() { return below(3) == 0 ? 2 : 1; }
  Term value(unsigned count) {
    const unsigned width = count * element_;
    if (below(3) == 0) return pool_.read(memory_, index(), count);
    return pool_.bits(random_(), width);
  }
  Term condition() { return conditions_[below(2)]; }

  /// Where objects lie one behind the other, with or without a gap.
  term::Assignment world() {
    term::Assignment result;
    std::uint64_t at = 16 + below(3);
    const auto set = [&](Term t, std::uint64_t n) {
      result[t] = {t.sort(), term::Integer(n), {}};
    };
    for (const ir::Object& object : program.objects) {
      set(object.address, at);
      at += object.size + below(2);
    }
    set(pointer_, 14 + below(20));
    set(number_, below(16));
    for (const Term c : conditions_) set(c, below(2));
    term::Value bytes{memory_.sort(), 0, {}};
    for (unsigned i = 10; i < 50; ++i) {
      bytes.elements[i] = term::Integer(random_() & term::mask(element_));
    }
    std::erase_if(bytes.elements, [](const auto& e) { return e.second == 0; });
    result[memory_] = bytes;
    return result;
  }

  ir::Program program;
  Term memory() const { return memory_; }

 private:
  std::size_t below(std::size_t n) { return test::below(random_, n); }
  Term number(std::uint64_t n) { return pool_.bits(n, 64); }

  test::Random& random_;
  term::Pool& pool_;
  unsigned element_;
  std::vector<Term> conditions_;
  Term pointer_;
  Term number_;
  Term memory_;
};

/// The same memory, made by the pool and by MemoryTerms.
struct Both {
  Term plain;
  Term simplified;
};

TEST(MemoryTerms, MeanWhatTermsMeanWhereverObjectsLie) {
  test::Random random(62);
  std::size_t simpler = 0;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < test::scaled(600); ++i) {
    SCOPED_TRACE(i);
    RandomMemory some(random, i % 2 == 0 ? 8 : 4);
    MemoryTerms terms(some.program);
    term::Pool& pool = *some.program.pool;
    std::vector<Both> states{{some.memory(), some.memory()}};
    for (std::size_t n = 0; n < 8; ++n) {
      const Both a = states[test::below(random, states.size())];
      const Both b = states[test::below(random, states.size())];
      if (test::below(random, 3) == 0) {
        const Term c = some.condition();
        const Term made = terms.choose(c, a.simplified, b.simplified);
        chosen += made.kind() == term::Kind::Write && a.plain != b.plain;
        states.push_back({pool.ite(c, a.plain, b.plain), made});
        continue;
      }
      const Term at = some.index();
      const unsigned count = some.count();
      const Term value = some.value(count);
      states.push_back({pool.write(a.plain, at, value),
                        terms.write(a.simplified, at, value)});
    }
    for (std::size_t n = 0; n < 8; ++n) {
      const Both& state = states[test::below(random, states.size())];
      const Term at = some.index();
      const unsigned count = some.count();
      const Term plain = pool.read(state.plain, at, count);
      const Term made = terms.read(state.simplified, at, count);
      simpler += plain.kind() == term::Kind::Read &&
                 plain.operand(0).kind() != term::Kind::Variable &&
                 (made.kind() != term::Kind::Read ||
                  made.operand(0).kind() == term::Kind::Variable);
      for (std::size_t w = 0; w < 8; ++w) {
        const term::Assignment world = some.world();
        ASSERT_EQ(term::evaluate(made, world), term::evaluate(plain, world));
      }
    }
  }
  EXPECT_GT(simpler, test::scaled(600));
  EXPECT_GT(chosen, test::scaled(600) / 2);
}

TEST(MemoryTerms, SeeMembersBehindWritesToAnArrayBesideThem) {
  ir::Program program(ir::DataModel::LP64);
  MemoryTerms terms(program);
  term::Pool& pool = *program.pool;
  const Term memory = pool.variable("bytes", term::Sort::array(64, 8));
  const Term ring = pool.variable("ring", term::Sort::bits(64));
  const Term number = pool.variable("number", term::Sort::bits(64));
  const Term choice = pool.variable("choice", term::Sort::boolean());
  const auto at = [&](std::uint64_t n) {
    return pool.add(ring, pool.bits(n, 64));
  };
  const Term place = pool.add(
      ring, pool.binary(term::Kind::URemainder, number, pool.bits(4, 64)));
  const Term value = pool.bits(7, 8);
  const Term written = terms.write(memory, place, value);
  EXPECT_EQ(terms.read(written, at(4), 2), pool.read(memory, at(4), 2));
  EXPECT_NE(terms.read(written, at(3), 2), pool.read(memory, at(3), 2));
  EXPECT_NE(terms.read(written, at(3), 1), pool.read(memory, at(3), 1));
  const Term chosen =
      terms.choose(choice, terms.write(written, at(1), value), written);
  EXPECT_EQ(terms.read(chosen, at(4), 2), pool.read(memory, at(4), 2));
}

TEST(MemoryTerms, KnowWhatIsWrittenToOneOfThreeObjects) {
  ir::Program program(ir::DataModel::LP64);
  std::vector<Term> places;
  for (const char* const name : {"a", "b", "c"}) {
    ir::Object object;
    object.name = object.display = name;
    object.size = 4;
    places.push_back(program[program.add_object(object)].address);
  }
  MemoryTerms terms(program);
  term::Pool& pool = *program.pool;
  const Term first = pool.variable("first", term::Sort::boolean());
  const Term second = pool.variable("second", term::Sort::boolean());
  Term memory = pool.variable("bytes", term::Sort::array(64, 8));
  for (const Term place : places) {
    memory = terms.write(memory, place, pool.bits(1, 32));
  }
  const Term place =
      pool.ite(first, pool.ite(second, places[0], places[1]), places[2]);
  memory = terms.write(memory, place, pool.bits(2, 32));
  const auto either = [&](Term condition) {
    return pool.ite(condition, pool.bits(2, 32), pool.bits(1, 32));
  };
  EXPECT_EQ(terms.read(memory, places[2], 4), either(pool.negation(first)));
  const Term expected[] = {
      either(pool.conjunction({first, second})),
      either(pool.conjunction({first, pool.negation(second)}))};
  for (std::size_t i = 0; i < 2; ++i) {
    const Term found = terms.read(memory, places[i], 4);
    for (unsigned world = 0; world < 4; ++world) {
      term::Assignment values;
      values[first] = {first.sort(), world % 2, {}};
      values[second] = {second.sort(), world / 2, {}};
      EXPECT_EQ(term::evaluate(found, values),
                term::evaluate(expected[i], values));
      EXPECT_EQ(term::variables_of(found), (std::vector{first, second}));
    }
  }
}

TEST(MemoryTerms, MeanTheSameWhereMemoryHoldsIntegers) {
  const ir::Program program(ir::DataModel::LP64);
  MemoryTerms terms(program);
  term::Pool& pool = *program.pool;
  const auto number = [&](int n) { return pool.integer(n); };
  const Term memory = pool.variable("numbers", term::Sort::array(0, 0));
  const Term at = pool.variable("at", term::Sort::integer());
  const Term condition = pool.variable("c", term::Sort::boolean());
  const Term copied = pool.copy(memory, at, number(4), memory, number(100));
  const Term place = pool.ite(condition, at, pool.add(at, number(7)));
  const Term plain = pool.write(copied, place, at);
  const Term made = terms.write(copied, place, at);
  for (int world = 0; world < 40; ++world) {
    term::Assignment values;
    values[condition] = {condition.sort(), world % 2, {}};
    values[at] = {at.sort(), world / 2, {}};
    values[memory] = {memory.sort(), 0, {}};
    for (int i = 0; i < 120; ++i) values[memory].elements[i] = 1000 + i;
    for (const Term index : {place, at, number(3), number(12)}) {
      EXPECT_EQ(term::evaluate(terms.read(made, index, 1), values),
                term::evaluate(pool.read(plain, index, 1), values));
      EXPECT_EQ(term::evaluate(terms.read(copied, index, 1), values),
                term::evaluate(pool.read(copied, index, 1), values));
    }
  }
}

}  // namespace
}  // namespace agon::abstraction
