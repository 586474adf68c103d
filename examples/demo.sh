#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows what agon does on a driver with a bug and on the driver without it.
set -euo pipefail
cd "$(dirname "$0")/.."

# run EXIT_CODE COMMAND...: shows and runs a command, and checks its answer.
run() {
  local expected=$1 code=0
  shift
  echo
  echo "\$ $*"
  "$@" || code=$?
  if [[ $code -ne $expected ]]; then
    echo "demo: exit code $code instead of $expected" >&2
    exit 4
  fi
}

echo "== A disk driver (examples/driver.lts) promises one answer to each"
echo "== request. Does the first version keep the promise? Its steps with the"
echo "== device are hidden; what the clients see has to be allowed by SPEC."
run 1 agon lts compare examples/driver.lts:BUGGY examples/driver.lts:SPEC \
  --relation weak-trace
echo
echo "== It does not (exit code 1). After a failure the device finishes late,"
echo "== and the client gets a second answer. A look inside also finds that the"
echo "== two can block each other:"
run 1 agon lts check examples/driver.lts --process BUGGY_INSIDE
echo
echo "== The second version resets the device, and does what SPEC says:"
run 0 agon lts compare examples/driver.lts:FIXED examples/driver.lts:SPEC \
  --relation weak-simulation
run 0 agon lts check examples/driver.lts --process FIXED_INSIDE
echo
echo "== Same traces, but not the same choices: a machine that decides by"
echo "== chance does not simulate one that lets you choose. A winning strategy"
echo "== of the implementation shows why:"
run 0 agon lts compare examples/choice.aut examples/chance.aut --relation trace
run 1 agon lts compare examples/choice.aut examples/chance.aut \
  --relation simulation
echo
echo "== C programs become automata too, with exactly defined statements. This"
echo "== is a function of examples/uart.c, line by line:"
run 0 agon model examples/uart.c --function uart_send
echo
echo "== On them the same games are played. A disk driver returns with its spin"
echo "== lock when the disk has been removed:"
run 1 agon check examples/disk_bug.c --spec examples/disk.agon
echo
echo "== The repaired one does not, whatever happens:"
run 0 agon check examples/disk.c --spec examples/disk.agon
echo
echo "== A stack whose clients are unknown, against all of them:"
run 1 agon open examples/stack.ia -D size=64 --never oflo
echo
echo "== Done. 'agon --help' lists the commands; docs/tutorial.md,"
echo "== docs/lts.md, docs/c.md and docs/open.md explain them."
