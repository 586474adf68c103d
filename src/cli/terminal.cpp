// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "support/utf8.h"

namespace agon::cli {
namespace {

constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kCyan = "\x1b[36m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kPlain = "\x1b[0m";

constexpr std::array<std::pair<std::string_view, std::string_view>, 5>
    kVerdicts = {{{"holds", kGreen},
                  {"violated", kRed},
                  {"unknown", kYellow},
                  {"bad input", kYellow},
                  {"internal error", kRed}}};

/// Calls `use` with each line, without its line feed.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    use(text.substr(0, end), end != std::string_view::npos);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); ++width) support::take_utf8(text);
  return width;
}

void fold(std::string_view line, std::size_t width, std::string& result) {
  std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos) indent = 0;
  std::size_t column = 0;
  std::string pending;  // Spaces that are dropped where a line is broken.
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t space = line.find_first_not_of(' ', at);
    pending =
        line.substr(at, space == std::string_view::npos ? std::string_view::npos
                                                        : space - at);
    if (space == std::string_view::npos) break;
    const std::size_t end = std::min(line.find(' ', space), line.size());
    const std::string_view word = line.substr(space, end - space);
    const std::size_t own = width_of(word);
    if (column > indent && column + pending.size() + own > width) {
      column = std::min(indent + 4, width / 2);
      result += '\n' + std::string(column, ' ');
      pending.clear();
    }
    result += pending;
    result += word;
    column += pending.size() + own;
    at = end;
  }
}

/// Where the verdict of a line starts, if it tells one.
std::pair<std::size_t, std::pair<std::string_view, std::string_view>> verdict(
    std::string_view line) {
  for (const auto& each : kVerdicts) {
    const std::string behind = fmt::format(": {}", each.first);
    if (line.starts_with(each.first)) return {0, each};
    for (std::size_t at = line.find(behind); at != std::string_view::npos;
         at = line.find(behind, at + 1)) {
      const std::size_t end = at + behind.size();
      if (end == line.size() || line[end] == ' ' || line[end] == ':') {
        return {at + 2, each};
      }
    }
    // In the table.
    const std::string inside = fmt::format("  {} ", each.first);
    const std::size_t at = line.find(inside);
    if (line.starts_with("  ") && at != std::string_view::npos && at > 2 &&
        line.ends_with(" s")) {
      return {at + 2, each};
    }
  }
  return {std::string_view::npos, {}};
}

std::string coloured_line(std::string_view line) {
  const auto in = [](std::string_view colour, std::string_view text) {
    return fmt::format("{}{}{}", colour, text, kPlain);
  };
  const bool is_indented = line.starts_with("  ");
  if (!is_indented || line.ends_with(" s")) {
    const auto [at, kind] = verdict(line);
    if (at != std::string_view::npos) {
      return fmt::format("{}{}{}", line.substr(0, at),
                         in(kind.second, kind.first),
                         line.substr(at + kind.first.size()));
    }
    if (line == "Assumptions" || line == "Summary") return in(kBold, line);
  }
  if (line.starts_with("  note:")) {
    return "  " + in(kCyan, "note:") + std::string(line.substr(7));
  }
  const std::size_t arrow = line.find("--> ");
  if (is_indented && arrow != std::string_view::npos) {
    return std::string(line.substr(0, arrow)) + in(kBold, line.substr(arrow));
  }
  return std::string(line);
}

}  // namespace

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

bool wants_colour(Colour colour, int descriptor) {
  if (colour != Colour::Auto) return colour == Colour::Always;
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  return is_terminal(descriptor) &&
         (no_colour == nullptr || *no_colour == '\0') &&
         (kind == nullptr || std::string_view(kind) != "dumb");
}

std::size_t columns(int descriptor) {
  winsize size{};
  const bool is_known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  return is_known && size.ws_col >= 20 ? size.ws_col : 80;
}

std::string folded(std::string_view text, std::size_t width) {
  std::string result;
  for_each_line(text, [&](std::string_view line, bool is_ended) {
    if (line.size() <= width) {
      result += line;
    } else {
      fold(line, width, result);
    }
    if (is_ended) result += '\n';
  });
  return result;
}

std::string coloured(std::string_view text) {
  std::string result;
  for_each_line(text, [&](std::string_view line, bool is_ended) {
    result += coloured_line(line);
    if (is_ended) result += '\n';
  });
  return result;
}

}  // namespace agon::cli
