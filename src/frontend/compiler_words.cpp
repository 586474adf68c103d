// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler_words.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "support/error.h"

namespace agon::frontend {
namespace {

/// An option with a value, which may stand in the same word or in the next.
struct Spelling {
  std::string_view name;
  std::string_view meaning;  ///< Of its value, for messages.
};

constexpr std::array kSpellings = {
    Spelling{"-I", "a directory"},       Spelling{"-D", "a macro"},
    Spelling{"-U", "a macro"},           Spelling{"-include", "a file"},
    Spelling{"-isystem", "a directory"}, Spelling{"-iquote", "a directory"},
};

class Taker {
 public:
  explicit Taker(std::span<const std::string> words) : words_(words) {}

  CompilerWords run() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        taken_.arguments.insert(
            taken_.arguments.end(),
            words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
            words_.end());
        break;
      }
      if (!take(word)) taken_.rest.push_back(word);
    }
    return std::move(taken_);
  }

 private:
  bool take(const std::string& word) {
    if (word == "-m32" || word == "-m64") {
      taken_.rest.push_back(
          fmt::format("--data-model={}", word == "-m32" ? "ILP32" : "LP64"));
      return true;
    }
    for (const std::string_view name : {"-std", "--std"}) {
      if (const auto value = value_of(word, name, "a standard")) {
        taken_.arguments.push_back("-std=" + *value);
        return true;
      }
    }
    if (const auto value = value_of(word, "--extra-arg", "an argument")) {
      taken_.arguments.push_back(*value);
      return true;
    }
    for (const Spelling& spelling : kSpellings) {
      if (!word.starts_with(spelling.name)) continue;
      std::string value = word.substr(spelling.name.size());
      if (value.empty()) value = next(spelling.name, spelling.meaning);
      taken_.arguments.emplace_back(spelling.name);
      taken_.arguments.push_back(std::move(value));
      return true;
    }
    return false;
  }

  /// The value in `NAME=VALUE` or `NAME VALUE`, if the word has that name.
  std::optional<std::string> value_of(const std::string& word,
                                      std::string_view name,
                                      std::string_view meaning) {
    if (!word.starts_with(name)) return std::nullopt;
    if (word.size() == name.size()) return next(name, meaning);
    if (word[name.size()] != '=') return std::nullopt;
    if (word.size() == name.size() + 1) missing(name, meaning);
    return word.substr(name.size() + 1);
  }

  std::string next(std::string_view name, std::string_view meaning) {
    if (at_ + 1 == words_.size() || words_[at_ + 1].empty()) {
      missing(name, meaning);
    }
    return words_[++at_];
  }

  [[noreturn]] static void missing(std::string_view name,
                                   std::string_view meaning) {
    throw support::InputError(fmt::format("{} needs {}", name, meaning));
  }

  std::span<const std::string> words_;
  std::size_t at_ = 0;
  CompilerWords taken_;
};

}  // namespace

const char* const kCompilerHelp =
    "Options for the compiler, as for clang:\n"
    "  -I DIR, -isystem DIR        Look for headers here; also -iquote DIR\n"
    "  -D NAME[=VALUE], -U NAME    Define or undefine a macro\n"
    "  -include FILE               Read this header first\n"
    "  -std=STD                    The version of C: gnu17 by default\n"
    "  -m32, -m64                  Short for --data-model ILP32, LP64\n"
    "  --extra-arg ARG, -- ARG...  Any others\n";

const char* const kCompilerSummary =
    "Options for the compiler, as for clang: -I -isystem -iquote -D -U "
    "-include "
    "-std=... -m32 -m64; any others with --extra-arg or behind '--'.\n";

CompilerWords take_compiler_words(std::span<const std::string> words) {
  return Taker(words).run();
}

}  // namespace agon::frontend
