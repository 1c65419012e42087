"""Makes the Objective-C header of ContentCardsABK where there is no Objective-C, and compares it with the documented
members.

The compiler reads the sources of ContentCardsABK as on Apple's platforms, without the bodies of functions, against
modules of the names of Apple's (scripts/lib/snippets/apple): declarations of what signatures mention, written for this
check."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPLE = ROOT / "scripts/lib/snippets/apple"
SOURCES = ROOT / "Sources"
DOCUMENTED = ROOT / "scripts/lib/documented/objective-c.list"
CONSTANTS = SOURCES / "ContentCardsABKConstants/include/ContentCardsABKConstants.h"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def options_of(folder):
    return [
        "-parse-as-library",
        "-enable-objc-interop",
        "-package-name",
        "placard",
        "-I",
        folder,
        "-Xcc",
        f"-fmodule-map-file={APPLE}/module.modulemap",
        "-Xcc",
        f"-I{APPLE}",
        "-module-cache-path",
        f"{folder}/cache",
    ]


def make_headers(folder):
    """Writes ContentCardsABK.h and ContentCardsUI.h into a folder; returns what the compiler says where it can't."""
    options = [*options_of(folder), "-swift-version", "6"]
    for name, file, more in [
        ("ObjectiveC", APPLE / "ObjectiveC.swift", ["-import-underlying-module"]),
        ("Foundation", APPLE / "Foundation.swift", ["-import-underlying-module"]),
        ("ContentCards", APPLE / "sdk/ContentCards.swift", []),
        (
            "ContentCardsUI",
            APPLE / "sdk/ContentCardsUI.swift",
            ["-emit-objc-header-path", f"{folder}/ContentCardsUI.h"],
        ),
    ]:
        made = run(
            "swiftc",
            "-frontend",
            "-emit-module",
            "-module-name",
            name,
            *options,
            *more,
            "-o",
            f"{folder}/{name}.swiftmodule",
            file,
        )
        if made.returncode:
            return made.stderr
    files = sorted((SOURCES / "ContentCardsABK").rglob("*.swift"))
    made = run(
        "swiftc",
        "-frontend",
        "-emit-module",
        "-module-name",
        "ContentCardsABK",
        *options,
        "-experimental-skip-all-function-bodies",
        "-emit-objc-header-path",
        f"{folder}/ContentCardsABK.h",
        "-o",
        f"{folder}/ContentCardsABK.swiftmodule",
        *files,
    )
    return made.stderr if made.returncode else ""


def compile_overrides(folder, file):
    """Checks what apps override, against the modules that make_headers has left in the folder."""
    return run("swiftc", "-frontend", "-typecheck", *options_of(folder), "-swift-version", "5", file)


def members(folder):
    """Returns the members of each class, protocol and enum of the headers, with those of the classes above."""
    found, bases, current = {}, {}, None
    for file in ("ContentCardsUI.h", "ContentCardsABK.h"):
        for line in pathlib.Path(folder, file).read_text().splitlines():
            if match := re.match(r"@(?:interface|protocol) (\w+)(?: : (\w+))?(?!;)(?:[ (].*)?$", line):
                current = match.group(1)
                found.setdefault(current, set())
                if match.group(2):
                    bases[current] = match.group(2)
            elif match := re.match(r"typedef SWIFT_ENUM\w*\(NSInteger, (\w+)", line):
                current = match.group(1)
                found.setdefault(current, set())
            elif "SWIFT_UNAVAILABLE" in line:
                continue
            elif match := re.match(r"@property .*?(\w+);$", line):
                found[current].add(f"@ {match.group(1)}")
            elif match := re.match(r"  (\w+) .*= \d+,$", line):
                found[current].add(f"= {match.group(1)}")
            elif line[:1] in "+-" and line[1:3] == " (":
                found[current].add(f"{line[0]} {selector(line)}")
    for name in found:
        base = bases.get(name)
        while base:
            found[name] |= found.get(base, set())
            base = bases.get(base)
    return found


def selector(line):
    """Returns the selector of a declaration: its text without types."""
    text, depth = "", 0
    for letter in line[2:]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        text += letter if depth == 0 and letter != ")" else ""
    parts = re.findall(r"(\w+):", text)
    return "".join(part + ":" for part in parts) or re.match(r"\s*(\w+)", text).group(1)


def documented():
    current = None
    for line in DOCUMENTED.read_text().splitlines():
        if match := re.match(r"\[(\w+)\]", line):
            current = match.group(1)
        elif line and not line.startswith("#"):
            yield current, line


def missing_members(folder):
    """Returns how many members are documented, and those that the header does not have."""
    found, every = members(folder), list(documented())
    return len(every), [f"{name}: {member}" for name, member in every if member not in found.get(name, set())]


def wrong_stubs():
    """Returns what the stand-in for ContentCardsUI says and its sources don't."""
    text = "\n".join(file.read_text() for file in sorted((SOURCES / "ContentCardsUI").rglob("*.swift")))
    wrong = []
    for line in (APPLE / "sdk/ContentCardsUI.swift").read_text().splitlines():
        if match := re.match(r"@objcMembers open class (\w+):", line):
            if not re.search(rf"@objcMembers\n#endif\nopen class {match.group(1)}:", text):
                wrong.append(f"ContentCardsUI: {match.group(1)} isn't @objcMembers")
        elif match := re.match(r"    open (?:override )?(var|func) (\w+)", line):
            if not re.search(rf"open (?:override |lazy |weak )*{match.group(1)} {match.group(2)}\b", text):
                wrong.append(f"ContentCardsUI: there is no {match.group(1)} {match.group(2)}")
    return wrong


def wrong_constants():
    """Returns the constants that Objective-C does not get as Swift has them."""
    header = dict(re.findall(r'^ABK_CONSTANT (\w+) = @"(.*)";', CONSTANTS.read_text(), re.MULTILINE))
    swift = {}
    for name in ("ABKNotifications", "ABKOptionKeys"):
        text = (SOURCES / f"ContentCardsABK/Client/{name}.swift").read_text()
        swift |= dict(re.findall(r'^public let (\w+) = "(.*)"', text, re.MULTILINE))
        swift |= {
            f"{key}Notification": value
            for key, value in re.findall(r'static let (\w+) = NSNotification.Name\("(.*)"\)', text)
        }
    return [
        f"{name}: {header.get(name)} for Objective-C, {swift.get(name)} in Swift"
        for name in sorted(header.keys() | swift.keys())
        if header.get(name) != swift.get(name)
    ]


def compile_snippet(folder, file, *more):
    """Checks the syntax of a file with GNUstep's Foundation."""
    runtime = sorted(pathlib.Path("/usr/lib/gcc").glob("*/*/include/objc"))
    if not runtime or not pathlib.Path("/usr/include/GNUstep/Foundation/Foundation.h").exists():
        raise SystemExit("GNUstep's headers are missing: apt-get install libgnustep-base-dev")
    return run(
        "clang",
        "-fsyntax-only",
        "-fobjc-runtime=gnustep-1.9",
        "-fblocks",
        "-D__nullable=_Nullable",
        "-Wno-everything",
        "-Werror=objc-method-access",
        *more,
        "-I",
        file.parent,
        "-I",
        "/usr/include/GNUstep",
        "-idirafter",
        runtime[-1].parent,
        "-I",
        APPLE,
        "-I",
        folder,
        "-I",
        CONSTANTS.parent,
        file,
    )
