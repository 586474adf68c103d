// SPDX-License-Identifier: Apache-2.0
/// Prints what a certificate is about, for a checker of the tests' own:
/// `flat_c CERTIFICATE [--spec S] [--api F,G] [--callbacks] FILE…` gives a JSON
/// list with the flat program and the specification of each proof.
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "certify/claim.h"
#include "certify/rejected.h"
#include "ir/text.h"
#include "lts/aut.h"
#include "support/error.h"

int main(int argc, char** argv) try {
  using namespace agon;
  certify::Input input;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--spec") {
      input.spec = argv[++i];
    } else if (word == "--api") {
      std::istringstream names(argv[++i]);
      for (std::string name; std::getline(names, name, ',');) {
        input.api.push_back(name);
      }
    } else if (word == "--callbacks") {
      input.callbacks = true;
    } else if (input.certificate.empty()) {
      input.certificate = word;
    } else {
      input.files.push_back(word);
    }
  }
  support::Context context;
  const evidence::Certificate certificate =
      evidence::read_certificate(support::Source::open(input.certificate));
  const certify::Claims claims(input, certificate, context);
  nlohmann::json result = nlohmann::json::array();
  for (const evidence::Proof& proof : certificate.proofs) {
    const certify::Claim claim = claims.of(proof);
    result.push_back(
        {{"program", ir::to_text(*claim.components.front().program)},
         {"spec", lts::write_aut(*claim.composition.spec)}});
  }
  std::cout << result.dump() << '\n';
  return 0;
} catch (const agon::support::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
} catch (const agon::certify::Rejected& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
