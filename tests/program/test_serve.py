#!/usr/bin/env python3
"""test_serve.py SALVO [unittest options]: `salvo serve` over HTTP: the same bytes as the commands, addresses, the page.

Everything stays on the loopback; each server ends with its test.
"""

import base64
import json
import random
import re
import socket
import sys
import tempfile
import tomllib
import unittest
import urllib.parse
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, run
from serving import JSON, LINES, QUESTION, SCHEMAS, Server, Shared, close_after, main, status_of


class Answers(Shared):
    maxDiff = 2000

    def same(self, verb, body):
        asked = run("request", verb, "-", stdin=json.dumps(body))
        self.assertEqual(asked.returncode, 0, asked.stdout)
        status, headers, got = self.server.post(verb, body)
        self.assertEqual(status, 200, got)
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(got.decode(), asked.stdout)
        documented = json.loads(self.server.ask("GET", "/openapi.json")[2])["paths"][f"/v1/{verb}"]["post"]["responses"]["200"]
        documented = documented["content"]["application/json"]["schema"]
        schemas = [one["$ref"].removeprefix("#/components/schemas/") for one in documented.get("anyOf", [documented]) if "$ref" in one]
        wrong = [[one for one in check(json.loads(got), SCHEMAS[schema]) if "$: id" not in one] for schema in schemas]
        self.assertIn([], wrong or [[]])

    def test_every_verb(self):
        joust = tomllib.loads((ROOT / "profiles" / "scenarios" / "joust.toml").read_text())
        rebels = json.loads((ROOT / "profiles" / "squads" / "rebels.json").read_text())
        cases = {verb: list(SCHEMAS["request"]["$defs"][verb]["examples"]) for verb in self.verbs()}
        cases["run"] += [joust, {**QUESTION, "engine": "both", "trials": 100_000, "id": "seven"},
                         {**QUESTION, "engine": "sample", "precision": 0.01}, {**QUESTION, "certify": True}]
        cases["advise"].append(joust)
        cases["worth"].append(joust)
        cases["squad"].append({"squad": rebels})
        for verb, bodies in cases.items():
            for body in bodies:
                with self.subTest(verb=verb, body=str(body)[:80]):
                    self.same(verb, body)

    def verbs(self):
        """The verbs that the server's OpenAPI description lists."""
        return [path[4:] for path in json.loads(self.server.ask("GET", "/openapi.json")[2])["paths"]
                if path.startswith("/v1/") and path != "/v1/batch"]

    def test_the_command_itself(self):
        words = ("run", "-a", "3 focus lock", "-d", "2 focus hull=4", "--format", "json")
        self.assertEqual(self.server.post("run", {**QUESTION, "would_add": True})[2].decode(), run(*words).stdout)
        for body in (QUESTION, {**QUESTION, "would_add": False}):
            self.assertEqual(self.server.post("run", body)[2].decode(), run(*words, "--no-would-add").stdout)
        self.assertIn("core_would_add", run(*words).stdout)

    def test_would_add_in_the_address_and_in_a_batch(self):
        query = urllib.parse.urlencode({**QUESTION, "would_add": "true"})
        told = self.server.post("run", {**QUESTION, "would_add": True})[2]
        self.assertEqual(self.server.ask("GET", f"/v1/run?{query}")[2], told)
        line = {"ships": {"a1": {"attack": 3, "tokens": {"focus": 1, "lock": ["d"]}}, "d": {"agility": 2, "hull": 4, "tokens": {"focus": 1}}},
                "attacks": [{"by": "a1", "on": "d"}]}
        lines = "".join(json.dumps({**line, **more}) + "\n" for more in ({}, {"would_add": True}))
        out = [json.loads(one) for one in self.server.ask("POST", "/v1/batch", lines, LINES)[2].splitlines()]
        self.assertNotIn("damage_deck", out[0])
        self.assertEqual(out[1]["damage_deck"], json.loads(told)["damage_deck"])

    def test_questions_in_the_address(self):
        for verb, query, body in (
                ("run", {"attack": "3 focus lock", "defend": "2 focus hull=4"}, QUESTION),
                ("run", [("attack", "3"), ("attack", "2 lock"), ("defend", "2"), ("trials", "1000"), ("engine", "sample")],
                 {"attack": ["3", "2 lock"], "defend": "2", "trials": 1000, "engine": "sample"}),
                ("run", {"body": json.dumps(QUESTION)}, QUESTION),
                ("ships", {"words": "x-wing"}, {"words": "x-wing"}),
                ("compare", {"items": "3 focus", "defend": "2"}, {"items": ["3 focus"], "defend": "2"}),
                ("rules", {"edition": "second-edition", "left_out": "true"}, {"edition": "second-edition", "left_out": True}),
                ("durability", {"defender": '{"ship": "t65xwing"}', "attacker": '{"dice": 3}'},
                 {"defender": {"ship": "t65xwing"}, "attacker": {"dice": 3}})):
            with self.subTest(verb=verb, query=query):
                status, headers, got = self.server.ask("GET", f"/v1/{verb}?{urllib.parse.urlencode(query)}")
                self.assertEqual(status, 200, got)
                self.assertEqual(got, self.server.post(verb, body)[2])
                again = self.server.ask("GET", f"/v1/{verb}?{urllib.parse.urlencode(query)}",
                                        headers={"If-None-Match": f'"other", {headers["ETag"]}'})
                self.assertEqual((again[0], again[2]), (304, b""))
                self.assertEqual(again[1]["ETag"], headers["ETag"])
        self.problem(self.server.ask("GET", "/v1/run?body=%7B%7D&attack=3"), 400, "question", "body")
        for verb, text, kind in (("run", json.dumps(QUESTION), JSON), ("batch", "", LINES)):
            problem = self.problem(self.server.ask("POST", f"/v1/{verb}?engine=sample&trials=9", text, kind), 400, "question", "body")
            self.assertEqual(problem["path"], "engine")
        # As many keys as fit into an address are answered as quickly as few.
        many = "&".join(f"{a}{b}{c}" for a in "abcdefghij" for b in "klmnopqrstuvwxyz" for c in "0123456789abcdefghijkl")
        self.problem(self.server.ask("GET", f"/v1/run?{many}"), 400, "question")
        for path in ("/v1/run?attack=%7", "/v1/run?attack=50%&defend=2", "/%zz"):
            self.assertIn("%25", self.problem(self.server.ask("GET", path), 400, "request")["remedy"])

    def test_link(self):
        headers = {**JSON, "Host": "salvo.example:81"}
        link = self.server.ask("POST", "/v1/run", json.dumps(QUESTION, indent=4), headers)[1]["Link"]
        found = re.fullmatch(r'<http://salvo\.example:81/#v1/q\?verb=run&body=([\w-]+)>; rel="alternate"; type="text/html"', link)
        self.assertTrue(found, link)
        text = found[1]
        body = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        self.assertEqual(json.loads(body), QUESTION)
        self.assertNotIn("\n", body)
        evil = self.server.ask("POST", "/v1/run", json.dumps(QUESTION), {**JSON, "Host": "a>; rel=\"x\""})
        self.assertTrue(evil[1]["Link"].startswith(f"<http://127.0.0.1:{self.server.port}/#v1/q?"))
        large = {**QUESTION, "id": "x" * 5000}
        self.assertIsNone(self.server.post("run", large)[1]["Link"])

    def test_batch(self):
        lines = (ROOT / "profiles" / "scenarios").glob("*.toml")
        questions = [{**tomllib.loads(file.read_text()), "id": file.name} for file in sorted(lines)
                     if ".grid." not in file.name and "policy" not in file.name]
        questions += [{"ships": {"a": {"attack": n % 4 + 1}, "d": {"agility": n % 3}}, "attacks": [{"by": "a", "on": "d"}],
                       "id": n} for n in range(300)]
        text = "\n".join([json.dumps(one) for one in questions[:40]] + ["", "  ", "no json", '{"id": 9, "ships": 3}'] +
                         [json.dumps(one) for one in questions[40:]])
        expected = run("batch", stdin=text).stdout
        for body in (text, text + "\n", iter([text[:1000].encode(), text[1000:].encode()])):
            status, headers, got = self.server.ask("POST", "/v1/batch", body, LINES)
            self.assertEqual(status, 200)
            self.assertEqual(headers["Content-Type"], "application/x-ndjson")
            self.assertEqual(got.decode(), expected)
        self.assertEqual(self.server.ask("POST", "/v1/batch", "", LINES)[2], b"")
        windows = "\ufeff" + text.replace("\n", "\r\n")
        self.assertEqual(self.server.ask("POST", "/v1/batch", windows.encode(), LINES)[2].decode(), expected)

    def test_batch_is_streamed(self):
        """Each line is answered before the next one is sent; the connection stays open afterwards."""
        line = json.dumps({"ships": {"a": {"attack": 3}, "d": {"agility": 1}}, "attacks": [{"by": "a", "on": "d"}]})
        expected = run("batch", stdin=line).stdout
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            reader = connection.makefile("rb")
            connection.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number in range(3):
                connection.sendall(b"%x\r\n%s\n\r\n" % (len(line) + 1, line.encode()))
                if number == 0:
                    while reader.readline() != b"\r\n":
                        pass
                self.assertEqual(int(reader.readline(), 16), len(expected))
                self.assertEqual(reader.read(len(expected)).decode(), expected)
                reader.readline()
            connection.sendall(b"0\r\n\r\n")
            self.assertEqual(reader.readline() + reader.readline(), b"0\r\n\r\n")
            connection.sendall(close_after("GET /healthz HTTP/1.1\r\nHost: x\r\n"))
            self.assertIn(b'"ok"', reader.read())

    def test_batch_sent_before_reading(self):
        """A client that sends everything before it reads gets every answer."""
        line = json.dumps({"ships": {"a": {"attack": 3}, "d": {"agility": 1}}, "attacks": [{"by": "a", "on": "d"}]})
        text = (line + "\n") * 8000
        got = self.server.ask("POST", "/v1/batch", text, LINES)[2].decode()
        self.assertEqual(got, run("batch", stdin=line).stdout * 8000)

    def test_cached_answers(self):
        with Server() as server:
            first = {"attack": "3 focus", "defend": "1 hull=3"}
            one = server.post("run", first)[2]
            self.assertEqual(server.metric("salvo_cache_hits_total"), 0)
            self.assertEqual(server.metric("salvo_cache_misses_total"), 1)
            for text in ('{"attack": "3 focus", "defend": "1 hull=3"}', '{"defend":"1 hull=3",\n"attack":"3 focus"}',
                         '{"threads": 2, "attack": "3\\u0020focus", "defend": "1 hull=3"}'):
                self.assertEqual(server.post("run", text)[2], one)
            self.assertEqual(server.metric("salvo_cache_hits_total"), 3)
            other = server.post("run", {"attack": "3 focus", "defend": "1 hull=3", "objective": "kill"})[2]
            self.assertNotEqual(other, one)
            self.assertNotEqual(server.post("worth", first)[2], one)
            self.assertEqual(server.metric("salvo_cache_hits_total"), 3)
        with Server("--cache", "0") as server:
            self.assertEqual(server.post("run", first)[2], one)
            self.assertEqual(server.post("run", first)[2], one)
            self.assertEqual(server.metric("salvo_cache_hits_total"), 0)
        with Server("--cache", "1") as server:
            for n in range(400):
                server.post("run", {**first, "id": f"{n} {'x' * 3000}"})
            self.assertLessEqual(server.metric("salvo_cache_bytes"), 1 << 20)
            self.assertGreater(server.metric("salvo_cache_evictions_total"), 100)

    def test_order_of_keys(self):
        """Questions that share a cache entry are the same question for the program."""
        generator = random.Random(1)

        def shuffled(value):
            if isinstance(value, dict):
                items = list(value.items())
                generator.shuffle(items)
                return {key: shuffled(one) for key, one in items}
            return [shuffled(one) for one in value] if isinstance(value, list) else value

        for file in sorted((ROOT / "profiles" / "scenarios").glob("*.toml")):
            body = tomllib.loads(file.read_text())
            if ".grid." in file.name or any(str(body.get(f"{side}_policy", "")).endswith(".toml")
                                            for side in ("attacker", "defender")):
                continue
            expected = run("request", "run", "-", stdin=json.dumps(body)).stdout
            self.assertEqual(run("request", "run", "-", stdin=json.dumps(shuffled(body))).stdout, expected, file.name)


class Addresses(Shared):
    def test_health(self):
        status, headers, body = self.server.ask("GET", "/healthz")
        self.assertEqual((status, json.loads(body)["status"]), (200, "ok"))
        self.assertIn(json.loads(body)["version"], run("--version").stdout)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")

    def test_metrics(self):
        self.server.post("run", QUESTION)
        status, headers, body = self.server.ask("GET", "/metrics")
        self.assertEqual(status, 200)
        self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        types = {}
        for line in body.decode().splitlines():
            if line.startswith("# TYPE "):
                types[line.split()[2]] = line.split()[3]
            elif not line.startswith("# HELP "):
                name, value = re.fullmatch(r'(\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? (\S+)', line).groups()
                float(value)
                self.assertTrue(any(name == one or name.startswith(one) and kind == "histogram" for one, kind in types.items()),
                                line)
        self.assertIn('salvo_requests_total{route="run",status="200"}', body.decode())
        self.assertIn('salvo_request_seconds_bucket{route="run",le="+Inf"}', body.decode())

    def test_openapi(self):
        status, headers, body = self.server.ask("GET", "/openapi.json")
        self.assertEqual(status, 200)
        api = json.loads(body)
        self.assertTrue(api["openapi"].startswith("3.1"))
        self.assertEqual(self.server.ask("GET", "/openapi.json", headers={"If-None-Match": headers["ETag"]})[0], 304)

        def references(value):
            if isinstance(value, dict):
                yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
                value = list(value.values())
            if isinstance(value, list):
                for one in value:
                    yield from references(one)

        for one in references(api):
            at = api
            for part in one.removeprefix("#/").split("/"):
                self.assertIn(part, at, one)
                at = at[part]
        for file in (ROOT / "docs" / "schemas").glob("*.schema.json"):
            name = file.name.removesuffix(".schema.json")
            text = file.read_text().replace('"#/$defs/', f'"#/components/schemas/{name}/$defs/')
            self.assertEqual(api["components"]["schemas"][name], json.loads(text))
        for path, methods in api["paths"].items():
            allowed = self.server.ask("OPTIONS", path)[1]["Allow"].split(", ")
            self.assertEqual({one for one in allowed if one not in ("HEAD", "OPTIONS")}, {one.upper() for one in methods}, path)
            for method in methods:
                self.assertNotIn(self.server.ask(method.upper(), path)[0], (404, 405), path)

    def test_examples(self):
        """Every example of the description gets an answer."""
        api = json.loads(self.server.ask("GET", "/openapi.json")[2])
        for path, methods in api["paths"].items():
            if not path.startswith("/v1/"):
                continue
            kind, content = next(iter(methods["post"]["requestBody"]["content"].items()))
            example = content["example"]
            with self.subTest(path):
                if not isinstance(example, str):
                    self.assertEqual(check(example, {"$ref": f"#/$defs/{path[4:]}"}, whole=SCHEMAS["request"]), [])
                text = example if isinstance(example, str) else json.dumps(example)
                status, _, answer = self.server.ask("POST", path, text, {"Content-Type": kind})
                self.assertEqual(status, 200, answer)
                self.assertNotIn(b'"error"', answer)
                if "get" not in methods:
                    continue
                [parameter] = methods["get"]["parameters"]
                words = {key: value if isinstance(value, str) or isinstance(value, list) and len(value) > 1 else json.dumps(value)
                         for key, value in parameter["example"].items()}
                status, _, same = self.server.ask("GET", f"{path}?{urllib.parse.urlencode(words, doseq=True)}")
                self.assertEqual((status, same), (200, answer))
        example = api["paths"]["/healthz"]["get"]["responses"]["200"]["content"]["application/json"]["example"]
        self.assertEqual(json.loads(self.server.ask("GET", "/healthz")[2]), example)
        example = api["components"]["responses"]["problem"]["content"]["application/problem+json"]["example"]
        self.assertEqual(json.loads(self.server.post("run", {"attack": "3 fokus", "defend": "2"})[2]), example)
        docs = (ROOT / "docs" / "server.md").read_text()
        self.assertEqual(json.loads(re.search(r"```json\n(.*?)```", docs, re.S)[1]), example)

    def test_problems_are_listed(self):
        kinds = json.loads(self.server.ask("GET", "/problems")[2])["problems"]
        self.assertEqual({one["status"] for one in kinds}, {400, 404, 405, 408, 413, 415, 417, 422, 431, 500, 501, 503, 505})
        problem = self.problem(self.server.ask("GET", "/nothing"), 404, "not-found", "openapi.json")
        self.assertIn(problem["type"], [one["type"] for one in kinds])

    def test_head(self):
        for path in ("/healthz", "/openapi.json", "/v1/ships?words=wing", "/nothing"):
            get, head = self.server.ask("GET", path), self.server.ask("HEAD", path)
            self.assertEqual(head[0], get[0])
            self.assertEqual(head[2], b"")
            self.assertEqual(head[1]["Content-Length"], str(len(get[2])))
            self.assertEqual(head[1]["ETag"], get[1]["ETag"])

    def test_cors(self):
        status, headers, body = self.server.ask("OPTIONS", "/v1/run", headers={
            "Origin": "https://example.org", "Access-Control-Request-Method": "POST"})
        self.assertEqual((status, body), (204, b""))
        self.assertEqual(headers["Access-Control-Allow-Origin"], "*")
        self.assertIn("POST", headers["Access-Control-Allow-Methods"])
        self.assertIn("Content-Type", headers["Access-Control-Allow-Headers"])
        self.assertIsNone(headers["Content-Length"])
        for answer in (self.server.post("run", QUESTION), self.server.post("run", "bad"), self.server.ask("GET", "/healthz")):
            self.assertEqual(answer[1]["Access-Control-Allow-Origin"], "*")
            self.assertIn("Link", answer[1]["Access-Control-Expose-Headers"])
        with Server("--origin", "https://example.org") as server:
            self.assertEqual(server.ask("GET", "/healthz")[1]["Access-Control-Allow-Origin"], "https://example.org")
        with Server("--origin", "none") as server:
            self.assertIsNone(server.ask("GET", "/healthz")[1]["Access-Control-Allow-Origin"])

    def test_methods(self):
        answer = self.server.ask("DELETE", "/v1/run")
        self.problem(answer, 405, "method")
        self.assertEqual(answer[1]["Allow"], "GET, HEAD, POST, OPTIONS")
        self.assertEqual(self.server.ask("POST", "/healthz", "{}", JSON)[1]["Allow"], "GET, HEAD, OPTIONS")
        self.problem(self.server.ask("GET", "/v1/batch"), 405, "method")
        self.problem(self.server.ask("BREW", "/v1/run"), 405, "method")
        self.problem(self.server.ask("POST", "/v1/dance", "{}", JSON), 404, "not-found")


class Page(unittest.TestCase):
    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "page"
            (root / "assets").mkdir(parents=True)
            (Path(folder) / "secret.txt").write_text("secret")
            (root / "index.html").write_text("<!doctype html><title>page</title>")
            (root / "assets" / "engine-1a2b3c4d.wasm").write_bytes(bytes(range(256)) * 2000)
            (root / "assets" / "a b.css").write_text("a {}")
            (root / "link.txt").symlink_to(Path(folder) / "secret.txt")
            with Server("--page", str(root)) as server:
                status, headers, body = server.ask("GET", "/")
                self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
                self.assertEqual(body, (root / "index.html").read_bytes())
                self.assertEqual(headers["Cache-Control"], "no-cache")
                self.assertEqual(server.ask("GET", "/", headers={"If-None-Match": headers["ETag"]})[0], 304)
                status, headers, body = server.ask("GET", "/assets/engine-1a2b3c4d.wasm")
                self.assertEqual((status, headers["Content-Type"]), (200, "application/wasm"))
                self.assertEqual(body, bytes(range(256)) * 2000)
                self.assertIn("immutable", headers["Cache-Control"])
                self.assertEqual(server.ask("GET", "/assets/a%20b.css")[2], b"a {}")
                (root / "index.html").write_text("changed")
                self.assertNotIn(b"changed", server.ask("GET", "/")[2])
                for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "//etc/passwd",
                             "/link.txt", "/etc/passwd", "/assets/", "/index.html%00.txt", "/./index.html", "/..\\secret.txt",
                             "http://x/../secret.txt"):
                    got = server.raw(close_after(f"GET {path} HTTP/1.1\r\nHost: x\r\n"))
                    self.assertEqual(status_of(got), 404, path)
                    self.assertNotIn(b"secret\r", got)
            self.assertIn("index.html", run("serve", "--port", "0", "--page", str(root / "assets")).stderr)


if __name__ == "__main__":
    main()
