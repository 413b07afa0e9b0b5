#!/usr/bin/python3
"""test_examples.py PACKAGES [unittest options]: the notebooks of examples/python run, each in its own process."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
packages = ""


class Examples(unittest.TestCase):
    def test_all_run(self):
        files = sorted((ROOT / "examples" / "python").glob("*.py"))
        self.assertEqual(len(files), 4)
        for file in files:
            with self.subTest(file.name):
                done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=300,
                                      env={**os.environ, "PYTHONPATH": packages}, cwd=packages)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr, "")
                self.assertGreater(len(done.stdout.splitlines()), 3)
                self.assertRegex(file.read_text(encoding="utf-8"), r"\A# %%")


if __name__ == "__main__":
    packages = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
