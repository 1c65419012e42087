"""Type-checks the Swift of the guides against the compiled SDK. usage: snippets.py MODULES; see scripts/check-docs.

A comment `<!-- given: … -->` before or behind a block of Swift declares what the block takes as given; `client` is
always there. A block after a comment `<!-- not compiled: REASON -->` is left out, and counted.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDES = [
    "README.md",
    "docs/quick-start.md",
    "docs/app-guide.md",
    "docs/use-cases.md",
    "docs/documented-names.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "Sources").glob("*/*.docc/*.md")),
]
BLOCK = re.compile(
    r"((?:<!-- (?:given|not compiled): .*? -->\n)*)```swift\n(.*?)```\n((?:\n<!-- given: .*? -->\n(?!```))*)", re.DOTALL
)
MODULES = {"UIKit": "BrowserUIKit", "WebKit": "BrowserUIKit"}
VERSIONS = ["5", "6"]
SAID = re.compile(r"\S+:\d+:\d+: (error|warning): ")
# A block ends where it has shown what it shows.
UNUSED = re.compile("was never (used|mutated|written to)|never read|is unused|will never be executed")
ALWAYS = ["ContentCards", "ContentCardsUI", "Foundation"]


def snippets(text):
    """The blocks of Swift with the line that each begins at, what is given, and whether it is left out."""
    for match in BLOCK.finditer(text):
        given = re.findall(r"<!-- given: (.*?) -->", match[1] + match[3], re.DOTALL)
        yield text.count("\n", 0, match.start(2)) + 1, match[2], given, "<!-- not compiled: " in match[1]


def split(lines):
    """The modules that lines import, and the other lines."""
    imports, rest = [], []
    for line in lines:
        if match := re.match(r"^import (\w+)$", line.strip()):
            imports.append(match[1])
            rest.append("")
        else:
            rest.append(line)
    return imports, rest


def program(number, line, file, code, given):
    """A function whose body is the block, so that what it declares meets nothing else."""
    imports, body = split(code.splitlines())
    more, declarations = split(given)
    modules = dict.fromkeys(MODULES.get(name, name) for name in [*ALWAYS, *more, *imports])
    head = "\n".join(f"import {name}" for name in modules)
    inside = "\n".join(body)
    return (
        f"{head}\n@MainActor func snippet{number}(client: ContentCardsClient) async throws {{\n"
        + "\n".join(declarations)
        + f'\n#sourceLocation(file: "{file}", line: {line})\ndo {{ {inside}\n}}\n#sourceLocation()\n}}\n'
    )


def said_of(version, modules, files):
    """The errors and warnings of all blocks in a language mode that an app can have."""
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", version, "-parse-as-library", "-I", modules, *files],
        capture_output=True,
        text=True,
    )
    found = [line for line in done.stderr.splitlines() if SAID.match(line) and not UNUSED.search(line)]
    return found or ([done.stderr] if done.returncode else [])


def main():
    modules, left_out, programs = sys.argv[1], 0, []
    for guide in GUIDES:
        path = ROOT / guide
        if not path.exists():
            continue
        for line, code, given, is_left_out in snippets(path.read_text(encoding="utf-8")):
            if is_left_out:
                left_out += 1
            else:
                programs.append(program(len(programs), line, guide, code, given))
    with tempfile.TemporaryDirectory() as work:
        files = []
        for number, text in enumerate(programs):
            files.append(f"{work}/snippet{number}.swift")
            pathlib.Path(files[-1]).write_text(text, encoding="utf-8")
        found = {version: said_of(version, modules, files) for version in VERSIONS}
    for version, said in found.items():
        print("".join(f"!! Swift {version}: {line}\n" for line in said), end="")
    if any(found.values()) or not programs:
        sys.exit("Snippets of the guides don't compile without warnings.")
    print(f"{len(programs)} snippets of the guides compile, and {left_out} are not for this platform.")


main()
