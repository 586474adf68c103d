// SPDX-License-Identifier: Apache-2.0
/// Spaces of small numbers, against the sets of all their vectors.
#include "domain/affine_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "helpers/random_lts.h"

namespace agon::domain {
namespace {

using test::below;
using test::Random;
using Vectors = std::set<Vector>;

/// How many coordinates there are, and what they can be.
struct Shape {
  std::size_t dimension;
  unsigned width;

  std::uint64_t mask() const { return (std::uint64_t{1} << width) - 1; }

  Vectors all() const {
    Vectors result{Vector()};
    for (std::size_t i = 0; i < dimension; ++i) {
      Vectors longer;
      for (const Vector& vector : result) {
        for (std::uint64_t x = 0; x <= mask(); ++x) {
          longer.insert(vector);
          Vector next = vector;
          next.push_back(x);
          longer.insert(next);
        }
      }
      result = std::move(longer);
      std::erase_if(result, [&](const Vector& v) { return v.size() != i + 1; });
    }
    return result;
  }

  AffineForm form(Random& random) const {
    AffineForm result{Vector(dimension), random() & mask()};
    for (std::uint64_t& factor : result.factors) {
      factor = below(random, 3) == 0 ? random() & mask() : 0;
    }
    return result;
  }

  std::uint64_t value(const AffineForm& form, const Vector& vector) const {
    std::uint64_t sum = form.number;
    for (std::size_t i = 0; i < dimension; ++i) {
      sum += form.factors[i] * vector[i];
    }
    return sum & mask();
  }
};

/// The vectors of which the equations hold.
Vectors vectors(const Shape& shape, const AffineSpace& space) {
  const auto equations = space.equations();
  Vectors result = shape.all();
  std::erase_if(result, [&](const Vector& vector) {
    return std::ranges::any_of(equations, [&](const auto& equation) {
      EXPECT_EQ(equation.form.factors[equation.coordinate], 1U);
      const std::uint64_t low = (std::uint64_t{1} << equation.zeros) - 1;
      return (shape.value(equation.form, vector) & low) != 0;
    });
  });
  return result;
}

/// Whether x + y - z is there for all x, y, z that are: then it is a space.
bool is_space(const Shape& shape, const Vectors& set) {
  const Vector& z = *set.begin();
  for (const Vector& x : set) {
    for (const Vector& y : set) {
      Vector sum = x;
      for (std::size_t i = 0; i < shape.dimension; ++i) {
        sum[i] = (sum[i] + y[i] - z[i]) & shape.mask();
      }
      if (!set.contains(sum)) return false;
    }
  }
  return true;
}

/// Adds sums until it is one.
Vectors hull(const Shape& shape, Vectors set) {
  while (!is_space(shape, set)) {
    const Vectors before = set;
    const Vector z = *before.begin();
    for (const Vector& x : before) {
      for (const Vector& y : before) {
        Vector sum = x;
        for (std::size_t i = 0; i < shape.dimension; ++i) {
          sum[i] = (sum[i] + y[i] - z[i]) & shape.mask();
        }
        set.insert(sum);
      }
    }
  }
  return set;
}

class Walk {
 public:
  Walk(Random& random, const Shape& shape) : random_(random), shape_(shape) {}

  /// One random operation, on the space and on the set.
  void step(AffineSpace& space, Vectors& set) {
    const std::size_t at = below(random_, shape_.dimension);
    const AffineForm form = shape_.form(random_);
    Vectors after;
    switch (below(random_, 5)) {
      case 0:
        for (Vector vector : set) {
          for (vector[at] = 0; vector[at] <= shape_.mask(); ++vector[at]) {
            after.insert(vector);
          }
        }
        space.forget(at);
        break;
      case 1:
      case 2:
        for (Vector vector : set) {
          vector[at] = shape_.value(form, vector);
          after.insert(vector);
        }
        space.assign(at, form);
        break;
      default:
        for (const Vector& vector : set) {
          if (shape_.value(form, vector) == 0) after.insert(vector);
        }
        EXPECT_EQ(space.restrict_to_zero(form), !after.empty());
        if (after.empty()) return;
    }
    set = std::move(after);
  }

 private:
  Random& random_;
  const Shape& shape_;
};

class AffineSpaces : public testing::TestWithParam<Shape> {};

TEST_P(AffineSpaces, AreTheSetsThatOperationsMake) {
  const Shape shape = GetParam();
  std::map<Vectors, Vector> words;
  for (std::size_t seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Walk walk(random, shape);
    AffineSpace space = AffineSpace::all(shape.dimension, shape.width);
    Vectors set = shape.all();
    AffineSpace other = space;
    Vectors others = set;
    for (int i = 0; i < 12; ++i) {
      walk.step(space, set);
      ASSERT_EQ(vectors(shape, space), set);
      EXPECT_EQ(words.try_emplace(set, space.pack()).first->second,
                space.pack())
          << "equal sets, but other words";
      EXPECT_EQ(other.contains(space), std::ranges::includes(others, set));
      if (below(random, 3) != 0) continue;
      std::swap(space, other);
      std::swap(set, others);
      space.join(other);
      set.insert(others.begin(), others.end());
      set = hull(shape, std::move(set));
      ASSERT_EQ(vectors(shape, space), set);
      space = AffineSpace::unpack(space.pack(), shape.dimension, shape.width);
    }
  }
}

TEST_P(AffineSpaces, KnowWhichFormsAreTheSameEverywhere) {
  const Shape shape = GetParam();
  for (std::size_t seed = 0; seed < test::scaled(20); ++seed) {
    Random random(seed);
    Walk walk(random, shape);
    AffineSpace space = AffineSpace::all(shape.dimension, shape.width);
    Vectors set = shape.all();
    for (int i = 0; i < 12; ++i) {
      walk.step(space, set);
      const AffineForm form = shape.form(random);
      std::set<std::uint64_t> values;
      for (const Vector& v : set) values.insert(shape.value(form, v));
      EXPECT_EQ(space.value_of(form), values.size() == 1
                                          ? std::optional(*values.begin())
                                          : std::nullopt);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AffineSpaces,
                         testing::Values(Shape{1, 4}, Shape{2, 1}, Shape{2, 3},
                                         Shape{3, 2}, Shape{4, 1}));

TEST(AffineSpace, HasNumbersOf64Bits) {
  AffineSpace space = AffineSpace::all(2, 64);
  const std::uint64_t high = std::uint64_t{1} << 63;
  ASSERT_TRUE(space.restrict_to_zero({{3, high}, 5}));
  space.assign(1, {{6, 1}, 0});
  EXPECT_EQ(space.value_of({{3, 0}, 0}), std::nullopt);
  EXPECT_EQ(space.value_of({{6, 0}, 0}), ~std::uint64_t{9});
  EXPECT_FALSE(space.restrict_to_zero({{6, 0}, 0}));
}

}  // namespace
}  // namespace agon::domain
