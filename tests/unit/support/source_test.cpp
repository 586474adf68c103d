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

}  // namespace
}  // namespace agon::support
