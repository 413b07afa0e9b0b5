#!/usr/bin/env python3
"""load.py SALVO [--seconds N] [--minutes N]: load on `salvo serve`, on the loopback, with wrk and hey.

Prints what docs/server.md promises beside what was measured: answers a second with a fixed rate and as many as possible,
of the same questions again and of questions that are all new, with and without connections that say nothing; one
`salvo run` for each request in the same run; and memory after each of --minutes of load, once all caches are full.
"""

import argparse
import csv
import itertools
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.request
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
THREADS, CONNECTIONS, HALF_OPEN = 2, 20, 64

# Each request is one of the bodies; with "new" each has an id of its own, and initiatives by which the questions that were
# compiled last are others.
SCRIPT = """
local bodies = {%s}
local n, new, thread = 0, %s, 0
local threads = 0
function setup(t) t:set("id", threads); threads = threads + 1 end
function request()
  n = n + 1
  local body = bodies[n %% #bodies + 1]
  if new then
    body = body:gsub('"@i"', tostring(n * 7 %% 100)):gsub("@", tostring(id * 100000000 + n), 1)
  end
  return wrk.format("POST", "/v1/run", {["Content-Type"] = "application/json"}, body)
end
"""


def scenarios():
    """Those of profiles/scenarios that are answered exactly in a few milliseconds, as bodies of requests."""
    out = []
    for file in sorted((PROJECT / "profiles" / "scenarios").glob("*.toml")):
        body = tomllib.loads(file.read_text(encoding="utf-8"))
        if ".grid." in file.name or any(str(body.get(f"{side}_policy", "")).endswith(".toml") for side in ("attacker", "defender")):
            continue
        began = time.monotonic()
        done = subprocess.run([SALVO, "request", "run", "-"], input=json.dumps(body), capture_output=True, text=True, check=True)
        if time.monotonic() - began < 0.1 and json.loads(done.stdout)["engine"] == "exact":
            out.append(body)
    for dice, tokens, agility in itertools.product((2, 3, 4), ({}, {"focus": 1}, {"focus": 1, "lock": ["d"]}), (1, 2, 3)):
        out.append({"ships": {"a": {"attack": dice, "tokens": tokens}, "d": {"agility": agility, "tokens": {"focus": 1}}},
                    "attacks": [{"by": "a", "on": "d"}]})
    return out


def marked(body):
    """The body with an id and initiatives for the load script to replace."""
    def others(attacks):
        return [{**attack, "initiative": "@i"} for attack in attacks]
    if "rounds" in body:
        asked = {"rounds": [{**one, "attacks": others(one["attacks"])} for one in body["rounds"]]}
    else:
        asked = {"attacks": others(body["attacks"])}
    return {**body, **asked, "id": "@"}


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen([SALVO, "serve", "--port", "0", "--page", "none", "--quiet", *options],
                                        stderr=subprocess.PIPE, text=True)
        self.url = json.loads(self.process.stderr.readline())["url"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(15)
        self.process.stderr.close()

    def memory(self):
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE") / 2**20

    def metric(self, name):
        with urllib.request.urlopen(self.url + "metrics") as reply:
            return float(re.search(rf"^{name} (\S+)$", reply.read().decode("ascii"), re.MULTILINE)[1])

    def processor(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wrk(server, bodies, seconds, new):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        texts = ", ".join("[==[" + json.dumps(marked(body) if new else body) + "]==]" for body in bodies)
        file.write(SCRIPT % (texts, "true" if new else "false"))
        file.flush()
        before = server.processor()
        out = subprocess.run(["wrk", f"-t{THREADS}", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", file.name, server.url],
                             capture_output=True, text=True, check=True).stdout
    answers = int(re.search(r"(\d+) requests in", out)[1])
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    if failed or "Socket errors" in out:
        sys.exit(f"some requests failed:\n{out}")
    return (answers / seconds, re.search(r"99%\s+(\S+)", out)[1], (server.processor() - before) / answers * 1e6)


def hey(server, body, rate, seconds):
    """Milliseconds that each answer took at a fixed rate over 20 connections."""
    out = subprocess.run(["hey", "-z", f"{seconds}s", "-c", str(CONNECTIONS), "-q", str(rate // CONNECTIONS), "-m", "POST",
                          "-T", "application/json", "-d", json.dumps(body), "-o", "csv", f"{server.url}v1/run"],
                         capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(out.splitlines()))
    failed = [row for row in rows if row["status-code"] != "200"]
    if failed or not rows:
        sys.exit(f"some requests failed: {failed[:3]}")
    return [float(row["response-time"]) * 1e3 for row in rows]


def percentile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


def half_open(server, count):
    """Connections that send nothing or half a request, reopened when the server closes them."""
    stop = threading.Event()
    port = int(server.url.rsplit(":", 1)[1].strip("/"))

    def hold():
        while not stop.is_set():
            held = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
            for one in held[::2]:
                one.sendall(b"POST /v1/run HTTP/1.1\r\nContent-Le")
            stop.wait(5)
            for one in held:
                one.close()

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    return stop, thread


def calm():
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def one_run_each(bodies, seconds):
    """Answers a second when each request starts the program, with one process a core."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for n, body in enumerate(bodies):
            files.append(f"{folder}/{n}.json")
            Path(files[-1]).write_text(json.dumps(body), encoding="utf-8")
        counts = [0] * THREADS
        end = time.monotonic() + seconds

        def work(k):
            for file in itertools.cycle(files[k::THREADS]):
                subprocess.run([SALVO, "run", file, "--format", "json", "--no-progress"], capture_output=True, check=True)
                counts[k] += 1
                if time.monotonic() > end:
                    return

        threads = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        return sum(counts) / seconds


def steady(server, body, rate, seconds, rounds):
    """99th percentiles of all answers: without half-open connections, the same again to show the effect of chance, and with
    half-open connections. The three series alternate."""
    alone, again, beside = [], [], []
    for _ in range(rounds):
        alone += hey(server, body, rate, seconds)
        stop, thread = half_open(server, HALF_OPEN)
        beside += hey(server, body, rate, seconds)
        stop.set()
        thread.join()
        again += hey(server, body, rate, seconds)
    return [percentile(one, 0.99) for one in (alone, again, beside)]


def growth(seen):
    """What the last value is above the middle one, of values at even distances."""
    return seen[-1] - seen[(len(seen) - 1) // 2]


def memory_over(minutes, bodies):
    """Fills every cache, then measures: memory that still grows after half the time is unbounded."""
    with Server() as server:
        filled = 0
        while filled < 10 or (server.metric("salvo_cache_evictions_total") == 0 and filled < 120):
            wrk(server, bodies, 10, True)
            filled += 10
        cached = server.metric("salvo_cache_bytes") / 2**20
        print(f"memory after {filled} s of questions that are all different: {server.memory():.1f} MB; cached answers count as "
              f"{cached:.1f} MB", flush=True)
        seen = []
        for _ in range(max(1, round(minutes)) * 2):
            wrk(server, bodies, 30, True)
            seen.append(server.memory())
        print("memory after each minute more: " + " ".join(f"{one:.1f}" for one in seen[1::2]) +
              f" MB; over the second half {growth(seen):+.1f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("salvo")
    parser.add_argument("--seconds", type=int, default=5, help="of each measurement (default 5)")
    parser.add_argument("--minutes", type=float, default=1, help="of load in which memory is watched (default 1)")
    parser.add_argument("--memory", action="store_true", help="watch memory, and measure nothing else")
    options = parser.parse_args()
    for tool in ("wrk", "hey"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed; scripts/install_packages load")
    global SALVO  # pylint: disable=global-statement
    SALVO = str(Path(options.salvo).resolve())
    bodies = scenarios()
    if options.memory:
        memory_over(options.minutes, bodies)
        print(calm())
        return
    question = json.loads(json.dumps(bodies[-1]))
    print(f"{len(bodies)} different questions; {calm()}", flush=True)
    with Server() as server:
        times = hey(server, question, 1000, options.seconds)
        print(f"1,000 a second wanted, {CONNECTIONS} connections: {len(times) / options.seconds:.0f} a second, "
              f"median {statistics.median(times):.2f} ms, p99 {percentile(times, 0.99):.2f} ms (goal: under 5)", flush=True)
        alone, again, beside = steady(server, question, 1000, options.seconds, 10)
        print(f"p99 at 1,000 a second: {alone:.2f} ms, once more {again:.2f} ms, with {HALF_OPEN} half-open connections "
              f"{beside:.2f} ms ({(beside / statistics.mean((alone, again)) - 1) * 100:+.0f} %; goal: under 10)", flush=True)
        for new in (False, True):
            most, late, cost = wrk(server, bodies, options.seconds, new)
            print(f"as many as possible, {'each new' if new else 'the same ones again'}: {most:.0f} a second, p99 {late}, "
                  f"{cost:.0f} us of the server's processor time each (goal: 6,000)", flush=True)
    with Server("--cache", "0") as server:
        most, late, cost = wrk(server, bodies, options.seconds, False)
        print(f"the same without cached answers: {most:.0f} a second, p99 {late}, {cost:.0f} us each", flush=True)
    print(f"one salvo run for each request: {one_run_each(bodies, options.seconds):.0f} a second", flush=True)
    memory_over(options.minutes, bodies)
    print(calm())


if __name__ == "__main__":
    main()
