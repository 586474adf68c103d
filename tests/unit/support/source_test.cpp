// SPDX-License-Identifier: Apache-2.0
#include "support/source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace agon::support {
namespace {

std::string temporary(const std::string& name) {
  return testing::TempDir() + "agon_source_test_" + name;
}

TEST(Source, LocatesEveryByteLikeACounter) {
  const Source source = Source::from_string("f", "ab\n\ncde\n");
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  for (std::size_t i = 0; i <= source.text().size(); ++i) {
    const Location location = source.locate(i);
    EXPECT_EQ(location.line, line) << i;
    EXPECT_EQ(location.column, column) << i;
    if (i < source.text().size() && source.text()[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  EXPECT_EQ(source.line_at(0), "ab");
  EXPECT_EQ(source.line_at(2), "ab");
  EXPECT_EQ(source.line_at(3), "");
  EXPECT_EQ(source.line_at(4), "cde");
  EXPECT_EQ(source.line_at(8), "");
  EXPECT_EQ(source.line_at(1000), "");
}

TEST(Source, MapsAFile) {
  const std::string path = temporary("file");
  std::ofstream(path) << "hello\nworld";
  const Source source = Source::open(path);
  EXPECT_EQ(source.text(), "hello\nworld");
  EXPECT_EQ(source.name(), path);
  const Source copy = source;  // Shares the mapping.
  std::remove(path.c_str());
  EXPECT_EQ(copy.line_at(7), "world");
}

TEST(Source, ReadsAnEmptyFile) {
  const std::string path = temporary("empty");
  std::ofstream(path).flush();
  EXPECT_EQ(Source::open(path).text(), "");
  std::remove(path.c_str());
}

TEST(Source, ReadsAPipe) {
  const std::string path = temporary("pipe");
  std::remove(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << std::string(200000, 'x'); });
  const Source source = Source::open(path);
  writer.join();
  std::remove(path.c_str());
  EXPECT_EQ(source.text(), std::string(200000, 'x'));
}

TEST(Source, NamesWhatCannotBeRead) {
  for (const std::string path : {"/nonexistent/file", "/"}) {
    try {
      Source::open(path);
      FAIL() << path;
    } catch (const InputError& error) {
      EXPECT_NE(error.message().find("cannot read '" + path + "'"),
                std::string::npos);
    }
  }
}

TEST(Source, ShowsTheOriginalsOfJoinedTexts) {
  const auto original = [](const char* name, const char* text) {
    return std::make_shared<const Source>(Source::from_string(name, text));
  };
  const Source joined = Source::join({{original("a", "one\ntwo"), "ONE\nTWO"},
                                      {original("b", ""), ""},
                                      {original("c", "xy\nz"), "xY\nZ"}});
  EXPECT_EQ(joined.text(), "ONE\nTWO\n\nxY\nZ\n");
  EXPECT_EQ(joined.name(), "c");
  const auto shown = [&](std::size_t offset) {
    const Location place = joined.locate(offset);
    return place.file + ":" + std::to_string(place.line) + ":" +
           std::to_string(place.column) + " " +
           std::string(joined.line_at(offset));
  };
  EXPECT_EQ(shown(0), "a:1:1 one");
  EXPECT_EQ(shown(5), "a:2:2 two");
  EXPECT_EQ(shown(7), "a:2:4 two");
  EXPECT_EQ(shown(8), "b:1:1 ");
  EXPECT_EQ(shown(10), "c:1:2 xy");
  EXPECT_EQ(shown(12), "c:2:1 z");
  EXPECT_EQ(shown(99), "c:2:2 z");
}

}  // namespace
}  // namespace agon::support
