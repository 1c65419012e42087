"""Addresses for the flood: a network namespace where that is possible, and the loopback interface elsewhere."""

import os
import subprocess


class Loopback:
    """Every client has an address of its own in 127.0.0.0/8."""

    name = "addresses of the loopback interface"
    server = "127.0.0.1"
    command = []

    def address(self, number):
        """The address of a client, by a number from 1 on."""
        return f"127.0.{1 + number // 250}.{1 + number % 250}"

    def close(self):
        """Leaves nothing behind: nothing was made."""


class Namespace:
    """Clients in a network namespace, joined to the server by a pair of virtual devices."""

    name = "a network namespace"

    def __init__(self, addresses):
        """Makes the namespace with that many addresses; raises where the system does not let us."""
        self.space, self.device = f"placard-flood-{os.getpid()}", f"plf{os.getpid() % 100000}"
        # The range for tests of network devices, RFC 2544: no other network has it.
        self.server = "198.18.0.1"
        self.command = ["ip", "netns", "exec", self.space]
        try:
            self.run("ip", "netns", "add", self.space)
            self.run("ip", "link", "add", self.device, "type", "veth", "peer", "name", "veth0", "netns", self.space)
            self.run("ip", "addr", "add", f"{self.server}/16", "dev", self.device)
            self.run("ip", "link", "set", self.device, "up")
            inside = "".join(f"addr add {self.address(number)}/16 dev veth0\n" for number in range(1, addresses + 1))
            self.run("ip", "-n", self.space, "-batch", "-", input=inside + "link set veth0 up\nlink set lo up\n")
        except (OSError, subprocess.CalledProcessError):
            self.close()
            raise

    @staticmethod
    def run(*command, **options):
        subprocess.run(command, check=True, capture_output=True, text=True, **options)

    def address(self, number):
        """The address of a client, by a number from 1 on."""
        return f"198.18.{1 + number // 250}.{1 + number % 250}"

    def close(self):
        """Removes the namespace, and the devices with it."""
        subprocess.run(["ip", "link", "del", self.device], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", self.space], capture_output=True, check=False)


def network(addresses):
    """The best network that this machine lets us have."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        try:
            return Namespace(addresses)
        except (OSError, subprocess.CalledProcessError):
            pass
    return Loopback()
