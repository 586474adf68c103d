// SPDX-License-Identifier: Apache-2.0
/// Reads JSON that may be meant to do harm.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/error.h"

namespace agon::evidence {

/// Is shown what a parser has read, and throws an InputError before that is
/// nested too deeply or too much, or has a key twice, of which nobody could say
/// which one counts. Knows the JSON library as a parameter only.
class JsonGuard {
 public:
  JsonGuard(std::string name, int deepest, std::size_t most_values)
      : name_(std::move(name)), deepest_(deepest), most_values_(most_values) {}

  template <class Json, class Event = typename Json::parse_event_t>
  bool see(int depth, Event event, const Json& parsed) {
    if (depth > deepest_) fail("is nested too deeply");
    if (++num_values_ > most_values_) fail("has too many values");
    const auto level = static_cast<std::size_t>(depth);
    if (event == Event::object_start) {
      keys_.resize(level + 2);
      keys_[level + 1].clear();
    } else if (event == Event::key) {
      std::string key = parsed.template get<std::string>();
      if (keys_[level].contains(key)) fail("has '" + key + "' twice");
      if (keys_[level].size() == kMostKeys) fail("has too many keys");
      keys_[level].insert(std::move(key));
    }
    return true;
  }

 private:
  static constexpr std::size_t kMostKeys = 10'000;  // Of one object.

  [[noreturn]] void fail(const std::string& what) const {
    throw support::InputError("'" + name_ + "' " + what);
  }

  std::string name_;
  int deepest_;
  std::size_t most_values_;
  std::size_t num_values_ = 0;
  /// Of the objects that are being read, by depth of their members.
  std::vector<std::set<std::string>> keys_;
};

}  // namespace agon::evidence
