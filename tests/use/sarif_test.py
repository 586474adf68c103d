#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --sarif and --junit write, against the schema of SARIF and against the
JSON of the same run.

    sarif_test.py AGON
"""

import copy
import os
import pathlib
import shutil
import sys
import tempfile
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:  # A Python that Debian's packages are not for.
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])

from agon import EXAMPLES, ROOT, agon, expect, load, main

SCHEMA = load(ROOT / "tests/data/sarif/sarif-2.1.0.json")
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

HOSTILE = r"""
extern void reach_error(void);
extern int input(void);
int table[4];
int main(void) {
  const char *text = "</script>{0}[a](b) %s \xff\x01 \"quoted\" \\";
  int quote = input();
  if (quote == '"' && text[0] == '<' && table[0] == 0) reach_error();
  return 0;
}
"""


def run(binary, folder, *words):
    """The SARIF and the JSON of a run, and its exit code."""
    done = agon(binary, *words, "--sarif", folder / "out.sarif", "--junit",
                folder / "out.xml", "--json", folder / "out.json", cwd=folder)
    expect(done.code in (0, 1, 3), done)
    return load(folder / "out.sarif"), load(folder / "out.json"), done


def copy_examples(folder, *names):
    for name in names:
        shutil.copy(EXAMPLES / name, folder / name)


def valid(document):
    errors = sorted(VALIDATOR.iter_errors(document), key=str)
    expect(not errors, f"not SARIF: {errors[:1]}")


def check_uri(location, folder):
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    expect(not uri.startswith(("/", "file:")), f"absolute: {uri}")
    expect(physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%", uri)
    lines = (folder / uri).read_text(errors="replace").splitlines()
    line = physical["region"]["startLine"]
    expect(1 <= line <= len(lines), f"no line {line} in {uri}")
    return lines[line - 1]


def check_flows(found, result, folder):
    """The steps of the JSON are in the code flow, in their order."""
    threads = found["codeFlows"][0]["threadFlows"]
    components = {step.get("component", result["target"])
                  for step in result["counterexample"]["steps"]
                  if step["action"]}
    expect({t["id"] for t in threads} >= components, "a component is missing")
    for thread in threads:
        orders = [place["executionOrder"] for place in thread["locations"]]
        expect(orders == sorted(orders), f"not in order: {orders}")
        for place in thread["locations"]:
            if "physicalLocation" in place["location"]:
                check_uri(place["location"], folder)
    said = " ".join(place["location"]["message"]["text"]
                    for t in threads for place in t["locations"])
    for action in result["counterexample"]["actions"]:
        name = action.split(".")[-1].split("[")[0].split("{")[0]
        expect(name in said, f"{action} is not in the flow: {said}")


def check_case(binary, folder, names, words):
    copy_examples(folder, *names)
    sarif, report, done = run(binary, folder, *words)
    valid(sarif)
    results = sarif["runs"][0]["results"]
    wrong = [r for r in report["results"] if r["verdict"] == "violated"]
    unknown = [r for r in report["results"] if r["verdict"] == "unknown"]
    errors = [r for r in results if r["level"] == "error"]
    expect(len(errors) == len(wrong), "violations differ from the JSON")
    expect(sum(r["level"] == "note" for r in results) == len(unknown),
           "unknowns differ from the JSON")
    expect(sarif["runs"][0]["invocations"][0]["exitCode"] == done.code, "code")
    for found, result in zip(errors, wrong):
        check_uri(found["locations"][0], folder)
        check_flows(found, result, folder)
    notes = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    expect(len(notes) == len(report["assumptions"]), "assumptions")
    prints = [r["partialFingerprints"]["primaryLocationLineHash"]
              for r in results]
    expect(len(set(prints)) == len(prints), "fingerprints are not unique")
    check_junit(folder, report)
    return sarif, report


def check_junit(folder, report):
    root = xml.etree.ElementTree.parse(folder / "out.xml").getroot()
    cases = list(root.iter("testcase"))
    verdicts = [r["verdict"] for r in report["results"]]
    expect(len(cases) == len(verdicts), "test cases")
    for case, result in zip(cases, report["results"]):
        kinds = {"violated": "failure", "unknown": "error", "holds": None}
        wanted = kinds[result["verdict"]]
        expect([child.tag for child in case] == ([wanted] if wanted else []),
               f"{result['target']}: {[c.tag for c in case]}")
        expect(result["target"] in case.get("name"), case.get("name"))
    expect(int(root.get("failures")) == verdicts.count("violated"), "failures")
    expect(int(root.get("errors")) == verdicts.count("unknown"), "errors")


def in_folder(test):
    def wrapped(binary):
        with tempfile.TemporaryDirectory() as folder:
            test(binary, pathlib.Path(folder).resolve())
    wrapped.__name__ = test.__name__
    return wrapped


@in_folder
def procedures(binary, folder):
    sarif, _ = check_case(binary, folder, ["disk_bug.c", "disk.agon"],
                          ["check", "disk_bug.c", "--spec", "disk.agon"])
    # Where the specification is after each action: `lock` leads to Held, where
    # a return is not allowed.
    steps = (sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]
             ["locations"])
    followed = [(step["location"]["message"]["text"], step["state"]["spec"])
                for step in steps if step["importance"] == "essential"]
    expect([(text.split(":")[0], spec["text"]) for text, spec in followed] ==
           [("lock", "Held"), ("return{result <= 0}", "none")], followed)


@in_folder
def components(binary, folder):
    sarif, _ = check_case(
        binary, folder, ["ring.c", "ring.agon"],
        ["check", "ring.c", "--spec", "ring.agon"])
    flows = [r["codeFlows"][0]["threadFlows"]
             for r in sarif["runs"][0]["results"]]
    expect(all(len(threads) >= 2 for threads in flows), "threads")


@in_folder
def deadlocks(binary, folder):
    sarif, _ = check_case(
        binary, folder, ["philosophers.c", "philosophers.agon"],
        ["check", "philosophers.c", "--spec", "philosophers.agon"])
    rules = {r["ruleId"] for r in sarif["runs"][0]["results"]}
    expect("agon/deadlock" in rules, rules)
    # What components do together happens at one moment.
    threads = sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
    orders = [{place["executionOrder"] for place in thread["locations"]}
              for thread in threads]
    expect(any(a & b for i, a in enumerate(orders) for b in orders[i + 1:]),
           "no common events")


@in_folder
def modules(binary, folder):
    check_case(binary, folder, ["stack_bug.c"],
               ["module", "stack_bug.c", "--api", "push,pop", "--callbacks"])


@in_folder
def falsification(binary, folder):
    check_case(binary, folder, ["square_root.c"],
               ["falsify", "square_root.c"])


@in_folder
def undecided(binary, folder):
    check_case(binary, folder, ["disk.c", "disk.agon"],
               ["check", "disk.c", "--spec", "disk.agon",
                "--max-iterations", "1"])


@in_folder
def hostile_text(binary, folder):
    name = "a b%20'&<é>.c"
    (folder / name).write_text(HOSTILE)
    sarif, report, done = run(binary, folder, "reach", name)
    valid(sarif)
    check_junit(folder, report)
    expect(done.code == 1, done)
    uri = (sarif["runs"][0]["results"][0]["locations"][0]
           ["physicalLocation"]["artifactLocation"]["uri"])
    expect(uri == "a%20b%2520'&%3C%C3%A9%3E.c", uri)


@in_folder
def fingerprints_are_stable(binary, folder):
    def prints(where):
        sarif, _, _ = run(binary, where, "check", "disk_bug.c", "--spec",
                          "disk.agon")
        expect(str(where) not in str(sarif), "an absolute path")
        return [(r["partialFingerprints"]["primaryLocationLineHash"],
                 r["locations"][0]["physicalLocation"]["region"]["startLine"])
                for r in sarif["runs"][0]["results"]]
    first, second = folder / "one", folder / "two/deeper"
    for where in (first, second):
        where.mkdir(parents=True)
        copy_examples(where, "disk_bug.c", "disk.agon")
    source = second / "disk_bug.c"
    source.write_text("/* a\n   comment */\n\n" + source.read_text())
    before, after = prints(first), prints(second)
    expect(before and [p for p, _ in before] == [p for p, _ in after],
           f"{before} {after}")
    expect([line + 3 for _, line in before] == [line for _, line in after],
           f"{before} {after}")


@in_folder
def paths_start_at_the_repository(binary, folder):
    (folder / ".git").mkdir()
    below = folder / "src"
    below.mkdir()
    copy_examples(below, "disk_bug.c", "disk.agon")
    agon(binary, "check", "disk_bug.c", "--spec", "disk.agon", "--sarif",
         "out.sarif", cwd=below)
    found = load(below / "out.sarif")["runs"][0]["results"][0]
    uri = (found["locations"][0]["physicalLocation"]["artifactLocation"]
           ["uri"])
    expect(uri == "src/disk_bug.c", uri)


@in_folder
def the_schema_can_say_no(binary, folder):
    copy_examples(folder, "disk_bug.c", "disk.agon")
    sarif, _, _ = run(binary, folder, "check", "disk_bug.c", "--spec",
                      "disk.agon")
    valid(sarif)

    def broken(change):
        document = copy.deepcopy(sarif)
        change(document["runs"][0])
        return not VALIDATOR.is_valid(document)
    for change in (
            lambda run: run.pop("tool"),
            lambda run: run["results"][0].pop("message"),
            lambda run: run["results"][0].update(level="fatal"),
            lambda run: run["results"][0].update(unheard_of=1),
            lambda run: run["results"][0]["codeFlows"][0].pop("threadFlows"),
            lambda run: run["results"][0]["locations"][0]["physicalLocation"]
            ["region"].update(startLine=0)):
        expect(broken(change), "the schema accepts broken output")


if __name__ == "__main__":
    sys.exit(main([procedures, components, deadlocks, modules, falsification,
                   undecided, hostile_text, fingerprints_are_stable,
                   paths_start_at_the_repository, the_schema_can_say_no]))
