#!/usr/bin/env python3
"""test_serve_clients.py SALVO [unittest options]: hostile, slow, numerous and vanishing clients; start and shutdown of the server.

Everything stays on the loopback; each server ends with its test.
"""

import concurrent.futures
import http.client
import json
import os
import random
import re
import signal
import socket
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from program import ROOT, run
from serving import FREE, JSON, LINES, QUESTION, Server, Shared, long_question, main, resident, status_of


class Hostile(Shared):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--patience", "1")

    def tearDown(self):
        self.assertEqual(self.server.ask("GET", "/healthz")[0], 200)

    def test_wrong_questions(self):
        for body, path, word in (('{"attack": "3 fokus", "defend": "2"}', "attack[0]", "focus"), ("{", "", "JSON"), ("", "", "JSON"),
                                 ("[1]", "", "object"), ('{"attack": "3", "defend": "2", "rules": "/etc/passwd"}', "rules", ""),
                                 ('{"attack": "3", "defend": "2", "defend": "1"}', "defend", "twice"),
                                 ("[" * 30_000, "", ""), ('{"a": ' * 5000, "", ""), ('{"a": 1e999999}', "", ""),
                                 (b"\xff\xfe{}", "", ""), (b"{}\x00", "", "")):
            with self.subTest(body=body[:40]):
                problem = self.problem(self.server.post("run", body), 400, "question", word)
                self.assertEqual(problem["path"], path)
        problem = self.problem(self.server.post("run", {"attack": "3 fokus", "defend": "2"}), 400, "question")
        self.assertIn("focus", problem["remedy"])

    def test_too_large_questions(self):
        def refused(answer, path, *words):
            problem = self.problem(answer, 422, "too-large", *words)
            self.assertEqual(problem["path"], path)
            self.assertTrue(problem["detail"].endswith(problem["remedy"]) or "detail" in words, problem)
            return problem

        budget = self.server.post("run", {**QUESTION, "engine": "exact", "budget": 10})
        self.assertIn("budget", refused(budget, "attack[0]")["remedy"])
        # The larger the budget, the later the attack that exceeds it.
        long = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": 6, "tokens": {"focus": 1}}},
                "attacks": [{"by": "a", "on": "d"}] * 3, "engine": "exact", "damage_deck": "core"}
        answers = [self.server.post("run", {**long, "budget": 2 ** n}) for n in range(2, 23)]
        paths = [json.loads(answer[2])["path"] for answer in answers if answer[0] != 200]
        self.assertEqual(paths, sorted(paths))
        self.assertEqual(set(paths), {"attacks[0]", "attacks[1]", "attacks[2]"})
        refused(self.server.post("run", {**QUESTION, "trials": 10**9}), "trials", "leave")
        refused(self.server.post("run", {**QUESTION, "budget": 10**9}), "budget", "leave")
        refused(self.server.post("run", {**QUESTION, "engine": "sample", "precision": 1e-5}), "precision")
        with Server("--work", "100000") as server:
            self.assertEqual(server.post("run", QUESTION)[0], 200)
            refused(server.post("compare", {"items": ["3", "2"], "defend": "2", "engine": "sample"}), "items", "leave out")
            refused(server.post("squad", {"squad": json.loads(
                (ROOT / "profiles" / "squads" / "rebels.json").read_text())}), "squad")
            # Few transitions, but each attack adds to a table that grows with every attack before it.
            refused(server.post("run", {"ships": {"a": {"attack": 3}, "d": {"agility": 2}}, "attacks": [{"by": "a", "on": "d"}] * 400}),
                    "attacks", "leave out")
            line = json.dumps({"ships": {"a": {"attack": 3}, "d": {}}, "attacks": [{"by": "a", "on": "d"}], "engine": "sample"})
            answer = json.loads(server.ask("POST", "/v1/batch", line, LINES)[2])
            self.assertEqual((answer["error"]["status"], answer["error"]["line"]), (3, 1))
        with Server("--seconds", "1", *FREE[:4]) as server:
            began = time.monotonic()
            refused(server.post("run", {**long_question(), "trials": 10**12}), "trials", "detail")
            self.assertLess(time.monotonic() - began, 8)

    def test_bodies(self):
        self.problem(self.server.post("run", " " * 70_000), 413, "body-too-large")
        got = self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999\r\n\r\n")
        self.assertEqual(status_of(got), 413)
        got = self.server.raw(b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        self.assertEqual(status_of(got), 413)
        got = self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                              *([b"2000\r\n" + b" " * 0x2000 + b"\r\n"] * 12))
        self.assertEqual(status_of(got), 413)
        long_line = self.server.ask("POST", "/v1/batch", "x" * 200_000, LINES)
        self.assertEqual(json.loads(long_line[2])["error"]["line"], 1)

    def test_media_types(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/x-ndjson"):
            problem = self.problem(self.server.ask("POST", "/v1/run", "{}", {"Content-Type": kind}), 415, "media-type")
            self.assertEqual(problem["path"], "Content-Type")
        self.problem(self.server.ask("POST", "/v1/run", "{}", {**JSON, "Content-Encoding": "gzip"}), 415, "media-type")
        self.problem(self.server.ask("POST", "/v1/batch", "{}", {"Content-Type": "text/csv"}), 415, "media-type")
        self.assertEqual(self.server.ask("POST", "/v1/run", json.dumps(QUESTION), {**JSON, "Content-Encoding": "identity"})[0], 200)
        for kind in ("application/json; charset=utf-8", "Application/JSON", "application/json\t;charset=utf-8"):
            self.assertEqual(self.server.ask("POST", "/v1/run", json.dumps(QUESTION), {"Content-Type": kind})[0], 200)
        for kind in ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines;charset=utf-8"):
            self.assertEqual(self.server.ask("POST", "/v1/batch", "{}", {"Content-Type": kind})[0], 200)
        body = json.dumps(QUESTION).encode()
        self.assertEqual(status_of(self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d"
                                                   b"\r\n\r\n%s" % (len(body), body))), 200)

    def test_heads(self):
        for text, status in (
                ("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + "x" * 20_000 + "\r\n\r\n", 431),
                ("GET /" + "x" * 20_000 + " HTTP/1.1\r\nHost: x\r\n\r\n", 431),
                ("GET /healthz HTTP/1.1\r\nHost: x\r\n" + "A: b\r\n" * 3000 + "\r\n", 431),
                ("GET /healthz HTTP/1.1\r\n\r\n", 400), ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
                ("GET /healthz HTTP/3.7\r\nHost: x\r\n\r\n", 505), ("GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n", 505),
                ("GET /healthz HTTP/1.x\r\nHost: x\r\n\r\n", 400), ("GET /healthz FTP/1.2\r\nHost: x\r\n\r\n", 400),
                ("GET /health z HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /health z HTTP/1.2\r\nHost: x\r\n\r\n", 400),
                ("GET healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
                ("hello\r\n\r\n", 400), ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
                ("GET /healthz HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n", 400),
                ("CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
                ("GET http://example.org/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200),
                ("\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200),
                ("\r\n" * 50 + "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("\r\n" * 9000, 400),
                ("GET /healthz HTTP/1.1\nHost: x\n\n", 400), ("GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n", 400),
                ("GET /healthz\r\n", 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
                ("GET /healthz\0 HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", 400),
                ("GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400),
                ("A" * 9000 + " /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 405),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551618\r\n\r\n{}", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
                ("POST /v1/run HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff1\r\n", 400),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;" + "a" * 90_000 + "\r\n", 431),
                ("POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + "T: 1\r\n" * 20_000 + "\r\n", 431),
                ("GET /healthz HTTP/1.0\r\n\r\n", 200), ("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 204)):
            with self.subTest(text[:60]):
                got = self.server.raw(text.encode("latin-1"))
                self.assertEqual(status_of(got), status, got[:300])

    def test_paths_lead_nowhere(self):
        """No path is a file, however it is spelled."""
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc/passwd", "//etc/passwd", "/..\\..\\etc",
                     "/openapi.json%00.html", "/proc/self/environ", "/v1/../etc/passwd", "/v1/run/../../etc/passwd", "/\xff\xfe"):
            got = self.server.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode("latin-1"))
            self.assertEqual(status_of(got), 404, path)
            self.assertNotIn(b"root:", got)

    def test_lengths_that_do_not_fit(self):
        text = json.dumps(QUESTION).encode()
        head = b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        got = self.server.raw(head % 10 + text)  # the excess bytes begin another request, an invalid one
        self.assertEqual(re.findall(rb"HTTP/1.1 (\d+)", got), [b"400", b"400"])
        self.assertEqual(self.server.raw(head % (len(text) + 1) + text, shut=True), b"")  # cut off: no client is left to answer
        got = self.server.raw(b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{}\n{}", shut=True)
        self.assertEqual(status_of(got), 200)
        got = self.server.raw(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
        self.assertEqual(status_of(got), 200)

    def test_invalid_hosts(self):
        """The page address in an answer never contains an invalid Host."""
        text = json.dumps(QUESTION).encode()
        for host in (b"", b"evil\"><x", b"\xe4\xf6", b"a b", b"x/../y", b"x#y", b"x@y"):
            got = self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                                  % (host, len(text), text))
            self.assertEqual(status_of(got), 200)
            self.assertIn(b"Link: <http://127.0.0.1:%d/#" % self.server.port, got, host)

    def test_request_smuggling(self):
        """Bytes after a refused request are not read as a request."""
        got = self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                              b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual(got.count(b"HTTP/1.1 "), 1)
        for coding in (b"gzip", b"chunked, gzip", b"identity"):  # such a body has no known end
            got = self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: %s\r\n\r\n"
                                  b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" % coding)
            self.assertEqual(re.findall(rb"HTTP/1.1 (\d+)", got), [b"501"], coding)
            self.assertIn(b"Connection: close\r\n", got)

    def test_chunks_and_pieces(self):
        text = json.dumps(QUESTION).encode()
        expected = self.server.post("run", QUESTION)[2]
        chunks = b"".join(b"%x;name=value\r\n%s\r\n" % (len(text[i:i + 7]), text[i:i + 7]) for i in range(0, len(text), 7))
        head = b"POST /v1/run HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        self.assertTrue(self.server.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nTrailer: 1\r\n\r\n")
                        .endswith(b"\r\n\r\n" + expected))
        whole = head + b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
        self.assertTrue(self.server.raw(*[whole[i:i + 1] for i in range(len(whole))]).endswith(expected))
        self.assertTrue(self.server.raw(whole, shut=True).endswith(expected))

    def test_expect(self):
        text = json.dumps(QUESTION).encode()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.sendall(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n"
                               b"Content-Length: %d\r\n\r\n" % len(text))
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(text)
            self.assertEqual(status_of(connection.recv(100)), 200)
        got = self.server.raw(b"POST /v1/run HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 999999\r\n\r\n")
        self.assertEqual(status_of(got), 413)
        problem = self.problem(self.server.ask("POST", "/v1/run", text, {**JSON, "Expect": "a-miracle"}), 417, "expectation")
        self.assertEqual(problem["path"], "Expect")
        # HTTP/1.0 has no interim responses.
        got = self.server.raw(b"POST /v1/run HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(text), text, wait=0.1)
        self.assertEqual(re.findall(rb"HTTP/1.1 (\d+)", got), [b"200"])

    def test_versions(self):
        head, body = self.server.raw(b"GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n").split(b"\r\n\r\n")
        self.assertTrue(head.startswith(b"HTTP/1.1 505 HTTP Version Not Supported\r\n"))
        self.assertIn(b"Connection: close", head)
        self.assertEqual(json.loads(body)["type"], "/problems#version")

    def test_pipelining(self):
        texts = [json.dumps({"attack": str(n % 4 + 1), "defend": "1", "id": n}).encode() for n in range(50)]
        head = b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%s\r\n%s"
        got = self.server.raw(b"".join(head % (len(text), b"Connection: close\r\n" if n == 49 else b"", text)
                                       for n, text in enumerate(texts)))
        self.assertEqual(got.count(b"HTTP/1.1 200"), 50)
        self.assertEqual([int(one) for one in re.findall(rb'"id": (\d+)', got)], list(range(50)))

    def test_slow_clients(self):
        """Sending byte by byte does not hold a connection, nor delay other clients."""
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            slow = [pool.submit(self.server.raw, *[b"x"] * 12, wait=0.1),
                    pool.submit(self.server.raw, b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n", *[b" "] * 12,
                                wait=0.1),
                    pool.submit(self.server.raw, b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n")]
            self.assertEqual(self.server.post("run", QUESTION, timeout=1)[0], 200)
            replies = [one.result() for one in slow]
        self.assertEqual([status_of(one) for one in replies], [408] * 3, replies)
        self.assertIn(b"/problems#too-slow", replies[0])
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            self.assertEqual(connection.recv(100), b"")  # a silent client gets no response
        self.assertLess(time.monotonic() - began, 12)
        self.assertGreaterEqual(self.server.metric("salvo_connections_timed_out_total"), 3)

    def test_client_that_never_reads(self):
        """A client that keeps asking without reading answers is disconnected."""
        line = json.dumps({"ships": {"a": {"attack": 3}, "d": {"agility": 1}}, "attacks": [{"by": "a", "on": "d"}]}).encode() + b"\n"
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            size = len(line) * 30_000
            connection.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size)
            with self.assertRaises((BrokenPipeError, ConnectionResetError, TimeoutError)):
                for _ in range(300):
                    connection.sendall(line * 100)
                for _ in range(100):
                    time.sleep(0.1)
                    connection.sendall(b"")
                    connection.getpeername()
                    if self.server.metric("salvo_connections") <= 1:
                        raise BrokenPipeError

    def test_noise(self):
        generator = random.Random(2)
        good = b"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Length: 41\r\n\r\n" + json.dumps(QUESTION).encode()
        for round_ in range(150):
            if round_ % 3 == 0:
                text = generator.randbytes(generator.randrange(1, 2000))
            else:
                text = bytearray(good)
                for _ in range(generator.randrange(1, 8)):
                    text[generator.randrange(len(text))] = generator.randrange(256)
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as connection:
                connection.sendall(bytes(text))
                if round_ % 2:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # ends with a reset
        self.assertEqual(self.server.post("run", QUESTION)[0], 200)


class Crowds(unittest.TestCase):
    def test_half_open_connections(self):
        """Idle connections give way to those that send requests."""
        with Server("--connections", "16") as server:
            silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(64)]
            for one in silent[::2]:
                one.sendall(b"POST /v1/run HTTP/1.1\r\nHo")
            for _ in range(20):
                began = time.monotonic()
                self.assertEqual(server.post("run", QUESTION)[0], 200)
                self.assertLess(time.monotonic() - began, 2)
            self.assertGreaterEqual(server.metric("salvo_connections_evicted_total"), 48)
            self.assertLessEqual(server.metric("salvo_connections"), 16)
            for one in silent:
                one.close()

    def test_a_long_question_delays_no_others(self):
        with Server("--threads", "1", *FREE) as server, concurrent.futures.ThreadPoolExecutor(1) as pool:
            long = pool.submit(server.post, "run", long_question())
            time.sleep(0.3)
            for n in range(20):
                self.assertEqual(server.post("run", {**QUESTION, "id": n})[0], 200)
            self.assertFalse(long.done())
            self.assertEqual(long.result()[0], 200)

    def test_overload(self):
        """A request over capacity is refused at once, with a Retry-After in seconds."""
        with Server("--threads", "1", "--queue", "2", *FREE) as server, concurrent.futures.ThreadPoolExecutor(8) as pool:
            long = long_question(1)

            def timed(n):
                began = time.monotonic()
                return *server.post("run", {**long, "seed": n}), time.monotonic() - began

            answers = [one.result() for one in [pool.submit(timed, n) for n in range(8)]]
            busy = [one for one in answers if one[0] == 503]
            self.assertEqual({one[0] for one in answers}, {200, 503})
            self.assertGreaterEqual(len(busy), 3)
            for _, headers, body, seconds in busy:
                self.assertGreaterEqual(int(headers["Retry-After"]), 1)
                self.assertEqual(json.loads(body)["type"], "/problems#busy")
            self.assertLess(min(one[3] for one in busy), 1)

    def test_turns(self):
        """A batch does not delay a single question."""
        line = json.dumps({"ships": {"a": {"attack": 3}, "d": {"agility": 1}}, "attacks": [{"by": "a", "on": "d"}],
                           "engine": "sample", "trials": long_question(0.02)["trials"]})
        with Server("--threads", "1", *FREE) as server, concurrent.futures.ThreadPoolExecutor(1) as pool:
            batch = pool.submit(server.ask, "POST", "/v1/batch", (line + "\n") * 300, LINES)
            time.sleep(0.3)
            self.assertEqual(server.post("run", QUESTION)[0], 200)
            self.assertFalse(batch.done())
            self.assertEqual(batch.result()[2].count(b"\n"), 300)

    def test_many_at_once(self):
        with Server() as server, concurrent.futures.ThreadPoolExecutor(16) as pool:
            expected = {n: run("request", "run", "-", stdin=json.dumps({**QUESTION, "id": n})).stdout for n in range(8)}
            asked = [(n, pool.submit(server.post, "run", {**QUESTION, "id": n})) for n in list(range(8)) * 40]
            for n, one in asked:
                self.assertEqual(one.result()[2].decode(), expected[n])

    def test_unread_log(self):
        with Server(read_log=False) as server:
            for _ in range(1200):
                self.assertEqual(server.ask("GET", "/healthz", headers={"X": "y"})[0], 200)

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers hold freed memory")
    def test_memory(self):
        """Another thousand questions take no more memory than the first thousand."""
        with Server("--cache", "1", "--quiet") as server:
            def ask(first, count):
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
                for n in range(first, first + count):
                    body = json.dumps({"attack": f"{n % 4 + 1} focus", "defend": f"2 hull={n % 5 + 1}", "id": n})
                    connection.request("POST", "/v1/run", body, JSON)
                    connection.getresponse().read()
                connection.close()

            ask(0, 1500)
            before = resident(server.process.pid)
            ask(1500, 3000)
            self.assertLess(resident(server.process.pid), before + (2 << 20))


class Ending(unittest.TestCase):
    def test_shutdown_finishes_running_questions(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server(*FREE) as server, concurrent.futures.ThreadPoolExecutor(1) as pool:
                idle = socket.create_connection(("127.0.0.1", server.port))
                long = pool.submit(server.post, "run", long_question(1.5))
                time.sleep(0.3)
                began = time.monotonic()
                server.process.send_signal(number)
                time.sleep(0.2)
                with self.assertRaises(ConnectionRefusedError):
                    socket.create_connection(("127.0.0.1", server.port))
                self.assertEqual(idle.recv(10), b"")
                status, headers, _ = long.result()
                self.assertEqual(status, 200)
                self.assertEqual(headers["Connection"], "close")
                self.assertEqual(server.process.wait(10), 0)
                self.assertLess(time.monotonic() - began, 10)
                server.reader.join(5)
                self.assertEqual([one["event"] for one in server.logs if one["event"] != "request"],
                                 ["listening", "leaving", "stopped"])
                idle.close()

    def test_shutdown_abandons_long_questions(self):
        with Server(*FREE) as server, \
                concurrent.futures.ThreadPoolExecutor(1) as pool:
            long = pool.submit(server.post, "run", {**long_question(), "trials": 10**12})
            time.sleep(0.5)
            began = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(long.result()[0], 422)
            self.assertEqual(server.process.wait(11), 0)
            self.assertLess(time.monotonic() - began, 10.5)

    def test_the_log(self):
        with Server() as server:
            server.ask("GET", '/nothing?"%0a')
            server.post("run", QUESTION)
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(10)
            server.reader.join(5)
            requests = [one for one in server.logs if one["event"] == "request"]
            self.assertEqual([one["status"] for one in requests], [404, 200])
            self.assertEqual(requests[0]["path"], '/nothing?"%0a')
            self.assertEqual(requests[1]["client"], "127.0.0.1")
            for one in requests:
                self.assertEqual(set(one), {"time", "level", "event", "client", "method", "path", "status", "bytes", "ms"})

    def test_trusted_proxy(self):
        """The client is the last address that the trusted proxy names, and nobody else may name one."""
        named = [("203.0.113.7", "203.0.113.7"), ("10.9.9.9, 203.0.113.8", "203.0.113.8"), ("203.0.113.7, nobody", "127.0.0.1"),
                 ("", "127.0.0.1"), ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"), (None, "127.0.0.1")]
        for options, trusted in ((("--trust-proxy", "127.0.0.1"), True), (("--trust-proxy", "192.0.2.1"), False), ((), False)):
            with self.subTest(options), Server(*options) as server:
                for header, _ in named:
                    server.ask("GET", "/healthz", headers={} if header is None else {"X-Forwarded-For": header})
                server.process.send_signal(signal.SIGTERM)
                server.process.wait(10)
                server.reader.join(5)
                clients = [one["client"] for one in server.logs if one["event"] == "request"]
                self.assertEqual(clients, [client if trusted else "127.0.0.1" for _, client in named])
        self.assertIn("no IP address", run("serve", "--port", "0", "--trust-proxy", "nginx").stderr)


class Leaving(unittest.TestCase):
    """Work for a vanished client stops; a client that only shut down its sending side gets its answer."""

    ENDLESS = {"run": {**QUESTION, "engine": "sample", "trials": 10**12},
               "worth": {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": 20, "tokens": {"evade": 1}}},
                         "attacks": [{"by": "a", "on": "d"}] * 400}}  # solved again for each of dozens of changes

    def request(self, verb, body):
        text = (body if isinstance(body, str) else json.dumps(body)).encode()
        return b"POST /v1/%s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (verb.encode(), len(text), text)

    def until(self, server, running):
        """Waits until some question is running, or none is; of a batch of long questions several may be."""
        end = time.monotonic() + 120
        while bool(server.metric("salvo_questions_running")) != running:
            self.assertLess(time.monotonic(), end, "the server still works for a vanished client")
            time.sleep(0.01)

    def test_vanished_client(self):
        with Server("--threads", "1", *FREE) as server:
            for verb, body in self.ENDLESS.items():
                with self.subTest(verb), socket.create_connection(("127.0.0.1", server.port)) as connection:
                    connection.sendall(self.request(verb, body))
                    self.until(server, True)
                    connection.close()
                    self.until(server, False)
                    self.assertIn(f'salvo_requests_total{{route="{verb}",status="499"}} 1', server.ask("GET", "/metrics")[2].decode())
            line = json.dumps({"ships": {"a": {"attack": 3}, "d": {}}, "attacks": [{"by": "a", "on": "d"}], "engine": "sample",
                               "trials": 10**12}) + "\n"
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(self.request("batch", line * 100))
                self.until(server, True)
                connection.close()
                self.until(server, False)
            self.assertEqual(server.post("run", QUESTION)[0], 200)

    def test_half_closed_client(self):
        with Server("--threads", "1", *FREE) as server:
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
                connection.sendall(self.request("run", self.ENDLESS["run"]))
                self.until(server, True)
                connection.shutdown(socket.SHUT_WR)
                first = connection.recv(100)  # the response has begun, whatever its status
                self.assertTrue(first and b"HTTP/1.1 ".startswith(first), first)
                self.assertEqual(server.metric("salvo_questions_running"), 1)
                connection.close()
                self.until(server, False)
            bodies = [{**long_question(0.3), "seed": n} for n in range(3)]
            got = server.raw(b"".join(self.request("run", body) for body in bodies), shut=True)
            answers = [server.post("run", body)[2] for body in bodies]
            self.assertEqual(re.findall(rb"HTTP/1.1 (\d+)", got), [b"200"] * 3)
            self.assertTrue(got.startswith(b"HTTP/1.1 200 OK\r\nServer"))
            for one in answers:
                self.assertIn(b"\r\n\r\n" + one, got)
            body = json.dumps(bodies[0])[:-1]
            got = server.raw(self.request("run", body), shut=True)  # an error response begins in the same way
            self.assertTrue(got.startswith(b"HTTP/1.1 400 Bad Request\r\n"))


class Starting(unittest.TestCase):
    def test_what_is_refused(self):
        with Server() as server:
            taken = run("serve", "--port", str(server.port))
            self.assertEqual(taken.returncode, 4)
            self.assertIn("in use", taken.stderr)
        for words, word in ((["--port", "70000"], "65535"), (["--address", "nowhere"], "nowhere"), (["--url", "ftp://x"], "--url"),
                            (["--origin", "a, b"], "--origin"), (["--body", "0"], "--body"), (["--page", ""], "--page"),
                            (["--card", "/nonexistent.toml"], "nonexistent")):
            got = run("serve", "--port", "0", *words) if "--port" not in words else run("serve", *words)
            self.assertIn(got.returncode, (2, 4), words)
            self.assertIn(word, got.stderr)
            self.assertNotIn("our fault", got.stderr)

    def test_home_made_cards(self):
        with tempfile.TemporaryDirectory() as folder:
            card = Path(folder) / "mine.toml"
            card.write_text('id = "mine"\nkind = "upgrade"\n[[effect]]\nside = "attacker"\nat = "attack-mod"\nmay = true\n'
                            'do = [{ verb = "reroll", dice = "attack", n = 1 }]\n')
            result = run("run", "-a", "3 mine", "-d", "2", "--card", str(card), "--no-would-add", "--format", "json")
            self.assertEqual(result.returncode, 0, result.stderr)
            with Server("--card", str(card)) as server:
                self.assertEqual(server.post("run", {"attack": "3 mine", "defend": "2"})[2].decode(), result.stdout)


if __name__ == "__main__":
    main()
