"""Two-factor sign-in: codes, tickets, recovery codes."""

import hashlib
import hmac
import re
import struct
import time

from ..base64url import decode, encode
from ..browser import PASSWORD, Browser
from ..page import Page
from ..suite import Topic, check
from .sign_in import at_once

topic = Topic("Second factor")
EMAIL = "factor@example.com"


def code(secret, step=1):
    """The code that an authenticator app shows, by default that of the next half minute.

    The server takes it for at least thirty seconds from now, however long a request takes to get there.
    """
    counter = struct.pack(">Q", int(time.time() // 30) + step)
    digest = hmac.new(secret, counter, hashlib.sha1).digest()
    offset = digest[19] & 15
    return f"{(struct.unpack('>I', digest[offset : offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class Member:
    """A member with a second factor."""

    def __init__(self, world, email):
        self.world, self.email = world, email
        world.add_member(email, "viewer")
        browser = world.browser(email)
        page = Page(browser.page("/dashboard/account").text)
        form = next(form for form in page.forms if "secret" in form.fields)
        shown = re.search(r'<code class="secret">([A-Z2-7 ]+)</code>', browser.page("/dashboard/account").text)
        # The page shows a new secret each time; the form says which one is meant.
        value = form.fields["secret"]
        self.secret = decode(value)
        assert shown and len(self.secret) >= 16, "the account shows no secret"
        fields = {**form.fields, "code": code(self.secret, 0), "current": PASSWORD}
        fields.pop("csrf")
        reply = browser.post("/dashboard/account/factor", fields)
        assert reply.status < 400, f"two-factor sign-in could not be switched on: {reply}"
        body = reply.text if reply.status != 303 else browser.page("/dashboard/account").text
        self.recovery = re.findall(r"<li><code>([^<]+)</code>", body)
        self.browser = browser

    def ticket(self, source=None):
        """Signs in as far as the code, and returns the browser and the ticket."""
        browser = Browser(self.world.port, source or self.world.address_of_this_machine())
        reply = browser.sign_in(self.email)
        found = re.search(r'name="ticket" value="([^"]+)"', reply.text)
        assert found, f"no code is asked for: {reply}"
        return browser, found[1].replace("&amp;", "&")

    def enter(self, browser, ticket, typed):
        """Sends a code, and returns the reply."""
        token = browser.token("/dashboard/sign-in")
        return browser.post("/dashboard/sign-in/code", {"ticket": ticket, "code": typed}, token=token)


@topic.family
def all_of_them(world):
    member = Member(world, EMAIL)
    yield "A right code signs in, once: the same code is refused the second time", lambda: once(member)
    yield "Of 60 codes sent at once with one ticket, only the free ones are looked at", lambda: parallel(world)
    yield "One right code that is sent 12 times at once signs in once", lambda: parallel_right(world)
    for name, expiry in EXPIRIES.items():
        yield f"A ticket whose expiry is {name} is refused, and the server lives", ticket_expiry(member, expiry)
    # What is refused takes nothing from a member, so one does for all; making one takes ten slow hashes.
    other = Member(world, "tickets@example.com")
    yield "A ticket that is changed, cut off, empty or another's is refused", lambda: tickets(member, other)
    yield "A ticket alone is no session", lambda: ticket_is_no_session(other)
    yield "A password alone opens no page where a second factor is on", lambda: no_page(other)
    yield "Codes of other digits, lengths and scripts are refused", lambda: odd_codes(other)
    yield "Codes of the minutes before and after are refused", lambda: far_codes(other)
    yield "A recovery code signs in once, also of 8 that are sent at once", lambda: recovery(world)
    yield "The second factor is not switched off with the password alone", lambda: switch_off(other)
    yield "New recovery codes are not made with the password alone", lambda: renewal(other)
    yield "A second factor is not switched on without the password, or with another's secret", lambda: switch_on(world)


def once(member):
    browser, ticket = member.ticket()
    typed = code(member.secret)
    reply = member.enter(browser, ticket, typed)
    check(reply.status == 303 and browser.is_signed_in, f"the right code: {reply}")
    browser, ticket = member.ticket()
    reply = member.enter(browser, ticket, typed)
    check(reply.status in (401, 429) and not browser.is_signed_in, f"the second time: {reply}")


def parallel(world):
    member = Member(world, "parallel@example.com")
    browser, ticket = member.ticket()
    tokens = [browser.token("/dashboard/sign-in") for _ in range(60)]
    cookies, source = dict(browser.cookies), browser.source

    def work(number):
        each = Browser(world.port, source)
        each.cookies = dict(cookies)
        return each.post(
            "/dashboard/sign-in/code", {"ticket": ticket, "code": f"{number:06}"}, token=tokens[number]
        ).status

    replies = at_once(work, 60)
    looked_at = sum(status == 401 for status in replies)
    check(looked_at <= 8, f"{looked_at} of 60 were looked at")
    check(set(replies) <= {401, 429, 303, 503}, f"answered {set(replies)}")


def parallel_right(world):
    member = Member(world, "racer@example.com")
    browser, ticket = member.ticket()
    tokens = [browser.token("/dashboard/sign-in") for _ in range(12)]
    cookies, typed = dict(browser.cookies), code(member.secret)

    def work(number):
        each = Browser(world.port, browser.source)
        each.cookies = dict(cookies)
        each.post("/dashboard/sign-in/code", {"ticket": ticket, "code": typed}, token=tokens[number])
        return each.is_signed_in

    check(sum(at_once(work, 12)) == 1, "not exactly one was let in")


EXPIRIES = {
    "2⁶³ − 1": 2**63 - 1,
    "−2⁶³": -(2**63),
    "2⁶³": 2**63,
    "2⁶⁴": 2**64,
    "0": 0,
    "−1": -1,
    "1e300": "1e300",
    "NaN": "nan",
    "Infinity": "inf",
    "an hour away": int(time.time()) + 3600,
    "2⁵³ + 1": 2**53 + 1,
    "empty": "",
    "in Arabic digits": "١٢٣",
}


def ticket_expiry(member, expiry):
    def attack():
        browser = Browser(member.world.port, member.world.address_of_this_machine())
        for signature in ("AAAA", "A" * 43, ""):
            reply = member.enter(browser, f"{signature}.{expiry}.{member.email}", "123456")
            check(reply.status in (303, 400, 401), f"answered {reply}")
            check(not browser.is_signed_in, "signed in")

    return attack


def tickets(other, member):
    browser, ticket = member.ticket()
    signature, expiry, email = ticket.split(".", 2)
    right = code(member.secret)
    for odd in (
        "",
        "..",
        ticket[1:],
        ticket + "x",
        f"{signature}.{expiry}.{other.email}",
        f"{signature}.{int(expiry) + 60}.{email}",
        f"{signature}.{expiry}.{email.upper()}",
        f".{expiry}.{email}",
        f"{signature}..{email}",
        "\x00",
        "a" * 5000,
        f"{signature}.0{expiry}.{email}",
    ):
        reply = member.enter(browser, odd, right)
        check(reply.status in (303, 400, 401, 403) and not browser.is_signed_in, f"{odd[:60]!r}: {reply}")
    # The other's right code does not open this account.
    reply = member.enter(browser, ticket, code(other.secret))
    check(reply.status in (401, 429) and not browser.is_signed_in, f"the other's code: {reply}")


def ticket_is_no_session(member):
    browser, ticket = member.ticket()
    for name in ("placard_session", "__Host-placard_session"):
        browser.cookies[name] = ticket.split(".")[0]
    check(not browser.is_signed_in, "the ticket is a session")


def no_page(member):
    browser, _ = member.ticket()
    for path in member.world.pages:
        check(browser.page(path).status in (303, 401, 403), path)


def odd_codes(member):
    browser, ticket = member.ticket()
    right = code(member.secret, 1)
    arabic = "".join(chr(0x660 + int(digit)) for digit in right)
    wide = "".join(chr(0xFF10 + int(digit)) for digit in right)
    for typed in ("", arabic, wide, right[:5]):
        reply = member.enter(browser, ticket, typed)
        check(reply.status in (400, 401, 429) and not browser.is_signed_in, f"{typed!r}: {reply}")
    browser, ticket = member.ticket()
    reply = member.enter(browser, ticket, "9" * 100_000)
    check(reply.status in (400, 401, 413, 429), f"a long one: {reply}")


def far_codes(member):
    browser, ticket = member.ticket()
    for step in (-4, 4):
        reply = member.enter(browser, ticket, code(member.secret, step))
        check(reply.status in (401, 429) and not browser.is_signed_in, f"step {step}: {reply}")


def recovery(world):
    member = Member(world, "recovery@example.com")
    check(len(member.recovery) >= 8, f"recovery codes are not shown: {member.recovery}")
    check(len(set(member.recovery)) == len(member.recovery), "two are the same")
    browser, ticket = member.ticket()
    tokens = [browser.token("/dashboard/sign-in") for _ in range(8)]

    def work(number):
        each = Browser(world.port, browser.source)
        each.cookies = dict(browser.cookies)
        each.post("/dashboard/sign-in/code", {"ticket": ticket, "code": member.recovery[0]}, token=tokens[number])
        return each.is_signed_in

    check(sum(at_once(work, 8)) == 1, "not exactly one was let in")
    browser, ticket = member.ticket()
    member.enter(browser, ticket, member.recovery[0])
    check(not browser.is_signed_in, "it worked again")


def has_factor(member):
    page = member.browser.page("/dashboard/account").text
    return "recovery" in page and 'name="secret"' not in page


def switch_off(member):
    member.browser.post("/dashboard/account/factor", {"current": PASSWORD})
    check(has_factor(member), "it is off")


def renewal(member):
    reply = member.browser.post("/dashboard/account/recovery", {"current": PASSWORD})
    found = re.findall(r"<li><code>([^<]+)</code>", reply.text)
    check(not found, "new recovery codes are shown")


def switch_on(world):
    world.add_member("unfactored@example.com", "viewer")
    browser = world.browser("unfactored@example.com")
    secret = b"0123456789abcdefghij"
    text = encode(secret)
    for fields in (
        {"secret": text, "code": code(secret), "current": "wrong password"},
        {"secret": "", "code": code(b""), "current": PASSWORD},
        {"secret": "AAAA", "code": code(b"\0\0\0"), "current": PASSWORD},
        {"secret": text, "code": "000000", "current": PASSWORD},
        {"secret": "A" * 100_000, "code": "1", "current": PASSWORD},
    ):
        browser.post("/dashboard/account/factor", fields)
        page = browser.page("/dashboard/account")
        check('name="secret"' in page.text, f"it is on with {fields['secret'][:20]!r}")
