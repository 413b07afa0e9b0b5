#!/usr/bin/env python3
"""test_install.py BUILD COMPILER: an installed salvo, used from an empty folder outside the source.

`cmake --install`, the examples built against the installed tree with find_package and with pkg-config, the Debian
packages unpacked; and everything runs, with the profiles that were installed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROBE = 'id = "test-probe"\nkind = "upgrade"\n\n[[effect]]\nside = "attacker"\nat = "attack-mod"\ndo = [{ verb = "reroll", dice = "attack", n = 1 }]\n'
build, compiler = Path(), ""


def run(*command, **options):
    """Runs a command and returns its output; a failure shows all of it."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def environment(**more):
    """This environment without variables that point into the source tree."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SALVO_", "CMAKE_"))}
    return {**clean, **more}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="salvo-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", build, "--prefix", cls.prefix)
        cls.profiles = cls.prefix / "share" / "salvo" / "profiles"
        shutil.copytree(ROOT / "examples", cls.folder / "examples")

    def check_program(self, program, profiles, **more):
        """The program uses the profiles of its own prefix: it knows a card that only these contain."""
        (profiles / "cards" / "upgrade" / "test-probe.toml").write_text(PROBE, encoding="utf-8")
        out = run(program, "run", "--attack", "3 test-probe", "--defend", "1", "--format", "json",
                  cwd=self.folder, env=environment(**more))
        self.assertGreater(len(json.loads(out)), 3)

    def check_example(self, program):
        arguments = [self.profiles / "squads" / "rebels.json"] if program.name == "squad_report" else []
        out = run(program, *arguments, cwd=self.folder, env=environment(SALVO_PROFILES=str(self.profiles)))
        self.assertTrue(out.strip(), f"{program.name} printed nothing")

    def test_bill_of_materials(self):
        """It lists the libraries that the program names."""
        bill = json.loads((self.prefix / "share" / "doc" / "salvo" / "salvo.spdx.json").read_text(encoding="utf-8"))
        named = {f"{part['name']} {part['versionInfo']}" for part in bill["packages"]}
        lines = run(self.prefix / "bin" / "salvo", "--version", "--verbose").splitlines()
        libraries = {line.removeprefix("library ") for line in lines if line.startswith("library ")}
        self.assertGreater(len(libraries), 8)
        self.assertLessEqual(libraries, named)
        self.assertEqual({relation["relatedSpdxElement"] for relation in bill["relationships"]},
                         {part["SPDXID"] for part in bill["packages"]})

    def test_program(self):
        self.check_program(self.prefix / "bin" / "salvo", self.profiles)

    def test_headers_are_the_public_ones(self):
        installed = sorted(path.name for path in (self.prefix / "include" / "salvo").iterdir())
        self.assertEqual(installed, sorted(path.name for path in (ROOT / "include" / "salvo").iterdir()))

    def test_find_package(self):
        made = self.folder / "made"
        run("cmake", "-S", self.folder / "examples", "-B", made, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}", env=environment())
        run("cmake", "--build", made, "--parallel", "2", env=environment())
        sources = sorted((self.folder / "examples").glob("*.cpp"))
        self.assertGreaterEqual(len(sources), 4)
        for source in sources:
            self.check_example(made / source.stem)

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_c(self):
        """A C program with the installed library gives the bytes of salvo."""
        places = ":".join(str(path.parent) for path in self.prefix.rglob("salvo-c.pc"))
        flags = run("pkg-config", "--cflags", "--libs", "salvo-c", env=environment(PKG_CONFIG_PATH=places)).split()
        program, body = self.folder / "ask", '{"attack": ["3 focus"], "defend": ["2 evade"]}'
        libraries = [f"-Wl,-rpath,{flag[2:]}" for flag in flags if flag.startswith("-L")]
        run("cc", "-std=c99", "-Wall", "-Werror", self.folder / "examples" / "c" / "ask.c", *flags, *libraries, "-o", program)
        asked = run(program, "run", input=body, cwd=self.folder, env=environment())
        self.assertEqual(asked, run(self.prefix / "bin" / "salvo", "request", "run", "-", input=body, cwd=self.folder,
                                    env=environment()))

    def test_pkg_config(self):
        places = ":".join(str(path.parent) for path in self.prefix.rglob("salvo.pc"))
        flags = run("pkg-config", "--cflags", "--libs", "salvo", env=environment(PKG_CONFIG_PATH=places)).split()
        program = self.folder / "one_attack"
        libraries = [f"-Wl,-rpath,{flag[2:]}" for flag in flags if flag.startswith("-L")]
        run(compiler, "-std=c++20", self.folder / "examples" / "one_attack.cpp", *flags, *libraries, "-o", program)
        self.check_example(program)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "needs dpkg-deb")
    def test_debian_packages(self):
        made, root = self.folder / "packages", self.folder / "root"
        run("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", made)
        packages = sorted(made.glob("*.deb"))
        names = {path.name.split("_")[0] for path in packages}
        self.assertGreaterEqual(names, {"salvo", "salvo-data", "salvo-doc", "libsalvo-dev", "libsalvo0"})
        for package in packages:
            run("dpkg-deb", "-x", package, root)
            fields = run("dpkg-deb", "-f", package)
            if package.name.startswith("salvo_"):
                for library in ("libc6", "libfmt9", "libtbb12", "salvo-data"):
                    self.assertIn(library, fields)
        self.assertTrue((root / "usr" / "include" / "salvo" / "salvo.h").is_file())
        self.assertEqual(len(list((root / "usr" / "lib").rglob("libsalvo.so.0"))), 1)
        self.check_program(root / "usr" / "bin" / "salvo", root / "usr" / "share" / "salvo" / "profiles")


if __name__ == "__main__":
    build, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
