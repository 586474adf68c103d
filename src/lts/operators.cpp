// SPDX-License-Identifier: Apache-2.0
#include "lts/operators.h"

#include <algorithm>
#include <utility>

#include "support/sort_unique.h"

namespace agon::lts {
namespace {

/// An operator that keeps the states of one operand and changes their moves.
class UnaryOperator : public Successors {
 public:
  explicit UnaryOperator(std::unique_ptr<Successors> operand)
      : operand_(std::move(operand)) {}

  State initial() override { return operand_->initial(); }
  StateKind kind(State state) override { return operand_->kind(state); }
  bool can_terminate() const override { return operand_->can_terminate(); }
  std::span<const Label> alphabet() const override {
    return operand_->alphabet();
  }
  const SharedLabels& labels() const override { return operand_->labels(); }

 protected:
  std::unique_ptr<Successors> operand_;
  std::vector<Transition> out_;
};

class Relabelled final : public UnaryOperator {
 public:
  Relabelled(std::unique_ptr<Successors> operand, Relabelling relabelling)
      : UnaryOperator(std::move(operand)),
        relabelling_(std::move(relabelling)) {
    for (const Label label : operand_->alphabet()) {
      const auto images = relabelling_.find(label);
      if (images == relabelling_.end()) {
        alphabet_.push_back(label);
      } else {
        std::ranges::remove_copy(images->second, std::back_inserter(alphabet_),
                                 kTau);
      }
    }
    support::sort_unique(alphabet_);
  }

  std::span<const Transition> expand(State state) override {
    out_.clear();
    for (const Transition& t : operand_->expand(state)) {
      const auto images = relabelling_.find(t.label);
      if (images == relabelling_.end()) {
        out_.push_back(t);
        continue;
      }
      for (const Label image : images->second) {
        out_.push_back({image, t.target});
      }
    }
    support::sort_unique(out_);
    return out_;
  }

  std::span<const Label> alphabet() const override { return alphabet_; }

 private:
  Relabelling relabelling_;
  std::vector<Label> alphabet_;
};

class Prioritised final : public UnaryOperator {
 public:
  Prioritised(std::unique_ptr<Successors> operand, Priority priority,
              std::vector<Label> listed)
      : UnaryOperator(std::move(operand)),
        priority_(priority),
        listed_(std::move(listed)) {
    support::sort_unique(listed_);
  }

  std::span<const Transition> expand(State state) override {
    const auto all = operand_->expand(state);
    const auto preferred = [this](const Transition& t) {
      const bool is_listed = std::ranges::binary_search(listed_, t.label);
      return is_listed == (priority_ == Priority::High);
    };
    if (std::ranges::none_of(all, preferred)) return all;
    out_.clear();
    std::ranges::copy_if(all, std::back_inserter(out_), preferred);
    return out_;
  }

 private:
  Priority priority_;
  std::vector<Label> listed_;
};

}  // namespace

std::unique_ptr<Successors> relabel(std::unique_ptr<Successors> system,
                                    Relabelling relabelling) {
  return std::make_unique<Relabelled>(std::move(system),
                                      std::move(relabelling));
}

std::unique_ptr<Successors> hide(
    std::unique_ptr<Successors> system,
    const std::function<bool(const std::string&)>& hidden) {
  Relabelling relabelling;
  for (const Label label : system->alphabet()) {
    if (hidden(system->labels()->name(label))) relabelling[label] = {kTau};
  }
  return relabel(std::move(system), std::move(relabelling));
}

std::unique_ptr<Successors> prioritise(std::unique_ptr<Successors> system,
                                       Priority priority,
                                       std::vector<Label> listed) {
  return std::make_unique<Prioritised>(std::move(system), priority,
                                       std::move(listed));
}

}  // namespace agon::lts
