// SPDX-License-Identifier: Apache-2.0
/// Runs a C program in the interpreter, for tests that compare it with the
/// compiled program: `run_c [--inline] [--regions] [--slice] [--flat] [-m32]
/// [--overflow=error] FILE… [-- ARGUMENTS]`. With `--lower-only` it is lowered
/// and not run.
///
/// Prints what printf and puts would print, one line per other call of a
/// routine without a body, and last the outcome with the result.
#include <fmt/format.h>
#include <fmt/printf.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "analysis/prepare.h"
#include "frontend/frontend.h"
#include "ir/flatten.h"
#include "ir/interpreter.h"
#include "ir/library.h"
#include "ir/routines.h"
#include "support/error.h"

namespace {

using namespace agon;

/// Library routines that test programs use. Everything arbitrary is a number
/// from a seeded sequence.
class Library : public ir::ZeroEnvironment {
 public:
  /// With `by_place` there is a sequence for each place in the source, so that
  /// a slice, which may lack some, sees the same values at the others.
  Library(std::uint64_t seed, bool by_place)
      : by_place_(by_place), seed_(seed), state_(seed) {}

  term::Bits choose(const ir::Program&, const ir::Havoc& havoc,
                    const ir::Position& place) override {
    if (havoc.reason != ir::HavocReason::Input) return 0;
    if (ir::is_in_library(havoc.source)) return 0;
    if (!by_place_) return next();
    const std::uint64_t key = std::uint64_t{place.line} << 32 | place.column;
    state_ = sequences_.try_emplace(key, seed_ + key).first->second;
    const std::uint64_t value = next();
    sequences_[key] = state_;
    return value;
  }

  std::vector<term::Bits> call(const ir::Program& program,
                               const ir::Function& routine,
                               std::span<const term::Bits> arguments,
                               ir::MemoryAccess& memory) override {
    if (routine.name == "printf") {
      print(arguments, static_cast<int>(program.pointer_width() / 8), memory);
    } else if (routine.name == "puts") {
      fmt::print("{}\n", text(arguments[0], memory));
    } else if (routine.name == "putchar") {
      fmt::print("{}", static_cast<char>(arguments[0]));
    }
    return {};
  }

 private:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33 & 0xf;
  }

  static std::string text(term::Bits address, ir::MemoryAccess& memory) {
    std::string result;
    for (auto at = static_cast<std::uint64_t>(address);; ++at) {
      const char c = static_cast<char>(memory.read_byte(at));
      if (c == 0 || result.size() > 100'000) return result;
      result += c;
    }
  }

  // Supports what the tests print: %d %u %x %X %c %s %p with l, ll, z, h.
  static void print(std::span<const term::Bits> arguments, int long_size,
                    ir::MemoryAccess& memory) {
    const std::string format = text(arguments[0], memory);
    std::size_t next = 1;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%' || i + 1 == format.size()) {
        std::putchar(format[i]);
        continue;
      }
      std::string flags;
      int longs = 0;
      for (++i; i < format.size(); ++i) {
        if (format[i] == 'l') {
          ++longs;
        } else if (format[i] == 'z' || format[i] == 'j' || format[i] == 't') {
          longs = 1;
        } else if (std::string_view("0123456789.-+# h").find(format[i]) !=
                   std::string_view::npos) {
          if (format[i] != 'h') flags += format[i];
        } else {
          break;
        }
      }
      if (format[i] == '%') {
        std::putchar('%');
        continue;
      }
      const auto value = static_cast<std::uint64_t>(
          next < arguments.size() ? arguments[next] : 0);
      ++next;
      convert(flags, format[i], value, longs * long_size >= 8, memory);
    }
  }

  static void convert(const std::string& flags, char kind, std::uint64_t value,
                      bool is_long, ir::MemoryAccess& memory) {
    if (kind == 's') {
      std::fputs(text(value, memory).c_str(), stdout);
      return;
    }
    const std::string format =
        "%" + flags + (kind == 'c' || kind == 'p' ? "" : "ll") + kind;
    if (kind == 'd' || kind == 'i') {
      const long long number = is_long ? static_cast<long long>(value)
                                       : static_cast<std::int32_t>(value);
      std::fputs(fmt::sprintf(format, number).c_str(), stdout);
    } else if (kind == 'c') {
      std::putchar(static_cast<char>(value));
    } else {
      const unsigned long long number =
          is_long ? value : static_cast<std::uint32_t>(value);
      std::fputs(fmt::sprintf(format, number).c_str(), stdout);
    }
  }

  bool by_place_;
  std::uint64_t seed_;
  std::uint64_t state_;
  std::map<std::uint64_t, std::uint64_t> sequences_;
};

/// One automaton that behaves like the program; or the program itself if it is
/// recursive.
ir::Program flattened(const ir::Program& program, ir::FunctionId entry) {
  ir::FlattenOptions options;
  for (const ir::Function& function : program.functions) {
    const bool is_allocator =
        ir::routine_model(function).result == ir::RoutineResult::Fresh;
    if (!function.has_body && !is_allocator) options.keep.insert(function.name);
  }
  ir::Flat flat = ir::flatten(program, entry, options);
  return flat.program ? std::move(*flat.program) : program;
}

}  // namespace

int main(int argc, char** argv) try {
  frontend::Options options;
  std::vector<std::string> files;
  std::uint64_t seed = 1;
  bool lower_only = false;
  bool by_place = false;
  bool flat = false;
  analysis::PrepareOptions steps{.inline_calls = false,
                                 .regions = false,
                                 .slice = false,
                                 .observe_memory = true};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--inline") {
      steps.inline_calls = true;
    } else if (word == "--regions") {
      steps.regions = true;
    } else if (word == "--slice") {
      steps.slice = true;
    } else if (word == "--flat") {
      flat = true;
    } else if (word == "-m32") {
      options.model = ir::DataModel::ILP32;
    } else if (word == "--overflow=error") {
      options.overflow_is_error = true;
    } else if (word == "-p") {
      options.build_directory = argv[++i];
    } else if (word == "--lower-only") {
      lower_only = true;
    } else if (word == "--inputs-by-place") {
      by_place = true;
    } else if (word == "--seed") {
      seed = std::stoull(argv[++i]);
    } else if (word.starts_with("-I") || word.starts_with("-D") ||
               word.starts_with("-std")) {
      options.arguments.push_back(word);
    } else {
      files.push_back(word);
    }
  }
  support::Context context;
  ir::Program program = frontend::lower(files, options, context);
  if (lower_only) {
    for (const auto& [name, count] : context.statistics()) {
      fmt::print("{} {}\n", name, count);
    }
    return 0;
  }
  program = ir::with_library(program);
  const auto main_function = program.find_function("main");
  if (!main_function) throw support::InputError("there is no main");
  analysis::Prepared prepared{std::move(program), *main_function, {}};
  if (flat) prepared.program = flattened(prepared.program, prepared.entry);
  if (steps.inline_calls || steps.regions || steps.slice) {
    prepared =
        analysis::prepare(prepared.program, prepared.entry, steps, context);
    if (prepared.reason) throw support::InputError(*prepared.reason);
  }
  Library library(seed, by_place);
  ir::InterpreterOptions running;
  if (prepared.program[prepared.entry].parameters.size() >= 2) {
    running.arguments = {1, 8};  // No program looks at what argv points to.
  }
  const ir::Run run =
      ir::interpret(prepared.program, prepared.entry, library, running);
  std::fflush(stdout);
  static constexpr const char* kOutcomes[] = {"returned",    "stopped",
                                              "blocked",     "step limit",
                                              "depth limit", "bad call"};
  fmt::print(stderr, "{}", kOutcomes[static_cast<std::size_t>(run.outcome)]);
  for (const term::Bits result : run.results) {
    fmt::print(stderr, " {}", static_cast<std::int32_t>(result));
  }
  if (run.outcome == ir::Outcome::Stopped && !run.actions.empty()) {
    const ir::Action& last = run.actions.back();
    fmt::print(stderr, " in {}", prepared.program[last.routine].name);
    if (!last.arguments.empty()) {
      fmt::print(stderr, " {}", static_cast<std::int32_t>(last.arguments[0]));
    }
  }
  fmt::print(stderr, " after {} steps\n", run.steps);
  return run.outcome == ir::Outcome::Returned
             ? static_cast<int>(run.results.empty() ? 0 : run.results[0]) & 255
             : 100 + static_cast<int>(run.outcome);
} catch (const agon::support::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
