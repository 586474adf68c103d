// SPDX-License-Identifier: Apache-2.0
/// Answers that were found before: a directory with a file for each.
///
/// Only what was proved or replayed is kept. A file carries a checksum and
/// appears under its name when it is complete, so any number of processes may
/// use one directory; whatever is not as it was written is ignored.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.h"
#include "ir/program.h"
#include "lts/lts.h"
#include "report/archive.h"
#include "support/context.h"
#include "support/digest.h"

namespace agon::cli {

struct Session;

/// What an answer depends on. Where in the files things stand is none of it.
class CacheKey {
 public:
  /// `decisive`: the options that can matter, as text.
  explicit CacheKey(std::string_view decisive);

  CacheKey& add(std::string_view part);
  CacheKey& add(const lts::Lts& lts);
  /// Its places come from the last program that is added.
  CacheKey& add(const ir::Program& program);

  std::string name() const { return digest_.text(); }
  const std::vector<std::string>& files() const { return files_; }
  const auto& places() const { return places_; }

 private:
  support::Digest digest_;
  std::vector<std::string> files_;
  decltype(report::Answer::places) places_;
};

class Cache {
 public:
  /// Makes the directory if there is none. Throws InputError if it cannot.
  /// `decisive`: the options that can matter, as text. `detail`: what answers
  /// are to tell; those that tell more will do.
  Cache(std::string directory, std::string decisive, evidence::Detail detail);

  CacheKey key() const { return CacheKey(decisive_); }

  /// The answer, with its places where they are now.
  std::optional<report::Answer> find(const CacheKey& key) const;
  /// Keeps it if it is worth keeping. Whether that works is of no importance.
  void store(const CacheKey& key, report::Answer answer) const;

 private:
  std::string path(const CacheKey& key, evidence::Detail detail) const;
  std::optional<report::Answer> read(const CacheKey& key,
                                     evidence::Detail detail) const;

  std::string directory_;
  std::string decisive_;
  evidence::Detail detail_;
};

/// Moves all places of an answer from where they were when it was found to
/// where `key` says they are now. Nothing if that cannot be said for certain.
/// A recording of which this is true loses the digest of its program.
std::optional<report::Answer> moved(report::Answer answer, const CacheKey& key);

/// The answer to a question from the cache of the session if there is one that
/// can be used, or else what `decide` finds, which enters assumptions into the
/// report of the session. `is_usable` may put right what the cache cannot.
evidence::Result remembered(
    const std::function<void(CacheKey&)>& describe, Session& session,
    const std::function<evidence::Result()>& decide,
    const std::function<bool(evidence::Result&)>& is_usable);

}  // namespace agon::cli
