// SPDX-License-Identifier: Apache-2.0
#include "evidence/certificate.h"

#include <gtest/gtest.h>

#include "support/error.h"

namespace agon::evidence {
namespace {

Certificate example() {
  Certificate result;
  result.agon = "0.1.0";
  result.command = "check";
  result.data_model = "LP64";
  result.sources = {{"a.c", sha256("int x;")}};
  result.spec = {{"a.agon", sha256("")}};
  Proof proof;
  proof.target = "f";
  proof.arm = 2;
  proof.spec = "Spec";
  proof.guard = "x > 0";
  proof.errors = {"reach_error"};
  proof.has_library = true;
  proof.spec_states = 3;
  proof.assumptions = {{"g", "has no body"}};
  CertifiedComponent component;
  component.name = "f";
  component.program = sha256("program");
  component.predicates = {{"(= x (_ bv1 32))", "x == 1", "x != 1"}};
  component.states = {{0, "a.c:1", {}, {}}, {4, "a.c:2", {-1}, {"x != 1"}}};
  component.steps = {{0, "tau", 1}, {1, "a", 1}};
  proof.components = {component};
  proof.pairs = {{{0}, {0}}, {{1}, {1, 2}}};
  result.proofs = {proof};
  return result;
}

Certificate read(std::string text) {
  return read_certificate(
      support::Source::from_string("c.json", std::move(text)));
}

/// The example with a part of its text replaced.
std::string damaged(const std::string& from, const std::string& to) {
  std::string text = write(example());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Certificate, ReadsWhatItWrites) {
  EXPECT_EQ(read(write(example())), example());
}

TEST(Certificate, IsCompressedIfItIsLarge) {
  Certificate large = example();
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    large.proofs[0].components[0].steps.push_back({i % 2, "tau", 1});
  }
  const std::string text = write(large);
  EXPECT_TRUE(text.starts_with("\x1f\x8b"));
  EXPECT_LT(text.size(), 100'000U);
  EXPECT_EQ(read(text), large);
  EXPECT_THROW(read(text.substr(0, text.size() / 2)), support::InputError);
  EXPECT_THROW(read(text + "x"), support::InputError);
}

TEST(Certificate, RefusesWhatRefersToNothing) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{
           {"\"agon_certificate\": 1", "\"agon_certificate\": 2"},
           {"\"overflow\": \"wrap\"", "\"overflow\": \"stop\""},
           {"\"volatile\": \"memory\"", "\"volatile\": \"never\""},
           {"\"integers\": \"machine\"", "\"integers\": \"math\""},
           {"\"arm\": 2", "\"arm\": -2"},
           {"\"arm\": 2", "\"arm\": 99999999999999999999"},
           {"\"arm\": 2", "\"arm\": \"2\""},
           {"\"arm\"", "\"leg\""},
           {"-1\n", "-2\n"},
           {"-1\n", "0\n"},
           {"-1\n", "18446744073709551615\n"},
           {"\"tau\",\n       1", "\"tau\",\n       2"},
           {"\"specification_states\": 3", "\"specification_states\": 2"},
       }) {
    EXPECT_THROW(read(damaged(from, to)), support::InputError)
        << from << " -> " << to;
  }
}

TEST(Certificate, WithstandsHostileText) {
  EXPECT_THROW(read(std::string(1'000'000, '[')), support::InputError);
  EXPECT_THROW(read(""), support::InputError);
  EXPECT_THROW(read("{}"), support::InputError);
  EXPECT_THROW(read("\x1f\x8b"), support::InputError);
  EXPECT_THROW(read(R"({"agon_certificate": 1e400})"), support::InputError);
}

TEST(Sha256, HasTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace agon::evidence
