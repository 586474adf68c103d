# SPDX-License-Identifier: Apache-2.0
"""What a command costs: CPU seconds of the process and its children, and peak
memory."""

import math
import os
import resource


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


def geometric_mean(values):
    """Of positive values; None of none at all."""
    logarithms = [math.log(value) for value in values]
    if not logarithms:
        return None
    return math.exp(sum(logarithms) / len(logarithms))
