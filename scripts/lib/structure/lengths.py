"""Functions and files that are too long."""

import pathlib
import subprocess

from swift_source import function_lengths, strip

# The most lines of code that a body may have, what nine in ten have at most, and the most lines of a file.
LONGEST_FUNCTION = 60
NINE_IN_TEN = 14
LONGEST_FILE = 350

# The kinds of file that are held to the length beside Swift; programs without a kind are known by their first line.
KINDS = {".py", ".sh", ".js", ".css", ".mustache"}

# Files that are still longer.
LONG_FILES: set[str] = set()


def lengths(root: pathlib.Path, roots: list[str], test_roots: list[str]) -> list[str]:
    """Returns which functions and files of Swift are too long, as sentences."""
    wrong, bodies = [], []
    for place in roots + test_roots:
        for file in sorted((root / place).rglob("*.swift")):
            if ".build" in file.parts:
                continue
            text = file.read_text(encoding="utf-8")
            name = file.relative_to(root)
            if text.count("\n") > LONGEST_FILE:
                wrong.append(f"{name} has {text.count(chr(10))} lines: split it, {LONGEST_FILE} is the most.")
            functions = function_lengths(strip(text))
            bodies += [lines for lines, _, _ in functions if place in roots]
            for lines, line, function in functions:
                if lines > LONGEST_FUNCTION:
                    wrong.append(
                        f"{name}:{line}: {function} has {lines} lines of code, {LONGEST_FUNCTION} is the most."
                    )
    bodies.sort()
    if bodies and bodies[len(bodies) * 9 // 10] > NINE_IN_TEN:
        most = bodies[len(bodies) * 9 // 10]
        wrong.append(f"One in ten functions has {most} lines of code or more, and {NINE_IN_TEN} is the most for that.")
    return wrong


def tracked(root: pathlib.Path) -> list[str]:
    """Returns the files of a repository, and those that will be, without links."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]


def is_program(name: str, text: str) -> bool:
    """Whether a file is a script, a template or a style."""
    return pathlib.PurePath(name).suffix in KINDS or text.startswith("#!")


def long_files(root: pathlib.Path, names: list[str], exceptions: set[str]) -> list[str]:
    """Returns which scripts, templates and styles are too long, as sentences."""
    wrong, seen = [], set()
    for name in names:
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        lines = text.count("\n")
        if not is_program(name, text) or lines <= LONGEST_FILE:
            continue
        seen.add(name)
        if name not in exceptions:
            wrong.append(f"{name} has {lines} lines: split it, {LONGEST_FILE} is the most.")
    return wrong + [f"{name} isn't too long: take it out of LONG_FILES." for name in sorted(exceptions - seen)]
