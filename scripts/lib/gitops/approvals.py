"""Changes that another member has to approve."""

import re

import placard_server
from gitops.folder import Folder, campaign, card


def approvals(check, placard, work, server, key, database):
    """What others have to decide first is named, and all else is done."""
    api = placard_server.Connection(server.port, key)
    agent, other = (
        placard_server.make_key(placard, database, "secret", "campaigns", "read", "settings", name=name)
        for name in ["agent", "other"]
    )
    api.call("PUT", "/v1/content-blocks/shared", {"content": "a"})
    api.call(
        "POST",
        "/v1/campaigns",
        {"id": "asked-1", "name": "Seen", "variants": [{"id": "a", "card": card("{{content_blocks.${shared}}}")}]},
    )
    api.call("POST", "/v1/campaigns/asked-1/launch", {})
    for id in ["asked-2", "asked-3"]:
        api.call("POST", "/v1/campaigns", {**campaign(id), "id": id})
    api.call("POST", "/v1/campaigns/asked-2/launch", {})
    api.call(
        "PATCH",
        "/v1/settings",
        {"launch_approval": "editors", "rate_limits": {"other": {"requests": 100, "seconds": 1}}},
    )
    folder = Folder(placard, work / "asked", server, agent)
    status, _, error = folder.run("pull")
    check("A folder is pulled before others decide.", status == 0, error)
    placard_server.Connection(server.port, other).call(
        "POST", "/v1/campaigns/asked-2/approvals", {"content": campaign("Another's")}
    )
    folder.edit("content-blocks/shared.yaml", "content: a", "content: b")
    folder.edit("settings.yaml", "card_limit: ", "card_limit: 7 #")
    folder.edit("campaigns/asked-2.yaml", "Spring!", "Summer!")
    folder.edit("campaigns/asked-3.yaml", "status: draft", "status: active")
    folder.write(
        "campaigns/asked-4.yaml",
        "id: asked-4\n" + "name: New\nvariants:\n  - card: {type: classic, title: A, description: B}\n",
    )
    status, out, error = folder.run("apply")
    check(
        "A block that users have, and a campaign for which another's request waits, are named at the end.",
        status == 1 and "Not applied: 2 of 5 objects" in error and "shared.yaml" in error and "asked-2.yaml" in error,
        out + error,
    )
    check(
        "What comes after them is done, or asked for.",
        "waits for approval: campaigns/asked-3" in out
        and api.call("GET", "/v1/campaigns/asked-4")["status"] == "draft",
        out + error,
    )
    settings = api.call("GET", "/v1/settings")
    check(
        "Settings are changed, and those of others stay.",
        settings["card_limit"] == 7
        and settings["launch_approval"] == "editors"
        and settings["rate_limits"]["other"]["requests"] == 100,
        settings,
    )
    status, out, error = folder.run("apply")
    check(
        "The next time the same two are named, and nothing is asked for twice.",
        status == 1 and "2 of 3" in error,
        out + error,
    )
    text = (folder.path / "settings.yaml").read_text()
    folder.write("settings.yaml", re.sub(r"rate_limits:\n(  .*\n)+", "rate_limits: {}\n", text))
    folder.run("apply", "--only", "settings")
    check(
        "A limit that the file doesn't have any more is gone.",
        api.call("GET", "/v1/settings")["rate_limits"] in ({}, None),
        text,
    )
    api.call("PATCH", "/v1/settings", {"launch_approval": "none"})
