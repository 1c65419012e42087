"""Checks of stores that nothing runs, and what stores decide by themselves."""

import pathlib
import re

from swift_source import strip

# Where the checks are that every store has to pass.
CONFORMANCE = "Server/Sources/CardStoreConformance"

# Modules that store the same. What they write is decided by values of the model, so that no two can differ: see
# docs/decisions/0036.
STORES = ["PostgresCardStore", "ReferenceCardStore", "SQLiteCardStore"]

# The one that looks for its rows by Swift, and not by SQL: it has to compare what others name in a statement.
SWIFT_STORE = "ReferenceCardStore"

# What says where something is in its life. A store that compares it decides something; a filter only finds rows.
STATES = "codeSecret|device|endedAt|launchedAt|outcome|passwordHash|revokedAt|role|status|version"
STATE = re.compile(
    rf"(?<!\bfilter)\.({STATES})\b (?:[=!]=|[<>]=?) |(?:[=!]=|[<>]=?) (?!filter\b)[\w.?!]*\.({STATES})\b(?![.(])"
)

# The next version of something.
NEXT_VERSION = re.compile(r'\bversion\b(?:"\))? \+ 1\b')

# What an error says.
ERROR_TEXT = re.compile(r'\bStoreError\(\s*\.\w+,\s*"((?:[^"\\]|\\.)*)"')


def forgotten_checks(folder: pathlib.Path) -> list[str]:
    """Returns which checks of the conformance suite no list has, as sentences."""
    wrong = []
    files = {file: strip(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.swift"))}
    listed = set(re.findall(r"\b(\w+)\.checks\b", "\n".join(files.values())))
    for file, source in files.items():
        checks = re.findall(r"\bstatic (?:let|var) (\w+)(?:: ConformanceCheck)? = ConformanceCheck\(", source)
        checks += re.findall(r"\bstatic (?:let|var) (\w+): ConformanceCheck\b(?! =)", source)
        own = re.search(r"^    static let checks\b.*?\n\n", source, re.MULTILINE | re.DOTALL)
        names = set(re.findall(r"\w+", own[0] if own else ""))
        wrong += [
            f"{file.name}: no list has {name}, so no store is checked by it." for name in checks if name not in names
        ]
        suites = re.findall(r"^(?:enum|struct|extension) (\w+)", source[: own.start()] if own else "", re.MULTILINE)
        if suites and suites[-1] not in listed:
            wrong.append(f"{file.name}: ConformanceCheck.all has no {suites[-1]}.checks.")
    return wrong


def decisions(root: pathlib.Path, stores: list[str]) -> list[str]:
    """Returns what stores decide by themselves, as sentences."""
    wrong, said = [], {}
    for store in stores:
        for file in sorted((root / store).rglob("*.swift")):
            text = file.read_text(encoding="utf-8")
            name = f"{store}/{file.name}"
            for number, line in enumerate(strip(text).splitlines(), 1):
                found = None if store == SWIFT_STORE else STATE.search(line)
                if found:
                    what = found[1] or found[2]
                    wrong.append(f"{name}:{number}: a store compares a {what}: decide it in CardModel or CardStore.")
            for number, line in enumerate(text.splitlines(), 1):
                if NEXT_VERSION.search(line) and not line.lstrip().startswith("//"):
                    wrong.append(f"{name}:{number}: a store counts versions: let CardModel or CardStore say the next.")
            for message in ERROR_TEXT.findall(text):
                said.setdefault(message, {}).setdefault(store, name)
    for message, places in said.items():
        if len(places) > 1:
            wrong.append(f"{' and '.join(places.values())} say “{message}”: declare the error in CardStore.")
    return wrong
