#!/usr/bin/env python3
"""test_faults.py SALVO LIBRARY [unittest options]: a full disk, short writes, files that vanish, a clock that jumps, SIGTERM and
SIGKILL in sweeps, samplings, merges, atlases and the server. Each must end with an error message, and a run that resumes must give
the bytes of an undisturbed run.

LIBRARY is tests/faults/faulty_system.cpp, which causes these faults after a given number of bytes, so no test depends on time.
"""

import fcntl
import http.client
import json
import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROFILES = Path(__file__).resolve().parents[2] / "profiles"
GRID = """
cards = "2025"
[ships.a]
pilot = "lukeskywalker"
tokens = { focus = 1 }
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
[grid]
"ships.a.tokens.focus" = [0, 1]
"ships.a.upgrades" = [[], ["predator"]]
"ships.d.agility" = [0, 1, 2, 3]
"ships.d.hull" = { from = 1, to = 50 }
"""
CELLS = 2 * 2 * 4 * 50
FEW = {"xwing", "tiefighter"}  # ships of the atlas
SAMPLED = ["run", "-a", "3 focus lock", "-d", "3 evade hull=3", "--engine", "sample", "--trials", "200000", "--threads", "1"]


def salvo(*words, fault="", profiles=PROFILES, **more):
    environment = {**os.environ, "SALVO_PROFILES": str(profiles)}
    if fault:
        environment |= {"LD_PRELOAD": LIBRARY, "SALVO_FAULT": fault}
    return subprocess.run([SALVO, *map(str, words)], check=False, env=environment, timeout=120,
                          **{"capture_output": True, "text": True, **more})


def faults(size, *names):
    """These faults at the first byte, in the middle and at the last byte."""
    return [f"{name}:{at}" for name in names for at in (0, 1, size // 3, 2 * size // 3, size - 1)]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.grid = self.folder / "grid.toml"
        self.grid.write_text(GRID)

    def done(self, *words, **more):
        result = salvo(*words, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def fails_with(self, result, *words):
        """It failed with an error message that does not report an internal error."""
        self.assertIn(result.returncode, (2, 4), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("our fault", result.stderr)

    def broken(self, fault, *words):
        """Runs the command with a fault that ends it, and checks the message if it can still print one."""
        result = salvo(*words, fault=fault)
        if fault.startswith("full"):
            self.fails_with(result, "No space left" if "sqlite" not in str(words) else "full")
        else:
            self.assertEqual(result.returncode, -(signal.SIGKILL if fault.startswith("kill") else signal.SIGTERM), result.stderr)


@unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers have to be loaded before other libraries")
class Work(Case):
    """Output files that an interrupted run resumes from."""

    def resumes(self, words, out, all_faults, text=Path.read_bytes):
        self.done(*words, "--out", out)
        whole = text(out)
        broken = out.with_stem("broken")
        for fault in all_faults(out.stat().st_size):
            with self.subTest(fault=fault):
                for path in self.folder.glob("broken*"):
                    path.unlink()
                self.broken(fault, *words, "--out", broken)
                self.done(*words, "--out", broken)
                self.assertEqual(text(broken), whole)
                self.assertEqual(list(self.folder.glob("*.part")), [])
        broken.unlink()
        self.done(*words, "--out", broken, fault="short")
        self.assertEqual(text(broken), whole)

    def test_sweep(self):
        for form in ("json", "csv"):
            self.resumes(["sweep", self.grid, "--format", form], self.folder / form, lambda size: faults(size, "full", "kill", "term"))

    def test_many_faults_in_one_sweep(self):
        """Each run adds some lines until the disk is full, or it is killed, in turns."""
        whole, out = self.done("sweep", self.grid), self.folder / "out"
        for number in range(1000):
            result = salvo("sweep", self.grid, "--out", out, fault=f"{('full', 'kill', 'term')[number % 3]}:{len(whole) // 7}")
            if result.returncode == 0:
                break
        self.assertGreater(number, 4)
        self.assertEqual(out.read_text(), whole)

    def test_sweep_into_a_database(self):
        def rows(file):
            with sqlite3.connect(file) as database:
                self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                return database.execute("SELECT * FROM cells ORDER BY cell").fetchall()

        out = self.folder / "whole.sqlite"
        if "built without SQLite" in salvo("sweep", self.grid, "--out", out).stderr:
            self.skipTest("salvo was built without SQLite")
        out.unlink()
        self.resumes(["sweep", self.grid], out, lambda size: faults(size, "full", "kill", "term"), rows)

    def test_sampling(self):
        self.resumes([*SAMPLED, "--shard", "1/1"], self.folder / "counts", lambda size: faults(size, "full", "kill", "term"))

    def test_sampling_keeps_what_it_has_when_the_disk_is_full(self):
        out = self.folder / "counts"
        self.done(*SAMPLED, "--shard", "1/1", "--out", out)
        before = out.read_bytes()
        self.fails_with(salvo(*SAMPLED, "--shard", "1/1", "--out", out, fault="full:5"), "No space left")
        self.assertEqual(out.read_bytes(), before)

    def test_picture(self):
        """An existing picture stays until the new one is complete."""
        out = self.folder / "picture.svg"
        words = ["run", "-a", "3 focus", "-d", "2 hull=3", "--plot", out]
        self.done(*words)
        whole = out.read_bytes()
        for fault in faults(len(whole), "full", "kill", "term"):
            out.write_bytes(b"what was there")
            self.broken(fault, *words)
            self.assertEqual(out.read_bytes(), b"what was there", fault)
        self.done(*words, fault="short")
        self.assertEqual(out.read_bytes(), whole)
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_merge(self):
        shards = [self.folder / f"{number}.rows" for number in (1, 2)]
        for number, file in enumerate(shards, 1):
            self.done("sweep", self.grid, "--shard", f"{number}/2", "--out", file)
        out = self.folder / "merged"
        self.done("merge", *shards, "--out", out)
        whole = out.read_bytes()
        for fault in faults(len(whole), "full", "kill", "term"):
            for before in (None, b"what was there"):
                out.unlink(missing_ok=True)
                if before is not None:
                    out.write_bytes(before)
                self.broken(fault, "merge", *shards, "--out", out)
                # Complete, or as if nothing had been done.
                self.assertEqual(out.read_bytes() if out.exists() else None, before, fault)
        self.done("merge", *shards, "--out", out)
        self.assertEqual(out.read_bytes(), whole)
        self.done("merge", *shards, "--out", out, fault="short")
        self.assertEqual(out.read_bytes(), whole)
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_merge_when_a_shard_has_gone(self):
        shards = [self.folder / f"{number}.rows" for number in (1, 2)]
        for number, file in enumerate(shards, 1):
            self.done("sweep", self.grid, "--shard", f"{number}/2", "--out", file)
        out = self.folder / "merged"
        result = salvo("merge", *shards, "--out", out, fault=f"gone:{shards[0].stat().st_size // 2}:{shards[1]}")
        self.fails_with(result, str(shards[1]))
        self.assertFalse(out.exists())

    def small_profiles(self):
        """The profiles with two ships of the smallest card set, so that its atlas takes a second."""
        profiles = self.folder / "profiles"
        shutil.copytree(PROFILES, profiles)
        for name, column in (("ships.tsv", 0), ("pilots.tsv", 1)):
            index = profiles / "ships" / "first-edition" / name
            index.write_text("".join(line for line in index.read_text().splitlines(True)
                                     if line.startswith("#") or line.rstrip("\n").split("\t")[column] in FEW))
        return profiles

    def test_atlas(self):
        profiles = self.small_profiles()

        def tree(folder):
            return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

        def atlas(out, fault=""):
            return salvo("atlas", "--cards", "first-edition", "--trials", "1000", "--out", out, fault=fault, profiles=profiles)

        whole = self.folder / "whole"
        self.assertEqual(atlas(whole).returncode, 0)
        self.assertGreater(len(tree(whole)), 10)
        size, out = sum(len(text) for text in tree(whole).values()), self.folder / "broken"
        # One after the other in the same folder: each resumes where the previous one stopped.
        for number, at in enumerate((0, 10, size // 6, size // 6, size // 6, size // 6)):
            name = ("full", "kill", "term")[number % 3]
            result = atlas(out, f"{name}:{at}")
            self.assertNotEqual(result.returncode, 0)
            if name == "full":
                self.fails_with(result, "No space left")
            self.assertFalse((out / "index.json").exists())
        with open(out / "index.part.grid", "rb") as held:  # as by another process that is running
            fcntl.flock(held, fcntl.LOCK_EX)
            before = tree(out)
            self.fails_with(atlas(out), "another salvo is writing")
            self.assertEqual(tree(out), before)
        self.assertEqual(atlas(out).returncode, 0)
        self.assertEqual(tree(out), tree(whole))
        self.fails_with(atlas(self.folder / "gone", f"gone:{size // 2}:{self.folder / 'gone'}"), "gone")
        short = self.folder / "short"
        self.assertEqual(atlas(short, "short").returncode, 0)
        self.assertEqual(tree(short), tree(whole))

    def test_an_atlas_over_its_squad(self):
        squad = self.folder / "out" / "squads" / "mine.json"
        squad.parent.mkdir(parents=True)
        text = json.dumps({"faction": "rebelalliance", "pilots": [{"id": "rookiepilot", "ship": "xwing"}]})
        squad.write_text(text)
        self.fails_with(salvo("atlas", squad, "--cards", "first-edition", "--out", self.folder / "out", profiles=self.small_profiles()),
                  "mine.json", "is an input")
        self.assertEqual(squad.read_text(), text)

    def test_the_file_of_a_sweep_has_gone(self):
        out = self.folder / "out" / "rows"
        size = len(self.done("sweep", self.grid))
        for path in (out, out.parent):  # the file, and its folder
            out.parent.mkdir(exist_ok=True)
            self.fails_with(salvo("sweep", self.grid, "--out", out, fault=f"gone:{size // 2}:{path}"), str(out), "removed")

    def test_the_profiles_have_gone(self):
        """The sweep fails: answers ignore cards without a file, but these cards have one."""
        profiles = self.folder / "profiles"
        shutil.copytree(PROFILES, profiles)
        whole, out = self.done("sweep", self.grid), self.folder / "out"
        result = salvo("sweep", self.grid, "--out", out, fault=f"gone:0:{profiles}", profiles=profiles)
        self.fails_with(result, "profiles")
        self.assertTrue(whole.startswith(out.read_text()))
        Path(f"{profiles}.gone").rename(profiles)
        self.done("sweep", self.grid, "--out", out, profiles=profiles)
        self.assertEqual(out.read_text(), whole)

    def test_the_clock_jumps(self):
        for words in ([*SAMPLED, "--format", "json"], ["sweep", self.grid], [*SAMPLED[:-4], "--precision", "0.01", "--format", "json"]):
            self.assertEqual(self.done(*words, fault="clock"), self.done(*words))


class Places(Case):
    """Devices, pipes and foreign files are not removed."""

    def test_devices_and_pipes_stay(self):
        shard = self.folder / "1.rows"
        self.done("sweep", self.grid, "--shard", "1/1", "--out", shard)
        device, pipe, folder = (self.folder / name for name in ("device", "pipe", "folder"))
        os.mkfifo(pipe)
        folder.mkdir()
        device.symlink_to("/dev/full")
        for words in (["sweep", self.grid], ["sweep", self.grid, "--restart"], ["merge", shard], SAMPLED):
            for out in (device, pipe, folder):
                self.fails_with(salvo(*words, "--out", out), str(out))
        self.assertTrue(device.is_symlink() and stat.S_ISFIFO(pipe.stat().st_mode) and folder.is_dir())
        self.assertEqual(os.readlink(device), "/dev/full")

    def test_a_grid_that_is_called_like_the_identity_of_its_sweep(self):
        grid = self.folder / "mine.grid"
        grid.write_text(GRID)
        for more in ([], ["--restart"]):
            self.fails_with(salvo("sweep", grid, "--out", self.folder / "mine", *more), "mine.grid", "choose another")
        self.assertEqual(grid.read_text(), GRID)

    def test_printing_to_a_full_disk(self):
        shard = self.folder / "1.rows"
        self.done("sweep", self.grid, "--shard", "1/1", "--out", shard)
        question = json.dumps({"attack": "3", "defend": "2"})
        for words, text in ((["sweep", self.grid], ""), (["merge", shard], ""), (SAMPLED, ""), (["request", "run", "-"], question),
                            (["batch"], '{"ships": {}}\n'), (["ships"], ""), (["cards", "show", "predator"], ""), (["--help"], "")):
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = salvo(*words, capture_output=False, stdout=full, stderr=subprocess.PIPE, input=text)
            self.assertEqual(result.returncode, 4, words)
            self.fails_with(result, "No space left")

    def test_a_limit_of_the_system(self):
        """ulimit -f, without the library: a short write, then an error or a fatal signal."""
        whole = self.done("sweep", self.grid)
        for handler, status in ((signal.SIG_IGN, (4,)), (signal.SIG_DFL, (-signal.SIGXFSZ,))):
            def limited(handler=handler):
                signal.signal(signal.SIGXFSZ, handler)
                resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) // 2, len(whole) // 2))

            out = self.folder / f"rows{status[0]}"
            result = salvo("sweep", self.grid, "--out", out, preexec_fn=limited, restore_signals=False)
            self.assertIn(result.returncode, status, result.stderr)
            self.assertEqual(out.stat().st_size, len(whole) // 2)
            self.done("sweep", self.grid, "--out", out)
            self.assertEqual(out.read_text(), whole)

    def test_a_pipe_with_a_slow_reader(self):
        """If another process made the pipe non-blocking, a write can fail temporarily."""
        whole = self.done("sweep", self.grid)
        self.assertGreater(len(whole), 1 << 17)  # more than a pipe holds
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        with subprocess.Popen([SALVO, "sweep", str(self.grid)], stdout=writer, stderr=subprocess.PIPE) as process:
            os.close(writer)
            # Nothing is read until the process sleeps or has ended.
            state = Path(f"/proc/{process.pid}/stat")
            while process.poll() is None and state.read_text().rsplit(")", 1)[1].split()[0] not in "SZ":
                pass
            with open(reader, "rb") as pipe:
                self.assertEqual(pipe.read().decode(), whole)
            self.assertEqual(process.wait(), 0, process.stderr.read())


class Server(Case):
    def started(self, *options, fault="", profiles=PROFILES, stderr=subprocess.PIPE, **more):
        environment = {**os.environ, "SALVO_PROFILES": str(profiles)}
        if fault:
            environment |= {"LD_PRELOAD": LIBRARY, "SALVO_FAULT": fault}
        process = subprocess.Popen([SALVO, "serve", *(() if "--port" in options else ("--port", "0")), "--page", "none", "--cache", "0", "--quiet", *options],
                                   stderr=stderr, text=True, env=environment, **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        first = process.stderr.readline()
        if "built without the server" in first:
            self.skipTest("salvo was built without the server")
        self.addCleanup(process.stderr.close)
        self.port = int(json.loads(first)["url"].rstrip("/").rsplit(":", 1)[1])
        return process

    def ask(self, attack="3 focus", cards=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        body = {"attack": attack, "defend": "2 hull=3"} | ({"cards": cards} if cards else {})
        connection.request("POST", "/v1/run", json.dumps(body), {"Content-Type": "application/json", "Connection": "close"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def test_profiles_that_have_gone(self):
        """Loaded cards still work; others give an internal error, as they have a file. When the profiles return, all work."""
        profiles = self.folder / "profiles"
        shutil.copytree(PROFILES, profiles)
        process = self.started(profiles=profiles)
        right = self.ask()
        self.assertEqual(right[0], 200)
        away = profiles.rename(self.folder / "away")
        self.assertEqual(self.ask(), right)
        status, problem = self.ask("3 focus predator")
        self.assertEqual(status, 500, problem)
        self.assertIn("profiles", problem["detail"])
        away.rename(profiles)
        status, answer = self.ask("3 focus predator")
        self.assertEqual(status, 200, answer)
        self.assertEqual(answer.get("unmodelled", []), [])
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 0)

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers need a descriptor to see which memory can be read")
    def test_no_descriptors_left(self):
        """Open connections are answered while new ones wait, and those are answered afterwards."""
        process = self.started(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
        right = self.ask()
        self.assertEqual(right[0], 200)
        idle = [http.client.HTTPConnection("127.0.0.1", self.port, timeout=60) for _ in range(60)]
        for one in idle:
            one.connect()
        while len(os.listdir(f"/proc/{process.pid}/fd")) < 40 and process.poll() is None:
            pass
        # All descriptors are taken, so the card file of this question cannot be read.
        idle[0].request("POST", "/v1/run", json.dumps({"attack": "3 focus predator", "defend": "2 hull=3"}),
                        {"Content-Type": "application/json"})
        answer = idle[0].getresponse()
        body = json.loads(answer.read())
        self.assertTrue(answer.status >= 400 or body.get("unmodelled", []) == [], body)
        for one in idle:
            one.close()
        self.assertEqual(self.ask(), right)
        status, body = self.ask("3 focus predator")
        self.assertEqual((status, body.get("unmodelled", [])), (200, []), body)
        self.assertIsNone(process.poll())

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers have to be loaded before other libraries")
    def test_the_clock_jumps(self):
        process = self.started(fault="clock")
        for _ in range(20):
            self.assertEqual(self.ask()[0], 200)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 0)

    def test_killed(self):
        """Nothing is left behind: the next server can use the same port."""
        process = self.started()
        self.assertEqual(self.ask()[0], 200)
        process.kill()
        process.wait()
        port = self.port
        self.started("--port", str(port))
        self.assertEqual(self.port, port)
        self.assertEqual(self.ask()[0], 200)


if __name__ == "__main__":
    SALVO, LIBRARY = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    os.environ.setdefault("NO_COLOR", "1")
    unittest.main()
