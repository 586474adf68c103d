// SPDX-License-Identifier: Apache-2.0
#include "verify/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "abstraction/blocks.h"
#include "support/sort_unique.h"
#include "term/substitute.h"
#include "verify/component.h"

namespace agon::verify {
namespace {

using term::Kind;
using term::Term;
using Places = std::set<std::string>;

std::string text_of(const ir::Program& program, const ir::Position& position) {
  if (position.line == 0 || !position.file.valid()) return "?";
  const std::string& file = program.files[position.file.index()];
  return fmt::format("{}:{}:{}", file.substr(file.rfind('/') + 1),
                     position.line, position.column);
}

/// Where an edge stands, with the calls that lead there.
std::string place_of(const ir::Program& program, const ir::Edge& edge) {
  std::string text = text_of(program, edge.position);
  for (ir::InlineId id = edge.inlined; id.valid();
       id = program.inlined[id.index()].outer) {
    text += " from " + text_of(program, program.inlined[id.index()].call);
  }
  return text;
}

/// A name without the number that tells copies apart, and without the mark of
/// what has none in the source.
std::string stem_of(const std::string& marked) {
  const std::string name = marked.substr(marked.starts_with('*') ? 1 : 0);
  const std::size_t dot = name.find_last_not_of("0123456789");
  const bool is_numbered = dot != std::string::npos && dot > 0 &&
                           name[dot] == '.' && dot + 1 < name.size();
  return is_numbered ? name.substr(0, dot) : name;
}

/// Names and places of one program, to be found in another.
class Index {
 public:
  Index(const ir::Program& program, ir::FunctionId entry)
      : program_(program), body_(program[entry].body) {
    for (const ir::Edge& edge : body_.edges()) note_used(edge);
  }

  /// Where variables and addresses occur.
  const std::map<Term, Places>& used() const { return used_; }

  /// What tells a location from others: the action before it, and the
  /// statements that come next.
  std::vector<Places> around() const {
    std::vector<Places> result(body_.num_locations());
    result[body_.entry().index()].insert("entry");
    for (const ir::Edge& edge : body_.edges()) {
      if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
        result[edge.to.index()].insert(
            fmt::format("behind {} {}", program_[call->callee].display,
                        place_of(program_, edge)));
      }
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      add_next(ir::LocationId::at(i), result[i]);
    }
    return result;
  }

 private:
  /// Looks through edges that do nothing.
  void add_next(ir::LocationId location, Places& places) const {
    std::vector<ir::LocationId> open{location};
    std::set<ir::LocationId> seen{location};
    while (!open.empty()) {
      const ir::LocationId at = open.back();
      open.pop_back();
      for (const ir::EdgeId id : body_.out_edges(at)) {
        const ir::Edge& edge = body_.edge(id);
        if (edge.position.line != 0) places.insert(place_of(program_, edge));
        const auto* test = std::get_if<ir::Assume>(&edge.statement);
        const bool is_idle = test != nullptr && test->condition.is_true();
        if (is_idle && seen.insert(edge.to).second) open.push_back(edge.to);
      }
    }
  }

  void note_used(const ir::Edge& edge) {
    const std::string place = place_of(program_, edge);
    const auto note = [&](Term part) {
      if (part.kind() == Kind::Variable || part.kind() == Kind::Address) {
        used_[part].insert(place);
      }
    };
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      note(program_[assign->target].term);
      term::visit_subterms(assign->value, note);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      note(program_[havoc->target].term);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      term::visit_subterms(test->condition, note);
    }
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::map<Term, Places> used_;
};

class Translation {
 public:
  Translation(const Hints& hints, const ir::Program& flat, ir::FunctionId entry)
      : hints_(hints),
        flat_(flat),
        body_(flat[entry].body),
        from_(hints.program, hints.entry),
        to_(flat, entry) {
    for (const auto& [leaf, places] : to_.used()) {
      candidates_[stem_of(leaf.name())].push_back(leaf);
    }
    for (const ir::Edge& edge : body_.edges()) note_arrays(edge);
  }

  abstraction::Precision run() {
    const std::vector<Places> before = from_.around();
    const std::vector<Places> now = to_.around();
    abstraction::Precision result(body_.num_locations());
    std::vector<Term> all;
    for (const Hints::Cut& cut : hints_.cuts) {
      for (const Term predicate : cut.predicates) {
        if (const Term found = translated(predicate)) all.push_back(found);
      }
    }
    support::sort_unique(all);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto location = ir::LocationId::at(i);
      bool is_found = false;
      for (const Hints::Cut& cut : hints_.cuts) {
        if (!meet(before[cut.location.index()], now[i])) continue;
        is_found = true;
        for (const Term predicate : cut.predicates) {
          if (const Term found = translated(predicate)) {
            result.add(location, found);
          }
        }
      }
      for (const Term found : all) {
        if (!is_found) result.add(location, found);
      }
    }
    return result;
  }

 private:
  static bool meet(const Places& a, const Places& b) {
    return std::ranges::any_of(
        a, [&](const std::string& place) { return b.contains(place); });
  }

  /// Which private array (ir/flatten_objects.h) is read or written at places
  /// that mention a leaf.
  void note_arrays(const ir::Edge& edge) {
    const auto note = [&](Term part) {
      if (part.kind() != Kind::Read && part.kind() != Kind::Write) return;
      Term array = part.operand(0);
      while (array.kind() == Kind::Write) array = array.operand(0);
      if (array.kind() != Kind::Variable) return;
      term::visit_subterms(part.operand(1), [&](Term leaf) {
        if (!leaf.operands().empty() || leaf.is_constant()) return;
        arrays_[leaf].insert(array);
      });
    };
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      term::visit_subterms(assign->value, note);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      term::visit_subterms(test->condition, note);
    }
  }

  /// The memory that is read at an address of the flat program.
  Term array_at(Term address) const {
    Term result = flat_[flat_.memory].term;
    term::visit_subterms(address, [&](Term leaf) {
      const auto found = arrays_.find(leaf);
      if (found != arrays_.end() && found->second.size() == 1) {
        result = *found->second.begin();
      }
    });
    return result;
  }

  /// The variable or address of the flat program: of those with its name, the
  /// one that is used at its places. Invalid if it is not clear.
  Term leaf(Term old) const {
    const auto named = candidates_.find(stem_of(old.name()));
    const auto places = from_.used().find(old);
    if (named == candidates_.end() || places == from_.used().end()) return {};
    Term best;
    std::ptrdiff_t most = 0;
    for (const Term candidate : named->second) {
      if (candidate.sort() != old.sort() || candidate.kind() != old.kind()) {
        continue;
      }
      const std::ptrdiff_t common = std::ranges::count_if(
          to_.used().at(candidate), [&](const std::string& place) {
            return places->second.contains(place);
          });
      if (common == most) best = Term();
      if (common <= most) continue;
      best = candidate;
      most = common;
    }
    return best;
  }

  /// Whether all leaves are found again, and memory is only read.
  bool is_translatable(Term predicate) const {
    bool result = true;
    term::visit_subterms(predicate, [&](Term part) {
      const bool is_leaf =
          part.kind() == Kind::Variable || part.kind() == Kind::Address;
      if (is_leaf && !part.sort().is_array()) result &= leaf(part).valid();
      for (std::size_t i = 0; i < part.operands().size(); ++i) {
        if (!part.operand(i).sort().is_array()) continue;
        result &= part.kind() == Kind::Read && i == 0 &&
                  part.operand(i).kind() == Kind::Variable &&
                  part.operand(i).width() % kByte == 0;
      }
    });
    return result;
  }

  Term translated(Term predicate) {
    const auto [at, is_new] = translated_.try_emplace(predicate);
    if (!is_new || !is_translatable(predicate)) return at->second;
    term::Pool& pool = *flat_.pool;
    at->second = term::transform(
        pool, predicate, [&](Term part, std::span<const Term> operands) {
          switch (part.kind()) {
            case Kind::Constant:
              return part.sort().is_bool()
                         ? pool.boolean(part.is_true())
                         : pool.bits(part.value(), part.width());
            case Kind::Variable:
              // Of arrays, only what is read is used.
              return part.sort().is_array() ? part : leaf(part);
            case Kind::Address:
              return leaf(part);
            case Kind::Read:
              return pool.read(array_at(operands[1]), operands[1],
                               part.count() * part.operand(0).width() / kByte);
            default:
              return Term();
          }
        });
    if (at->second.is_constant()) at->second = Term();
    return at->second;
  }

  static constexpr unsigned kByte = 8;

  const Hints& hints_;
  const ir::Program& flat_;
  const ir::Cfa& body_;
  const Index from_;
  const Index to_;
  std::map<std::string, std::vector<Term>> candidates_;  // By stem.
  std::map<Term, std::set<Term>> arrays_;                // By leaf.
  std::map<Term, Term> translated_;
};

}  // namespace

Hints hints_of(const Component& component) {
  const Task& task = component.task();
  Hints result{task.program, task.entry, {}};
  for (const abstraction::Block& block : component.blocks().all()) {
    std::vector<Term> known = component.precision().at(block.start);
    const std::vector<Term>& facts = component.facts(block.start);
    known.insert(known.end(), facts.begin(), facts.end());
    result.cuts.push_back({block.start, std::move(known)});
  }
  return result;
}

abstraction::Precision translate(const Hints& hints, const ir::Program& flat,
                                 ir::FunctionId entry) {
  return Translation(hints, flat, entry).run();
}

}  // namespace agon::verify
