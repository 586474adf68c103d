// SPDX-License-Identifier: Apache-2.0
#include "lts/aut.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace agon::lts {
namespace {

using support::Source;

/// A header may promise more states than the transitions can mention, but an
/// absurd number is a lie that would cost memory to believe.
constexpr std::uint64_t kMaxUnmentionedStates = 1'000'000;
constexpr std::uint64_t kMaxStates = 0xffff'fff0;

struct Header {
  std::uint64_t initial;
  std::uint64_t transitions;
  std::uint64_t states;
  std::size_t transitions_at;  // Where the header says so, for messages.
  std::size_t states_at;
};

/// One pass over the text with a cursor. Bytes, not characters: labels may hold
/// any encoding.
class AutReader {
 public:
  AutReader(const Source& source, const SharedLabels& labels,
            support::Context& context)
      : source_(source),
        text_(source.text()),
        context_(context),
        builder_(labels) {}

  Lts read() {
    const Header header = read_header();
    builder_.ensure_states(header.states);
    builder_.set_initial(State::at(header.initial));
    // The header is only believed as far as the file can be long enough.
    builder_.reserve_transitions(std::min<std::uint64_t>(
        header.transitions, text_.size() / kShortestTransition + 1));
    std::uint64_t count = 0;
    while (skip_space(), at_ < text_.size()) {
      if (count == header.transitions) {
        source_.fail(at_,
                     fmt::format("the header on line {} promises {} "
                                 "transitions, but here is another one",
                                 source_.locate(header.transitions_at).line,
                                 header.transitions));
      }
      if (const auto& reason = context_.exhausted()) source_.fail(at_, *reason);
      read_transition(header.states);
      ++count;
    }
    if (count < header.transitions) {
      source_.fail(header.transitions_at,
                   fmt::format("the header promises {} transitions, but the "
                               "file ends after {}; is it truncated?",
                               header.transitions, count));
    }
    return std::move(builder_).build(LtsBuilder::Duplicates::Keep);
  }

 private:
  static constexpr std::size_t kShortestTransition = 7;  // (0,a,0)

  Header read_header() {
    skip_space();
    if (text_.substr(at_, 3) != "des") {
      source_.fail(at_,
                   "an .aut file starts with a header 'des (initial, "
                   "transitions, states)'");
    }
    at_ += 3;
    Header header{};
    expect('(', "after 'des'");
    skip_space();
    const std::size_t initial_at = at_;
    header.initial = read_number("the number of the initial state");
    expect(',', "after the initial state");
    skip_space();
    header.transitions_at = at_;
    header.transitions = read_number("the number of transitions");
    expect(',', "after the number of transitions");
    skip_space();
    header.states_at = at_;
    header.states = read_number("the number of states");
    expect(')', "after the number of states");
    check_header(header, initial_at);
    return header;
  }

  void check_header(const Header& header, std::size_t initial_at) {
    if (header.states == 0) {
      source_.fail(header.states_at, "a system has at least one state");
    }
    if (header.initial >= header.states) {
      source_.fail(initial_at, fmt::format("the initial state {} is out of "
                                           "range: there are {} states",
                                           header.initial, header.states));
    }
    if (header.transitions > kMaxStates) {
      source_.fail(header.transitions_at,
                   fmt::format("{} transitions are more than the {} that are "
                               "supported",
                               header.transitions, kMaxStates));
    }
    if (header.states > kMaxStates ||
        header.states > 2 * header.transitions + kMaxUnmentionedStates) {
      source_.fail(header.states_at,
                   fmt::format("{} states cannot be connected by {} "
                               "transitions; is the header wrong?",
                               header.states, header.transitions));
    }
    if (header.states > context_.limits().max_states) {
      source_.fail(header.states_at,
                   fmt::format("{} states are more than the limit of {}",
                               header.states, context_.limits().max_states));
    }
    const std::size_t left = text_.size() - at_;
    if (header.transitions > left / kShortestTransition + 1) {
      source_.fail(header.transitions_at,
                   fmt::format("the header promises {} transitions, but the "
                               "file is too short for them; is it truncated?",
                               header.transitions));
    }
  }

  void read_transition(std::uint64_t states) {
    expect('(', "at the start of a transition '(source, label, target)'");
    const State source = read_state(states, /*may_be_error=*/false);
    expect(',', "after the source state");
    const Label label = read_label();
    expect(',', "after the label");
    const State target = read_state(states, /*may_be_error=*/true);
    expect(')', "after the target state");
    builder_.add_transition(source, label, target);
  }

  State read_state(std::uint64_t states, bool may_be_error) {
    skip_space();
    const std::size_t start = at_;
    if (may_be_error && text_.substr(at_, 2) == "-1") {
      at_ += 2;
      if (!error_) error_ = builder_.add_state(StateKind::Error);
      return *error_;
    }
    const std::uint64_t number = read_number("a state number");
    if (number >= states) {
      source_.fail(start, fmt::format("state {} is out of range: the header "
                                      "promises {} states, 0 to {}",
                                      number, states, states - 1));
    }
    return State::at(number);
  }

  Label read_label() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '"') return read_quoted_label();
    const std::size_t start = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '(') ++depth;
      if (c == ')' && --depth < 0) break;
      if ((c == ',' && depth == 0) || c == '\n') break;
      if (c == '"') {
        source_.fail(at_,
                     "a quote inside a label that does not start with "
                     "one; write the whole label in quotes");
      }
    }
    std::string_view name = text_.substr(start, at_ - start);
    while (!name.empty() && is_space(name.back())) name.remove_suffix(1);
    if (name.empty()) source_.fail(start, "expected a label");
    if (name.find('\0') != std::string_view::npos) {
      source_.fail(start, "a label cannot contain a NUL byte");
    }
    if (name == "i") return kTau;
    return intern(name);
  }

  Label read_quoted_label() {
    const std::size_t open = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\n') break;
      ++at_;
    }
    if (at_ == text_.size() || text_[at_] != '"') {
      source_.fail(open, "this label's quote is never closed on its line");
    }
    const std::string_view name = text_.substr(open + 1, at_ - open - 1);
    ++at_;
    skip_space();
    if (at_ < text_.size() && text_[at_] != ',') {
      source_.fail(at_,
                   "expected ',' after the closing quote of a label; a "
                   "label cannot contain quotes");
    }
    if (name.empty()) source_.fail(open, "a label cannot be empty");
    if (name.find('\0') != std::string_view::npos) {
      source_.fail(open, "a label cannot contain a NUL byte");
    }
    return intern(name);
  }

  // A file has millions of transitions and few labels. Those met last, by
  // length and last byte, are kept at hand to save the look-up in the table.
  Label intern(std::string_view name) {
    const auto last = static_cast<unsigned char>(name.back());
    Recent& recent = recent_[(last + 31 * name.size()) % recent_.size()];
    if (name != recent.name) {
      recent = {name, builder_.labels()->intern(name)};
    }
    return recent.label;
  }

  std::uint64_t read_number(const char* what) {
    std::uint64_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] =
        std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) {
      source_.fail(at_, "this number is too large");
    }
    if (error != std::errc()) {
      source_.fail(at_, fmt::format("expected {}", what));
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  void expect(char wanted, const char* where) {
    skip_space();
    if (at_ == text_.size()) {
      source_.fail(at_, fmt::format("expected '{}' {}, but the file ends here; "
                                    "is it truncated?",
                                    wanted, where));
    }
    if (text_[at_] != wanted) {
      source_.fail(at_, fmt::format("expected '{}' {}", wanted, where));
    }
    ++at_;
  }

  static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  const Source& source_;
  std::string_view text_;
  support::Context& context_;
  std::size_t at_ = 0;
  LtsBuilder builder_;
  std::optional<State> error_;
  struct Recent {
    std::string_view name;
    Label label;
  };
  std::array<Recent, 256> recent_;
};

}  // namespace

Lts read_aut(const Source& source, const SharedLabels& labels,
             support::Context& context) {
  return AutReader(source, labels, context).read();
}

std::string write_aut(const Lts& lts) {
  // The ERROR states become -1 and the others close ranks.
  std::vector<std::int64_t> number(lts.num_states());
  std::int64_t states = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    const bool is_error = lts.kind(State::at(i)) == StateKind::Error &&
                          State::at(i) != lts.initial();
    number[i] = is_error ? -1 : states++;
  }

  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "des ({},{},{})\n", number[lts.initial().index()],
                 lts.num_transitions(), states);
  for (std::size_t i = 0; i < number.size(); ++i) {
    for (const Transition& t : lts.out(State::at(i))) {
      const std::int64_t target = number[t.target.index()];
      if (t.label == kTau) {
        fmt::format_to(out, "({},tau,{})\n", number[i], target);
      } else {
        fmt::format_to(out, "({},\"{}\",{})\n", number[i],
                       lts.labels()->name(t.label), target);
      }
    }
  }
  return text;
}

}  // namespace agon::lts
