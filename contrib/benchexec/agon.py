# SPDX-License-Identifier: Apache-2.0
"""How BenchExec runs Agon."""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """agon reach, on tasks of SV-COMP: unreach-call and no-overflow."""

    REQUIRED_PATHS = ["bin/agon", "share"]

    def name(self):
        return "Agon"

    def executable(self, tool_locator):
        return tool_locator.find_executable("agon", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="agon")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "reach", "--svcomp", *options]
        if task.property_file:
            words += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "--32", LP64: "--64"})
        if model and model not in options:
            words.append(model)
        if rlimits.cputime and "--timeout" not in options:
            # So that there is time to say what was learnt.
            words += ["--timeout", str(max(1, rlimits.cputime - 5))]
        return [*words, *task.input_files]

    def determine_result(self, run):
        verdict = None
        for line in run.output:
            match = re.match(r"VERDICT: (.*)$", line)
            if match:
                verdict = match[1].strip()
        if verdict == "true":
            return result.RESULT_TRUE_PROP
        if verdict == "false(unreach-call)":
            return result.RESULT_FALSE_REACH
        if verdict == "false(no-overflow)":
            return result.RESULT_FALSE_OVERFLOW
        if verdict == "unknown":
            return result.RESULT_UNKNOWN
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in reversed(list(output)):
            match = re.match(rf"{re.escape(identifier)}:?\s+(\S+)", line)
            if match:
                return match[1]
        return None
