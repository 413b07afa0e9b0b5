#!/usr/bin/python3
"""test_install.py BUILD [unittest options]: an sdist, a wheel of it, and the wheel installed in an empty environment.

pip takes the compiled parts from BUILD (SALVO_BUILD). With SALVO_FROM_NOTHING=1 it compiles them, which takes minutes.
Nothing needs a network: where pip would fetch what a build requires, it gets wheels from a folder.
"""

import email
import os
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("cmake", "docs/schemas", "include", "profiles", "python", "src")
FROM_NOTHING = bool(os.environ.get("SALVO_FROM_NOTHING"))
build = Path()


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=1200, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def pip(*arguments, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "SALVO_", "PIP_"))}
    clean |= {} if FROM_NOTHING else {"SALVO_BUILD": str(build)}
    return run(sys.executable, "-m", "pip", *arguments, env={**clean, **environment})


def missing():
    for name in ("pip", "venv", "setuptools", "wheel", "numpy"):
        if subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode != 0:
            return name
    return None


def files_below(folder, names):
    return {str(file.relative_to(folder)) for name in names for file in (folder / name).rglob("*")
            if file.is_file() and not re.search(r"__pycache__|\.egg-info", str(file))}


@unittest.skipIf(missing(), f"Python has no {missing()}")
class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        sources = cls.folder / "sources"  # not the project, since setuptools leaves files in it
        sources.mkdir()
        for name in ("CMakeLists.txt", "CHANGELOG.md", "README.md", "LICENSE", "MANIFEST.in", "pyproject.toml", "setup.py"):
            (sources / name).write_bytes((ROOT / name).read_bytes())
        for name in ("cmake", "docs", "include", "profiles", "src"):
            (sources / name).symlink_to(ROOT / name)
        run("cp", "-r", ROOT / "python", sources / "python")
        # What `python -m build --sdist` calls.
        run(sys.executable, "-c", f"import setuptools.build_meta as backend; backend.build_sdist({str(cls.folder)!r})", cwd=sources)
        cls.sdist = next(cls.folder.glob("salvo-*.tar.gz"))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cls.log = pip("wheel", "-v", "--no-index", "--no-build-isolation", "--no-deps", "-w", cls.folder, cls.sdist)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        cls.processor_s = spent.ru_utime + spent.ru_stime - used.ru_utime - used.ru_stime
        cls.wheel = next(cls.folder.glob("salvo-*.whl"))
        environment = cls.folder / "environment"
        run(sys.executable, "-m", "venv", "--system-site-packages", environment)
        cls.python = environment / "bin" / "python"
        pip("--python", cls.python, "install", "--no-index", "--no-deps", cls.wheel)

    def test_sdist(self):
        """It has what CMake needs, and ninja would find every file."""
        with tarfile.open(self.sdist) as archive:
            archive.extractall(self.folder / "unpacked")
        unpacked = next((self.folder / "unpacked").iterdir())
        self.assertEqual(files_below(unpacked, SOURCES), files_below(ROOT, SOURCES))
        made = self.folder / "made"
        run("cmake", "-S", unpacked, "-B", made, "-G", "Ninja", "-DSALVO_PYTHON=ON", "-DBUILD_TESTING=OFF",
            f"-DPython3_EXECUTABLE={sys.executable}")
        run("ninja", "-C", made, "-n", "salvo_python", "salvo")

    def test_build(self):
        """Building takes less than three minutes on two cores, and the log shows how far it is."""
        if not FROM_NOTHING:
            self.skipTest("nothing is compiled without SALVO_FROM_NOTHING=1")
        print(f"{self.processor_s:.0f} s of processor time")
        self.assertLess(self.processor_s, 2 * 180)
        self.assertGreater(len(re.findall(r"^ *\[\d+/\d+, [\d.]+ s\] ", self.log, re.M)), 100)

    def test_wheel(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
            read = lambda name: archive.read(next(one for one in names if one.endswith(".dist-info/" + name))).decode()
            data = email.message_from_string(read("METADATA"))
            licence = next(one for one in names if re.search(r"\.dist-info/(licenses/)?LICENSE$", one))
            self.assertEqual(archive.read(licence), (ROOT / "LICENSE").read_bytes())
        version = re.search(r"^project\(salvo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)
        self.assertEqual((data["Name"], data["Version"], data["License"]), ("salvo", version.group(1), "MIT"))
        self.assertEqual(data["Requires-Python"], ">=3.9")
        self.assertGreater(len(data.get_all("Classifier")), 5)
        self.assertEqual({url.split(",")[0] for url in data.get_all("Project-URL")}, {"Homepage", "Documentation", "Changelog"})
        self.assertIn("salvo calculates odds", data.get_payload())
        package = {name for name in names if name.startswith("salvo/") and not name.startswith("salvo/profiles/")}
        self.assertEqual({name for name in package if "_salvo.cpython" not in name},
                         {f"salvo/{name}" for name in ("__init__.py", "__main__.py", "_salvo.pyi", "engine.py", "errors.py",
                                                       "profiles.pack", "py.typed", "questions.py", "result.py",
                                                       "salvo")})
        self.assertEqual({f"profiles/{name}" for name in files_below(ROOT / "profiles", [""])},
                         {name.removeprefix("salvo/") for name in names if name.startswith("salvo/profiles/")})

    def test_isolated(self):
        """pip with build isolation, which it uses by default: an index has what `build-system.requires` names."""
        index = self.folder / "index"
        index.mkdir()
        for wheel in Path("/usr/share/python-wheels").glob("*.whl"):
            (index / wheel.name).symlink_to(wheel)
        if not (list(index.glob("setuptools-*")) and list(index.glob("wheel-*"))):
            self.skipTest("Debian's python3-setuptools-whl is missing")
        # Stands for pip's pybind11; CMake finds the one of the system.
        with zipfile.ZipFile(index / "pybind11-3.0.0-py3-none-any.whl", "w") as archive:
            archive.writestr("pybind11/__init__.py", "def get_cmake_dir(): return ''\n")
            archive.writestr("pybind11-3.0.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: pybind11\nVersion: 3.0.0\n")
            archive.writestr("pybind11-3.0.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr("pybind11-3.0.0.dist-info/RECORD", "")
        target = self.folder / "isolated"
        pip("install", "--no-index", "--find-links", index, "--no-deps", "--target", target, self.sdist, SALVO_BUILD=str(build))
        self.assertTrue((target / "salvo" / "profiles.pack").is_file())

    def installed(self, *arguments, **options):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SALVO_PROFILES")}
        return subprocess.run([self.python, *arguments], env=environment, cwd=self.folder, timeout=120, **options)

    def test_engine(self):
        text = ("import salvo; e = salvo.Engine(); print(salvo.__version__, e.profiles); "
                "print(e.run(attack=['3 focus'], defend='2')['value'])")
        out = self.installed("-c", text, capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertIn(str(self.python.parents[1]), out[0])
        # Each of three attack dice hits with 6/8, each of two defense dice evades with 3/8: a sum over 4 x 3 cases.
        self.assertAlmostEqual(float(out[1]), 1.531494140625, places=12)

    def test_program(self):
        """`python -m salvo` prints and returns what the program does."""
        question = b'{"attack": ["Luke Skywalker focus"], "defend": "TIE/ln fighter evade"}'
        for arguments in ((), ("--version",), ("run", "-a", "3 focus", "-d", "2 evade"), ("run", "-a", "3 focsu", "-d", "2"),
                          ("run", "-a", "3 lock", "-d", "2", "--engine", "exact", "--budget", "1"), ("request", "run", "-"),
                          ("nothing",), ("run", "-a", "3", "-d", "2", "--format", "json", "--seed", "--", "-")):
            with self.subTest(arguments=arguments):
                mine = self.installed("-m", "salvo", *arguments, input=question, capture_output=True)
                program = subprocess.run([build / "salvo", *arguments], input=question, capture_output=True, cwd=self.folder)
                self.assertEqual((mine.returncode, mine.stdout, mine.stderr),
                                 (program.returncode, program.stdout, program.stderr))

    def test_reader_that_goes_away(self):
        """Python ignores SIGPIPE; the program must not inherit that."""
        read, write = os.pipe()
        os.close(read)
        done = self.installed("-m", "salvo", "ships", stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        self.assertEqual(done.stderr, b"")
        self.assertIn(done.returncode, (-13, 141))


if __name__ == "__main__":
    build = Path(sys.argv.pop(1)).resolve()
    unittest.main()
