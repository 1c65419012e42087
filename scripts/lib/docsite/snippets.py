"""Type-checks the Swift of the guides against the compiled SDK. usage: snippets.py MODULES; see scripts/check-docs.

A comment `<!-- given: … -->` before or behind a block of Swift declares what the block takes as given; `client` is always there. A block after a comment
`<!-- not compiled: REASON -->` is left out, and counted.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDES = ["README.md", "docs/quick-start.md", "docs/app-guide.md", "docs/use-cases.md", "docs/documented-names.md",
          *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "Sources").glob("*/*.docc/*.md"))]
BLOCK = re.compile(r"((?:<!-- (?:given|not compiled): .*? -->\n)*)```swift\n(.*?)```\n((?:\n<!-- given: .*? -->\n(?!```))*)", re.DOTALL)
MODULES = {"UIKit": "BrowserUIKit", "WebKit": "BrowserUIKit"}
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
    return (f"{head}\n@MainActor func snippet{number}(client: ContentCardsClient) async throws {{\n" + "\n".join(declarations)
            + f'\n#sourceLocation(file: "{file}", line: {line})\ndo {{ {inside}\n}}\n#sourceLocation()\n}}\n')


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
        done = subprocess.run(["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-I", modules, *files], capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    print("\n".join(f"!! {line}" for line in errors))
    if done.returncode != 0 or not programs:
        print(done.stderr if not errors else "")
        sys.exit("Snippets of the guides don't compile.")
    print(f"{len(programs)} snippets of the guides compile, and {left_out} are not for this platform.")


main()
