#!/usr/bin/env python3
"""test_mpi.py SALVO SALVO_MPI [unittest options]: salvo-mpi with several ranks on this machine gives the same bytes as salvo.

Only this test passes the options that allow more ranks than cores, and root.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "support"))
from program import DUEL_TOML, Case, main, run

GRID = DUEL_TOML + """
[grid]
"ships.a.attack" = [1, 2, 3, 4, 5]
"ships.d.agility" = [0, 1, 2, 3, 4]
"ships.a.tokens.focus" = [0, 1]
"ships.d.tokens.evade" = [0, 1, 2]
"ships.d.hull" = { from = 1, to = 40 }
"""
CELLS = 5 * 5 * 2 * 3 * 40
DUEL = ["-a", "3 focus lock range=1", "-a", "3 focus", "-d", "3 focus evade hull=4 shields=1", "--engine", "sample"]
HERE = {**os.environ, "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "NO_COLOR": "1"}


def mpirun(ranks, *words, machines=1):
    """`machines`: the number of machines that the ranks pretend to be on."""
    start = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)]
    if machines > 1:
        start += ["sh", "-c", f'SALVO_MPI_MACHINE=$((OMPI_COMM_WORLD_RANK % {machines})) exec "$0" "$@"']
    return [*start, SALVO_MPI, *map(str, words)]


def team(ranks, *words, machines=1, timeout=300):
    return subprocess.run(mpirun(ranks, *words, machines=machines), capture_output=True, text=True, check=False,
                          timeout=timeout, env=HERE)


def ranks_of(process):
    """The process ids of the ranks that this mpirun started."""
    out = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(re.search(r"^PPid:\s*(\d+)", (folder / "status").read_text(), re.M)[1])
            rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", (folder / "environ").read_bytes())
        except (OSError, TypeError):
            continue
        if parent == process.pid and rank:
            out.append((int(rank[1]), int(folder.name)))
    return [pid for _, pid in sorted(out)]


def processor_time(pid):
    """The processor time of a process in ticks."""
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))


def runs(pid):
    """Whether a process is running and not a zombie."""
    try:
        return not re.search(r"^State:\s*[ZX]", Path(f"/proc/{pid}/status").read_text(), re.M)
    except OSError:
        return False


@unittest.skipUnless(shutil.which("mpirun"), "skipped: mpirun is not installed")
class Mpi(Case):
    def setUp(self):
        super().setUp()
        self.grid = self.folder / "grid.toml"
        self.grid.write_text(GRID)

    def same(self, ranks, *words):
        alone = run(*words)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for machines in sorted({1, min(2, ranks), ranks}):
            with self.subTest(words=words, ranks=ranks, machines=machines):
                many = team(ranks, *words, machines=machines)
                self.assertEqual(many.returncode, 0, many.stderr)
                self.assertEqual(many.stdout, alone.stdout)

    def test_sweep(self):
        self.same(4, "sweep", self.grid)
        self.same(4, "sweep", self.grid, "--format", "csv", "--columns", "axes,mean")
        self.same(3, "sweep", self.grid, "--threads", "2")
        self.same(2, "sweep", self.grid, "--threads", "1")
        self.same(1, "sweep", self.grid)

    def test_sweep_into_a_file(self):
        ours, theirs = self.folder / "ours.ndjson", self.folder / "theirs.ndjson"
        self.assertEqual(run("sweep", self.grid, "--out", ours).returncode, 0)
        for machines in (1, 4):
            done = team(4, "sweep", self.grid, "--restart", "--out", theirs, machines=machines)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            self.assertEqual(theirs.read_bytes(), ours.read_bytes())
            self.assertEqual(Path(f"{theirs}.grid").read_text(), Path(f"{ours}.grid").read_text())
        shards = [self.folder / "1.rows", self.folder / "2.rows"]  # shards of both programs can be merged
        self.assertEqual(run("sweep", self.grid, "--shard", "1/2", "--out", shards[0]).returncode, 0)
        self.assertEqual(team(4, "sweep", self.grid, "--shard", "2/2", "--out", shards[1]).returncode, 0)
        self.assertEqual(run("merge", *shards).stdout, ours.read_text())

    def test_invalid_cells(self):
        self.grid.write_text(GRID.replace("[1, 2, 3, 4, 5]", "[1, 99]"))
        for machines in (1, 3):
            many = team(3, "sweep", self.grid, machines=machines)
            self.assertEqual(many.stdout, run("sweep", self.grid).stdout)
            self.assertEqual(many.stderr.count("cells could not be answered"), 1)

    def test_run(self):
        for form in ("json", "table"):
            self.same(4, "run", *DUEL, "--trials", "3000001", "--format", form)
        self.same(3, "run", *DUEL, "--trials", "10", "--generator", "xoshiro256++", "--threads", "2")
        self.same(4, "run", *DUEL, "--trials", "200000", "--damage-deck", "core", "--no-tokens")
        shards = [self.folder / "1.counts", self.folder / "2.counts"]
        words = [*DUEL, "--trials", "1000001"]
        self.assertEqual(run("run", *words, "--shard", "1/2", "--out", shards[0]).returncode, 0)
        self.assertEqual(team(4, "run", *words, "--shard", "2/2", "--out", shards[1]).returncode, 0)
        self.assertEqual(run("merge", *shards).stdout, run("run", *words).stdout)

    def test_one_process_of_a_machine_works(self):
        """The working rank uses the processors of all ranks. The others use hardly any time."""
        words = ["run", *DUEL, "--trials", "1e14", "--threads", "1", "--out", self.folder / "counts"]
        with subprocess.Popen(mpirun(4, *words), env=HERE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            try:
                end = time.monotonic() + 60
                while True:
                    self.assertIsNone(process.poll())
                    pids = ranks_of(process)
                    times = [processor_time(pid) for pid in pids]
                    if len(pids) == 4 and times[0] > 5 * max(times[1:]):
                        break
                    self.assertLess(time.monotonic(), end, times)
                    time.sleep(0.1)
            finally:
                process.terminate()
                process.wait(60)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "skipped: there is one processor only")
    def test_processors_of_bound_ranks(self):
        """Each rank is bound to one processor, and the working rank uses both."""
        words = ["run", *DUEL, "--trials", "1e14", "--out", self.folder / "counts"]
        command = mpirun(2, *words)
        with subprocess.Popen([command[0], "--bind-to", "core", *command[1:]], env=HERE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            try:
                end = time.monotonic() + 60
                while not (self.folder / "counts").exists():
                    self.assertIsNone(process.poll())
                    self.assertLess(time.monotonic(), end)
                    time.sleep(0.1)
                first, second = map(os.sched_getaffinity, ranks_of(process))
                self.assertLess(second, first)
            finally:
                process.terminate()
                process.wait(60)

    def test_a_rank_that_dies(self):
        """The job ends and saves its results, and a second run resumes from them."""
        words = ["sweep", self.grid, "--engine", "sample", "--trials", "400000", "--threads", "1"]
        whole = run(*words).stdout
        out = self.folder / "rows"
        for victim, machines in ((3, 4), (3, 1), (0, 4), (0, 1)):
            with subprocess.Popen(mpirun(4, *words, "--out", out, machines=machines), env=HERE,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                before = out.read_bytes().count(b"\n") if out.exists() else 0
                while process.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") <= before + 100):
                    time.sleep(0.01)
                pids = ranks_of(process)
                self.assertEqual(len(pids), 4)
                os.kill(pids[victim], signal.SIGKILL)
                self.assertNotEqual(process.wait(60), 0)
            end = time.monotonic() + 20
            while any(map(runs, pids)):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
            rows = out.read_bytes().count(b"\n")
            self.assertGreater(rows, before)
            self.assertLess(rows, CELLS)
        again = team(4, *words, "--out", out)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertRegex(again.stderr, rf"of {CELLS:,} cells are in")
        self.assertEqual(out.read_text(), whole)

    def test_a_rank_of_a_sampling_that_dies(self):
        words = ["run", *DUEL, "--trials", "1e14", "--threads", "1"]  # hours on the fastest machine
        out = self.folder / "counts"

        def played():
            found = re.search(r"^played (\d+)$", out.read_text(), re.M) if out.exists() else None
            return int(found[1]) if found else 0

        with subprocess.Popen(mpirun(4, *words, "--out", out), env=HERE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and played() == 0:
                time.sleep(0.01)
            self.assertIsNone(process.poll())
            os.kill(ranks_of(process)[2], signal.SIGKILL)
            self.assertNotEqual(process.wait(60), 0)
        saved = played()
        self.assertGreater(saved, 0)
        with subprocess.Popen(mpirun(4, *words, "--out", out), env=HERE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and played() == saved:
                time.sleep(0.01)
            process.terminate()
            process.wait(60)
        self.assertGreater(played(), saved)

    def refused(self, words, *parts, status=2):
        done = team(4, *words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        said = [line for line in done.stderr.splitlines() if line.startswith("salvo")]
        self.assertEqual(len(said), 1, done.stderr)
        for part in parts:
            self.assertIn(part, said[0])

    def test_what_is_refused(self):
        """The error is printed once, though all ranks find it."""
        self.refused(["sweep", self.folder / "no.toml"], "no.toml")
        self.refused(["sweep", self.grid, "--nope"], "--nope")
        self.refused(["sweep", self.grid, "--out", self.folder / "x.sqlite"], "database")
        self.refused(["run", *DUEL[:-2]], "--engine sample")
        self.refused(["run", *DUEL, "--precision", "0.01"], "--trials")
        other = self.folder / "other"
        other.write_text("not ours\n")
        self.refused(["sweep", self.grid, "--out", other], "other")  # an error that only rank 0 finds
        self.refused(["run", *DUEL, "--out", other], "no counts")
        usage = team(2, "advise")
        self.assertEqual((usage.returncode, usage.stderr.count("usage:")), (2, 1))
        self.assertEqual(team(2, "sweep", "--help").stdout.count("usage:"), 1)

    def test_ranks_with_other_files(self):
        """The message names the machine whose grid differs."""
        script = self.folder / "rank.sh"
        (self.folder / "2.toml").write_text(GRID.replace("hull = 4", "hull = 5"))
        script.write_text(f'#!/bin/sh\ncd {self.folder}\n[ "$OMPI_COMM_WORLD_RANK" = 2 ] && cp 2.toml mine-2.toml\n'
                          'cp -n grid.toml mine-$OMPI_COMM_WORLD_RANK.toml\n'
                          f'exec {SALVO_MPI} sweep mine-$OMPI_COMM_WORLD_RANK.toml\n')
        script.chmod(0o755)
        done = subprocess.run(["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "4", str(script)],
                              capture_output=True, text=True, check=False, timeout=120, env=HERE)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "rank 2 on .* has another question than rank 0")


if __name__ == "__main__":
    SALVO_MPI = str(Path(sys.argv.pop(2)).resolve())
    os.environ.setdefault("NO_COLOR", "1")
    main()
