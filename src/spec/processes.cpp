// SPDX-License-Identifier: Apache-2.0
#include "spec/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lts/explore.h"
#include "spec/parser.h"
#include "support/suggest.h"

namespace agon::spec {
namespace {

constexpr std::string_view kReturn = "return";

bool is_return(std::string_view label) {
  return lts::matches_prefix(label, kReturn);
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return {};
  return value;
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
  fsp::ParseOptions options;
  options.allow_tau = true;
  options.allow_import = allow_import;
  options.allow_in_place = true;
  options.whole_return_ranges = true;
  model_ = fsp::Model::parse(join(files), context, options);
}

ReturnCondition Processes::condition(const std::string& label, std::size_t file,
                                     const ProcessText& text) const {
  ReturnCondition result;
  result.written = label == kReturn ? "return" : "return[_]";
  if (label == kReturn || label == kAnyReturn) return result;
  const std::string_view rest =
      std::string_view(label).substr(kReturn.size() + 1);
  if (const auto known = conditions_.find(std::string(rest));
      known != conditions_.end()) {
    result.kind = ReturnCondition::Kind::C;
    result.value = known->second;
    result.written = fmt::format("return{{{}}}", known->second.text);
    return result;
  }
  const std::size_t dots = rest.find("..");
  const auto low = number(rest.substr(0, dots));
  const auto high =
      dots == std::string_view::npos ? low : number(rest.substr(dots + 2));
  if (!low || !high) {
    sources_[file]->fail(
        text.offset,
        fmt::format("this process performs '{}', which is no return of a value",
                    label));
  }
  result.kind = ReturnCondition::Kind::Range;
  result.low = *low;
  result.high = *high;
  result.written = fmt::format("return[{}]", rest);
  return result;
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
      return model_->compile_named(name, labels_, context);
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
