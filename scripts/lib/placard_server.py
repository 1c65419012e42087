"""Placard processes for checks: free ports, `placard serve` and `placard demo`, and calls of their API."""

import http.client
import json
import os
import re
import secrets
import socket
import subprocess
import time

PATIENCE = 120  # Seconds until something that has to happen has happened, on the busiest machine.


# What systems give to programs that want any port begins here or above: a port below is given to nobody, also while the
# server that had it is stopped and started again.
GIVEN_OUT = 32_768
# The ports of UDP of the last numbers, bound for as long as this process lives: no other check takes such a number.
kept_numbers = []


def free_port():
    """Returns a port of 127.0.0.1 that nobody uses, and that no other check is told."""
    while True:
        port = 20_000 + secrets.randbelow(GIVEN_OUT - 20_000)
        number = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            number.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            number.close()
            continue
        kept_numbers.append(number)
        if len(kept_numbers) > 100:
            kept_numbers.pop(0).close()
        return port


def wait_for(question, found, complaint, seconds=PATIENCE):
    """Asks until the answer is the one that is looked for, and returns it."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if found(answer):
            return answer
        assert time.monotonic() < end, f"{complaint}: {answer}"
        time.sleep(0.1)


class Connection:
    """One caller of the API with one key, on one connection."""

    def __init__(self, port, key, host="127.0.0.1"):
        self.key, self.connection = key, http.client.HTTPConnection(host, port, timeout=PATIENCE)

    def call(self, method, path, body=None):
        """Returns the JSON of a reply; raises where it is a refusal."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = self.connection.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise RuntimeError(f"{method} {path}: {reply.status} {text.decode()}")
        return json.loads(text) if text else None


class Server:
    """A process of `placard serve` or `placard demo` that can be stopped and started again."""

    def __init__(self, command, port=None, environment=None, log=None):
        """Starts the command on a port; the environment adds to this one, and the log is a file for its log."""
        self.port = port or free_port()
        self.command = [*command, "--port", str(self.port)]
        self.environment, self.log = {**os.environ, **(environment or {})}, log
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.start()

    @classmethod
    def serve(cls, placard, database, *flags, **options):
        """Starts `placard serve` on a database file."""
        return cls([placard, "serve", "--database", f"sqlite:{database}", *flags], **options)

    @classmethod
    def demo(cls, placard, directory, **options):
        """Starts `placard demo`, whose sample data goes to a directory."""
        os.makedirs(directory, exist_ok=True)
        return cls([placard, "demo", "--directory", str(directory)], **options)

    def start(self):
        """Starts the process and waits until it answers."""
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.environment
        )
        greeting = ""
        for line in self.process.stdout:
            greeting += line
            if line.startswith(("Ctrl-C", "Placard listens")):
                break
        self.greeting = greeting
        page = re.search(r"(http://\S+/dashboard\S*)", greeting)
        assert page, f"placard did not start: {self.command[1]} ended with status {self.process.wait(timeout=30)}"
        self.dashboard = page[1]
        keys = dict(re.findall(r"(publishable|secret) key\s+(\S+)", greeting))
        self.publishable, self.secret = keys.get("publishable"), keys.get("secret")

    def stop(self):
        """Ends the process in good order, and returns its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def is_running(self):
        return self.process.poll() is None

    def manage(self, method, path, body=None):
        """Calls the API with the secret key of a demo."""
        return Connection(self.port, self.secret).call(method, path, body)

    @property
    def resident_bytes(self):
        """The memory that the process has now."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor_seconds(self):
        """The processor time that the process has taken."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def descriptor_count(self):
        """The number of files and connections that the process has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def command(placard, *arguments, **options):
    """Runs a command of placard and returns what it printed."""
    done = subprocess.run([placard, *arguments], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"placard {arguments[0]}: {done.stderr}"
    return done.stdout


def make_key(placard, database, kind, *permissions, name="check"):
    """Makes a key in a database file, and returns its secret."""
    chosen = [argument for permission in permissions for argument in ("--permission", permission)]
    made = command(
        placard, "key", "create", "--name", name, "--kind", kind, *chosen, "--database", f"sqlite:{database}", "--json"
    )
    return json.loads(made)["secret"]
