// SPDX-License-Identifier: Apache-2.0
/// The services that every component gets by reference: log, statistics,
/// limits and seed. There are no globals.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace agon::support {

/// Where messages for the user go. Libraries never print.
class Log {
 public:
  enum class Level { Progress, Note, Warning };

  virtual ~Log() = default;
  virtual void write(Level level, std::string_view message) = 0;
};

/// Counters by dotted name, such as `game.positions`, in order of name.
using Statistics = std::map<std::string, std::uint64_t, std::less<>>;

/// How much a run may use.
struct Limits {
  std::chrono::milliseconds time{0};  ///< Zero means no limit.
  std::size_t memory_bytes = 0;       ///< Zero means no limit.
  /// Bound on the states, labels and the like that an input may expand to. It
  /// protects from ranges that explode even where no memory limit was given.
  std::size_t max_states = 100'000'000;
};

class Context {
 public:
  Context() = default;
  explicit Context(Limits limits, Log* log = nullptr, std::uint64_t seed = 0)
      : limits_(limits), log_(log), seed_(seed) {}

  const Limits& limits() const { return limits_; }
  std::uint64_t seed() const { return seed_; }
  Statistics& statistics() { return statistics_; }

  void progress(std::string_view text) { log(Log::Level::Progress, text); }
  void note(std::string_view text) { log(Log::Level::Note, text); }
  void warn(std::string_view text) { log(Log::Level::Warning, text); }

  /// Why work has to stop now, if it has to: time or memory is used up. Cheap
  /// enough to be called for every few steps of an inner loop; once it has
  /// answered, it keeps giving the same answer, up to the end of a share.
  const std::optional<std::string>& exhausted();

  /// Asks the work to stop, from a signal handler or another thread.
  void request_stop() noexcept { stop_requested_ = true; }

  /// The same question from another thread, always with a look at the clock.
  /// Afterwards `exhausted` looks at once.
  bool must_stop() noexcept;

  /// The same about the whole run, whatever share of it this is.
  bool must_end() const noexcept;

  /// As long as it lives, work may take one of so many equal parts of the time
  /// that is left. There is one at a time.
  class Share {
   public:
    Share(Context& context, std::size_t parts);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    Context& context_;
  };

 private:
  void log(Log::Level level, std::string_view text) {
    if (log_ != nullptr) log_->write(level, text);
  }
  void look_at_the_clock();
  bool is_late() const;
  bool is_large() const;

  using Clock = std::chrono::steady_clock;
  static constexpr Clock::rep kNoShare = 0;

  bool is_share_over() const;

  Limits limits_;
  Log* log_ = nullptr;
  std::uint64_t seed_ = 0;
  Statistics statistics_;
  Clock::time_point start_ = Clock::now();
  std::uint32_t calls_ = 0;
  std::atomic<bool> stop_requested_ = false;
  std::atomic<bool> look_now_ = false;
  std::atomic<Clock::rep> share_end_ = kNoShare;  // Since the start.
  std::optional<std::string> exhausted_;
};

}  // namespace agon::support
