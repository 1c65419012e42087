"""A server's certificates while clients speak HTTPS to it."""

import json
import os
import signal
import socket
import ssl
import subprocess
import time

from service.manager import PATIENCE, Load, Manager, connected, status_of


class Authority:
    """An authority, and certificates of it for this machine."""

    def __init__(self, work):
        self.work = work
        work.mkdir()
        self.openssl(
            "req", "-x509", *self.new, "-days", "2", "-subj", "/CN=authority", "-keyout", "root.key", "-out", "root.pem"
        )
        (work / "names").write_text("subjectAltName=IP:127.0.0.1")
        self.client = ssl.create_default_context(cafile=str(work / "root.pem"))

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.work, check=True, capture_output=True)

    def certificate(self, name, days=2):
        """Makes a certificate; returns its text, with the authority's after it, and that of its key."""
        self.openssl("req", *self.new, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self.openssl(
            "x509",
            "-req",
            "-in",
            f"{name}.csr",
            "-CA",
            "root.pem",
            "-CAkey",
            "root.key",
            "-days",
            str(days),
            "-set_serial",
            str(1 + sum(name.encode())),
            "-extfile",
            "names",
            "-out",
            f"{name}.pem",
        )
        chain = (self.work / f"{name}.pem").read_text() + (self.work / "root.pem").read_text()
        return chain, (self.work / f"{name}.key").read_text()

    def name_at(self, port):
        """The name of the certificate that a server sends."""
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
            with self.client.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                return connection.getpeercert()["subject"][0][0][1]


def certificates(check, placard, database, work):
    """The server speaks HTTPS itself, on a socket that it was handed, and reads its certificate again under load."""
    authority = Authority(work / "authority")
    first, second = authority.certificate("first"), authority.certificate("second", days=9)
    chain, key = work / "chain.pem", work / "key.pem"
    flags = ("--tls-certificate", str(chain), "--tls-key", str(key))

    def write(texts, keeps=None):
        for path, text in zip((chain, key), texts):
            if path != keeps:
                path.write_text(text)
                path.chmod(0o640)

    def doctor(*more):
        done = subprocess.run(
            [
                placard,
                "doctor",
                "--database",
                f"sqlite:{database}",
                "--port",
                str(manager.port),
                "--json",
                *flags,
                *more,
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return {one["subject"]: (one["level"], one["message"]) for one in json.loads(done.stdout)["checks"]}

    def log():
        return (work / "log").read_text()

    def reload():
        manager.process.send_signal(signal.SIGHUP)
        manager.listen("READY=1")

    manager, settings = Manager(placard, database, work), work / "placard.yaml"
    settings.write_text("log_level: info\n")
    refused = subprocess.run(
        [placard, "serve", "--database", f"sqlite:{database}", "--port", "0", *flags],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    check(
        "A server without its certificate doesn't start, and is started again.",
        refused.returncode == 1 and "can't be read" in refused.stderr,
        refused,
    )
    write(first)
    manager.start(*flags, "--head-timeout", "1", "--config", str(settings))
    manager.listen("READY=1")
    connection = connected(manager.port, authority.client)
    connection.request("GET", "/dashboard/setup")
    reply = connection.getresponse()
    reply.read()
    cookie = reply.getheader("Set-Cookie") or ""
    check(
        "Browsers are told to come by HTTPS alone.", reply.getheader("Strict-Transport-Security") == "max-age=31536000"
    )
    check("Cookies go over HTTPS alone.", cookie.startswith("__Host-") and "secure" in cookie.lower(), cookie)
    check("Who speaks plain HTTP gets nothing.", status_of(connected(manager.port)) is None)
    silent = [socket.create_connection(("127.0.0.1", manager.port), PATIENCE) for _ in range(50)]
    for client in silent[:25]:
        client.sendall(b"\x16\x03\x01\x02\x00\x01\x00")
    check("Handshakes that don't end are ended.", all(client.recv(1) == b"" for client in silent))
    found = doctor()
    check(
        "Doctor sees the certificate, and the server.",
        found["certificate"][0] == "warn" and found["server"][0] == "ok",
        found,
    )

    loads = [Load(manager.port, keeps, encryption=authority.client) for keeps in (True, False, False)]
    for load in loads:
        load.start()
    for number in range(20):
        texts = (first, second)[(number + 1) % 2]
        # What renews a certificate replaces one file after the other.
        write(texts, keeps=key)
        reload()
        write(texts)
        reload()
    check("What is read last is sent.", authority.name_at(manager.port) == "first", authority.name_at(manager.port))
    check("A certificate without its key takes no other's place.", log().count("the old one stays") >= 1)
    for text in ("", "-----BEGIN CERTIFICATE-----\nnone", first[1]):
        write((text, first[1]))
        reload()
        check("What is no certificate takes no other's place.", authority.name_at(manager.port) == "first")
    chain.unlink()
    os.mkfifo(chain)
    reload()
    check("Nor does a pipe that nobody writes to.", authority.name_at(manager.port) == "first")
    chain.unlink()
    write(second)
    found = doctor()
    check(
        "Doctor sees that another certificate is sent than the files have.",
        "another certificate" in found["server"][1],
        found,
    )
    reload()
    found = doctor()
    check(
        "And that it isn't once they are read.",
        found["server"][0] == "ok" and authority.name_at(manager.port) == "second",
        found,
    )
    settings.write_text("log_level: info\npublic_url: https://cards.example.com\n")
    reload()
    named = "Settings were changed that count once the server is restarted settings=public_url\n"
    check("A change that only a start reads is named.", named in log(), log()[-2000:])
    settings.write_text("log_levle: info\n")
    write(first)
    reload()
    check(
        "A certificate is read again also where the settings can't be.",
        authority.name_at(manager.port) == "first" and "there is no setting log_levle" in log(),
        log()[-2000:],
    )
    settings.write_text("log_level: info\n")
    write(second)
    reload()
    key.chmod(0o644)
    check("Doctor sees a key that everybody can read.", "Every account" in doctor()["certificate"][1])
    for load in loads:
        load.end()
    failures = [failure for load in loads for failure in load.failures]
    print(
        f"{sum(load.answered for load in loads)} requests over HTTPS while certificates were read again,"
        f" {len(failures)} failed."
    )
    check("No request fails while certificates are read again.", not failures, failures[:5])
    metrics = connected(manager.port, authority.client)
    metrics.request("GET", "/metrics")
    values = dict(
        line.rsplit(" ", 1) for line in metrics.getresponse().read().decode().splitlines() if not line.startswith("#")
    )
    name = "placard_tls_certificate"
    check(
        "Metrics say when it expires.",
        8 * 86400 < int(values[f"{name}_expiry_timestamp_seconds"]) - time.time() < 10 * 86400,
    )
    check("And what was not taken.", int(values[f"{name}_reload_failures_total"]) >= 3)
    check("And how handshakes ended.", int(values['placard_tls_handshakes_total{result="failed"}']) >= 50)
    check("It ends in good order.", manager.stop() == 0)
