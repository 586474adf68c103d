// SPDX-License-Identifier: Apache-2.0
#include "support/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace agon::support {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// Waits until something is true; not for ever.
template <class Condition>
bool eventually(Condition&& condition) {
  const auto end = steady_clock::now() + seconds(20);
  while (steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return false;
}

TEST(Context, StopsOnRequest) {
  Context context;
  EXPECT_FALSE(context.must_stop());
  EXPECT_EQ(context.exhausted(), std::nullopt);
  context.request_stop();
  EXPECT_TRUE(context.must_stop());
  // It looks at once, and not only every so many calls.
  EXPECT_EQ(context.exhausted(), "interrupted");
}

TEST(Context, MustStopLooksAtTheClockEachTime) {
  Context context(Limits{.time = milliseconds(20)});
  EXPECT_EQ(context.exhausted(), std::nullopt);
  EXPECT_TRUE(eventually([&] { return context.must_stop(); }));
  EXPECT_EQ(context.exhausted(), "the time limit of 0.02 s was reached");
}

TEST(Context, MustStopLooksAtTheMemory) {
  Context context(Limits{.memory_bytes = std::size_t{1} << 20});
  EXPECT_TRUE(context.must_stop());
  Context generous(Limits{.memory_bytes = std::size_t{1} << 40});
  EXPECT_FALSE(generous.must_stop());
}

TEST(Watchdog, WakesAgainAndAgainOnceTimeIsUp) {
  Context context(Limits{.time = milliseconds(30)});
  std::atomic<int> woken = 0;
  const Watchdog watchdog(context, [&] { ++woken; });
  EXPECT_TRUE(eventually([&] { return woken >= 3; }));
  EXPECT_TRUE(context.exhausted().has_value());
}

TEST(Watchdog, WakesOnRequest) {
  Context context;
  std::atomic<int> woken = 0;
  const Watchdog watchdog(context, [&] { ++woken; });
  std::this_thread::sleep_for(milliseconds(120));
  EXPECT_EQ(woken, 0);
  context.request_stop();
  EXPECT_TRUE(eventually([&] { return woken >= 1; }));
}

TEST(Watchdog, IsSilentWhenItIsGone) {
  Context context;
  std::atomic<int> woken = 0;
  const auto before = steady_clock::now();
  {
    const Watchdog watchdog(context, [&] { ++woken; });
  }
  EXPECT_LT(steady_clock::now() - before, seconds(10));
  context.request_stop();
  std::this_thread::sleep_for(milliseconds(120));
  EXPECT_EQ(woken, 0);
}

}  // namespace
}  // namespace agon::support
