"""Tests of the checks: each has to find what is planted, and nothing in what is right. usage: check_test.py; see
scripts/check-docs."""

import pathlib
import tempfile

from docsite import checks, markdown, search, site_checks
from docsite.cases import finish

HELP = {
    "command": {
        "commandName": "placard",
        "subcommands": [
            {
                "commandName": "key",
                "aliases": ["keys"],
                "subcommands": [
                    {
                        "commandName": "create",
                        "arguments": [
                            {
                                "kind": "option",
                                "names": [{"kind": "long", "name": "name"}, {"kind": "short", "name": "n"}],
                            }
                        ],
                    }
                ],
            },
            {
                "commandName": "migrate",
                "arguments": [{"kind": "option", "names": [{"kind": "long", "name": "database"}]}],
            },
        ],
    }
}
GOOD = {
    "index.html": (
        '<nav><a href="a.html">A</a></nav><h1 id="top">Home</h1><a href="#top">up</a><a href="b/c.html#deep">deep</a>'
    ),
    "a.html": '<nav><a href="b/c.html">C</a></nav><h1>A</h1><h2>Part</h2><img src="p.png" alt="">',
    "b/c.html": (
        '<nav><a href="../index.html">Home</a></nav><h1>C</h1><h2 id="deep">Deep</h2><a'
        ' href="https://example.com/">out</a>'
    ),
    "p.png": "",
    "assets/search-index.en.js": (
        '(window.searchIndex??={}).en={"pages":[["index.html"],["a.html"],["b/c.html"]],"places":[[2,"deep","",""]],"words":""};\n'
    ),
}
# What is changed in the good site, and what has to be said of it.
PLANTED = [
    ({"a.html": ('src="p.png"', 'src="q.png"')}, "a.html: loads q.png, which is not there"),
    ({"index.html": ('href="b/c.html#deep"', 'href="b/d.html"')}, "index.html: leads to b/d.html, which is not there"),
    ({"index.html": ("#deep", "#depp")}, "index.html: leads to b/c.html#depp, and b/c.html has no such place"),
    (
        {"index.html": ('href="#top"', 'href="#bottom"')},
        "index.html: leads to #bottom, and index.html has no such place",
    ),
    (
        {"a.html": ('<nav><a href="b/c.html">C</a></nav>', '<a href="b/c.html">C</a>')},
        "b/c.html: can't be reached by the navigation",
    ),
    ({"a.html": ('alt=""', "")}, "a.html: has an image without alternative text: p.png"),
    (
        {"a.html": ('src="p.png"', 'src="https://example.com/p.png"')},
        "a.html: loads https://example.com/p.png from another place",
    ),
    ({"a.html": ("<h2>Part</h2>", "<h3>Part</h3>")}, "a.html: has a heading of level 3 below one of level 1"),
    ({"a.html": ("<h2>Part</h2>", "<h1>Part</h1>")}, "a.html: has 2 headings of the first level"),
    ({"a.html": ("<h2>Part</h2>", '<h2 id="x">Part</h2><p id="x">')}, "a.html: has two places named x"),
    (
        {"assets/search-index.en.js": ("deep", "depp")},
        "search-index.en.js: leads to b/c.html#depp, and b/c.html has no such place",
    ),
    (
        {"assets/search-index.en.js": (',["b/c.html"]],"places":[[2', '],"places":[[1')},
        "b/c.html: is not in the search",
    ),
]
COMMANDS = [
    ("placard migrate --database sqlite:x", None),
    ("PLACARD_KEY=a placard keys create -n b | head -n 3", None),
    ("./placard migrate --databse x", "“placard migrate” has no --databse"),
    ("placard keys create --nmae x", "“placard keys create” has no --nmae"),
    ("placard imgrate", "there is no command “placard imgrate”"),
    ("placard key made --name x", "there is no command “placard key made”"),
    ("echo placard nothing", None),
    ("make demo", None),
    ("make dmeo", "the Makefile has no dmeo"),
    ("scripts/nothing-here --all", "there is no scripts/nothing-here"),
]


def site_findings(files):
    with tempfile.TemporaryDirectory() as work:
        for name, text in files.items():
            path = pathlib.Path(work, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        findings = checks.Findings()
        site_checks.check_site(pathlib.Path(work), findings)
        return findings.lines


def command_findings(line):
    findings = checks.Findings()
    checks.check_commands(
        pathlib.Path("/nowhere"), "x.md", f"```sh\n{line}\n```\n", checks.Commands(HELP, "demo: ## A.\n"), findings
    )
    return findings.lines


def markdown_findings(text):
    findings = checks.Findings()
    checks.check_markdown("x.md", text, findings)
    return findings.lines


def navigation_findings(sources, first=None):
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work)
        (root / "docs").mkdir()
        for name in ("a.md", "b.md"):
            (root / "docs" / name).write_text(f"# {name}\n", encoding="utf-8")
        if first is not None:
            (root / "docs/README.md").write_text(first, encoding="utf-8")
        findings = checks.Findings()
        checks.check_navigation(root, sources, findings)
        return findings.lines


def picture_findings(texts):
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work)
        for name in ("docs/images/dashboard/a.png", "docs/images/dashboard/ja/a.png", *texts):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(texts.get(name, ""), encoding="utf-8")
        findings = checks.Findings()
        checks.check_pictures(root, list(texts), findings)
        return findings.lines


def error_findings(text):
    source = (
        'throw RequestError(\n    .conflict,\n    "in_use",\n    "It is used.")\nself.init(.notFound, "not_found",'
        ' "No.")'
    )
    findings = checks.Findings()
    checks.check_errors([source], 'case fieldMissing = "field_missing"', text, findings)
    return findings.lines


def rendered(text):
    return markdown.Renderer("docs/a.md", "a.html", {"docs/b.md"}.__contains__, {"Makefile"}.__contains__, {}).page(
        text
    )


def cases():
    yield site_findings(GOOD), []
    for changes, expected in PLANTED:
        changed = dict(GOOD)
        for name, (old, new) in changes.items():
            assert old in changed[name], f"nothing to plant: {old}"
            changed[name] = changed[name].replace(old, new)
        yield expected in site_findings(changed), True
    for line, expected in COMMANDS:
        found = command_findings(line)
        yield (len(found) == 1 and f"x.md: {expected}" in found[0]) if expected else found == [], True
    yield markdown_findings("a\n\n| b | c |\n|---|---|\n| d | e |\n"), []
    yield (
        markdown_findings("a\n\n| b | c |\n| d | e |\n"),
        ["x.md:3: a table without a heading, which is shown as text"],
    )
    yield markdown_findings("```sh\n| b |\n```\n"), []
    yield markdown_findings("```sh\n"), ["x.md: a block of code that never ends"]
    yield markdown_findings("![ ](a.png)\n"), ["x.md:1: an image without alternative text"]
    yield markdown_findings("```\n![](a.png)\n```\n\n![A](a.png)\n"), []
    pictures = {"docs/a.md": "![A](images/dashboard/a.png)", "docs/ja/a.md": "![あ](../images/dashboard/ja/a.png)"}
    yield picture_findings(pictures), []
    unshown = "is shown with an alternative text by no guide of its language"
    yield (
        picture_findings({**pictures, "docs/a.md": "![](images/dashboard/a.png)"}),
        [f"docs/images/dashboard/a.png: {unshown}"],
    )
    yield (
        picture_findings({"docs/a.md": pictures["docs/a.md"] + "\n![A](images/dashboard/ja/a.png)"}),
        [f"docs/images/dashboard/ja/a.png: {unshown}"],
    )
    yield navigation_findings(["docs/a.md", "docs/b.md"]), []
    yield (
        navigation_findings(["docs/a.md"]),
        ["docs/b.md: is not in the site: give it a place in scripts/lib/docsite/navigation.py"],
    )
    yield len(navigation_findings(["docs/a.md", "docs/b.md", "docs/b.md", "docs/c.md"])), 2
    everything = ["docs/README.md", "docs/a.md", "docs/b.md"]
    yield navigation_findings(everything, "[A](a.md) [B](b.md#part)"), []
    yield navigation_findings(everything, "[A](a.md)"), ["docs/README.md: doesn't lead to b.md"]
    yield (
        navigation_findings([*everything, "docs/ja/a.md"], "[A](a.md) [B](b.md#part)"),
        ["scripts/lib/docsite/navigation.py: there is no docs/ja/a.md"],
    )
    errors = "| 400 | `field_missing` | a |\n| 404 | `not_found` | b |\n"
    yield error_findings(errors + "| 409 | `in_use` | c |\n"), []
    yield error_findings(errors), ["docs/errors.md: the server refuses with in_use, which isn't there"]
    yield error_findings(errors + "| 404 | `in_use` | c |\n"), ["docs/errors.md: in_use has the status 409, not 404"]
    yield (
        error_findings(errors + "| 409 | `in_use` | c |\n| 400 | `made_up` | d |\n"),
        ["docs/errors.md: made_up is in no source of the server"],
    )
    yield 'href="b.html#part"' in rendered("[B](b.md#part)"), True
    yield 'href="files/Makefile"' in rendered("[M](../Makefile)"), True
    yield 'href="../Makefiel"' in rendered("[M](../Makefiel)"), True
    yield 'id="a-name-of-two"' in rendered("## A name, of `two`"), True
    yield "日本語" in rendered("# A\n\n[日本語](ja/a.md)\n\nText\n"), False
    yield 'id="part-1"' in rendered("## Part\n\n## Part"), True
    yield "<script>" in rendered("<script>alert(1)</script>"), False
    yield (
        search.words("The logImpression(_:) isn’t café"),
        {"logimpression", "log", "impression", "isn't", "isn", "cafe"},
    )
    yield (
        search.words("ガードと2段階認証の SDK"),
        {"sdk", "ガー", "ード", "ドと", "と", "段階", "階認", "認証", "証の", "の"},
    )
    yield search.words("カード") & search.words("ガード"), {"ード", "ド"}
    yield search.summary("カードの配信を一時停止する方法を説明します。" * 9).endswith("…"), True
    yield [search.digits(number) for number in (0, 35, 36, 1295)], ["0", "z", "10", "zz"]


finish(cases())
