"""The reference of the command, from what it says of itself."""

import html
import re

from . import code
from .page import Heading, Page
from .sdk import titled

# What every command has; said once, at the top.
COMMON = {"help", "version"}


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


def row(argument):
    parts = [cell(argument[name]) for name in ("abstract", "discussion") if isinstance(argument.get(name), str)]
    if argument.get("defaultValue") and "default" not in " ".join(parts):
        parts.append(f"Default: <code>{cell(argument['defaultValue'])}</code>.")
    if argument.get("allValues"):
        parts.append("One of " + ", ".join(f"<code>{cell(value)}</code>" for value in argument["allValues"]) + ".")
    need = "" if argument.get("isOptional") or argument["kind"] == "flag" else ' <span class="required">required</span>'
    return f"<dt><code>{spelled(argument)}</code>{need}</dt><dd>{' '.join(parts)}</dd>"


def own(command):
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True) and argument.get("valueName") not in COMMON]


def part(path, command, headings):
    title = " ".join(path)
    anchor = "-".join(path)
    level = min(len(path), 3)
    arguments = own(command)
    made = [titled(level, anchor, f"<code>{html.escape(title)}</code>", title), f"<p>{cell(command.get('abstract', ''))}</p>"]
    if isinstance(command.get("discussion"), str):
        made.append(discussion(command["discussion"]))
    if arguments:
        made.append(f'<dl class="fields">{"".join(row(argument) for argument in arguments)}</dl>')
    words = [command.get("abstract", ""), *(re.sub(r"<[^>]+>|&\w+;", " ", row(argument)) for argument in arguments)]
    headings.append(Heading(level, anchor, title, " ".join(words)))
    return f'<section class="operation">{"".join(made)}</section>\n'


def discussion(text):
    """The longer text of a command: paragraphs, and examples where lines are indented or begin with the command."""
    made = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        if all(line.startswith(("placard ", "  ", "$ ")) for line in lines):
            made.append(code.block("\n".join(line.strip() if line.startswith("placard") else line for line in lines), "sh"))
        else:
            made.append(f"<p>{cell(' '.join(line.strip() for line in lines))}</p>")
    return "".join(made)


def page(dump):
    """The page of the command and all of its subcommands."""
    root = dump["command"]
    headings = [Heading(1, "", "The placard command", root.get("abstract", ""))]
    parts = ["<h1>The <code>placard</code> command</h1>\n", f"<p class=\"abstract\">{cell(root.get('abstract', ''))}</p>\n"]
    if isinstance(root.get("discussion"), str):
        parts.append(discussion(root["discussion"]))
    parts.append("<p>Every command has <code>--help</code> and <code>--version</code>.</p>\n")
    for path, command in walk(root):
        if len(path) > 1:
            parts.append(part(path, command, headings))
    return Page("commands.html", "The placard command", "".join(parts), headings, kind="Command")
