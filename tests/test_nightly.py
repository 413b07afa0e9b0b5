#!/usr/bin/env python3
"""test_nightly.py [unittest options]: scripts/nightly goes on after a part that fails, and says in the end what became of each.

In a project of nothing but scripts that tell how they were called.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
TOLD = '#!/usr/bin/env bash\necho "told ${0##*/} $* ${SALVO_PRESET:-}"\n'


class Nightly(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scripts = Path(folder.name) / "scripts"
        self.scripts.mkdir()
        for name in ("nightly", "common.sh"):
            shutil.copy(SCRIPTS / name, self.scripts)
        self.script("test", TOLD + '[[ $* != web ]]\n')
        self.script("fuzz", TOLD)

    def script(self, name, text):
        (self.scripts / name).write_text(text)
        (self.scripts / name).chmod(0o755)

    def run_it(self, *parts):
        environment = {name: value for name, value in os.environ.items() if name != "SALVO_PRESET"}
        return subprocess.run([self.scripts / "nightly", *parts], capture_output=True, text=True, check=False, env=environment)

    def test_it_goes_on_and_tells(self):
        done = self.run_it("web", "threads", "fuzz")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(re.findall("told (.*?) *\n", done.stdout), ["test web", "test  threads", "fuzz 180"])
        self.assertEqual([line.split() for line in done.stdout.splitlines()[-3:]],
                         [["web", "FAILED", "0", "min"], ["threads", "ok", "0", "min"], ["fuzz", "ok", "0", "min"]])

    def test_all_is_well(self):
        done = self.run_it("checked")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("told test  checked\n", done.stdout)

    def test_names(self):
        listed = [line.split(":")[0] for line in self.run_it("--list").stdout.splitlines()]
        self.assertEqual(listed[0], "web")
        text = (SCRIPTS / "nightly").read_text()
        self.assertEqual(sorted(listed), sorted(re.findall(r"^run_(\w+)\(\)", text, re.M)))
        done = self.run_it("fuzz", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no part nothing", done.stderr)
        self.assertNotIn("told", done.stdout)


if __name__ == "__main__":
    unittest.main()
