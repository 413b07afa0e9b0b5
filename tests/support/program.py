"""Runs the program under test: the path in the first argument of the test file that imports this module."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SALVO = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "salvo"
DUEL_TOML = """
[ships.a]
attack = 3
tokens = { focus = 1 }
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
"""
GRID = DUEL_TOML + """
[grid]
"ships.a.attack" = [1, 2, 3, 4]
"ships.d.agility" = [0, 1, 2, 3]
"ships.a.tokens.focus" = [0, 1]
"ships.d.hull" = { from = 1, to = 7 }
"""
GRID_CELLS = 4 * 4 * 2 * 7


def run(*arguments, stdin="", environment=None, timeout=600, **options):
    """The finished process with its output as text. `environment` is added to that of the test."""
    return subprocess.run([SALVO, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False,
                          timeout=timeout, env={**os.environ, **(environment or {})}, **options)


def schema(name):
    return json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


class Case(unittest.TestCase):
    """Each test has an empty folder, in which its commands run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def answered(self, *arguments, stdin=""):
        """The standard output of a command that succeeds."""
        result = run(*arguments, stdin=stdin, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, arguments, *words, stdin="", status=2, notes=0):
        """The command prints only an error of one line that contains the words, after this number of notes or warnings."""
        result = run(*arguments, stdin=stdin, cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        self.assertTrue(result.stderr.startswith("salvo: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1 + notes, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


def main(**options):
    """Runs the tests of the file that was started; further arguments and options are those of unittest."""
    if len(sys.argv) < 2:
        sys.exit(sys.modules["__main__"].__doc__)
    del sys.argv[1]
    unittest.main(**options)
