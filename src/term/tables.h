// SPDX-License-Identifier: Apache-2.0
/// The tables behind a pool: hash-consing without any simplification. Internal
/// to the folder.
#pragma once

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "term/node.h"
#include "term/pool.h"

namespace agon::term {

struct Pool::Tables {
  using Node = detail::Node;

  struct Hash {
    std::size_t operator()(const Node* node) const;
  };
  struct Equal {
    bool operator()(const Node* a, const Node* b) const;
  };

  /// The term that consists of exactly these parts.
  Term make(Kind kind, Sort sort, std::span<const Term> operands,
            std::uint32_t parameter = 0);
  Term make(Kind kind, Sort sort, std::initializer_list<Term> operands,
            std::uint32_t parameter = 0) {
    return make(kind, sort, std::span(operands.begin(), operands.size()),
                parameter);
  }
  /// The same if it exists already, or none.
  Term lookup(Kind kind, Sort sort, std::initializer_list<Term> operands) const;

  Term constant(Sort sort, Bits value);
  Term constant(const Integer& value);
  Term named(Kind kind, Sort sort, std::string_view name);
  Term find(std::string_view name) const;

  std::deque<Node> nodes;
  std::uint64_t next_fresh = 0;

 private:
  Term intern(Node candidate);

  std::pmr::monotonic_buffer_resource operands_;
  std::deque<std::string> names_;
  std::deque<Integer> integers_;
  // Hashes are stored beside the pointers, so that growing the table and most
  // failed comparisons do not touch the nodes.
  tsl::robin_set<const Node*, Hash, Equal, std::allocator<const Node*>, true>
      known_;
  tsl::robin_map<std::string_view, const Node*> by_name_;
};

}  // namespace agon::term
