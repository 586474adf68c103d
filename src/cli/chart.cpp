// SPDX-License-Identifier: Apache-2.0
#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace agon::cli {
namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kLeastColumn = 8;

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
    column_ = std::max(kLeastColumn, available / components.size());
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

  void header() {
    std::string line(column_ * components_.size(), ' ');
    std::string files(column_ * components_.size(), ' ');
    bool has_files = false;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      put(line, i * column_, components_[i], column_ - 1);
      for (const evidence::SourceStep& step : steps_) {
        if (step.component != components_[i] || step.file.empty() ||
            step.file.ends_with(".agon")) {
          continue;
        }
        put(files, i * column_, shortened(step.file, column_ - 1), column_ - 1);
        has_files = true;
        break;
      }
    }
    write(line);
    if (has_files && !with_files_) write(files);
  }

  static void put(std::string& line, std::size_t at, const std::string& what,
                  std::size_t width) {
    const std::string shown = what.substr(0, width);
    line.replace(at, shown.size(), shown);
  }

  void local(const evidence::SourceStep& step) {
    const std::size_t i = number_of(step.component);
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
    std::vector<std::size_t> columns;
    std::size_t last = first;
    for (std::size_t i = first; i < steps_.size(); ++i) {
      if (steps_[i].event == 0) {
        if (!is_before(number, i)) break;
        local(steps_[i]);
        continue;
      }
      if (steps_[i].event != number) break;
      columns.push_back(number_of(steps_[i].component));
      last = i;
    }
    std::ranges::sort(columns);
    arrow(columns, steps_[first].action);
    return last + 1;
  }

  /// Whether a step of the event comes after this one.
  bool is_before(std::size_t number, std::size_t at) const {
    for (std::size_t i = at; i < steps_.size(); ++i) {
      if (steps_[i].event == number) return true;
      if (steps_[i].event != 0) return false;
    }
    return false;
  }

  void arrow(const std::vector<std::size_t>& columns, const std::string& name) {
    std::string line = bars();
    const std::size_t from = columns.front() * column_;
    const std::size_t to = columns.back() * column_;
    if (from == to) {
      line.resize(std::max(line.size(), from + 6 + name.size()), ' ');
      put(line, from, "*-- " + name, 4 + name.size());
      write(line);
      return;
    }
    if (name.size() + 6 > to - from) {
      std::string title = bars();
      title.resize(std::max(title.size(), from + 3 + name.size()), ' ');
      put(title, from + 2, name, name.size());
      write(title);
      std::fill(line.begin() + static_cast<long>(from),
                line.begin() + static_cast<long>(to), '-');
    } else {
      std::fill(line.begin() + static_cast<long>(from),
                line.begin() + static_cast<long>(to), '-');
      put(line, from + (to - from - name.size() - 2) / 2, " " + name + " ",
          name.size() + 2);
    }
    for (const std::size_t column : columns) line[column * column_] = 'o';
    write(line);
  }

  const std::vector<std::string>& components_;
  const std::vector<evidence::SourceStep>& steps_;
  bool with_files_ = false;
  std::size_t column_ = 0;
  std::string text_;
};

}  // namespace

std::string chart(const std::vector<std::string>& components,
                  const std::vector<evidence::SourceStep>& steps,
                  std::size_t width) {
  return components.empty() ? "" : Chart(components, steps, width).run();
}

}  // namespace agon::cli
