#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Repeats the experiments of the papers SIM and TWO on the handshakes of
examples/ and, with --benchmarks, on a copy of the tasks of sv-benchmarks
c/ssh-simplified. Writes experiments.md and charts into a folder, and keeps the
runs in runs.json there: called again, it makes only those that are missing.

usage: bench/experiments.py [--build DIR] [--output DIR] [--benchmarks DIR]
                            [--timeout SECONDS] [--questions N] [--only REGEX]
                            [--part REGEX] [--quick]

Each run is a process of its own. Seconds are those of the CPU, and so is the
limit. The exit code is 1 if a verdict is wrong.
"""

import argparse
import itertools
import pathlib
import re
import sys
import tempfile

import questions
from chart import chart
from lab import Lab, count, markdown, mean_ratio, predicates, ratios, seconds
from measure import geometric_mean

SETTINGS = {"default": (), "paper": ("--paper",)}
USUAL = {"default": "none", "paper": "optimal"}  # Ways to minimise.
# The paper's ssl-srvr-4, ssl-srvr-15 and ssl-clnt-1 are not ours to ask.
BOUNDED = ("server_peer.Policy", "server_session.Either",
           "client_session.Fresh")
# From the algorithm as published to the default, one after the other.
STEPS = (("`--paper`", ("--paper",)),
         ("answers without the solver", ("--layers", "on")),
         ("answers kept for later iterations", ("--reuse", "on")),
         ("models expanded on demand", ("--expansion", "lazy")),
         ("integers of the machine", ("--integers", "machine")),
         ("large blocks", ("--blocks", "large")),
         ("weakest preconditions", ("--predicates", "wp")),
         ("no minimisation", ("--minimize", "none")))


def minimising(setting, way):
    """The options of a setting with a way to minimise."""
    usual = USUAL[setting] == way
    return SETTINGS[setting] + (() if usual else ("--minimize", way))


def slug(text):
    return text.replace(" ", "_")


def simulation_or_traces(lab, asked, output, setting, options):
    """SIM Fig. 12."""
    asked = [q for q in asked if q.is_conformance]
    runs = [(lab.run(q, *options, "--conformance", "simulation"),
             lab.run(q, *options, "--conformance", "trace")) for q in asked]
    for field, title in (("cpu", "CPU seconds"), ("iterations", "iterations")):
        chart(output / f"simulation_{field}_{slug(setting)}.svg",
              f"Simulation and traces: {title} ({setting})",
              [q.name for q in asked],
              {"simulation": [count(s, field) for s, _ in runs],
               "traces": [count(t, field) for _, t in runs]}, log=True)
    rows = [(q.name, s.verdict, seconds(s), s.iterations, seconds(t),
             t.iterations) for q, (s, t) in zip(asked, runs)]
    turned = [(t, s) for s, t in runs]
    return markdown(("question", "simulation", "CPU s", "iterations",
                     "traces: CPU s", "iterations"), rows) + (
        f"\nTraces take {mean_ratio(turned, 'cpu')} times the CPU time of "
        f"simulation and {mean_ratio(turned, 'iterations')} times its "
        "iterations (geometric means).\n")


def strategies(lab, asked, output, counts):
    """SIM Fig. 13."""
    asked = [q for q in asked if q.is_conformance]
    rows = {n: [lab.run(q, "--conformance", "simulation",
                        "--counterexamples", str(n)) for q in asked]
            for n in counts}
    solved = [i for i in range(len(asked))
              if all(rows[n][i].solved for n in counts)]
    means = {n: [geometric_mean([max(getattr(rows[n][i], field), 0.01)
                                 for i in solved])
                 for field in ("cpu", "iterations", "memory")]
             for n in counts}
    if not solved:
        return "No question was solved with every number of strategies.\n"
    for i, title in enumerate(("CPU seconds", "iterations", "MB")):
        chart(output / f"strategies_{title.split()[-1].lower()}.svg",
              f"Strategies in each iteration: {title} (geometric mean)",
              counts, {title: [means[n][i] for n in counts]})
    return markdown(("strategies", "CPU s", "iterations", "MB"),
                    [(n, *(f"{mean:.2f}" for mean in means[n]))
                     for n in counts]) + (
        f"\nGeometric means over the {len(solved)} questions that were solved "
        "with every number.\n")


def minimisation(lab, asked, output, setting):
    """TWO Fig. 11 to 13."""
    ways = ("none", "greedy", "optimal")
    runs = {way: [lab.run(q, *minimising(setting, way)) for q in asked]
            for way in ways}
    for field, title in (("cpu", "CPU seconds"), ("iterations", "iterations"),
                         ("expressions", "predicates"), ("memory", "MB")):
        chart(output / f"minimize_{field}_{slug(setting)}.svg",
              f"Minimisation: {title} ({setting})", [q.name for q in asked],
              {way: [count(run, field) for run in runs[way]] for way in ways},
              log=True)
    rows = []
    for i, question in enumerate(asked):
        row = [question.name]
        for way in ways:
            run = runs[way][i]
            row += [seconds(run), run.iterations,
                    predicates(run), f"{run.memory:.0f}"]
        rows.append(row)
    text = markdown(("question", *(f"{way}: {column}" if column == "CPU s"
                                   else column for way in ways
                                   for column in ("CPU s", "iterations",
                                                  "predicates", "MB"))), rows)
    lines = []
    for way in ways[1:]:
        pairs = list(zip(runs[way], runs["none"]))
        lines.append((way, *(mean_ratio(pairs, field) for field in (
            "cpu", "iterations", "expressions", "predicates", "states",
            "memory")),
            sum(run.solved for run in runs[way])))
    return text + "\nAgainst none, which solves " + (
        f"{sum(run.solved for run in runs['none'])} of {len(asked)} (geometric "
        "means of the ratios):\n\n") + markdown(
        ("minimisation", "CPU time", "iterations", "expressions",
         "predicates", "states", "memory", "solved"), lines)


def bounds(lab, asked, output, eliminating, subsets):
    """TWO Fig. 14 and 15."""
    rows, cpu = [], {}
    for question in asked:
        if question.name not in BOUNDED:
            continue
        for kept, tried in [(n, 250) for n in eliminating] + [
                (n, n) for n in subsets]:
            run = lab.run(question, "--paper", "--max-eliminating", str(kept),
                          "--max-subsets", str(tried))
            rows.append((question.name, kept, tried, seconds(run),
                         run.iterations, predicates(run),
                         f"{run.memory:.0f}", run.sets, run.largest,
                         f"{run.minimising:.2f}"))
            if kept == tried:
                cpu.setdefault(question.name, []).append(run.cpu)
    if cpu:
        # A number may stand in both lists.
        length = len(subsets)
        chart(output / "bounds.svg", "CPU seconds by --max-subsets", subsets,
              {name: row[-length:] for name, row in cpu.items()}, log=True)
    return markdown(("question", "--max-eliminating", "--max-subsets", "CPU s",
                     "iterations", "predicates", "MB", "sets",
                     "largest", "minimising s"), rows)


def default_or_paper(lab, asked, output):
    pairs = [(lab.run(q, "--paper"), lab.run(q)) for q in asked]
    chart(output / "paper.svg", "The default and --paper: CPU seconds",
          [q.name for q in asked],
          {"default": [default.cpu for _, default in pairs],
           "--paper": [paper.cpu for paper, _ in pairs]}, log=True)
    rows = []
    for question, (paper, default) in zip(asked, pairs):
        ratio = next(ratios([(paper, default)], "cpu"), None)
        least = "" if paper.solved else "≥ "
        rows.append((question.name, default.verdict, seconds(default),
                     default.iterations,
                     predicates(default),
                     seconds(paper), paper.iterations,
                     predicates(paper),
                     "–" if ratio is None else f"{least}{ratio:.1f}"))
    both = [(p, d) for p, d in pairs if p.solved and d.solved]
    worst = min(ratios(pairs, "cpu"), default=0)
    return markdown(
        ("question", "verdict", "default: CPU s", "iterations", "predicates",
         "--paper: CPU s", "iterations", "predicates", "ratio"), rows) + (
        f"\nThe ratio of CPU times is {mean_ratio(pairs, 'cpu')} (geometric "
        f"mean), {mean_ratio(both, 'cpu')} where both are solved; the least is "
        f"{worst:.2f}. The default solves {sum(d.solved for _, d in pairs)} of "
        f"{len(pairs)}, --paper {sum(p.solved for p, _ in pairs)}. Of the "
        f"{len(both)} that both solve, the default ends with more expressions "
        f"on {sum(d.expressions > p.expressions for p, d in both)}, and with "
        "more predicates on "
        f"{sum(d.predicates > p.predicates for p, d in both)}.\n")


def ablation(lab, asked, output):
    """What each of our improvements brings, added to those before it."""
    options, runs = (), []
    for title, more in STEPS:
        options += more
        runs.append((title, [lab.run(q, *options) for q in asked]))
    runs.append(("falsification, invariants, unrolling: the default",
                 [lab.run(q) for q in asked]))
    means = [geometric_mean([max(run.cpu, 0.01) for run in now])
             for _, now in runs]
    chart(output / "ablation.svg",
          "From --paper to the default: CPU seconds (geometric mean)",
          [title.strip("`").split(":")[0] for title, _ in runs],
          {"CPU seconds": means}, log=True)
    rows, last = [], None
    for (title, now), mean in zip(runs, means):
        pairs = list(zip(runs[0][1], now))
        rows.append((
            title, sum(run.solved for run in now), f"{mean:.3f}",
            "–" if last is None else mean_ratio(list(zip(last, now)), "cpu"),
            mean_ratio(pairs, "cpu"), mean_ratio(pairs, "iterations"),
            mean_ratio(pairs, "expressions"), mean_ratio(pairs, "states")))
        last = now
    return markdown(("with", "solved", "CPU s", "times faster",
                     "than --paper", "fewer iterations", "fewer expressions",
                     "fewer states"), rows)


def settings_that_minimise():
    """What they are called, and their options: both ways in all settings, and
    the steps from --paper to the default, each with those before it."""
    for setting, way in itertools.product(SETTINGS, ("greedy", "optimal")):
        yield f"{setting}, {way}", minimising(setting, way)
    options = ()
    for title, more in STEPS[:-1]:
        options += more
        if options != SETTINGS["paper"]:
            yield f"+ {title}", options


def share(lab, asked):
    """How much of the time, and of the work, minimisation takes."""
    rows = []
    for title, options in settings_that_minimise():
        runs = [(lab.run(q, *options), q.name) for q in asked]
        runs = [(run, name) for run, name in runs if run.solved]
        if not runs:
            continue
        slowest, where = max(runs, key=lambda pair: pair[0].share_of_time)
        most = max(run.share_of_work for run, _ in runs)
        rows.append((title, len(runs),
                     f"{sum(run.minimising for run, _ in runs):.2f}",
                     f"{sum(run.cpu for run, _ in runs):.2f}",
                     f"{100 * slowest.share_of_time:.1f} %", where,
                     sum(run.share_of_time > 0.1 for run, _ in runs),
                     f"{100 * most:.1f} %"))
    return markdown(("setting", "solved", "minimising s", "of s",
                     "greatest share", "on", "over a tenth on",
                     "greatest share of the work"), rows)


def sections(lab, asked, output, quick):
    """Titles, and what makes the text below them."""
    yield "The default and the algorithm as published", lambda: (
        default_or_paper(lab, asked, output))
    yield "What each improvement brings", lambda: ablation(lab, asked, output)
    for setting in SETTINGS:
        yield f"Minimisation: {setting}", lambda setting=setting: (
            minimisation(lab, asked, output, setting))
    yield "The share of minimisation", lambda: share(lab, asked)
    yield "The bounds of minimisation", lambda: bounds(
        lab, asked, output, (50, 250) if quick else (1, 5, 50, 100, 250),
        (100, 400) if quick else (100, 200, 400, 800, 1600, 3200, 6400))
    yield "Several strategies in each iteration", lambda: strategies(
        lab, asked, output, (1, 2, 4) if quick else list(range(1, 16)))
    for setting in SETTINGS:
        yield f"Simulation and traces: {setting}", lambda setting=setting: (
            simulation_or_traces(lab, asked, output, setting,
                                 SETTINGS[setting]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--output", default="build/experiments")
    parser.add_argument("--benchmarks", metavar="DIR",
                        help="a copy of sv-benchmarks c/ssh-simplified")
    parser.add_argument("--timeout", type=int, default=10, metavar="SECONDS",
                        help="of CPU time for one run; 10 by default")
    parser.add_argument("--questions", type=int, default=0, metavar="N",
                        help="so many, chosen evenly")
    parser.add_argument("--only", default="", metavar="REGEX",
                        help="the questions with such names")
    parser.add_argument("--part", default="", metavar="REGEX",
                        help="the experiments with such titles")
    parser.add_argument("--quick", action="store_true",
                        help="few questions and few numbers")
    options = parser.parse_args()
    agon = pathlib.Path(options.build).resolve() / "bin/agon"
    if not agon.exists():
        parser.error(f"there is no {agon}")
    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        asked = list(questions.handshakes(folder))
        if options.benchmarks:
            asked += questions.ssh(options.benchmarks)
        asked = [q for q in asked if re.search(options.only, q.name)]
        if options.quick:
            asked = [q for i, q in enumerate(asked)
                     if i % 6 == 0 or q.name in BOUNDED]
        if 0 < options.questions < len(asked):
            asked = [asked[i * len(asked) // options.questions]
                     for i in range(options.questions)]
        if not asked:
            parser.error("no question has such a name")
        lab = Lab(agon, options.timeout, output / "runs.json", folder)
        text = (f"{len(asked)} questions, at most {options.timeout} s of CPU "
                "time each.\n")
        for title, write in sections(lab, asked, output, options.quick):
            if not re.search(options.part, title):
                continue
            text += f"\n### {title}\n{write()}"
            (output / "experiments.md").write_text(text)
    for name in lab.wrong:
        print(f"wrong verdict: {name}", file=sys.stderr)
    return 1 if lab.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
