// SPDX-License-Identifier: Apache-2.0
#include "cli/cache.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "cli/build_id.h"
#include "cli/c_input.h"
#include "cli/output.h"
#include "cli/session.h"
#include "ir/text.h"
#include "report/version.h"
#include "support/error.h"

namespace agon::cli {
namespace {

using evidence::Detail;
using report::Answer;
using support::Verdict;

constexpr std::string_view kHeader = "agon answer 1\n";

/// A file, a line and a column, which is 0 if only the line is meant.
using Point = std::tuple<std::string, std::size_t, std::size_t>;
/// Where a place is now; nothing if that is not unique.
using Moves = std::map<Point, std::optional<Point>>;

void note_move(Point from, Point to, Moves& moves) {
  const auto [at, is_new] = moves.try_emplace(std::move(from), to);
  if (!is_new && at->second != to) at->second.reset();
}

Moves moves_of(const Answer& answer, const CacheKey& key) {
  Moves moves;
  for (std::size_t i = 0; i < answer.places.size(); ++i) {
    const auto& [old_file, old_line, old_column] = answer.places[i];
    const auto& [file, line, column] = key.places()[i];
    const std::string& from = answer.files.at(old_file);
    const std::string& to = key.files()[file];
    note_move({from, old_line, 0}, {to, line, 0}, moves);
    if (old_column != 0) {
      note_move({from, old_line, old_column}, {to, line, column}, moves);
    }
  }
  return moves;
}

template <class Line>
bool move_place(const Moves& moves, std::string& file, Line& line,
                std::uint32_t* column = nullptr) {
  if (line == 0) return true;
  const auto found =
      moves.find({file, std::size_t{line}, column == nullptr ? 0 : *column});
  if (found == moves.end() || !found->second) return false;
  file = std::get<0>(*found->second);
  line = static_cast<Line>(std::get<1>(*found->second));
  if (column != nullptr) {
    *column = static_cast<std::uint32_t>(std::get<2>(*found->second));
  }
  return true;
}

void move_recording(const Moves& moves, evidence::Recording& recording) {
  for (evidence::Recording::Answer& each : recording.answers) {
    if (!move_place(moves, each.file, each.line, &each.column)) {
      recording.program_sha256.clear();
      return;
    }
  }
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? text.str() : std::string();
}

/// Also of the question, so that no answer can take another one's place.
std::string checksum(const CacheKey& key, Detail detail,
                     std::string_view body) {
  return support::Digest()
      .add(key.name())
      .add(std::to_string(static_cast<int>(detail)))
      .add(body)
      .text();
}

/// As if no more had been asked for.
void reduce(evidence::Result& result, Detail detail) {
  if (detail < Detail::Model) result.models.clear();
  if (detail < Detail::History) result.history.clear();
}

}  // namespace

CacheKey::CacheKey(std::string_view decisive) {
  add(report::kVersion).add(build_id()).add(decisive);
}

CacheKey& CacheKey::add(std::string_view part) {
  digest_.add(part);
  return *this;
}

CacheKey& CacheKey::add(const lts::Lts& lts) {
  std::string text =
      fmt::format("{} {}\n", lts.num_states(), lts.initial().value());
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    const lts::State state = lts::State::at(i);
    text += fmt::format("{}\n", static_cast<int>(lts.kind(state)));
    for (const lts::Transition t : lts.out(state)) {
      text += fmt::format("{} {} {}\n", i, lts.labels()->name(t.label),
                          t.target.value());
    }
  }
  for (const lts::Label label : lts.alphabet()) {
    text += lts.labels()->name(label) + "\n";
  }
  return add(text);
}

CacheKey& CacheKey::add(const ir::Program& program) {
  std::vector<ir::Position> places;
  add(ir::to_text(program, places));
  files_ = program.files;
  files_.emplace_back();  // Of places that are none.
  places_.clear();
  for (const ir::Position& place : places) {
    const bool is_known = place.file.valid() && place.line != 0;
    const auto nowhere = static_cast<std::uint32_t>(program.files.size());
    places_.emplace_back(is_known ? place.file.value() : nowhere,
                         is_known ? place.line : 0,
                         is_known ? place.column : 0);
  }
  return *this;
}

Cache::Cache(std::string directory, std::string decisive, Detail detail)
    : directory_(std::move(directory)),
      decisive_(std::move(decisive)),
      detail_(detail) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (!std::filesystem::is_directory(directory_, error)) {
    throw support::InputError(
        fmt::format("--cache: cannot make the directory '{}'", directory_));
  }
}

std::string Cache::path(const CacheKey& key, Detail detail) const {
  return fmt::format("{}/{}-{}.answer", directory_, key.name(),
                     static_cast<int>(detail));
}

std::optional<Answer> Cache::find(const CacheKey& key) const {
  for (const Detail detail : {Detail::None, Detail::History, Detail::Model}) {
    if (detail < detail_) continue;
    if (auto answer = read(key, detail)) {
      reduce(answer->result, detail_);
      return answer;
    }
  }
  return std::nullopt;
}

std::optional<Answer> Cache::read(const CacheKey& key, Detail detail) const {
  const std::string text = content(path(key, detail));
  constexpr std::size_t kDigits = 40;
  const std::size_t start = kHeader.size() + kDigits;
  if (text.size() < start || !text.starts_with(kHeader)) return std::nullopt;
  const std::string_view body = std::string_view(text).substr(start);
  if (checksum(key, detail, body) != text.substr(kHeader.size(), kDigits)) {
    return std::nullopt;
  }
  std::optional<Answer> answer = report::unpack_answer(body);
  if (!answer || answer->result.verdict == Verdict::Unknown) {
    return std::nullopt;
  }
  return moved(std::move(*answer), key);
}

void Cache::store(const CacheKey& key, Answer answer) const {
  if (answer.result.verdict == Verdict::Unknown) return;
  answer.files = key.files();
  answer.places = key.places();
  const std::string body = report::pack(answer);
  try {
    write_file(
        path(key, detail_),
        fmt::format("{}{}{}", kHeader, checksum(key, detail_, body), body));
  } catch (const support::InputError&) {
    // A full disk costs time, but no answer.
  }
}

std::optional<Answer> moved(Answer answer, const CacheKey& key) {
  if (answer.files == key.files() && answer.places == key.places()) {
    return answer;
  }
  // These are texts with places in them.
  if (!answer.result.strategy.empty()) return std::nullopt;
  if (answer.places.size() != key.places().size()) return std::nullopt;
  const Moves moves = moves_of(answer, key);
  bool is_certain = true;
  const auto move = [&](std::string& file, auto& line) {
    is_certain = is_certain && move_place(moves, file, line);
  };
  for (report::ReportedAssumption& each : answer.assumptions) {
    move(each.file, each.line);
  }
  if (answer.result.counterexample) {
    for (evidence::SourceStep& step : answer.result.counterexample->steps) {
      move(step.file, step.line);
      move(step.call.file, step.call.line);
    }
    if (auto& recording = answer.result.counterexample->recording) {
      move_recording(moves, *recording);
    }
    if (auto& together = answer.result.counterexample->interleaving) {
      for (auto& each : together->components) move_recording(moves, each);
    }
  }
  for (evidence::Iteration& iteration : answer.result.history) {
    for (evidence::SpuriousPlay& play : iteration.spurious) {
      for (auto& [text, place] : play.tests) move(place.file, place.line);
      move(play.place.file, play.place.line);
    }
    for (evidence::FoundPredicate& found : iteration.found) {
      move(found.place.file, found.place.line);
    }
  }
  for (evidence::Model& model : answer.result.models) {
    for (auto& cut : model.cuts) move(cut.place.file, cut.place.line);
  }
  if (!is_certain) return std::nullopt;
  return answer;
}

evidence::Result remembered(
    const std::function<void(CacheKey&)>& describe, Session& session,
    const std::function<evidence::Result()>& decide,
    const std::function<bool(evidence::Result&)>& is_usable) {
  if (session.cache == nullptr) return decide();
  const auto before = std::chrono::steady_clock::now();
  CacheKey key = session.cache->key();
  describe(key);
  support::Statistics& statistics = session.context.statistics();
  std::optional<Answer> known = session.cache->find(key);
  if (known && is_usable(known->result)) {
    ++statistics["cache.hits"];
    for (auto& each : known->assumptions) {
      add_assumption(std::move(each), session.report);
    }
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - before;
    known->result.time_s = time.count();
    return std::move(known->result);
  }
  ++statistics["cache.misses"];
  Answer answer;
  std::vector<report::ReportedAssumption> others =
      std::exchange(session.report.assumptions, {});
  answer.result = decide();
  answer.assumptions = std::exchange(session.report.assumptions, others);
  for (const auto& each : answer.assumptions) {
    add_assumption(each, session.report);
  }
  session.cache->store(key, answer);
  return std::move(answer.result);
}

}  // namespace agon::cli
