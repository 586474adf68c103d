// SPDX-License-Identifier: Apache-2.0
// The automata that know data: operators, cells and arrays. On intervals, their
// transitions are relations (MAGE, section 4.1). Where two parts of the tree
// distinguish data differently, the glue between them is here: a value becomes
// one of the parts that it meets.
#include "algol/machine.h"
#include "support/error.h"

namespace agon::algol {
namespace {

/// The element of an approximate array: the parts from `first` to `last`.
struct Parts {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

Parts unpack(std::uint64_t element) {
  return {element >> 32, element & 0xffffffffU};
}

std::uint64_t pack(Parts parts) { return parts.first << 32 | parts.last; }

}  // namespace

Value Machine::part_value(std::uint32_t site, std::uint64_t part,
                          const Value& from) {
  const Interval interval = partition(site).part(part);
  if (origins_ == nullptr) return {interval, 0};
  return {interval,
          origins_->add({Origin::Kind::Part, {}, site, interval, from, {}})};
}

Value Machine::reduced(const Value& value, Interval range) {
  if (range.contains(value.interval)) return value;
  const Interval interval = reduce(value.interval, range);
  if (origins_ == nullptr) return {interval, 0};
  return {interval,
          origins_->add({Origin::Kind::Reduced, {}, 0, range, value, {}})};
}

void Machine::binary_answer() {
  const Node& at = node();
  if (token_.port == 0) {
    slots_[at.slot] = token_.value;
    return ask_child(1);
  }
  const Interval left = slots_[at.slot].interval;
  const Interval right = token_.value.interval;
  const bool divides =
      at.op == Operator::Divide || at.op == Operator::Remainder;
  if (divides && right == Interval::single(0)) {
    status_ = Status::Ended;
    return emit(move_of(MoveKind::Abort, false));
  }
  if (divides && right.contains(0)) return offer(Stage::Divisor);
  const Interval result = at.is_twice_the_same ? apply_twice(at.op, left)
                                               : apply(at.op, left, right);
  if (gives_bool(at.op) && !result.is_single()) return offer(Stage::Truth);
  finish_binary(result);
}

void Machine::finish_binary(Interval result) {
  const Node& at = node();
  std::uint32_t origin = 0;
  if (origins_ != nullptr && !gives_bool(at.op)) {
    origin = origins_->add(
        {Origin::Kind::Result, at.op, 0, {}, slots_[at.slot], token_.value});
  }
  slots_[at.slot] = {};
  reply({result, origin});
}

void Machine::cell_question() {
  if (token_.is_write) return store();
  reply(slots_[node().target]);
}

void Machine::store() {
  const Node& at = node();
  token_.value = reduced(token_.value, at.range);
  token_.is_write = false;
  const Partition& parts = partition(at.site);
  const Interval value = token_.value.interval;
  if (parts.part_of(value.low) != parts.part_of(value.high)) {
    return offer(Stage::Store);
  }
  finish_store();
}

void Machine::finish_store() {
  const Node& at = node();
  const Value stored =
      part_value(at.site, partition(at.site).part_of(token_.value.interval.low),
                 token_.value);
  if (at.kind == NodeKind::Cell) {
    slots_[at.target] = stored;
    return reply();
  }
  slots_[at.slot] = stored;
  ask_child(1);
}

void Machine::access() {
  const Node& at = node();
  const Interval bounds =
      at.kind == NodeKind::Element
          ? tree_.sites[at.index_site].data.range
          : Interval{0, tree_.identifiers[at.target].type.result.length - 1};
  if (!bounds.meets(token_.index.interval)) {
    status_ = Status::Ended;
    return emit(move_of(MoveKind::Bounds, false));
  }
  if (!bounds.contains(token_.index.interval)) return offer(Stage::Bounds);
  access_within_bounds();
}

void Machine::access_within_bounds() {
  const Node& at = node();
  if (at.kind == NodeKind::FreeElement) {
    const bool is_write = words_[at.memory] != 0;
    token_.value = slots_[at.slot];
    slots_[at.slot] = {};
    emit(move_of(is_write ? MoveKind::Write : MoveKind::Ask, false));
    token_.value = {};
    return offer(Stage::Environment);
  }
  const Partition& indices = partition(at.index_site);
  const std::uint64_t part = indices.part_of(token_.index.interval.low);
  if (part != indices.part_of(token_.index.interval.high)) {
    return offer(Stage::IndexPart);
  }
  if (words_[at.memory] == 0) {
    read_element(part);
  } else {
    write_element(part);
  }
}

std::uint64_t Machine::default_element(const Node& at) const {
  const std::uint64_t zero = partition(at.site).part_of(0);
  return pack({zero, zero});
}

void Machine::read_element(std::uint64_t index_part) {
  const Node& at = node();
  const std::uint64_t element =
      arrays_.read(words_[at.target], index_part, index_levels_[at.index_site]);
  const Parts parts = unpack(element ^ default_element(at));
  if (parts.first == parts.last) return finish_read(parts.first);
  token_.value = {{partition(at.site).part(parts.first).low,
                   partition(at.site).part(parts.last).high},
                  0};
  offer(Stage::ElementPart);
}

void Machine::finish_read(std::uint64_t part) {
  reply(part_value(node().site, part, {}));
}

void Machine::write_element(std::uint64_t index_part) {
  const Node& at = node();
  const Value value = reduced(slots_[at.slot], at.range);
  const Partition& parts = partition(at.site);
  const std::uint64_t part = parts.part_of(value.interval.low);
  if (part == parts.part_of(value.interval.high)) {
    return finish_write(index_part, part);
  }
  slots_[at.slot] = value;
  offer(Stage::WritePart);
}

void Machine::finish_write(std::uint64_t index_part, std::uint64_t part) {
  const Node& at = node();
  const unsigned levels = index_levels_[at.index_site];
  std::uint32_t& array = words_[at.target];
  Parts parts{part, part};
  // Of several indices only one is written: the others keep what they have.
  if (!partition(at.index_site).part(index_part).is_single()) {
    const Parts old =
        unpack(arrays_.read(array, index_part, levels) ^ default_element(at));
    parts = {std::min(part, old.first), std::max(part, old.last)};
  }
  array = arrays_.write(array, index_part, pack(parts) ^ default_element(at),
                        levels);
  words_[at.memory] = 0;
  slots_[at.slot] = {};
  reply();
}

}  // namespace agon::algol
