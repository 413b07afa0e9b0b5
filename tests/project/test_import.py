#!/usr/bin/env python3
"""scripts/import_xwing_data on made-up checkouts: a base set, a derived set, and the changes between two checkouts."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "import_xwing_data"


def pilot(xws, cost, ability=None, **more):
    out = {"xws": xws, "name": xws.title(), "initiative": 1, "limited": 0, "cost": cost, "loadout": 2, "slots": ["Crew"], **more}
    return {**out, "ability": ability} if ability else out


def ship(pilots, shields=1, faction="Made Up"):
    stats = [{"type": "attack", "arc": "Front Arc", "value": 2}, {"type": "agility", "value": 1},
             {"type": "hull", "value": 3}, {"type": "shields", "value": shields}]
    return {"xws": "madeup", "name": "Made-up Ship", "size": "Small", "faction": faction, "stats": stats, "pilots": pilots}


def upgrade(xws, cost, ability, **side):
    return {"xws": xws, "cost": {"value": cost}, "sides": [{"slots": ["Crew"], "ability": ability, **side}]}


class Import(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name)
        self.out = self.root / "profiles" / "ships"
        self.old = self.checkout("old", {"one": ship([pilot("ace", 4, "Roll one die."), pilot("gone", 3), pilot("same", 2)])},
                                 [upgrade("dear", 9, "Be dear."), upgrade("lost", 1, "Be lost."), upgrade("like", 2, "Like it.")])
        self.new = self.checkout(
            "new", {"one": ship([pilot("ace", 12, "Roll <b>one</b> die"), pilot("same", 2),
                                 pilot("copy", 7, "Roll one die!", shipStats=[{"type": "hull", "value": 4}])]),
                    "another": ship([pilot("wing", 8, "Fly.")], shields=5)},
            [upgrade("dear", 3, "Be cheap."), upgrade("like", 2, "Like it."), upgrade("fresh", 4, "Be new.")])

    def checkout(self, name, ships, upgrades):
        folder = self.root / name
        (folder / "pilots" / "made-up").mkdir(parents=True)
        (folder / "upgrades").mkdir()
        listed = [f"data/pilots/made-up/{file}.json" for file in ships if file != "another"]
        (folder / "manifest.json").write_text(json.dumps({"version": name, "pilots": [{"ships": listed}]}))
        for file, data in ships.items():
            (folder / "pilots" / "made-up" / f"{file}.json").write_text(json.dumps(data))
        (folder / "upgrades" / "crew.json").write_text(json.dumps(upgrades))
        return folder

    def run_script(self, *arguments):
        command = [sys.executable, str(SCRIPT), *map(str, arguments), "--out", str(self.out)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def text(self, name):
        return (self.out.parent / name).read_text()

    def test_a_derived_set_is_written_as_changes(self):
        self.assertEqual(self.run_script(self.old, "--set", "2025", "--date", "2025-01-02").returncode, 0)
        before = self.text("ships/madeup.toml")
        done = self.run_script(self.new, "--set", "xwa", "--date", "2026-03-04")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("imported though manifest.json does not list it: pilots/made-up/another.json", done.stdout)
        self.assertEqual(self.text("ships/madeup.toml"), before)
        ship_file = self.text("ships/xwa/madeup.toml")
        self.assertNotIn("ace", ship_file)  # only its points differ
        self.assertNotIn("shields = 1", ship_file)
        self.assertIn('id = "copy"', ship_file)
        self.assertIn("hull = 4", ship_file)
        self.assertIn("shields = 5", ship_file)  # of the pilot of the second file; the ship has the stat line of the base set
        self.assertIn('faction = "madeup"', ship_file)
        self.assertEqual(self.text("ships/xwa/points.tsv").splitlines()[1:], ["ace\t12\t2\t="])
        self.assertEqual(self.text("ships/xwa/pilots.tsv"), "copy\tmadeup\ngone\t-\nwing\tmadeup\n")
        self.assertEqual(self.text("ships/xwa/ships.tsv"), "")
        self.assertEqual(self.text("cards/xwa-known-upgrades.tsv"), "dear\tcrew\t3\nfresh\tcrew\t4\nlost\t-\n")
        self.assertEqual(self.text("cards/data-sets.tsv").splitlines()[1:],
                         ["2025\txwing-data2 old\t2025-01-02", "xwa\txwing-data2 (XWA) new\t2026-03-04"])

    def test_upgrades_add_the_actions_of_their_bar_and_of_their_grants(self):
        lock = {"type": "Lock", "difficulty": "Red", "linked": {"type": "Calculate", "difficulty": "White"}}
        grants = [{"type": "action", "value": lock}, {"type": "stat", "value": "hull", "amount": 1}]
        boost = [{"type": "Boost", "difficulty": "White"}]
        folder = self.checkout("granting", {"one": ship([pilot("ace", 4)])}, [upgrade("dear", 9, "Be dear.", grants=grants, actions=boost)])
        self.assertEqual(self.run_script(folder, "--set", "2025", "--date", "2025-01-02").returncode, 0)
        self.assertIn("upgrade/dear\tboost red:lock>calculate", self.text("ships/actions.tsv").splitlines())

    def test_changes_between_two_checkouts(self):
        done = self.run_script("--changes", self.old, self.new)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(self.out.exists())
        lines = done.stdout.splitlines()
        self.assertIn("    the text of pilot/ace", lines)  # of the new pilot "copy"
        self.assertIn("  upgrade lost (no file)", lines)
        self.assertIn("    now: Be cheap.", lines)
        self.assertNotIn("  pilot ace (no file)", lines)  # its text differs only in punctuation and markup
        self.assertIn("  pilot ace: (4, 2) -> (12, 2)", lines)
        self.assertEqual(self.run_script("--changes", self.old, self.old).stdout, "no card differs\n")

    def test_errors_name_the_remedy(self):
        for arguments, words in (((self.old,), "--date YYYY-MM-DD"), ((self.old, "--date", "today"), "write it as"),
                                 ((self.new, "--set", "xwa", "--date", "2026-01-01"), "based on first"),
                                 ((), "either DIR")):
            done = self.run_script(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
