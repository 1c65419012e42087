"""Folders of a module that depend on each other in a circle, and names of two types."""

import pathlib
import re

from swift_source import strip

# Folders that still depend on each other in a circle, by the module or the folder in which they are.
CYCLES: dict[str, list[set[str]]] = {}

# Names that two types have, and keep: both ends of the device API have a type of the values of JSON; see
# docs/decisions/0108.
DUPLICATES: set[str] = {"JSONValue"}

# Modules that implement the same and never meet: types of theirs may have the same names.
ALTERNATIVES: list[set[str]] = [{"PostgresCardStore", "SQLiteCardStore"}]

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?P<modifiers>(?:(?:public|package|internal|open|final|private|fileprivate|indirect|nonisolated)\s+)*)"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(?P<name>\w+)",
    re.MULTILINE,
)
ALIAS = re.compile(r"^(?:public |package )?typealias (\w+)", re.MULTILINE)
NESTED = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)")
IDENTIFIER = re.compile(r"(?<![\w.])[A-Z]\w*")


def declarations(source: str) -> list[tuple[str, bool]]:
    """Returns the types that stripped source declares at its top level, and whether other files can see each.

    A type that only has another name counts too.

    Sources are formatted: what begins a line is at the top level, whatever `#if` it is in.
    """
    found = []
    for match in DECLARATION.finditer(source):
        modifiers = match["modifiers"].split()
        found.append((match["name"], "private" not in modifiers and "fileprivate" not in modifiers))
    return found


class Module:
    """The folders in a module or in a folder of it, the types of each, and which folder names whose types."""

    def __init__(self, path: pathlib.Path, name: str = ""):
        """Reads the files in a path; a folder of a module has a name with those of the folders around it."""
        self.name = name or path.name
        self.types: dict[str, set[str]] = {}
        # Other names of types, which another module may give its users, too.
        self.aliases: set[str] = set()
        self.edges: dict[str, dict[str, set[str]]] = {}
        sources: list[tuple[str, pathlib.Path, str]] = []
        for file in sorted(path.rglob("*.swift")):
            parts = file.relative_to(path).parts
            # A catalog of documentation shows what apps write.
            if any(part.endswith(".docc") for part in parts):
                continue
            sources.append((parts[0] if len(parts) > 1 else "", file, strip(file.read_text(encoding="utf-8"))))
        for folder, _, source in sources:
            self.types.setdefault(folder, set()).update(n for n, visible in declarations(source) if visible)
            self.aliases.update(ALIAS.findall(source))
        owners: dict[str, str] = {}
        for folder, names in self.types.items():
            owners.update({name: folder for name in names})
        for folder, file, source in sources:
            own = set(NESTED.findall(source))
            for name in set(IDENTIFIER.findall(source)) - own:
                owner = owners.get(name)
                # What lies in no folder puts the others together; it may know them all, and they may know it.
                if owner is None or "" in (owner, folder) or owner == folder:
                    continue
                note = f"{file.relative_to(path)} names {name}"
                self.edges.setdefault(folder, {}).setdefault(owner, set()).add(note)

    def cycles(self) -> list[set[str]]:
        """Returns the sets of folders of which each depends on each other."""
        reach = {folder: self.reachable(folder) for folder in self.types}
        found: list[set[str]] = []
        for folder in sorted(self.types):
            circle = {other for other in reach[folder] if folder in reach[other]}
            if circle and circle not in found:
                found.append(circle)
        return found

    def reachable(self, folder: str) -> set[str]:
        seen: set[str] = set()
        todo = [folder]
        while todo:
            for other in self.edges.get(todo.pop(), {}):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    def explain(self, circle: set[str]) -> str:
        lines = []
        for folder in sorted(circle):
            for other in sorted(self.edges.get(folder, {})):
                if other in circle:
                    notes = sorted(self.edges[folder][other])
                    more = f" and {len(notes) - 3} more" if len(notes) > 3 else ""
                    lines.append(f"    {folder} -> {other}: {'; '.join(notes[:3])}{more}")
        return "\n".join(lines)


def modules(root: pathlib.Path, roots: list[str]) -> list[Module]:
    found = []
    for place in roots:
        if (root / place).is_dir():
            found += [Module(path) for path in sorted((root / place).iterdir()) if any(path.rglob("*.swift"))]
    return found


def inner_folders(root: pathlib.Path, roots: list[str]) -> list[Module]:
    """Returns the folders of modules that have folders themselves, however deep."""
    found = []
    for place in roots:
        for path in sorted((root / place).glob("*/**/")) if (root / place).is_dir() else []:
            parts = path.relative_to(root / place).parts
            has_folders = any(child.is_dir() and any(child.rglob("*.swift")) for child in path.iterdir())
            if len(parts) > 1 and has_folders and not any(part.endswith(".docc") for part in parts):
                found.append(Module(path, "/".join(parts)))
    return found


def circles(found: list[Module], cycles: dict[str, list[set[str]]]) -> list[str]:
    """Returns which folders depend on each other, and which exceptions aren't needed, as sentences."""
    wrong = []
    for module in found:
        allowed, actual = cycles.get(module.name, []), module.cycles()
        for circle in actual:
            if not any(circle <= exception for exception in allowed):
                wrong.append(
                    f"{module.name}: {', '.join(sorted(circle))} depend on each other:\n{module.explain(circle)}"
                )
        for exception in allowed:
            if exception not in actual:
                wrong.append(
                    f"{module.name}: {', '.join(sorted(exception))} no longer form this circle: shrink CYCLES."
                )
    return wrong


def problems(
    found: list[Module],
    cycles: dict[str, list[set[str]]],
    duplicates: set[str],
    alternatives: list[set[str]] = ALTERNATIVES,
) -> list[str]:
    """Returns which names are those of two types, and which folders form circles, as sentences."""
    wrong = circles(found, cycles)
    owners: dict[str, list[str]] = {}
    for module in found:
        for name in set().union(*module.types.values()) - module.aliases:
            owners.setdefault(name, []).append(module.name)
    for name, places in sorted(owners.items()):
        meet = not any(set(places) <= modules for modules in alternatives)
        if len(places) > 1 and meet and name not in duplicates:
            wrong.append(f"{name} is a type of {' and of '.join(places)}: give one of them another name.")
    for name in sorted(duplicates):
        if len(owners.get(name, [])) < 2:
            wrong.append(f"{name} is the name of one type at most: take it out of DUPLICATES.")
    return wrong
