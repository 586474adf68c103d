// SPDX-License-Identifier: Apache-2.0
/// C and a specification, woven and run in the interpreter for all choices.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "ir/interpreter.h"
#include "spec/specification.h"
#include "spec/weave.h"
#include "support/error.h"

namespace agon::test {

using Trace = std::vector<std::string>;

/// Answers every choice from a script, and writes down how many there were.
class Scripted : public ir::ZeroEnvironment {
 public:
  Scripted(std::vector<std::size_t>& script, std::vector<std::uint64_t> values)
      : script_(script), values_(std::move(values)) {}

  term::Bits choose(const ir::Program&, const ir::Havoc&,
                    const ir::Position&) override {
    if (next_ == script_.size()) script_.push_back(0);
    return term::Bits(values_[script_[next_++]]);
  }
  std::size_t asked() const { return next_; }

 private:
  std::vector<std::size_t>& script_;
  std::vector<std::uint64_t> values_;
  std::size_t next_ = 0;
};

struct Outcomes {
  std::set<Trace> complete;  ///< Traces of runs that returned.
  std::set<Trace> all;       ///< Of all runs, cut to the length asked for.
};

class Spec : public testing::Test {
 protected:
  Spec()
      : folder_(std::filesystem::temp_directory_path() /
                ("agon-spec-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Spec() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  spec::Specification load(const std::string& text) {
    return spec::load(write("test.agon", text), context_);
  }

  ir::Program lower(const std::vector<std::string>& texts,
                    const spec::Specification& specification) {
    std::vector<std::string> files;
    for (const std::string& text : texts) {
      files.push_back(
          write("test" + std::to_string(files.size()) + ".c", text));
    }
    frontend::Options options;
    options.fragments = specification.fragments();
    return frontend::lower(files, options, context_);
  }

  /// The whole way; the program is kept.
  const spec::Woven& weave(const std::string& c, const std::string& agon) {
    return weave(std::vector<std::string>{c}, agon);
  }
  const spec::Woven& weave(const std::vector<std::string>& c,
                           const std::string& agon) {
    const spec::Specification specification = load(agon);
    program_.emplace(lower(c, specification));
    woven_ = spec::weave(*program_, specification);
    return woven_;
  }

  /// The message for input that is refused, without the folder's name.
  std::string error_of(const std::string& c, const std::string& agon) {
    try {
      weave(c, agon);
    } catch (const support::InputError& error) {
      std::string text = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) {
        text.erase(at, prefix.size());
      }
      return text;
    }
    return "no error";
  }

  /// Runs a function for all answers out of `values` to its first `choices`
  /// questions; the rest are answered with the first value.
  Outcomes run(const std::string& function,
               const std::vector<std::uint64_t>& values,
               const std::vector<std::uint64_t>& arguments = {},
               std::size_t length = 6, std::size_t choices = 8) {
    const auto entry = program_->find_function(function);
    EXPECT_TRUE(entry.has_value()) << function;
    Outcomes result;
    ir::InterpreterOptions options;
    options.max_steps = 400;
    for (const std::uint64_t each : arguments) {
      options.arguments.emplace_back(each);
    }
    std::vector<std::size_t> script;
    for (;;) {
      Scripted environment(script, values);
      const ir::Run run =
          ir::interpret(*program_, *entry, environment, options);
      add(run, length, result);
      script.resize(std::min({script.size(), environment.asked(), choices}));
      while (!script.empty() && script.back() + 1 == values.size()) {
        script.pop_back();
      }
      if (script.empty()) return result;
      ++script.back();
    }
  }

  support::Context context_;
  std::optional<ir::Program> program_;
  spec::Woven woven_;

 private:
  void add(const ir::Run& run, std::size_t length, Outcomes& to) const {
    Trace trace;
    for (const ir::Action& action : run.actions) {
      const ir::Function& routine = (*program_)[action.routine];
      if (routine.is_action) trace.push_back(routine.display);
    }
    if (run.outcome == ir::Outcome::Returned) to.complete.insert(trace);
    if (trace.size() > length) trace.resize(length);
    to.all.insert(trace);
  }

  std::filesystem::path folder_;
};

}  // namespace agon::test
