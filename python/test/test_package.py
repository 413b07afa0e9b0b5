#!/usr/bin/python3
"""test_package.py PACKAGES SALVO [unittest options]: tests the Python package against the program, closed forms and its documentation."""

import ast
import collections.abc
import copy
import gc
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import typing
import unittest
from decimal import Decimal
from itertools import product
from math import comb
from pathlib import Path

PACKAGES, SALVO = (str(Path(argument).resolve()) for argument in sys.argv[1:3]) if len(sys.argv) > 2 else ("", "")
sys.path.insert(0, PACKAGES)

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

import salvo  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
REBELS = json.loads((ROOT / "profiles" / "squads" / "rebels.json").read_text(encoding="utf-8"))
DUEL = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": 3, "tokens": {"evade": 1}}},
        "attacks": [{"by": "a", "on": "d"}]}


def command(*arguments, stdin=""):
    done = subprocess.run([SALVO, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def damage_pmf(dice, hit, defense_dice, evade):
    """The distribution of hits minus evades for equal dice without decisions."""
    out = np.zeros(dice + 1)
    for h, e in product(range(dice + 1), range(defense_dice + 1)):
        p = comb(dice, h) * hit**h * (1 - hit) ** (dice - h)
        out[max(0, h - e)] += p * comb(defense_dice, e) * evade**e * (1 - evade) ** (defense_dice - e)
    return out


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = salvo.Engine()


class Answers(Case):
    def test_distribution_by_hand(self):
        answer = self.engine.run(attack=["3 focus"], defend="2 focus")
        np.testing.assert_allclose(answer.pmf("d"), damage_pmf(3, 6 / 8, 2, 5 / 8), atol=1e-12)
        np.testing.assert_allclose(answer.at_least("d"), answer.pmf("d")[::-1].cumsum()[::-1], atol=1e-12)
        self.assertAlmostEqual(answer.value, answer.pmf("d") @ np.arange(4), places=12)
        self.assertAlmostEqual(answer.mean("d"), answer.value, places=12)

    def test_joint(self):
        answer = self.engine.run(attack=["2"], defend="0")
        joint = answer.joint("d")
        # A die has 3/8 hits, 1/8 crits and 4/8 of neither.
        expected = np.zeros((3, 3))
        for h, c in product(range(3), range(3)):
            if h + c <= 2:
                expected[h, c] = comb(2, h) * comb(2 - h, c) * (3 / 8) ** h * (1 / 8) ** c * (1 / 2) ** (2 - h - c)
        np.testing.assert_allclose(joint, expected, atol=1e-12)
        self.assertEqual(joint.dtype, np.float64)

    def test_arrays_are_made_once_and_not_changed(self):
        answer = self.engine.run(DUEL)
        self.assertIs(answer.pmf("d"), answer.pmf("d"))
        self.assertIs(answer.joint("d"), answer.joint("d"))
        with self.assertRaises(ValueError):
            answer.pmf("d")[0] = 1
        with self.assertRaisesRegex(KeyError, "there are 'a', 'd'"):
            answer.pmf("x")

    def test_same_as_the_program(self):
        asked = {
            "run": ({**DUEL, "engine": "sample", "trials": 1000}, ["run", "-", "--engine", "sample", "--trials", "1000"], DUEL),
            "worth": (DUEL, ["worth", "-"], DUEL),
            "advise": (DUEL, ["advise", "-"], DUEL),
        }
        for verb, (question, arguments, stdin) in asked.items():
            ours = getattr(self.engine, verb)(question)
            theirs = json.loads(command(*arguments, "--format", "json", stdin=json.dumps(stdin)))
            self.assertEqual(dict(ours), theirs, verb)
        self.assertEqual(dict(self.engine.squad(REBELS))["pilots"],
                         json.loads(command("squad", ROOT / "profiles/squads/rebels.json", "--format", "json"))["pilots"])
        self.assertEqual(dict(self.engine.compare(["3 focus", "3 lock"])),
                         json.loads(command("compare", "3 focus", "3 lock", "--format", "json")))
        self.assertEqual(dict(self.engine.durability(attack="3 focus", defend="ship=t65xwing")),
                         json.loads(command("durability", "--attack", "3 focus", "--defend", "ship=t65xwing", "--format", "json")))
        self.assertEqual(dict(self.engine.hazard("proximity-mine", ships=["ship=t65xwing"])),
                         json.loads(command("hazard", "proximity-mine", "--ship", "ship=t65xwing", "--format", "json")))
        self.assertEqual(dict(self.engine.pilots("luke")), json.loads(command("pilots", "luke", "--format", "json")))

    def test_would_add_is_answered_on_request(self):
        asked = {"attack": "3 focus lock", "defend": "2 focus hull=4"}
        answer = json.loads(command("run", "-a", asked["attack"], "-d", asked["defend"], "--format", "json"))
        self.assertIn("core_would_add", answer["damage_deck"])
        self.assertEqual(dict(self.engine.run(asked, would_add=True)), answer)
        self.assertEqual(dict(self.engine.batch([{**asked, "would_add": True}])[0]), answer)
        del answer["damage_deck"]
        self.assertEqual(dict(self.engine.run(asked)), answer)

    def test_every_verb_has_a_method(self):
        for verb in salvo.VERBS:
            self.assertTrue(callable(getattr(salvo.Engine, verb, None)), verb)
        self.assertIn("second-edition", self.engine.rules().text)
        self.assertIn("predator", self.engine.cards(show="predator").text)
        for verb in ("ships", "upgrades", "weapons"):
            self.assertGreater(len(getattr(self.engine, verb)()[verb]), 10)
        flags = ["--format", "json"]
        log = sorted((ROOT / "profiles" / "logs").iterdir())[0]
        self.assertEqual(self.engine.review(log.read_text(encoding="utf-8"))["format"], 1)
        self.assertEqual(dict(self.engine.battle("pilot=lukeskywalker", "pilot=darthvader", flight="range-2")),
                         json.loads(command("battle", "pilot=lukeskywalker", "pilot=darthvader", "--flight", "range-2", *flags)))
        squads = ("pilot=lukeskywalker", "pilot=darthvader", "pilot=academypilot")
        mine = dict(self.engine.gauntlet(squads, flight="range-2"))
        theirs = json.loads(command("gauntlet", *squads, "--flight", "range-2", *flags))
        without = [{key: squad[key] for key in squad if key != "mix"} for squad in theirs["squads"]]
        self.assertEqual(mine["squads"], without)  # only the program links GLPK
        self.assertIn("GLPK", str(mine["notes"]))
        self.assertEqual(self.engine.luck(DUEL, damage=1)["format"], 1)
        with self.assertRaisesRegex(salvo.SalvoError, "damage"):
            self.engine.luck(DUEL)
        self.assertIn("orders", self.engine.order(attack=["3", "2"], defend="2 hull=3", objective="kill"))

    def test_mapping(self):
        answer = self.engine.run(DUEL)
        self.assertEqual(answer["format"], 1)
        self.assertEqual(list(answer), list(answer.data))
        self.assertEqual(json.loads(answer.text), dict(answer))
        again = pickle.loads(pickle.dumps(answer))
        self.assertEqual(again, answer)
        np.testing.assert_array_equal(again.pmf("d"), answer.pmf("d"))
        self.assertEqual(self.engine.run(json.dumps(DUEL)), answer)
        self.assertEqual(answer.attacked, ["d"])

    def test_keyword_arguments_override_the_question(self):
        answer = self.engine.run(DUEL, objective="kill")
        self.assertEqual(answer["objective"], "kill")
        self.assertEqual(answer.value, answer.destroyed("d"))

    def test_caveats(self):
        self.assertEqual(self.engine.run(DUEL).caveats, {})
        self.assertIn("predator", self.engine.run(attack=["ship=t65xwing predator"], defend="2").caveats["assumed_facts"][0])

    def test_errors(self):
        with self.assertRaises(salvo.SalvoError) as caught:
            self.engine.run({"ships": {"a": {"attack": 3}, "d": {"agility": 2, "hul": 3}}, "attacks": [{"by": "a", "on": "d"}]})
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.place, error.status), ("ships.d.hul", 2))
        self.assertIn("hull", error.message)
        self.assertEqual(str(error), f"{error.place}: {error.message}")
        self.assertEqual(error.path, error.place)
        self.assertTrue(error.remedy and error.message.endswith(f"; {error.remedy}"), error.message)
        self.assertEqual(salvo.SalvoError("no more is known").remedy, "")
        self.assertEqual(pickle.loads(pickle.dumps(error)).place, error.place)
        with self.assertRaises(salvo.SalvoError) as caught:
            self.engine.run({**DUEL, "engine": "exact", "budget": 1})
        self.assertEqual(caught.exception.status, 3)
        for wrong in (lambda: self.engine.request("nope", {}), lambda: self.engine.run("{"), lambda: self.engine.run(3),
                      lambda: self.engine.run("{", trials=5), lambda: self.engine.run({**DUEL, "id": {1}}),
                      lambda: self.engine.run({**DUEL, "id": "\ud800"}), lambda: self.engine.run('{"id": "\ud800"}'),
                      lambda: self.engine.batch([3]), lambda: self.engine.batch(["\ud800"]), lambda: self.engine.batch([{1, 2}]), lambda: self.engine.batch(["{"], columns="mean"),
                      lambda: self.engine.sweep("{"), lambda: self.engine.sweep(3), lambda: self.engine.sweep("\ud800"),
                      lambda: salvo.Engine("/nowhere"), lambda: self.engine.sweep({}), lambda: self.engine.batch([DUEL], errors="x"),
                      lambda: self.engine.sweep({**DUEL, "grid": {"ships.d.agility": [1]}}, columns="nope"),
                      lambda: self.engine.sweep({**DUEL, "grid": {"ships.d.agility": [1]}}, nope=1),
                      lambda: self.engine.batch([DUEL, {}], columns="mean"), lambda: self.engine.batch([], columns="mean")):
            with self.assertRaises(salvo.SalvoError) as caught:
                wrong()
            self.assertGreater(len(caught.exception.message), 10)


    def test_squads_as_the_text_of_a_file(self):
        text = "\ufeff" + json.dumps(REBELS, indent=1)
        self.assertEqual(self.engine.squad(text, against=text), self.engine.squad(REBELS, against=REBELS))
        self.assertEqual(self.engine.compare([text, "3 focus"]), self.engine.compare([REBELS, "3 focus"]))
        self.assertEqual(self.engine.squad(str(json.loads(text[1:]))), self.engine.squad(REBELS))  # as Python prints it
        with self.assertRaisesRegex(salvo.SalvoError, "not valid JSON"):
            self.engine.squad("{")

    def test_numbers_of_numpy(self):
        """Questions are often made from elements of arrays."""
        from types import MappingProxyType

        question = {"ships": {"a": {"attack": np.int64(3), "tokens": {"focus": np.int8(1)}}, "d": MappingProxyType(DUEL["ships"]["d"])},
                    "attacks": np.array(DUEL["attacks"], dtype=object)}
        for asked in (question, MappingProxyType(question)):
            self.assertEqual(self.engine.run(asked), self.engine.run(DUEL))
            self.assertEqual(self.engine.batch([asked]), self.engine.batch([DUEL]))
        answers = self.engine.batch([{"attack": str(n), "defend": "1", "id": n} for n in np.arange(1, 4)])
        self.assertEqual([one["id"] for one in answers], [1, 2, 3])
        grid = {**DUEL, "grid": {"ships.d.agility": np.arange(3)}}
        self.assertEqual(self.engine.sweep(grid, columns="mean")["d.mean"].tolist(),
                         self.engine.sweep({**DUEL, "grid": {"ships.d.agility": [0, 1, 2]}}, columns="mean")["d.mean"].tolist())
        rows = [{**DUEL, "ships": {**DUEL["ships"], "d": {"agility": n}}} for n in np.arange(3)]
        plain = [{**DUEL, "ships": {**DUEL["ships"], "d": {"agility": n}}} for n in range(3)]
        self.assertEqual(self.engine.batch(rows, columns="mean")["d.mean"].tolist(), self.engine.batch(plain, columns="mean")["d.mean"].tolist())

    def test_answers_outlive_their_engine(self):
        engine = salvo.Engine()
        answer = engine.run(DUEL)
        chunks = engine.sweep({**DUEL, "grid": {"ships.d.agility": list(range(8))}}, columns="mean", chunk=3)
        first = next(chunks)
        pmf, mean = answer.pmf("d"), first["d.mean"].to_numpy()
        expected = pmf.tolist(), mean.tolist()
        del engine, answer, first
        gc.collect()
        rest = list(chunks)
        self.assertEqual([len(chunk) for chunk in rest], [3, 2])
        del chunks
        gc.collect()
        self.assertEqual((pmf.tolist(), mean.tolist()), expected)
        copied = copy.deepcopy(rest)
        self.assertEqual(copied[0]["d.mean"].tolist(), rest[0]["d.mean"].tolist())


class Notebook(Case):
    def test_html(self):
        html = self.engine.run({**DUEL, "ships": {"<b>": DUEL["ships"]["a"], "d": DUEL["ships"]["d"]},
                                "attacks": [{"by": "<b>", "on": "d"}, {"by": "d", "on": "<b>"}]})._repr_html_()
        self.assertIn("&lt;b&gt;", html)
        self.assertNotIn("<b>", html)
        self.assertIn("<svg", html)
        self.assertIn("exact", html)
        html = self.engine.run(attack=["ship=t65xwing predator"], defend="2")._repr_html_()
        self.assertIn("assumed facts", html)
        self.assertIn("worth", self.engine.worth(DUEL)._repr_html_())

    def test_plot(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("no matplotlib")
        matplotlib.use("Agg")
        answer = self.engine.run(DUEL)
        ax = answer.plot()
        np.testing.assert_allclose([bar.get_height() for bar in ax.patches], answer.pmf("d"))
        self.assertIs(answer.plot(ax), ax)
        matplotlib.pyplot.close("all")


class Sweep(Case):
    GRID = {**DUEL, "grid": {"ships.a.attack": [2, 3, 4], "ships.d.agility": [0, 1, 2], "attacks[0].range": [1, 2]}}

    def test_rows_are_those_of_the_program(self):
        frame = self.engine.sweep(self.GRID)
        rows = [json.loads(line) for line in command("sweep", "-", "--format", "json", stdin=json.dumps(self.GRID)).splitlines()]
        self.assertEqual(len(frame), len(rows))
        self.assertEqual(frame["d.mean"].tolist(), [row["ships"]["d"]["mean"] for row in rows])
        self.assertEqual(frame["value"].tolist(), [row["value"] for row in rows])
        self.assertEqual(frame["ships.a.attack"].tolist(), [row["set"]["ships.a.attack"] for row in rows])
        self.assertEqual(frame["cell"].dtype, np.int64)
        self.assertEqual(set(frame["engine"]), {"exact"})
        self.assertTrue(frame["error"].isna().all())
        self.assertTrue(frame["d.mean_se"].isna().all())

    def test_chunks(self):
        whole = self.engine.sweep(self.GRID, columns=["axes", "mean"])
        chunks = list(self.engine.sweep(self.GRID, columns="axes, mean", chunk=5))
        self.assertEqual([len(chunk) for chunk in chunks], [5, 5, 5, 3])
        pd.testing.assert_frame_equal(pd.concat(chunks), whole)
        self.assertEqual(list(whole), ["ships.a.attack", "ships.d.agility", "attacks[0].range", "d.mean"])

    def test_words_and_costs(self):
        grid = {"cards": "2025", "ships": {"a": {"ship": "t65xwing"}, "d": {"agility": 2}}, "attacks": [{"by": "a", "on": "d"}],
                "grid": {"ships.a.pilot": "all"}}
        frame = self.engine.sweep(grid, columns="axes,mean,cost,caveats")
        self.assertEqual(len(frame), frame["ships.a.pilot"].nunique())
        self.assertEqual(set(frame["ships.a.ship"]), {"t65xwing"})
        luke = frame.set_index("ships.a.pilot").loc["lukeskywalker"]
        self.assertEqual(luke["a.cost"], 6)  # the points of the set 2025
        self.assertTrue(np.isnan(luke["d.cost"]))
        self.assertIn("no_effect", frame)

    def test_words_do_not_depend_on_threads(self):
        grid = {"ships": {"a": {"ship": "t65xwing"}, "d": {"agility": 2}}, "attacks": [{"by": "a", "on": "d"}],
                "grid": {"ships.a.pilot": "all", "attacks[0].range": [1, 2, 3]}}
        one = list(salvo.Engine(threads=1).sweep(grid, columns="axes,caveats", chunk=7))
        for ours, other in zip(self.engine.sweep(grid, columns="axes,caveats", chunk=7), one):
            for name in ours:
                self.assertEqual(ours[name].tolist(), other[name].tolist())
                if isinstance(ours[name].dtype, pd.CategoricalDtype):
                    self.assertEqual(list(ours[name].cat.categories), list(other[name].cat.categories))

    def test_wrong_cells(self):
        frame = self.engine.sweep({**DUEL, "grid": {"ships.a.attack": [3, 99]}})
        self.assertEqual(frame["error"].isna().tolist(), [True, False])
        self.assertIn("ships.a.attack", frame["error"][1])
        self.assertTrue(np.isnan(frame["d.mean"][1]))

    def test_options(self):
        frame = self.engine.sweep({**DUEL, "grid": {"ships.a.attack": [3]}}, engine="sample", trials=1000, objective="kill")
        self.assertEqual(frame["engine"].tolist(), ["sample"])
        self.assertGreater(frame["d.mean_se"][0], 0)
        self.assertEqual(frame["value"][0], frame["d.destroyed"][0])

    def test_no_copies(self):
        cells = self.engine._engine.cells(json.dumps(self.GRID), ["mean"], "{}", 1)
        array = cells.read(0, 5)["d.mean"]
        self.assertFalse(array.flags.owndata)
        frame = next(self.engine.sweep(self.GRID, columns="mean", chunk=5))
        np.testing.assert_array_equal(frame["d.mean"].to_numpy(), array)

    def test_bounded_memory(self):
        """A million cells in chunks: the process grows by less than a tenth of the size of the table."""
        text = ("import resource, salvo; e = salvo.Engine()\n"
                "g = {'ships': {'a': {'attack': 3}, 'd': {'agility': 2, 'hull': 5}}, 'attacks': [{'by': 'a', 'on': 'd'}],"
                "     'grid': {'ships.a.attack': {'from': 0, 'to': 9}, 'ships.d.agility': {'from': 0, 'to': 9},"
                "              'ships.a.tokens.focus': {'from': 0, 'to': 9}, 'ships.d.tokens.focus': {'from': 0, 'to': 9},"
                "              'ships.d.tokens.evade': {'from': 0, 'to': 9}, 'ships.d.hull': {'from': 1, 'to': 10}}}\n"
                "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
                "rows, early = 0, 0\n"
                "for chunk in e.sweep(g, chunk=20_000):\n"
                "    rows += len(chunk)\n"
                "    if rows == 200_000: early = peak()\n"
                "print(rows, early, peak())\n")
        out = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300,
                             env={**os.environ, "PYTHONPATH": PACKAGES})
        self.assertEqual(out.returncode, 0, out.stderr)
        rows, early, late = map(int, out.stdout.split())
        self.assertEqual(rows, 1_000_000)
        self.assertLess(late - early, 25_000)  # kilobytes; all columns of all rows are some 250 MB


class Batch(Case):
    def questions(self, n):
        return [{"ships": {"a": {"attack": 2 + i % 3, "tokens": {"focus": i % 2}},
                           "d": {"agility": i % 4, "hull": 3, "tokens": {"evade": (i // 4) % 2}}},
                 "attacks": [{"by": "a", "on": "d", "range": 1 + i % 3}]} for i in range(n)]

    def test_answers_in_order(self):
        questions = self.questions(50)
        answers = self.engine.batch(questions)
        self.assertEqual([answer.text for answer in answers], [self.engine.run(question).text for question in questions])

    def test_figures_are_those_of_answers(self):
        questions = self.questions(200)
        questions[7] = {**questions[7], "attacks": [{"by": "a", "on": "d", "range": 1, "obstructed": True}]}
        frame = self.engine.batch(questions, columns="mean,destroyed,at_least_2")
        answers = self.engine.batch(questions)
        np.testing.assert_allclose(frame["d.mean"], [answer.mean("d") for answer in answers], atol=1e-12)
        np.testing.assert_allclose(frame["d.destroyed"], [answer.destroyed("d") for answer in answers], atol=1e-12)
        for row, answer in zip(frame["d.at_least_2"], answers):
            at_least = answer.at_least("d")
            self.assertAlmostEqual(row, at_least[2] if len(at_least) > 2 else 0, places=12)

    def test_more_differences_than_a_grid_has_cells(self):
        questions = []
        for i in range(30):
            question = json.loads(json.dumps(DUEL))
            question["ships"] = {**{f"x{k}": {"agility": (i >> k % 5) % 2 + k % 3} for k in range(45)}, **question["ships"]}
            for k in range(45):
                question["ships"][f"x{k}"].update(side="mine", hull=1 + (i * (k + 3)) % 7)
            questions.append(question)
        frame = self.engine.batch(questions[:3] + questions[:1], columns="mean,error")
        self.assertEqual(len(frame), 4)
        np.testing.assert_allclose(frame["d.mean"], [self.engine.run(DUEL).mean("d")] * 4, atol=1e-12)
        self.assertEqual(len(self.engine.batch(questions, columns="mean")), 30)

    def test_columns_of_what_programs_hold(self):
        from types import MappingProxyType

        proxies = [MappingProxyType({**DUEL, "ships": MappingProxyType({**DUEL["ships"], "d": MappingProxyType({"agility": n})}),
                                     "attacks": np.array(DUEL["attacks"], dtype=object)}) for n in np.arange(3)]
        plain = [{**DUEL, "ships": {**DUEL["ships"], "d": {"agility": n}}} for n in range(3)]
        expected = self.engine.batch(plain, columns="axes,mean")
        for questions in (proxies, [plain[0], *proxies[1:]], [json.dumps(plain[0]), *proxies[1:]]):
            self.assertTrue(self.engine.batch(questions, columns="axes,mean").equals(expected))
        both = self.engine.batch([{**DUEL, "damage_deck": np.str_("none")}, DUEL | {"damage_deck": "none"}], columns="mean")
        self.assertEqual(both["d.mean"][0], both["d.mean"][1])

    def test_what_has_no_form_in_json(self):
        for value in (Decimal(3), Path("x"), b"3", {1, 2}, object(), pd.DataFrame({"a": [1]}), float("nan")):
            with self.subTest(type(value).__name__):
                wrong = {**DUEL, "ships": {**DUEL["ships"], "d": {"agility": value}}}
                for ask in (lambda: self.engine.run(wrong), lambda: self.engine.batch([DUEL, wrong]),
                            lambda: self.engine.batch([DUEL, wrong], columns="mean"),
                            lambda: self.engine.batch([wrong, DUEL], columns="mean"), lambda: self.engine.sweep(wrong)):
                    self.assertRaises(salvo.SalvoError, ask)
        first, second = {}, {}
        first["ships"], second["ships"] = first, second  # each contains the other
        self.assertRaises(salvo.SalvoError, self.engine.batch, [first, second], columns="mean")
        self.assertRaises(salvo.SalvoError, self.engine.run, first)

    def test_number_of_threads(self):
        for threads in (-1, 1025, 100_000, "2", 1.5, None):
            with self.assertRaisesRegex(salvo.SalvoError, "threads: .* 1024"):
                salvo.Engine(threads=threads)
        self.assertEqual(salvo.Engine(threads=np.int8(2)).batch([DUEL] * 3), [self.engine.run(DUEL)] * 3)

    def test_what_pandas_and_paths_hold(self):
        frame = pd.DataFrame({"attack": ["3 focus", "2 lock"]})
        self.assertEqual(self.engine.run(attack=frame["attack"], defend="2"), self.engine.run(attack=["3 focus", "2 lock"], defend="2"))
        path = ROOT / "profiles" / "squads" / "rebels.json"
        for ask in (self.engine.run, self.engine.squad, self.engine.sweep, lambda path: self.engine.battle(path, path)):
            with self.assertRaisesRegex(salvo.SalvoError, "read_text"):
                ask(path)

    def test_what_is_no_list(self):
        for questions in (DUEL, json.dumps(DUEL), b"{}", None, 3, pd.DataFrame([{"attack": "3"}])):
            for columns in (None, "mean"):
                with self.assertRaisesRegex(salvo.SalvoError, "records"):
                    self.engine.batch(questions, columns=columns)
        for ask in (self.engine.compare, self.engine.gauntlet, self.engine.review):
            self.assertRaises(salvo.SalvoError, ask, None)
        for ask in (self.engine.compare, self.engine.gauntlet):
            with self.assertRaisesRegex(salvo.SalvoError, "a list of"):
                ask("3 focus", flight="range-2") if ask == self.engine.gauntlet else ask("3 focus", defend="2")
        frame = pd.DataFrame([{"attack": "3", "defend": "1"}, {"attack": "2", "defend": "1"}])
        self.assertEqual(len(self.engine.batch(frame.to_dict("records"))), 2)

    def test_equal_questions(self):
        frame = self.engine.batch([DUEL] * 3, columns="mean")
        np.testing.assert_allclose(frame["d.mean"], [self.engine.run(DUEL).mean("d")] * 3, atol=1e-12)

    def test_errors(self):
        wrong = {"ships": {}}
        answers = self.engine.batch([DUEL, wrong, DUEL], errors="return")
        self.assertIsInstance(answers[1], salvo.SalvoError)
        self.assertEqual(answers[0], answers[2])
        with self.assertRaisesRegex(salvo.SalvoError, "question 1"):
            self.engine.batch([DUEL, wrong])
        with self.assertRaises(salvo.SalvoError):
            self.engine.batch([DUEL], trials=5)

    def test_other_verbs(self):
        answers = self.engine.batch([{"words": "luke"}, {"words": "vader"}], verb="pilots")
        self.assertEqual(answers[1], self.engine.pilots("vader"))

    def test_other_threads_run(self):
        seen, done = [], threading.Event()

        def count():
            while not done.is_set():
                seen.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        begun = time.perf_counter()
        self.engine.run(DUEL, engine="sample", trials=200_000_000)
        ended = time.perf_counter()
        done.set()
        thread.join()
        during = [moment for moment in seen if begun < moment < ended]
        self.assertGreater(len(during), (ended - begun) * 100)

    def test_from_another_thread(self):
        out = []
        thread = threading.Thread(target=lambda: out.append(self.engine.run(DUEL)))
        thread.start()
        thread.join()
        self.assertEqual(out[0], self.engine.run(DUEL))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_after_fork(self):
        self.engine.run(DUEL)
        child = os.fork()
        if child == 0:
            os._exit(0 if self.engine.run(DUEL).value > 0 else 1)
        end = time.time() + 60
        status = (0, 0)
        while status[0] == 0 and time.time() < end:
            status = os.waitpid(child, os.WNOHANG)
            time.sleep(0.01)
        if status[0] == 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self.assertEqual(status, (child, 0))


class Interrupt(unittest.TestCase):
    def interrupted(self, call):
        text = f"import json, salvo, sys; e = salvo.Engine(); duel = json.loads({json.dumps(DUEL)!r}); print('go', flush=True); {call}"
        process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "PYTHONPATH": PACKAGES})
        self.assertEqual(process.stdout.readline(), "go\n")
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "it was done before it could be interrupted")
        begun = time.perf_counter()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertLess(time.perf_counter() - begun, 10)

    def test_run(self):
        self.interrupted("e.run(duel, engine='sample', trials=10**13)")

    def test_batch(self):
        self.interrupted("e.batch([dict(duel, engine='sample', trials=10**12)] * 8)")

    def test_sweep(self):
        self.interrupted("e.sweep(dict(duel, grid={'ships.d.hull': {'from': 1, 'to': 90}}), engine='sample', trials=10**10)")

    def test_goes_on_after(self):
        self.interrupted("exec('''\\ntry:\\n    e.run(duel, engine=\"sample\", trials=10**13)\\n"
                         "except KeyboardInterrupt:\\n    assert e.run(duel).value > 0\\n    raise\\n''')")


class Typed(Case):
    def test_stubs_name_what_is_there(self):
        tree = ast.parse((ROOT / "python" / "salvo" / "_salvo.pyi").read_text(encoding="utf-8"))
        from salvo import _salvo
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self.assertTrue(callable(getattr(_salvo, node.name)))
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    self.assertTrue(hasattr(getattr(_salvo, node.name), method.name), method.name)
        named = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.assertEqual(named, {name for name in vars(_salvo) if not name.startswith("_")} - {"version", "commit", "most_threads"})
        self.assertTrue((Path(salvo.__file__).parent / "py.typed").exists())

    def test_everything_is_documented_and_typed(self):
        for kind in (salvo.Engine, salvo.Result, salvo.RunResult, salvo.SalvoError):
            self.assertTrue(kind.__doc__)
            for name, member in vars(kind).items():
                if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
                    continue
                self.assertTrue(inspect.getdoc(member), f"{kind.__name__}.{name}")
        for name, member in vars(salvo.Engine).items():
            if inspect.isfunction(member) and not name.startswith("_") and name not in ("batch", "sweep"):
                self.assertIn("return", member.__annotations__, name)

    def test_methods_name_their_keys(self):
        """The keys of each method are those of the schema that act there; it takes the required ones as arguments."""
        from salvo import questions
        engines = {"engine", "budget", "trials", "precision", "seed", "generator", "certify", "count_tokens", "id",
                   "threads"}  # a schema has them in verbs that ignore them, too
        schemas = json.loads((ROOT / "docs" / "schemas" / "request.schema.json").read_text(encoding="utf-8"))["$defs"]
        for verb in salvo.VERBS:
            with self.subTest(verb=verb):
                method = getattr(salvo.Engine, verb)
                name = f"{verb.capitalize()}Keys"
                self.assertEqual(method.__annotations__["keys"], f"Unpack[questions.{name}]")
                keys = typing.get_type_hints(getattr(questions, name))
                required = schemas[verb].get("required", [])
                keys_of_schema = set(schemas[verb]["properties"]) - set(required)
                self.assertLessEqual(set(keys), keys_of_schema)
                self.assertLessEqual(keys_of_schema - set(keys), set() if verb == "run" else engines)
                self.assertEqual(getattr(questions, name).__required_keys__, frozenset())
                self.assertLessEqual(set(required), set(inspect.signature(method).parameters))
        run = typing.get_type_hints(questions.RunKeys)
        self.assertEqual(run["trials"], int)
        self.assertEqual(run["return"], typing.Union[str, collections.abc.Sequence[str]])
        self.assertEqual(typing.get_args(run["engine"]), ("exact", "sample", "both"))


if __name__ == "__main__":
    del sys.argv[1:3]
    unittest.main()
