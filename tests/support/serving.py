"""Starts `salvo serve` for tests; the server ends with its test."""

import http.client
import json
import os
import socket
import subprocess
import threading
import time
import unittest
import urllib.parse
from pathlib import Path

from program import ROOT, SALVO, run
import program

SCHEMAS = {file.name.removesuffix(".schema.json"): json.loads(file.read_text())
           for file in (ROOT / "docs" / "schemas").glob("*.schema.json")}
QUESTION = {"attack": "3 focus lock", "defend": "2 focus hull=4"}
JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson"}


def long_question(seconds=2.5):
    """A question that takes one processor about this long."""
    body = {"attack": "3 focus lock", "defend": "3 focus evade hull=8", "engine": "sample", "threads": 1}
    if not hasattr(long_question, "rate"):
        spent = []
        for trials in (1, 30_000_000):
            before = os.times().children_user
            run("request", "run", "-", stdin=json.dumps({**body, "trials": trials}))
            spent.append(os.times().children_user - before)
        long_question.rate = 30_000_000 / max(spent[1] - spent[0], 0.01)
    return {**body, "trials": int(long_question.rate * seconds)}


FREE = ("--trials", "1e12", "--work", "1e15", "--seconds", "100")


def resident(pid):
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE")


class Server:
    """A server on a free port. `logs`: the lines of its log as objects."""

    def __init__(self, *options, read_log=True):
        if "--page" not in options:
            options = ("--page", "none", *options)
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([SALVO, "serve", "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        if not first.startswith("{"):
            raise AssertionError(first + self.process.stderr.read())
        self.logs = [json.loads(first)]
        self.port = urllib.parse.urlsplit(self.logs[0]["url"]).port
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        if read_log:
            self.reader.start()

    def read_log(self):
        for line in self.process.stderr:
            self.logs.append(json.loads(line))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.reader.is_alive():
            self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def ask(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def post(self, verb, body, **more):
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self.ask("POST", f"/v1/{verb}", text, JSON, **more)

    def raw(self, *pieces, wait=0.0, timeout=30, shut=False):
        """Sends the pieces unchanged and returns everything received until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(wait)
                if shut:
                    connection.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            out = b""
            try:
                while piece := connection.recv(65536):
                    out += piece
            except ConnectionResetError:
                pass
            return out

    def metric(self, name):
        text = self.ask("GET", "/metrics")[2].decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if line.startswith(name) and line[len(name)] in " {")


def status_of(raw):
    return int(raw.split(b" ", 2)[1]) if raw.startswith(b"HTTP/1.1 ") else 0


def close_after(text):
    return (text + "Connection: close\r\n\r\n").encode()


class Shared(unittest.TestCase):
    """Tests that leave the server as it is."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def problem(self, answer, status, kind, *words):
        self.assertEqual(answer[0], status, answer[2])
        self.assertEqual(answer[1]["Content-Type"], "application/problem+json")
        problem = json.loads(answer[2])
        self.assertEqual(set(problem), {"type", "title", "status", "detail", "path", "remedy"})
        self.assertEqual(problem["status"], status)
        self.assertEqual(problem["type"], f"/problems#{kind}")
        for key in ("title", "detail", "remedy"):
            self.assertTrue(problem[key], key)
        for word in words:
            self.assertIn(word, answer[2].decode())
        return problem


def main():
    """Runs the tests of the file that was started, without color."""
    os.environ.setdefault("NO_COLOR", "1")
    program.main()
