"""Names that several types of a module have, some of them nested in others."""

import pathlib
import re

from swift_source import strip

# Names that types have by convention, each in the type that it belongs to.
CONVENTIONAL = set("Body Code CodingKeys Configuration Element Error ID Index Iterator SubSequence".split())
# What each handler of a NIO pipeline declares.
CONVENTIONAL |= set("InboundIn InboundOut OutboundIn OutboundOut".split())

# Modules whose names are those of Apple's or the documented SDK.
FOREIGN = {"BrowserUIKit", "ContentCardsABK"}

# Names that several types of a module have. Those of the SDK are public: apps write `ContentCard.Kind` and
# `ContentTypeSchema.Field.Kind`.
NESTED: dict[str, str] = {"ContentCards": "Kind"}

_SCOPE = re.compile(
    r"[{}]|(?P<modifiers>(?:\b(?:public|package|internal|open|final|private|fileprivate|indirect|nonisolated)\s+)*)"
    r"\b(?:(?P<kind>struct|class|enum|actor|protocol|extension)\s+(?P<name>[A-Z][\w.]*)"
    r"|typealias\s+(?P<alias>\w+)[^=\n]*=\s*(?P<target>[\w.]*))"
)


def types(source: str) -> list[str]:
    """Returns the full names of the types that stripped source declares and that other files can see.

    Types in functions aren't among them, nor is another name that ends as the type's own does.
    """
    found: list[str] = []
    # The type or extension in each open brace, with whether others see it; `None` for a function and the like.
    scopes: list[tuple[str, bool] | None] = []
    pending: tuple[str, bool] | None = None
    for match in _SCOPE.finditer(source):
        if match[0] == "{":
            scopes.append(pending)
            pending = None
            continue
        if match[0] == "}":
            if scopes:
                scopes.pop()
            continue
        is_private = bool({"private", "fileprivate"} & set(match["modifiers"].split()))
        outer = [scope for scope in scopes if scope]
        is_visible = not is_private and len(outer) == len(scopes) and all(scope[1] for scope in outer)
        name = match["name"] or match["alias"]
        is_repeated = match["target"] is not None and match["target"].split(".")[-1] == name
        if is_visible and match["kind"] != "extension" and not is_repeated:
            found.append(".".join([scope[0] for scope in outer] + [name]))
        if match["kind"]:
            pending = (name, not is_private)
    return found


def repeated(path: pathlib.Path) -> dict[str, set[str]]:
    """Returns the names that several types of a module have, with the full names of the types."""
    owners: dict[str, set[str]] = {}
    for file in sorted(path.rglob("*.swift")):
        if any(part.endswith(".docc") for part in file.parts):
            continue
        for name in types(strip(file.read_text(encoding="utf-8"))):
            owners.setdefault(name.split(".")[-1], set()).add(name)
    return {name: places for name, places in owners.items() if len(places) > 1 and name not in CONVENTIONAL}


def problems(root: pathlib.Path, roots: list[str], known: dict[str, str] = NESTED) -> list[str]:
    """Returns which names several types of a module have, and which exceptions aren't needed, as sentences."""
    wrong = []
    for place in roots:
        for path in sorted((root / place).iterdir()) if (root / place).is_dir() else []:
            if path.name in FOREIGN:
                continue
            allowed, actual = set(known.get(path.name, "").split()), repeated(path)
            for name in sorted(set(actual) - allowed):
                places = " and ".join(sorted(actual[name]))
                wrong.append(f"{path.name} has {places}: give each a name that a search finds.")
            for name in sorted(allowed - set(actual)):
                wrong.append(f"{name} is the name of one type of {path.name} at most: take it out of NESTED.")
    return wrong


def count() -> int:
    """Returns how many names several types of a module still have."""
    return sum(len(names.split()) for names in NESTED.values())
