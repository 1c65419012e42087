"""Three nodes, each in a network of its own, that lose the way to their database for a while, in one or both
directions."""

import os
import subprocess
import tempfile
import threading
import time

from placard_server import Connection, Server, free_port

from . import faults
from .cluster import Postgres

SECONDS = int(os.environ.get("PLACARD_SPLIT_SECONDS", "100"))
# Longer than a connection waits for packets that are swallowed, so that it is given up.
OUTAGE = 20


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, stdin=subprocess.DEVNULL)


def can_split():
    """Whether networks can be made here."""
    name = f"plc-{os.getpid()}"
    done = subprocess.run(["ip", "netns", "add", name], stderr=subprocess.DEVNULL, check=False)
    if done.returncode == 0:
        ip("netns", "del", name)
    return done.returncode == 0


class Network:
    """A network with two cables: one to devices, and one to the database, which can be cut."""

    def __init__(self, number):
        self.name = f"plc-{os.getpid()}-{number}"
        ip("netns", "add", self.name)
        ip("-n", self.name, "link", "set", "lo", "up")
        self.address = self.plug("d", f"10.201.{number}")[1]
        self.database = self.plug("b", f"10.202.{number}")[0]

    def plug(self, letter, prefix):
        """Adds a cable, and returns the addresses of this machine and of the network."""
        near, far = self.cable(letter), f"{letter}0"
        ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", self.name)
        ip("addr", "add", f"{prefix}.1/30", "dev", near)
        ip("link", "set", near, "up")
        ip("-n", self.name, "addr", "add", f"{prefix}.2/30", "dev", far)
        ip("-n", self.name, "link", "set", far, "up")
        return f"{prefix}.1", f"{prefix}.2"

    def cable(self, letter):
        return f"{letter}{self.name[4:]}"[:15]

    def cut(self):
        """Nothing comes or goes, and neither side is told."""
        ip("-n", self.name, "link", "set", "b0", "down")

    def heal(self):
        ip("-n", self.name, "link", "set", "b0", "up")

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name], check=False)


class Scene(faults.Scene):
    """Nodes in networks of their own, and their database."""

    def __init__(self, placard, folder):
        self.networks = []
        self.placard, self.is_over = placard, threading.Event()
        self.primary = Postgres.primary(addresses="*")
        self.standby = self.primary.standby()
        self.database = f"postgresql://placard@/app?host={self.primary.folder}"
        self.flags = ["--secrets-key-file", os.path.join(folder, "placard.key"), "--log-level", "warning"]
        self.log = open(os.path.join(folder, "nodes.log"), "w")
        self.nodes = []
        for number in range(faults.NODES):
            self.networks.append(Network(number))
            self.nodes.append(self.split_node(self.networks[-1]))
        self.places = [(network.address, node.port) for network, node in zip(self.networks, self.nodes)]
        self.key = self.make_key("publishable")
        self.unlimit(Connection(self.nodes[0].port, self.make_key("secret"), host=self.places[0][0]))
        self.settle()

    def split_node(self, network):
        database = f"postgresql://placard@{network.database}/app"
        return Server(
            [
                "ip",
                "netns",
                "exec",
                network.name,
                self.placard,
                "serve",
                "--database",
                database,
                *self.flags,
                "--host",
                network.address,
                "--shutdown-timeout",
                "5",
            ],
            port=free_port(),
            log=self.log,
        )

    def cut_one(self):
        """One node loses the way to its database."""
        self.outage(self.networks[:1])

    def cut_two(self):
        """Two nodes of three lose the way to their database."""
        self.outage(self.networks[1:])

    def cut_all(self):
        """All nodes lose the way to their database."""
        self.outage(self.networks)

    def flap(self):
        """A way is there one moment and gone the next."""
        for _ in range(10):
            for network in self.networks:
                network.cut()
            time.sleep(0.3)
            for network in self.networks:
                network.heal()
            time.sleep(0.7)

    @staticmethod
    def outage(networks):
        for network in networks:
            network.cut()
        time.sleep(OUTAGE)
        for network in networks:
            network.heal()

    def close(self):
        super().close()
        for network in self.networks:
            network.close()


def splits(placard):
    """Nodes lose the way to their database, one, two, all and again and again: nothing is lost or counts twice"""
    if not can_split():
        print("    left out: networks can't be made here, which takes root", flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        scene = Scene(placard, folder)
        try:
            faults.run(scene, [scene.cut_one, scene.cut_two, scene.flap, scene.cut_all], SECONDS)
        finally:
            scene.close()


CHECKS = [splits]
