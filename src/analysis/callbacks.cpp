// SPDX-License-Identifier: Apache-2.0
#include "analysis/callbacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/routines.h"

// A callback is a call from inside of a call, so that following it would need
// a stack. Here the stack is cut instead: when a routine calls back, every
// active function returns without doing anything more. That is all the
// callback can see of them, because none of their variables has an address.
// What they need to go on is copied into globals first, once; so that behaviour
// with at most one suspended call to return to is followed exactly.

namespace agon::analysis {
namespace {

using ir::LocationId;
using term::Term;

constexpr unsigned kWidth = 8;       // Of flags.
constexpr unsigned kSiteWidth = 32;  // Of numbers of call sites.

bool may_call_back(const ir::Program& program, const ir::Edge& edge) {
  const auto* const call = std::get_if<ir::Call>(&edge.statement);
  if (call == nullptr) return false;
  if (!call->callee.valid()) return true;
  const ir::Function& callee = program[call->callee];
  return !callee.has_body && !callee.is_action &&
         !callee.name.starts_with("__agon_") &&
         !ir::routine_model(callee).is_known;
}

/// A body that grows along a line, with branches.
class Body {
 public:
  Body(ir::Program& program, const ir::Cfa& old)
      : program_(program), cfa_(old.without_edges()) {}
  explicit Body(ir::Program& program) : program_(program) {
    cfa_.set_entry(cfa_.add_location());
    cfa_.set_exit(cfa_.add_location());
    here_ = cfa_.entry();
  }

  ir::Cfa& cfa() { return cfa_; }
  void go_to(LocationId location) { here_ = location; }
  LocationId here() const { return here_; }
  void place(const ir::Edge& like) {
    position_ = like.position;
    inlined_ = like.inlined;
  }

  void add(ir::Statement statement) {
    const LocationId next = cfa_.add_location();
    add(std::move(statement), next);
    here_ = next;
  }
  void add(ir::Statement statement, LocationId to) {
    cfa_.add_edge({here_, to, std::move(statement), position_, inlined_});
  }
  void jump(LocationId to) {
    add(ir::Assume{program_.pool->boolean(true)}, to);
  }
  void set(ir::VariableId variable, std::uint64_t value) {
    add(ir::Assign{variable, number(variable, value)});
  }
  void havoc(ir::VariableId variable) {
    add(ir::Havoc{variable, ir::HavocReason::Input, {}});
  }
  /// Goes on where the variable has the value; says where it has not.
  LocationId fork(ir::VariableId variable, std::uint64_t value) {
    term::Pool& pool = *program_.pool;
    const Term is_it =
        pool.equal(program_[variable].term, number(variable, value));
    const LocationId others = cfa_.add_location();
    add(ir::Assume{pool.negation(is_it)}, others);
    add(ir::Assume{is_it});
    return others;
  }

 private:
  Term number(ir::VariableId variable, std::uint64_t value) {
    return program_.pool->bits(value, program_[variable].term.width());
  }

  ir::Program& program_;
  ir::Cfa cfa_;
  LocationId here_;
  ir::Position position_;
  ir::InlineId inlined_;
};

class Callbacks {
 public:
  Callbacks(ir::Program program, ir::FunctionId client, Around around)
      : result_{std::move(program), true, std::nullopt},
        program_(result_.program),
        client_(client),
        around_(around) {}

  WithCallbacks run() {
    find_suspended();
    if (!is_suspended_[client_.index()]) return std::move(result_);
    result_.is_exact = false;
    make_flags();
    make_hook();
    for (std::size_t i = 0; i < is_suspended_.size(); ++i) {
      if (is_suspended_[i]) rewrite(ir::FunctionId::at(i));
    }
    return std::move(result_);
  }

 private:
  /// A place where a function is left and returned to.
  struct Site {
    LocationId at;
    std::uint64_t number = 0;
  };

  bool leaves(const ir::Edge& edge) const {
    if (may_call_back(program_, edge)) return true;
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    return call != nullptr && call->callee.valid() &&
           call->callee.index() < is_suspended_.size() &&
           is_suspended_[call->callee.index()];
  }

  /// The functions that can be active while a routine calls back.
  void find_suspended() {
    is_suspended_.assign(program_.functions.size(), false);
    for (bool again = true; std::exchange(again, false);) {
      for (std::size_t i = 0; i < is_suspended_.size(); ++i) {
        const auto edges = program_.functions[i].body.edges();
        if (is_suspended_[i] || !std::ranges::any_of(edges, [&](const auto& e) {
              return leaves(e);
            })) {
          continue;
        }
        is_suspended_[i] = again = true;
        if (program_.functions[i].objects.empty() || result_.reason) continue;
        result_.reason = fmt::format(
            "'{}' may be called again while '{}' in it, whose address is "
            "taken, is in use",
            program_.functions[i].display,
            program_[program_.functions[i].objects[0]].display);
      }
    }
  }

  ir::VariableId flag(const std::string& name, unsigned width = kWidth) {
    ir::Variable variable;
    variable.name = variable.display = name;
    variable.kind = ir::VariableKind::Global;
    variable.is_static = true;
    variable.initial = program_.pool->bits(0, width);
    return program_.add_variable(std::move(variable), term::Sort::bits(width));
  }

  ir::VariableId local(ir::FunctionId owner, const std::string& name,
                       unsigned width = kWidth) {
    ir::Variable variable;
    variable.name = variable.display = name;
    variable.kind = ir::VariableKind::Temporary;
    variable.owner = owner;
    const ir::VariableId id =
        program_.add_variable(std::move(variable), term::Sort::bits(width));
    program_.functions[owner.index()].locals.push_back(id);
    return id;
  }

  void make_flags() {
    abandoned_ = flag(kAbandoned);
    resuming_ = flag(kResuming);
    pending_ = flag("__agon_pending");  // 0, 1, or 2 for more.
    saving_ = flag("__agon_saving");
    kept_ = flag("__agon_kept");  // What is resumed has been kept.
  }

  /// What a routine does before anything else; and all that it does except for
  /// calling back.
  void make_hook() {
    ir::Function outside;
    outside.name = outside.display = "a routine that calls back";
    outside_ = program_.add_function(std::move(outside));
    ir::Function hook;
    hook.name = hook.display = "__agon_outside";
    hook_ = program_.add_function(std::move(hook));
    const ir::VariableId choice = local(hook_, "__agon_calls_back");
    Body body(program_);
    const auto leave = [&] { body.add(ir::Return{}, body.cfa().exit()); };
    const LocationId usual = body.fork(resuming_, 1);
    body.set(resuming_, 0);
    leave();
    body.go_to(usual);
    body.havoc(choice);
    const LocationId back = body.fork(choice, 0);
    leave();
    body.go_to(back);
    body.set(abandoned_, 1);
    const LocationId deeper = body.fork(pending_, 0);
    body.set(pending_, 1);
    body.set(saving_, 1);
    leave();
    body.go_to(deeper);
    body.set(pending_, 2);
    leave();
    install(hook_, body);
  }

  void install(ir::FunctionId id, Body& body) {
    body.cfa().finish();
    ir::Function& function = program_.functions[id.index()];
    function.body = std::move(body.cfa());
    function.has_body = true;
  }

  void rewrite(ir::FunctionId id) {
    const ir::Cfa old = program_[id].body;
    std::vector<ir::VariableId> own = program_[id].parameters;
    own.insert(own.end(), program_[id].locals.begin(),
               program_[id].locals.end());
    std::erase_if(own, [&](ir::VariableId v) {
      return program_[v].term.sort().is_array();
    });
    Body body(program_, old);
    Frame frame{id,
                own,
                copies(own),
                flag(program_[id].name + "::__agon_site", kSiteWidth),
                local(id, "__agon_resumed", kSiteWidth),
                {},
                body.cfa().add_location()};
    const auto head = std::ranges::find_if(
        old.edges(), [&](const ir::Edge& edge) { return is_head(edge); });
    if (id == client_) frame.head = head->from;
    std::vector<Site> sites;
    for (const ir::Edge& edge : old.edges()) {
      body.place(edge);
      body.go_to(edge.from == frame.head ? frame.usual : edge.from);
      if (!leaves(edge)) {
        body.add(edge.statement, edge.to);
        continue;
      }
      sites.push_back({edge.from, sites.size()});
      add_call(body, edge, frame, sites.back());
    }
    body.place({});
    if (id == client_) {
      add_resumption(body, frame, sites);
    } else {
      add_entry(body, frame, sites);
    }
    install(id, body);
  }

  struct Frame {
    ir::FunctionId function;
    std::vector<ir::VariableId> own;
    std::vector<ir::VariableId> copies;  ///< Globals.
    ir::VariableId site;                 ///< Where it was left.
    ir::VariableId choice;
    LocationId head;   ///< Of the client: where it chooses,
    LocationId usual;  ///< and goes on if nothing is resumed.
  };

  std::vector<ir::VariableId> copies(const std::vector<ir::VariableId>& own) {
    std::vector<ir::VariableId> result;
    for (const ir::VariableId each : own) {
      ir::Variable copy = program_[each];
      copy.name = fmt::format("{}::__agon_kept", copy.name);
      copy.display = copy.name;
      copy.kind = ir::VariableKind::Global;
      copy.owner = {};
      copy.is_static = true;
      copy.initial = program_.pool->bits(0, program_[each].term.width());
      result.push_back(
          program_.add_variable(std::move(copy), program_[each].term.sort()));
    }
    return result;
  }

  bool is_head(const ir::Edge& edge) const {
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    return call != nullptr && call->callee.valid() &&
           program_[call->callee].name == ir::kClientActs;
  }

  /// The call, and what follows if it does not come back.
  void add_call(Body& body, const ir::Edge& edge, const Frame& frame,
                const Site& site) {
    if (may_call_back(program_, edge)) {
      ir::Call before;
      before.callee = hook_;
      body.add(std::move(before));
    } else {
      body.add(edge.statement);
    }
    const LocationId usual = body.fork(abandoned_, 1);
    const LocationId lost = body.fork(saving_, 1);
    for (std::size_t i = 0; i < frame.own.size(); ++i) {
      body.add(ir::Assign{frame.copies[i], program_[frame.own[i]].term});
    }
    body.set(frame.site, site.number);
    leave(body, frame);
    body.go_to(lost);
    leave(body, frame);
    body.go_to(usual);
    if (may_call_back(program_, edge)) {
      body.add(edge.statement, edge.to);
    } else {
      body.jump(edge.to);
    }
  }

  void leave(Body& body, const Frame& frame) {
    if (frame.function == client_) {
      body.set(abandoned_, 0);
      body.set(saving_, 0);
      body.jump(frame.head);
      return;
    }
    ir::Return back;
    for (const ir::TypeId type : program_[frame.function].results) {
      back.values.push_back(
          program_.pool->bits(0, program_.types.sort(type).width));
    }
    body.add(std::move(back), body.cfa().exit());
  }

  /// A new entry, from which a suspended call goes on.
  void add_entry(Body& body, const Frame& frame,
                 const std::vector<Site>& sites) {
    const LocationId entry = body.cfa().entry();
    body.cfa().set_entry(body.cfa().add_location());
    body.go_to(body.cfa().entry());
    const LocationId usual = body.fork(resuming_, 1);
    const LocationId lost = body.fork(kept_, 1);
    restore(body, frame, sites);
    body.go_to(lost);
    if (around_ == Around::All) guess(body, frame, sites);
    body.go_to(usual);
    body.jump(entry);
  }

  void restore(Body& body, const Frame& frame, const std::vector<Site>& sites) {
    for (std::size_t i = 0; i < frame.own.size(); ++i) {
      body.add(ir::Assign{frame.own[i], program_[frame.copies[i]].term});
    }
    choose(body, frame.site, sites);
  }

  void guess(Body& body, const Frame& frame, const std::vector<Site>& sites) {
    for (const ir::VariableId each : frame.own) body.havoc(each);
    body.havoc(frame.choice);
    choose(body, frame.choice, sites);
  }

  void choose(Body& body, ir::VariableId number,
              const std::vector<Site>& sites) {
    for (const Site& site : sites) {
      const LocationId others = body.fork(number, site.number);
      body.jump(site.at);
      body.go_to(others);
    }
  }

  /// In the client: a suspended call may go on instead of a new one.
  void add_resumption(Body& body, const Frame& frame,
                      const std::vector<Site>& sites) {
    const ir::VariableId wish = local(client_, "__agon_resumes");
    body.go_to(frame.head);
    body.havoc(wish);
    const LocationId no = body.fork(wish, 1);
    const LocationId more = body.fork(pending_, 1);
    body.set(pending_, 0);
    body.set(kept_, 1);
    body.set(resuming_, 1);
    restore(body, frame, sites);
    body.go_to(more);
    const LocationId none = body.fork(pending_, 2);
    if (around_ == Around::All) {
      body.havoc(frame.choice);
      const LocationId others = body.fork(frame.choice, 0);
      body.set(pending_, 1);
      const LocationId again = body.cfa().add_location();
      body.jump(again);
      body.go_to(others);
      body.jump(again);
      body.go_to(again);
      body.set(kept_, 0);
      body.set(resuming_, 1);
      guess(body, frame, sites);
    }
    body.go_to(none);
    body.jump(frame.usual);
    body.go_to(no);
    const LocationId inside = body.fork(pending_, 0);
    body.jump(frame.usual);
    body.go_to(inside);
    body.add(ir::Call{outside_, {}, {}, {}, {}});
    body.jump(frame.usual);
  }

  WithCallbacks result_;
  ir::Program& program_;
  ir::FunctionId client_;
  Around around_;
  std::vector<bool> is_suspended_;  // Of the functions that there were.
  ir::FunctionId hook_;
  ir::FunctionId outside_;
  ir::VariableId abandoned_;
  ir::VariableId resuming_;
  ir::VariableId pending_;
  ir::VariableId saving_;
  ir::VariableId kept_;
};

}  // namespace

WithCallbacks add_callbacks(ir::Program program, ir::FunctionId client,
                            Around around) {
  return Callbacks(std::move(program), client, around).run();
}

}  // namespace agon::analysis
