// SPDX-License-Identifier: Apache-2.0
#include "cli/watch.h"

#include <utility>

namespace agon::cli {
namespace {

class Watched final : public lts::Successors {
 public:
  explicit Watched(std::unique_ptr<lts::Successors> system)
      : system_(std::move(system)) {}

  lts::State initial() override { return system_->initial(); }
  std::span<const lts::Transition> expand(lts::State state) override {
    if (system_->kind(state) == lts::StateKind::Error) met_error_ = true;
    return system_->expand(state);
  }
  lts::StateKind kind(lts::State state) override {
    return system_->kind(state);
  }
  bool can_terminate() const override { return system_->can_terminate(); }
  std::span<const lts::Label> alphabet() const override {
    return system_->alphabet();
  }
  const lts::SharedLabels& labels() const override { return system_->labels(); }

  bool met_error() const { return met_error_; }

 private:
  std::unique_ptr<lts::Successors> system_;
  bool met_error_ = false;
};

}  // namespace

void watch(System& system) {
  if (system.successors->as_explicit() != nullptr) return;
  system.successors = std::make_unique<Watched>(std::move(system.successors));
}

bool has_special_states(const System& system) {
  if (const lts::Lts* whole = system.successors->as_explicit()) {
    return whole->has_kinds();
  }
  const auto* watched = dynamic_cast<const Watched*>(system.successors.get());
  return system.successors->can_terminate() ||
         (watched != nullptr && watched->met_error());
}

}  // namespace agon::cli
