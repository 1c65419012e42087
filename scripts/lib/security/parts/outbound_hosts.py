"""Addresses of hosts that a server must not reach, and how they are spelled."""

import contextlib
import os
import socket

from ..listener import Listener, reply
from ..suite import check


def own_address():
    """The address that this machine has in its network, if any."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()


def remote_addresses(pid):
    """The addresses of this network and others to which a process has connections over TCP."""
    inodes = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            link = os.readlink(f"/proc/{pid}/fd/{name}")
            if link.startswith("socket:["):
                inodes.add(link[8:-1])
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{table}") as file:
            rows = [line.split() for line in file.readlines()[1:]]
        for row in rows:
            # 0A listens.
            if row[9] in inodes and row[3] != "0A":
                yield row[2].split(":")[0]


def is_loopback(address):
    """Whether an address is of this machine, as the kernel's tables write it: 127.0.0.0/8, also within IPv6, or ::1."""
    return address[-2:] == "7F" or address == "00000000000000000000000001000000"


HOSTS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "127.255.255.254",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "localhost.localdomain",
    "ip6-localhost",
    "a.localhost",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "169.254.169.254",
    "10.0.0.1",
    "192.168.0.1",
    "172.16.0.1",
    "100.64.0.1",
    "[fe80::1]",
    "[fd00::1]",
    "OWN",
]


def spelled(host):
    return own_address() if host == "OWN" else host


def ask(api, url):
    """Renders a template that asks for an address."""
    title = "{% connected_content " + url + " :save x :no_cache %}{{ x }}"
    return api.call("POST", "/v1/preview", {"card": {"type": "classic", "title": "t", "description": title}})


def content_host(world, settings, host):
    def attack():
        with Listener(reply(b"inside")) as listener:
            for listed in (f"{host}:{listener.port}", host, "*"):
                world.api.call("PUT", "/v1/settings", {**settings, "connected_content_hosts": [listed]})
                for url in (f"http://{host}:{listener.port}/", f"http://listed.example@{host}:{listener.port}/"):
                    answer = ask(world.api, url)
                    check(answer.status in (200, 400), f"{url}: {answer}")
                    check("inside" not in answer.text, f"{url} was read")
            check(listener.count == 0, "it was asked")

    return attack


def from_attribute(world, settings):
    with Listener(reply(b"inside")) as listener:
        world.api.must("PUT", "/v1/settings", {**settings, "connected_content_hosts": ["listed.example"]})
        values = [
            f"127.0.0.1:{listener.port}/",
            f"listed.example@127.0.0.1:{listener.port}/",
            f"127.0.0.1:{listener.port}#.listed.example",
            f"127.0.0.1:{listener.port}/?listed.example",
            f"127.0.0.1:{listener.port}\\@listed.example/",
            f"listed.example:80\\@127.0.0.1:{listener.port}/",
            f"listed.example\r\nHost: 127.0.0.1:{listener.port}",
            f"localhost:{listener.port}/",
        ]
        for value in values:
            title = "{% connected_content http://{{custom_attribute.${host}}} :save x :no_cache %}{{ x }}"
            answer = world.api.call(
                "POST",
                "/v1/preview",
                {"card": {"type": "classic", "title": "t", "description": title}, "custom_attributes": {"host": value}},
            )
            check(answer.status in (200, 400) and "inside" not in answer.text, f"{value!r}: {answer}")
        check(listener.count == 0, "it was asked")


def no_scheme(world, url):
    answer = ask(world.api, url)
    check(answer.status in (200, 400), f"answered {answer}")
    check("root:" not in answer.text and '"description":"inside"' not in answer.text, f"answered {answer}")
