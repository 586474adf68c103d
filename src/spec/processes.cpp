// SPDX-License-Identifier: Apache-2.0
#include "spec/processes.h"

#include <fmt/format.h>

#include <algorithm>

#include "lts/explore.h"
#include "spec/return_labels.h"
#include "support/suggest.h"

namespace agon::spec {
namespace {

constexpr std::string_view kReturn = "return";

bool is_return(std::string_view label) {
  return lts::matches_prefix(label, kReturn);
}

support::Source join(const std::vector<File>& files) {
  std::vector<support::Source::Part> parts;
  for (const File& file : files) parts.push_back({file.source, file.processes});
  return support::Source::join(std::move(parts));
}

}  // namespace

Processes::Processes(const std::vector<File>& files,
                     WrittenConditions conditions, bool allow_import,
                     support::Context& context)
    : conditions_(std::move(conditions)),
      labels_(std::make_shared<lts::LabelTable>()) {
  Offset begin = 0;
  for (const File& file : files) {
    sources_.push_back(file.source);
    begins_.push_back(begin);
    begin += static_cast<Offset>(file.processes.size()) + 1;
  }
  options_.allow_tau = true;
  options_.allow_import = allow_import;
  options_.allow_in_place = true;
  options_.allow_progress = false;
  options_.whole_return_ranges = true;
  options_.meanings = std::make_shared<const ReturnMeanings>(conditions_);
  text_ = join(files);
  model_ = fsp::Model::parse(*text_, context, options_);
}

ReturnCondition Processes::condition(const std::string& label, std::size_t file,
                                     const ProcessText& text) const {
  auto result = read_return(label, conditions_);
  if (!result) {
    sources_[file]->fail(
        text.offset,
        fmt::format("this process performs '{}', which is no return of a value",
                    label));
  }
  return std::move(*result);
}

/// Labels that stand for several values do for operators that do not tell them
/// apart. Others may be written out, as far as they are ranges.
fsp::Model::Compiled Processes::compile_named(const std::string& name,
                                              support::Context& context) const {
  try {
    return model_->compile_named(name, labels_, context);
  } catch (const fsp::OverlapError& error) {
    try {
      fsp::ParseOptions options = options_;
      options.whole_return_ranges = false;
      return fsp::Model::parse(*text_, context, options)
          .compile_named(name, labels_, context);
    } catch (const support::InputError&) {
      throw error;
    }
  }
}

Process Processes::compile(std::size_t file, const ProcessText& text,
                           support::Context& context) const {
  std::string name = text.text;
  if (text.is_in_place) {
    name = fsp::in_place_name(begins_[file] + text.offset);
  } else {
    const std::string plain = name.substr(0, name.find('('));
    std::vector<std::string> names;
    for (const auto& process : model_->processes()) {
      if (!fsp::is_in_place_name(process.name)) names.push_back(process.name);
    }
    if (std::ranges::find(names, plain) == names.end()) {
      sources_[file]->fail(text.offset,
                           fmt::format("there is no process '{}'{}", plain,
                                       support::did_you_mean(plain, names)));
    }
  }
  fsp::Model::Compiled made = [&] {
    try {
      return compile_named(name, context);
    } catch (const support::InputError& error) {
      // Arguments are a text of their own to FSP.
      if (error.location().file != "process") throw;
      sources_[file]->fail(
          text.offset + std::max<Offset>(error.location().column, 1) - 1,
          error.message());
    }
  }();
  lts::Explored explored = lts::explore_traced(*made.system, context);
  Process result{std::move(explored.lts), {}, {}};
  if (!made.state_names.empty()) {
    for (const lts::State state : explored.original) {
      result.state_names.push_back(made.state_names[state.index()]);
    }
  }
  result.return_of.assign(labels_->size(), 0);
  for (const lts::Label label : result.lts.alphabet()) {
    if (!is_return(labels_->name(label))) continue;
    result.returns.push_back(condition(labels_->name(label), file, text));
    result.return_of[label.index()] =
        static_cast<std::uint32_t>(result.returns.size());
  }
  return result;
}

}  // namespace agon::spec
