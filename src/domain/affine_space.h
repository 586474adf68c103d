// SPDX-License-Identifier: Apache-2.0
/// Sets of vectors of machine integers that equations define: a point, and all
/// sums of multiples of some directions, modulo a power of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace agon::domain {

using Vector = std::vector<std::uint64_t>;

/// The sum of the factors times the coordinates, and a number.
struct AffineForm {
  Vector factors;
  std::uint64_t number = 0;
};

/// Not empty. Equal sets have equal words.
class AffineSpace {
 public:
  /// All vectors of so many numbers of so many bits, from 1 to 64.
  static AffineSpace all(std::size_t dimension, unsigned width);
  static AffineSpace unpack(std::span<const std::uint64_t> words,
                            std::size_t dimension, unsigned width);
  Vector pack() const;
  static std::size_t num_words(std::size_t dimension) {
    return dimension + dimension * dimension;
  }

  bool contains(const AffineSpace& other) const;
  /// The least set that holds both.
  void join(const AffineSpace& other);

  void assign(std::size_t coordinate, const AffineForm& form);
  void forget(std::size_t coordinate);
  /// Keeps where the form is 0. False, and unchanged, if this is nowhere.
  [[nodiscard]] bool restrict_to_zero(const AffineForm& form);

  /// The value of a form, if it is the same everywhere.
  std::optional<std::uint64_t> value_of(const AffineForm& form) const;

  /// A form of which the lowest bits are 0: all if there are `width`.
  struct Equation {
    std::size_t coordinate;  ///< Its factor is 1.
    AffineForm form;
    unsigned zeros;
  };
  /// What holds in the set, and nowhere else.
  std::vector<Equation> equations() const;

 private:
  AffineSpace(std::size_t dimension, unsigned width);
  std::uint64_t at(const AffineForm& form, const Vector& vector) const;
  void add_direction(Vector direction);
  void add_multiple(Vector& to, const Vector& vector,
                    std::uint64_t factor) const;
  bool is_direction(Vector vector) const;
  void reduce_from(std::size_t first, Vector& vector) const;
  void normalise();
  void set_directions(std::span<const Vector> directions);

  unsigned width_;
  std::uint64_t mask_;
  Vector point_;
  /// By the first coordinate that is not 0, which is a power of two; empty if
  /// there is none.
  std::vector<Vector> directions_;
};

}  // namespace agon::domain
