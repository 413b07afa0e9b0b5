"""``python -m salvo``: the program salvo, with the same arguments, output and exit status."""

import os
import signal
import sys
from pathlib import Path

from . import _salvo


def main() -> None:
    """Replaces this process by the program, which lies beside the compiled part."""
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and so would the program
        signal.signal(ignored, signal.SIG_DFL)
    program = Path(_salvo.__file__).with_name("salvo")
    os.execv(program, ["salvo", *sys.argv[1:]])


if __name__ == "__main__":
    main()
