"""Reads Swift as far as checks of its structure need it, without a compiler."""

import functools
import re

# A literal of one line without interpolations, which isn't raw.
_PLAIN = re.compile(r'"(?!"")(?:[^"\\\n]|\\[^(\n])*"')
_OPENING = re.compile(r'(#*)("""|")')
# What a regular expression can follow; after anything else, a slash divides.
_BEFORE_PATTERN = set("(=,:[{!&|?;")
_PATTERN = re.compile(r"/(?![ \t/*=])(?:\\.|[^\\/\n])+/")
_LONG_PATTERN = re.compile(r"(#+)/.*?/\1", re.DOTALL)

_ATTRIBUTES = r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+)*"
_MODIFIERS = (
    r"(?:(?:public|package|internal|private|fileprivate|open|static|class|final|override|mutating|nonmutating|"
    r"nonisolated|convenience|required|prefix|postfix|infix|consuming|borrowing|indirect|dynamic|\w+\(\w+\))\s+)*"
)
FUNCTION = re.compile(
    _ATTRIBUTES + _MODIFIERS + r"(func\b[^({<]*|init\b[?!]?\s*(?=[(<])|deinit\b|subscript\b)", re.MULTILINE
)
# What a signature goes on with on another line.
_SIGNATURE = re.compile(r"async\b|throws\b|rethrows\b|->|where\b|\{|&")


@functools.cache
def strip(text: str, keeps_literals: bool = False) -> str:
    """Returns Swift source without comments and literals of text, line by line as before; interpolations stay.

    Where literals are kept, those of one line without interpolations stay as they are written.
    """
    out: list[str] = []
    # What each open literal ends with, and how many parentheses are open in the interpolation within it.
    literals: list[str] = []
    depths: list[int] = []
    at = 0

    def is_in_text() -> bool:
        return len(literals) > len(depths)

    while at < len(text):
        if is_in_text():
            end = literals[-1]
            hashes = end.lstrip('"')
            if text.startswith(end, at):
                literals.pop()
                at += len(end)
            elif text.startswith("\\" + hashes + "(", at):
                depths.append(1)
                at += len(hashes) + 2
                out.append(" ")
            elif text[at] == "\\" and not hashes:
                # A line that goes on in the next one is still a line.
                if text[at + 1 : at + 2] == "\n":
                    out.append("\n")
                at += 2
            else:
                if text[at] == "\n":
                    out.append("\n")
                at += 1
            continue
        if text.startswith("//", at):
            end_of_line = text.find("\n", at)
            at = len(text) if end_of_line < 0 else end_of_line
            continue
        if text.startswith("/*", at):
            depth, begin = 1, at
            at += 2
            while at < len(text) and depth:
                if text.startswith("/*", at):
                    depth, at = depth + 1, at + 2
                elif text.startswith("*/", at):
                    depth, at = depth - 1, at + 2
                else:
                    at += 1
            out.append("\n" * text.count("\n", begin, at))
            continue
        pattern = _pattern_end(text, at, out)
        if pattern:
            at = pattern
            continue
        plain = _PLAIN.match(text, at) if keeps_literals else None
        if plain:
            out.append(plain[0])
            at = plain.end()
            continue
        opening = _OPENING.match(text, at)
        if opening:
            literals.append(opening[2] + opening[1])
            at = opening.end()
            continue
        character = text[at]
        if depths:
            if character == "(":
                depths[-1] += 1
            elif character == ")":
                depths[-1] -= 1
                if depths[-1] == 0:
                    depths.pop()
                    at += 1
                    continue
        out.append(character)
        at += 1
    return "".join(out)


def _pattern_end(text: str, at: int, before: list[str]) -> int | None:
    """Returns where the regular expression ends that begins at a place, or None where none does."""
    if text[at] == "#":
        long = _LONG_PATTERN.match(text, at)
        return long.end() if long else None
    if text[at] != "/":
        return None
    last = next((part for part in reversed(before) if not part.isspace()), "(")
    found = _PATTERN.match(text, at) if last[-1] in _BEFORE_PATTERN else None
    return found.end() if found else None


def function_lengths(source: str) -> list[tuple[int, int, str]]:
    """Returns the functions of stripped source: how many lines of code each body has, its line, and its name."""
    found = []
    for match in FUNCTION.finditer(source):
        begin = _body(source, match.end(1))
        if begin is None:
            continue
        end = _closing(source, begin)
        lines = sum(1 for line in source[begin + 1 : end].split("\n") if line.strip())
        found.append((lines, source.count("\n", 0, match.start(1)) + 1, " ".join(match[1].split())))
    return found


def _body(source: str, at: int) -> int | None:
    """Returns where a body begins whose signature goes on at a place, or None where it has none."""
    depth = 0
    while at < len(source):
        character = source[at]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif depth == 0 and character == "{":
            return at
        elif depth == 0 and character == "}":
            return None
        elif depth == 0 and character == "\n" and not _SIGNATURE.match(source[at : at + 400].lstrip()):
            return None
        at += 1
    return None


def _closing(source: str, begin: int) -> int:
    """Returns where the brace closes that opens at a place."""
    depth = 0
    for at in range(begin, len(source)):
        if source[at] == "{":
            depth += 1
        elif source[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return len(source)
