"""Builds the compiled part of the Python package and the program with CMake, and copies them and the profiles into the package
(docs/python.md).

SALVO_BUILD names a build directory that already contains salvo_python and salvo. Then nothing is compiled.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        built = os.environ.get("SALVO_BUILD")
        build = Path(built or Path(self.build_temp, "cmake")).resolve()
        if not built:
            self.run_cmake(build)
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        made = sorted((build / "python" / "salvo").glob("_salvo.*.so"))
        if not made:
            raise RuntimeError("CMake made no salvo._salvo; are pybind11 and Python's headers installed?")
        shutil.copyfile(made[0], target)
        shutil.copytree(ROOT / "profiles", target.parent / "profiles", dirs_exist_ok=True)
        shutil.copyfile(build / "profiles.pack", target.parent / "profiles.pack")
        shutil.copy(build / "salvo", target.parent / "salvo")  # finds the profiles beside itself

    @staticmethod
    def run_cmake(build):
        jobs = os.environ.get("SALVO_JOBS") or str(os.cpu_count() or 1)
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DSALVO_UNITY=ON", "-DSALVO_PYTHON=ON", "-DBUILD_TESTING=OFF",
                   f"-DPython3_EXECUTABLE={sys.executable}"]
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        try:
            import pybind11  # that of pip, if it is not one of the system
            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass
        environment = {"NINJA_STATUS": "[%f/%t, %e s] ", **os.environ}  # the progress, which `pip install -v` shows
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *options], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "salvo_python", "salvo", "--parallel", jobs], check=True,
                       env=environment)

    def get_source_files(self):
        return []


version = re.search(r"^project\(salvo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)
setup(version=version.group(1), license="MIT",
      ext_modules=[Extension("salvo._salvo", sources=[])], cmdclass={"build_ext": CMakeBuild})
