// SPDX-License-Identifier: Apache-2.0
/// A proof that can be checked without believing who made it; see
/// docs/formats/certificate.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/source.h"

namespace agon::evidence {

struct CertifiedPredicate {
  std::string exact;     ///< The text form of the term (term/smtlib.h).
  std::string text;      ///< In C,
  std::string negation;  ///< and its negation.

  friend bool operator==(const CertifiedPredicate&,
                         const CertifiedPredicate&) = default;
};

/// All concrete states at a location in which some literals hold.
struct CertifiedState {
  std::uint32_t location = 0;  ///< Of the flat program (ir/flatten.h).
  std::string place;           ///< In the source.
  /// Predicates by number, from 1 on; negative: the negation.
  std::vector<std::int64_t> literals;
  std::vector<std::string> holds;  ///< The same in C.

  friend bool operator==(const CertifiedState&,
                         const CertifiedState&) = default;
};

struct CertifiedStep {
  std::uint32_t from = 0;
  std::string label;  ///< `tau`: silent.
  std::uint32_t to = 0;

  friend bool operator==(const CertifiedStep&, const CertifiedStep&) = default;
};

/// An abstraction of a sequential program. State 0 stands for the start: it has
/// no literals, and the initial values hold.
struct CertifiedComponent {
  std::string name;
  std::string program;  ///< SHA-256 of the flat program's text.
  /// How often a location that no state is at is passed on the way from one
  /// state to the next, at most.
  std::uint32_t rounds = 1;
  std::vector<CertifiedPredicate> predicates;
  std::vector<CertifiedState> states;
  std::vector<CertifiedStep> steps;

  friend bool operator==(const CertifiedComponent&,
                         const CertifiedComponent&) = default;
};

/// A state of each component, and states of the specification, of which it can
/// be in any when the components have got there.
struct CertifiedPair {
  std::vector<std::uint32_t> states;
  std::vector<std::uint32_t> spec;

  friend bool operator==(const CertifiedPair&, const CertifiedPair&) = default;
};

/// Why one question has the answer yes.
struct Proof {
  std::string target;
  std::uint32_t arm = 0;            ///< Of the `verify`.
  std::string spec;                 ///< For people.
  std::string guard;                ///< For people.
  std::vector<std::string> errors;  ///< Of `reach`: what is not called.
  /// Whether routines of the C library have bodies (ir/library.h).
  bool has_library = false;
  std::uint32_t spec_states = 0;
  std::vector<std::pair<std::string, std::string>> assumptions;
  std::vector<CertifiedComponent> components;
  std::vector<CertifiedPair> pairs;

  friend bool operator==(const Proof&, const Proof&) = default;
};

struct CertifiedFile {
  std::string name;
  std::string sha256;

  friend bool operator==(const CertifiedFile&, const CertifiedFile&) = default;
};

struct Certificate {
  static constexpr unsigned kVersion = 1;

  std::string agon;        ///< The version of Agon that made it.
  std::string command;     ///< `check` or `reach`.
  std::string data_model;  ///< `LP64` or `ILP32`.
  bool overflow_is_error = false;
  bool volatile_is_input = false;
  bool malloc_may_fail = false;
  std::vector<CertifiedFile> sources;
  std::vector<CertifiedFile> spec;  ///< At most one.
  std::vector<Proof> proofs;

  friend bool operator==(const Certificate&, const Certificate&) = default;
};

/// Why files are not those that a certificate is about; nothing if they are.
std::optional<std::string> difference(
    const std::vector<std::string>& paths,
    const std::vector<CertifiedFile>& certified);

/// As JSON; compressed by gzip if it is larger than a megabyte.
std::string write(const Certificate& certificate);

/// Reads what `write` made. Throws InputError for anything else, and for what
/// refers to something that is not there.
Certificate read_certificate(const support::Source& source);

/// In hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace agon::evidence
