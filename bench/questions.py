# SPDX-License-Identifier: Apache-2.0
"""The questions of experiments.py: the handshakes of examples/, one question for
each `verify`, and the tasks of sv-benchmarks/c/ssh-simplified."""

import dataclasses
import pathlib
import re

from conformance import tasks

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
VERIFY = re.compile(r"^verify\b[^;]*;", re.M)


@dataclasses.dataclass(frozen=True)
class Question:
    name: str
    arguments: tuple  # For agon.
    holds: bool       # The truth; of the traces, if it is about conformance.

    @property
    def is_conformance(self):
        return self.arguments[0] == "check"


def only(text, kept):
    """A specification without its other questions, for any folder."""
    text = VERIFY.sub(
        lambda found: found[0] if found.start() == kept.start() else "", text)
    return re.sub(r'^import "(.*)"', f'import "{EXAMPLES}/\\1"', text,
                  flags=re.M)


def handshakes(folder):
    """What examples/ asks about the server and the client. The specifications
    with one question each are written into a folder."""
    for path in sorted(EXAMPLES.glob("*.agon")):
        side = path.stem.split("_")[0]
        if side not in ("server", "client"):
            continue
        text = path.read_text()
        for verify in VERIFY.finditer(text):
            process = re.search(r":\s*(\w+)\s*;", verify[0])[1]
            name = f"{path.stem}.{process}"
            spec = pathlib.Path(folder, f"{name}.agon")
            spec.write_text(only(text, verify))
            yield Question(
                name, ("check", f"{EXAMPLES}/{side}.c", "--spec", str(spec)),
                holds=not path.stem.endswith("_wrong"))


def ssh(folder):
    """The tasks of a copy of ssh-simplified."""
    for path, holds, model in tasks(pathlib.Path(folder)):
        yield Question(path.name.removesuffix(".c").replace(".cil", ""),
                       ("reach", str(path), "--data-model", model), holds)
