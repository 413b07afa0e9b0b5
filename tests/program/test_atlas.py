#!/usr/bin/env python3
"""test_atlas.py SALVO [unittest options]: salvo atlas as files and as a database, killed and resumed; the queries of docs/atlas.md."""

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from itertools import product
from math import comb
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, SALVO, main, run as run_salvo, schema

REBELS = ROOT / "profiles" / "squads" / "rebels.json"
PAGE = (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8")
SMALL = "first-edition"  # the card set with the fewest pilots


def run(*arguments, status=0):
    done = run_salvo(*arguments)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done


def kill_when(ready, *arguments):
    """Starts salvo and kills it as soon as ready() holds."""
    process = subprocess.Popen([SALVO, *map(str, arguments)], stderr=subprocess.DEVNULL)
    end = time.time() + 120
    while process.poll() is None and not ready() and time.time() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    return process.wait()


def binomial(n, p):
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def mean_damage(dice, hit, defense_dice, evade):
    """Mean of max(0, hits - evades) for unmodified dice."""
    return sum(p * q * max(0, h - e)
               for (h, p), (e, q) in product(enumerate(binomial(dice, hit)), enumerate(binomial(defense_dice, evade))))


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.out = cls.folder / "atlas"
        cls.options = ("atlas", "--cards", SMALL, "--out", cls.out)
        cls.killed = kill_when(lambda: len(list(cls.out.glob("pilots/*.json"))) > 20, *cls.options)
        cls.before = len(list(cls.out.glob("*/*.json")))
        cls.index_before = (cls.out / "index.json").exists()
        cls.second = run(*cls.options)
        cls.index = json.loads((cls.out / "index.json").read_text(encoding="utf-8"))

    def test_killed_and_resumed(self):
        self.assertEqual(self.killed, -signal.SIGKILL)
        self.assertFalse(self.index_before)
        self.assertRegex(self.second.stderr, r"note: \d+ of \d+ pages are in ")
        self.assertLess(self.before, len(self.index["pages"]))
        self.assertEqual([path.name for path in self.out.glob("*.part*")], [])

    def test_pages_are_those_of_the_card_set(self):
        self.assertEqual(check(self.index, schema("atlas")), [])
        for kind in ("ship", "pilot"):
            listed = json.loads(run(f"{kind}s", "--cards", SMALL, "--format", "json").stdout)[f"{kind}s"]
            pages = [page["id"] for page in self.index["pages"] if page["kind"] == kind]
            self.assertEqual(sorted(pages), sorted({one["id"] for one in listed}))
        for page in self.index["pages"]:
            self.assertTrue((self.out / page["file"]).is_file(), page)

    def test_a_page_is_what_squad_prints(self):
        for pilot in ("lukeskywalker", "howlrunner"):
            text = (self.out / f"pilots/{pilot}.json").read_text(encoding="utf-8")
            self.assertTrue(text.endswith("\n") and text.count("\n") == 1)
            page = json.loads(text)
            self.assertEqual(check(page, schema("squad")), [])
            self.assertEqual((page["atlas"]["kind"], page["atlas"]["id"]), ("pilot", pilot))
            self.assertEqual(page["atlas"]["work"], self.index["work"])
            asked = json.loads(run("squad", f"pilot={pilot}", "--cards", SMALL, "--format", "json").stdout)
            figures = ("summary", "offense", "durability", "worth", "cost", "assumed_facts", "unmodelled")
            self.assertEqual([page["pilots"][0][key] for key in figures], [asked["pilots"][0][key] for key in figures])

    def test_a_complete_atlas_is_left_alone(self):
        before = (self.out / "index.json").read_bytes()
        self.assertIn("is complete", run(*self.options).stderr)
        self.assertEqual((self.out / "index.json").read_bytes(), before)
        self.assertIn("--restart", run(*self.options, "--seed", "2", status=2).stderr)
        self.assertIn("--restart", run(*self.options, REBELS, status=2).stderr)

    def test_the_same_bytes_with_one_thread(self):
        other = self.folder / "other"
        run("atlas", "--cards", SMALL, "--out", other, "-j", "1")
        ours = sorted(path.relative_to(self.out) for path in self.out.rglob("*.json"))
        self.assertEqual(ours, sorted(path.relative_to(other) for path in other.rglob("*.json")))
        for path in ours:
            self.assertEqual((self.out / path).read_bytes(), (other / path).read_bytes())


class Refused(unittest.TestCase):
    def refused(self, *arguments):
        return run("atlas", *arguments, status=2).stderr

    def test_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("--out", self.refused())
            self.assertIn("nope", self.refused("--cards", "nope", "--out", folder))
            file = Path(folder, "file")
            file.write_text("x")
            self.assertIn("choose another folder", self.refused("--out", file))
            database = Path(folder, "file.sqlite")
            database.write_text("no database, but a text of some length\n" * 100)
            self.assertRegex(self.refused("--out", database), "choose another (file|form)")
            self.assertIn("another name", self.refused("--out", folder, REBELS, REBELS))


@unittest.skipUnless(shutil.which("sqlite3"), "the program sqlite3 is not installed")
class Database(unittest.TestCase):
    """The whole card set 2025, with a squad."""

    @classmethod
    def setUpClass(cls):
        folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.file = folder / "atlas.sqlite"
        options = ("atlas", REBELS, "--cards", "2025", "--out", cls.file)
        cls.killed = kill_when(lambda: cls.file.exists() and cls.pages() > 30, *options)
        cls.before = cls.pages()
        begun = time.time()
        done = run_salvo(*options)
        if "built without SQLite" in done.stderr:
            raise unittest.SkipTest("salvo was built without SQLite")
        assert done.returncode == 0, done.stderr
        cls.seconds = time.time() - begun

    @classmethod
    def pages(cls):
        found = subprocess.run(["sqlite3", str(cls.file), "SELECT count(*) FROM pages"], capture_output=True, text=True)
        return int(found.stdout or 0) if found.returncode == 0 else 0

    def ask(self, sql):
        done = subprocess.run(["sqlite3", "-json", str(self.file), sql], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, f"{sql}\n{done.stderr}")
        return json.loads(done.stdout or "[]")

    def test_while_another_program_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "read.sqlite")
            process = subprocess.Popen([SALVO, "atlas", "--cards", SMALL, "--out", str(file)], stderr=subprocess.PIPE, text=True)
            reads = 0
            while process.poll() is None:
                reader = sqlite3.connect(f"file:{file}?mode=ro", uri=True) if file.exists() else None
                try:
                    if reader:
                        reader.execute("BEGIN")
                        reads += reader.execute("SELECT count(*) FROM pages").fetchone()[0] > 0
                        time.sleep(0.2)
                except sqlite3.OperationalError:  # no table yet, or being written
                    pass
                finally:
                    if reader:
                        reader.close()
                time.sleep(0.01)
            self.assertEqual(process.wait(), 0, process.stderr.read())
            process.stderr.close()
            self.assertGreater(reads, 0)

    def test_killed_and_resumed(self):
        self.assertEqual(self.killed, -signal.SIGKILL)
        self.assertGreater(self.before, 0)
        self.assertEqual(self.ask("SELECT value FROM meta WHERE key = 'complete'"), [{"value": "1"}])
        self.assertEqual(self.ask("PRAGMA integrity_check"), [{"integrity_check": "ok"}])
        twice = self.ask("SELECT id FROM pages GROUP BY kind, id HAVING count(*) > 1")
        self.assertEqual(twice, [])

    def test_complete_within_two_minutes(self):
        self.assertLess(self.seconds, 120)
        pages = {(page["kind"], page["id"]) for page in self.ask("SELECT kind, id FROM pages")}
        for kind in ("ship", "pilot"):
            listed = json.loads(run(f"{kind}s", "--cards", "2025", "--format", "json").stdout)[f"{kind}s"]
            self.assertEqual({id for page_kind, id in pages if page_kind == kind}, {one["id"] for one in listed})
        self.assertIn(("squad", "rebels"), pages)
        self.assertEqual(self.ask("SELECT id, error FROM pages WHERE error IS NOT NULL"), [])

    def test_figures_are_those_of_squad(self):
        squad = json.loads(run("squad", REBELS, "--cards", "2025", "--format", "json").stdout)
        pilot = squad["pilots"][0]
        found = self.ask(f"SELECT * FROM loadouts WHERE kind = 'squad' AND pilot = '{pilot['id']}' ORDER BY loadout")[0]
        self.assertEqual([found["damage"], found["shots"], found["cost"]],
                         [pilot["summary"]["damage"], pilot["summary"]["shots"], pilot["cost"]])
        rows = self.ask(f"SELECT weapon, range, tokens, defender, mean, hit FROM attacks WHERE loadout = {found['loadout']}")
        self.assertEqual([tuple(row.values()) for row in rows],
                         [tuple(entry[key] for key in ("weapon", "range", "tokens", "against", "mean", "hit"))
                          for entry in pilot["offense"]])
        worth = self.ask(f"SELECT upgrade, state, damage, shots FROM upgrades WHERE loadout = {found['loadout']}")
        self.assertEqual([tuple(row.values()) for row in worth],
                         [(one["id"], one["state"], one["damage"], one["shots"]) for one in pilot["worth"]])
        caveats = self.ask(f"SELECT words FROM caveats WHERE kind = 'assumed_fact' AND loadout = {found['loadout']}")
        self.assertEqual([row["words"] for row in caveats], pilot["assumed_facts"])
        survival = self.ask("SELECT probability FROM survival WHERE tokens = 'focus' AND attacker = 'a3f' AND "
                            f"loadout = {found['loadout']} ORDER BY shots")
        listed = next(entry for entry in pilot["durability"] if (entry["tokens"], entry["from"]) == ("focus", "a3f"))
        self.assertEqual([row["probability"] for row in survival], listed["survive"])

    def test_against_dice_by_hand(self):
        """Attack dice: 4 of 8 hit, 2 more with focus. Defense dice: 3 of 8 evade, 2 more with focus."""
        for tokens, hit in (("none", 4 / 8), ("focus", 6 / 8)):
            for defender, dice, evade in (("d2", 2, 3 / 8), ("d3f", 3, 5 / 8)):
                found = self.ask("SELECT mean FROM attacks JOIN loadouts USING (loadout) WHERE kind = 'ship' AND ship = 't65xwing' "
                                 f"AND weapon = 'primary:front' AND range = 2 AND tokens = '{tokens}' AND defender = '{defender}'")
                self.assertAlmostEqual(found[0]["mean"], mean_damage(3, hit, dice, evade), places=12)

    def test_tables_are_as_documented(self):
        listed = dict(re.findall(r"^\| `(\w+)` \| [^|]*\| (.*) \|$", PAGE, re.M))
        tables = {row["name"] for row in self.ask("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")}
        self.assertEqual(tables, set(listed))
        for table, words in listed.items():
            words = re.sub(r"\([^)]*\)", "", words.split(":")[0] if table in ("meta", "upgrades") else words)
            columns = [row["name"] for row in self.ask(f"SELECT name FROM pragma_table_info('{table}')")]
            self.assertEqual(columns, re.findall(r"`([a-z_]+)`", words), table)

    def test_queries_of_the_page(self):
        queries = re.findall(r"^```sql\n(.*?)^```", PAGE, re.M | re.S)
        self.assertEqual(len(queries), 10)
        answers = [self.ask(query) for query in queries]
        for query, rows in zip(queries, answers):
            self.assertGreater(len(rows), 1, query)
            for row in rows:
                self.assertNotIn(None, row.values(), query)
        four = {row["name"] for row in answers[0]}
        costs = self.ask("SELECT DISTINCT name FROM loadouts WHERE cost = 4")
        self.assertLessEqual(four, {row["name"] for row in costs})
        self.assertEqual(answers[0], sorted(answers[0], key=lambda row: -row["damage"]))
        steps = [row["damage"] for row in answers[8]]
        self.assertEqual(len(steps), 3)
        self.assertTrue(steps[0] > steps[1] > steps[2])

    def test_queries_use_the_indices(self):
        sql = "EXPLAIN QUERY PLAN SELECT mean FROM attacks WHERE defender = 'd3f' AND tokens = 'focus' AND range = 2"
        plan = subprocess.run(["sqlite3", str(self.file), sql], capture_output=True, text=True, timeout=60)
        self.assertIn("attacks_by_defender", plan.stdout)


if __name__ == "__main__":
    main()
