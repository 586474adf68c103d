// SPDX-License-Identifier: Apache-2.0
#include "evidence/witness.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/playback.h"
#include "support/error.h"

namespace agon::evidence {
namespace {

using term::Bits;

/// Where something stands in a file.
struct Spot {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< 0: not known.
  std::string function;
};

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::size_t offset_of(std::string_view text, std::uint32_t line,
                      std::uint32_t column) {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line && at != std::string_view::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  if (at == std::string_view::npos) return text.size();
  return std::min(text.size(), at + (column == 0 ? 0 : column - 1));
}

void move_to(std::string_view text, std::size_t offset, Spot& spot) {
  const std::string_view before = text.substr(0, offset);
  spot.line = static_cast<std::uint32_t>(
      1 + std::count(before.begin(), before.end(), '\n'));
  const std::size_t start = before.rfind('\n');
  spot.column = static_cast<std::uint32_t>(
      start == std::string_view::npos ? offset + 1 : offset - start);
}

const WitnessTask::File* find_file(const WitnessTask& task,
                                   const std::string& name) {
  const auto found =
      std::ranges::find(task.files, name, &WitnessTask::File::name);
  return found == task.files.end() ? nullptr : &*found;
}

std::string location(const Spot& spot) {
  std::string result =
      fmt::format("{{file_name: {}, line: {}", in_quotes(spot.file), spot.line);
  if (spot.column != 0) result += fmt::format(", column: {}", spot.column);
  return result + fmt::format(", function: {}}}", in_quotes(spot.function));
}

/// A version 5 identifier, except for how it is hashed.
std::string uuid(std::string digest) {
  digest.resize(32, '0');
  digest[12] = '5';
  digest[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", digest.substr(0, 8), digest.substr(8, 4),
                     digest.substr(12, 4), digest.substr(16, 4),
                     digest.substr(20, 12));
}

std::string document(const WitnessTask& task, const char* type,
                     const std::string& content) {
  std::string about;
  for (const auto& file : task.files) about += file.sha256;
  const std::string id =
      uuid(task.sha256(about + task.specification + type + content));
  std::string files;
  std::string hashes;
  for (const auto& file : task.files) {
    files += fmt::format("        - {}\n", in_quotes(file.name));
    hashes += fmt::format("        {}: {}\n", in_quotes(file.name),
                          in_quotes(file.sha256));
  }
  return fmt::format(
      "- entry_type: {}\n"
      "  metadata:\n"
      "    format_version: \"2.0\"\n"
      "    uuid: {}\n"
      "    creation_time: {}\n"
      "    producer:\n"
      "      name: \"Agon\"\n"
      "      version: {}\n"
      "    task:\n"
      "      input_files:\n{}"
      "      input_file_hashes:\n{}"
      "      specification: {}\n"
      "      data_model: {}\n"
      "      language: C\n"
      "  content:{}\n{}",
      type, in_quotes(id), in_quotes(task.creation_time),
      in_quotes(task.version), files, hashes, in_quotes(task.specification),
      task.model == ir::DataModel::LP64 ? "LP64" : "ILP32",
      content.empty() ? " []" : "", content);
}

std::string waypoint(const char* type, const Spot& spot,
                     const std::string& constraint) {
  std::string result = fmt::format(
      "    - segment:\n        - waypoint:\n"
      "            type: {}\n            action: follow\n"
      "            location: {}\n",
      type, location(spot));
  if (!constraint.empty()) {
    result += fmt::format("            constraint: {{{}}}\n", constraint);
  }
  return result;
}

/// Looks for inputs and for the error.
class Waypoints final : public ir::Listener {
 public:
  Waypoints(const WitnessTask& task, const ir::Program& program,
            const Recording& recording)
      : task_(task),
        program_(program),
        recording_(recording),
        playback_(recording) {}

  std::string run() {
    const auto entry = program_.find_function(recording_.entry);
    AGON_ASSERT(entry.has_value());
    ir::InterpreterOptions options = playback_options(program_);
    options.listener = this;
    ir::interpret(program_, *entry, playback_, options);
    return text_;
  }

  bool step(const ir::Step& step, const ir::StateView& state) override {
    add_input(step, state);
    if (is_done_) return false;
    const ir::Function& function = program_[step.function];
    const ir::Edge& edge = function.body.edge(step.edge);
    input_ = nullptr;
    last_ = step;
    if (edge.position.line == 0) return true;
    spot_ = {program_.files[edge.position.file.index()], edge.position.line,
             edge.position.column, function.display};
    const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
    if (havoc != nullptr && havoc->source.starts_with("__VERIFIER_nondet_")) {
      input_ = havoc;
    }
    add_branch(function.body, step.edge);
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    if (call != nullptr && call->callee.valid() &&
        program_[call->callee].is_action) {
      text_ += waypoint("target", spot_, "");
      is_done_ = true;
    }
    return true;
  }

  bool may_skip() override {
    return !is_done_ && num_branches_ == kMostBranches;
  }

 private:
  /// Where control divides by the condition of a statement.
  void add_branch(const ir::Cfa& body, ir::EdgeId id) {
    const auto* const file = find_file(task_, spot_.file);
    if (file == nullptr || num_branches_ == kMostBranches) return;
    const auto holds = holds_after(body, id);
    if (!holds) return;
    const auto branch = branch_of_condition(
        file->text, offset_of(file->text, spot_.line, spot_.column));
    if (!branch) return;
    ++num_branches_;
    Spot spot = spot_;
    move_to(file->text, branch->keyword, spot);
    text_ += waypoint(
        "branching", spot,
        *holds != branch->is_negated ? "value: \"true\"" : "value: \"false\"");
  }

  /// Whether an edge is taken if a condition holds, or if it does not: it is
  /// the first of two, and nothing else is decided at its place.
  static std::optional<bool> holds_after(const ir::Cfa& body, ir::EdgeId id) {
    const ir::Edge& edge = body.edge(id);
    const auto out = body.out_edges(edge.from);
    if (out.size() != 2) return std::nullopt;
    for (const ir::Edge& other : body.edges()) {
      if (!std::holds_alternative<ir::Assume>(other.statement)) continue;
      const bool is_here = other.from == edge.from;
      if ((other.position == edge.position) != is_here) return std::nullopt;
    }
    return id == out.front();
  }

  void add_input(const ir::Step& step, const ir::StateView& state) {
    if (input_ == nullptr || step.function != last_.function ||
        step.depth != last_.depth) {
      return;
    }
    const ir::Variable& target = program_[input_->target];
    const Bits value = state.value(input_->target);
    Spot spot = spot_;
    const auto* const file = find_file(task_, spot.file);
    const auto end =
        file == nullptr
            ? std::nullopt
            : end_of_call(file->text,
                          offset_of(file->text, spot.line, spot.column),
                          input_->source);
    if (end) {
      move_to(file->text, *end, spot);
    } else {
      spot.column = 0;
    }
    const std::string result =
        fmt::format("\\result == {}", number(target, value));
    text_ += waypoint(
        "function_return", spot,
        fmt::format("value: {}, format: acsl_expression", in_quotes(result)));
  }

  std::string number(const ir::Variable& target, Bits value) const {
    const unsigned width = std::max<unsigned>(target.term.width(), 1);
    const bool is_signed =
        target.type.valid() && program_.types[target.type].is_signed;
    if (is_signed && width > 1) {
      const auto wide = term::as_signed(value, width);
      const auto narrow = static_cast<std::int64_t>(wide);
      // The least number has no literal of its own.
      return narrow == INT64_MIN ? "(-9223372036854775807LL - 1)"
                                 : fmt::format("{}", narrow);
    }
    const auto narrow = static_cast<std::uint64_t>(value);
    return fmt::format("{}{}", narrow, narrow > INT64_MAX ? "ULL" : "");
  }

  static constexpr std::size_t kMostBranches = 2000;

  const WitnessTask& task_;
  const ir::Program& program_;
  const Recording& recording_;
  Playback playback_;
  std::string text_;
  std::size_t num_branches_ = 0;
  const ir::Havoc* input_ = nullptr;
  ir::Step last_;
  Spot spot_;
  bool is_done_ = false;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/// The `if` whose condition starts behind a text, possibly negated.
std::optional<std::size_t> if_before(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\n(!");
  if (last == std::string_view::npos || last == 0 ||
      text.substr(last - 1, 2) != "if" ||
      (last > 1 && is_word(text[last - 2]))) {
    return std::nullopt;
  }
  return last - 1;
}

/// Whether a condition may use macros, which may decide otherwise than they
/// look like.
bool may_use_macros(std::string_view text, std::string_view condition) {
  const bool has_headers = text.find("#include") != std::string_view::npos;
  for (std::size_t at = 0; at < condition.size(); ++at) {
    if (!is_word(condition[at])) continue;
    std::size_t end = at;
    while (end < condition.size() && is_word(condition[end])) ++end;
    const std::string word(condition.substr(at, end - at));
    const bool is_upper =
        std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
    const bool is_number = word.front() >= '0' && word.front() <= '9';
    const bool is_call = condition.substr(end).starts_with("(") &&
                         !word.starts_with("__VERIFIER_");
    if (text.find("#define " + word) != std::string_view::npos) return true;
    if (has_headers && (is_call || (is_upper && !is_number))) return true;
    at = end;
  }
  return false;
}

/// What is between a parenthesis and the one that closes it; nothing if it is
/// not plain.
std::optional<std::string_view> in_parentheses(std::string_view text,
                                               std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (std::string_view("{}\"'#?").find(text[at]) != std::string_view::npos ||
        text.substr(at).starts_with("//") ||
        text.substr(at).starts_with("/*")) {
      return std::nullopt;
    }
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) {
      return text.substr(open + 1, at - open - 1);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Branch> branch_of_condition(std::string_view text,
                                          std::size_t offset) {
  constexpr std::string_view kSpace = " \t\n";
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  Branch result;
  std::optional<std::size_t> keyword = if_before(before);
  if (!keyword) keyword = loop_of_condition(text, offset);
  if (!keyword) return std::nullopt;
  result.keyword = *keyword;
  const std::size_t open = text.find('(', *keyword);
  const auto inside = in_parentheses(text, open);
  if (!inside) return std::nullopt;
  std::string_view condition = *inside;
  if (text.substr(*keyword).starts_with("for")) {
    const std::size_t first = condition.find(';');
    const std::size_t second = condition.find(';', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    condition = condition.substr(first + 1, second - first - 1);
  } else {
    // Either an empty loop, or the end of a do.
    const std::size_t next =
        text.find_first_not_of(kSpace, open + inside->size() + 2);
    if (text.substr(*keyword).starts_with("while") &&
        next != std::string_view::npos && text[next] == ';') {
      return std::nullopt;
    }
  }
  const auto start = static_cast<std::size_t>(condition.data() - text.data());
  if (offset < start || offset >= start + condition.size()) return std::nullopt;
  const std::string_view signs = text.substr(start, offset - start);
  if (signs.find_first_not_of(" \t\n(!") != std::string_view::npos ||
      condition.find("&&") != std::string_view::npos ||
      condition.find("||") != std::string_view::npos ||
      condition.find(',') != std::string_view::npos ||
      may_use_macros(text, condition)) {
    return std::nullopt;
  }
  // Whatever starts behind a negation here is all of what is negated.
  result.is_negated = std::ranges::count(signs, '!') % 2 == 1;
  return result;
}

std::optional<std::size_t> end_of_call(std::string_view text,
                                       std::size_t offset,
                                       std::string_view routine) {
  if (!text.substr(std::min(offset, text.size())).starts_with(routine)) {
    return std::nullopt;
  }
  std::size_t at = offset + routine.size();
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    if (depth == 0 && c != '(' && !is_space) return std::nullopt;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return at;
  }
  return std::nullopt;
}

namespace {

/// The loop without a condition whose body starts at an offset, or starts with
/// an `if` whose condition does.
std::optional<std::size_t> endless_loop(std::string_view text,
                                        std::size_t offset) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  before = before.substr(0, if_before(before).value_or(before.size()));
  const std::size_t end = before.find_last_not_of(" \t\n{");
  if (end == std::string_view::npos || before[end] != ')') return std::nullopt;
  std::size_t open = end;
  for (std::size_t depth = 1; depth > 0;) {
    if (open-- == 0) return std::nullopt;
    if (before[open] == ')') ++depth;
    if (before[open] == '(') --depth;
  }
  std::string inside(before.substr(open + 1, end - open - 1));
  std::erase_if(inside, [](char c) { return c == ' ' || c == '\t'; });
  const std::string_view head = before.substr(0, open);
  const std::size_t last = head.find_last_not_of(" \t");
  for (const std::string_view keyword : {"while", "for"}) {
    const bool is_it = keyword == "for" ? inside.find(";;") != std::string::npos
                                        : inside == "1" || inside == "true";
    if (!is_it || last == std::string_view::npos || last + 1 < keyword.size()) {
      continue;
    }
    const std::size_t at = last + 1 - keyword.size();
    const bool is_whole = at == 0 || !is_word(head[at - 1]);
    if (is_whole && head.substr(at, keyword.size()) == keyword) return at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> loop_of_condition(std::string_view text,
                                             std::size_t offset) {
  if (const auto loop = endless_loop(text, offset)) return loop;
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  for (const std::string_view keyword : {"while", "for"}) {
    const std::size_t at = before.rfind(keyword);
    if (at == std::string_view::npos) continue;
    if (at > 0 && is_word(before[at - 1])) continue;
    const std::string_view between = before.substr(at + keyword.size());
    if (between.find('(') == std::string_view::npos ||
        is_word(between.front()) ||
        between.find_first_of("{}\"'#") != std::string_view::npos) {
      continue;
    }
    const auto semicolons = std::ranges::count(between, ';');
    if (keyword == "while" &&
        between.find_first_not_of(" \t\n(!") != std::string_view::npos) {
      continue;
    }
    if (semicolons == (keyword == "for" ? 1 : 0)) return at;
  }
  return std::nullopt;
}

bool is_in_scope(std::string_view text, const ir::Position& declared,
                 const ir::Position& condition) {
  std::size_t at = offset_of(text, declared.line, declared.column);
  const auto loop = loop_of_condition(
      text, offset_of(text, condition.line, condition.column));
  if (!loop || at >= *loop) return false;
  for (int depth = 0; at < *loop; ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//") || rest.starts_with("#")) {
      at += std::min(rest.find('\n'), rest.size() - 1);
    } else if (rest.starts_with("/*")) {
      at += std::min(rest.find("*/"), rest.size() - 1);
    } else if (rest.front() == '"' || rest.front() == '\'') {
      return false;  // Not looked into.
    } else if (rest.front() == '{' || rest.front() == '(') {
      ++depth;
    } else if ((rest.front() == '}' || rest.front() == ')') && --depth < 0) {
      return false;
    }
  }
  return true;
}

std::string violation_witness(const WitnessTask& task,
                              const ir::Program& program,
                              const Recording& recording) {
  return document(task, "violation_sequence",
                  Waypoints(task, program, recording).run());
}

std::string correctness_witness(const WitnessTask& task,
                                const std::vector<LoopInvariant>& invariants) {
  std::string content;
  for (const LoopInvariant& each : invariants) {
    const auto* const file = find_file(task, each.file);
    if (file == nullptr) continue;
    const auto at = loop_of_condition(
        file->text, offset_of(file->text, each.line, each.column));
    if (!at) continue;
    Spot spot{each.file, 0, 0, each.function};
    move_to(file->text, *at, spot);
    content += fmt::format(
        "    - invariant:\n        type: loop_invariant\n"
        "        location: {}\n        value: {}\n"
        "        format: c_expression\n",
        location(spot), in_quotes(each.value));
  }
  return document(task, "invariant_set", content);
}

}  // namespace agon::evidence
