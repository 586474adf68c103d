// SPDX-License-Identifier: Apache-2.0
#include "cli/check_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "cli/batch.h"
#include "cli/project.h"
#include "spec/specification.h"
#include "support/error.h"
#include "support/suggest.h"

namespace agon::cli {
namespace {

using support::InputError;

/// Something to verify, and the routines that it is about.
struct Target {
  std::string name;
  std::vector<std::string> routines;
  bool is_imported = false;
};

/// Those of imported files too, unless these are checked for themselves.
std::vector<Target> targets_of(const spec::Specification& specification,
                               bool with_imported) {
  std::vector<Target> targets;
  for (const spec::Question& question : specification.questions()) {
    const bool is_new = std::ranges::none_of(targets, [&](const Target& each) {
      return each.name == question.target;
    });
    if (is_new && (with_imported || !question.is_imported)) {
      targets.push_back(
          {question.target, {question.target}, question.is_imported});
    }
  }
  for (const spec::ProgramQuestion& question : specification.programs()) {
    if (question.is_imported && !with_imported) continue;
    Target& target = targets.emplace_back();
    target.name = question.definition.name;
    target.is_imported = question.is_imported;
    for (const spec::ComponentQuestion& each : question.components) {
      target.routines.push_back(each.routine);
    }
  }
  return targets;
}

/// The routines that a specification describes instead of their code.
std::set<std::string> described(const spec::Specification& specification) {
  std::set<std::string> names;
  for (const auto& each : specification.plan().replacements) {
    if (!each.is_own) names.insert(each.shape.routine);
  }
  return names;
}

std::vector<std::string> specification_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(path, error)) {
    if (entry.path().extension() == ".agon" && entry.is_regular_file(error)) {
      files.push_back(entry.path().lexically_normal().string());
    }
  }
  std::ranges::sort(files);
  if (files.empty()) {
    throw InputError(fmt::format("there are no .agon files in '{}'", path));
  }
  return files;
}

class Planner {
 public:
  Planner(const ConformanceOptions& options, Session& session)
      : options_(options), session_(session) {}

  std::vector<Job> plan() {
    if (options_.input.files.empty()) {
      project_ = std::make_unique<Project>(options_.input, session_.context);
    }
    for (const std::string& file : specification_files(options_.spec)) {
      add(file);
    }
    if (questions_.size() > 1) tell_files_apart();
    if (!jobs_.empty()) return std::move(jobs_);
    if (options_.target.empty()) {
      throw InputError(
          fmt::format("'{}' has no 'verify' to decide", options_.spec));
    }
    throw InputError(
        fmt::format("'{}' verifies no '{}'{}", options_.spec, options_.target,
                    support::did_you_mean(options_.target, known_)));
  }

 private:
  void add(const std::string& file) {
    std::optional<spec::Specification> specification;
    try {
      specification = spec::load(file, session_.context);
    } catch (const InputError&) {
      add_failure(file, file);
      return;
    }
    for (const Target& target :
         targets_of(*specification, file == options_.spec)) {
      known_.push_back(target.name);
      if (options_.target.empty() || options_.target == target.name) {
        add(file, target, *specification);
      }
    }
  }

  void add(const std::string& file, const Target& target,
           const spec::Specification& specification) {
    const auto own = std::make_shared<ConformanceOptions>(options_);
    own->spec = file;
    own->target = target.name;
    own->is_target_optional = target.is_imported;
    if (own->input.files.empty()) {
      try {
        own->input.files =
            project_->files_for(target.routines, described(specification));
      } catch (const InputError&) {
        add_failure(file, target.name);
        return;
      }
    }
    questions_.push_back(own);
    jobs_.push_back({file, target.name, [own](Session& session) {
                       return check_one(*own, session);
                     }});
  }

  void tell_files_apart() {
    for (const auto& own : questions_) {
      own->engine.certificate = own_file(options_.engine.certificate, *own);
      own->engine.harness = own_file(options_.engine.harness, *own);
    }
  }

  /// `proof.json` for all is `proof-lock-acquire.json` for the target `acquire`
  /// of `lock.agon`, so that no process replaces what another has written.
  std::string own_file(const std::string& common,
                       const ConformanceOptions& own) {
    if (common.empty() || is_device(common)) return common;
    const std::filesystem::path path(common);
    const std::string name = fmt::format(
        "{}-{}-{}", path.stem().string(),
        std::filesystem::path(own.spec).stem().string(), own.target);
    std::string result;
    for (std::size_t i = 1; i == 1 || taken_.contains(result); ++i) {
      const std::string number = i == 1 ? "" : fmt::format("-{}", i);
      result =
          (path.parent_path() / (name + number + path.extension().string()))
              .string();
    }
    taken_.insert(result);
    return result;
  }

  static bool is_device(const std::string& path) {
    return path == "-" || path.starts_with("/dev/");
  }

  /// The exception that is being handled is this job's answer.
  void add_failure(const std::string& file, const std::string& target) {
    jobs_.push_back(
        {file, target, [failure = std::current_exception()](Session&) {
           std::rethrow_exception(failure);
           return ExitCode::InternalError;
         }});
  }

  const ConformanceOptions& options_;
  Session& session_;
  std::unique_ptr<Project> project_;
  std::vector<Job> jobs_;
  std::vector<std::shared_ptr<ConformanceOptions>> questions_;  // Of jobs.
  std::vector<std::string> known_;
  std::set<std::string> taken_;  // Names of files to be written.
};

}  // namespace

bool is_project(const ConformanceOptions& options) {
  std::error_code error;
  return options.jobs > 0 || options.input.files.empty() ||
         std::filesystem::is_directory(options.spec, error);
}

ExitCode check_project(const ConformanceOptions& options, Session& session) {
  const CInput& input = options.input;
  begin(session, options.spec);
  if (input.files.empty() && input.options.build_directory.empty()) {
    throw InputError(
        "C files are needed, or a directory with a compile_commands.json (-p)");
  }
  const std::size_t cores =
      std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
  return run_batch(Planner(options, session).plan(),
                   options.jobs > 0 ? options.jobs : cores, session);
}

}  // namespace agon::cli
