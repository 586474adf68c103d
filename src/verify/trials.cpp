// SPDX-License-Identifier: Apache-2.0
#include "verify/trials.h"

#include <algorithm>
#include <map>

#include "abstraction/sampling.h"
#include "term/bits.h"

namespace agon::verify {
namespace {

using term::Bits;

constexpr std::uint64_t kShortest = 2'000;
constexpr std::uint64_t kLongest = 20'000'000;
constexpr std::uint64_t kGrowth = 8;
constexpr std::size_t kRuns = 10;    // Of each length,
constexpr std::size_t kFewRuns = 3;  // if they are short.
constexpr std::uint64_t kLong = 100'000;
constexpr std::size_t kMostRuns = 20;  // In one attempt.
/// What it takes to make an edge ready to be run, in steps.
constexpr std::uint64_t kStepsPerEdge = 10;
constexpr std::uint64_t kSpace = 1 << 20;  // More than most programs allocate.

}  // namespace

/// Makes up inputs, each execution in another manner, and watches the actions.
class Trials::Inputs final : public ir::ZeroEnvironment, public ir::Listener {
 public:
  Inputs(Trials& owner, std::size_t manner)
      : owner_(owner),
        manner_(static_cast<Manner>(manner % kManners)),
        at_(owner.allowed_actions_.initial()) {}

  bool is_forbidden() const { return is_forbidden_; }
  falsify::Execution& made() { return made_; }
  bool is_determined() const {
    return made_.choices.empty() && made_.start.empty();
  }

  Bits choose(const ir::Program& program, const ir::Havoc& havoc,
              const ir::Position& position) override {
    if (havoc.reason == ir::HavocReason::Float ||
        havoc.reason == ir::HavocReason::Unsupported) {
      is_over_ = true;  // Nobody knows which values are possible.
    }
    return make_up(program, havoc.target, position, made_.choices);
  }

  Bits initial_value(const ir::Program& program,
                     ir::VariableId variable) override {
    return make_up(program, variable, program[variable].position, made_.start);
  }

  std::vector<Bits> call(const ir::Program&, const ir::Function& routine,
                         std::span<const Bits>, ir::MemoryAccess&) override {
    if (is_over_) return {};
    const auto label = owner_.task_.spec.labels()->find(routine.display);
    const auto moves = owner_.allowed_actions_.expand(at_);
    const auto move = std::ranges::find_if(
        moves, [&](lts::Transition t) { return label && t.label == *label; });
    if (move == moves.end()) {
      is_forbidden_ = is_over_ = true;
    } else {
      at_ = move->target;
    }
    return {};
  }

  bool step(const ir::Step&, const ir::StateView&) override {
    return !is_over_;
  }
  bool may_skip() override { return !is_over_; }

 private:
  enum class Manner : std::uint8_t {
    Zero,
    Small,
    Mixed,
    Same,
    Bits,
    Constants
  };
  static constexpr std::size_t kManners = 6;

  Bits make_up(const ir::Program& program, ir::VariableId variable,
               const ir::Position& position,
               std::vector<falsify::ChosenValue>& to) {
    const term::Sort sort = program[variable].term.sort();
    if (sort.is_array()) return 0;
    Bits value =
        term::truncate(invent(variable), sort.is_bool() ? 1 : sort.width);
    if (is_own_address(program, value)) value = 0;
    to.push_back({variable, program[variable].display, value, position});
    return value;
  }

  Bits invent(ir::VariableId variable) {
    switch (manner_) {
      case Manner::Zero:
        return 0;
      case Manner::Small:
        return owner_.random_() % 4;
      case Manner::Same: {
        const auto [known, is_new] = same_.try_emplace(variable, 0);
        if (is_new) known->second = any();
        return known->second;
      }
      case Manner::Bits:
        return Bits{owner_.random_()};
      case Manner::Constants:
        return constant();
      case Manner::Mixed:
        break;
    }
    return any();
  }

  Bits any() {
    switch (owner_.random_() % 4) {
      case 0:
        return owner_.random_() % 12;
      case 1:
        return Bits{owner_.random_()};
      default:
        return constant();
    }
  }

  /// One of the program, or next to it.
  Bits constant() {
    const auto& all = owner_.constants_;
    if (all.empty()) return owner_.random_() % 3;
    return all[owner_.random_() % all.size()] + owner_.random_() % 3 - 1;
  }

  /// Nobody outside knows where the program's memory will lie.
  static bool is_own_address(const ir::Program& program, Bits value) {
    const Bits first = ir::InterpreterOptions().first_address;
    return !program.objects.empty() && value >= first && value < first + kSpace;
  }

  Trials& owner_;
  const Manner manner_;
  lts::State at_;
  std::map<ir::VariableId, Bits> same_;
  falsify::Execution made_;
  bool is_forbidden_ = false;
  bool is_over_ = false;
};

Trials::Trials(const Task& task, support::Context& context)
    : task_(task),
      context_(context),
      spec_(task.spec),
      allowed_actions_(spec_, lts::Silent::Hidden, lts::Errors::Ignore,
                       context),
      constants_(abstraction::constants_of(task.program[task.entry].body)),
      random_(context.seed() + 1),
      length_(kShortest) {}

std::optional<falsify::Execution> Trials::attempt(std::uint64_t allowed) {
  for (std::size_t i = 0; i < kMostRuns && !is_done_; ++i) {
    // What has no choices is run once only, so it may cost more.
    const std::uint64_t most = allowed * (is_determined_ ? kGrowth / 2 : 1);
    if (spent_ + length_ > most || context_.exhausted()) break;
    if (auto found = run_once()) return found;
  }
  return std::nullopt;
}

std::optional<falsify::Execution> Trials::run_once() {
  Inputs inputs(*this, runs_);
  ir::InterpreterOptions options;
  options.max_steps = length_;
  options.listener = &inputs;
  options.is_stopped = [&] { return context_.exhausted().has_value(); };
  const ir::Run run =
      ir::interpret(task_.program, task_.entry, inputs, options);
  spent_ += run.steps - run.skipped +
            kStepsPerEdge * task_.program[task_.entry].body.edges().size();
  ++runs_;
  const bool is_cut = run.outcome == ir::Outcome::StepLimit;
  is_cut_ |= is_cut;
  if (!inputs.is_forbidden()) {
    is_determined_ = inputs.is_determined();
    lengthen();
    return std::nullopt;
  }
  inputs.made().steps = run.steps;
  return std::move(inputs.made());
}

void Trials::lengthen() {
  std::size_t enough = length_ < kLong ? kRuns : kFewRuns;
  if (is_determined_) enough = 1;
  if (runs_ < enough) return;
  is_done_ = is_determined_ && (!is_cut_ || length_ == kLongest);
  if (is_cut_) length_ = std::min(length_ * kGrowth, kLongest);
  if (is_cut_) runs_ = 0;
  is_cut_ = false;
}

}  // namespace agon::verify
