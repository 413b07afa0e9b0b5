#!/usr/bin/env python3
"""test_shards.py SALVO [unittest options]: a sweep in parts, on machines of their own, is the sweep of one machine, byte for byte."""

import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

CLUSTER = Path(__file__).resolve().parent.parent / "examples" / "cluster"
GRID = """
[ships.a]
attack = 3
tokens = { focus = 1 }
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
[grid]
"ships.a.attack" = [1, 2, 3, 4]
"ships.d.agility" = [0, 1, 2, 3]
"ships.a.tokens.focus" = [0, 1]
"ships.d.hull" = { from = 1, to = 7 }
"""
CELLS = 4 * 4 * 2 * 7


def salvo(*words):
    return subprocess.run([SALVO, *map(str, words)], capture_output=True, text=True, check=False)


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.grid = self.folder / "grid.toml"
        self.grid.write_text(GRID)

    def done(self, *words):
        result = salvo(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, words, *parts):
        result = salvo(*words)
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertEqual(result.stdout, "")

    def shards(self, count, *options, name="shard"):
        out = [self.folder / f"{name}-{number}.rows" for number in range(1, count + 1)]
        for number, file in enumerate(out, 1):
            self.done("sweep", self.grid, "--shard", f"{number}/{count}", "--out", file, *options)
        return out

    def test_same_bytes(self):
        generator = random.Random(3)
        for options in ([], ["--format", "csv"], ["--engine", "sample", "--trials", "500", "--seed", "7"]):
            whole = self.done("sweep", self.grid, *options)
            for count in (1, 2, 5, CELLS, CELLS + 3):
                if count > 5 and "sample" in options:
                    continue
                files = self.shards(count, *options, "--restart")
                generator.shuffle(files)
                self.assertEqual(self.done("merge", *files), whole, (options, count))
            out = self.folder / "whole.rows"
            self.assertEqual(self.done("merge", *files, "--out", out), "")
            self.assertEqual(out.read_text(), whole)

    def test_all_orders(self):
        files = self.shards(3)
        told = {self.done("merge", *order) for order in itertools.permutations(files)}
        self.assertEqual(told, {self.done("sweep", self.grid)})

    def test_what_does_not_fit(self):
        files = self.shards(3)
        out = self.folder / "out"
        self.refused(["merge", files[0], files[2], "--out", out], "2/3")
        self.refused(["merge", *files, files[1]], "same shard", files[1].name)
        for name, options, word in (("seeded", ["--seed", "5"], "seed"), ("kill", ["--objective", "kill"], "grid"),
                                    ("lines", ["--format", "csv"], "format")):
            others = self.shards(3, *options, name=name)
            self.refused(["merge", files[0], others[1], files[2]], f"another {word}", others[1].name)
        self.refused(["merge", files[0], self.shards(4, name="four")[1], files[2]], "one of 4")
        self.grid.write_text(GRID.replace("to = 7", "to = 8"))
        self.refused(["merge", *self.shards(3, name="larger")[:1], *files[1:]], "another cells")
        self.grid.write_text(GRID.replace("tokens = { focus = 1 }", "tokens = { focus = 1, evade = 1 }"))
        self.refused(["merge", *self.shards(3, name="other")[:1], *files[1:]], "another grid")
        about = Path(f"{files[1]}.grid")
        about.write_text(re.sub("^version .*$", "version 9.9.9 abc", about.read_text(), flags=re.M))
        self.refused(["merge", *files, "--out", out], "another version", "9.9.9", files[1].name)
        about.unlink()
        self.refused(["merge", *files], "not a shard", files[1].name)
        self.refused(["merge", self.folder / "nothing"], "not a shard")
        self.refused(["merge"], "no shards")
        whole = self.folder / "whole.rows"
        self.done("sweep", self.grid, "--out", whole)
        self.refused(["merge", whole], "not a shard")
        self.assertFalse(out.exists())

    def test_an_unfinished_shard(self):
        files = self.shards(3)
        text = files[1].read_bytes()
        for cut in (text[:-1], text[:len(text) // 2], text + text[-30:], b""):
            files[1].write_bytes(cut)
            self.refused(["merge", *files], files[1].name, "shard 2/3", "rows")
        files[1].write_bytes(text[:len(text) // 2])
        self.done("sweep", self.grid, "--shard", "2/3", "--out", files[1])
        self.assertEqual(files[1].read_bytes(), text)
        self.assertEqual(self.done("merge", *files), self.done("sweep", self.grid))

    def test_killed(self):
        """A shard that was killed goes on, and the whole is the same."""
        self.grid.write_text(GRID.replace("to = 7", "to = 9"))
        options = ["--engine", "sample", "--trials", "200000", "--threads", "1"]
        whole = self.done("sweep", self.grid, *options)
        files = [self.folder / f"{number}.rows" for number in (1, 2)]
        words = [SALVO, "sweep", str(self.grid), "--shard", "2/2", "--out", str(files[1]), *options]
        for _ in range(3):
            with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
                time.sleep(0.2)
                process.send_signal(signal.SIGKILL)
        self.done(*words[1:])
        self.done("sweep", self.grid, "--shard", "1/2", "--out", files[0], *options)
        self.assertEqual(self.done("merge", *files), whole)

    def test_another_shard_in_the_same_file(self):
        files = self.shards(2)
        self.refused(["sweep", self.grid, "--shard", "1/2", "--out", files[1]], "another grid")
        self.refused(["sweep", self.grid, "--out", files[1]], "another grid")

    def test_wrong_words(self):
        out = self.folder / "x"
        for text in ("0/3", "4/3", "1", "a/b", "1/0", "/", "1/3/5", "-1/3"):
            self.refused(["sweep", self.grid, f"--shard={text}", "--out", out], "--shard")
        self.refused(["sweep", self.grid, "--shard", "1/2"], "--out")
        self.refused(["merge", *self.shards(1), "--out", self.folder / "no" / "such"], "--out")


class JobFiles(unittest.TestCase):
    """Those of examples/cluster, each with whatever starts its jobs, or with a stand-in that starts them one by one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "grid.toml").write_text(GRID)
        self.whole = salvo("sweep", self.folder / "grid.toml").stdout

    def started(self, *words, **environment):
        result = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False,
                                env={**os.environ, "SALVO": SALVO, "HOME": str(self.folder), **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "out.ndjson").read_text(), self.whole)

    def test_slurm(self):
        stand_in = self.folder / "sbatch"
        stand_in.write_text("""#!/usr/bin/env bash
set -e
for word in "$@"; do case $word in --array=*) range=${word#--array=} ;; esac; done
while [[ $1 != --wrap ]]; do shift; done
for i in $(seq ${range%-*} ${range#*-}); do SLURM_ARRAY_TASK_ID=$i sh -c "$2"; done
[[ -n $range ]] || sh -c "$2"
echo 17
""")
        stand_in.chmod(0o755)
        self.started(str(CLUSTER / "slurm.sh"), GRID="grid.toml", OUT="out.ndjson", N="5",
                     PATH=f"{self.folder}:{os.environ['PATH']}")

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_parallel(self):
        for _ in range(2):  # the second time there is nothing left to do
            self.started(str(CLUSTER / "parallel.sh"), "grid.toml", "out.ndjson", "5")

    @unittest.skipUnless(shutil.which("snakemake"), "Snakemake is not installed")
    def test_snakemake(self):
        self.started("snakemake", "-s", str(CLUSTER / "Snakefile"), "--cores", "2", "--config", "grid=grid.toml",
                     "out=out.ndjson", "n=5", f"salvo={SALVO}")

    def test_kubernetes(self):
        """What each pod runs, as a shell would."""
        text = (CLUSTER / "kubernetes.yaml").read_text()
        count = int(re.search(r"completions: (\d+)", text)[1])
        self.assertEqual(re.search(r'name: N\n *value: "(\d+)"', text)[1], str(count))
        script = re.search(r"args:\n *- \|\n((?: {14}.*\n)+)", text)[1].replace("/work/", f"{self.folder}/")
        script = script.replace("exec salvo", f"exec {SALVO}")
        for index in range(count):
            subprocess.run(["sh", "-e", "-c", script], check=True, capture_output=True,
                           env={**os.environ, "N": str(count), "JOB_COMPLETION_INDEX": str(index)})
        files = sorted((self.folder / "shards").glob("*.rows"))
        self.assertEqual(salvo("merge", *files).stdout, self.whole)


if __name__ == "__main__":
    SALVO = str(Path(sys.argv.pop(1)).resolve())
    os.environ.setdefault("NO_COLOR", "1")
    unittest.main()
