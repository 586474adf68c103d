// SPDX-License-Identifier: Apache-2.0
/// The constraints of points-to analysis. Internal; see points_to.h.
#pragma once

#include <tsl/robin_map.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/points_to.h"
#include "analysis/points_to_solver.h"

namespace agon::analysis {

class PointsToAnalysis final : public InclusionSolver {
 public:
  PointsToAnalysis(const ir::Program& program, const PointsToOptions& options);

  void initialise();
  void enter(const Entry& entry);
  /// Follows calls and facts until nothing new comes.
  void run();

  /// The set of a term; invalid if it can hold no pointer.
  NodeId node_of(term::Term term);
  /// Makes the sets of all addresses in a term, and lets its writes take place.
  void note(term::Term term);

  const ir::Program& program() const { return program_; }
  const std::vector<Site>& sites() const { return sites_; }
  const std::vector<SiteId>& site_of_cell() const { return site_of_cell_; }
  const Layout& layout(SiteId site) const { return *layouts_of_[site.index()]; }
  Location location(PlaceId place) const { return places_[place.index()]; }
  PlaceId place(Location location);
  bool is_reachable(ir::FunctionId function) const {
    return reached_[function.index()];
  }
  bool is_escaped(SiteId site) const { return escaped_[site.index()]; }
  bool is_visible(ir::VariableId global) const {
    return !program_[global].is_static;
  }
  SiteId unknown() const { return unknown_; }
  /// The places that the start of a site outside stands for.
  const std::vector<Location>& stands_for(SiteId site) const {
    return stands_for_[site.index()];
  }
  const std::vector<Link>& links() const { return links_; }
  std::string describe(NodeId node) const;

  bool characters_reach_all() const { return options_.characters_reach_all; }
  bool is_module() const { return options_.is_module; }
  bool uses_outside() const {
    return outside_is_active_ || has_client_ || uses_numbers_;
  }
  bool uses_numbers() const { return uses_numbers_; }
  bool uses_heap_types() const { return uses_heap_types_; }
  const std::vector<ir::FunctionId>& unknown_routines() const {
    return unknown_routines_;
  }
  bool has_unknown_call() const { return has_unknown_call_; }
  std::set<std::string> told_of(ir::FunctionId function);
  bool enters_any_state() const { return enters_any_state_; }
  bool calls_outside() const {
    return has_unknown_call_ || !unknown_routines_.empty();
  }

 protected:
  void apply(const Rule& rule, PlaceId place) override;

 private:
  enum RuleKind : std::uint8_t {
    kMove,         // number: into moves_.
    kAnywhere,     // To any offset of the same object.
    kLoad,         // number: bytes.
    kStore,        // number: bytes; node: what is stored.
    kCopySource,   // number: into copies_.
    kCopyTarget,   // number: into copies_.
    kCallThrough,  // number: into calls_.
    kEscape,
  };

  /// Bytes at the same place of what is copied, with what they hold.
  struct CopyPart {
    TouchedCell where;
    NodeId content;
  };
  using CopyParts = std::map<TouchKey, CopyPart>;
  struct Copy {
    std::uint64_t size = 0;
    std::uint64_t stride = 0;
    CopyParts sources;
    CopyParts targets;
  };
  struct CallSite {
    ir::FunctionId function;
    ir::EdgeId edge;
    const ir::Call* call = nullptr;
    bool is_outside = false;
  };
  /// What a pointer from outside to one type can point to, and the site that
  /// stands for all objects of the type that code outside knows.
  struct Outside {
    NodeId node;
    SiteId site;
  };
  /// A move from something outside to what is around it.
  struct Outward {
    NodeId to;
    Location from;
    Move move;
  };
  /// Where something is in a layout, and what may be meant around it.
  struct Inside {
    std::vector<std::uint32_t> parts;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> around;  // Offsets.
  };
  /// Terms that are added up.
  struct Sum {
    std::int64_t constant = 0;
    std::vector<term::Term> plus;
    std::vector<term::Term> minus;
  };
  /// The steps of its terms, each with the number of terms that take it. Large
  /// sums have few different ones.
  struct Steps {
    std::map<std::uint64_t, std::size_t> strides;
    std::size_t others = 0;  ///< Terms that a constant may be part of.
  };
  /// Those of them whose addresses the sum keeps.
  struct Bases {
    std::vector<term::Term> terms;
    bool has_pointers = false;  ///< So what is no pointer is a distance.
    bool is_distance = false;   ///< Between as many pointers.
    bool is_anywhere = false;   ///< They do not tell the part of the object.
  };

  // Objects and sets.
  SiteId add_site(Site site);
  NodeId content(std::uint32_t cell);
  NodeId seen(SiteId site);
  void load(PlaceId place, std::uint64_t size, NodeId into);
  NodeId variable_node(ir::VariableId variable);
  NodeId result_node(ir::FunctionId function, std::size_t i);
  std::vector<TouchedCell> touch(PlaceId place, std::uint64_t size,
                                 std::uint64_t stride) const;

  // Terms.
  NodeId make_node(term::Term term);
  NodeId sum_node(term::Term term);
  Bases bases(const Sum& sum) const;
  NodeId passing_node(term::Term term, std::size_t first, bool anywhere);
  NodeId read_node(term::Term term);
  static Steps steps_of(const Sum& sum);
  static void add_strides(const Steps& steps, term::Term but, Move& move);
  static Sum sum_of(term::Term whole);
  ir::TypeId declared_type(term::Term term) const;
  bool is_pointer(term::Term term) const;
  void note_array(term::Term array);
  void note_copy(term::Term term);
  bool is_free_array(term::Term term) const;
  std::uint32_t move_number(Move move);
  std::uint32_t add_copy(NodeId target, NodeId source, std::uint64_t size,
                         std::uint64_t stride);
  NodeId source_node(Copy& copy, TouchedCell cell);
  NodeId target_node(Copy& copy, TouchedCell cell);
  void copy_from(std::uint32_t copy, PlaceId place);
  void copy_to(std::uint32_t copy, PlaceId place);

  // Functions.
  void reach(ir::FunctionId function);
  void process(ir::FunctionId function);
  void process(ir::FunctionId function, ir::EdgeId edge);
  void process_call(ir::FunctionId function, ir::EdgeId edge,
                    const ir::Call& call);
  void call_function(CallSite& site, ir::FunctionId callee);
  void call_routine(CallSite& site, ir::FunctionId routine);
  void call_outside(CallSite& site);
  void call_client(CallSite& site);
  void allocate(const CallSite& site, ir::FunctionId routine);
  void return_outside(const CallSite& site);
  void process_havoc(const ir::Havoc& havoc);
  Shape heap_shape(const CallSite& site) const;
  ir::TypeId pointee(ir::TypeId type) const;
  bool ends_open(ir::TypeId type) const;
  ir::TypeId stored_pointee(const ir::Assign& assign, term::Term value) const;

  // What is outside.
  std::string make_type_key(ir::TypeId type) const;
  const std::string& type_key(ir::TypeId type);
  NodeId any_pointer(ir::TypeId pointee);
  void note_conversions();
  void note_numbers();
  NodeId number_node(term::Term constant);
  NodeId integer_node();
  SiteId site_outside(ir::TypeId type);
  void add_numbered(const ir::NumberedAddress& number, std::uint64_t value,
                    std::vector<Location>& to);
  void add_converted(const std::string& key, NodeId node, bool has_all_data);
  bool may_hold_address(ir::TypeId type) const;
  void add_parts(const std::string& key, const Outside& outside, SiteId site);
  void link(SiteId outside, SiteId site, std::uint32_t offset);
  bool may_leave(Location from, const Move& move);
  void move_out(NodeId to, Location from, const Move& move, SiteId into);
  const std::set<std::string>& converted(const std::string& key);
  const std::set<std::string>& seen_as(const std::string& key);
  std::set<std::string> reached_from(
      const std::string& key,
      const std::function<bool(const std::string&)>& leads_on) const;
  const Inside& inside(const Layout& cells, ir::TypeId type);
  void escape(SiteId site);
  void hold_anything(SiteId site);
  void enter_any_state();
  void enter_start();
  void activate_outside();
  void activate_client();
  void escape_global(ir::VariableId variable);
  void hold_anything(ir::VariableId variable);
  void hold_anything(NodeId node, ir::TypeId type);

  const ir::Program& program_;
  PointsToOptions options_;
  mutable Layouts layouts_;  // Makes them on demand.
  std::vector<Site> sites_;
  std::vector<const Layout*> layouts_of_;
  std::vector<SiteId> site_of_cell_;
  std::vector<Location> places_;
  tsl::robin_map<std::uint64_t, PlaceId, support::MixHash> place_of_;
  SiteId unknown_;

  std::vector<NodeId> variables_;
  std::vector<NodeId> contents_;
  std::map<SiteId, NodeId> seen_;
  std::vector<std::vector<NodeId>> results_;
  std::unordered_map<term::Term, NodeId> terms_;
  std::unordered_set<term::Term> noted_;
  std::unordered_set<term::Term> noted_arrays_;
  std::vector<bool> is_assigned_array_;  // By variable.
  std::unordered_set<term::Term> repeated_sums_;
  std::vector<Move> moves_;
  std::map<Move, std::uint32_t> move_of_;
  std::vector<Copy> copies_;

  std::vector<bool> reached_;
  std::vector<ir::FunctionId> pending_;
  std::vector<CallSite> calls_;
  std::unordered_map<std::uint64_t, SiteId> heap_of_;
  std::unordered_set<std::uint64_t> connected_;

  std::vector<bool> escaped_;
  std::vector<SiteId> escaped_sites_;
  NodeId escape_;
  std::map<std::string, Outside> any_;
  /// What pointers to a type become pointers to, by the key of the type.
  std::map<std::string, std::map<std::string, ir::TypeId>> conversions_;
  std::map<std::string, std::set<std::string>> converted_;
  std::map<std::string, std::set<std::string>> seen_as_;
  std::map<std::pair<const Layout*, std::string>, Inside> inside_;
  std::vector<ir::NumberedAddress> numbers_;  // In order.
  /// What integers that are not constants become pointers to.
  std::vector<ir::TypeId> number_types_;
  NodeId integers_;  // What integers point to that are no pointers yet.
  std::vector<std::vector<Location>> stands_for_;  // By site.
  std::vector<Link> links_;
  std::vector<Outward> outward_;
  std::set<std::pair<Rule, PlaceId>> moved_out_;  // Are in there.
  std::unordered_map<ir::TypeId, std::string> type_keys_;
  bool outside_is_active_ = false;
  bool enters_any_state_ = false;
  bool has_client_ = false;
  bool uses_heap_types_ = false;
  bool uses_numbers_ = false;
  bool has_unknown_call_ = false;
  std::vector<ir::FunctionId> unknown_routines_;
};

}  // namespace agon::analysis
