// SPDX-License-Identifier: Apache-2.0
/// The yardstick for points-to analysis: runs a program with a call in front of
/// each access that tells the address, and compares with what the analysis
/// said.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/points_to.h"
#include "analysis/statements.h"
#include "ir/interpreter.h"
#include "term/smtlib.h"
#include "term/substitute.h"

namespace agon::analysis::test {

/// Makes the instrumented program and checks runs of it.
class Tracer {
 public:
  Tracer(const ir::Program& program, const PointsTo& points_to)
      : old_(program), points_to_(points_to), program_(program) {
    access_ = add_routine("trace_access");
    object_ = add_routine("trace_object");
    heap_ = add_routine("trace_heap");
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      if (program.functions[i].has_body) instrument(ir::FunctionId::at(i));
    }
  }

  /// Runs it from `entry` and returns what the analysis missed.
  std::vector<std::string> check(ir::FunctionId entry,
                                 ir::Environment& environment,
                                 const ir::InterpreterOptions& options = {}) {
    const ir::Run run = ir::interpret(program_, entry, environment, options);
    missed_.clear();
    ranges_.clear();
    accesses_checked = 0;
    for (const ir::Action& action : run.actions) replay(action);
    return missed_;
  }

  std::size_t accesses_checked = 0;

 private:
  struct Range {
    std::uint64_t end = 0;
    SiteId site;
  };

  ir::FunctionId add_routine(const std::string& name) {
    ir::Function routine;
    routine.name = name;
    routine.display = name;
    return program_.add_function(std::move(routine));
  }

  term::Term number(std::uint64_t value) {
    return program_.pool->bits(value, program_.pointer_width());
  }

  void instrument(ir::FunctionId id) {
    const ir::Cfa& old = old_[id].body;
    ir::Cfa body;
    for (std::size_t i = 0; i < old.num_locations(); ++i) body.add_location();
    // In front of a location with branches all their accesses are told.
    std::vector<std::vector<ir::Statement>> calls(old.num_locations());
    std::vector<std::vector<ir::Statement>> after(old.edges().size());
    for (std::size_t i = 0; i < old.edges().size(); ++i) {
      const ir::Edge& edge = old.edges()[i];
      auto& before = calls[edge.from.index()];
      for_each_term(edge.statement,
                    [&](term::Term term) { add_accesses(term, before); });
      add_heap(id, ir::EdgeId::at(i), edge, after[i]);
    }
    {
      auto& at_entry = calls[old.entry().index()];
      std::vector<ir::Statement> objects;
      for (std::size_t i = 0; i < old_.objects.size(); ++i) {
        const ir::Object& object = old_.objects[i];
        if (object.owner.valid() && object.owner != id) continue;
        objects.push_back(
            ir::Call{object_, {}, {number(i), object.address}, {}, {}});
      }
      at_entry.insert(at_entry.begin(), objects.begin(), objects.end());
    }
    finish(id, old, std::move(body), calls, after);
  }

  void finish(ir::FunctionId id, const ir::Cfa& old, ir::Cfa body,
              const std::vector<std::vector<ir::Statement>>& calls,
              const std::vector<std::vector<ir::Statement>>& after) {
    std::vector<ir::LocationId> start(old.num_locations());
    for (std::size_t i = 0; i < old.num_locations(); ++i) {
      start[i] = ir::LocationId::at(i);
      // The last statement leads to the location itself.
      for (auto call = calls[i].rbegin(); call != calls[i].rend(); ++call) {
        const ir::LocationId from = body.add_location();
        body.add_edge({from, start[i], *call, {}, {}});
        start[i] = from;
      }
    }
    for (std::size_t i = 0; i < old.edges().size(); ++i) {
      ir::Edge edge = old.edges()[i];
      ir::LocationId to = start[edge.to.index()];
      for (const ir::Statement& statement : after[i]) {
        const ir::LocationId from = body.add_location();
        body.add_edge({from, to, statement, {}, {}});
        to = from;
      }
      edge.to = to;
      body.add_edge(std::move(edge));
    }
    body.set_entry(start[old.entry().index()]);
    body.set_exit(start[old.exit().index()]);
    body.finish();
    program_.functions[id.index()].body = std::move(body);
  }

  void add_access(term::Term address, unsigned bytes,
                  std::vector<ir::Statement>& to) {
    told_.push_back({address, bytes});
    to.push_back(
        ir::Call{access_, {}, {number(told_.size() - 1), address}, {}, {}});
  }

  void add_accesses(term::Term term, std::vector<ir::Statement>& to) {
    term::visit_subterms(term, [&](term::Term part) {
      if (part.kind() == term::Kind::Read) {
        add_access(part.operand(1), part.width() / 8, to);
      } else if (part.kind() == term::Kind::Write) {
        add_access(part.operand(1), part.operand(2).width() / 8, to);
      }
    });
  }

  void add_heap(ir::FunctionId id, ir::EdgeId edge_id, const ir::Edge& edge,
                std::vector<ir::Statement>& to) {
    for (std::size_t i = 0; i < points_to_.sites().size(); ++i) {
      const Site& site = points_to_.sites()[i];
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (site.kind != SiteKind::Heap || site.function != id ||
          site.edge != edge_id || call->results.empty()) {
        continue;
      }
      const term::Term size =
          call->arguments.size() == 2 && old_[call->callee].name == "calloc"
              ? program_.pool->multiply(call->arguments[0], call->arguments[1])
              : call->arguments.back();
      to.push_back(ir::Call{
          heap_, {}, {number(i), old_[call->results[0]].term, size}, {}, {}});
    }
  }

  void replay(const ir::Action& action) {
    const auto argument = [&](std::size_t i) {
      return static_cast<std::uint64_t>(action.arguments[i]);
    };
    if (action.routine == object_) {
      const ir::Object& object = old_.objects[argument(0)];
      enter(argument(1), object.size, SiteId::at(argument(0)));
    } else if (action.routine == heap_) {
      enter(argument(1), argument(2), SiteId::at(argument(0)));
    } else if (action.routine == access_) {
      check_access(argument(0), argument(1));
    }
  }

  /// A new object replaces all that was where it is.
  void enter(std::uint64_t start, std::uint64_t size, SiteId site) {
    auto next = ranges_.lower_bound(start);
    if (next != ranges_.begin()) {
      const auto before = std::prev(next);
      if (before->second.end > start) ranges_.erase(before);
    }
    next = ranges_.lower_bound(start);
    while (next != ranges_.end() && next->first < start + size) {
      next = ranges_.erase(next);
    }
    ranges_[start] = {start + size, site};
  }

  void check_access(std::uint64_t number, std::uint64_t address) {
    auto found = ranges_.upper_bound(address);
    if (found == ranges_.begin()) return;
    --found;
    const auto [end, site] = found->second;
    if (address >= end) return;  // Outside of all objects.
    ++accesses_checked;
    const auto [term, bytes] = told_[number];
    const std::uint32_t offset = points_to_.layout(site).normal(
        static_cast<std::int64_t>(address - found->first));
    const auto locations = points_to_.locations(term);
    for (const Location& location : locations) {
      if (location.site == site &&
          (location.offset == kAnyOffset || location.offset == offset)) {
        return;
      }
    }
    std::string said;
    for (const Location& location : locations) {
      said += " " + points_to_.to_string(location);
    }
    missed_.push_back(fmt::format("{}: {} bytes in {}, but said:{}",
                                  term::to_text(term), bytes,
                                  points_to_.to_string({site, offset}), said));
  }

  const ir::Program& old_;
  const PointsTo& points_to_;
  ir::Program program_;
  ir::FunctionId access_;
  ir::FunctionId object_;
  ir::FunctionId heap_;
  std::vector<std::pair<term::Term, unsigned>> told_;
  std::map<std::uint64_t, Range> ranges_;
  std::vector<std::string> missed_;
};

}  // namespace agon::analysis::test
