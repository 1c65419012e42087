"""A clean Debian with systemd: made once, and booted afresh in memory for each check.

It has no network but its own loopback interface. What `apt` may install lies in its cache.
"""

import base64
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

SUITE = "bookworm"
INCLUDED = "ca-certificates,curl,openssl,systemd,systemd-sysv"
# What the guide installs, with what it needs and recommends; each line is one installation.
CACHED = ("nginx-light", "caddy", "adduser libpq5 libsqlite3-0 libcurl4 libxml2 libstdc++6 libvips42")
PATIENCE = 120  # Seconds that a command or a start may take.
ENVIRONMENT = (
    "HOME=/root",
    "USER=root",
    "LANG=C.UTF-8",
    "DEBIAN_FRONTEND=noninteractive",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
)


def base(folder):
    """Returns the Debian, which it makes where it isn't there yet."""
    if not (folder / "etc/debian_version").exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        hooks = [r'--customize-hook=printf "127.0.0.1 localhost\n::1 localhost\n" >"$1/etc/hosts"']
        hooks += [f'--customize-hook=chroot "$1" apt-get install --download-only --yes {line}' for line in CACHED]
        made = subprocess.run(
            [
                "mmdebstrap",
                "--variant=minbase",
                f"--include={INCLUDED}",
                "--skip=cleanup/apt",
                *hooks,
                SUITE,
                str(partial),
            ],
            capture_output=True,
            text=True,
        )
        if made.returncode != 0:
            raise SystemExit(f"mmdebstrap: {made.stderr[-800:]}")
        partial.rename(folder)
    return folder


class Machine:
    """A Debian that runs; what changes in it is gone with it."""

    def __init__(self, folder, packages):
        """Boots; the folder of packages is `/mnt` in it."""
        self.process = subprocess.Popen(
            [
                "systemd-nspawn",
                "--quiet",
                "--register=no",
                "--keep-unit",
                "--private-network",
                "--volatile=overlay",
                f"--bind-ro={packages}:/mnt",
                "--boot",
                f"--directory={folder}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                state = self.run("systemctl is-system-running").stdout.strip()
            except LookupError:
                state = ""
            if state in ("running", "degraded"):
                return
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise SystemExit(f"The Debian doesn't boot: {self.process.stderr.read()[-800:]}")
            time.sleep(0.2)

    @property
    def leader(self):
        """The process outside that is the first one inside."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = children.read_text().split() if children.exists() else []
        if not found:
            raise LookupError("no process")
        return found[0]

    def command(self, script):
        return [
            "nsenter",
            "--target",
            self.leader,
            "--all",
            "env",
            "--ignore-environment",
            *ENVIRONMENT,
            "bash",
            "-c",
            script,
        ]

    def run(self, script, **options):
        """Runs a script as root, and returns how it ended."""
        return subprocess.run(
            self.command(script), capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, **options
        )

    def holds(self, script):
        """Whether a script ends with status 0."""
        return self.run(script).returncode == 0

    def in_network(self, *command, **options):
        """Starts a program of this machine in the network of that one."""
        return subprocess.Popen(["nsenter", "--target", self.leader, "--net", *command], text=True, **options)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Shell:
    """One shell of root, as a person has it: what a command exports, the next one has."""

    def __init__(self, machine, directory):
        self.process = subprocess.Popen(
            machine.command(f"cd {directory} && exec bash"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.count = 0

    def run(self, commands):
        """Runs commands up to the first that fails; returns whether none did, and what they wrote."""
        self.count += 1
        mark = f"--- {self.count} done ---"
        # The shell reads its commands from its input, so that these get another one.
        encoded = base64.b64encode(f"set -e\n{commands}\n".encode()).decode()
        self.process.stdin.write(
            f'eval "$(echo {encoded} | base64 --decode)" </dev/null\nset +e\necho; echo "{mark}"\n'
        )
        self.process.stdin.flush()
        watch = threading.Timer(PATIENCE, os.killpg, (self.process.pid, signal.SIGKILL))
        watch.start()
        written = []
        try:
            for line in self.process.stdout:
                if line.strip() == mark:
                    return True, "".join(written).rstrip()
                written.append(line)
            return False, "".join(written).rstrip()
        finally:
            watch.cancel()

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=PATIENCE)
