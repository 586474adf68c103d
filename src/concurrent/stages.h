// SPDX-License-Identifier: Apache-2.0
/// Searches in which different components take part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "concurrent/composer.h"

namespace agon::concurrent {

/// Engines, which are a `Search` or a `Simulation` each, by who takes part.
/// What was explored without a component stays true when its abstraction
/// changes, so they are kept, and told when classes are divided.
template <class Engine>
class Stages {
 public:
  /// Makes the engine the current one in which these components take part.
  /// False if there is none.
  bool select(std::uint64_t present) {
    const auto at = stages_.find(present);
    if (at == stages_.end()) return false;
    current_ = at->second.get();
    return true;
  }

  /// Adds an engine, and makes it the current one. `make` has to make it for a
  /// composer, which outlives it.
  template <class Make>
  void add(Composer composer, const Make& make) {
    const std::uint64_t present = composer.present();
    auto stage = std::make_unique<Stage>(std::move(composer), make);
    current_ = stage.get();
    stages_.insert_or_assign(present, std::move(stage));
  }

  Engine& engine() { return current_->engine; }
  const Composer& composer() const { return current_->composer; }

  /// To be told when classes of a model were divided.
  void forget(std::uint32_t model, const std::vector<Class>& changed) {
    for (const auto& [present, stage] : stages_) {
      if (stage->composer.is_present_of(model)) {
        stage->engine.forget(model, changed);
      }
    }
  }

  /// Drops the engines in which one of the models takes part. Then none is the
  /// current one.
  void drop(const std::set<std::uint32_t>& models) {
    current_ = nullptr;
    std::erase_if(stages_, [&](const auto& each) {
      return std::ranges::any_of(models, [&](std::uint32_t model) {
        return each.second->composer.is_present_of(model);
      });
    });
  }

 private:
  struct Stage {
    template <class Make>
    Stage(Composer with, const Make& make)
        : composer(std::move(with)), engine(make(composer)) {}
    const Composer composer;
    Engine engine;
  };

  std::map<std::uint64_t, std::unique_ptr<Stage>> stages_;
  Stage* current_ = nullptr;
};

}  // namespace agon::concurrent
