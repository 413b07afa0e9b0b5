#!/usr/bin/python3
"""test_install.py BUILD [unittest options]: `pip install .` without a network, into an empty environment.

The compiled part is taken from BUILD (SALVO_BUILD), so that only pip is tested here.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
build = Path()


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def missing():
    for name in ("pip", "venv", "setuptools", "wheel", "pybind11", "numpy"):
        if subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode != 0:
            return name
    return None


@unittest.skipIf(missing(), f"Python has no {missing()}")
class Install(unittest.TestCase):
    def test_pip_install(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = Path(folder, "salvo")  # pip leaves build/ and egg-info in the source folder
            sources.mkdir()
            for name in ("CMakeLists.txt", "README.md", "LICENSE", "pyproject.toml", "setup.py"):
                (sources / name).write_bytes((ROOT / name).read_bytes())
            (sources / "profiles").symlink_to(ROOT / "profiles")
            run("cp", "-r", ROOT / "python", sources / "python")
            place = Path(folder, "venv")
            run(sys.executable, "-m", "venv", "--system-site-packages", place)
            environment = {**os.environ, "SALVO_BUILD": str(build)}
            environment.pop("PYTHONPATH", None)
            run(place / "bin" / "python", "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps",
                sources, env=environment)
            text = ("import salvo; e = salvo.Engine(); print(salvo.__version__, e.profiles); "
                    "print(e.run(attack=['3 focus'], defend='2')['value'])")
            for unset in ("PYTHONPATH", "SALVO_PROFILES"):
                environment.pop(unset, None)
            out = run(place / "bin" / "python", "-c", text, env=environment, cwd=folder).splitlines()
            self.assertIn(str(place), out[0])
            # Three dice hit with 6 of 8, two evade with 3 of 8: a sum over 4 x 3 cases.
            self.assertAlmostEqual(float(out[1]), 1.531494140625, places=12)


if __name__ == "__main__":
    build = Path(sys.argv.pop(1)).resolve()
    unittest.main()
