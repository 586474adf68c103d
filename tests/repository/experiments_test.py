#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/experiments.py works on one question, and counts and compares rightly.

    experiments_test.py SOURCE_DIRECTORY BIN_DIRECTORY
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

ROOT, BIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path.insert(0, str(ROOT / "bench"))

import experiments  # noqa: E402
import lab  # noqa: E402
import questions  # noqa: E402


def run(verdict, cpu, iterations=1, hit_limit=False):
    return lab.Run(verdict, cpu, 50.0, iterations, 1, 1, 1, 0, 0.0, 0, 0, 0,
                   0, hit_limit)


def ask(question, *options):
    """What agon says to a question of examples/, and how it got there."""
    with tempfile.TemporaryDirectory() as folder:
        (asked,) = (q for q in questions.handshakes(folder)
                    if q.name == question)
        output = pathlib.Path(folder, "out.json")
        subprocess.run([BIN / "agon", *asked.arguments, *options, "--stats",
                        "--json", output], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return json.loads(output.read_text())


def way_of(document):
    """All that does not depend on time."""
    (result,) = document["results"]
    return [result[name] for name in (
        "verdict", "iterations", "states", "predicates", "solver_calls")]


class PaperTest(unittest.TestCase):
    """--paper against what its help says."""

    QUESTION = "client_data.Early"

    @classmethod
    def setUpClass(cls):
        done = subprocess.run([BIN / "agon", "check", "--help-all"],
                              stdout=subprocess.PIPE, text=True)
        text = re.search(r"\n  --paper(.*?)\n  --\w", done.stdout, re.S)[1]
        cls.listed = re.findall(r"(--\w+)\s+(\w+)", text)

    def options(self, left_out=None):
        options = ["--falsification", "off", "--invariants", "off",
                   "--unrolling", "off"]
        for name, value in self.listed:
            if name != left_out:
                options += [name, value]
        return options

    def test_it_is_all_of_these_options(self):
        self.assertEqual(
            {"--blocks", "--predicates", "--minimize", "--integers",
             "--expansion", "--reuse", "--layers"}, set(dict(self.listed)))
        self.assertEqual(way_of(ask(self.QUESTION, *self.options())),
                         way_of(ask(self.QUESTION, "--paper")))

    def test_each_of_them_matters(self):
        paper = way_of(ask(self.QUESTION, "--paper"))
        for name, _ in self.listed:
            with self.subTest(name):
                other = way_of(ask(self.QUESTION, *self.options(name)))
                self.assertNotEqual(paper, other)
                self.assertEqual("holds", other[0])


class ExperimentsTest(unittest.TestCase):
    def test_comparisons_of_one_term_count_once(self):
        self.assertEqual(3, lab.many_valued(
            ["x == 1", "x == -2", "y == 1", "x < 3"]))

    def test_time_until_the_limit_counts_but_iterations_do_not(self):
        pairs = [(run("holds", 8.0, 6), run("holds", 2.0, 3)),
                 (run("unknown", 9.0, 50, True), run("holds", 1.0)),
                 (run("unknown", 0.5, 50), run("holds", 1.0)),
                 (run("holds", 1.0), run("violated", 1.0)),
                 (run("unknown", 9.0, 1, True), run("unknown", 9.0, 1, True))]
        self.assertEqual([4.0, 9.0], list(lab.ratios(pairs, "cpu")))
        self.assertEqual([2.0], list(lab.ratios(pairs, "iterations")))
        self.assertEqual("6.00", lab.mean_ratio(pairs, "cpu"))

    def test_every_verify_of_the_handshakes_is_a_question(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = list(questions.handshakes(folder))
            for question in asked:
                spec = pathlib.Path(question.arguments[-1]).read_text()
                self.assertEqual(1, spec.count("\nverify "), question.name)
        lines = sum(
            line.startswith("verify ")
            for side in ("server", "client")
            for path in (ROOT / "examples").glob(f"{side}*.agon")
            for line in path.read_text().splitlines())
        self.assertEqual(lines, len(asked))
        self.assertEqual(lines, len({question.name for question in asked}))
        self.assertGreaterEqual(lines, 11)
        self.assertFalse(all(question.holds for question in asked))

    def test_minimisation_keeps_to_its_share_of_the_work(self):
        for question in ("client_data.Early", "server_data.Young",
                         "server_session.Either"):
            for way in ("greedy", "optimal"):
                counted = ask(question, "--paper", "--minimize",
                              way)["statistics"]
                self.assertGreater(counted["refine.spent"], 0)
                # A part of it is free, for programs that are done soon.
                self.assertLess(counted["refine.spent"],
                                12000 + 0.1 * counted["refine.work"],
                                f"{question}, {way}")

    def test_no_question_of_minimisation_exceeds_its_share(self):
        for question in ("client_session.Fresh", "server_session.Greeting",
                         "server_session.Rest"):
            counted = ask(question, "--minimize", "optimal")["statistics"]
            self.assertLess(counted["refine.spent"],
                            0.1 * counted["refine.work"], question)

    def test_the_default_ends_with_no_more_predicates(self):
        for question in ("server_peer.Open", "server_peer.Permanent"):
            (default,) = ask(question)["results"]
            (paper,) = ask(question, "--paper")["results"]
            self.assertLessEqual(len(default["predicates"]),
                                 len(paper["predicates"]), question)

    def test_tables_are_written_where_the_page_wants_them(self):
        page = ("a\n<!-- experiment: One -->\nold\n<!-- end -->\nb\n"
                "<!-- experiment: Two -->\nkept\n<!-- end -->\n")
        report = experiments.Report("| new |\n", "Says.\n", "| long |\n")
        new = experiments.rewrite(page, {"One": report})
        self.assertEqual(
            "a\n<!-- experiment: One -->\n\n| new |\n\nSays.\n\n"
            "<!-- end -->\nb\n<!-- experiment: Two -->\nkept\n"
            "<!-- end -->\n", new)
        self.assertEqual(new, experiments.rewrite(new, {"One": report}))

    def test_the_page_names_experiments_that_there_are(self):
        named = [title for _, title, _ in experiments.PLACE.findall(
            (ROOT / "docs/experiments.md").read_text())]
        there_are = [title for title, _ in experiments.sections(
            None, [None], [None], None, False)]
        self.assertGreater(len(named), 5)
        self.assertEqual(len(named), len(set(named)))
        self.assertEqual(set(), set(named) - set(there_are))

    def test_tasks_of_a_folder_are_questions(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.yml").write_text(
                "input_files: 'a.cil.c'\nproperties:\n"
                "  - property_file: ../properties/unreach-call.prp\n"
                "    expected_verdict: false\noptions:\n"
                "  data_model: LP64\n")
            (question,) = questions.ssh(folder)
        self.assertEqual("a", question.name)
        self.assertFalse(question.holds)
        self.assertEqual("LP64", question.arguments[-1])

    def test_one_question_goes_through_all_experiments(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-B", ROOT / "bench/experiments.py", "--quick",
                 "--build", BIN.parent, "--output", folder, "--timeout", "30",
                 "--only", "^server_peer.Permanent$"],
                stderr=subprocess.PIPE, text=True)
            self.assertEqual(0, done.returncode, done.stderr)
            text = pathlib.Path(folder, "experiments.md").read_text()
            self.assertIn("| server_peer.Permanent | holds |", text)
            self.assertNotIn("exit", text)
            charts = list(pathlib.Path(folder).glob("*.svg"))
            self.assertGreater(len(charts), 10)
            for path in charts:
                xml.dom.minidom.parse(str(path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
