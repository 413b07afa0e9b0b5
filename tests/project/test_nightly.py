#!/usr/bin/env python3
"""test_nightly.py [unittest options]: scripts/nightly continues after a part fails, reports the result of each, runs
two at a time, and stops them when it is stopped.

The project consists of scripts that print how they were called.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
PRINT_CALL = '#!/usr/bin/env bash\necho "called ${0##*/} $* ${SALVO_PRESET:-}"\n'


class Nightly(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scripts = Path(folder.name) / "scripts"
        self.scripts.mkdir()
        for name in ("nightly", "common.sh"):
            shutil.copy(SCRIPTS / name, self.scripts)
        self.script("test", PRINT_CALL + '[[ $* != web ]]\n')
        self.script("fuzz", PRINT_CALL)

    def script(self, name, text):
        (self.scripts / name).write_text(text)
        (self.scripts / name).chmod(0o755)

    def command(self, *parts, lanes=2):
        environment = {name: value for name, value in os.environ.items() if name not in ("SALVO_PRESET", "SALVO_JOBS")}
        return {"args": [self.scripts / "nightly", *parts], "text": True, "env": {**environment, "SALVO_LANES": str(lanes)}}

    def run_it(self, *parts, lanes=2):
        return subprocess.run(**self.command(*parts, lanes=lanes), capture_output=True, check=False, timeout=120)

    def test_continues_and_reports(self):
        for lanes in (1, 2, 5):
            with self.subTest(lanes=lanes):
                done = self.run_it("web", "threads", "fuzz", lanes=lanes)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(sorted(re.findall("called (.*?) *\n", done.stdout)), ["fuzz 180", "test  threads", "test web"])
                last = done.stdout.splitlines()[-4:]
                self.assertEqual([line.split() for line in last[:3]],
                                 [[name, word, *"0 min 0 of processors".split()] for name, word in
                                  (("fuzz", "ok"), ("web", "FAILED"), ("threads", "ok"))])
                self.assertRegex(last[3], "^all +FAILED +0 min, of .")  # the commit, where there is one

    def test_two_at_a_time(self):
        # Each waits until the other has started.
        self.script("test", '#!/usr/bin/env bash\ntouch "$0.here"; until [[ -e ${0%test}fuzz.here ]]; do sleep 0.02; done\n')
        self.script("fuzz", '#!/usr/bin/env bash\ntouch "$0.here"; until [[ -e ${0%fuzz}test.here ]]; do sleep 0.02; done\n')
        self.assertEqual(self.run_it("web", "fuzz").returncode, 0)

    def test_stops_running_parts(self):
        self.script("fuzz", '#!/usr/bin/env bash\necho $$ >"$0.new"; mv "$0.new" "$0.here"; sleep 1000\n')
        process = subprocess.Popen(**self.command("fuzz", "threads"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        here = self.scripts / "fuzz.here"
        while not here.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.terminate()
        out = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 143)
        self.assertEqual(out.splitlines()[-1].split()[:2], ["all", "stopped"])
        part = Path("/proc") / here.read_text().strip()
        until = time.monotonic() + 60
        while part.exists() and "zombie" not in (part / "status").read_text():
            self.assertLess(time.monotonic(), until, "the part is still running")
            time.sleep(0.02)

    def test_success(self):
        done = self.run_it("checked")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("called test  checked\n", done.stdout)

    def test_names(self):
        listed = [line.split(":")[0] for line in self.run_it("--list").stdout.splitlines()]
        self.assertEqual(listed[0], "checked")
        text = (SCRIPTS / "nightly").read_text()
        self.assertEqual(sorted(listed), sorted(re.findall(r"^run_(\w+)\(\)", text, re.M)))
        done = self.run_it("fuzz", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no part nothing", done.stderr)
        self.assertNotIn("called", done.stdout)


if __name__ == "__main__":
    unittest.main()
