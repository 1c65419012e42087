"""Code blocks: highlighted when the site is made, with a button to copy them."""

import html

from pygments import lex
from pygments.lexers import get_lexer_by_name
from pygments.token import Token
from pygments.util import ClassNotFound

# Kinds of tokens and the classes of the style sheet; a kind below another has that one's unless it is named.
CLASSES = [
    (Token.Comment, "c"),
    (Token.Keyword, "k"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "n"),
    (Token.Name.Tag, "t"),
    (Token.Name.Attribute, "t"),
    (Token.Name.Builtin, "b"),
    (Token.Name.Variable, "v"),
    (Token.Name.Decorator, "k"),
    (Token.Operator.Word, "k"),
]
LANGUAGES = {"sh": "bash", "console": "console", "": "text", "ini": "ini"}


def name_of(kind):
    for parent, name in CLASSES:
        if kind in parent:
            return name
    return ""


def highlighted(code, language):
    """The code as HTML, with a span around what has a colour of its own."""
    try:
        lexer = get_lexer_by_name(LANGUAGES.get(language, language), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return html.escape(code, quote=False)
    parts, last = [], None
    # Some lexers know a comment by the line's end.
    for kind, text in lex(code + "\n", lexer):
        name = name_of(kind)
        if name == last and parts:
            parts[-1][1] += text
        else:
            parts.append([name, text])
        last = name
    return "".join(coloured(name, text) for name, text in parts).rstrip("\n")


def coloured(name, text):
    """A text in a span for each of its lines."""
    lines = (html.escape(line, quote=False) for line in text.split("\n"))
    return "\n".join(f'<span class="{name}">{line}</span>' if name and line.strip() else line for line in lines)


def block(code, language="", copy="Copy", new_lines=()):
    """A block of code in its frame. It can be scrolled by the keyboard. Lines that are new, counted from 1, stand
    out."""
    label = f' data-language="{html.escape(language)}"' if language else ""
    lines = highlighted(code.rstrip("\n"), language).split("\n")
    shown = "\n".join(
        f'<span class="new">{line}</span>' if number in new_lines else line for number, line in enumerate(lines, 1)
    )
    return (
        f'<div class="code"{label}><pre tabindex="0"><code>{shown}</code></pre>'
        f'<button class="copy" type="button" hidden>{copy}</button></div>\n'
    )
