// SPDX-License-Identifier: Apache-2.0
#include "support/context.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/hash.h"
#include "support/id.h"
#include "support/sequence_table.h"
#include "support/verdict.h"

namespace agon::support {
namespace {

using std::chrono::milliseconds;

std::optional<std::string> ask_often(Context& context) {
  for (int i = 0; i < 5000; ++i) {
    if (const auto& reason = context.exhausted()) return reason;
  }
  return std::nullopt;
}

TEST(Context, HasNoLimitsUnlessGiven) {
  Context context;
  EXPECT_EQ(ask_often(context), std::nullopt);
}

TEST(Context, StopsWhenTimeIsUp) {
  Context context(Limits{.time = milliseconds(20)});
  EXPECT_EQ(context.exhausted(), std::nullopt);
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_EQ(ask_often(context), "the time limit of 0.02 s was reached");
  // The answer stays.
  EXPECT_EQ(context.exhausted(), "the time limit of 0.02 s was reached");
}

TEST(Context, LeavesEachShareItsPartOfTheTime) {
  Context context(Limits{.time = milliseconds(400)});
  {
    const Context::Share share(context, 8);
    EXPECT_EQ(ask_often(context), std::nullopt);
    EXPECT_FALSE(context.must_stop());
    std::this_thread::sleep_for(milliseconds(60));
    EXPECT_TRUE(context.must_stop());
    EXPECT_FALSE(context.must_end());
    EXPECT_EQ(ask_often(context),
              "its share of the time limit of 0.4 s was reached");
  }
  EXPECT_EQ(ask_often(context), std::nullopt);
  EXPECT_FALSE(context.must_stop());
  const Context::Share last(context, 1);
  std::this_thread::sleep_for(milliseconds(350));
  EXPECT_TRUE(context.must_end());
  EXPECT_EQ(ask_often(context), "the time limit of 0.4 s was reached");
}

TEST(Context, HasNoSharesWithoutALimit) {
  Context context;
  const Context::Share share(context, 1'000'000);
  EXPECT_FALSE(context.must_stop());
  EXPECT_EQ(ask_often(context), std::nullopt);
}

TEST(Context, StopsWhenMemoryIsUsedUp) {
  Context context(Limits{.memory_bytes = std::size_t{1} << 20});
  EXPECT_EQ(ask_often(context), "the memory limit of 1 MB was reached");
  Context generous(Limits{.memory_bytes = std::size_t{1} << 40});
  EXPECT_EQ(ask_often(generous), std::nullopt);
}

class Recorder final : public Log {
 public:
  void write(Level level, std::string_view message) override {
    entries.emplace_back(level, message);
  }
  std::vector<std::pair<Level, std::string>> entries;
};

TEST(Context, PassesMessagesOn) {
  Recorder log;
  Context context({}, &log, 7);
  context.progress("p");
  context.note("n");
  context.warn("w");
  EXPECT_EQ(log.entries, (std::vector<std::pair<Log::Level, std::string>>{
                             {Log::Level::Progress, "p"},
                             {Log::Level::Note, "n"},
                             {Log::Level::Warning, "w"},
                         }));
  EXPECT_EQ(context.seed(), 7U);
  Context().warn("nobody listens");
}

TEST(Id, IsInvalidUntilSet) {
  using Apple = Id<struct AppleTag>;
  EXPECT_FALSE(Apple().valid());
  EXPECT_TRUE(Apple(0).valid());
  EXPECT_EQ(Apple::at(3), Apple(3));
  EXPECT_LT(Apple(2), Apple(3));
}

TEST(Hash, TellsNeighboursApart) {
  EXPECT_NE(mix(1), mix(2));
  EXPECT_EQ(pair_key(1, 2), 0x1'0000'0002U);
}

TEST(SequenceTable, NumbersSequencesInOrderOfAppearance) {
  using Word = Id<struct WordTag>;
  const std::vector<Word> a{Word(1), Word(2)};
  const std::vector<Word> b{Word(2), Word(1)};
  const std::vector<Word> none;
  SequenceTable<Word> table;
  EXPECT_EQ(table.intern(a), 0U);
  EXPECT_EQ(table.reserve(), 1U);
  EXPECT_EQ(table.intern(b), 2U);
  EXPECT_EQ(table.intern(a), 0U);
  EXPECT_EQ(table.intern(none), 3U);
  EXPECT_EQ(table.append(a), 4U);
  EXPECT_EQ(table.size(), 5U);
  EXPECT_TRUE(std::ranges::equal(table[2], b));
  EXPECT_TRUE(std::ranges::equal(table[4], a));
  EXPECT_TRUE(table[3].empty());
}

TEST(Verdict, HasTheNamesOfTheCommandLine) {
  EXPECT_EQ(to_string(Verdict::Holds), "holds");
  EXPECT_EQ(to_string(Verdict::Violated), "violated");
  EXPECT_EQ(to_string(Verdict::Unknown), "unknown");
}

}  // namespace
}  // namespace agon::support
