"""Sends messages to members by a mail server (aiosmtpd), and looks at what arrives.

usage: check_mail.py PLACARD; see scripts/check-mail

The server is one as an operator would start it, with the settings of placard.yaml. What arrives is read by Python's
reader of messages, and its links are opened.
"""

import argparse
import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings


ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))

import placard_server  # noqa: E402
from proofs import check, checks, finish, prove  # noqa: E402
from security.browser import PASSWORD, Browser  # noqa: E402
from mail_server import ADDRESS, Mailbox, link, text  # noqa: E402

CHOSEN = "walrus kettle drawer 58"


class World:
    """A server with an admin, and the mail server that it uses."""

    def __init__(self, placard, directory):
        self.placard, self.directory = placard, directory
        self.mailbox = Mailbox(directory).start()
        (directory / "password").write_text("ge heimé\n")
        self.settings = directory / "placard.yaml"
        self.configure()
        self.database = directory / "cards.sqlite"
        self.serve()
        page, setup = re.match(r"http://[^/]+(\S+code=(\w+))", self.server.dashboard).groups()
        self.admin = Browser(self.server.port)
        token = self.admin.token(page)
        fields = {"code": setup, "email": "admin@example.com", "name": "Anna", "password": PASSWORD}
        reply = self.admin.post("/dashboard/setup", fields, token=token)
        assert reply.status == 303, reply
        self.admin.password = PASSWORD
        self.key = placard_server.make_key(placard, self.database, "secret", "campaigns", "settings")

    def configure(self, **changes):
        settings = {
            "database": f"sqlite:{self.directory / 'cards.sqlite'}",
            "public_url": ADDRESS,
            "smtp_host": "localhost",
            "smtp_port": self.mailbox.port,
            "smtp_user": "placard",
            "smtp_password_file": str(self.directory / "password"),
            "smtp_from": "Placard カード <cards@example.com>",
            "smtp_trusted_certificates": str(self.mailbox.certificate),
            "private_webhooks": False,
            **changes,
        }
        self.settings.write_text(json.dumps({name: value for name, value in settings.items() if value is not None}))

    def serve(self):
        log = open(self.directory / "log", "a")
        self.server = placard_server.Server([self.placard, "serve", "--config", str(self.settings)], log=log)

    def again(self, **changes):
        """Starts the server again with other settings."""
        self.server.stop()
        self.configure(**changes)
        self.serve()
        self.admin.port = self.server.port

    def browser(self, language=None):
        browser = Browser(self.server.port)
        if language:
            send = browser.request
            browser.request = lambda method, path, body=None, headers=None: send(
                method, path, body, {"Accept-Language": language, **(headers or {})}
            )
        return browser

    def invite(self, address, role="editor"):
        reply = self.admin.post("/dashboard/team", {"name": "", "email": address, "role": role})
        assert reply.status == 201, reply
        return reply

    def forgot(self, address, language=None):
        browser = self.browser(language)
        token = browser.token("/dashboard/forgot")
        reply = browser.post("/dashboard/forgot", {"email": address}, token=token)
        assert reply.status == 200, reply
        return reply

    def choose(self, path, password=CHOSEN):
        browser = self.browser()
        token = browser.token(path)
        return browser.post("/dashboard/password", {"token": path.split("=")[1], "password": password}, token=token)

    def metric(self, name):
        reply = self.browser().page("/metrics").text
        return float(re.search(rf"^{re.escape(name)} (\S+)$", reply, re.MULTILINE)[1])

    def doctor(self):
        done = subprocess.run(
            [self.placard, "doctor", "--config", str(self.settings), "--port", str(self.server.port), "--json"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        return {check["subject"]: check for check in json.loads(done.stdout)["checks"]}


@check("An invitation comes by STARTTLS and with a password, and its link lets the member in")
def invitation(world):
    reply = world.invite("emil@example.com")
    message = world.mailbox.next("emil@example.com")
    assert message["subject"] == "Anna (admin@example.com) has invited you to Placard", message["subject"]
    assert str(message["from"]) == "Placard カード <cards@example.com>", message["from"]
    assert message["to"] == "emil@example.com" and message["auto-submitted"] == "auto-generated"
    assert world.mailbox.logins[-1] == ("PLAIN", b"placard", "ge heimé".encode()), world.mailbox.logins
    path = link(message)
    assert path.split("=")[1] in reply.text, "the page shows another link"
    assert world.choose(path).status == 303
    assert world.browser().sign_in("emil@example.com", CHOSEN).status == 303


@check("A forgotten password is replaced by a link, in the language of the browser")
def forgotten(world):
    world.forgot("emil@example.com", "ja")
    message = world.mailbox.next("emil@example.com")
    assert message["subject"] == "Placardのパスワードの再設定", message["subject"]
    assert "有効期限" in text(message)
    assert world.choose(link(message), "drawer kettle walrus 59").status == 303
    assert world.browser().sign_in("emil@example.com", CHOSEN).status == 401
    assert world.browser().sign_in("emil@example.com", "drawer kettle walrus 59").status == 303


@check("No link that waits is in the database in clear text, and none is in the log")
def sealed(world):
    # The one that tells of the password that was chosen last.
    placard_server.wait_for(lambda: world.metric("placard_mails_waiting"), lambda count: count == 0, "messages wait")
    world.mailbox.stop()
    world.forgot("admin@example.com")
    placard_server.wait_for(lambda: world.metric("placard_mails_waiting"), lambda count: count == 1, "no message waits")
    files = [path.read_bytes() for path in world.directory.glob("cards.sqlite*") if path.is_file()]
    assert not any(b"/dashboard/password" in data for data in files), "it is in the database"
    world.mailbox = Mailbox(world.directory, world.mailbox.port).start()
    token = link(world.mailbox.next("admin@example.com")).split("=")[1]
    assert token not in (world.directory / "log").read_text(), "it is in the log"


@check(
    "A message waits while the mail server is down, doctor and the metrics say so, and it comes once the server is back"
)
def outage(world):
    failed = world.metric('placard_mails_total{result="failed"}')
    world.mailbox.stop()
    world.forgot("admin@example.com")
    placard_server.wait_for(
        lambda: world.metric('placard_mails_total{result="failed"}'), lambda count: count > failed, "nothing has failed"
    )
    doctor = world.doctor()
    assert doctor["mail"]["level"] == "fail" and str(world.mailbox.port) in doctor["mail"]["message"], doctor["mail"]
    assert doctor["messages"]["message"] == "1 wait", doctor["messages"]
    world.mailbox = Mailbox(world.directory, world.mailbox.port).start()
    world.mailbox.next("admin@example.com")
    assert world.doctor()["mail"]["level"] == "ok"
    placard_server.wait_for(lambda: world.metric("placard_mails_waiting"), lambda count: count == 0, "it still waits")


@check("Who isn't known to the mail server gets nothing, and keeps nobody else from it")
def rejected(world):
    world.invite("unknown@example.com")
    placard_server.wait_for(
        lambda: world.metric('placard_mails_total{result="rejected"}'), lambda count: count == 1, "it wasn't rejected"
    )
    world.invite("kept@example.com")
    world.mailbox.next("kept@example.com")
    assert "550 5.1.1 No such user" in (world.directory / "log").read_text()


@check("Administrators are told of a request for approval, in the language of their account")
def approvals(world):
    reply = world.admin.post("/dashboard/language", {"language": "ja"})
    assert reply.status == 303, reply
    api = placard_server.Connection(world.server.port, world.key)
    api.call("PATCH", "/v1/settings", {"launch_approval": "editors"})
    card = {"type": "classic", "title": "Hello", "description": "World"}
    campaign = {
        "id": "sale",
        "name": "夏のセール\r\nBcc: eve@example.com",
        "variants": [{"id": "a", "name": "A", "card": card}],
    }
    try:
        api.call("POST", "/v1/campaigns", campaign)
    except RuntimeError as refusal:
        # Names have no line breaks.
        assert " 400 " in str(refusal), refusal
        campaign["name"] = "夏のセール"
        api = placard_server.Connection(world.server.port, world.key)
        api.call("POST", "/v1/campaigns", campaign)
    api.call("POST", "/v1/campaigns/sale/approvals", {"comment": "Bcc: eve@example.com\n.\nFertig?"})
    message = world.mailbox.next("admin@example.com")
    assert message["subject"] == "承認リクエスト：「夏のセール」の公開", message["subject"]
    assert message["bcc"] is None and "> .\n> Fertig?" in text(message), text(message)
    assert link(message) == "/dashboard/campaigns/sale/approval"


@check("A certificate that nobody vouches for gets no password, and doctor says why")
def certificate(world):
    logins = len(world.mailbox.logins)
    world.again(smtp_trusted_certificates=None)
    failed = world.metric('placard_mails_total{result="failed"}')
    world.forgot("emil@example.com")
    placard_server.wait_for(
        lambda: world.metric('placard_mails_total{result="failed"}'), lambda count: count > failed, "nothing has failed"
    )
    assert world.doctor()["mail"]["level"] == "fail" and len(world.mailbox.logins) == logins, world.mailbox.logins
    world.again()
    world.mailbox.next("emil@example.com")


@check("Settings that can't be used are refused when the server starts, and say what to do")
def settings(world):
    wrong = [
        ({"public_url": None}, "public_url"),
        ({"smtp_from": None}, "smtp_from"),
        ({"smtp_from": "x"}, "smtp_from"),
        ({"smtp_security": "tls"}, "smtp_security"),
        ({"smtp_security": "none"}, "smtp_security"),
        ({"smtp_port": 0}, "smtp_port"),
        ({"smtp_host": "a b"}, "smtp_host"),
        ({"smtp_user": None}, "smtp_user"),
        ({"smtp_password_file": None}, "smtp_user"),
        ({"smtp_password": "x"}, "smtp_password_file"),
        ({"smtp_password_file": "/nothing"}, "smtp_password_file"),
        ({"smtp_host": None}, "smtp_port"),
    ]
    for changes, name in wrong:
        world.configure(**changes)
        done = subprocess.run(
            [world.placard, "serve", "--config", str(world.settings), "--port", str(placard_server.free_port())],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert done.returncode == 64 and name in done.stderr, f"{changes}: {done.returncode} {done.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("placard", type=pathlib.Path)
    arguments = parser.parse_args()
    held = 0
    # That a client breaks off is what a check wants to see.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", DeprecationWarning)
    with tempfile.TemporaryDirectory(prefix="placard-mail-") as directory:
        world = World(arguments.placard, pathlib.Path(directory))
        try:
            held = prove(lambda function: function(world))
        finally:
            world.server.stop()
            world.mailbox.stop()
            if held < len(checks):
                print((pathlib.Path(directory) / "log").read_text()[-4000:])
    finish("messages", held)


if __name__ == "__main__":
    main()
