// SPDX-License-Identifier: Apache-2.0
#include "smt/caching_solver.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <utility>

#include "smt/query.h"
#include "support/error.h"
#include "support/hash.h"

namespace agon::smt {

class QueryCache {
 public:
  using Key = std::vector<std::uint32_t>;

  struct Entry {
    Answer answer = Answer::Unknown;
    std::vector<term::Value> model;  ///< Of the leaves, if Sat.
    std::vector<bool> core;          ///< Of the assumptions, if Unsat.
  };

  explicit QueryCache(std::size_t bytes)
      : most_words_(bytes / sizeof(Key{}[0])) {}

  QueryWriter writer;
  CacheStatistics statistics;

  const Entry* find(const Key& key) {
    const auto found = entries_.find(key);
    ++(found == entries_.end() ? statistics.misses : statistics.hits);
    return found == entries_.end() ? nullptr : &found->second;
  }
  void insert(Key key, Entry entry) {
    words_ += key.size();
    if (words_ > most_words_) {
      entries_.clear();
      words_ = key.size();
    }
    entries_.insert_or_assign(std::move(key), std::move(entry));
  }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.size();
      for (const std::uint32_t word : key) {
        hash = support::mix(hash * 31 + word);
      }
      return hash;
    }
  };

  std::size_t most_words_;
  std::size_t words_ = 0;
  tsl::robin_map<Key, Entry, Hash, std::equal_to<Key>,
                 std::allocator<std::pair<Key, Entry>>, true>
      entries_;
};

namespace {

using term::Term;

class CachingSolver final : public Solver {
 public:
  CachingSolver(std::unique_ptr<Solver> inner,
                std::shared_ptr<QueryCache> cache)
      : inner_(std::move(inner)), cache_(std::move(cache)) {}

  void push() override { frames_.push_back({formulas_.size(), false}); }
  void pop() override;
  void add(Term formula) override { formulas_.push_back(formula); }
  Answer check(std::span<const Term> assumptions) override;
  term::Assignment model() override { return model_; }
  std::vector<Term> core() override { return core_; }
  std::string reason() const override { return inner_->reason(); }
  void set_limits(const CheckLimits& limits) override {
    inner_->set_limits(limits);
  }
  void interrupt() override { inner_->interrupt(); }
  std::uint64_t spent() const override { return inner_->spent(); }
  std::size_t num_postponed() const override { return inner_->num_postponed(); }

 private:
  struct Frame {
    std::size_t formulas;  ///< That were there before.
    bool sent;             ///< Whether `inner_` has seen the push.
  };

  void send();
  QueryCache::Entry ask(const Query& query, std::span<const Term> assumptions);
  void recall(const QueryCache::Entry& entry, const Query& query,
              std::span<const Term> assumptions);

  const std::unique_ptr<Solver> inner_;
  const std::shared_ptr<QueryCache> cache_;
  std::vector<Term> formulas_;
  std::size_t sent_ = 0;  ///< Formulas that `inner_` has seen.
  std::vector<Frame> frames_;
  term::Assignment model_;
  std::vector<Term> core_;
};

void CachingSolver::pop() {
  AGON_ASSERT(!frames_.empty());
  if (frames_.back().sent) inner_->pop();
  formulas_.resize(frames_.back().formulas);
  sent_ = std::min(sent_, formulas_.size());
  frames_.pop_back();
}

/// Brings the inner solver up to date.
void CachingSolver::send() {
  const auto add_until = [this](std::size_t end) {
    for (; sent_ < end; ++sent_) inner_->add(formulas_[sent_]);
  };
  for (Frame& frame : frames_) {
    if (frame.sent) continue;
    add_until(frame.formulas);
    inner_->push();
    frame.sent = true;
  }
  add_until(formulas_.size());
}

Answer CachingSolver::check(std::span<const Term> assumptions) {
  model_.clear();
  core_.clear();
  Query query = cache_->writer.write(formulas_, assumptions);
  if (const QueryCache::Entry* entry = cache_->find(query.key)) {
    recall(*entry, query, assumptions);
    return entry->answer;
  }
  send();
  QueryCache::Entry entry = ask(query, assumptions);
  const Answer answer = entry.answer;
  if (answer != Answer::Unknown) {
    cache_->insert(std::move(query.key), std::move(entry));
  }
  return answer;
}

QueryCache::Entry CachingSolver::ask(const Query& query,
                                     std::span<const Term> assumptions) {
  QueryCache::Entry entry;
  entry.answer = inner_->check(assumptions);
  if (entry.answer == Answer::Sat) {
    model_ = inner_->model();
    for (const Term leaf : query.leaves) entry.model.push_back(model_.at(leaf));
  } else if (entry.answer == Answer::Unsat) {
    core_ = inner_->core();
    for (const Term assumption : query.assumptions) {
      entry.core.push_back(std::ranges::find(core_, assumption) != core_.end());
    }
  }
  return entry;
}

void CachingSolver::recall(const QueryCache::Entry& entry, const Query& query,
                           std::span<const Term> assumptions) {
  for (std::size_t i = 0; i < entry.model.size(); ++i) {
    model_.emplace(query.leaves[i], entry.model[i]);
  }
  std::vector<Term> needed;
  for (std::size_t i = 0; i < entry.core.size(); ++i) {
    if (entry.core[i]) needed.push_back(query.assumptions[i]);
  }
  for (const Term assumption : assumptions) {
    if (std::erase(needed, assumption) > 0) core_.push_back(assumption);
  }
}

}  // namespace

std::shared_ptr<QueryCache> make_query_cache(std::size_t bytes) {
  return std::make_shared<QueryCache>(bytes);
}

CacheStatistics statistics(const QueryCache& cache) { return cache.statistics; }

std::unique_ptr<Solver> make_caching_solver(std::unique_ptr<Solver> inner,
                                            std::shared_ptr<QueryCache> cache) {
  return std::make_unique<CachingSolver>(std::move(inner), std::move(cache));
}

}  // namespace agon::smt
