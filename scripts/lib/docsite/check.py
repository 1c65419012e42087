"""Checks the documentation and a site that was made of it. usage: python -m docsite.check SITE [--placard PATH]; see
scripts/check-docs."""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import placard_server  # noqa: E402
from docsite import catalog, checks, navigation, site_checks, translations  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--placard", default=str(ROOT / "Server/.build/debug/placard"))
    options = parser.parse_args()
    findings = checks.Findings()
    dump = json.loads(placard_server.command(options.placard, "--experimental-dump-help"))
    commands = checks.Commands(dump, (ROOT / "Makefile").read_text(encoding="utf-8"))
    used = 0
    for name in navigation.sources(ROOT):
        text = (ROOT / name).read_text(encoding="utf-8")
        checks.check_markdown(name, text, findings)
        used += checks.check_commands(ROOT, name, text, commands, findings)
    checks.check_pictures(ROOT, navigation.sources(ROOT), findings)
    catalog.check(findings)
    translations.check(ROOT, findings)
    server = ROOT / "Server/Sources"
    refusing = [path.read_text(encoding="utf-8") for path in sorted((server / "CardServer").rglob("*.swift"))]
    model = (server / "CardModel/ModelError.swift").read_text(encoding="utf-8")
    checks.check_errors(refusing, model, (ROOT / "docs/errors.md").read_text(encoding="utf-8"), findings)
    pages, links = site_checks.check_site(options.site, findings)
    findings.end()
    print(f"{pages} pages, {links} links and {used} commands of the documentation hold.")


main()
