// SPDX-License-Identifier: Apache-2.0
/// Random programs that move pointers about and never use a bad one.
#pragma once

#include <random>

#include "memory_program.h"

namespace agon::analysis::test {

/// Straight code in `main` and a few functions: fields, arrays, lists, casts to
/// characters and integers, copies of structs and of pointers byte by byte,
/// allocation, calls through pointers. Every run ends.
class RandomMemory {
 public:
  explicit RandomMemory(unsigned seed) : random_(seed) {}

  /// The function to run is the last one.
  MemoryProgram make() {
    malloc_ = p.routine("malloc", {p.void_pointer});
    realloc_ = p.routine("realloc", {p.void_pointer});
    print_ = p.routine("printf", {});
    make_globals();
    const unsigned helpers = 1 + below(3);
    for (unsigned i = 0; i < helpers; ++i) make_helper(i);
    make_main();
    return std::move(p);
  }

 private:
  unsigned below(unsigned n) {
    return std::uniform_int_distribution<unsigned>(0, n - 1)(random_);
  }
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(static_cast<unsigned>(items.size()))];
  }
  Term value(VariableId id) { return p.value(id); }

  // Globals.
  void make_globals() {
    for (int i = 0; i < 2; ++i) {
      node_places_.push_back(
          p.address(p.object("node" + std::to_string(i), p.node)));
      int_places_.push_back(
          p.address(p.object("int" + std::to_string(i), p.integer)));
      pair_places_.push_back(
          p.address(p.object("pair" + std::to_string(i), p.pair)));
    }
    nodes_ = p.address(p.object("nodes", p.array(p.node, 4)));
    ints_ = p.address(p.object("ints", p.array(p.integer, 8)));
    pairs_ = p.address(p.object("pairs", p.array(p.pair, 4)));
    mix_ = p.address(p.object("mix", p.mix));
    chars_ = p.address(p.object("chars", p.array(p.character, 64)));
    head_ = p.variable("head", p.node_pointer, ir::VariableKind::Global);
    ir::Variable garbage;
    garbage.name = "garbage";
    garbage.display = "garbage";
    garbage.kind = ir::VariableKind::Memory;
    garbage_ =
        p.program.add_variable(std::move(garbage), term::Sort::array(64, 8));
    p.program.variables[head_.index()].initial = pick(node_places_);
  }

  // Functions.
  void make_helper(unsigned number) {
    p.begin("f" + std::to_string(number), {p.int_pointer});
    helpers_.push_back(p.function);
    p.program.functions[p.function.index()].address =
        p.program.address_of(p.function);
    const VariableId n =
        p.variable("fn" + std::to_string(number), p.node_pointer,
                   ir::VariableKind::Parameter);
    const VariableId i = p.variable("fi" + std::to_string(number),
                                    p.int_pointer, ir::VariableKind::Parameter);
    make_locals("f" + std::to_string(number));
    p.assign(node_pointers_[0], value(n));
    p.assign(int_pointers_[0], value(i));
    statements(4 + below(8), false);
    p.end({value(pick(int_pointers_))});
  }

  void make_main() {
    p.begin("main", {p.integer});
    make_locals("main");
    // All pointers in objects are good from the start.
    for (const Term node : all_nodes()) {
      p.store(p.plus(node, 8), pick(node_places_));
    }
    for (const Term pair : all_pairs()) {
      p.store(p.plus(pair, 8), pick(int_places_));
    }
    statements(20 + below(40), true);
    Term sum = value(scalars_[0]);
    for (const VariableId i : int_pointers_) {
      sum = p.pool().add(sum, p.read(value(i), 4));
    }
    p.end({sum});
  }

  std::vector<Term> all_nodes() {
    std::vector<Term> result = node_places_;
    for (unsigned i = 0; i < 4; ++i) result.push_back(p.plus(nodes_, 64 * i));
    return result;
  }
  std::vector<Term> all_pairs() {
    std::vector<Term> result = pair_places_;
    for (unsigned i = 0; i < 4; ++i) result.push_back(p.plus(pairs_, 16 * i));
    return result;
  }

  void make_locals(const std::string& prefix) {
    int_pointers_.clear();
    node_pointers_.clear();
    pair_pointers_.clear();
    scalars_.clear();
    const auto name = [&](const char* stem, int i) {
      return prefix + stem + std::to_string(i);
    };
    for (int i = 0; i < 3; ++i) {
      int_pointers_.push_back(p.variable(name("ip", i), p.int_pointer));
      node_pointers_.push_back(p.variable(name("np", i), p.node_pointer));
      pair_pointers_.push_back(p.variable(name("pp", i), p.pair_pointer));
      scalars_.push_back(p.variable(name("x", i), p.integer));
    }
    cell_ = p.variable(name("cell", 0), p.int_pointer_pointer);
    bytes_ = p.variable(name("bytes", 0), p.char_pointer);
    index_ = p.variable(name("i", 0), p.long_type);
    kept_ = p.variable(name("kept", 0), p.long_type);
    fresh_ = p.variable(name("fresh", 0), p.void_pointer);
    called_ = p.variable(name("called", 0), p.int_pointer);
    local_ = p.address(p.object(prefix + "local", p.node, true));
    for (const VariableId id : int_pointers_) p.assign(id, pick(int_places_));
    for (const VariableId id : node_pointers_) p.assign(id, pick(node_places_));
    for (const VariableId id : pair_pointers_) p.assign(id, pick(pair_places_));
    for (const VariableId id : scalars_) p.assign(id, p.number(below(99), 32));
    p.assign(cell_, p.plus(pick(pair_places_), 8));
    p.assign(index_, p.number(1 + below(4)));
    p.store(p.plus(local_, 8), local_);
  }

  /// 0 … 3 as an address-wide term, by an int or a long.
  Term index() {
    if (below(2) == 0) {
      return p.pool().sign_extend(
          p.pool().bit_and(value(pick(scalars_)), p.number(3, 32)), 64);
    }
    return p.pool().subtract(value(index_), p.number(1));  // It is 1 … 4.
  }
  Term element(Term base, std::uint64_t size) {
    return p.pool().add(base, p.pool().multiply(index(), p.number(size)));
  }

  Term some_node() {
    switch (below(5)) {
      case 0:
        return pick(node_places_);
      case 1:
        return element(nodes_, 64);
      case 2:
        return p.read(p.plus(value(pick(node_pointers_)), 8), 8);
      case 3:
        return value(head_);
      default:
        return value(pick(node_pointers_));
    }
  }
  Term some_int() {
    const Term node = value(pick(node_pointers_));
    switch (below(8)) {
      case 0:
        return pick(int_places_);
      case 1:
        return element(ints_, 4);
      case 2:
        return element(p.plus(node, 24), 4);
      case 3:
        return element(p.plus(node, 40), 4);
      case 4:
        return p.read(p.plus(value(pick(pair_pointers_)), 8), 8);
      case 5:
        return p.plus(element(nodes_, 64), 24 + 4 * below(8));
      case 6:
        return node;  // The key.
      default:
        return value(pick(int_pointers_));
    }
  }
  Term some_pair() {
    switch (below(3)) {
      case 0:
        return pick(pair_places_);
      case 1:
        return element(pairs_, 16);
      default:
        return value(pick(pair_pointers_));
    }
  }

  void statements(unsigned n, bool may_call) {
    for (unsigned i = 0; i < n; ++i) {
      switch (below(may_call ? 6 : 5)) {
        case 0:
          move_pointer();
          break;
        case 1:
          use_integers();
          break;
        case 2:
          store_pointer();
          break;
        case 3:
          copy_something();
          break;
        case 4:
          odd_things();
          break;
        default:
          call_something();
      }
    }
  }

  void move_pointer() {
    switch (below(4)) {
      case 0:
        return p.assign(pick(int_pointers_), some_int());
      case 1:
        return p.assign(pick(node_pointers_), some_node());
      case 2:
        return p.assign(pick(pair_pointers_), some_pair());
      default:
        return p.assign(cell_, p.plus(some_pair(), 8));
    }
  }

  void use_integers() {
    const VariableId x = pick(scalars_);
    switch (below(4)) {
      case 0:
        return p.store(some_int(), p.pool().add(value(x), p.number(7, 32)));
      case 1:
        return p.assign(x, p.pool().add(p.read(some_int(), 4), value(x)));
      case 2: {
        const Term low = p.pool().bit_and(value(x), p.number(3, 32));
        return p.assign(index_, p.plus(p.pool().zero_extend(low, 64), 1));
      }
      default:
        return p.assign(
            x, p.pool().sign_extend(
                   p.read(element(p.plus(some_node(), 16), 1), 1), 32));
    }
  }

  void store_pointer() {
    switch (below(5)) {
      case 0:
        return p.store(p.plus(some_node(), 8), some_node());
      case 1:
        return p.store(value(cell_), some_int());
      case 2:
        return p.assign(pick(int_pointers_), p.read(value(cell_), 8));
      case 3:
        return p.store(p.plus(some_pair(), 8), some_int());
      default:
        return p.assign(head_, some_node());
    }
  }

  void copy_something() {
    switch (below(6)) {
      case 0:
        return p.copy(some_node(), p.number(64), some_node());
      case 1:
        return p.copy(some_pair(), p.number(16), some_pair());
      case 2:  // Two fields at once.
        return p.copy(p.plus(some_node(), 24), p.number(32),
                      p.plus(some_node(), 24));
      case 3:  // A number of integers that is not known.
        return p.copy(ints_, p.pool().multiply(index(), p.number(4)),
                      p.plus(some_node(), 24));
      case 4: {  // Zeros.
        const Term zero = p.pool().constant_array(p.number(0, 8), 64);
        return p.emit(ir::Assign{
            p.program.memory,
            p.pool().copy(p.memory(), p.plus(some_node(), 16),
                          p.number(1 + below(40)), zero, p.number(0))});
      }
      default: {
        const Term to = some_int();
        p.assign(called_, to);
        p.emit(ir::Havoc{garbage_, ir::HavocReason::Uninitialised, {}});
        return p.emit(
            ir::Assign{p.program.memory,
                       p.pool().copy(p.memory(), value(called_), p.number(4),
                                     value(garbage_), value(called_))});
      }
    }
  }

  void odd_things() {
    const VariableId x = pick(scalars_);
    switch (below(7)) {
      case 0:  // A pointer byte by byte, through characters.
        p.assign(fresh_, p.plus(some_pair(), 8));
        p.assign(bytes_, p.plus(some_pair(), 8));
        for (unsigned i = 0; i < 8; ++i) {
          p.store(p.plus(value(bytes_), i),
                  p.read(p.plus(value(fresh_), i), 1));
        }
        return;
      case 1:  // A pointer as an integer, with a tag.
        p.assign(kept_,
                 p.pool().bit_or(value(pick(int_pointers_)), p.number(1)));
        return p.assign(pick(int_pointers_),
                        p.pool().bit_and(value(kept_), p.number(~1ULL)));
      case 2:  // A walk over all bytes.
        p.assign(bytes_, some_node());
        return p.assign(
            x, p.pool().zero_extend(
                   p.read(p.pool().add(
                              value(bytes_),
                              p.pool().multiply(value(index_), p.number(1))),
                          1),
                   32));
      case 3:  // A union.
        p.store(mix_, p.pool().sign_extend(value(x), 64));
        p.store(p.plus(mix_, 4), p.number(below(9), 32));
        return p.assign(x, p.pool().zero_extend(p.read(mix_, 2), 32));
      case 4:  // From a field back to its record.
        p.assign(fresh_, p.plus(value(pick(node_pointers_)), 40));
        return p.assign(pick(node_pointers_),
                        p.pool().subtract(value(fresh_), p.number(40)));
      case 5:  // An integer in the middle of characters.
        p.store(p.plus(chars_, 3), value(x));
        return p.assign(
            x, p.pool().zero_extend(p.read(element(chars_, 1), 1), 32));
      default:
        return allocate();
    }
  }

  void allocate() {
    const VariableId n = pick(node_pointers_);
    p.call(malloc_, {p.number(64 * 3)}, {fresh_});
    if (below(2) == 0) p.assign(n, value(fresh_));
    p.store(value(fresh_), p.number(5, 32));
    for (unsigned i = 0; i < 3; ++i) {
      p.store(p.plus(value(fresh_), 64 * i + 8), pick(node_places_));
    }
    if (below(3) == 0) {
      p.call(realloc_, {value(fresh_), p.number(64 * 3)}, {fresh_});
    }
    p.assign(n, p.plus(value(fresh_), 64 * below(3)));
  }

  void call_something() {
    const std::vector<Term> arguments{some_node(), some_int()};
    const FunctionId target = pick(helpers_);
    if (below(3) == 0) {
      p.call(target, arguments, {called_});
    } else {
      const FunctionId other = pick(helpers_);
      const Term condition =
          p.pool().signed_less(value(pick(scalars_)), p.number(50, 32));
      const Term pointer = p.pool().ite(condition, p.program[target].address,
                                        p.program[other].address);
      p.emit(ir::Call{{}, pointer, arguments, {called_}, {}});
    }
    p.assign(pick(int_pointers_), value(called_));
    p.call(print_, {p.read(value(called_), 4)});
  }

  MemoryProgram p;
  std::mt19937 random_;
  FunctionId malloc_, realloc_, print_;
  std::vector<FunctionId> helpers_;
  std::vector<Term> node_places_, int_places_, pair_places_;
  Term nodes_, ints_, pairs_, mix_, chars_, local_;
  VariableId head_, garbage_;
  std::vector<VariableId> int_pointers_, node_pointers_, pair_pointers_;
  std::vector<VariableId> scalars_;
  VariableId cell_, bytes_, index_, kept_, fresh_, called_;
};

}  // namespace agon::analysis::test
