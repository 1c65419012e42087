"""The reference of the command, from what it says of itself, in each language that its help has."""

import html
import json
import pathlib
import re

from . import code
from .catalog import Texts
from .page import Heading, Page
from .sdk import titled

# What every command has; said once, at the top.
COMMON = {"help", "version"}
CATALOGS = pathlib.Path(__file__).resolve().parents[3] / "Server/Sources/CommandHelp/Assets"


class Language:
    """What the help and the page say in a language."""

    def __init__(self, language):
        self.language, self.say = language, Texts(language)
        path = CATALOGS / f"{language}.json"
        self.help = json.loads(path.read_text(encoding="utf-8"))["texts"] if path.exists() else {}

    def text(self, english):
        """A text of the help: an abstract, or a paragraph."""
        return self.help.get(english, english)


def cell(text):
    """A text as HTML, with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def walk(command, path=()):
    """Every command that is shown in the help, with the words that call it."""
    path = (*path, command["commandName"])
    yield path, command
    for below in command.get("subcommands", []):
        if below.get("shouldDisplay", True) and below["commandName"] != "help":
            yield from walk(below, path)


def spelled(argument):
    """How an argument is written."""
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        return f"&lt;{value}&gt;" + ("…" if argument.get("isRepeating") else "")
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
    names.sort(key=len)
    return ", ".join(names) + (f" &lt;{value}&gt;" if argument["kind"] == "option" else "")


def row(argument, language):
    say = language.say
    parts = [
        cell(language.text(argument[name]))
        for name in ("abstract", "discussion")
        if isinstance(argument.get(name), str)
    ]
    if argument.get("defaultValue") and "default" not in str(argument.get("abstract")):
        parts.append(say("Default: {1}.", f"<code>{cell(argument['defaultValue'])}</code>"))
    if argument.get("allValues"):
        parts.append(say("One of {1}.", ", ".join(f"<code>{cell(value)}</code>" for value in argument["allValues"])))
    need = (
        ""
        if argument.get("isOptional") or argument["kind"] == "flag"
        else f' <span class="required">{say("required")}</span>'
    )
    return f"<dt><code>{spelled(argument)}</code>{need}</dt><dd>{' '.join(parts)}</dd>"


def own(command):
    return [
        argument
        for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True) and argument.get("valueName") not in COMMON
    ]


def part(path, command, headings, language):
    title = " ".join(path)
    anchor = "-".join(path)
    level = min(len(path), 3)
    arguments, abstract = own(command), language.text(command.get("abstract", ""))
    made = [titled(level, anchor, f"<code>{html.escape(title)}</code>", title), f"<p>{cell(abstract)}</p>"]
    if isinstance(command.get("discussion"), str):
        made.append(discussion(command["discussion"], language))
    rows = [row(argument, language) for argument in arguments]
    if rows:
        made.append(f'<dl class="fields">{"".join(rows)}</dl>')
    words = [abstract, *(re.sub(r"<[^>]+>|&\w+;", " ", row) for row in rows)]
    headings.append(Heading(level, anchor, title, " ".join(words)))
    return f'<section class="operation">{"".join(made)}</section>\n'


def discussion(text, language):
    """The longer text of a command: paragraphs, and examples where lines are indented or begin with the command."""
    made = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = language.text(block).splitlines()
        if all(line.startswith(("placard ", "  ", "$ ")) for line in lines):
            made.append(
                code.block("\n".join(line.strip() if line.startswith("placard") else line for line in lines), "sh")
            )
        else:
            made.append(f"<p>{cell(' '.join(line.strip() for line in lines))}</p>")
    return "".join(made)


def page(dump, language):
    """The page of the command and all of its subcommands, in a language."""
    language = Language(language)
    root, say, is_english = dump["command"], language.say, language.language == "en"
    title, abstract = say("The placard command"), language.text(root.get("abstract", ""))
    headings = [Heading(1, "", title, abstract)]
    parts = [
        f"<h1>{title.replace('placard', '<code>placard</code>')}</h1>\n",
        f'<p class="abstract">{cell(abstract)}</p>\n',
    ]
    if isinstance(root.get("discussion"), str):
        parts.append(discussion(root["discussion"], language))
    parts.append(f"<p>{say('Every command has {1} and {2}.', '<code>--help</code>', '<code>--version</code>')}</p>\n")
    for path, command in walk(root):
        if len(path) > 1:
            parts.append(part(path, command, headings, language))
    address = "commands.html" if is_english else f"{language.language}/commands.html"
    return Page(
        address,
        title,
        "".join(parts),
        headings,
        kind="Command",
        language=language.language,
        original="" if is_english else "commands.html",
    )
