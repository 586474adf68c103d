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
  const std::vector<std::uint32_t> a{1, 2};
  const std::vector<std::uint32_t> b{2, 1};
  const std::vector<std::uint32_t> c{1, 2, 0};
  EXPECT_NE(hash_words(a), hash_words(b));
  EXPECT_NE(hash_words(a), hash_words(c));
}

TEST(Verdict, HasTheNamesOfTheCommandLine) {
  EXPECT_EQ(to_string(Verdict::Holds), "holds");
  EXPECT_EQ(to_string(Verdict::Violated), "violated");
  EXPECT_EQ(to_string(Verdict::Unknown), "unknown");
}

}  // namespace
}  // namespace agon::support
