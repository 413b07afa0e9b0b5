#!/usr/bin/env python3
"""test_patience.py SALVO [unittest options]: long questions: a line on the terminal that says how long it takes, Ctrl-C, and a limit of
memory.

No test measures time: each waits for what has to come, as long as a slow machine may take.
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
import tempfile
import termios
import time
import unittest
from pathlib import Path

PATIENCE_S = 300
LINE = re.compile(r"salvo [a-z ]+: \d+ s so far; Ctrl-C stops it")
# What answers questions, but for lists of names and what salvo itself is described by.
WITHOUT = {"cards", "rules", "ships", "pilots", "upgrades", "weapons", "completions", "man"}
salvo = "salvo"


def attacks(n, tokens, **more):
    """n ships shoot at one."""
    ships = {f"a{i}": {"attack": 3, "tokens": tokens} for i in range(n)}
    return json.dumps({"ships": {"d": {"agility": 2, "hull": 10, "tokens": {"focus": 2, "evade": 2}}, **ships},
                       "attacks": [{"by": f"a{i}", "on": "d"} for i in range(n)], **more})


LONG = attacks(1000, {})  # minutes
SAMPLED = json.dumps({"attack": "3 focus", "defend": "2 evade", "engine": "sample", "trials": 10**14})


class Terminal:
    """The program with standard error on a terminal, and output and input there, too, where nothing else is given."""

    def __init__(self, *words, **streams):
        self.own, other = pty.openpty()
        streams = {"stdin": other, "stdout": other, **streams}
        self.process = subprocess.Popen([salvo, *map(str, words)], stderr=other, start_new_session=True,
                                        preexec_fn=self.control, env={**os.environ, "TERM": "xterm"}, **streams)
        os.close(other)
        self.text = ""

    @staticmethod
    def control():
        """The terminal is that of the program, which is in its foreground."""
        fcntl.ioctl(2, termios.TIOCSCTTY, 0)

    def read(self):
        """False once it is closed on the other side."""
        if not select.select([self.own], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.own, 65536)
        except OSError:  # how Linux tells it
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
        """What stands there in the end."""
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


class Patience(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text):
        path = self.folder / "question.json"
        path.write_text(text)
        return path

    def test_line_and_interrupt(self):
        """A line comes, each second anew, and is gone when Ctrl-C ends the program."""
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
        """All the rounds that a log may have, 400 attacks in each."""
        lines = ["player Ann", "luke: pilot=lukeskywalker", "player Bob", "vader: pilot=darthvader ship=tieadvancedx1"]
        for i in range(99):
            lines.append(f"round {i + 1}: luke focus; vader focus")
            lines += ["luke > vader r2: hit focus blank | evade focus blank"] * 400
        path = self.folder / "log.txt"
        path.write_text("\n".join(lines))
        return path

    def test_line_is_gone_before_the_answer(self):
        """Two seconds or ten, as the machine is: what stands on the terminal in the end is the answer."""
        words = ["order", self.file(attacks(7, {"focus": 1}, defender_policy="greedy"))]
        answer = subprocess.run([salvo, *map(str, words), "--format", "json"], stdout=subprocess.PIPE, text=True, check=True).stdout
        for more in ([], ["--no-progress"]):
            terminal = Terminal(*words, "--format", "json", *more)
            self.assertEqual(terminal.end(), 0)
            self.assertEqual(terminal.screen(), answer)
            if more:
                self.assertNotIn("so far", terminal.text)

    def test_nobody_who_types_is_disturbed(self):
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

    def test_request_prints_what_there_is(self):
        terminal = Terminal("request", "run", self.file(SAMPLED), stdout=subprocess.PIPE)
        terminal.wait_for("sampling  ")
        terminal.process.send_signal(signal.SIGINT)
        output = terminal.process.stdout.read()
        terminal.process.stdout.close()
        self.assertEqual(terminal.end(), 130)
        self.assertTrue(json.loads(output)["interrupted"])
        self.assertEqual(terminal.screen(), "")

    def test_all_commands_have_the_options(self):
        help_text = subprocess.run([salvo, "--help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"^  ([a-z]+)   ", help_text[help_text.index("Subcommands:"):], re.M)
        self.assertIn("hazard", commands)
        for command in set(commands) - WITHOUT:
            text = subprocess.run([salvo, command, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertIn("--memory ", text, command)
            if command != "serve":
                self.assertIn("--no-progress ", text, command)

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers need more memory than all")
    def test_little_memory(self):
        """More than that ends with an error in words."""
        ships = {"a": {"attack": 20, "tokens": {"focus": 5, "calculate": 5, "lock": ["d"]}},
                 "d": {"agility": 20, "tokens": {"focus": 5, "calculate": 5, "evade": 5}}}
        dice = self.file(json.dumps({"ships": ships, "attacks": [{"by": "a", "on": "d"}]}))
        for words in (["hazard", "proximity-mine", "--times", "99", "--ship", "hull=99 shields=99"], ["advise", dice]):
            result = subprocess.run([salvo, *map(str, words), "--memory", "64M", "--format", "json"], capture_output=True, text=True,
                                    check=False)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("memory", result.stderr)
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    salvo = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
