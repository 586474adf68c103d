// SPDX-License-Identifier: Apache-2.0
#include "cli/chart.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace agon::cli {
namespace {

using evidence::SourceStep;

SourceStep local(const std::string& component, std::uint32_t line,
                 const std::string& text) {
  SourceStep step;
  step.file = "a.c";
  step.line = line;
  step.text = text;
  step.component = component;
  return step;
}

SourceStep part(const std::string& component, std::uint32_t line,
                std::size_t event, const std::string& action) {
  SourceStep step = local(component, line, action);
  step.action = action;
  step.event = event;
  return step;
}

TEST(Chart, DrawsMessagesBetweenColumns) {
  const std::string drawn =
      chart({"x", "y"},
            {local("x", 3, "[n == 0]"), part("x", 4, 1, "go"),
             part("y", 9, 1, "go"), part("y", 10, 2, "y.end")},
            44);
  EXPECT_EQ(drawn,
            "    x                   y\n"
            "    (a.c)               (a.c)\n"
            "    | 3: [n == 0]       |\n"
            "    o 4 ------ go ------o 9\n"
            "    |                   *-- y.end at 10\n");
}

TEST(Chart, NamesWhatThreeDoTogether) {
  const std::string drawn =
      chart({"x", "y", "z"},
            {part("x", 4, 1, "go"), part("y", 9, 1, "go"),
             part("z", 12, 1, "go"), part("x", 5, 2, "x.very.long.name"),
             part("y", 10, 2, "x.very.long.name")},
            64);
  EXPECT_EQ(drawn,
            "    x                   y                   z\n"
            "    (a.c)               (a.c)               (a.c)\n"
            "    o 4 ------ go ------o 9 ----------------o 12\n"
            "    | x.very.long.name  |                   |\n"
            "    o 5 ----------------o 10                |\n");
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t result = 0;
  for (std::string line; std::getline(lines, line);) {
    result = std::max(result, line.size());
  }
  return result;
}

TEST(Chart, PutsTextBesideNarrowColumns) {
  const std::string drawn = chart(
      {"a", "b", "c", "d", "e"},
      {local("b", 3, "x = 1"), part("b", 4, 1, "m"), part("d", 5, 1, "m")}, 80);
  EXPECT_EQ(drawn,
            "    a\n"
            "    |     b (a.c)\n"
            "    |     |     c\n"
            "    |     |     |     d (a.c)\n"
            "    |     |     |     |     e\n"
            "    |     *     |     |     |      3: x = 1\n"
            "    |     o-----------o     |      m (b:4, d:5)\n");
}

TEST(Chart, FitsWithManyComponents) {
  for (std::size_t count = 1; count <= 20; ++count) {
    std::vector<std::string> components;
    std::vector<SourceStep> steps;
    for (std::size_t i = 0; i < count; ++i) {
      components.push_back("p[" + std::to_string(i) + "]");
      steps.push_back(local(components.back(), 1234,
                            "variable = other_variable + yet_another_one"));
      steps.push_back(part(components.back(), 77, i + 1, "message"));
      if (i > 0) steps.push_back(part(components[0], 5, i + 1, "message"));
    }
    EXPECT_LE(longest_line(chart(components, steps, 80)), 80U) << count;
  }
}

}  // namespace
}  // namespace agon::cli
