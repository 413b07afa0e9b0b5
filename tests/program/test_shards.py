#!/usr/bin/env python3
"""test_shards.py SALVO [unittest options]: sweeps and samplings split into shards give the bytes of one
machine.
"""

import fcntl
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from program import GRID, GRID_CELLS, ROOT, SALVO, Case, main, run

CLUSTER, PROFILES = ROOT / "examples" / "cluster", ROOT / "profiles"


class Shards(Case):
    def setUp(self):
        super().setUp()
        self.grid = self.folder / "grid.toml"
        self.grid.write_text(GRID)

    def shards(self, count, *options, name="shard"):
        out = [self.folder / f"{name}-{number}.rows" for number in range(1, count + 1)]
        for number, file in enumerate(out, 1):
            self.answered("sweep", self.grid, "--shard", f"{number}/{count}", "--out", file, *options)
        return out

    def test_same_bytes(self):
        generator = random.Random(3)
        for options in ([], ["--format", "csv"], ["--engine", "sample", "--trials", "500", "--seed", "7"]):
            whole = self.answered("sweep", self.grid, *options)
            for count in (1, 2, 5, GRID_CELLS + 3):
                if count > 5 and options:  # hundreds of processes, and format and engine make no difference to sharding
                    continue
                files = self.shards(count, *options, "--restart")
                generator.shuffle(files)
                self.assertEqual(self.answered("merge", *files), whole, (options, count))
            out = self.folder / "whole.rows"
            self.assertEqual(self.answered("merge", *files, "--out", out), "")
            self.assertEqual(out.read_text(), whole)

    def test_all_orders(self):
        files = self.shards(3)
        merged = {self.answered("merge", *order) for order in itertools.permutations(files)}
        self.assertEqual(merged, {self.answered("sweep", self.grid)})

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
        self.answered("sweep", self.grid, "--out", whole)
        self.refused(["merge", whole], "not a shard")
        self.assertFalse(out.exists())

    def test_an_unfinished_shard(self):
        files = self.shards(3)
        text = files[1].read_bytes()
        for cut in (text[:-1], text[:len(text) // 2], text + text[-30:], b""):
            files[1].write_bytes(cut)
            self.refused(["merge", *files], files[1].name, "shard 2/3", "rows")
        files[1].write_bytes(text[:len(text) // 2])
        self.answered("sweep", self.grid, "--shard", "2/3", "--out", files[1])
        self.assertEqual(files[1].read_bytes(), text)
        self.assertEqual(self.answered("merge", *files), self.answered("sweep", self.grid))

    def test_killed(self):
        """A killed shard resumes, and the merged result is the same."""
        self.grid.write_text(GRID.replace("to = 7", "to = 9"))
        options = ["--engine", "sample", "--trials", "200000", "--threads", "1"]
        whole = self.answered("sweep", self.grid, *options)
        files = [self.folder / f"{number}.rows" for number in (1, 2)]
        words = [SALVO, "sweep", str(self.grid), "--shard", "2/2", "--out", str(files[1]), *options]
        for _ in range(3):
            with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
                time.sleep(0.2)
                process.send_signal(signal.SIGKILL)
        self.answered(*words[1:])
        self.answered("sweep", self.grid, "--shard", "1/2", "--out", files[0], *options)
        self.assertEqual(self.answered("merge", *files), whole)

    def test_changed_rows(self):
        """A change to a finished shard is noticed even if the number of rows is unchanged."""
        for options in ([], ["--format", "csv"]):
            files = self.shards(4, *options, "--restart")
            whole = self.answered("sweep", self.grid, *options)
            text = files[1].read_text()
            lines = text.splitlines(keepends=True)
            at = text.rindex("0.") + 2
            digit = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:]
            first = 1 if options else 0
            swapped = lines[:first] + [lines[first + 1], lines[first]] + lines[first + 2:]
            for wrong in (digit, "".join(swapped), files[2].read_text(), "".join(lines[:-1] + lines[-2:-1])):
                files[1].write_text(wrong)
                self.refused(["merge", *files], files[1].name, "shard 2/4", "changed", "--restart")
            files[1].write_text(digit)
            self.refused(["sweep", self.grid, "--shard", "2/4", "--out", files[1], *options], "changed", "--restart", notes=1)
            self.answered("sweep", self.grid, "--shard", "2/4", "--out", files[1], "--restart", *options)
            self.assertEqual(files[1].read_text(), text)
            self.assertEqual(self.answered("merge", *files), whole)

    def test_killed_at_the_end(self):
        """Every row exists, but nothing proves that they are the rows of this shard."""
        files = self.shards(2)
        about = Path(f"{files[1]}.grid")
        sealed = about.read_text()
        about.write_text(re.sub("^rows .*\n", "", sealed, flags=re.M))
        self.refused(["merge", *files], files[1].name, "not finished", "start its sweep again")
        self.answered("sweep", self.grid, "--shard", "2/2", "--out", files[1])
        self.assertEqual(about.read_text(), sealed)
        self.answered("merge", *files)

    def test_remedies_that_work(self):
        """Rows that a sweep cannot resume from must be computed again, and the sweep says so too."""
        for options in ([], ["--format", "csv"]):
            files = self.shards(2, *options, "--restart")
            whole = self.answered("merge", *files)
            about = Path(f"{files[1]}.grid")
            text, sealed = files[1].read_text(), about.read_text()
            lines = text.splitlines(keepends=True)
            words = ["sweep", self.grid, "--shard", "2/2", "--out", files[1], *options]
            more, gap = text + "".join(lines[-3:]), "".join(lines[:5] + lines[6:])
            for wrong, line in ((more, len(lines) + 1), (gap, 6), (gap + lines[-1], 6), (text[:-9] + "\0" + text[-8:], len(lines))):
                for unsealed in (False, True):
                    files[1].write_text(wrong)
                    about.write_text(re.sub("^rows .*\n", "", sealed, flags=re.M) if unsealed else sealed)
                    self.refused(["merge", *files], "shard 2/2", "--restart")
                    if line:
                        self.refused(words, f"line {line} of", files[1].name, "--restart")
            files[1].write_text("".join(lines[:len(lines) // 2]))
            self.refused(["merge", *files], "to complete it")
            self.answered(*words)
            files[1].write_text(gap)
            self.answered(*words, "--restart")
            self.assertEqual(self.answered("merge", *files), whole)

    def test_an_input_is_not_overwritten(self):
        files = self.shards(2)
        before = {path: path.read_bytes() for path in self.folder.iterdir()}
        for out in (files[0], files[1], f"{files[1]}.grid", self.folder / "." / files[0].name):
            self.refused(["merge", *files, "--out", out], "--out", "is an input")
        part = files[1].rename(self.folder / "whole.part")
        Path(f"{files[1]}.grid").rename(f"{part}.grid")
        self.refused(["merge", files[0], part, "--out", self.folder / "whole"], "whole.part", "is an input")
        part.rename(files[1])
        Path(f"{part}.grid").rename(f"{files[1]}.grid")
        self.refused(["sweep", self.grid, "--out", self.grid, "--restart"], "is an input")
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_one_process_at_a_time(self):
        """A file locked by another process is not read, truncated or restarted."""
        out = self.shards(1)[0]
        out.write_text(out.read_text()[:-9])
        before = {path: path.read_bytes() for path in self.folder.iterdir()}
        with open(f"{out}.grid", "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            for more in ([], ["--restart"]):
                self.refused(["sweep", self.grid, "--shard", "1/1", "--out", out, *more], "another salvo is writing", out.name)
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, before)
        self.answered("sweep", self.grid, "--shard", "1/1", "--out", out)
        self.assertEqual(out.read_text(), self.answered("sweep", self.grid))

    def test_two_at_once(self):
        """Of processes that share a file, each is refused or succeeds, and the file is complete, whatever the timing."""
        whole, out = self.answered("sweep", self.grid), self.folder / "rows"
        for more in ([], ["--restart"]):
            for _ in range(5):
                words = [SALVO, "sweep", str(self.grid), "--out", str(out), *more]
                both = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(2)]
                errors = [process.communicate()[1] for process in both]
                ends = [process.returncode for process in both]
                self.assertIn(0, ends)
                for status, text in zip(ends, errors):
                    self.assertTrue(status == 0 or "another salvo" in text or "start again" in text, text)
                self.assertEqual(out.read_text(), whole)
                if not more:
                    out.unlink()

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


SAMPLE = ["--engine", "sample"]
DUEL = ["-a", "3 focus lock range=1", "-a", "3 focus", "-d", "3 focus evade hull=4 shields=1"]


class Counts(Case):
    """Shards of a sampled run."""

    def shards(self, count, *words, name="shard", options=()):
        out = [self.folder / f"{name}-{number}.counts" for number in range(1, count + 1)]
        for number, file in enumerate(out, 1):
            self.assertEqual(self.answered("run", *words, "--shard", f"{number}/{count}", "--out", file, *options), "")
        return out

    def compare(self, words, counts=(1, 3, 7), formats=("json",)):
        generator = random.Random(5)
        for count in counts:
            files = self.shards(count, *words, options=["--restart"])
            for form in formats:
                whole = self.answered("run", *words, "--format", form)
                generator.shuffle(files)
                self.assertEqual(self.answered("merge", *files, "--format", form), whole, (words, count, form))
            out = self.folder / "whole.json"
            self.assertEqual(self.answered("merge", *files, "--out", out), "")
            self.assertEqual(out.read_text(), self.answered("run", *words, "--format", "json"))

    def test_same_bytes(self):
        self.compare([*DUEL, *SAMPLE, "--trials", "300001"], formats=("json", "csv", "table"))
        self.compare([*DUEL, *SAMPLE, "--trials", "1000"])  # few enough for another kernel
        self.compare([*DUEL, *SAMPLE, "--trials", "3"])  # some shards have none
        for more in (["--generator", "xoshiro256++", "--seed", "18446744073709551615"], ["--generator", "ars-7", "--no-tokens"],
                     ["--damage-deck", "core", "--objective", "exchange", "--seed", "9"], ["--target", "reference"],
                     ["--attacker-policy", "greedy", "--budget", "1e6"]):
            self.compare([*DUEL, *SAMPLE, "--trials", "66000", *more], counts=(3,), formats=("json", "table"))
        self.compare([*DUEL, *SAMPLE, "--trials", "66000", "--rounds", "2"], counts=(3,), formats=("json", "table"))
        self.compare(["-a", "X-wing", "-d", "2", "--return", "3", *SAMPLE, "--trials", "66000"], counts=(2,))

    def test_default_policy_that_became_greedy(self):
        self.compare([*DUEL, *SAMPLE, "--trials", "30000", "--budget", "30"], counts=(2,))
        self.assertIn("greedy", self.answered("merge", self.folder / "shard-1.counts", self.folder / "shard-2.counts"))

    def test_files_travel_with_the_shard(self):
        """A shard contains every file that the question names, so it can be merged where they do not exist."""
        card = (PROFILES / "cards" / "upgrade" / "predator.toml").read_text()
        (self.folder / "mine.toml").write_text(re.sub("^id = .*$", 'id = "mine"', card, flags=re.M))
        (self.folder / "policy.toml").write_text('format = 1\nname = "thrifty"\n[[rule]]\nspend = 0\n')
        rules = (PROFILES / "rules" / "second-edition.toml").read_text()
        (self.folder / "house.toml").write_text(re.sub("^id = .*$", 'id = "house"', rules, count=1, flags=re.M))
        scenario = GRID.split("[grid]")[0].replace("attack = 3", 'attack = 3\nupgrades = ["mine"]')
        (self.folder / "duel.toml").write_text('defender_policy = "policy.toml"\n' + scenario)
        file = self.folder / "duel.toml"
        words = [file, "--card", self.folder / "mine.toml", "--rules", self.folder / "house.toml", *SAMPLE, "--trials", "50000"]
        whole = self.answered("run", *words)
        files = self.shards(2, *words)
        for one in self.folder.glob("*.toml"):
            one.unlink()
        self.assertEqual(self.answered("merge", *files), whole)

    def test_what_does_not_fit(self):
        words = [*DUEL, *SAMPLE, "--trials", "30000"]
        files = self.shards(3, *words)
        self.refused(["merge", files[0], files[2]], "missing", "2/3")
        self.refused(["merge", *files, files[1]], "same shard", files[1].name)
        others = {"seed": [*words, "--seed", "5"], "trials": [*DUEL, *SAMPLE, "--trials", "30001"],
                  "generator": [*words, "--generator", "ars-7"], "question": [*words, "--objective", "kill"]}
        for word, other in others.items():
            other = self.shards(3, *other, name=word)[1]
            self.refused(["merge", files[0], other, files[2]], f"another {word}", other.name)
        self.refused(["merge", files[0], self.shards(4, *words, name="four")[1], files[2]], "one of 4")
        text = files[1].read_text()
        files[1].write_text(re.sub("^version .*$", "version 9.9.9 abc", text, flags=re.M))
        self.refused(["merge", *files], "another version", "9.9.9", files[1].name)
        grid = self.folder / "grid.toml"
        grid.write_text(GRID)
        rows = self.folder / "rows"
        self.answered("sweep", grid, "--shard", "2/3", "--out", rows)
        self.refused(["merge", files[0], rows, files[2]], "a shard of a sweep", rows.name)
        self.refused(["merge", rows, "--format", "csv"], "missing")
        self.refused(["run", *words, "--shard", "1/3", "--out", rows], "holds no counts", rows.name)
        self.refused(["run", *words, "--shard", "1/3", "--out", files[2]], "another question", files[2].name)

    def test_changed_and_cut_off(self):
        words = [*DUEL, *SAMPLE, "--trials", "30000"]
        files = self.shards(2, *words)
        text = files[1].read_text()
        digit = text.rindex("counts ") + len("counts ")
        for wrong in (text[:-1], text[:-20], text[:len(text) // 2], text[:digit] + "9" + text[digit:], text + "x",
                      text.replace("played 15000", "played 15001")):
            files[1].write_text(wrong)
            self.refused(["merge", *files], files[1].name)
        files[1].write_text(text)
        self.answered("merge", *files)

    def test_killed(self):
        """A killed shard resumes, and the merged result is the same."""
        begun = time.perf_counter()
        self.answered("run", *DUEL, *SAMPLE, "--trials", "5e7", "--threads", "1")
        trials = str(int(4 * 5e7 / (time.perf_counter() - begun)) * 2 + 1)  # a shard of some 4 s
        words = [*DUEL, *SAMPLE, "--trials", trials, "--threads", "1"]
        files = [self.folder / f"{number}.counts" for number in (1, 2)]
        shard = [*map(str, words), "--shard", "2/2", "--out", str(files[1])]

        def played():
            try:
                return int(re.search(r"^played (\d+)$", files[1].read_text(), re.M)[1])
            except FileNotFoundError:
                return 0

        before = 0
        for _ in range(2):
            with subprocess.Popen([SALVO, "run", *shard], stderr=subprocess.DEVNULL) as process:
                while process.poll() is None and played() == before:
                    time.sleep(0.02)
                process.send_signal(signal.SIGKILL)
            if before < int(trials) // 2:  # a fast machine can finish before it is killed
                self.assertGreater(played(), before)
            before = played()
        self.refused(["merge", files[1]], "missing", "1/2")
        self.answered("run", *words, "--shard", "1/2", "--out", files[0])
        if before < int(trials) // 2:
            self.refused(["merge", *files], files[1].name, "trials", "to complete it")
        again = run("run", *shard)
        self.assertIn("trials are in", again.stderr)
        self.assertEqual(self.answered("merge", *files), self.answered("run", *words[:-2]))

    def test_one_process_at_a_time(self):
        words = [*DUEL, *SAMPLE, "--trials", "30000"]
        out = self.shards(1, *words)[0]
        before = out.read_bytes()
        with open(out, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            for more in ([], ["--restart"]):
                self.refused(["run", *words, "--out", out, *more], "another salvo is writing", out.name)
        self.assertEqual(out.read_bytes(), before)
        fresh = self.folder / "fresh"
        with open(f"{fresh}.part", "wb") as held:  # as by a process that has just started
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refused(["run", *words, "--out", fresh], "another salvo is writing", fresh.name)
        self.assertFalse(fresh.exists())

    def test_an_input_is_not_overwritten(self):
        policy = self.folder / "policy.toml"
        policy.write_text('format = 1\nname = "thrifty"\n[[rule]]\nspend = 0\n')
        duel = self.folder / "duel.toml"
        duel.write_text('defender_policy = "policy.toml"\n' + GRID.split("[grid]")[0])
        for words in ([duel, "--out", duel], [duel, "--out", policy],
                      [*DUEL, "--attacker-policy", policy, "--out", policy]):
            before = {path: path.read_bytes() for path in self.folder.iterdir()}
            self.refused(["run", *words, *SAMPLE, "--trials", "1000", "--restart"], "--out", "is an input")
            self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_resumes(self):
        """Without --shard the answer is printed, and a second run reuses the counts."""
        words = ["run", *DUEL, *SAMPLE, "--trials", "70000"]
        whole = self.answered(*words)
        out = self.folder / "counts"
        self.assertEqual(self.answered(*words, "--out", out), whole)
        again = run(*words, "--out", out)
        self.assertEqual(again.stdout, whole)
        self.assertIn("70,000 of 70,000 trials are in", again.stderr)
        self.assertEqual(self.answered("merge", out), whole)
        self.assertNotIn("trials are in", run(*words, "--out", out, "--restart").stderr)

    def test_wrong_words(self):
        out = self.folder / "x"
        whole = ["run", *DUEL, "--out", out]
        for text in ("0/3", "4/3", "1", "a/b"):
            self.refused([*whole, *SAMPLE, f"--shard={text}"], "--shard")
        self.refused(["run", *DUEL, *SAMPLE, "--shard", "1/2"], "--out")
        self.refused([*whole, "--shard", "1/2"], "--engine sample")
        self.refused([*whole, "--engine", "both"], "--engine sample")
        self.refused([*whole, *SAMPLE, "--precision", "0.1"], "--trials")
        self.refused([*whole, *SAMPLE, "--shard", "1/2", "--format", "csv"], "--format")
        self.refused(["run", *DUEL, *SAMPLE, "--restart"], "--out")
        self.refused(["run", *DUEL, *SAMPLE, "--out", self.folder / "no" / "such"], "--out")
        self.assertFalse(out.exists())


class JobFiles(Case):
    """The job files of examples/cluster, each with its scheduler or a stand-in that starts the jobs one by one."""

    def setUp(self):
        super().setUp()
        (self.folder / "grid.toml").write_text(GRID)
        self.whole = run("sweep", self.folder / "grid.toml").stdout

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
        for _ in range(2):  # the second time nothing is left to do
            self.started(str(CLUSTER / "parallel.sh"), "grid.toml", "out.ndjson", "5")

    @unittest.skipUnless(shutil.which("snakemake"), "Snakemake is not installed")
    def test_snakemake(self):
        self.started("snakemake", "-s", str(CLUSTER / "Snakefile"), "--cores", "2", "--config", "grid=grid.toml",
                     "out=out.ndjson", "n=5", f"salvo={SALVO}")

    def test_kubernetes(self):
        """Runs the command of each pod in a shell."""
        text = (CLUSTER / "kubernetes.yaml").read_text()
        count = int(re.search(r"completions: (\d+)", text)[1])
        self.assertEqual(re.search(r'name: N\n *value: "(\d+)"', text)[1], str(count))
        script = re.search(r"args:\n *- \|\n((?: {14}.*\n)+)", text)[1].replace("/data/", f"{self.folder}/")
        script = script.replace("exec salvo", f"exec {SALVO}")
        for index in range(count):
            subprocess.run(["sh", "-e", "-c", script], check=True, capture_output=True,
                           env={**os.environ, "N": str(count), "JOB_COMPLETION_INDEX": str(index)})
        files = sorted((self.folder / "shards").glob("*.rows"))
        self.assertEqual(run("merge", *files).stdout, self.whole)


if __name__ == "__main__":
    main()
