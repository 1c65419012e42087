"""Pages of the dashboard that people look at, with a member's session."""

import os
import sys

from . import load, servers

sys.path.insert(0, os.path.join(servers.ROOT, "Benchmarks", "scale"))
from browser import Browser  # noqa: E402

EMAIL, PASSWORD = "anna@example.com", "a long password for a benchmark"
sessions = {}


def sign_in(server):
    """A session of an admin, made once for a server."""
    if server.name not in sessions:
        server.run("admin", "create", EMAIL, "--password-stdin", input=PASSWORD + "\n")
        browser = Browser(server.port)
        browser.sign_in(EMAIL, PASSWORD)
        sessions[server.name] = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    return sessions[server.name]


def measure(client, server, campaign, options):
    """Rates and latencies of pages, asked by four members at once."""
    cookie, found = sign_in(server), {}
    for title, path in (
        ("overview", "/dashboard"),
        ("report of a campaign", f"/dashboard/campaigns/{campaign}"),
        ("campaigns", "/dashboard/campaigns"),
        ("users", "/dashboard/users"),
    ):
        file = client.write([load.request("", "GET", path, cookie=cookie)])
        client.run(server, file, 0.3, connections=4)
        found[title] = client.run(server, file, options.growth_seconds, connections=4)
        client.forget(file)
    return found
