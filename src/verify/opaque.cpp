// SPDX-License-Identifier: Apache-2.0
#include "verify/opaque.h"

#include <set>

#include "term/substitute.h"

namespace agon::verify {
namespace {

using term::Kind;
using term::Term;

class Forgetting {
 public:
  Forgetting(const ir::Program& flat, ir::FunctionId entry)
      : program_(flat), entry_(entry), memory_(flat[flat.memory].term) {}

  ir::Program run() {
    const ir::Cfa old = program_[entry_].body;
    body_ = old.without_edges();
    for (std::size_t i = 0; i < old.num_locations(); ++i) {
      copy(old, ir::LocationId::at(i));
    }
    body_.finish_unchanged();
    program_.functions[entry_.index()].body = std::move(body_);
    return std::move(program_);
  }

 private:
  /// What leaves a location. What is read there becomes anything in front of
  /// all of it, so that conditions stay exclusive.
  void copy(const ir::Cfa& old, ir::LocationId location) {
    at_ = location;
    names_.clear();
    std::vector<ir::Edge> edges;
    for (const ir::EdgeId id : old.out_edges(location)) {
      edges.push_back(old.edge(id));
      position_ = edges.back().position;
      inlined_ = edges.back().inlined;
      forget(edges.back());
    }
    for (ir::Edge& edge : edges) {
      edge.from = at_;
      body_.add_edge(std::move(edge));
    }
  }

  void forget(ir::Edge& edge) {
    if (auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      if (assign->target == program_.memory) {
        edge.statement =
            ir::Havoc{program_.memory, ir::HavocReason::Unsupported, {}};
      } else {
        assign->value = without_reads(assign->value);
      }
    } else if (auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      test->condition = without_reads(test->condition);
    }
  }

  Term without_reads(Term value) {
    bool is_used_otherwise = false;
    std::vector<Term> open{value};
    std::set<Term> seen;
    while (!open.empty()) {
      const Term part = open.back();
      open.pop_back();
      if (!seen.insert(part).second) continue;
      is_used_otherwise |= part == memory_;
      if (part.kind() == Kind::Read && reads_memory(part)) {
        if (!names_.contains(part)) {
          names_.emplace(part, program_[anything(part.sort())].term);
        }
      } else {
        open.insert(open.end(), part.operands().begin(), part.operands().end());
      }
    }
    if (is_used_otherwise) change(program_.memory);
    return names_.empty() ? value
                          : term::substitute(*program_.pool, value, names_);
  }

  bool reads_memory(Term read) const {
    bool result = false;
    term::visit_subterms(read.operand(0),
                         [&](Term part) { result |= part == memory_; });
    return result;
  }

  ir::VariableId anything(term::Sort sort) {
    ir::Variable variable;
    variable.name = variable.display = "read";
    variable.kind = ir::VariableKind::Temporary;
    variable.owner = entry_;
    const ir::VariableId id = program_.add_variable(std::move(variable), sort);
    program_.functions[entry_.index()].locals.push_back(id);
    change(id);
    return id;
  }

  void change(ir::VariableId variable) {
    const ir::LocationId next = body_.add_location();
    body_.add_edge({at_, next,
                    ir::Havoc{variable, ir::HavocReason::Unsupported, {}},
                    position_, inlined_});
    at_ = next;
  }

  ir::Program program_;
  ir::FunctionId entry_;
  Term memory_;
  ir::Cfa body_;
  // Where edges are added, and what was read there.
  ir::LocationId at_;
  term::Substitution names_;
  ir::Position position_;
  ir::InlineId inlined_;
};

}  // namespace

ir::Program without_memory(const ir::Program& flat, ir::FunctionId entry) {
  return Forgetting(flat, entry).run();
}

}  // namespace agon::verify
