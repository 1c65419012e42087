"""Makes the documentation site.

usage: python -m docsite TARGET [--placard PATH] [--docc FOLDER]
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import placard_server  # noqa: E402
from docsite import commands, languages, layout, markdown, navigation, requests, rest, sdk, search  # noqa: E402
from docsite.checks import Findings, check_navigation  # noqa: E402

ASSETS = pathlib.Path(__file__).parent / "assets"
# The parts of site.css, in their order: a later rule wins over one before it.
SHEETS = [
    "tokens",
    "ground",
    "header",
    "search",
    "columns",
    "text",
    "code",
    "tables",
    "references",
    "first-page",
    "below",
    "small-windows",
]
ICON = ROOT / "Server/Sources/Dashboard/Assets/icon.svg"
VERSION = ROOT / "Server/Sources/CardServer/BuildInformation.swift"
GUIDES = ["docs/quick-start.md", "docs/use-cases.md"]
ROUTE = re.compile(r"^\| `(\w+) (\S+)` \|.*\| (\S*) \|$", re.MULTILINE)


def markdown_pages(files):
    names = navigation.sources(ROOT)
    made = [markdown.page(ROOT, name, set(names).__contains__, files) for name in names]
    for page in made:
        if page.kind == "Decision":
            page.label = re.sub(r"^(\d+)\.", lambda match: match[1].zfill(4), page.title)
    return made


def apply_campaigns(placard, server):
    """Applies and launches every campaign that a guide shows as a file, as its reader would."""
    for guide in GUIDES:
        for text in re.findall(
            r"^```yaml\n(.*?)^```", (ROOT / guide).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ):
            done = subprocess.run(
                [placard, "campaign", "apply", "-", "--launch", "--server", server.address],
                input=text,
                capture_output=True,
                text=True,
                env={**os.environ, "PLACARD_KEY": server.secret},
            )
            if done.returncode != 0:
                raise SystemExit(f"!! {guide}: a campaign can't be launched: {done.stderr.strip()}\n{text}")


def reference_pages(placard, texts):
    """What a server and its command say of themselves; the OpenAPI document itself goes to the texts, which are written
    as files."""
    dump = json.loads(placard_server.command(placard, "--experimental-dump-help"))
    with tempfile.TemporaryDirectory() as work, placard_server.Server.demo(placard, work) as server:
        openapi = json.loads(requests.send(server.port, "GET", "/openapi.json", None, None)[2])
        refusals = requests.refusals(server)
        examples = requests.record(server)
        apply_campaigns(placard, server)
    texts["files/openapi.json"] = json.dumps(openapi, indent=2, ensure_ascii=False) + "\n"
    rates = {
        f"{method} {path}": rate
        for method, path, rate in ROUTE.findall((ROOT / "docs/routes.md").read_text(encoding="utf-8"))
    }
    return [
        *rest.pages(openapi, examples, refusals, rates),
        *(commands.page(dump, language) for language in languages.NAMES),
    ]


def version():
    number = re.search(r'version = "([^"]+)"', VERSION.read_text(encoding="utf-8"))[1]
    commit = subprocess.run(["git", "rev-parse", "--short=9", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return f"{number} ({commit.stdout.strip()})" if commit.returncode == 0 else number


def write(target, pages, files, texts):
    """Writes the site into a folder beside the old one, and then puts it in its place. A folder with anything else in
    it is left alone."""
    if (
        target.is_dir()
        and any(target.iterdir())
        and not (target / "assets/search.js").exists()
        and not (target / "documentation").exists()
    ):
        raise SystemExit(f"{target} has files that are not from this program. Name another folder, or remove them.")
    site = layout.Site(pages, version())
    lost = [page.address for page in pages if page.address not in site.section_of]
    if lost:
        raise SystemExit(f"These pages have no place in the navigation: {', '.join(lost)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="docs-") as work:
        folder = pathlib.Path(work, "site")
        contents = {page.address: layout.framed(site, page) for page in pages}
        for language, say in site.texts.items():
            contents[f"assets/search-index.{language}.js"] = search.script(pages, site.labels, say)
            if language in languages.LANGUAGES:
                contents[f"assets/{language}.js"] = say.script()
        for place, text in {**contents, **texts}.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(text, encoding="utf-8")
        sheets = [(ASSETS / f"sheets/{name}.css").read_text(encoding="utf-8") for name in SHEETS]
        (folder / "assets/site.css").write_text("\n".join(sheets), encoding="utf-8")
        assets = {f"assets/{path.name}": path for path in [*ASSETS.glob("*.css"), *ASSETS.glob("*.js"), ICON]}
        for place, source in {**assets, **{place: ROOT / source for place, source in files.items()}}.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / place)
        shutil.rmtree(target, ignore_errors=True)
        folder.rename(target)


def main():
    parser = argparse.ArgumentParser(description="Makes the documentation site.")
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--placard", default=str(ROOT / "Server/.build/debug/placard"))
    parser.add_argument(
        "--docc", type=pathlib.Path, help="what docc made of the SDK; without it, the site has no SDK reference"
    )
    options = parser.parse_args()
    findings = Findings()
    check_navigation(ROOT, navigation.sources(ROOT), findings)
    findings.end()
    files, texts = {"files/LICENSE": "LICENSE"}, {}
    pages = markdown_pages(files)
    pages += sdk.pages(options.docc) if options.docc else []
    pages += reference_pages(options.placard, texts)
    write(options.target, pages, files, texts)
    print(f"{len(pages)} pages are in {options.target}.")


main()
