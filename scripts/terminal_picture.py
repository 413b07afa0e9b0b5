#!/usr/bin/env python3
"""terminal_picture.py FILE.svg COMMAND...: runs a command at 80 columns and draws its output as SVG.

Supports bold, faint and the colours that salvo uses. scripts/pictures calls it for the README.
"""

import os
import re
import shlex
import subprocess
import sys
from xml.sax.saxutils import escape

COLUMNS, CHARACTER, LINE, MARGIN = 80, 8.4, 18, 16
PLAIN = {"fill": "#d7dde5"}
STYLES = {"1": {"fill": "#ffffff", "font-weight": "bold"}, "2": {"fill": "#8b96a5"}, "31": {"fill": "#ff8a80"},
          "32": {"fill": "#8ee6a8"}, "33": {"fill": "#ffcc66"}, "36": {"fill": "#5ccfe6"}}
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def spans(line):
    """Pairs of a text and its style."""
    style, at = PLAIN, 0
    for found in ESCAPE.finditer(line):
        if found.start() > at:
            yield line[at:found.start()], style
        at = found.end()
        codes = [code for code in found.group(1).split(";") if code not in ("", "0")]
        style = {**PLAIN, **{key: value for code in codes for key, value in STYLES.get(code, {}).items()}}
    if at < len(line):
        yield line[at:], style


def draw(lines):
    width, height = COLUMNS * CHARACTER + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
           'role="img" aria-label="an answer of salvo in a terminal">',
           '<rect width="100%" height="100%" rx="8" fill="#1b2027"/>',
           '<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">']
    for number, line in enumerate(lines):
        column = 0
        for text, style in spans(line):
            attributes = " ".join(f'{key}="{value}"' for key, value in style.items())
            for words in re.finditer(r"\S+(?: \S+)*", text):  # SVG collapses blanks
                out.append(f'<text x="{MARGIN + (column + words.start()) * CHARACTER:.1f}" '
                           f'y="{MARGIN + (number + 1) * LINE - 5}" textLength="{len(words.group()) * CHARACTER:.1f}" '
                           f'lengthAdjust="spacingAndGlyphs" {attributes}>{escape(words.group())}</text>')
            column += len(text)
    return "\n".join([*out, "</g>", "</svg>"]) + "\n"


def main():
    path, *command = sys.argv[1:]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": str(COLUMNS)})
    prompt = "\x1b[2m$\x1b[0m \x1b[1msalvo " + " ".join(shlex.quote(word) for word in command[1:] if word not in HIDDEN) + "\x1b[0m"
    with open(path, "w", encoding="utf-8") as file:
        file.write(draw([prompt, "", *done.stdout.rstrip("\n").split("\n")]))


# Options that make the program write to a pipe as to a terminal.
HIDDEN = {"--format", "table", "--color", "always"}

if __name__ == "__main__":
    main()
