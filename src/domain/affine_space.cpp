// SPDX-License-Identifier: Apache-2.0
#include "domain/affine_space.h"

#include <algorithm>
#include <bit>

// After M. Karr, Affine Relationships Among Variables of a Program, and
// M. Müller-Olm, H. Seidl, Analysis of Modular Arithmetic. Modulo 2^w a number
// that is not 0 is an odd one, which has an inverse, times a power of two; so
// one with fewer zeros at its end divides one with more.
//
// Directions are kept in Howell's normal form: steps whose first number is a
// power of two, with what comes of a step when a multiple makes this 0 among
// the later ones. What begins at a coordinate is then a multiple of the step
// there plus later ones, and numbers above a step are less than it. So the form
// is unique.

namespace agon::domain {
namespace {

unsigned zeros(std::uint64_t number) {
  return static_cast<unsigned>(std::countr_zero(number));
}

/// Of an odd number, modulo 2^64; each round doubles the bits that are right.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t result = odd;
  for (int i = 0; i < 5; ++i) result *= 2 - odd * result;
  return result;
}

/// Multiplied by it, the number becomes a power of two.
std::uint64_t normaliser(std::uint64_t number) {
  return inverse(number >> zeros(number));
}

}  // namespace

AffineSpace::AffineSpace(std::size_t dimension, unsigned width)
    : width_(width),
      mask_(~std::uint64_t{0} >> (64 - width)),
      point_(dimension, 0),
      directions_(dimension) {}

AffineSpace AffineSpace::all(std::size_t dimension, unsigned width) {
  AffineSpace result(dimension, width);
  for (std::size_t i = 0; i < dimension; ++i) {
    result.directions_[i].assign(dimension, 0);
    result.directions_[i][i] = 1;
  }
  return result;
}

AffineSpace AffineSpace::unpack(std::span<const std::uint64_t> words,
                                std::size_t dimension, unsigned width) {
  AffineSpace result(dimension, width);
  std::ranges::copy(words.first(dimension), result.point_.begin());
  for (std::size_t i = 0; i < dimension; ++i) {
    const auto row = words.subspan((i + 1) * dimension, dimension);
    if (row[i] != 0) result.directions_[i].assign(row.begin(), row.end());
  }
  return result;
}

Vector AffineSpace::pack() const {
  Vector words = point_;
  for (const Vector& direction : directions_) {
    words.insert(words.end(), direction.begin(), direction.end());
    if (direction.empty()) words.insert(words.end(), point_.size(), 0);
  }
  return words;
}

void AffineSpace::add_multiple(Vector& to, const Vector& vector,
                               std::uint64_t factor) const {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = (to[i] + factor * vector[i]) & mask_;
  }
}

std::uint64_t AffineSpace::at(const AffineForm& form,
                              const Vector& vector) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    sum += form.factors[i] * vector[i];
  }
  return sum & mask_;
}

void AffineSpace::reduce_from(std::size_t first, Vector& vector) const {
  for (std::size_t i = first; i < vector.size(); ++i) {
    const Vector& step = directions_[i];
    if (step.empty()) continue;
    const std::uint64_t times = vector[i] >> zeros(step[i]);
    if (times != 0) add_multiple(vector, step, -times);
  }
}

bool AffineSpace::is_direction(Vector vector) const {
  reduce_from(0, vector);
  return std::ranges::all_of(vector, [](std::uint64_t x) { return x == 0; });
}

void AffineSpace::add_direction(Vector direction) {
  std::vector<Vector> open{std::move(direction)};
  while (!open.empty()) {
    Vector next = std::move(open.back());
    open.pop_back();
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (next[i] == 0) continue;
      Vector& step = directions_[i];
      if (step.empty() || zeros(next[i]) < zeros(step[i])) {
        add_multiple(next, next, normaliser(next[i]) - 1);
        std::swap(next, step);
        if (const unsigned count = zeros(step[i]); count > 0) {
          open.emplace_back(step.size(), 0);
          add_multiple(open.back(), step, std::uint64_t{1} << (width_ - count));
        }
        if (next.empty()) break;
      }
      add_multiple(next, step, -(next[i] >> zeros(step[i])));
    }
  }
}

void AffineSpace::normalise() {
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    if (!directions_[i].empty()) reduce_from(i + 1, directions_[i]);
  }
  reduce_from(0, point_);
}

void AffineSpace::set_directions(std::span<const Vector> directions) {
  for (Vector& step : directions_) step.clear();
  for (const Vector& direction : directions) {
    if (!direction.empty()) add_direction(direction);
  }
  normalise();
}

bool AffineSpace::contains(const AffineSpace& other) const {
  Vector between = other.point_;
  add_multiple(between, point_, ~std::uint64_t{0});
  return is_direction(std::move(between)) &&
         std::ranges::all_of(other.directions_, [&](const Vector& direction) {
           return direction.empty() || is_direction(direction);
         });
}

void AffineSpace::join(const AffineSpace& other) {
  Vector between = other.point_;
  add_multiple(between, point_, ~std::uint64_t{0});
  add_direction(std::move(between));
  for (const Vector& direction : other.directions_) {
    if (!direction.empty()) add_direction(direction);
  }
  normalise();
}

void AffineSpace::assign(std::size_t coordinate, const AffineForm& form) {
  std::vector<Vector> after = directions_;
  for (Vector& direction : after) {
    if (!direction.empty()) direction[coordinate] = at(form, direction);
  }
  point_[coordinate] = (at(form, point_) + form.number) & mask_;
  set_directions(after);
}

void AffineSpace::forget(std::size_t coordinate) {
  Vector direction(point_.size(), 0);
  direction[coordinate] = 1;
  if (directions_[coordinate] == direction) return;
  add_direction(std::move(direction));
  normalise();
}

// The form is c at the point, and grows by c_i along the direction i. With the
// one of the c_i that has the fewest zeros, call it c_k, all others and c can
// be made 0, or c cannot at all.
bool AffineSpace::restrict_to_zero(const AffineForm& form) {
  const std::uint64_t here = (at(form, point_) + form.number) & mask_;
  std::vector<Vector> after;
  for (const Vector& direction : directions_) {
    if (!direction.empty()) after.push_back(direction);
  }
  std::size_t best = after.size();
  std::vector<std::uint64_t> growth;
  for (std::size_t i = 0; i < after.size(); ++i) {
    growth.push_back(at(form, after[i]));
    if (growth[i] == 0) continue;
    if (best == after.size() || zeros(growth[i]) < zeros(growth[best])) {
      best = i;
    }
  }
  if (best == after.size()) return here == 0;
  const unsigned count = zeros(growth[best]);
  if (here != 0 && zeros(here) < count) return false;
  const std::uint64_t factor = normaliser(growth[best]);
  const Vector step = after[best];
  add_multiple(point_, step, -(here >> count) * factor);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i != best) {
      add_multiple(after[i], step, -(growth[i] >> count) * factor);
    }
  }
  after[best].assign(step.size(), 0);
  if (count > 0) {
    add_multiple(after[best], step, std::uint64_t{1} << (width_ - count));
  }
  set_directions(after);
  return true;
}

std::optional<std::uint64_t> AffineSpace::value_of(
    const AffineForm& form) const {
  for (const Vector& direction : directions_) {
    if (!direction.empty() && at(form, direction) != 0) return std::nullopt;
  }
  return (at(form, point_) + form.number) & mask_;
}

// Coordinates are changed until each direction is along one of them. The number
// with the fewest zeros divides all others. Let it be that of direction r at c:
// with y_d - r_d / r_c * y_c in place of y_d, r has nothing but r_c, and then
// it can be taken from the other directions.
std::vector<AffineSpace::Equation> AffineSpace::equations() const {
  const std::size_t size = point_.size();
  std::vector<Equation> result;
  for (std::size_t i = 0; i < size; ++i) {
    result.push_back({i, {Vector(size, 0), (0 - point_[i]) & mask_}, width_});
    result[i].form.factors[i] = 1;
  }
  std::vector<Vector> left;
  for (const Vector& direction : directions_) {
    if (!direction.empty()) left.push_back(direction);
  }
  while (!left.empty()) {
    std::size_t row = 0;
    std::size_t best = size;
    for (std::size_t i = 0; i < left.size() * size; ++i) {
      const std::uint64_t number = left[i / size][i % size];
      if (number == 0) continue;
      if (best == size || zeros(number) < zeros(left[row][best])) {
        row = i / size;
        best = i % size;
      }
    }
    if (best == size) break;
    Vector taken = std::move(left[row]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(row));
    const unsigned count = zeros(taken[best]);
    const std::uint64_t factor = normaliser(taken[best]);
    result[best].zeros = count;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t times = (taken[i] >> count) * factor;
      if (i == best || times == 0) continue;
      add_multiple(result[i].form.factors, result[best].form.factors, -times);
      result[i].form.number =
          (result[i].form.number - times * result[best].form.number) & mask_;
      for (Vector& other : left) {
        other[i] = (other[i] - times * other[best]) & mask_;
      }
    }
    for (Vector& other : left) other[best] = 0;
  }
  std::erase_if(result, [](const Equation& e) { return e.zeros == 0; });
  return result;
}

}  // namespace agon::domain
