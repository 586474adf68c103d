# SPDX-License-Identifier: Apache-2.0
"""What a command costs: CPU seconds of the process and its children, and peak
memory."""

import math
import os
import re
import resource
import shutil
import tempfile


def run(command, cpu_limit=None):
    """CPU seconds, peak megabytes and exit code of a command, whose output is
    thrown away. It is killed when it has used `cpu_limit` seconds; the exit
    code is negative then."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu_limit:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit))
        try:
            os.execv(command[0], command)
        finally:
            os._exit(127)  # No such program; never run on as a second script.
    _, status, usage = os.wait4(pid, 0)
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
            os.waitstatus_to_exitcode(status))


def instructions(command):
    """How many instructions a command executes, children left out. Unlike a
    time, this is nearly the same in each run; but it takes a hundred times as
    long to find out. None if there is no valgrind, or if it does not end well."""
    valgrind = shutil.which("valgrind")
    if not valgrind:
        return None
    with tempfile.NamedTemporaryFile("r") as log:
        run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null",
             f"--log-file={log.name}", *command])
        found = re.search(r"Collected : (\d+)", log.read())
    return int(found[1]) if found else None


def geometric_mean(values):
    """Of positive values; None of none at all."""
    logarithms = [math.log(value) for value in values]
    if not logarithms:
        return None
    return math.exp(sum(logarithms) / len(logarithms))
