// SPDX-License-Identifier: Apache-2.0
// A process as goto code: a label per state, and an input that chooses among
// the transitions. The arms of a line share one function.
#include <fmt/format.h>

#include <set>

#include "ir/fragment.h"
#include "spec/c_writer.h"
#include "spec/generate.h"
#include "spec/generate_parts.h"
#include "spec/specification.h"
#include "spec/standard.h"

namespace agon::spec {
namespace {

constexpr std::size_t kMaxTransitions = 20'000;

class Writer {
 public:
  Writer(const LineToWrite& line, const Behaviour& wanted)
      : line_(line), wanted_(wanted), out_(line.source) {}

  std::string run() {
    const auto& arms = line_.description.arms;
    if (!wanted_.effects.empty()) {
      out_ << "\nextern ";
      head(out_, line_, wanted_.effects, Result::None);
      out_ << ";";
    }
    head(out_, line_, wanted_.function);
    out_ << "{";
    for (std::size_t i = 0; i < arms.size(); ++i) check_size(i);
    std::vector<ReturnCondition> all;
    for (const Process& process : line_.processes) {
      all.insert(all.end(), process.returns.begin(), process.returns.end());
    }
    number_checks(out_, type_name(line_), number_type(line_),
                  arms[0].process.offset, all);
    guards(out_, line_);
    if (!wanted_.effects.empty()) {
      out_.at(line_.description.offset)
          << fmt::format("{}({});", wanted_.effects,
                         fmt::join(line_.description.routine.names, ", "));
    }
    dispatch();
    for (std::size_t i = 0; i < arms.size(); ++i) arm(i);
    out_ << "\n__agon_stop: __agon_assume(0); }\n";
    return out_.take();
  }

 private:
  void check_size(std::size_t arm) const {
    const ProcessText& text = line_.description.arms[arm].process;
    const lts::Lts& lts = line_.processes[arm].lts;
    if (lts.num_transitions() + lts.num_states() > kMaxTransitions) {
      line_.source.fail(
          text.offset,
          fmt::format("this process has more than {} transitions, too many for "
                      "one that stands for a routine",
                      kMaxTransitions));
    }
  }

  void dispatch() {
    const auto& arms = line_.description.arms;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      out_.at(arms[i].offset);
      if (arms[i].guard) out_ << fmt::format("if (__agon_g{}) ", i);
      out_ << "goto " << label(i, line_.processes[i].lts.initial()) << ";";
      if (!arms[i].guard) return;
    }
    if (!wanted_.outside.empty()) {
      out_ << line_.action(wanted_.outside) << "();";
    }
    out_ << "goto __agon_stop;";
  }

  static std::string label(std::size_t arm, lts::State state) {
    return fmt::format("__agon_{}_{}", arm, state.index());
  }

  /// Where the function goes for a transition that returns.
  static std::string return_label(std::size_t arm, std::size_t condition) {
    return fmt::format("__agon_return_{}_{}", arm, condition);
  }

  void arm(std::size_t number) {
    const Process& process = line_.processes[number];
    used_returns_.clear();
    for (std::size_t i = 0; i < process.lts.num_states(); ++i) {
      state(number, lts::State::at(i));
    }
    for (const std::size_t used : used_returns_) {
      out_ << "\n" << return_label(number, used) << ": {";
      static const ReturnCondition any;
      return_value(used == 0 ? any : process.returns[used - 1],
                   line_.description.arms[number].process.offset);
      out_ << "}";
    }
  }

  void state(std::size_t arm, lts::State state) {
    const Process& process = line_.processes[arm];
    const Offset place = line_.description.arms[arm].process.offset;
    std::vector<std::string> ways;
    // A choice to return must not look like an offer of what comes then.
    const bool shows_returns =
        wanted_.shows_silence &&
        (wanted_.is_own || process.lts.out(state).size() > 1);
    const std::string returning =
        shows_returns ? line_.action(ProgramQuestion::kSilent) + "(); " : "";
    for (const lts::Transition& step : process.lts.out(state)) {
      if (process.lts.kind(step.target) == lts::StateKind::Error) continue;
      if (const std::uint32_t number = process.return_of[step.label.index()]) {
        ways.push_back(returning + go_to_return(arm, number));
        continue;
      }
      std::string way;
      if (step.label != lts::kTau) {
        way = line_.action(process.lts.labels()->name(step.label)) + "(); ";
      } else if (wanted_.shows_silence) {
        way = line_.action(ProgramQuestion::kSilent) + "(); ";
      }
      ways.push_back(way + "goto " + label(arm, step.target) + ";");
    }
    if (wanted_.is_own) {
      for (const std::string& action : wanted_.in_between[arm]) {
        ways.push_back(line_.action(action) + "(); goto " + label(arm, state) +
                       ";");
      }
      // A specification that mentions no return leaves it open.
      if (process.returns.empty()) {
        ways.push_back(returning + go_to_return(arm, 0));
      }
    }
    out_ << "\n" << label(arm, state) << ": ;";
    choose(ways, place);
  }

  std::string go_to_return(std::size_t arm, std::size_t number) {
    used_returns_.insert(number);
    return "goto " + return_label(arm, number) + ";";
  }

  void choose(const std::vector<std::string>& ways, Offset place) {
    if (ways.empty()) {
      if (wanted_.shows_silence) {
        out_.at(place) << line_.action(ProgramQuestion::kStop) << "();";
      }
      out_ << " goto __agon_stop;";
      return;
    }
    if (ways.size() > 1) {
      out_ << " { const unsigned int __agon_choice = " << ir::kProcessChoice
           << "();";
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
      out_.at(place);
      const bool is_last = i + 1 == ways.size();
      if (!is_last) out_ << fmt::format("if (__agon_choice == {}) {{ ", i);
      out_ << ways[i];
      if (!is_last) out_ << " }";
    }
    if (ways.size() > 1) out_ << " }";
  }

  void return_value(const ReturnCondition& condition, Offset place) {
    for (const Modified& item : line_.description.modifies) modify(item);
    if (line_.description.routine.is_void) {
      out_.at(place) << "return;";
      return;
    }
    const std::string type = type_name(line_);
    const bool is_number = condition.kind == ReturnCondition::Kind::Range;
    out_.at(place);
    if (is_number && condition.low == condition.high) {
      out_ << fmt::format("return ({})({});", type, literal(condition.low));
      return;
    }
    const Any value = any();
    out_ << fmt::format(
        "extern {0} {1}({2}); {0} __agon_value = {3}; {{ const {0} result = "
        "__agon_value;",
        type, value.name, value.types, value.call());
    if (is_number) {
      out_ << fmt::format(
          " __agon_assume(({0})result >= {1} && ({0})result <= {2});",
          number_type(line_), literal(condition.low), literal(condition.high));
    } else if (condition.kind == ReturnCondition::Kind::C) {
      out_ << " __agon_assume(!!(";
      out_.quote(*condition.value.source,
                 {condition.value.offset, condition.value.text})
          << "));";
    }
    out_ << " } return __agon_value;";
  }

  /// A new routine that returns any value. It gets the parameters, since an
  /// address among them may be what it returns.
  struct Any {
    std::string name;
    std::string types;
    std::string arguments;

    std::string call() const { return name + "(" + arguments + ")"; }
  };
  Any any() {
    Any result;
    result.name = fmt::format("__agon_any_{}_{}{}", line_.number, anys_++,
                              wanted_.is_own ? "_own" : "");
    for (const std::string& name : line_.description.routine.names) {
      if (name.empty()) continue;
      const std::string separator = result.types.empty() ? "" : ", ";
      result.types += fmt::format("{}__typeof__({})", separator, name);
      result.arguments += separator + name;
    }
    if (result.types.empty()) result.types = "void";
    return result;
  }

  void modify(const Modified& item) {
    // What comes with Agon cannot know whether a file includes <errno.h>.
    const bool is_optional =
        item.place.text == "errno" && line_.source.name() == kStandardSource;
    if (is_optional) out_ << "\n#ifdef errno\n";
    out_ << " {";
    if (item.low) {
      out_ << "const long __agon_low = (long)(";
      out_.quote(*item.low) << "); const long __agon_high = (long)(";
      // Any elements in any order: what is left out keeps a value that it may
      // have anyway, and no invariant about a counter is needed. The n - 1 of
      // an unsigned n that is 0 means that there are none. Counting from the
      // first element leaves one bound for a proof to find.
      out_.quote(*item.high) << "); if ((";
      out_.quote(*item.high) << ") + 1 != (";
      out_.quote(*item.low)
          << ") && __agon_low <= __agon_high) { extern int "
             "__VERIFIER_nondet_int(); extern long __VERIFIER_nondet_long(); "
             "while (__VERIFIER_nondet_int()) { "
             "const long __agon_i = __VERIFIER_nondet_long(); "
             "if (__agon_i < 0 || __agon_i > __agon_high - __agon_low) "
             "continue;";
    }
    const Any value = any();
    out_ << " extern __typeof__";
    out_.at(item.place.offset) << "((";
    out_.quote(item.place) << fmt::format(
        "){}) {}({}); (", item.low ? "[0]" : "", value.name, value.types);
    out_.quote(item.place) << ")"
                           << (item.low ? "[__agon_low + __agon_i]" : "");
    out_.at(item.place.offset) << "= " << value.call() << ";";
    if (item.low) out_ << " } }";
    out_ << " }";
    if (is_optional) out_ << "\n#endif\n";
  }

  const LineToWrite& line_;
  const Behaviour& wanted_;
  CWriter out_;
  std::set<std::size_t> used_returns_;  // Of the current arm; 0 is any.
  std::size_t anys_ = 0;
};

}  // namespace

std::string behaviour(const LineToWrite& line, const Behaviour& wanted) {
  return Writer(line, wanted).run();
}

}  // namespace agon::spec
