"""A mail server that keeps what it is sent, and what messages say."""

import email
import email.policy
import re
import ssl
import subprocess
import time

import placard_server
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

ADDRESS = "https://cards.example.com"

PATIENCE = 60


class Mailbox:
    """A mail server that asks for a password behind STARTTLS, and keeps what it takes."""

    def __init__(self, directory, port=None, name="localhost", tls=True):
        self.messages, self.logins = [], []
        self.port = port or placard_server.free_port()
        self.certificate, key = directory / f"{name}.pem", directory / f"{name}.key"
        if not self.certificate.exists():
            subprocess.run(
                [
                    "openssl",
                    "req",
                    "-x509",
                    "-newkey",
                    "ec",
                    "-pkeyopt",
                    "ec_paramgen_curve:prime256v1",
                    "-nodes",
                    "-days",
                    "2",
                    "-subj",
                    f"/CN={name}",
                    "-addext",
                    f"subjectAltName=DNS:{name}",
                    "-keyout",
                    key,
                    "-out",
                    self.certificate,
                ],
                check=True,
                capture_output=True,
            )
        context = None
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate, key)
        self.controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            tls_context=context,
            require_starttls=tls,
            auth_required=tls,
            authenticator=self.authenticate,
        )

    def authenticate(self, server, session, envelope, mechanism, data):
        """Takes one user, and one password."""
        self.logins.append((mechanism, data.login, data.password))
        return AuthResult(success=(data.login, data.password) == (b"placard", b"ge heim\xc3\xa9"))

    async def handle_RCPT(self, server, session, envelope, address, options):
        """Knows everybody but one."""
        if address.startswith("unknown"):
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        """Keeps a message."""
        self.messages.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 OK"

    def start(self):
        self.controller.start()
        return self

    def stop(self):
        self.controller.stop(no_assert=True)

    def next(self, address):
        """Waits for a message to an address, and returns it parsed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for place, (sender, recipients, content) in enumerate(self.messages):
                if recipients == [address]:
                    del self.messages[place]
                    assert sender == "cards@example.com", sender
                    lines = content.split(b"\r\n")
                    assert all(len(line) <= 78 and line.isascii() for line in lines) and b"\n" not in b"".join(lines), (
                        content
                    )
                    return email.message_from_bytes(content, policy=email.policy.default)
            time.sleep(0.1)
        raise AssertionError(f"no message to {address} came")


def text(message):
    """The text of a message, with U+000A at the end of each line."""
    return message.get_content().replace("\r\n", "\n")


def link(message):
    """The path of the only link of a message."""
    links = re.findall(r"^https?://\S+$", text(message), re.MULTILINE)
    assert len(links) == 1 and links[0].startswith(ADDRESS + "/dashboard/"), links
    return links[0][len(ADDRESS) :]
