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
    return "".join(
        f'<span class="{name}">{html.escape(text, quote=False)}</span>' if name and text.strip() else html.escape(text, quote=False)
        for name, text in parts
    ).rstrip("\n")


def block(code, language="", copy="Copy"):
    """A block of code in its frame. It can be scrolled by the keyboard."""
    label = f' data-language="{html.escape(language)}"' if language else ""
    return (
        f'<div class="code"{label}><pre tabindex="0"><code>{highlighted(code.rstrip(chr(10)), language)}</code></pre>'
        f'<button class="copy" type="button" hidden>{copy}</button></div>\n'
    )
