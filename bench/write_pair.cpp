// SPDX-License-Identifier: Apache-2.0
// Writes a random pair of systems, in which the specification includes the
// implementation, as two .aut files.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/families.h"
#include "lts/aut.h"

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fputs(
        "usage: agon_write_pair STATES DENSITY LABELS SILENT DETERMINISTIC "
        "IMPL.aut SPEC.aut\n",
        stderr);
    return 2;
  }
  const agon::bench::Shape shape{
      .states = std::strtoull(argv[1], nullptr, 10),
      .density = std::strtod(argv[2], nullptr),
      .labels = std::strtoull(argv[3], nullptr, 10),
      .silent = std::strtod(argv[4], nullptr),
      .deterministic = std::string(argv[5]) == "1",
  };
  const agon::bench::Pair pair = agon::bench::included_pair(shape, 1);
  std::ofstream(argv[6]) << write_aut(pair.impl);
  std::ofstream(argv[7]) << write_aut(pair.spec);
}
