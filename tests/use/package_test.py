#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make package` makes runs where nothing else is: it needs the libraries
that it says it needs, and no compiler.

    package_test.py BUILD_DIRECTORY
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <limits.h>
extern void reach_error(void);
int main(void) {
  uint8_t n = UINT8_MAX;
  bool is_small = sizeof(size_t) < 4;
  if (is_small || ++n != 0 || INT_MAX != 2147483647) reach_error();
  return 0;
}
"""


def output(*command, **settings):
    return subprocess.run([str(word) for word in command], check=True,
                          stdout=subprocess.PIPE, text=True,
                          **settings).stdout


def libraries(binary):
    return [pathlib.Path(found) for found in
            re.findall(r"(/\S+\.so\S*)", output("ldd", binary))]


def owner(path):
    """The package that a file belongs to, under either of its names."""
    for name in (str(path), str(path.resolve()),
                 str(path).removeprefix("/usr"), "/usr" + str(path)):
        found = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"no package has {path}")


def closure(packages):
    """Packages, and what they depend on."""
    todo, seen = list(packages), set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        found = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Depends}", name],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        todo += re.findall(r"([a-z0-9][a-z0-9.+-]+)(?: \([^)]*\))?",
                           found.stdout)
    return seen


def make_root(root, needed):
    """A system with these libraries and nothing else."""
    for library in needed:
        target = root / str(library).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, target)
    (root / "tmp").mkdir()
    (root / "proc").mkdir()
    (root / "tmp/program.c").write_text(PROGRAM)


def run_inside(root):
    # With /proc, since the program asks it where it is.
    inside = f"env -i $(command -v chroot) {root}"
    script = (f"PATH=$PATH:/usr/sbin:/sbin; mount -t proc proc {root}/proc && "
              f"{inside} /usr/bin/agon reach /tmp/program.c --timeout 60 "
              "--certificate /tmp/proof && "
              f"{inside} /usr/bin/agon-certify /tmp/proof /tmp/program.c "
              "--solver z3")
    return subprocess.run(
        ["unshare", "--map-root-user", "--mount", "--pid", "--fork", "sh",
         "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(
            ["cpack", "--config", build / "CPackConfig.cmake", "-B", folder,
             "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none"], check=True,
            stdout=subprocess.DEVNULL)
        package, = folder.glob("*.deb")
        root = folder / "root"
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
        fields = output("dpkg-deb", "-f", package, "Depends")
        depends = set(re.findall(r"([a-z0-9][a-z0-9.+-]+)(?: \([^)]*\))?",
                                 fields))
        print(f"{package.name} depends on {', '.join(sorted(depends))}")
        binary = root / "usr/bin/agon"
        for name in ("usr/bin/agon-certify", "usr/share/man/man1/agon.1",
                     "usr/share/man/man1/agon-certify.1",
                     "usr/share/bash-completion/completions/agon",
                     "usr/share/zsh/vendor-completions/_agon",
                     "usr/lib/agon/clang/include/stddef.h",
                     "usr/share/doc/agon/copyright"):
            if not (root / name).exists():
                raise SystemExit(f"/{name} is missing")
        known = closure(depends)
        needed = set(libraries(binary))
        needed.update(libraries(root / "usr/bin/agon-certify"))
        for library in needed:
            if owner(library) not in known:
                raise SystemExit(f"{library} is in {owner(library)}, which is "
                                 "not a dependency")
        if any("dev" in name.split("-") for name in depends):
            raise SystemExit("it depends on what only builders need")
        make_root(root, needed)
        done = run_inside(root)
        if "unshare" in done.stdout and "not permitted" in done.stdout:
            print("cannot look at it from inside: no right to")
            return 0
        if (done.returncode != 0 or "main: no error: holds" not in done.stdout
                or "accepted: " not in done.stdout):
            raise SystemExit(f"exit code {done.returncode}: {done.stdout}")
    print("it runs without a compiler and its headers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
