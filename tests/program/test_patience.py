#!/usr/bin/env python3
"""test_patience.py SALVO [unittest options]: long questions: the elapsed time on the terminal, Ctrl-C, and a
memory limit.

No test measures time: each waits for the expected event, as long as a slow machine may take.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from program import SALVO, Case, main, run

PATIENCE_S = 300
LINE = re.compile(r"salvo [a-z ]+: \d+ s so far; Ctrl-C stops it")
# Commands that list names or describe salvo itself, instead of answering a question.
WITHOUT = {"cards", "rules", "ships", "pilots", "upgrades", "weapons", "completions", "man"}


def attacks(n, tokens, **more):
    """n ships shoot at one."""
    ships = {f"a{i}": {"attack": 3, "tokens": tokens} for i in range(n)}
    return json.dumps({"ships": {"d": {"agility": 2, "hull": 10, "tokens": {"focus": 2, "evade": 2}}, **ships},
                       "attacks": [{"by": f"a{i}", "on": "d"} for i in range(n)], **more})


LONG = attacks(1000, {})  # minutes
SAMPLED = json.dumps({"attack": "3 focus", "defend": "2 evade", "engine": "sample", "trials": 10**14})


class Terminal:
    """The program with standard error on a terminal, and also output and input unless `streams` sets them."""

    def __init__(self, *words, **streams):
        self.own, other = pty.openpty()
        streams = {"stdin": other, "stdout": other, **streams}
        self.process = subprocess.Popen([SALVO, *map(str, words)], stderr=other, start_new_session=True,
                                        preexec_fn=self.control, env={**os.environ, "TERM": "xterm"}, **streams)
        os.close(other)
        self.text = ""

    @staticmethod
    def control():
        """Makes the terminal that of the program, which is then in the foreground."""
        fcntl.ioctl(2, termios.TIOCSCTTY, 0)

    def read(self):
        """False once the other side has closed."""
        if not select.select([self.own], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.own, 65536)
        except OSError:  # how Linux reports that
            return False
        self.text += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, pattern):
        start = time.monotonic()
        while not re.search(pattern, self.text):
            if not self.read() or time.monotonic() - start > PATIENCE_S:
                raise AssertionError(f"{pattern} did not come: {self.text}")

    def end(self):
        """Reads to the end; returns the exit status."""
        start = time.monotonic()
        while self.read():
            if time.monotonic() - start > PATIENCE_S:
                self.process.kill()
                raise AssertionError("it does not end")
        os.close(self.own)
        return self.process.wait(PATIENCE_S)

    def screen(self):
        """What the screen finally shows."""
        lines, column = [""], 0
        for part in re.findall(r"\x1b\[K|\x1b\[[0-9;]*m|\r|\n|[^\x1b\r\n]+", self.text):
            if part == "\r":
                column = 0
            elif part == "\n":
                lines.append("")
                column = 0
            elif part == "\x1b[K":
                lines[-1] = lines[-1][:column]
            elif not part.startswith("\x1b"):
                lines[-1] = lines[-1][:column] + part + lines[-1][column + len(part):]
                column += len(part)
        return "\n".join(lines)


class Patience(Case):
    def file(self, text):
        path = self.folder / "question.json"
        path.write_text(text)
        return path

    def test_line_and_interrupt(self):
        """A line appears, is updated every second, and is erased when Ctrl-C ends the program."""
        long = self.file(LONG)
        for words in (["worth", long], ["run", long, "--engine", "exact"], ["review", self.log()], ["compare", "3 focus", "3 lock",
                      "--engine", "sample", "--trials", "1e14"]):
            with self.subTest(words=words):
                terminal = Terminal(*words)
                terminal.wait_for(LINE)
                terminal.wait_for(rf"(?s){LINE.pattern}.*{LINE.pattern}")
                terminal.process.send_signal(signal.SIGINT)
                self.assertEqual(terminal.end(), 130)
                self.assertEqual(terminal.screen().split(), ["salvo:", "interrupted"])

    def log(self):
        """The maximum number of rounds of a log, with 400 attacks each."""
        lines = ["player Ann", "luke: pilot=lukeskywalker", "player Bob", "vader: pilot=darthvader ship=tieadvancedx1"]
        for i in range(99):
            lines.append(f"round {i + 1}: luke focus; vader focus")
            lines += ["luke > vader r2: hit focus blank | evade focus blank"] * 400
        path = self.folder / "log.txt"
        path.write_text("\n".join(lines))
        return path

    def test_line_is_gone_before_the_answer(self):
        """Whether it takes two seconds or ten, the terminal finally shows only the answer."""
        words = ["order", self.file(attacks(7, {"focus": 1}, defender_policy="greedy"))]
        answer = subprocess.run([SALVO, *map(str, words), "--format", "json"], stdout=subprocess.PIPE, text=True, check=True).stdout
        for more in ([], ["--no-progress"]):
            terminal = Terminal(*words, "--format", "json", *more)
            self.assertEqual(terminal.end(), 0)
            self.assertEqual(terminal.screen(), answer)
            if more:
                self.assertNotIn("so far", terminal.text)

    def test_no_line_while_input_is_typed(self):
        for words in (["run", "-", "--format", "json"], ["batch"]):
            terminal = Terminal(*words)
            until = time.monotonic() + 5
            while time.monotonic() < until:
                terminal.read()
            self.assertEqual(terminal.text, "")
            os.write(terminal.own, (attacks(1, {}) + "\n").encode())
            os.write(terminal.own, b"\x04")
            self.assertEqual(terminal.end(), 0, terminal.text)
            self.assertNotIn("so far", terminal.text)
            self.assertIn('"ships"', terminal.screen())

    def test_interrupted_request_prints_partial_results(self):
        terminal = Terminal("request", "run", self.file(SAMPLED), stdout=subprocess.PIPE)
        terminal.wait_for("sampling  ")
        terminal.process.send_signal(signal.SIGINT)
        output = terminal.process.stdout.read()
        terminal.process.stdout.close()
        self.assertEqual(terminal.end(), 130)
        self.assertTrue(json.loads(output)["interrupted"])
        self.assertEqual(terminal.screen(), "")

    def test_all_commands_have_the_options(self):
        help_text = self.answered("--help")
        commands = re.findall(r"^  ([a-z]+)   ", help_text[help_text.index("Subcommands:"):], re.M)
        self.assertIn("hazard", commands)
        for command in set(commands) - WITHOUT:
            text = self.answered(command, "--help")
            self.assertIn("--memory ", text, command)
            if command != "serve":
                self.assertIn("--no-progress ", text, command)

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers need more memory than all")
    def test_little_memory(self):
        """Exceeding it ends with an error message."""
        ships = {"a": {"attack": 20, "tokens": {"focus": 5, "calculate": 5, "lock": ["d"]}},
                 "d": {"agility": 20, "tokens": {"focus": 5, "calculate": 5, "evade": 5}}}
        dice = self.file(json.dumps({"ships": ships, "attacks": [{"by": "a", "on": "d"}]}))
        for words in (["hazard", "proximity-mine", "--times", "99", "--ship", "hull=99 shields=99"], ["advise", dice]):
            result = run(*words, "--memory", "64M", "--format", "json")
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("memory", result.stderr)
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    main()
