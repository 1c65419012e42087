"""A server that trusts a provider, and documents and tokens that never end or lie elsewhere."""

import contextlib
import time
import urllib.parse

from ..browser import PASSWORD, Browser
from ..provider import Provider
from ..suite import check
from ..world import quick_hash

START = "/dashboard/sign-in/provider"


class Case:
    """A server that trusts a provider, and what browsers do at both."""

    def __init__(self, world, instance, provider):
        self.world, self.instance, self.provider = world, instance, provider

    def browser(self):
        return Browser(self.instance.port, self.world.address_of_this_machine())

    def begin(self, browser, after="/dashboard/keys"):
        """Begins to sign in, and returns where the browser is sent."""
        return browser.page(f"{START}?next={urllib.parse.quote(after, safe='')}").header("location")

    def sign_in(self, browser=None, **changes):
        """Signs in, and returns the browser and the reply to the provider's answer."""
        browser = browser or self.browser()
        address = self.begin(browser)
        check(address and address.startswith(self.provider.issuer), f"it doesn't begin: {address}")
        return browser, browser.page(self.provider.authorize(address, **changes))

    @contextlib.contextmanager
    def lie(self, make=None, **changes):
        """Has the provider's next tokens say something else."""
        self.provider.changes, self.provider.make = changes, make
        try:
            yield
        finally:
            self.provider.changes, self.provider.make = {}, None

    @contextlib.contextmanager
    def person(self, **changes):
        """Another person at the provider."""
        before = self.provider.person
        self.provider.person = {**before, **changes}
        try:
            yield
        finally:
            self.provider.person = before

    def refused(self, statuses=(401,), **changes):
        """Fails unless signing in is refused by a page, without a session."""
        browser, reply = self.sign_in(**changes)
        self.is_out(browser, reply, statuses)

    @staticmethod
    def is_out(browser, reply, statuses):
        check(reply.status in statuses, f"answered {reply}")
        check(browser.session_cookie[0] is None and not browser.is_signed_in, "it signed in")

    def works(self):
        browser, reply = self.sign_in()
        check(reply.status == 303 and browser.is_signed_in, f"the honest sign-in: {reply}")
        return browser

    def add_member(self, email, role):
        self.instance.database.write(
            "INSERT INTO members (email, password_hash, created_at, name, role) VALUES (?, ?, ?, ?, ?)",
            email,
            quick_hash(PASSWORD),
            time.time(),
            f"A {role}",
            role,
        )

    def members(self):
        return {
            email: (role, subject)
            for email, role, subject in self.instance.database.rows("SELECT email, role, identity_subject FROM members")
        }


def elsewhere(listener, status=302):
    return lambda handler: Provider.send(handler, {}, status, Location=f"http://127.0.0.1:{listener.port}/")


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(4_000):
        handler.wfile.write(b" " * 65_536)


def dripping(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(60):
        handler.wfile.write(b" ")
        time.sleep(0.5)
