"""A server and commands that are short of room and of descriptors."""

import http.client
import json
import resource
import socket
import subprocess
import time

import placard_server
from service.manager import PATIENCE, status_of


def outputs(check, placard, database, work):
    """A result that can't be written is no success, and no key works whose secret nobody has."""
    source, template = f"sqlite:{database}", work / "greeting.liquid"
    template.write_text("Hello")

    def run(words, redirection):
        return subprocess.run(
            ["bash", "-c", f'"$0" "$@" {redirection}', placard, *words],
            input='{"template": "Hello"}',
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def keys():
        return json.loads(placard_server.command(placard, "key", "list", "--database", source, "--json"))["keys"]

    before = keys()
    commands = (
        ["key", "list", "--database", source],
        ["routes"],
        ["routes", "--json"],
        ["liquid", str(template)],
        ["liquid", "--batch"],
        ["key", "create", "--name", "lost", "--kind", "secret", "--database", source],
        ["key", "rotate", before[0]["id"], "--database", source, "--json"],
        ["export", "events", "--format", "csv", "--database", source],
        ["--version"],
        ["key", "--help"],
    )
    for redirection in (">/dev/full", ">&-"):
        for words in commands:
            done = run(words, redirection)
            check(
                f"`placard {' '.join(words)} {redirection}` ends with status 1, and says why.",
                done.returncode == 1 and done.stderr.startswith("Error: The output can't be written: "),
                done,
            )
    check("No key was created or rotated whose secret is lost.", keys() == before, keys())
    check("What can be written is, with status 0.", run(["liquid", str(template)], "").stdout == "Hello")


def limited(placard, database, log, files):
    """Starts a server that may have so many files open."""
    script = f'ulimit -n {files} && exec "$0" "$@"'
    return placard_server.Server(
        ["bash", "-c", script, placard, "serve", "--database", f"sqlite:{database}"], log=open(log, "w")
    )


def half_requests(port, count):
    """Opens connections that have sent a part of a request, each address a few."""
    clients = []
    for number in range(count):
        clients.append(socket.create_connection(("127.0.0.1", port), PATIENCE, (f"127.0.0.{2 + number % 200}", 0)))
        clients[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-")
    return clients


def descriptors(check, placard, database, work):
    """A thousand connections, and descriptors for a few hundred, or not even for those that the server holds at
    least."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    log = work / "descriptors.log"
    no_descriptor = "the system has nothing left for them"

    def lines(part):
        return [line for line in log.read_text().splitlines() if part in line]

    def connection():
        return http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)

    server = limited(placard, database, log, 256)
    check("The log says at the start how many connections are held.", len(lines("Fewer connections")) == 1, lines(""))
    clients = half_requests(server.port, 1000)
    statuses = {status_of(connection()) for _ in range(20)}
    check("With 256 descriptors and 1,000 connections, each new client is answered.", statuses == {200}, statuses)
    waits, held = lines(no_descriptor), server.descriptor_count
    check("The server has descriptors left.", held < 256 and not waits, (held, waits))
    for client in clients:
        client.close()
    check("It ends in good order.", server.stop() == 0)

    server = limited(placard, database, log, 80)
    kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    status_of(kept)
    clients = half_requests(server.port, 500)
    placard_server.wait_for(lambda: lines(no_descriptor), bool, "Nothing says that no descriptor is left")
    before, begun, statuses = server.processor_seconds, time.monotonic(), set()
    while time.monotonic() < begun + 3:
        # Whoever has been idle for long may have to leave; as every client does, this one then asks again.
        statuses.add(status_of(kept) or status_of(kept))
        time.sleep(0.1)
    share = (server.processor_seconds - before) / (time.monotonic() - begun)
    check("Without a descriptor left, clients that are connected are answered.", statuses == {200}, statuses)
    check("No thread spins.", share < 0.5, share)
    check("The log says it once.", len(lines(no_descriptor)) == 1, lines(no_descriptor))
    for client in clients:
        client.close()
    recovered = placard_server.wait_for(lambda: status_of(connection()), bool, "New connections aren't answered again")
    check("Once there are some, new connections are answered.", recovered == 200, recovered)
    check(
        "And the log says so.",
        placard_server.wait_for(lambda: len(lines("accepted again")), bool, "Nothing says it", PATIENCE) == 1,
    )
    check("It ends in good order then.", server.stop() == 0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
