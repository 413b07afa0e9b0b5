#!/usr/bin/env python3
"""load.py SALVO [--seconds N] [--minutes N]: load tests of `salvo serve` on the loopback, with wrk.

Prints a table in Markdown: each measurement beside its goal (docs/server.md: Speed). The questions are 60,000 different ones
of one to three attacks between real ships, so that no cache has their answers. `scripts/test load` builds and runs this.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

THREADS, CONNECTIONS, HALF_OPEN = 2, 20, 64
QUESTIONS, REPEATED = 60_000, 34
RATE = 1000  # a second, of the measurements of latency
CLIENTS = 50

# Sends the lines of a file; each thread begins elsewhere. `pause`: the mean of the milliseconds between an answer and the next
# question on a connection, drawn evenly so that connections do not march in step.
SCRIPT = """
local requests, next_one, threads = {}, 0, 0
function setup(thread) thread:set("number", threads); threads = threads + 1 end
function init(arguments)
  for line in io.lines(arguments[1]) do
    requests[#requests + 1] = wrk.format("POST", "/v1/run", {["Content-Type"] = "application/json"}, line)
  end
  next_one = math.floor(#requests * number / tonumber(arguments[2]))
  local pause = tonumber(arguments[3])
  math.randomseed(number + 1)
  if pause > 0 then delay = function() return math.random(0, 2 * pause) end end
end
function request()
  next_one = next_one % #requests + 1
  return requests[next_one]
end
function done(summary, latency)
  local wrong = summary.errors
  io.write(string.format('\\n{"answers": %d, "seconds": %g, "median": %g, "p99": %g, "failed": %d}\\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    wrong.status + wrong.connect + wrong.read + wrong.write + wrong.timeout))
end
"""


def ask(verb):
    done = subprocess.run([SALVO, "request", verb, "-"], input="{}", capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[verb]


def questions(count):
    """Different questions of one to three attacks between ships of the usual card set."""
    ships = sorted({ship["id"] for ship in ask("ships") if "xwa" in ship["sets"] and "attack" in ship and ship["size"] != "huge"})
    draw = random.Random(1)

    def ship(tokens, **more):
        held = {name: 1 for name, chance in tokens.items() if draw.random() < chance}
        return {"ship": draw.choice(ships), "tokens": {**held, **more}}

    def attacker():
        return ship({"focus": 0.6, "calculate": 0.1}, **({"lock": ["d"]} if draw.random() < 0.4 else {}))

    out = {}
    while len(out) < count:
        names = [f"a{n}" for n in range(1, draw.randint(1, 3) + 1)]
        body = {"ships": {**{name: attacker() for name in names}, "d": ship({"focus": 0.6, "evade": 0.3})},
                "attacks": [{"by": name, "on": "d", "range": draw.randint(1, 3)} for name in names]}
        out[json.dumps(body)] = None
    return list(out)


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen([SALVO, "serve", "--port", "0", "--page", "none", "--quiet", *options],
                                        stderr=subprocess.PIPE, text=True)
        self.url = json.loads(self.process.stderr.readline())["url"]
        self.port = int(self.url.rsplit(":", 1)[1].strip("/"))

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


class Load:
    """wrk with the questions of a file."""

    def __init__(self, folder, bodies):
        self.script, self.file = Path(folder) / "load.lua", Path(folder) / f"{len(bodies)}.ndjson"
        self.script.write_text(SCRIPT, encoding="utf-8")
        self.file.write_text("\n".join(bodies) + "\n", encoding="utf-8")

    def words(self, server, seconds, connections=CONNECTIONS, pause=0):
        return ["wrk", f"-t{THREADS}", f"-c{connections}", f"-d{seconds}s", "-s", str(self.script), server.url,
                "--", str(self.file), str(THREADS), str(pause)]

    def most(self, server, seconds):
        """As many questions as possible; with the server's processor time for each, in microseconds."""
        before = server.processor()
        out = self.run(self.words(server, seconds))
        return {**out, "rate": out["answers"] / out["seconds"], "cost": (server.processor() - before) / out["answers"] * 1e6}

    def steady(self, server, seconds):
        """About RATE questions a second."""
        return self.run(self.words(server, seconds, pause=1000 * CONNECTIONS // RATE))

    @staticmethod
    def run(words):
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        out = json.loads(done.stdout.splitlines()[-1])
        if out["failed"] or not out["answers"]:
            sys.exit(f"some requests failed:\n{done.stdout}")
        return out


def half_open(server):
    """Opens connections that send nothing or half a request, and replaces them every five seconds. Returns how to stop that."""
    ended = threading.Event()

    def hold():
        while not ended.is_set():
            held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(HALF_OPEN)]
            for one in held[::2]:
                one.sendall(b"POST /v1/run HTTP/1.1\r\nContent-Le")
            ended.wait(5)
            for one in held:
                one.close()

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()

    def stop():
        ended.set()
        thread.join()

    return stop


def post(body):
    return (f"POST /v1/run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()


async def answer_of(reader):
    """The status of the next answer."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
    await reader.readexactly(int(re.search(r"Content-Length: (\d+)", head)[1]))
    return int(head.split()[1])


def percentile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


async def overload(server, connections):
    """Milliseconds until each of the questions that find the queue full is refused."""
    slow = json.dumps({"attack": ["3 focus lock"] * 3, "defend": "3 focus evade hull=9", "engine": "sample", "trials": 20_000_000})
    opened = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(connections)]

    async def refused(reader, writer):
        begun = time.monotonic()
        writer.write(post(slow))
        status = await answer_of(reader)
        return (time.monotonic() - begun) * 1e3 if status == 503 else None

    asked = [asyncio.create_task(refused(*one)) for one in opened]
    done, waiting = await asyncio.wait(asked, timeout=1)
    for task in waiting:
        task.cancel()
    for _, writer in opened:
        writer.close()
    return [one.result() for one in done if one.result() is not None]


async def modest(server, bodies, seconds):
    """Milliseconds of each answer for CLIENTS - 1 clients, each with an address of its own, that ask four times a second."""
    async def client(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(f"127.0.1.{number + 1}", 0))
        out, end = [], time.monotonic() + seconds
        await asyncio.sleep(number / CLIENTS / 4)
        for body in itertools.islice(bodies, number, None, CLIENTS):
            begun = time.monotonic()
            if begun > end:
                break
            writer.write(post(body))
            if await answer_of(reader) != 200:
                sys.exit("a modest client was refused")
            out.append((time.monotonic() - begun) * 1e3)
            await asyncio.sleep(0.25)
        writer.close()
        return out

    return [one for out in await asyncio.gather(*map(client, range(CLIENTS - 1))) for one in out]


def one_run_each(bodies, seconds):
    """Answers a second when each question starts the program, one process for each thread."""
    counts, end = [0] * THREADS, time.monotonic() + seconds

    def work(thread):
        for body in bodies[thread::THREADS]:
            subprocess.run([SALVO, "run", "-", "--format", "json", "--no-would-add"], input=body, text=True, capture_output=True,
                           check=True)
            counts[thread] += 1
            if time.monotonic() > end:
                return

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(THREADS)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    return sum(counts) / seconds


def row(what, goal, measured):
    print(f"| {what} | {goal} | {measured} |", flush=True)


def throughput(new, again, seconds):
    with Server("--cache", "0") as server:
        out = new.most(server, 2 * seconds)
        row(f"{QUESTIONS:,} different questions, as many as possible", "8,000 a second",
            f"{out['rate']:,.0f} a second, p99 {out['p99']:.1f} ms, {out['cost']:.0f} us of the server's processor time each")
    begun = time.monotonic()
    with new.file.open(encoding="utf-8") as lines:
        subprocess.run([SALVO, "batch"], stdin=lines, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    row("the same as lines of `salvo batch`", "", f"{QUESTIONS / (time.monotonic() - begun):,.0f} a second")
    with Server() as server:
        again.most(server, 1)
        out = again.most(server, seconds)
        row(f"{REPEATED} questions repeated, from the cache", "6,000 a second", f"{out['rate']:,.0f} a second, {out['cost']:.0f} us each")
    bodies = new.file.read_text(encoding="utf-8").splitlines()
    row("one `salvo run` for each question", "", f"{one_run_each(bodies, seconds):,.0f} a second")


def latency(new, seconds, rounds):
    """Latencies at a fixed rate, alone, with half-open connections and alone again, alternating."""
    alone, beside, again = [], [], []
    with Server() as server:
        for _ in range(rounds):
            alone.append(new.steady(server, seconds))
            stop = half_open(server)
            beside.append(new.steady(server, seconds))
            stop()
            again.append(new.steady(server, seconds))
    middle = [statistics.median(one["p99"] for one in series) for series in (alone, beside, again)]
    out = statistics.median(one["median"] for one in alone)
    rate = statistics.mean(one["answers"] / one["seconds"] for one in alone)
    row(f"{RATE:,} a second", "p99 under 5 ms", f"median {out:.2f} ms, p99 {middle[0]:.2f} ms ({rate:,.0f} a second)")
    change = (middle[1] / statistics.mean((middle[0], middle[2])) - 1) * 100
    row(f"the same with {HALF_OPEN} half-open connections", "p99 changes by under 10 %",
        f"p99 {middle[1]:.2f} ms ({change:+.0f} %; alone once more {middle[2]:.2f} ms)")


def fairness(new, seconds):
    bodies = new.file.read_text(encoding="utf-8").splitlines()
    with Server("--cache", "0") as server:
        alone = asyncio.run(modest(server, bodies, seconds))
        with subprocess.Popen(new.words(server, seconds + 3, connections=200), stdout=subprocess.DEVNULL) as greedy:
            time.sleep(1)
            beside = asyncio.run(modest(server, bodies, seconds))
            greedy.send_signal(signal.SIGINT)
    row(f"{CLIENTS - 1} clients that ask 4 times a second, beside one with 200 connections that asks as fast as it can",
        "they keep their turn", f"median {statistics.median(beside):.1f} ms, p99 {percentile(beside, 0.99):.1f} ms; "
        f"without it {statistics.median(alone):.1f} and {percentile(alone, 0.99):.1f} ms; none refused")
    with Server() as server:
        times = asyncio.run(overload(server, 800))
        row("800 slow questions at once: those that find the queue full", "refused at once",
            f"{len(times)} refused, all within {max(times):.0f} ms")


def memory(new, minutes):
    """Fills all caches, then watches the memory. Growth in the second half of the time would be a leak."""
    with Server() as server:
        filled = 0
        while filled < 10 or (server.metric("salvo_cache_evictions_total") == 0 and filled < 120):
            new.most(server, 10)
            filled += 10
        seen = [server.memory()]
        for _ in range(max(2, round(minutes * 6))):
            new.most(server, 10)
            seen.append(server.memory())
        middle = seen[len(seen) // 2]
        row(f"memory over {(len(seen) - 1) / 6:.1f} minutes of load, once the caches are full", "no growth",
            f"{seen[0]:.1f} MB, then {middle:.1f}, at the end {seen[-1]:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("salvo")
    parser.add_argument("--seconds", type=int, default=3, help="of each measurement (default 3)")
    parser.add_argument("--minutes", type=float, default=0.5, help="of load in which memory is watched (default 0.5)")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed; scripts/install_packages load")
    global SALVO  # pylint: disable=global-statement
    SALVO = str(Path(options.salvo).resolve())
    bodies = questions(QUESTIONS)
    with tempfile.TemporaryDirectory() as folder:
        new, again = Load(folder, bodies), Load(folder, bodies[:REPEATED])
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
        print(f"| {CONNECTIONS} connections | goal | measured |\n| --- | --- | --- |", flush=True)
        throughput(new, again, options.seconds)
        latency(new, options.seconds, 5)
        fairness(new, options.seconds)
        memory(new, options.minutes)
    print(f"\nload average {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
