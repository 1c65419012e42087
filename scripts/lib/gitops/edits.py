"""Edits of files, and what the command refuses."""

import json
import os
import re

import placard_server
from gitops.folder import DIFFERENT, Folder


def edits(check, folder):
    api = placard_server.Connection(folder.server.port, folder.key)
    folder.write(
        "campaigns/new.yaml", "id: new\nname: New\nvariants:\n  - card: {type: classic, title: A, description: B}\n"
    )
    status, plan = folder.plan()
    check("A new file is a campaign to create.", (status, plan) == (DIFFERENT, {"campaign new": "create"}), plan)
    folder.run("apply")
    check("Without a status it is a draft.", api.call("GET", "/v1/campaigns/new")["status"] == "draft")
    folder.edit("campaigns/new.yaml", "title: A", "title: C")
    status, out, _ = folder.run("diff")
    check("A difference is shown by its field.", status == DIFFERENT and "variants[a].card.title: A → C" in out, out)
    folder.run("apply", "--launch")
    now = api.call("GET", "/v1/campaigns/new")
    check(
        "--launch launches what says no status.",
        now["status"] == "active" and now["variants"][0]["card"]["title"] == "C",
        now,
    )
    check("And a second one changes nothing.", folder.plan("--launch") == (0, {}))

    now["name"] = "Changed by another member"
    api.call("PUT", "/v1/campaigns/new", now)
    folder.edit("campaigns/new.yaml", "title: C", "title: D")
    check(
        "Edits on both sides are a conflict.", folder.plan() == (DIFFERENT, {"campaign new": "conflict"}), folder.plan()
    )
    status, _, error = folder.run("apply")
    check(
        "A conflict isn't applied.",
        status == 1 and api.call("GET", "/v1/campaigns/new")["name"] == now["name"] and "--overwrite" in error,
        error,
    )
    status, _, error = folder.run("pull")
    check(
        "A pull doesn't lose edits of files.",
        status == 1 and "title: D" in (folder.path / "campaigns/new.yaml").read_text() and "--overwrite" in error,
        error,
    )
    status, out, error = folder.run("apply", "--overwrite")
    now = api.call("GET", "/v1/campaigns/new")
    check("With --overwrite the file wins.", status == 0 and now["name"] == "New", out + error)

    folder.write(
        "campaigns/new.yaml",
        (folder.path / "campaigns/new.yaml").read_text() + f"version: {now['version'] - 1}\nstatus: paused\n",
    )
    check("A file with another version is a conflict.", folder.plan()[1] == {"campaign new": "conflict"}, folder.plan())
    folder.edit("campaigns/new.yaml", f"version: {now['version'] - 1}\n", "")
    status, out, error = folder.run("apply")
    check("A status of a file pauses.", api.call("GET", "/v1/campaigns/new")["status"] == "paused", out + error)
    folder.edit("campaigns/new.yaml", "status: paused", "status: stopped\nwithdrawn: true")
    folder.edit("campaigns/new.yaml", "title: D", "title: E")
    folder.run("apply")
    now = api.call("GET", "/v1/campaigns/new")
    check("Or stops and withdraws, and edits.", now["status"] == "stopped" and now["withdrawn"], now)
    folder.edit("campaigns/new.yaml", "status: stopped\nwithdrawn: true", "status: draft")
    status, _, error = folder.run("diff")
    check(
        "What was launched is no draft again, says the line.",
        status == 1 and re.search(r"campaigns/new.yaml:\d+: status", error),
        error,
    )

    file = folder.path / "campaigns/new.yaml"
    file.unlink()
    check("What no file describes stays.", folder.plan() == (0, {"campaign new": "server_only"}), folder.plan())
    status, plan = folder.plan("--prune")
    check("With --prune it would be archived.", status == DIFFERENT and plan["campaign new"] == "archive", plan)
    folder.run("apply", "--prune")
    check("It is archived, and not deleted.", api.call("GET", "/v1/campaigns/new")["status"] == "archived")

    footer = next((folder.path / "content-blocks").glob("footer.*"))
    footer.write_text(footer.read_text() + "# a comment\n")
    before = folder.bytes()
    folder.run("pull")
    check("A pull keeps comments of files that say the same.", folder.bytes() == before)
    folder.write("settings.yaml", "card_limit: 77\n")
    folder.run("apply")
    now = api.call("GET", "/v1/settings")
    check(
        "Settings that a file leaves out stay.",
        now["card_limit"] == 77 and now["device_limits"]["requests_per_key"]["burst"] == 1e9,
        now,
    )
    check("The webhook keeps its secret.", api.call("GET", "/v1/webhook")["url"].startswith("https://hooks"))


def refusals(check, folder):
    """Everything that is wrong is named at once, and nothing is written."""
    api = placard_server.Connection(folder.server.port, folder.key)
    before = api.call("GET", "/v1/audit?limit=1")
    good = "name: N\nvariants:\n  - card: {type: classic, title: A, description: B}\n"
    wrong = {
        "campaigns/yaml.yaml": ("id: yaml\nname: [1\n", r"yaml\.yaml:\d"),
        "campaigns/unknown.yaml": ("id: unknown\nnmae: x\n" + good, r"unknown\.yaml:2: nmae"),
        "campaigns/deep.yaml": (
            "id: deep\n" + good.replace("title: A", "title: 1"),
            r"deep\.yaml:4: variants\[0\]\.card\.title",
        ),
        "campaigns/several.yaml": (
            "id: several\nnmae: 1\naudience: {segment: nowhere}\n" + good.replace("title: A", "title: '{{ broken'"),
            r"several\.yaml:2: nmae",
        ),
        "segments/several.yaml": ("id: a b\nname: 7\n", r"segments/several\.yaml:1: id"),
        "campaigns/noid.yaml": (good, r"noid\.yaml: id"),
        "campaigns/path.yaml": ("id: ../path\n" + good, r"path\.yaml:1: id"),
        "campaigns/twice-1.yaml": ("id: twice\n" + good, r"twice-2\.yaml: campaigns/twice-1"),
        "campaigns/twice-2.yaml": ("id: twice\n" + good, r"twice-2\.yaml"),
        "campaigns/segment.yaml": ("id: segment\naudience: {segment: nowhere}\n" + good, r"segment\.yaml:2: audience"),
        "campaigns/liquid.yaml": (
            "id: liquid\n" + good.replace("title: A", "title: '{% if'"),
            r"liquid\.yaml:4: variants\[0\]",
        ),
        "campaigns/block.yaml": (
            "id: block\n" + good.replace("title: A", "title: '{{content_blocks.${nope}}}'"),
            r"block\.yaml:4",
        ),
        "campaigns/large.yaml": (
            "id: large\n" + good.replace("title: A", f"title: {'x' * 60000}"),
            r"large\.yaml:4.*bytes",
        ),
        "campaigns/over.yaml": (
            "id: over\nstatus: active\ndelivery: {type: scheduled, end_at: 2020-01-01T00:00:00Z}\n" + good,
            r"over\.yaml:3: delivery\.end_at",
        ),
        "campaigns/status.yaml": ("id: status\nstatus: done\n" + good, r"status\.yaml:2: status"),
        "campaigns/twin.yaml": ("id: twin\nid: other\n" + good, r"twin\.yaml"),
        "campaigns/bomb.yaml": (
            "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 30)),
            r"bomb\.yaml:.*too large",
        ),
        "segments/self.yaml": ("id: self\nname: S\naudience: {segment: self}\n", r"self\.yaml:3: audience"),
        "content-blocks/b.yaml": ("name: b\ncontent: '{{'\n", r"b\.yaml:2: content"),
        "content-types/t.yaml": ("class_type: t\nfields: [{name: a, type: nope}]\n", r"t\.yaml:2: fields\[0\]\.type"),
        "campaign/typo.yaml": ("id: typo\n" + good, r"campaign: There is no such kind"),
        "typo.yaml": ("id: typo\n" + good, r"typo\.yaml: Only settings"),
        "campaigns/sub/x.yaml": ("id: sub\n" + good, r"campaigns/sub: Folders"),
    }
    for path, (text, _) in wrong.items():
        folder.write(path, text)
    outside = folder.path.parent / "outside.yaml"
    outside.write_text("id: outside\n" + good)
    (folder.path / "campaigns/link.yaml").symlink_to(outside)
    (folder.path / "campaigns/binary.yaml").write_bytes(b"\xff\xfe\x00")
    (folder.path / "campaigns/huge.yaml").write_bytes(b"#" * (2 << 20))
    os.mkfifo(folder.path / "campaigns/pipe.yaml")
    (folder.path / "campaigns/\x1b[2Jevil.yaml").write_text("id: [\n")
    patterns = [pattern for _, pattern in wrong.values()] + [
        r"several\.yaml:3: audience",
        r"several\.yaml:6: variants\[0\]\.card\.title",
        r"segments/several\.yaml:2: name",
        r"link\.yaml: This is a link",
        r"binary\.yaml: The file isn't UTF-8",
        r"huge\.yaml: .* more than",
        r"pipe\.yaml: This is no file",
    ]
    status, out, error = folder.run("apply", "--prune", "--launch")
    for pattern in patterns:
        check(f"What is wrong is named: {pattern}.", re.search(pattern, error), error)
    check("It is refused.", status == 1 and "Nothing was written" in error and not out, f"{status} {out}")
    check("No file steers the terminal.", "\x1b" not in error + out)
    check("And nothing was written.", api.call("GET", "/v1/audit?limit=1") == before)
    status, out, _ = folder.run("diff", "--json")
    check("As JSON as well.", status == 1 and len(json.loads(out)["problems"]) >= len(patterns) - 1, out)
    status, _, error = folder.run("pull")
    check("A pull doesn't write beside what is wrong.", status == 1 and "Nothing was written" in error, error)
    check("What lies outside was neither read nor written.", outside.read_text() == "id: outside\n" + good)


def hostile_folders(check, placard, work, server, key):
    outside = work / "elsewhere"
    outside.mkdir()
    folder = Folder(placard, work / "linked", server, key)
    folder.path.mkdir()
    (folder.path / "campaigns").symlink_to(outside)
    status, _, error = folder.run("pull")
    check(
        "A folder that is a link isn't written to.",
        status == 1 and not list(outside.iterdir()) and "campaigns: " in error,
        error,
    )
    status, _, error = Folder(placard, work / "nowhere", server, key).run("diff")
    check("A folder that isn't there is no empty one.", status == 1 and "can't be opened" in error, error)
