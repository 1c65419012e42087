"""How many lines of tests a module has for each line of its own."""

import json
import pathlib
import subprocess

# What every module is to reach, and what those are to that all others stand on.
AIM = 0.6
HIGH_AIM = 1.0
BASES = {"CardModel", "CardStore", "ContentCards"}

# The ratios of modules that are still below their aim. None may sink, so a floor is never lowered.
FLOORS = "scripts/lib/structure/test_floors.json"

# How far a module may be above its floor before the floor is raised. It leaves room for a change of a few lines.
SLACK = 0.05

# Tests that aren't in a folder of the module's name: what is inside another folder doesn't count for that.
# A suite that runs over all stores counts once, for the protocols that it checks: each store has tests of its own.
PLACES: dict[str, list[str]] = {
    "CardStore": ["Server/Tests/CardStoreTests", "Server/Sources/CardStoreConformance"],
    "PlacardCommands": ["Server/Tests/CommandTests"],
    "SQLiteCardStore": ["Server/Tests/CardStoreTests/SQLite"],
    "ShardedCardStore": ["Server/Tests/PostgresCardStoreTests/Sharding"],
    "WireYAML": [
        "Server/Tests/CommandSettingsTests/YAMLTests.swift",
        "Server/Tests/CommandSettingsTests/YAMLTextTests.swift",
    ],
}

# Modules that have no tests of their own, and why.
EXEMPT: dict[str, str] = {
    "CardStoreConformance": "is tests itself",
    "ContentCardsTesting": "is for tests",
    "CustomizedExample": "is an example, whose screens are compared",
    "DocumentedImports": "only imports",
    "ExperimentSimulation": "is for tests",
    "FeedExample": "is an example, whose screens are compared",
    "KitExample": "is an example, whose screens are compared",
    "ReferenceCardStore": "is what tests compare stores with",
    "ShopScreens": "is an example, whose screens are compared",
    "placard": "only starts PlacardCommands",
    "shop": "only starts ShopApp",
    "statistics-probe": "is what scripts/check-statistics asks",
}


def code_lines(text: str) -> int:
    """Returns how many lines of Swift aren't empty and aren't comments; texts of many lines count."""
    count, is_in_text, is_in_comment = 0, False, False
    for line in text.split("\n"):
        line = line.strip()
        if not line or (line.startswith("//") and not is_in_text):
            continue
        if is_in_comment or (line.startswith("/*") and not is_in_text):
            is_in_comment = "*/" not in line
            continue
        count += 1
        is_in_text ^= line.count('"""') % 2 == 1
    return count


def swift_files(path: pathlib.Path) -> set[pathlib.Path]:
    """Returns the files of Swift at a path, without what a catalog of documentation shows."""
    if path.is_file():
        return {path}
    found = (file for file in path.rglob("*.swift") if not file.is_symlink())
    return {file for file in found if not any(part.endswith(".docc") for part in file.parts)}


def ratios(
    root: pathlib.Path, roots: list[str], places: dict[str, list[str]] = PLACES, exempt: dict[str, str] = EXEMPT
) -> dict[str, tuple[int, int]]:
    """Returns how many lines of code each module has, and how many its tests have."""
    found = {}
    for place in roots:
        for module in sorted((root / place).iterdir()) if (root / place).is_dir() else []:
            own = sum(code_lines(file.read_text(encoding="utf-8")) for file in swift_files(module))
            if not own or module.name in exempt:
                continue
            default = str(pathlib.PurePath(place).with_name("Tests") / f"{module.name}Tests")
            mine = [root / name for name in places.get(module.name, [default])]
            others = [root / name for key, names in places.items() for name in names if key != module.name]
            tests: set[pathlib.Path] = set().union(*(swift_files(path) for path in mine))
            for other in others:
                if any(path in other.parents for path in mine):
                    tests -= swift_files(other)
            found[module.name] = (own, sum(code_lines(file.read_text(encoding="utf-8")) for file in tests))
    return found


def aim(module: str) -> float:
    return HIGH_AIM if module in BASES else AIM


def table(found: dict[str, tuple[int, int]]) -> list[str]:
    """Returns a line for each module, the thinnest tests first."""
    lines = []
    for module, (own, tests) in sorted(found.items(), key=lambda entry: entry[1][1] / entry[1][0]):
        missing = max(0, round(aim(module) * own) - tests)
        note = f"  {missing} lines to its aim of {aim(module)}" if missing else ""
        lines.append(f"{tests / own:5.2f}  {module:20} {own:6} lines, {tests:6} of tests{note}")
    return lines


def thin_tests(
    found: dict[str, tuple[int, int]], least: dict[str, float], former: dict[str, float] | None = None
) -> list[str]:
    """Returns which modules have too few tests, and which floors are wrong, as sentences."""
    wrong = []
    for module, (own, tests) in sorted(found.items()):
        ratio, floor = tests / own, least.get(module)
        if ratio >= aim(module):
            if floor is not None:
                wrong.append(f"{module} has reached its aim of {aim(module)}: take it out of {FLOORS}.")
        elif floor is None:
            wrong.append(f"{module} has {ratio:.3f} lines of tests for each of its own: {aim(module)} is the least.")
        elif ratio < floor:
            wrong.append(f"{module} has {ratio:.3f} lines of tests for each of its own, and had {floor}: write tests.")
        elif ratio > floor + SLACK:
            wrong.append(f"{module} has {ratio:.3f} lines of tests for each of its own: raise its floor of {floor}.")
    wrong += [f"{module} is no module: take it out of {FLOORS}." for module in sorted(least.keys() - found.keys())]
    for module, floor in sorted((former or {}).items()):
        if least.get(module, floor) < floor:
            wrong.append(f"{module} had a floor of {floor}, and floors are never lowered: write tests.")
    return wrong


def committed_floors(root: pathlib.Path) -> dict[str, float]:
    """Returns the highest floors of the last commit and of the one before it, as far as they are known here."""
    highest: dict[str, float] = {}
    for commit in ("HEAD", "HEAD^"):
        shown = subprocess.run(["git", "show", f"{commit}:{FLOORS}"], cwd=root, capture_output=True, text=True)
        for module, floor in json.loads(shown.stdout).items() if shown.returncode == 0 else []:
            highest[module] = max(floor, highest.get(module, floor))
    return highest


def floors(root: pathlib.Path) -> dict[str, float]:
    """Returns the floors of the modules that are still below their aim."""
    return json.loads((root / FLOORS).read_text(encoding="utf-8"))


def problems(root: pathlib.Path, roots: list[str]) -> list[str]:
    """Returns what is wrong with the amount of tests, as sentences."""
    return thin_tests(ratios(root, roots), floors(root), committed_floors(root))
