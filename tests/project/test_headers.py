#!/usr/bin/env python3
"""test_headers.py COMPILER INCLUDE: the public headers compile without the rest of the project.

Each compiles alone, without warnings, with nothing but INCLUDE to look in; includes only the standard library and other
public headers; and is among those that salvo/salvo.h includes. But salvo/salvo_c.h, which is for C: it compiles as that, too.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast", "-Werror"]
C_WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Werror"]
FOR_C = "salvo_c.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def faults_of(compiler, folder, header):
    """The faults of one header, one a line."""
    name = header.relative_to(folder).as_posix()
    faults = []
    for bracket, included in INCLUDE.findall(header.read_text(encoding="utf-8")):
        public = bracket == '"' and included.startswith("salvo/") and (folder / included).is_file()
        standard = r"[a-z_]+\.h" if header.name == FOR_C else r"[a-z_]+"
        if not public and not (bracket == "<" and re.fullmatch(standard, included)):
            faults.append(f"{name}: includes {included}, which is neither standard nor public")
    source = f'#include "{name}"\n#include "{name}"\n'
    for language in [["-std=c++20", *WARNINGS, "-x", "c++"], *[["-std=c99", *C_WARNINGS, "-x", "c"]] * (header.name == FOR_C)]:
        command = [compiler, *language, "-I", str(folder), "-fsyntax-only", "-"]
        result = subprocess.run(command, input=source, capture_output=True, text=True, timeout=600)
        if result.returncode != 0:
            faults.append(f"{name}: does not compile alone ({language[0]}):\n{result.stderr}")
    return faults


def main():
    compiler, folder = sys.argv[1], Path(sys.argv[2])
    headers = sorted((folder / "salvo").glob("*.h"))
    with ThreadPoolExecutor(2) as pool:
        faults = [fault for found in pool.map(lambda x: faults_of(compiler, folder, x), headers) for fault in found]
    front = (folder / "salvo" / "salvo.h").read_text(encoding="utf-8")
    listed = {included for _, included in INCLUDE.findall(front)}
    faults += [f"salvo/salvo.h: leaves out salvo/{x.name}" for x in headers
               if x.name not in ("salvo.h", FOR_C) and f"salvo/{x.name}" not in listed]
    print("\n".join(faults) or f"{len(headers)} headers stand alone")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
