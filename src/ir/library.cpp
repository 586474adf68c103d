// SPDX-License-Identifier: Apache-2.0
#include "ir/library.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "ir/text.h"
#include "support/source.h"

namespace agon::ir {
namespace {

using term::Sort;
using term::Term;

/// Which bytes a routine looks at.
struct Range {
  bool is_limited = false;     ///< The last argument says how many at most.
  bool is_terminated = false;  ///< None after the first that is 0.
};

/// Characters from one to another.
struct Characters {
  char first;
  char last;
};

/// Below which what is said of characters does not depend on the locale.
constexpr std::uint64_t kAscii = 128;
constexpr std::uint64_t kAnyLocale = 256;

/// Writes the body of one routine. Those on strings walk with an index.
class BodyBuilder {
 public:
  BodyBuilder(Program& program, FunctionId function)
      : program_(program), pool_(*program.pool), function_(function) {
    index_ = local("i", Sort::bits(program.pointer_width()));
    body_.set_exit(body_.add_location());
    const LocationId entry = body_.add_location();
    body_.set_entry(entry);
    head_ = assigned(entry, index_, pool_.bits(0, index().width()));
  }

  /// The number of bytes before the first that is 0.
  void length(Range range) {
    const LocationId at = stop_at_limit(head_, range, index());
    returns(when(at, is_zero(byte(0))), index());
    advance(when(at, pool_.negation(is_zero(byte(0)))));
  }

  /// The sign of the first difference.
  void compare(Range range) {
    const Term zero = pool_.bits(0, result_width());
    const LocationId at = stop_at_limit(head_, range, zero);
    const Term equal = pool_.equal(byte(0), byte(1));
    difference(when(at, pool_.negation(equal)));
    const LocationId same = when(at, equal);
    if (!range.is_terminated) return advance(same);
    returns(when(same, is_zero(byte(0))), zero);
    advance(when(same, pool_.negation(is_zero(byte(0)))));
  }

  /// Where the byte stands that the second argument names.
  void find(Range range) {
    const Term nowhere = pool_.bits(0, result_width());
    const Term found = pool_.equal(byte(0), pool_.extract(argument(1), 0, 8));
    const LocationId at = stop_at_limit(head_, range, nowhere);
    returns(when(at, found), pool_.add(argument(0), index()));
    const LocationId other = when(at, pool_.negation(found));
    if (!range.is_terminated) return advance(other);
    returns(when(other, is_zero(byte(0))), nowhere);
    advance(when(other, pool_.negation(is_zero(byte(0)))));
  }

  /// The last place instead of the first.
  void find_last() {
    const VariableId last = local("last", Sort::bits(result_width()));
    const Term value = program_[last].term;
    // The index is 0 before anything was found.
    const LocationId start =
        assigned(head_, last, pool_.bits(0, value.width()));
    const Term found = pool_.equal(byte(0), pool_.extract(argument(1), 0, 8));
    const LocationId at = assigned(
        start, last, pool_.ite(found, pool_.add(argument(0), index()), value));
    returns(when(at, is_zero(byte(0))), value);
    advance(when(at, pool_.negation(is_zero(byte(0)))), start);
  }

  /// Copies the second argument to `from` bytes behind the first. Bytes after
  /// the end of it are 0 where a number is given.
  void copy(Range range, Term from) {
    const VariableId read = local("j", index().sort());
    const Term source = program_[read].term;
    const LocationId start =
        assigned(head_, read, pool_.bits(0, source.width()));
    const LocationId at = stop_at_limit(start, range, argument(0));
    const Term value = pool_.read(memory(), pool_.add(argument(1), source));
    const Term target = pool_.add(pool_.add(argument(0), from), index());
    const LocationId ended = when(at, is_zero(value));
    const LocationId more = when(at, pool_.negation(is_zero(value)));
    const Term written = pool_.write(memory(), target, value);
    const LocationId last = assigned(ended, program_.memory, written);
    if (range.is_limited) {
      advance(last, start);
    } else {
      returns(last, argument(0));
    }
    const LocationId copied = assigned(more, program_.memory, written);
    advance(assigned(copied, read,
                     pool_.add(source, pool_.bits(1, source.width()))),
            start);
  }

  Term nothing() const { return pool_.bits(0, index().width()); }

  /// Copies to the end of the first argument.
  void append() {
    const VariableId end = local("end", index().sort());
    const LocationId found = when(head_, is_zero(byte(0)));
    advance(when(head_, pool_.negation(is_zero(byte(0)))));
    const LocationId kept = assigned(found, end, index());
    head_ = assigned(kept, index_, pool_.bits(0, index().width()));
    copy({}, program_[end].term);
  }

  /// Not 0 for these characters, and 0 for others below the limit.
  void classify(std::initializer_list<Characters> characters,
                std::uint64_t limit = kAscii) {
    std::vector<Term> among;
    for (const Characters each : characters) among.push_back(is_in(each));
    const Term found = pool_.disjunction(among);
    const auto [at, any] = anything(when(head_, found));
    returns(at, pool_.ite(is_zero(any), pool_.bits(1, any.width()), any));
    otherwise(found, limit, pool_.bits(0, result_width()));
  }

  /// These characters moved as `first` is to `to`, and others as they are.
  void convert(Characters characters, char to) {
    const Term found = is_in(characters);
    const int distance = to - characters.first;
    const Term moved =
        pool_.bits(static_cast<std::uint32_t>(distance), result_width());
    returns(when(head_, found), pool_.add(argument(0), moved));
    otherwise(found, kAscii, argument(0));
  }

  void finish() {
    body_.finish();
    Function& function = program_.functions[function_.index()];
    function.body = std::move(body_);
    function.has_body = true;
  }

 private:
  Term index() const { return program_[index_].term; }
  Term memory() const { return program_[program_.memory].term; }
  Term argument(std::size_t i) const {
    return program_[program_[function_].parameters[i]].term;
  }
  unsigned result_width() const {
    return program_.types.sort(program_[function_].results.front()).width;
  }
  Term byte(std::size_t of) const {
    return pool_.read(memory(), pool_.add(argument(of), index()));
  }
  Term is_zero(Term value) const {
    return pool_.equal(value, pool_.bits(0, value.width()));
  }

  VariableId local(const char* name, Sort sort) {
    Variable variable;
    variable.name = variable.display = name;
    variable.kind = VariableKind::Temporary;
    variable.owner = function_;
    const VariableId id = program_.add_variable(std::move(variable), sort);
    program_.functions[function_.index()].locals.push_back(id);
    return id;
  }

  LocationId step(LocationId from, Statement statement) {
    const LocationId to = body_.add_location();
    body_.add_edge({from, to, std::move(statement), {}, {}});
    return to;
  }
  LocationId when(LocationId from, Term condition) {
    return step(from, Assume{condition});
  }
  LocationId assigned(LocationId from, VariableId target, Term value) {
    return step(from, Assign{target, value});
  }
  void returns(LocationId from, Term value) {
    body_.add_edge({from,
                    body_.exit(),
                    Return{{pool_.resize(value, result_width(), false)}},
                    {},
                    {}});
  }
  void advance(LocationId from, LocationId to) {
    const Term next = pool_.add(index(), pool_.bits(1, index().width()));
    body_.add_edge({from, to, Assign{index_, next}, {}, {}});
  }
  void advance(LocationId from) { advance(from, head_); }

  LocationId stop_at_limit(LocationId from, Range range, Term result) {
    if (!range.is_limited) return from;
    const std::size_t last = program_[function_].parameters.size() - 1;
    const Term at_end = pool_.equal(index(), argument(last));
    returns(when(from, at_end), result);
    return when(from, pool_.negation(at_end));
  }

  /// A place where what is returned may be anything, and what.
  std::pair<LocationId, Term> anything(LocationId from) {
    const VariableId any = local("any", Sort::bits(result_width()));
    const LocationId chosen =
        step(from, Havoc{any, HavocReason::Input, program_[function_].name});
    return {chosen, program_[any].term};
  }

  Term is_in(Characters characters) const {
    const auto number = [&](char c) {
      return pool_.bits(static_cast<unsigned char>(c), argument(0).width());
    };
    return pool_.negation(pool_.unsigned_less(
        number(static_cast<char>(characters.last - characters.first)),
        pool_.subtract(argument(0), number(characters.first))));
  }

  /// For what is not `found`, the result below the limit and for EOF.
  void otherwise(Term found, std::uint64_t limit, Term result) {
    const unsigned width = argument(0).width();
    const Term end_of_file = pool_.negate(pool_.bits(1, width));
    const Term is_known = pool_.disjunction(
        {pool_.unsigned_less(argument(0), pool_.bits(limit, width)),
         pool_.equal(argument(0), end_of_file)});
    const LocationId other = when(head_, pool_.negation(found));
    returns(when(other, is_known), result);
    const auto [at, any] = anything(when(other, pool_.negation(is_known)));
    returns(at, any);
  }

  /// C says of the result only on which side of 0 it lies.
  void difference(LocationId from) {
    const unsigned width = result_width();
    const auto [chosen, any] = anything(from);
    const Term distance = pool_.add(
        pool_.bits(1, width),
        pool_.bit_and(
            any, pool_.bits((std::uint64_t{1} << (width - 2)) - 1, width)));
    returns(chosen, pool_.ite(pool_.unsigned_less(byte(0), byte(1)),
                              pool_.negate(distance), distance));
  }

  Program& program_;
  term::Pool& pool_;
  FunctionId function_;
  VariableId index_;
  Cfa body_;
  LocationId head_;  ///< Where the index has another value each time.
};

/// Types of arguments and of results, as far as they matter.
enum class Shape : std::uint8_t { Word, Int };

struct Routine {
  std::string_view name;
  Shape result;
  std::vector<Shape> parameters;
  void (*build)(BodyBuilder&);
};

constexpr Range kString{.is_terminated = true};
constexpr Range kBytes{.is_limited = true};
constexpr Range kPrefix{.is_limited = true, .is_terminated = true};

/// A routine of <ctype.h>: takes a character, or EOF.
struct CharacterRoutine {
  std::string_view name;
  void (*build)(BodyBuilder&);
};

constexpr std::array<CharacterRoutine, 14> kCharacterRoutines = {{
    {"isalnum",
     [](BodyBuilder& b) { b.classify({{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}); }},
    {"isalpha", [](BodyBuilder& b) { b.classify({{'A', 'Z'}, {'a', 'z'}}); }},
    {"isblank", [](BodyBuilder& b) { b.classify({{' ', ' '}, {'\t', '\t'}}); }},
    {"iscntrl", [](BodyBuilder& b) { b.classify({{0, 0x1f}, {0x7f, 0x7f}}); }},
    {"isdigit", [](BodyBuilder& b) { b.classify({{'0', '9'}}, kAnyLocale); }},
    {"isgraph", [](BodyBuilder& b) { b.classify({{'!', '~'}}); }},
    {"islower", [](BodyBuilder& b) { b.classify({{'a', 'z'}}); }},
    {"isprint", [](BodyBuilder& b) { b.classify({{' ', '~'}}); }},
    {"ispunct",
     [](BodyBuilder& b) {
       b.classify({{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}});
     }},
    {"isspace", [](BodyBuilder& b) { b.classify({{' ', ' '}, {'\t', '\r'}}); }},
    {"isupper", [](BodyBuilder& b) { b.classify({{'A', 'Z'}}); }},
    {"isxdigit",
     [](BodyBuilder& b) {
       b.classify({{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, kAnyLocale);
     }},
    {"tolower", [](BodyBuilder& b) { b.convert({'A', 'Z'}, 'a'); }},
    {"toupper", [](BodyBuilder& b) { b.convert({'a', 'z'}, 'A'); }},
}};

std::vector<Routine> make_routines() {
  using enum Shape;
  std::vector<Routine> all = {
      {"strlen", Word, {Word}, [](BodyBuilder& b) { b.length(kString); }},
      {"strnlen",
       Word,
       {Word, Word},
       [](BodyBuilder& b) { b.length(kPrefix); }},
      {"strcmp", Int, {Word, Word}, [](BodyBuilder& b) { b.compare(kString); }},
      {"strncmp",
       Int,
       {Word, Word, Word},
       [](BodyBuilder& b) { b.compare(kPrefix); }},
      {"memcmp",
       Int,
       {Word, Word, Word},
       [](BodyBuilder& b) { b.compare(kBytes); }},
      {"strchr", Word, {Word, Int}, [](BodyBuilder& b) { b.find(kString); }},
      {"memchr",
       Word,
       {Word, Int, Word},
       [](BodyBuilder& b) { b.find(kBytes); }},
      {"strrchr", Word, {Word, Int}, [](BodyBuilder& b) { b.find_last(); }},
      {"strcpy",
       Word,
       {Word, Word},
       [](BodyBuilder& b) { b.copy(kString, b.nothing()); }},
      {"strncpy",
       Word,
       {Word, Word, Word},
       [](BodyBuilder& b) { b.copy(kPrefix, b.nothing()); }},
      {"strcat", Word, {Word, Word}, [](BodyBuilder& b) { b.append(); }},
  };
  for (const CharacterRoutine& each : kCharacterRoutines) {
    all.push_back({each.name, Int, {Int}, each.build});
  }
  return all;
}

const std::vector<Routine>& routines() {
  static const std::vector<Routine> all = make_routines();
  return all;
}

const Routine* find_routine(std::string_view name) {
  const auto found = std::ranges::find(routines(), name, &Routine::name);
  return found == routines().end() ? nullptr : &*found;
}

bool fits(const Program& program, const Function& function,
          const Routine& routine) {
  const auto width = [&](Shape shape) {
    return shape == Shape::Int ? 32U : program.pointer_width();
  };
  const auto is_like = [&](TypeId type, Shape shape) {
    return program.types.sort(type) == Sort::bits(width(shape));
  };
  return function.type.valid() && function.results.size() == 1 &&
         is_like(function.results.front(), routine.result) &&
         std::ranges::equal(program.types[function.type].parameters,
                            routine.parameters, is_like);
}

void add_parameters(Program& program, FunctionId function) {
  const auto types = program.types[program[function].type].parameters;
  for (const TypeId type : types) {
    Variable variable;
    variable.name = variable.display = "argument";
    variable.type = type;
    variable.kind = VariableKind::Temporary;  // Nobody has written it.
    variable.owner = function;
    const VariableId id =
        program.add_variable(std::move(variable), program.types.sort(type));
    program.functions[function.index()].parameters.push_back(id);
  }
}

/// Says what the routine is taken to do now, in place of what was said.
void assume_standard(Program& program, const Function& routine) {
  std::erase_if(program.assumptions, [&](const Assumption& assumption) {
    return assumption.subject == routine.name;
  });
  program.assume(routine.name, kStandard, routine.position);
}

}  // namespace

bool is_in_library(std::string_view name) {
  return find_routine(name) != nullptr;
}

Program with_library(const Program& original) {
  Program program =
      parse_text(support::Source::from_string("program", to_text(original)));
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[i];
    if (function.has_body || function.is_action) continue;
    const Routine* const routine = find_routine(function.name);
    if (routine == nullptr || !fits(program, function, *routine)) continue;
    add_parameters(program, FunctionId::at(i));
    BodyBuilder builder(program, FunctionId::at(i));
    routine->build(builder);
    builder.finish();
    assume_standard(program, program.functions[i]);
  }
  return program;
}

}  // namespace agon::ir
