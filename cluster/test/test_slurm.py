#!/usr/bin/env python3
"""test_slurm.py SALVO [unittest options]: runs examples/cluster/slurm.sh in a Slurm of one machine, and compares the merged bytes.

The test starts and stops a controller, a node and munge on the loopback. It is skipped if they are not installed.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "support"))
from program import GRID, ROOT, SALVO, main, run

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
CONFIGURATION = """
ClusterName=salvo
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={node}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=defer,sched_min_interval=100000,batch_sched_delay=0,bf_interval=1
MpiDefault=none
ReturnToService=2
KillWait=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP MaxTime=INFINITE
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def missing():
    """The programs that are not installed."""
    paths = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [name for name in NEEDED if not shutil.which(name, path=paths)]


class Slurm:
    """A Slurm controller and node on this machine."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"), "HOME": str(self.folder),
                            "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
        self.started = []
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.getuid()).pw_name, folder=folder,
            controller=free_port(), node=free_port()))

    def start(self, name, *words):
        log = open(self.folder / f"{name}.log", "wb")  # pylint: disable=consider-using-with
        self.started.append((subprocess.Popen([name, *words], env=self.environment, stdout=log, stderr=log), log))

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        folder = self.folder
        self.start("munged", "--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket",
                   f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged-own.log", f"--seed-file={folder}/munged.seed",
                   "--num-threads=2")
        self.wait(lambda: (folder / "munge.socket").exists(), "munged listens")
        self.start("slurmctld", "-D", "-f", f"{folder}/slurm.conf")
        self.start("slurmd", "-D", "-f", f"{folder}/slurm.conf")
        self.wait(lambda: "State=IDLE" in self.asked("scontrol", "show", "node"), "the node is idle")

    def __exit__(self, *_):
        for process, log in reversed(self.started):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            log.close()

    def asked(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False, timeout=60).stdout

    def wait(self, condition, what, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or any(process.poll() is not None for process, _ in self.started):
                logs = "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}"
                                 for log in sorted(self.folder.rglob("*.log")))
                raise AssertionError(f"not so in time: {what}\n{logs}")
            time.sleep(0.1)

    def finish(self, **variables):
        """Starts slurm.sh and waits for its jobs."""
        done = subprocess.run([str(ROOT / "examples" / "cluster" / "slurm.sh")], cwd=self.folder, text=True, check=False,
                              env={**self.environment, "SALVO": SALVO, **variables}, capture_output=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        self.wait(lambda: not self.asked("squeue", "--noheader"), "all jobs have ended")
        self.wait((self.folder / variables["OUT"]).exists, "the shards are merged", 10)


@unittest.skipIf(missing(), f"skipped: not installed: {', '.join(missing())}")
class Arrays(unittest.TestCase):
    def test_array_of_four(self):
        with tempfile.TemporaryDirectory() as folder:
            grid, scenario = Path(folder, "grid.toml"), Path(folder, "duel.toml")
            grid.write_text(GRID)
            scenario.write_text(GRID.split("[grid]")[0])
            with Slurm(folder) as slurm:
                slurm.finish(GRID="grid.toml", OUT="grid.ndjson", N="4")
                slurm.finish(SCENARIO="duel.toml", TRIALS="1000003", SEED="7", OUT="duel.json", N="4")
                logs = sorted(path.name for path in Path(folder, "duel.json.shards").glob("*.log"))
                self.assertEqual(logs, ["1.log", "2.log", "3.log", "4.log", "merge.log"])
            self.assertEqual(Path(folder, "grid.ndjson").read_text(), self.alone("sweep", grid))
            self.assertEqual(Path(folder, "duel.json").read_text(),
                             self.alone("run", scenario, "--engine", "sample", "--trials", "1000003", "--seed", "7"))

    def alone(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(done.stdout), 500)
        return done.stdout


if __name__ == "__main__":
    main(verbosity=2 if missing() else 1)
