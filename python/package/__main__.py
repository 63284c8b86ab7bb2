"""Starts the program in this package: the command pacia, and python -m pacia."""

import os
import sys
from pathlib import Path


def command():
    """Returns the words of the command before its arguments."""
    program = Path(__file__).parent / "program"
    launcher = program / "pacia"  # in a wheel that uses the torch of this Python
    if launcher.exists():
        return ["env", f"PYTHON={sys.executable}", str(launcher)]
    return [str(program / "bin" / "pacia")]


def main():
    words = command()
    os.execvp(words[0], words + sys.argv[1:])


if __name__ == "__main__":
    main()
