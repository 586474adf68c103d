#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Repeats the experiments of the papers SIM and TWO on the handshakes of
examples/ and, with --benchmarks, on a copy of the tasks of sv-benchmarks
c/ssh-simplified. Writes experiments.md and charts into a folder, and keeps the
runs in runs.json there: called again, it makes only those that are missing.
With --docs, the tables of a page are written again, each between two comments:
`<!-- experiment: TITLE -->` and `<!-- end -->`.

usage: bench/experiments.py [--build DIR] [--output DIR] [--benchmarks DIR]
                            [--tasks N] [--timeout SECONDS] [--questions N]
                            [--only REGEX] [--part REGEX] [--quick]
                            [--docs FILE]

Each run is a process of its own. Seconds are those of the CPU, and so is the
limit. The exit code is 1 if a verdict is wrong.
"""

import argparse
import dataclasses
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
LETTER = ("--paper", "--candidates", "play", "--minimize-share", "100")
# The paper's ssl-srvr-4, ssl-srvr-15 and ssl-clnt-1 are not ours to ask.
BOUNDED = ("client_session.Rest", "server.ClientFirst",
           "server_session.Either")
# From the algorithm as published to the default, one after the other.
STEPS = (("`--paper`", ("--paper",)),
         ("answers without the solver", ("--layers", "on")),
         ("answers kept for later iterations", ("--reuse", "on")),
         ("models expanded on demand", ("--expansion", "lazy")),
         ("integers of the machine", ("--integers", "machine")),
         ("large blocks", ("--blocks", "large")),
         ("weakest preconditions", ("--predicates", "wp")),
         ("no minimisation", ("--minimize", "none")))
TASKS = "ssh-simplified"
MUCH = 0.1  # Of the time, for minimisation.
# Of a table in a page.
PLACE = re.compile(r"(<!-- experiment: (.*?) -->\n).*?(<!-- end -->)", re.S)


def minimising(setting, way):
    """The options of a setting with a way to minimise."""
    usual = USUAL[setting] == way
    return SETTINGS[setting] + (() if usual else ("--minimize", way))


@dataclasses.dataclass(frozen=True)
class Report:
    table: str
    summary: str = ""
    details: str = ""  # Too long for a page of the documentation.

    @property
    def short(self):
        return "\n".join(filter(None, (self.table, self.summary)))

    @property
    def full(self):
        return "\n".join(filter(None, (self.details, self.short)))


def slug(text):
    return re.sub(r"\W+", "_", text)


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
    same = sum(s.iterations == t.iterations for s, t in runs)
    return Report(
        "", f"Traces take {mean_ratio(turned, 'cpu')} times the CPU time of "
        f"simulation and {mean_ratio(turned, 'iterations')} times its "
        f"iterations (geometric means); {same} of {len(runs)} questions take "
        "as many iterations with both.\n",
        markdown(("question", "simulation", "CPU s", "iterations",
                  "traces: CPU s", "iterations"), rows))


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
        return Report(
            "", "No question was solved with every number of strategies.\n")
    for i, title in enumerate(("CPU seconds", "iterations", "MB")):
        chart(output / f"strategies_{title.split()[-1].lower()}.svg",
              f"Strategies in each iteration: {title} (geometric mean)",
              counts, {title: [means[n][i] for n in counts]})
    return Report(
        markdown(("strategies", "CPU s", "iterations", "MB"),
                 [(n, *(f"{mean:.2f}" for mean in means[n]))
                  for n in counts]),
        f"Geometric means over the {len(solved)} questions that were solved "
        "with every number.\n")


def minimisation(lab, asked, output, setting, group=""):
    """TWO Fig. 11 to 13."""
    ways = ("none", "greedy", "optimal")
    runs = {way: [lab.run(q, *minimising(setting, way)) for q in asked]
            for way in ways}
    for field, title in (("cpu", "CPU seconds"), ("iterations", "iterations"),
                         ("expressions", "predicates"), ("memory", "MB")):
        chart(output / f"minimize_{field}_{slug(setting + group)}.svg",
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
    details = markdown(
        ("question", *(f"{way}: {column}" if column == "CPU s" else column
                       for way in ways for column in (
                           "CPU s", "iterations", "predicates", "MB"))), rows)
    fields = {"CPU time": "cpu", "iterations": "iterations",
              "expressions": "expressions", "predicates": "predicates",
              "branches": "branches", "states": "states", "memory": "memory"}
    if setting == "default":
        del fields["branches"]  # Predicates do not come from them.
    lines = []
    for way in ways[1:]:
        pairs = list(zip(runs[way], runs["none"]))
        lines.append((way, *(mean_ratio(pairs, field)
                             for field in fields.values()),
                      sum(run.solved for run in runs[way])))
    return Report(
        markdown(("minimisation", *fields, "solved"), lines),
        "Against none, which solves "
        f"{sum(run.solved for run in runs['none'])} of {len(asked)} (geometric "
        "means of the ratios).\n", details)


def bounds(lab, asked, output, eliminating, subsets):
    """TWO Fig. 14 and 15."""
    rows, cpu = [], {}
    for question in asked:
        if question.name not in BOUNDED:
            continue
        for kept, tried in [(n, 250) for n in eliminating] + [
                (n, n) for n in subsets]:
            run = lab.run(question, *LETTER, "--max-eliminating", str(kept),
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
    return Report(markdown(
        ("question", "--max-eliminating", "--max-subsets", "CPU s",
         "iterations", "predicates", "MB", "sets", "largest", "minimising s"),
        rows))


def default_or_paper(lab, asked, output, group=""):
    pairs = [(lab.run(q, "--paper"), lab.run(q)) for q in asked]
    chart(output / f"paper{slug(group)}.svg",
          "The default and --paper: CPU seconds", [q.name for q in asked],
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
    return Report(markdown(
        ("question", "verdict", "default: CPU s", "iterations", "predicates",
         "--paper: CPU s", "iterations", "predicates", "ratio"), rows), (
        f"The ratio of CPU times is {mean_ratio(pairs, 'cpu')} (geometric "
        f"mean), {mean_ratio(both, 'cpu')} where both are solved; the least is "
        f"{worst:.2f}. The default solves {sum(d.solved for _, d in pairs)} of "
        f"{len(pairs)}, --paper {sum(p.solved for p, _ in pairs)}. Of the "
        f"{len(both)} that both solve, the default ends with more expressions "
        f"on {sum(d.expressions > p.expressions for p, d in both)}, and with "
        "more predicates on "
        f"{sum(d.predicates > p.predicates for p, d in both)}.\n"))


def to_the_letter(lab, asked, output, group=""):
    """TWO §6.3 without our bounds, and with any branch as a candidate. Without
    minimisation, all branches of a counterexample are taken."""
    ways = {"none": (*LETTER, "--minimize", "none"),
            "`--paper`": SETTINGS["paper"], "to the letter": LETTER}
    runs = {way: [lab.run(q, *options) for q in asked]
            for way, options in ways.items()}
    chart(output / f"letter{slug(group)}.svg",
          "Few predicates: expressions", [q.name for q in asked],
          {way.strip("`"): [count(run, "expressions") for run in runs[way]]
           for way in ways}, log=True)
    rows = []
    for i, question in enumerate(asked):
        row = [question.name]
        for way in ways:
            run = runs[way][i]
            row += [seconds(run), run.iterations, predicates(run)]
        # That of the last way, of which nothing is known if it was ended.
        share_of_time = count(run, "share_of_time")
        rows.append((*row, "–" if share_of_time is None
                     else f"{100 * share_of_time:.0f} %"))
    columns = ("CPU s", "iterations", "predicates")
    pairs = list(zip(runs["none"], runs["to the letter"]))
    return Report(markdown(
        ("question", *(f"{way}: {column}" if column == "CPU s" else column
                       for way in ways for column in columns), "minimising"),
        rows),
        f"To the letter solves {sum(r.solved for _, r in pairs)} of "
        f"{len(pairs)}, none {sum(r.solved for r, _ in pairs)}. Where both do, "
        f"none has {mean_ratio(pairs, 'expressions')} times as many "
        f"expressions, {mean_ratio(pairs, 'predicates')} times as many "
        f"predicates, {mean_ratio(pairs, 'branches')} times as many branches, "
        f"{mean_ratio(pairs, 'states')} times as many states and "
        f"{mean_ratio(pairs, 'memory')} times the memory (geometric means).\n")


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
    return Report(markdown(
        ("with", "solved", "CPU s", "times faster", "than --paper",
         "fewer iterations", "fewer expressions", "fewer states"), rows))


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
        runs = [(lab.run(q, *options), q) for q in asked]
        # A short run says little if the clock is a little off.
        runs = [(lab.quietest(q, *options), q.name)
                if run.share_of_time > MUCH else (run, q.name)
                for run, q in runs if run.solved]
        if not runs:
            continue
        slowest, where = max(runs, key=lambda pair: pair[0].share_of_time)
        most = max(run.share_of_work for run, _ in runs)
        rows.append((title, len(runs),
                     f"{sum(run.minimising for run, _ in runs):.2f}",
                     f"{sum(run.cpu for run, _ in runs):.2f}",
                     f"{100 * slowest.share_of_time:.1f} %", where,
                     sum(run.share_of_time > MUCH for run, _ in runs),
                     f"{100 * most:.1f} %"))
    return Report(markdown(
        ("setting", "solved", "minimising s", "of s", "greatest share", "on",
         "over a tenth on", "greatest share of the work"), rows))


def about_handshakes(lab, asked, tasks, output, quick):
    """Titles, and what makes the report below them."""
    yield "The default and the algorithm as published", lambda: (
        default_or_paper(lab, asked, output))
    yield "What each improvement brings", lambda: ablation(lab, asked, output)
    yield "Minimisation to the letter", lambda: (
        to_the_letter(lab, asked, output))
    for setting in SETTINGS:
        yield f"Minimisation: {setting}", lambda setting=setting: (
            minimisation(lab, asked, output, setting))
    yield "The share of minimisation", lambda: share(lab, asked + tasks)
    yield "The bounds of minimisation", lambda: bounds(
        lab, asked, output, (50, 250) if quick else (1, 5, 50, 100, 250),
        (100, 400) if quick else (100, 200, 400, 800, 1600, 3200, 6400))
    yield "Several strategies in each iteration", lambda: strategies(
        lab, asked, output, (1, 2, 4) if quick else list(range(1, 16)))
    for setting in SETTINGS:
        yield f"Simulation and traces: {setting}", lambda setting=setting: (
            simulation_or_traces(lab, asked, output, setting,
                                 SETTINGS[setting]))


def about_tasks(lab, tasks, output):
    yield f"The default and the algorithm as published: {TASKS}", lambda: (
        default_or_paper(lab, tasks, output, TASKS))
    yield f"Minimisation to the letter: {TASKS}", lambda: (
        to_the_letter(lab, tasks, output, TASKS))
    yield f"Minimisation: paper, {TASKS}", lambda: (
        minimisation(lab, tasks, output, "paper", TASKS))


def sections(lab, asked, tasks, output, quick):
    if asked:
        yield from about_handshakes(lab, asked, tasks, output, quick)
    if tasks:
        yield from about_tasks(lab, tasks, output)


def evenly(items, number):
    """So many of them; all if there are no more, or if it is 0."""
    if not 0 < number < len(items):
        return items
    return [items[i * len(items) // number] for i in range(number)]


def rewrite(page, reports):
    """A page of the documentation with new tables in the places of old ones.
    What was not made stays."""
    def table(place):
        heading, title, end = place.groups()
        if title not in reports:
            return place[0]
        return f"{heading}\n{reports[title].short}\n{end}"
    return PLACE.sub(table, page)


def choose(options, folder):
    """The questions of examples/, and the tasks."""
    asked = list(questions.handshakes(folder))
    tasks = []
    if options.benchmarks:
        tasks = evenly(list(questions.ssh(options.benchmarks)), options.tasks)
    asked, tasks = ([q for q in some if re.search(options.only, q.name)]
                    for some in (asked, tasks))
    if options.quick:
        asked = [q for i, q in enumerate(asked)
                 if i % 6 == 0 or q.name in BOUNDED]
    return evenly(asked, options.questions), tasks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--output", default="build/experiments")
    parser.add_argument("--benchmarks", metavar="DIR",
                        help="a copy of sv-benchmarks c/ssh-simplified")
    parser.add_argument("--tasks", type=int, default=6, metavar="N",
                        help="so many of these, chosen evenly; 6 by default")
    parser.add_argument("--docs", type=pathlib.Path, metavar="FILE",
                        help="a page whose tables are written again")
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
        asked, tasks = choose(options, folder)
        if not asked + tasks:
            parser.error("no question has such a name")
        lab = Lab(agon, options.timeout, output / "runs.json", folder)
        reports = {}
        text = (f"{len(asked + tasks)} questions, at most {options.timeout} s "
                "of CPU time each.\n")
        for title, make in sections(lab, asked, tasks, output, options.quick):
            if not re.search(options.part, title):
                continue
            reports[title] = make()
            text += f"\n### {title}\n{reports[title].full}"
            (output / "experiments.md").write_text(text)
    if options.docs:
        options.docs.write_text(rewrite(options.docs.read_text(), reports))
    for name in lab.wrong:
        print(f"wrong verdict: {name}", file=sys.stderr)
    return 1 if lab.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
