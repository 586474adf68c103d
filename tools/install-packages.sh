#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing from packages.txt. Asks nothing, and needs neither
# network nor rights if nothing is missing.
set -euo pipefail

list=$(dirname "$0")/packages.txt
mapfile -t wanted < <(grep -vE '^[[:space:]]*(#|$)' "$list")

if ! command -v dpkg-query >/dev/null; then
  echo "packages: this is not a Debian system; these have to be present:"
  echo "  ${wanted[*]}"
  exit 0
fi

# Whether something that is installed takes the place of a package. No pipe: it
# would fail if its reader stopped early.
installed=$(dpkg-query -W -f '${db:Status-Status}, ${Provides}\n')
provided() {
  grep -Eq "^installed.*, $1( \(|,|\$)" <<<"$installed"
}

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  # An answer for several architectures is a concatenation.
  [[ $status == *installed* && $status != *not-installed* ]] ||
    provided "$package" || missing+=("$package")
done

if [[ ${#missing[@]} -eq 0 ]]; then
  echo "packages: all ${#wanted[@]} are installed"
  exit 0
fi

echo "packages: installing ${missing[*]}"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    echo "packages: cannot install without root; as root, please run" >&2
    echo "  apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo -n)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null
}
# The lists may be good enough even if they cannot be refreshed.
apt update || echo "packages: could not refresh the package lists" >&2
if ! apt install -y --no-install-recommends "${missing[@]}"; then
  echo "packages: could not install: ${missing[*]}" >&2
  exit 1
fi
