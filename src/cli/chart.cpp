// SPDX-License-Identifier: Apache-2.0
#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace agon::cli {
namespace {

constexpr std::size_t kIndent = 4;
// What is narrower has no room for text: then all of it is to the right.
constexpr std::size_t kLeastColumn = 18;
constexpr std::size_t kWidestBars = 6;
constexpr std::size_t kNarrowestBars = 2;
constexpr std::size_t kTextBesideBars = 38;
constexpr std::size_t kLeastText = 20;

/// `12: x = 3` for a step in a file that all steps have in common.
std::string text_of(const evidence::SourceStep& step, bool with_file) {
  std::string place;
  if (step.line != 0) {
    place = with_file ? fmt::format("{}:{}: ", step.file, step.line)
                      : fmt::format("{}: ", step.line);
  }
  std::string values;
  for (const auto& [name, value] : step.values) {
    if (step.text == fmt::format("{} = {}", name, value) ||
        step.text == "return " + value) {
      continue;
    }
    values += fmt::format("  {} = {}", name, value);
  }
  return place + step.text + values;
}

/// The text in lines that fit, broken at spaces where there are some.
std::vector<std::string> wrapped(std::string text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string::npos || cut < width / 2) cut = width;
    lines.push_back(text.substr(0, cut));
    text.erase(0, cut);
    text.erase(0, text.find_first_not_of(' '));
    text.insert(0, "  ");
  }
  lines.push_back(std::move(text));
  return lines;
}

/// The end of a path, which tells most.
std::string shortened(const std::string& file, std::size_t width) {
  if (file.size() + 2 <= width || width < 6) return "(" + file + ")";
  return "(.." + file.substr(file.size() - (width - 4)) + ")";
}

class Chart {
 public:
  Chart(const std::vector<std::string>& components,
        const std::vector<evidence::SourceStep>& steps, std::size_t width)
      : components_(components), steps_(steps) {
    with_files_ = has_several_files();
    const std::size_t available = width > kIndent ? width - kIndent : 1;
    column_ = available / components.size();
    if (column_ >= kLeastColumn) return;
    const std::size_t bars =
        available > kTextBesideBars ? available - kTextBesideBars : 1;
    column_ = std::clamp(bars / components.size(), kNarrowestBars, kWidestBars);
    text_at_ = column_ * components.size() + 1;
    text_width_ =
        std::max(kLeastText, available - std::min(available, text_at_));
  }

  std::string run() {
    header();
    for (std::size_t i = 0; i < steps_.size();) {
      if (steps_[i].event == 0) {
        local(steps_[i++]);
        continue;
      }
      i = event(i);
    }
    return std::move(text_);
  }

 private:
  bool has_several_files() const {
    std::map<std::string, std::string> files;  // By component.
    for (const evidence::SourceStep& step : steps_) {
      if (step.file.empty() || step.file.ends_with(".agon")) continue;
      const auto [at, is_new] = files.emplace(step.component, step.file);
      if (!is_new && at->second != step.file) return true;
    }
    return false;
  }

  std::size_t number_of(const std::string& component) const {
    return static_cast<std::size_t>(std::ranges::find(components_, component) -
                                    components_.begin());
  }

  /// A line of life for every component, in the middle of nothing.
  std::string bars() const {
    std::string line(column_ * components_.size(), ' ');
    for (std::size_t i = 0; i < components_.size(); ++i) {
      line[i * column_] = '|';
    }
    return line;
  }

  void write(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += std::string(kIndent, ' ') + line + "\n";
  }

  /// Of the steps of a component; empty if there is none.
  std::string file_of(const std::string& component) const {
    for (const evidence::SourceStep& step : steps_) {
      if (step.component == component && !step.file.empty() &&
          !step.file.ends_with(".agon")) {
        return step.file;
      }
    }
    return "";
  }

  /// One line for each component, from where its line of life starts.
  void narrow_header() {
    for (std::size_t i = 0; i < components_.size(); ++i) {
      std::string line = bars().substr(0, i * column_) + components_[i];
      const std::string file = file_of(components_[i]);
      if (!file.empty() && !with_files_) {
        line += " " + shortened(file, text_width_ + text_at_ - line.size());
      }
      write(line);
    }
  }

  void header() {
    if (is_narrow()) return narrow_header();
    std::string line(column_ * components_.size(), ' ');
    std::string files(column_ * components_.size(), ' ');
    bool has_files = false;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      put(line, i * column_, components_[i], column_ - 1);
      const std::string file = file_of(components_[i]);
      if (file.empty()) continue;
      put(files, i * column_, shortened(file, column_ - 1), column_ - 1);
      has_files = true;
    }
    write(line);
    if (has_files && !with_files_) write(files);
  }

  static void put(std::string& line, std::size_t at, const std::string& what,
                  std::size_t width) {
    const std::string shown = what.substr(0, width);
    line.replace(at, shown.size(), shown);
  }

  bool is_narrow() const { return text_at_ != 0; }

  /// A line of marks with text to the right of it.
  void beside(std::string marks, const std::string& text) {
    for (const std::string& part : wrapped(text, text_width_)) {
      marks.resize(text_at_, ' ');
      write(marks + part);
      marks = bars();
    }
  }

  void local(const evidence::SourceStep& step) {
    const std::size_t i = number_of(step.component);
    if (is_narrow()) {
      std::string marks = bars();
      marks[i * column_] = '*';
      return beside(std::move(marks), text_of(step, with_files_));
    }
    for (const std::string& part :
         wrapped(text_of(step, with_files_), column_ - 3)) {
      std::string line = bars();
      line.resize(std::max(line.size(), i * column_ + 2 + part.size()), ' ');
      put(line, i * column_ + 2, part, part.size());
      write(line);
    }
  }

  /// All steps of an event, which need not follow each other.
  std::size_t event(std::size_t first) {
    const std::size_t number = steps_[first].event;
    Parts parts;
    std::size_t last = first;
    for (std::size_t i = first; i < steps_.size(); ++i) {
      if (steps_[i].event == 0) {
        if (!is_before(number, i)) break;
        local(steps_[i]);
        continue;
      }
      if (steps_[i].event != number) break;
      parts.emplace(number_of(steps_[i].component), line_of(steps_[i]));
      last = i;
    }
    arrow(parts, steps_[first].action);
    return last + 1;
  }

  /// In C; 0 if there is none.
  static std::size_t line_of(const evidence::SourceStep& step) {
    if (step.call.line != 0) return step.call.line;
    return step.file.ends_with(".agon") ? 0 : step.line;
  }

  /// Whether a step of the event comes after this one.
  bool is_before(std::size_t number, std::size_t at) const {
    for (std::size_t i = at; i < steps_.size(); ++i) {
      if (steps_[i].event == number) return true;
      if (steps_[i].event != 0) return false;
    }
    return false;
  }

  /// Who takes part in an event, by column, with its line in the source.
  using Parts = std::map<std::size_t, std::size_t>;

  void arrow(const Parts& parts, const std::string& name) {
    if (is_narrow()) return narrow_arrow(parts, name);
    if (parts.size() == 1) return alone(*parts.begin(), name);
    const std::size_t from = parts.begin()->first * column_;
    const std::size_t to = std::next(parts.begin())->first * column_;
    std::string line = with_shaft(parts);
    const std::size_t at = from + 1 + number(parts.begin()->second).size();
    if (at + name.size() + 4 > to) {
      std::string title = bars();
      title.resize(std::max(title.size(), from + 3 + name.size()), ' ');
      put(title, from + 2, name, name.size());
      write(title);
    } else {
      put(line, at + (to - at - name.size() - 2) / 2, " " + name + " ",
          name.size() + 2);
    }
    for (const auto& [column, source] : parts) {
      const std::string mark = "o" + number(source);
      line.resize(std::max(line.size(), column * column_ + mark.size()), ' ');
      put(line, column * column_, mark, mark.size());
    }
    write(line);
  }

  static std::string number(std::size_t line) {
    return line == 0 ? "" : fmt::format(" {} ", line);
  }

  void alone(const Parts::value_type& part, const std::string& name) {
    const std::string text =
        "*-- " + name +
        (part.second == 0 ? "" : fmt::format(" at {}", part.second));
    std::string line = bars();
    const std::size_t at = part.first * column_;
    line.resize(std::max(line.size(), at + text.size()), ' ');
    put(line, at, text, text.size());
    write(line);
  }

  std::string with_shaft(const Parts& parts) const {
    std::string line = bars();
    std::fill(line.begin() + static_cast<long>(parts.begin()->first * column_),
              line.begin() + static_cast<long>(parts.rbegin()->first * column_),
              '-');
    return line;
  }

  void narrow_arrow(const Parts& parts, const std::string& name) {
    std::string line = with_shaft(parts);
    std::vector<std::string> places;
    for (const auto& [column, source] : parts) {
      line[column * column_] = 'o';
      if (source == 0) continue;
      places.push_back(fmt::format("{}:{}", components_[column], source));
    }
    beside(std::move(line),
           places.empty()
               ? name
               : fmt::format("{} ({})", name, fmt::join(places, ", ")));
  }

  const std::vector<std::string>& components_;
  const std::vector<evidence::SourceStep>& steps_;
  bool with_files_ = false;
  std::size_t column_ = 0;
  std::size_t text_at_ = 0;  // 0: text is in the columns.
  std::size_t text_width_ = 0;
  std::string text_;
};

}  // namespace

std::string chart(const std::vector<std::string>& components,
                  const std::vector<evidence::SourceStep>& steps,
                  std::size_t width) {
  return components.empty() ? "" : Chart(components, steps, width).run();
}

}  // namespace agon::cli
