"""Containers of an image, run by runc as a cluster would: with a root that can't be written, and without any
capability.

They share the network of this machine, and listen on its loopback interface.
"""

import json
import os
import pathlib
import subprocess
import tarfile
import time
import urllib.error
import urllib.request

import placard_server

from . import root

PATIENCE = 60
# What a container of Docker or Kubernetes has beside the root of its image.
DEVICES = ("/proc", "/dev", "/dev/pts", "/dev/shm", "/dev/mqueue")


class Bundle:
    """The files of an image, unpacked by umoci, and what it says of how it is run."""

    def __init__(self, archive, folder):
        self.folder = pathlib.Path(folder)
        layout = self.folder / "layout"
        layout.mkdir()
        with tarfile.open(archive) as tar:
            tar.extractall(layout, filter="data")
        self.index = json.loads((layout / "index.json").read_text())
        (entry,) = self.index["manifests"]
        self.manifest = json.loads(self.blob(layout, entry["digest"]))
        self.config = json.loads(self.blob(layout, self.manifest["config"]["digest"]))
        name = entry["annotations"]["org.opencontainers.image.ref.name"]
        subprocess.run(
            ["umoci", "unpack", "--image", f"{layout}:{name}", str(self.folder / "bundle")],
            check=True,
            capture_output=True,
        )
        self.root = self.folder / "bundle/rootfs"
        self.runtime = json.loads((self.folder / "bundle/config.json").read_text())

    @staticmethod
    def blob(layout, digest):
        return (layout / "blobs" / digest.replace(":", "/")).read_text()


class Container:
    """A container that runs until it is stopped; its volume is a folder of this machine."""

    count = 0

    def __init__(self, bundle, volume, *arguments, environment=None, mounts=()):
        Container.count += 1
        self.name = f"placard-check-{os.getpid()}-{Container.count}"
        self.port = placard_server.free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.folder = bundle.folder / self.name
        self.folder.mkdir()
        settings = {"PLACARD_HOST": "127.0.0.1", "PLACARD_PORT": self.port, **(environment or {})}
        (self.folder / "config.json").write_text(
            json.dumps(self.configuration(bundle, volume, arguments, settings, mounts))
        )
        self.state, self.log = str(bundle.folder / "runc"), self.folder / "log"
        self.process = None

    @staticmethod
    def configuration(bundle, volume, arguments, settings, mounts):
        made = json.loads(json.dumps(bundle.runtime))
        process = made["process"]
        process["terminal"] = False
        process["args"] = [process["args"][0], *arguments] if arguments else process["args"]
        process["env"] += [f"{name}={value}" for name, value in settings.items()]
        process["capabilities"] = {name: [] for name in process["capabilities"]}
        process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": 4096, "hard": 4096}]
        made["root"] = {"path": str(bundle.root), "readonly": True}
        made["linux"]["namespaces"] = [one for one in made["linux"]["namespaces"] if one["type"] != "network"]
        made["mounts"] = [one for one in made["mounts"] if one["destination"] in DEVICES]
        made["mounts"].append(
            {
                "destination": "/tmp",
                "type": "tmpfs",
                "source": "tmpfs",
                "options": ["nosuid", "nodev", "noexec", "size=64m"],
            }
        )
        bound = [(f"/{root.HOME}", volume, "rw"), *mounts]
        made["mounts"] += [
            {
                "destination": place,
                "type": "bind",
                "source": str(source),
                "options": ["rbind", "nosuid", "nodev", right],
            }
            for place, source, right in bound
        ]
        return made

    def start(self):
        """Starts it, and returns whether it gets ready."""
        self.begin()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if self.status("/readyz") == 200:
                return True
            time.sleep(0.05)
        return False

    def wait(self):
        """Runs it to its end, and returns its status and what it wrote."""
        with self:
            self.begin()
            status = self.process.wait(timeout=PATIENCE)
        return status, self.log.read_text()

    def begin(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["runc", "--root", self.state, "run", "--bundle", str(self.folder), self.name],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def status(self, path, key=None):
        """The status that a path is answered with, or nothing where no server answers."""
        return self.status_of(self.address + path, key)

    @staticmethod
    def status_of(address, key=None):
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {key}"} if key else {})
        try:
            return urllib.request.urlopen(request, timeout=5).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def run(self, *arguments, text=""):
        """Runs the command inside, as `docker exec` does; returns its status and what it wrote."""
        done = subprocess.run(
            ["runc", "--root", self.state, "exec", self.name, "/usr/bin/placard", *arguments],
            input=text,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return done.returncode, done.stdout + done.stderr

    def processes(self):
        """The accounts of its processes, by their numbers outside."""
        listed = json.loads(
            subprocess.run(
                ["runc", "--root", self.state, "ps", "--format", "json", self.name],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        return {number: os.stat(f"/proc/{number}").st_uid for number in listed}

    def stop(self):
        """Asks it to stop, as docker and Kubernetes do; returns its status, and the seconds that it took."""
        begun = time.monotonic()
        subprocess.run(["runc", "--root", self.state, "kill", self.name, "TERM"], capture_output=True)
        try:
            return self.process.wait(timeout=PATIENCE), time.monotonic() - begun
        except subprocess.TimeoutExpired:
            subprocess.run(["runc", "--root", self.state, "kill", self.name, "KILL"], capture_output=True)
            return self.process.wait(), time.monotonic() - begun

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.stop()
        subprocess.run(["runc", "--root", self.state, "delete", "--force", self.name], capture_output=True)
