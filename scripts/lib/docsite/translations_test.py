"""Tests of the checks of translations: each has to find what is planted, and nothing in what is right. usage:
translations_test.py; see scripts/check-docs."""

import pathlib
import tempfile

from docsite import catalog, checks, languages, translations
from docsite.cases import finish

ORIGINAL = """# Keys

Choose **Settings ▸ Create key**, see [limits](limits.md#size) and ![a key](images/key.png).

```sh
make demo
```

    make docs

- `placard key create`
- *Nothing known*

| a | b |
|---|---|
| c | d |

## Size

It is 5.
"""
TRANSLATION = """# キー

**設定 ▸ APIキーを作成**を開きます。[制限](../limits.md#size)と![キー](../images/ja/key.png)もご覧ください。

```sh
make demo
```

    make docs

- `placard key create`
- *何も*

| あ | い |
|---|---|
| う | え |

## サイズ

5です。
"""
LABELS = {"Settings": ["設定"], "Create key": ["APIキーを作成"]}
NAME, PLACE = "docs/ja/keys.md", "docs/ja/keys.md: キー"
# What is changed in the translation, and what has to be said of it.
PLANTED = [
    ("make demo", "make dmeo", f"{NAME}: has other blocks of code than its original"),
    ("    make docs", "    make dosc", f"{NAME}: has other blocks of code than its original"),
    ("## サイズ", "### サイズ", f"{NAME}: has other headings than its original"),
    ("`placard key create`", "キーの作成", f"{PLACE}: lacks placard key create, which its original has"),
    ("*何も*", "`何も`", f"{PLACE}: has 何も, which its original hasn't"),
    ("../limits.md#size", "../limits.md", f"{PLACE}: lacks docs/limits.md#1, which its original has"),
    ("key.png", "lock.png", f"{PLACE}: has other pictures than its original"),
    ("- *何も*\n", "", f"{PLACE}: has 1 list items, and its original 2"),
    ("| う | え |\n", "", f"{PLACE}: has 1 rows of tables, and its original 2"),
    ("APIキーを作成", "キーを作る", f"{PLACE}: doesn't name “Create key” as the dashboard does: APIキーを作成"),
    (
        "5です。",
        "It is five, and nothing else than five, whoever asks for it.",
        "docs/ja/keys.md: サイズ: has a text in English: It is five, and nothing else than five, whoever asks for it.",
    ),
    ("5です。", "5です.", "docs/ja/keys.md: サイズ: has punctuation or a space of another language: 5です."),
    (
        "5です。",
        "5です はい。",
        "docs/ja/keys.md: サイズ: has punctuation or a space of another language: 5です はい。",
    ),
    (
        "**設定 ▸ APIキーを作成**を",
        "**「設定 ▸ APIキーを作成」**を",
        (
            f"{PLACE}: has asterisks that nothing closes, since punctuation stands beside them: **「設定 ▸"
            " APIキーを作成」**を開きます。"
        ),
    ),
]


class Folder:
    """A repository with one translation."""

    def __init__(self, text, original=ORIGINAL, more=()):
        self.text, self.original, self.more = text, original, more

    def findings(self, check):
        with tempfile.TemporaryDirectory() as work:
            root = pathlib.Path(work)
            files = {
                "docs/keys.md": self.original,
                "docs/limits.md": "# Limits\n\n## Size\n",
                NAME: self.text,
                **dict(self.more),
            }
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            findings = checks.Findings()
            check(root, findings)
            return findings.lines


def content(text):
    return Folder(text).findings(
        lambda root, findings: translations.check_content(root, NAME, text, "docs/keys.md", ORIGINAL, LABELS, findings)
    )


def stamp(text, original=ORIGINAL):
    return Folder(text).findings(
        lambda root, findings: translations.check_stamp(NAME, text, "docs/keys.md", original.encode(), findings)
    )


def links(text, more):
    return Folder(text, more=more).findings(lambda root, findings: translations.check_links(root, NAME, text, findings))


def cases():
    yield content(TRANSLATION), []
    for old, new, expected in PLANTED:
        assert old in TRANSLATION, f"nothing to plant: {old}"
        yield expected in content(TRANSLATION.replace(old, new)), True
    stamped = translations.stamped(TRANSLATION, "docs/keys.md", ORIGINAL.encode())
    yield stamped.splitlines()[0], "<!-- translation of docs/keys.md at bdfd9056c7d4 -->"
    yield translations.stamped(stamped, "docs/keys.md", ORIGINAL.encode()), stamped
    yield stamp(stamped), []
    yield content(stamped), []
    yield len(stamp(TRANSLATION)), 1
    yield len(stamp(stamped, ORIGINAL.replace("5", "6"))), 1
    yield len(stamp(stamped.replace("docs/keys.md at", "docs/limits.md at"))), 1
    yield links(TRANSLATION, {}), []
    yield (
        links(TRANSLATION, {"docs/ja/limits.md": ""}),
        [f"{NAME}: leads to docs/limits.md, of which there is docs/ja/limits.md"],
    )
    yield languages.path_of("docs/keys.md", "ja"), NAME
    yield languages.path_of("README.md", "ja"), "README.ja.md"
    yield (
        [languages.original_of(name) for name in (NAME, "README.ja.md", "docs/keys.md")],
        [("docs/keys.md", "ja"), ("README.md", "ja"), ("docs/keys.md", "en")],
    )
    yield catalog.Texts("ja")("Table {1}", 3), "表3"
    yield {"Copy", "On this page", "Nothing found for “{1}”."} <= catalog.wanted(), True


finish(cases())
