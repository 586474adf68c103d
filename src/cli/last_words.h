// SPDX-License-Identifier: Apache-2.0
/// What a run would say if it had to end now.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"
#include "support/context.h"

namespace agon::cli {

/// What is known at some time.
struct Learnt {
  report::Report report;  ///< Of the questions that are answered.
  std::string text;       ///< The same for people.
  support::Statistics statistics;
  // About the question that is being looked at:
  std::string subject;
  std::string compared_to;
  std::size_t iterations = 0;
  std::vector<std::string> predicates;
};

/// Passes it from the thread that works to the one that keeps to the limits.
class LastWords {
 public:
  void publish(Learnt learnt) {
    auto next = std::make_shared<const Learnt>(std::move(learnt));
    const std::lock_guard lock(mutex_);
    latest_.swap(next);
  }
  std::shared_ptr<const Learnt> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Learnt> latest_ = std::make_shared<const Learnt>();
};

}  // namespace agon::cli
