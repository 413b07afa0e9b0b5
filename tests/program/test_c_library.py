#!/usr/bin/env python3
"""test_c_library.py LIBRARY SALVO: libsalvo.so.0 (include/salvo/salvo_c.h) through ctypes: its exports, and its answers,
which equal those of `salvo request` byte for byte.
"""

import ctypes
import json
import resource
import subprocess
import sys
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROFILES = ROOT / "profiles"
library, salvo = Path(), Path()

BODIES = [
    ("run", {"attack": ["3 focus"], "defend": ["2 evade"]}),
    ("run", {"attack": ["3", "3"], "defend": ["3 focus"], "engine": "sample", "trials": 100000, "seed": 7, "id": "x"}),
    ("worth", {"attack": ["3 focus lock"], "defend": ["2 focus"]}),
    ("ships", {"words": "x-wing"}),
    ("cards", {"show": "predator"}),
    ("hazard", {"hazard": "asteroid"}),
    ("run", {"attack": ["three"]}),
    ("walk", {}),
]
PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


def load():
    lib = ctypes.CDLL(str(library))
    text, size = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
    lib.salvo_version.restype = ctypes.c_char_p
    lib.salvo_open.restype = lib.salvo_open_pack.restype = ctypes.c_void_p
    lib.salvo_open.argtypes = [ctypes.c_char_p, text]
    lib.salvo_open_pack.argtypes = [ctypes.c_char_p, ctypes.c_size_t, text]
    lib.salvo_add_pack.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, text]
    lib.salvo_close.argtypes = lib.salvo_cancel.argtypes = lib.salvo_free.argtypes = [ctypes.c_void_p]
    lib.salvo_close.restype = lib.salvo_cancel.restype = lib.salvo_free.restype = None
    lib.salvo_request_progress.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, PROGRESS,
                                           ctypes.c_void_p, text, size]
    lib.salvo_request.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, text, size]
    return lib


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lib = load()
        cls.engine = cls.lib.salvo_open(str(PROFILES).encode(), None)
        cls.addClassCleanup(cls.lib.salvo_close, cls.engine)

    def ask(self, verb, body, engine=None, progress=None):
        """Returns status and bytes."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer, size = ctypes.c_void_p(), ctypes.c_size_t()
        engine = engine or self.engine
        if progress is None:
            status = self.lib.salvo_request(engine, verb.encode(), data, len(data), answer, size)
        else:
            status = self.lib.salvo_request_progress(engine, verb.encode(), data, len(data), PROGRESS(progress), None, answer, size)
        out = ctypes.string_at(answer, size.value)
        self.assertEqual(ctypes.string_at(answer)[:size.value], out)  # a 0 follows
        self.lib.salvo_free(answer)
        return status, out

    def test_exports(self):
        lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
        names = {line.split()[-1] for line in lines.splitlines()}
        self.assertEqual(names, {"salvo_version", "salvo_open", "salvo_open_pack", "salvo_add_pack", "salvo_close",
                                 "salvo_request", "salvo_request_progress", "salvo_cancel", "salvo_free"})
        dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
        self.assertIn("[libsalvo.so.0]", dynamic)

    def test_answers_are_those_of_the_program(self):
        for verb, body in BODIES:
            with self.subTest(verb=verb, body=body):
                native = subprocess.run([salvo, "request", verb, "-"], input=json.dumps(body).encode(), capture_output=True, timeout=60)
                status, out = self.ask(verb, body)
                if verb == "walk":  # the command line refuses it earlier
                    self.assertEqual((status, json.loads(out)["error"]["place"]), (2, "verb"))
                    continue
                self.assertEqual((status, out), (native.returncode, native.stdout))

    def test_little_memory(self):
        """A game within its budget that exceeds the available memory is sampled, and the answer says why."""
        body = {"attack": ["3 focus", "3 focus", "3 lock", "2 focus", "3 lock"], "defend": "2 focus evade hull=9",
                "damage_deck": "core", "objective": "kill", "budget": 10**9, "trials": 20_000, "threads": 1}
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))
        out = subprocess.run([salvo, "request", "run", "-"], input=json.dumps(body).encode(), capture_output=True, preexec_fn=limit, timeout=300)
        report = json.loads(out.stdout)
        self.assertEqual(report["engine"], "sample")
        self.assertIn("memory", report["engine_reason"])

    def test_version(self):
        said = subprocess.run([salvo, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(self.lib.salvo_version().decode(), said)

    def test_errors(self):
        for body in (b"", b"{", b"\xff", b"[]", b'{"attack": "three"}', b'{"attack": ["3"], "defend": "2", "budget": 1, "engine": "exact"}'):
            with self.subTest(body=body):
                status, out = self.ask("run", body)
                error = json.loads(out)["error"]
                self.assertEqual(error["status"], status)
                self.assertIn(status, (2, 3))
                self.assertTrue(error["message"])
        error = ctypes.c_void_p()
        self.assertIsNone(self.lib.salvo_open(b"/no/such/folder", error))
        self.assertIn("no folder rules", json.loads(ctypes.string_at(error))["error"]["message"])
        self.lib.salvo_free(error)
        self.assertIsNone(self.lib.salvo_open_pack(b"nonsense", 8, error))
        self.assertIn("not a pack", json.loads(ctypes.string_at(error))["error"]["message"])
        self.lib.salvo_free(error)
        self.lib.salvo_free(None)
        self.lib.salvo_close(None)

    def test_null_arguments(self):
        """NULL gives an error, not a crash."""
        body = b"{}"
        for engine, verb, text, size in ((None, b"run", body, 2), (self.engine, None, body, 2), (self.engine, b"run", None, 2)):
            answer = ctypes.c_void_p()
            self.assertEqual(self.lib.salvo_request(engine, verb, text, size, answer, None), 2)
            self.assertIn("NULL", json.loads(ctypes.string_at(answer))["error"]["message"])
            self.lib.salvo_free(answer)
        self.assertEqual(self.lib.salvo_request(self.engine, b"run", body, 2, None, None), 2)
        self.assertEqual(self.lib.salvo_add_pack(None, b"", 0, None), 2)
        self.assertEqual(self.lib.salvo_add_pack(self.engine, None, 8, None), 2)
        self.assertIsNone(self.lib.salvo_open_pack(None, 8, None))
        self.lib.salvo_cancel(None)
        status, out = self.ask("run", b"")
        self.assertEqual((status, self.lib.salvo_request(self.engine, b"run", None, 0, answer, None)), (2, 2))
        self.assertEqual(ctypes.string_at(answer), out)  # no bytes mean an empty body
        self.lib.salvo_free(answer)

    def test_hostile_bodies(self):
        """Malformed bodies give an error quickly."""
        large = b"x" * (50 << 20)
        for body in (b"\0", b'{"attack": "3", "defend": "2"}\0', b'{"attack": "3\0", "defend": "2"}', b"[" * 1_000_000, b'{"a":' * 1_000_000,
                     b'{"trials": 1e999999}', b'{"seed": ' + b"9" * 100_000 + b"}", b'{"attack": "\xc3\x28", "defend": "2"}',
                     b'{"attack": "\\ud800", "defend": "2"}', b'{"attack": "3", "attack": "2", "defend": "2"}', b'{"id": "%s"}' % large,
                     large, b'{"\\u0000": 1}', b"\xef\xbb\xbf", b"nul", b"-", b'{"attack": ["3"], "defend": "2"} {}'):
            with self.subTest(body=body[:40]):
                status, out = self.ask("run", body)
                self.assertEqual((status, json.loads(out)["error"]["status"]), (2, 2))
                self.assertLess(len(out), 1000)

    def test_packs_answer_as_their_folder(self):
        first, cards, further = ((salvo.parent / f"profiles-{name}.pack").read_bytes() for name in ("first", "cards", "further"))
        engine = self.lib.salvo_open_pack(first, len(first), None)
        self.assertIsNotNone(engine)
        # Dice without cards need the first pack alone.
        dice = {"attack": ["3 focus lock"], "defend": "3 evade hull=3", "damage_deck": "core"}
        self.assertEqual(self.ask("run", dice, engine), self.ask("run", dice))
        self.assertEqual(self.ask("ships", {}, engine)[0], 5)
        self.assertEqual(self.lib.salvo_add_pack(engine, cards, len(cards), None), 0)
        # Questions about all card sets need the further pack.
        needed = set()
        for verb, body in BODIES:
            answer = self.ask(verb, body, engine)
            if answer[0] == 5:
                needed.add(verb)
            else:
                self.assertEqual(answer, self.ask(verb, body), f"{verb} {body}")
        self.assertFalse(needed & {"run", "advise", "compare", "worth"}, needed)
        # An astromech with no known property except its charges (profiles/cards/charges.tsv).
        charged = {"attack": ["2 focus"], "defend": "pilot=lukeskywalker r2astromech", "cards": "2025"}
        self.assertEqual(self.ask("run", charged, engine), self.ask("run", charged))
        old = {"attack": ["pilot=lukeskywalker focus"], "defend": "ship=tiefighter", "rules": "first-edition"}
        status, text = self.ask("run", old, engine)
        self.assertEqual(status, 5)
        self.assertIn(b"profiles-further.pack", text)
        error = ctypes.c_void_p()
        self.assertEqual(self.lib.salvo_add_pack(engine, b"nonsense", 8, error), 2)
        self.assertIn("not a pack", json.loads(ctypes.string_at(error))["error"]["message"])
        self.lib.salvo_free(error)
        self.assertEqual(self.lib.salvo_add_pack(engine, further, len(further), None), 0)
        self.assertEqual(self.ask("run", old)[0], 0)
        for verb, body in [*BODIES, ("run", old)]:
            self.assertEqual(self.ask(verb, body, engine), self.ask(verb, body), f"{verb} {body}")
        self.lib.salvo_close(engine)

    def test_threads(self):
        """Eight threads that share an engine get the answers of one thread."""
        alone = [self.ask(verb, body) for verb, body in BODIES]
        wrong = []

        def work():
            wrong.extend(i for i, (verb, body) in enumerate(BODIES) if self.ask(verb, body) != alone[i])

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_progress_and_cancel(self):
        body = {"attack": ["3", "3"], "defend": ["3 focus"], "engine": "sample", "trials": 10**12}
        heard = []

        def stop(_, done, planned):
            heard.append((done, planned))
            return 0

        for progress in (stop, lambda _, done, planned: self.lib.salvo_cancel(self.engine) or 1):
            status, out = self.ask("run", body, progress=progress)
            self.assertEqual(status, 0)
            self.assertTrue(json.loads(out)["interrupted"])
        self.assertEqual(len(heard), 1)
        self.assertEqual(heard[0][1], 10**12)
        status, out = self.ask("run", BODIES[0][1])  # later requests are not cancelled
        self.assertNotIn(b"interrupted", out)


if __name__ == "__main__":
    library, salvo = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
