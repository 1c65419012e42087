"""What has to hold of the documentation: of its Markdown before the site is made, and of the site itself."""

import posixpath
import re
import shlex
import sys

from markdown_it import MarkdownIt

from .languages import LANGUAGES, original_of


class Findings:
    """What is wrong, as lines for the person who fixes it."""

    def __init__(self):
        self.lines = []

    def add(self, place, text):
        self.lines.append(f"{place}: {text}")

    def end(self):
        """Ends the process where something is wrong."""
        if self.lines:
            print("\n".join(f"!! {line}" for line in self.lines))
            sys.exit(1)


# Markdown.


def check_navigation(root, sources, findings):
    """Every file of docs/ is in the site once, every entry of the navigation is there, and the first page leads to
    each."""
    for source in sources:
        if not (root / source).is_file():
            findings.add("scripts/lib/docsite/navigation.py", f"there is no {source}")
    for source in {source for source in sources if sources.count(source) > 1}:
        findings.add("scripts/lib/docsite/navigation.py", f"{source} stands twice")
    for path in sorted((root / "docs").rglob("*.md")):
        name = path.relative_to(root).as_posix()
        if name not in sources:
            findings.add(name, "is not in the site: give it a place in scripts/lib/docsite/navigation.py")
    for language in ("en", *LANGUAGES):
        check_first_page(
            root,
            "docs" if language == "en" else f"docs/{language}",
            [source for source in sources if original_of(source)[1] == language],
            findings,
        )


def check_first_page(root, folder, sources, findings):
    """The first page of a language leads to every other one that is in its folder."""
    first = root / folder / "README.md"
    if not first.is_file():
        return
    listed = set(re.findall(r"\]\(([^)#]+)", first.read_text(encoding="utf-8")))
    for source in sources:
        name = source.removeprefix(f"{folder}/")
        if (
            source.startswith(f"{folder}/")
            and name != "README.md"
            and not re.match(r"decisions/\d", name)
            and name not in listed
        ):
            findings.add(f"{folder}/README.md", f"doesn't lead to {name}")


def check_markdown(name, text, findings):
    """What Markdown would show otherwise than it was meant."""
    lines, in_code, previous = text.splitlines(), False, ""
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        following = lines[number] if number < len(lines) else ""
        if (
            not in_code
            and line.startswith("|")
            and not previous.startswith("|")
            and not re.match(r"^\|[\s:|-]+\|$", following)
        ):
            findings.add(f"{name}:{number}", "a table without a heading, which is shown as text")
        if not in_code and re.search(r"!\[\s*\]\(", line):
            findings.add(f"{name}:{number}", "an image without alternative text")
        previous = line
    if in_code:
        findings.add(name, "a block of code that never ends")


def check_pictures(root, sources, findings):
    """Every picture of the dashboard is shown in a text of its language, which says what is on it."""
    shown = set()
    for source in sources:
        text = (root / source).read_text(encoding="utf-8")
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+\.png)\)", text):
            shown.add((original_of(source)[1], posixpath.normpath(posixpath.join(posixpath.dirname(source), target))))
    folder = root / "docs/images/dashboard"
    for path in sorted(folder.rglob("*.png")):
        language = "en" if path.parent == folder else path.parent.name
        name = path.relative_to(root).as_posix()
        if (language, name) not in shown:
            findings.add(name, "is shown with an alternative text by no guide of its language")


# Commands.


class Commands:
    """The command and its options, as it says itself; and the targets of the Makefile."""

    def __init__(self, dump, makefile):
        self.root = dump["command"]
        self.targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))

    def find(self, words):
        """The command that the words call, and the words behind it."""
        command, rest = self.root, list(words)
        while rest:
            below = [
                part
                for part in command.get("subcommands", [])
                if rest[0] in (part["commandName"], *part.get("aliases", []))
            ]
            if not below:
                break
            command, rest = below[0], rest[1:]
        return command, rest

    def complaint(self, words):
        """What is wrong with the words behind `placard`, or None."""
        command, rest = self.find(words)
        needs_subcommand = command.get("subcommands") and not command.get("defaultSubcommand")
        if needs_subcommand and rest and not rest[0].startswith("-"):
            return f"there is no command “placard {' '.join(words[: len(words) - len(rest) + 1])}”"
        known = {
            ("--" if name["kind"] == "long" else "-") + name["name"]: argument
            for argument in command.get("arguments", [])
            for name in argument.get("names", [])
        }
        for word in rest:
            flag = word.partition("=")[0]
            if flag.startswith("-") and len(flag) > 1 and not re.match(r"^-\d", flag) and flag not in known:
                return f"“placard {' '.join(words[: len(words) - len(rest)])}” has no {flag}"
        return None


def command_lines(text):
    """The commands of a block of code, with what a prompt or an environment puts before them left out."""
    joined = re.sub(r"\\\n\s*", " ", text)
    for line in joined.splitlines():
        line = line.strip().removeprefix("$ ")
        for part in re.split(r"(?:&&|\|\||;|\|)(?=(?:[^\"']*[\"'][^\"']*[\"'])*[^\"']*$)", line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                continue
            while words and re.match(r"^[A-Z_]+=", words[0]):
                words.pop(0)
            if words[:1] == ["sudo"]:
                words = words[3:] if words[1:2] == ["-u"] else words[1:]
            yield words


def cut(words):
    """The words before a redirection."""
    for place, word in enumerate(words):
        if re.match(r"^\d?[<>]", word):
            return words[:place]
    return words


def code_of(text):
    """What a text has of code that may be commands: blocks of no other language, and what stands in a line."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "code_block" or token.type == "fence" and token.info.strip() in ("", "sh", "console", "bash"):
            yield token.content
        for part in token.children or []:
            if part.type == "code_inline" and part.content.startswith(("placard ", "make ")):
                yield part.content


def check_commands(root, name, text, commands, findings):
    """Commands in code, as blocks and within lines, exist with their options. Returns how many were looked at."""
    count = 0
    code = list(code_of(text))
    for block in code:
        for words in command_lines(block):
            words = cut(words)
            if not words:
                continue
            if words[0].rpartition("/")[2] == "placard" and "=" not in words[0] and len(words) > 1:
                count += 1
                if complaint := commands.complaint([word for word in words[1:] if word not in ("…", "...")]):
                    findings.add(name, f"{complaint}: {' '.join(words)}")
            elif words[0] == "make" and len(words) > 1 and "-C" not in words:
                count += 1
                if words[1] not in commands.targets:
                    findings.add(name, f"the Makefile has no {words[1]}: {' '.join(words)}")
            elif words[0].startswith(("scripts/", "Benchmarks/", ".ci/")):
                count += 1
                if not (root / words[0]).exists():
                    findings.add(name, f"there is no {words[0]}")
    return count


# Errors.

REFUSAL = re.compile(r'(?:(?:RequestError|self\.init|\.init)\(\s*(?:\.(\w+)|status),|\.fatal\()\s*"([a-z_]+)",')
MODEL_CODE = re.compile(r'case \w+ = "([a-z_]+)"')
STATUSES = {
    "badRequest": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "notFound": 404,
    "methodNotAllowed": 405,
    "requestTimeout": 408,
    "conflict": 409,
    "gone": 410,
    "preconditionFailed": 412,
    "contentTooLarge": 413,
    "uriTooLong": 414,
    "unsupportedMediaType": 415,
    "expectationFailed": 417,
    "unprocessableContent": 422,
    "tooManyRequests": 429,
    "requestHeaderFieldsTooLarge": 431,
    "internalServerError": 500,
    "serviceUnavailable": 503,
    "insufficientStorage": 507,
}
# What only pages of the dashboard answer.
PAGES_ONLY = {"not_shown"}


def check_errors(sources, model, text, findings):
    """Every code that the sources refuse with is documented with a status that it has, and no other."""
    known = {}
    for source in sources:
        for status, code in REFUSAL.findall(source):
            known.setdefault(code, set()).add(STATUSES.get(status, 400))
    for code in MODEL_CODE.findall(model):
        known.setdefault(code, {400, 409})
    documented = [
        (code, int(status)) for status, code in re.findall(r"^\| (\d{3}) \| `([a-z_]+)` \|", text, re.MULTILINE)
    ]
    for code in sorted(set(known) - {code for code, _ in documented} - PAGES_ONLY):
        findings.add("docs/errors.md", f"the server refuses with {code}, which isn't there")
    for code, status in documented:
        if code not in known:
            findings.add("docs/errors.md", f"{code} is in no source of the server")
        elif status not in known[code]:
            findings.add("docs/errors.md", f"{code} has the status {min(known[code])}, not {status}")


# The site.
