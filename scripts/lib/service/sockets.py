"""A server that listens on a Unix socket, by itself and handed down."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess

import placard_server
from service.manager import PATIENCE, Manager, status_of

ROOT = pathlib.Path(__file__).resolve().parents[3]


def listening(pid):
    """The TCP ports on which a process listens."""
    inodes = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    ports = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in open(table).readlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.add(int(fields[1].split(":")[1], 16))
    return ports


class LocalConnection(http.client.HTTPConnection):
    """A connection by a Unix socket, as of a proxy."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self.path)

    def ask(self, path, headers=None, method="GET", body=None):
        """Returns the status of an answer."""
        self.request(method, path, body, headers or {})
        reply = self.getresponse()
        reply.read()
        return reply.status


def has_version_6():
    """Whether the machine has a loopback address of version 6."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def addresses(check, placard, database):
    """A server that listens on addresses of version 6: doctor finds it at the address that it is given."""
    if not has_version_6():
        check.leave_out("servers on addresses of version 6, of which this machine has none")
        return
    for host in ("::1", "::"):
        with placard_server.Server.serve(placard, database, "--log-level", "error", "--host", host) as server:
            at = ["--database", f"sqlite:{database}", "--host", host, "--port", str(server.port)]
            done = subprocess.run([placard, "doctor", "--json", *at], capture_output=True, text=True, timeout=PATIENCE)
            found = next(one for one in json.loads(done.stdout)["checks"] if one["subject"] == "server")
            check(f"doctor finds a server that listens on {host}.", found["level"] == "ok", found)
            ready = subprocess.run([placard, "doctor", "--ready", *at], capture_output=True, timeout=PATIENCE)
            check(f"And asks it whether it is ready, on {host}.", ready.returncode == 0, ready)


def local_sockets(check, placard, database, work):
    """A server that only processes of this machine reach."""
    path, source, log = work / "placard.sock", f"sqlite:{database}", work / "access.jsonl"

    def serve(*flags):
        process = subprocess.Popen(
            [placard, "serve", "--database", source, "--log-level", "error", "--access-log", str(log), *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        process.greeting = process.stdout.readline()
        return process

    def end(process, number=signal.SIGTERM):
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        return process.returncode

    def refusal(*flags):
        done = subprocess.run(
            [placard, "serve", "--database", source, *flags], capture_output=True, text=True, timeout=PATIENCE
        )
        return done.returncode, done.stderr

    def doctor(*flags):
        done = subprocess.run(
            [placard, "doctor", "--database", source, "--json", *flags],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        found = next(one for one in json.loads(done.stdout)["checks"] if one["subject"] == "server")
        return found["level"], found["message"]

    def readiness(*flags):
        """The status of asking whether the server is ready, for two seconds."""
        asked = [placard, "doctor", "--ready", "--wait", "2", "--database", source, *flags]
        return subprocess.run(asked, capture_output=True, timeout=PATIENCE).returncode

    def counted(address):
        """Whether the last request came from an address, as the access log has it."""

        def last():
            return [json.loads(line)["address"] for line in log.read_text().splitlines()][-1:]

        try:
            return placard_server.wait_for(last, lambda found: found == [address], "Another address is in the log") == [
                address
            ]
        except AssertionError as error:
            print(error)
            return False

    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    process = serve("--socket", str(path))
    check("The server says where it listens.", f"unix:{path}" in process.greeting, process.greeting)
    check("It listens on no port.", listening(process.pid) == set(), listening(process.pid))
    check("Its account and its group may connect.", path.stat().st_mode & 0o777 == 0o660, oct(path.stat().st_mode))
    check("It is ready.", LocalConnection(path).ask("/readyz") == 200)
    check(
        "Nothing else is left in the folder.",
        {one.name for one in work.iterdir()} == {path.name, log.name},
        list(work.iterdir()),
    )
    LocalConnection(path).ask("/healthz", forwarded)
    check("Nobody is believed who wasn't named.", counted(None))
    check("doctor finds it.", doctor("--socket", str(path))[0] == "ok", doctor("--socket", str(path)))
    other = refusal("--socket", str(path))
    check("A second server is refused.", other[0] == 1 and "Something listens" in other[1], other)
    check("And the first one goes on.", LocalConnection(path).ask("/readyz") == 200)
    check("It ends in good order, and leaves nothing.", end(process) == 0 and not path.exists(), list(work.iterdir()))
    check(
        "doctor says that none listens.",
        "none listens" in str(doctor("--socket", str(path))),
        doctor("--socket", str(path)),
    )

    process = serve("--socket", str(path), "--trusted-proxies", "unix", "--socket-mode", "600")
    LocalConnection(path).ask("/healthz", forwarded)
    check("A proxy that is trusted says who the client is.", counted("203.0.113.9"))
    check("The socket has the mode of the settings.", path.stat().st_mode & 0o777 == 0o600, oct(path.stat().st_mode))
    end(process, signal.SIGKILL)
    check("A server that is killed leaves its socket.", path.is_socket())
    process = serve("--socket", str(path))
    check("The next one takes its place.", LocalConnection(path).ask("/readyz") == 200)
    check("doctor --ready says so by its status alone.", readiness("--socket", str(path)) == 0)
    path.unlink()
    try:
        placard_server.wait_for(path.is_socket, bool, "The socket isn't put back")
        answer = LocalConnection(path).ask("/readyz")
    except (AssertionError, OSError) as error:
        answer = error
    check("A socket that is removed is put back, and served.", answer == 200, answer)
    check("It has its mode.", path.is_socket() and path.stat().st_mode & 0o777 == 0o660)
    path.unlink()
    path.write_text("mine")
    end(process)
    check("doctor --ready says when nobody answers.", readiness("--socket", str(path)) == 1)
    check("What isn't the server's own socket stays.", path.read_text() == "mine")
    done = refusal("--socket", str(path))
    check("A file isn't replaced.", done[0] == 1 and "is no socket" in done[1] and path.read_text() == "mine", done)
    path.unlink()
    for flags in (
        ["--socket", "x" * 91],
        ["--socket", str(path), "--port", "0"],
        ["--socket", str(path), "--socket-mode", "888"],
        ["--socket-mode", "660"],
    ):
        done = refusal(*flags)
        check(f"What can't be meant is refused: {flags[-1][:9]}.", done[0] == 64, done)
    done = refusal("--socket", str(work / "nowhere" / "s"))
    check("A folder that isn't there is said.", done[0] == 1 and "nowhere" in done[1], done)

    secret = placard_server.make_key(placard, database, "secret", "manage", name="local")
    process = serve("--socket", str(path))
    limits = {"burst": 3, "per_second": 0.001}
    bearer = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    changed = LocalConnection(path).ask(
        "/v1/settings", bearer, "PATCH", json.dumps({"device_limits": {"requests_per_address": limits}})
    )
    check("A backend reaches it.", changed == 200, changed)
    statuses = [
        LocalConnection(path).ask("/v1/sync", {"X-Forwarded-For": f"203.0.113.{number}"}, "POST", "{}")
        for number in range(5)
    ]
    check("Those who aren't told apart are limited together.", statuses[-1] == 429, statuses)
    end(process)
    nginx_before(check, serve, end, counted, path, work)
    handed_down(check, placard, database, work)


def nginx_before(check, serve, end, counted, path, work):
    """The configuration of packaging/proxies with a Unix socket."""
    # The path of an account that isn't root's has no /usr/sbin.
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    check("nginx is there: scripts/install-requirements installs it.", program)
    if not program:
        return
    port = placard_server.free_port()
    text = (ROOT / "packaging/proxies/nginx.conf").read_text()
    server = "    server 127.0.0.1:8080;\n"
    assert text.count(server) == 1 and text.count("# server unix:/run/placard/placard.sock;") == 1, text
    text = text.replace(server, "").replace("# server unix:/run/placard/placard.sock;", f"server unix:{path};")
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = "\n".join(line for line in text.splitlines() if "ssl_certificate" not in line)
    # Its workers have another account otherwise, which can't enter this folder.
    user = "user root; " if os.geteuid() == 0 else ""
    (work / "nginx.conf").write_text(
        f"{user}daemon off; error_log {work}/error.log; pid {work}/nginx.pid;\nevents {{}}\nhttp {{ access_log off;"
        f" client_body_temp_path {work}/t; proxy_temp_path {work}/t; fastcgi_temp_path {work}/t; uwsgi_temp_path"
        f" {work}/t; scgi_temp_path {work}/t;\n{text}\n}}"
    )
    process = serve("--socket", str(path), "--trusted-proxies", "unix", "--socket-mode", "666")
    nginx = subprocess.Popen([program, "-p", str(work), "-c", str(work / "nginx.conf"), "-e", str(work / "error.log")])
    try:
        found = placard_server.wait_for(
            lambda: status_of(http.client.HTTPConnection("127.0.0.1", port, timeout=5)),
            lambda status: status == 200,
            "nginx doesn't reach the server",
        )
        check("nginx reaches the server by the socket, as its example has it.", found == 200, found)
        check("And says who the client is.", counted("127.0.0.1"))
    finally:
        nginx.terminate()
        nginx.wait(timeout=PATIENCE)
        end(process)


def handed_down(check, placard, database, work):
    """A Unix socket that systemd keeps: ListenStream= with a path."""
    folder = work / "handed"
    folder.mkdir()
    manager = Manager(placard, database, folder, listens=False)
    manager.listener, manager.port = socket.socket(socket.AF_UNIX), None
    path = folder / "systemd.sock"
    manager.listener.bind(str(path))
    manager.listener.listen(64)
    for _ in range(2):
        manager.start()
        check("A server that is handed a Unix socket gets ready.", manager.listen("READY=1"), manager.said)
        check("It answers there.", LocalConnection(path).ask("/readyz") == 200)
        check("It ends in good order, and the socket stays.", manager.stop() == 0 and path.is_socket())
