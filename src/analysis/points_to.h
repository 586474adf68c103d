// SPDX-License-Identifier: Apache-2.0
/// Which places in memory an address can denote.
///
/// Andersen's analysis: flow- and context-insensitive, by cells of objects,
/// with calls through pointers resolved on the way. What it says is true of
/// every run of the program from the given entries, provided that
///  - pointer arithmetic stays inside the array that the pointer points into,
///    although characters may walk over a whole object, and so may pointers
///    that were made from pointers to a record (`ir::Type::is_walked`);
///  - in a sum with a variable or field of pointer type the other terms are
///    distances, and the difference of two pointers is not used to get from one
///    object to another; what comparisons, conditions and indices tell of an
///    address is not used to make a pointer;
///  - memory from an allocator has the layout of what the first pointer to it
///    points to, if that is neither `void` nor a character;
///  - code that is not there, and the state before an entry that is not `main`,
///    respect types: a pointer to T points to a T, to memory without a type
///    that the program allocated, to what the program converts pointers to T to
///    (`ir::Conversion`), to objects of which the program makes pointers to T
///    or, if to characters or void, to anything; integers
///    outside hold addresses only if they are as wide and the program converts
///    integers to pointers. It knows static variables only if it was given an
///    address of them, and calls no function of the program but those whose
///    addresses it may have;
///  - numbers are addresses where the text makes pointers of them, or of
///    variables that hold them (`ir::NumberedAddress`), and of memory outside.
/// Objects that code outside knows are not told apart by type: one external
/// site stands for them, see `representatives`.
/// `assumptions` says which of them an answer depends on.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/layout.h"
#include "ir/program.h"
#include "support/context.h"

namespace agon::analysis {

/// Something that a pointer can point to: stands for one object or many.
using SiteId = support::Id<struct SiteTag>;

enum class SiteKind : std::uint8_t {
  Object,
  Function,
  Heap,      ///< What one call of an allocator returns.
  External,  ///< Memory that only code outside the program made, by type.
};

struct Site {
  SiteKind kind = SiteKind::Object;
  std::string name;  ///< `x`, `f`, `heap@12`, `ext struct node`.
  ir::ObjectId object;
  ir::FunctionId function;  ///< The function, or the one that allocates.
  ir::EdgeId edge;          ///< Heap: the call.
  ir::Position position;
  Shape shape;
  std::uint32_t first_cell = 0;  ///< Its cells have numbers from here on.
};

/// A place, or several: elements of arrays are not told apart.
struct Location {
  SiteId site;
  std::uint32_t offset = 0;  ///< Normal, or kAnyOffset.

  friend auto operator<=>(const Location&, const Location&) = default;
};

/// A cell outside the program that stands for another one.
struct Link {
  std::uint32_t outside = 0;
  std::uint32_t cell = 0;
};

/// Where execution starts.
struct Entry {
  ir::FunctionId function;
  /// Globals and what parameters point to may hold anything; otherwise globals
  /// have their initial values, as for `main`.
  bool any_state = false;
};

struct PointsToOptions {
  /// Pointers to characters that come from outside may point into anything
  /// that outside code knows, as C allows; otherwise to characters only, and
  /// only pointers to void to anything.
  bool characters_reach_all = true;
  /// The program is a module with a client (client.h), who knows no variable by
  /// name that the module defines.
  bool is_module = false;
  /// Static objects that no pointer can point to when an entry is called at any
  /// time (hidden_objects.h). Of others, code outside may have been told.
  std::set<std::string> hidden;
  /// Whose limits to keep to. Once they are reached, what was computed so far
  /// is too little, and nothing may be concluded from it.
  support::Context* context = nullptr;
};

/// What a call can call.
struct Targets {
  std::vector<ir::FunctionId> functions;  ///< In order of id.
  /// Whether a function from outside the program can be meant as well.
  bool has_unknown = false;
};

class PointsToAnalysis;

class PointsTo {
 public:
  /// Analyses what can be reached from the entries. Refers to `program`, which
  /// must not change meanwhile.
  PointsTo(const ir::Program& program, std::span<const Entry> entries,
           const PointsToOptions& options = {});
  ~PointsTo();
  PointsTo(PointsTo&&) noexcept;
  PointsTo& operator=(PointsTo&&) noexcept;

  std::span<const Site> sites() const;
  const Site& operator[](SiteId id) const { return sites()[id.index()]; }
  const Layout& layout(SiteId id) const;

  /// The places that a term can denote as an address, in order. Uninitialised
  /// values denote none.
  std::vector<Location> locations(term::Term address) const;

  /// The same, but of the objects that code outside the program knows only the
  /// external one of their type. `links` says which cells that stands for.
  std::vector<Location> representatives(term::Term address) const;
  std::span<const Link> links() const;
  /// A number for these sets of places, the same for equal ones.
  std::uint32_t set_of(term::Term address) const;

  /// The cells, by number, that `size` bytes at a place overlap.
  std::vector<TouchedCell> touch(Location location, std::uint64_t size,
                                 std::uint64_t stride = 0) const;
  std::size_t num_cells() const;
  SiteId site_of_cell(std::uint32_t cell) const;

  Targets targets(const ir::Call& call) const;

  /// Whether a call or an entry can reach the function.
  bool is_reachable(ir::FunctionId function) const;
  /// Whether code outside the program may use the object.
  bool is_escaped(SiteId site) const;
  /// Whether code outside may call the function through a pointer to it, other
  /// than the client of a module, whose calls are there.
  bool may_be_called_back(ir::FunctionId function) const;
  /// Whether something is called that has no body, and of which nothing is
  /// known.
  bool calls_outside() const;
  /// Whether code outside may use the global by its name.
  bool is_visible(ir::VariableId global) const;
  /// The site of all memory about which nothing is known.
  SiteId unknown() const;

  std::string to_string(Location location) const;
  /// Why a term can denote a place: the sets it passed through, one per line,
  /// the nearest first.
  std::string explain(term::Term address, Location location) const;
  /// What the answers depend on.
  std::vector<ir::Assumption> assumptions() const;
  std::size_t num_facts() const;

 private:
  void add_given_away(std::vector<ir::Assumption>& to) const;
  void add_called_back(std::vector<ir::Assumption>& to) const;
  void add_interrupting(std::vector<ir::Assumption>& to) const;

  // Asking about a new term adds sets to the online solver, but changes no
  // answer.
  std::unique_ptr<PointsToAnalysis> analysis_;
};

/// The greatest number known to divide every value of a bit-vector term; 0 for
/// the constant 0.
std::uint64_t stride_of(term::Term term);

}  // namespace agon::analysis
