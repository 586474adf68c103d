#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every option is where people look for it: help that fits a screen, the
manual page, completion, docs/options.md.

    options_test.py AGON
"""

import re
import shutil
import subprocess
import sys
import tempfile
import pathlib

from agon import ROOT, agon, expect, main

OPTION = re.compile(r"^  (?:-\w,)?(--?[a-z][a-z-]*)", re.M)
COMPILER = "Options for the compiler"  # They are no options of Agon.
MOST_LINES = 36


def help_of(binary, *words):
    done = agon(binary, *words)
    expect(done.code == 0, done)
    return done.out


def names(text):
    """What stands under a heading of the main help and of `agon lts`."""
    section = text.split("Subcommands:")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+)", section, re.M)


def commands(binary):
    """The words of every command."""
    for name in names(help_of(binary, "--help")):
        text = help_of(binary, name, "--help")
        if "Subcommands:" in text:
            for inner in names(text):
                yield (name, inner)
        else:
            yield (name,)


def options(binary, words):
    """All options of a command, from its longest help."""
    text = help_of(binary, *words, "--help")
    if "--help-all" in text:
        text = help_of(binary, *words, "--help-all")
    found = set(OPTION.findall(text.split(COMPILER)[0]))
    expect(found, f"{words}: no options")
    return found


def help_fits_a_screen(binary):
    expect(len(list(commands(binary))) >= 12, "commands are missing")
    for words in [(), ("lts",), *commands(binary)]:
        text = help_of(binary, *words, "--help")
        lines = text.splitlines()
        long = [line for line in lines if len(line) > 80]
        expect(not long, f"{words}: too wide: {long[:1]}")
        expect(len(lines) <= MOST_LINES, f"{words}: {len(lines)} lines")
        if words and words != ("lts",):
            expect(any(f"  agon {' '.join(words)} " in line + " "
                       for line in text.split("Example:\n")[-1].splitlines()),
                   f"{words}: no example")
        if "--help-all" in text:
            whole = help_of(binary, *words, "--help-all").splitlines()
            expect(all(len(line) <= 80 for line in whole), f"{words}: width")
            named = set(re.findall(r"--[a-z][a-z-]*", text))
            expect(options(binary, words) <= named | {"-p"},
                   f"{words}: --help hides options")


def examples_run(binary):
    """The examples of the help are commands that work."""
    for words in commands(binary):
        text = help_of(binary, *words, "--help")
        lines = []
        for line in text.split("Example:\n")[1].splitlines():
            if line.startswith("  agon "):
                lines.append(line.strip())
            elif line.startswith("    ") and lines:  # It was folded.
                lines[-1] += " " + line.strip()
        example = "; ".join(lines)
        if re.search(r"client\.aut|CERT", example):
            continue
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples",
                            pathlib.Path(folder) / "examples")
            done = subprocess.run(
                ["bash", "-c", re.sub(r"\bagon (?=[a-z])", f"{binary} ", example)],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                timeout=60)
            expect(done.returncode in (0, 1, 3), f"{example}: {done.stderr}")


def manual(binary):
    page = help_of(binary, "--generate", "man")
    plain = page.replace("\\-", "-")
    for words in commands(binary):
        section = re.search(
            rf"^\.SS agon {' '.join(words)}\n(.*?)^\.S[SH]", plain,
            re.M | re.S)
        expect(section, f"the manual lacks {words}")
        for option in options(binary, words):
            expect(re.search(rf"\\fB[^\n]*{option}\b", section[1]),
                   f"the manual lacks {option} of {words}")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"],
                          input=page.encode(), stderr=subprocess.PIPE)
    warnings = [line for line in done.stderr.decode().splitlines()
                if "cannot adjust" not in line and "can't break" not in line]
    expect(done.returncode == 0 and not warnings, warnings[:3])


def manual_of_the_checker(binary):
    """agon-certify, if it has been built."""
    checker = binary.parent / "agon-certify"
    page = (ROOT / "share/man/agon-certify.1").read_text()
    if not checker.exists():
        return
    text = agon(checker, "--help").out.split(COMPILER)[0]
    for option in set(OPTION.findall(text)):
        expect(re.search(rf"\\fB{option}\b|\.B .*{option}\b",
                         page.replace("\\-", "-")),
               f"agon-certify.1 lacks {option}")


def complete(script, *words):
    """What bash proposes for the last of the words."""
    line = " ".join(words)
    quoted = " ".join(f"'{word}'" for word in words)
    program = (f"source {script}; COMP_WORDS=({quoted}); COMP_LINE='{line}'; "
               f"COMP_CWORD={len(words) - 1}; _agon; "
               "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=ROOT)
    expect(done.stderr == "", done.stderr)
    return set(done.stdout.split())


def bash(binary):
    with tempfile.NamedTemporaryFile("w", suffix=".bash") as script:
        script.write(help_of(binary, "--generate", "bash"))
        script.flush()
        subprocess.run(["bash", "-n", script.name], check=True)
        for words in commands(binary):
            expect(words[-1] in complete(script.name, "agon", *words[:-1],
                                         words[-1][:2]), words)
            proposed = complete(script.name, "agon", *words, "-")
            missing = options(binary, words) - proposed
            expect(not missing, f"{words}: no completion of {missing}")
        expect(complete(script.name, "agon", "check", "--trace", "") ==
               {"short", "full"}, "values")
        for joined in (["--trace", "="], ["--trace", "=", ""]):
            expect(complete(script.name, "agon", "check", *joined) ==
                   {"short", "full"}, f"values behind {joined}")
        expect(complete(script.name, "agon", "check", "--trace", "=", "f") ==
               {"full"}, "the beginning of a value")
        expect("README.md" in complete(script.name, "agon", "check", "READ"),
               "files")


def zsh(binary):
    script = help_of(binary, "--generate", "zsh")
    subprocess.run(["zsh", "-n"], input=script.encode(), check=True)
    for words in commands(binary):
        body = re.search(rf"^_agon_{'_'.join(words)}\(\) {{\n(.*?)^}}$",
                         script, re.M | re.S)
        expect(body, f"no completion of {words}")
        for option in options(binary, words):
            expect(re.search(rf"'{option}=?\[", body[1]),
                   f"{words}: {option}")
    # Zsh reads the functions without complaint, too.
    done = subprocess.run(
        ["zsh", "-fc", "_arguments() { : }; _values() { : }; eval \"$1\"",
         "zsh", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(done.returncode == 0 and not done.stdout, done.stdout)


def documents(binary):
    text = (ROOT / "docs/options.md").read_text()
    for words in commands(binary):
        for option in options(binary, words) - {"-h", "--help"}:
            expect(re.search(rf"`[^`]*{option}\b", text),
                   f"docs/options.md lacks {option} of {' '.join(words)}")
    everything = set().union(*(options(binary, words)
                               for words in commands(binary)))
    # Options that no command has are gone.
    compiler = {"-I", "-D", "-U", "-m32", "-m64", "--extra-arg", "-std",
                "-isystem", "-iquote", "-include", "--help", "--version",
                "-h", "-q", "-o"}
    for line in text.splitlines():
        row = re.match(r"\| `(--?[a-z][a-z-]*)", line)
        if row:
            expect(row[1] in everything | compiler,
                   f"docs/options.md has {row[1]}, which is no option")


if __name__ == "__main__":
    sys.exit(main([help_fits_a_screen, examples_run, manual,
                   manual_of_the_checker, bash, zsh,
                   documents]))
