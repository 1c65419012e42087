"""Guessing passwords, and what a sign-in tells."""

import concurrent.futures
import statistics
import unicodedata

from ..browser import PASSWORD, Browser
from ..clock import until
from ..suite import Topic, check
from ..world import ADMIN

topic = Topic("Passwords")


def guess(world, email, password, source=None):
    """One attempt from an address, as a status."""
    browser = Browser(world.port, source or world.address_of_this_machine())
    return browser.sign_in(email, password)


def at_once(work, count):
    """Runs something that many times at once, and returns the results."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(work, number) for number in range(count)]]


@topic.attack("Of 24 passwords that are tried at once for one account, only the free ones are looked at")
def parallel_guesses(world):
    world.add_member("victim@example.com", "viewer")
    source = world.address_of_this_machine()
    replies = at_once(lambda n: guess(world, "victim@example.com", f"guess {n}", source).status, 24)
    looked_at = sum(status == 401 for status in replies)
    check(looked_at <= 8, f"{looked_at} of 24 were looked at: {replies}")
    check(set(replies) <= {401, 429, 503}, f"answered {set(replies)}")


@topic.attack("Whoever fails to guess an account does not lock its owner out, who signs in from elsewhere")
def no_lock_out(world):
    world.add_member("owner@example.com", "viewer")
    source = world.address_of_this_machine()
    replies = [guess(world, "owner@example.com", f"guess {number}", source).status for number in range(12)]
    check(429 in replies, f"the guesser is not slowed down: {replies}")
    reply = guess(world, "owner@example.com", PASSWORD)
    check(reply.status == 303, f"the owner, from another address: {reply}")


@topic.attack("Guesses of one account from many addresses are slowed down after some hundred")
def many_addresses(world):
    """Each address has a few attempts whatever others do, so that nobody is locked out; then it waits with all."""
    world.add_member("popular@example.com", "viewer")
    before = dict(world.database.rows("SELECT subject, count FROM attempts"))
    for _ in range(4):
        source = world.address_of_this_machine()
        browser = Browser(world.port, source)
        for number in range(3):
            browser.sign_in("popular@example.com", f"guess {number}")
        browser.close()
    # What those at the same account have in common is counted for each of them; of the rest of the hundred only the
    # count is made.
    counted = {
        subject: count
        for subject, count in world.database.rows("SELECT subject, count FROM attempts")
        if subject not in before
    }
    shared = [subject for subject, count in counted.items() if count == 12]
    check(len(shared) == 1, f"12 guesses are counted as {sorted(counted.values())}")
    world.database.write("UPDATE attempts SET count = 300 WHERE subject = ?", shared[0])
    source = world.address_of_this_machine()
    replies = [guess(world, "popular@example.com", f"guess {number}", source).status for number in range(4)]
    check(429 in replies, f"a new address is answered {replies}")
    check(guess(world, "popular@example.com", PASSWORD).status == 303, "the owner is locked out")


@topic.attack("Guesses of many accounts from one address are slowed down")
def spraying(world):
    source = world.address_of_this_machine()
    for number in range(40):
        world.add_member(f"sprayed{number}@example.com", "viewer")
    replies = [guess(world, f"sprayed{number}@example.com", "Spring2026!", source).status for number in range(40)]
    check(429 in replies, f"answered {replies}")


@topic.attack("A sign-in overtakes a flood of wrong guesses")
def hashing_queue(world):
    """Each guess takes a second or two of a debug build, so what was hashed first says who had to wait."""
    sent, hashed = [], []

    def flood(number):
        browser = Browser(world.port, world.address_of_this_machine())
        token = browser.token("/dashboard/sign-in")
        sent.append(number)
        reply = browser.post(
            "/dashboard/sign-in", {"email": f"nobody{number}@example.com", "password": "x" * 20}, token=token
        )
        if reply.status == 401:
            hashed.append(number)
        return reply.status

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        guesses = [pool.submit(flood, number) for number in range(16)]
        until(lambda: len(sent) == 16, "the guesses are not sent")
        before = len(hashed)
        reply = guess(world, ADMIN, PASSWORD)
        overtakers = len(hashed) - before
        statuses = [future.result() for future in guesses]
    check(reply.status == 303, f"the sign-in: {reply}; the guesses: {statuses}")
    check(overtakers <= 4, f"{overtakers} guesses came first")


@topic.attack("Inside a session, the password is not guessed without limit")
def in_session(world):
    world.add_member("inside@example.com", "viewer")
    browser = world.browser("inside@example.com")
    replies = []
    for number in range(9):
        fields = {"current": f"guess {number}", "password": PASSWORD + "!", "email": "inside@example.com"}
        replies.append(browser.post("/dashboard/account/password", fields))
    check(
        any(reply.status == 429 or "many attempts" in reply.text for reply in replies), f"{[r.status for r in replies]}"
    )


@topic.attack("The reply to a wrong password and to an unknown account are the same")
def enumeration(world):
    known, unknown = (guess(world, email, "wrong password") for email in ("vera@example.com", "void@example.com"))
    check(known.status == unknown.status, f"{known.status} and {unknown.status}")
    one, two = (
        strip(reply.text).replace(email, "")
        for reply, email in ((known, "vera@example.com"), (unknown, "void@example.com"))
    )
    check(one == two, "the pages differ")


def strip(text):
    import re

    return re.sub(r'name="csrf" value="[^"]*"', "", text)


@topic.attack("An unknown account takes about as much work to refuse as a wrong password")
def timing(world):
    def seconds(email):
        before = world.server.processor_seconds
        guess(world, email, "wrong password")
        return world.server.processor_seconds - before

    world.invite_member("timed@example.com", "viewer")
    known = statistics.median(seconds("timed@example.com") for _ in range(2))
    unknown = statistics.median(seconds(f"unknown{n}@example.com") for n in range(2))
    check(max(known, unknown) < 4 * min(known, unknown) + 0.1, f"{known:.2f} s and {unknown:.2f} s")


PASSWORDS = {
    "that everybody takes": ["password123", "1234567890", "qwertyuiop", "iloveyou12"],
    "that are short": ["", "short", "123456789"],
    "that are the address": ["fresh0@example.com"],
}


@topic.family
def poor_passwords(world):
    for name, passwords in PASSWORDS.items():
        yield f"Passwords {name} are refused", poor(world, passwords)


def poor(world, passwords):
    def attack():
        email = "fresh0@example.com"
        if not world.database.rows("SELECT 1 FROM members WHERE email = ?", email):
            world.add_member(email, "viewer")
        browser = world.browser(email)
        for password in passwords:
            reply = browser.post(
                "/dashboard/account/password", {"current": PASSWORD, "password": password, "email": email}
            )
            check(reply.status == 400, f"{password!r} was taken: {reply}")

    return attack


@topic.attack("A password of a megabyte is refused at once, without being hashed or stored")
def huge_password(world):
    before = world.database.size
    browser = Browser(world.port, world.address_of_this_machine())
    token = browser.token("/dashboard/sign-in")
    with world.effort(1):
        reply = browser.post("/dashboard/sign-in", {"email": ADMIN, "password": "x" * 900_000}, token=token)
    check(reply.status in (400, 401, 413), f"answered {reply}")
    check(world.database.size - before < 300_000, "the database grew")


@topic.attack("An address of 900 KB is neither stored nor sent back")
def huge_address(world):
    before = world.database.size
    reply = guess(world, "a" * 900_000 + "@example.com", "wrong password")
    check(reply.status in (400, 401, 413, 429), f"answered {reply}")
    check(len(reply.body) < 50_000, f"{len(reply.body)} bytes came back")
    check(not world.database.contains("a" * 5_000), "it is in the database")
    check(world.database.size - before < 300_000, "the database grew")


ADDRESSES = {
    "another case": ADMIN.upper(),
    "a dotless i or long s": "anna@example.com".replace("a", "\u0430", 1),
    "a NUL": "anna@example.com\x00",
    "a space before it": " anna@example.com",
    "a combining mark": "anna\u0301@example.com",
    "the KELVIN SIGN": "\u212aate@example.com",
    "a line break": "anna@example.com\n",
    "a zero-width space": "anna\u200b@example.com",
    "full-width letters": "ａnna@example.com",
}


@topic.family
def address_forms(world):
    world.add_member("kate@example.com", "viewer")
    for name, email in ADDRESSES.items():
        yield f"An address with {name} signs in as nobody else", address_form(world, name, email)


def address_form(world, name, email):
    def attack():
        browser = Browser(world.port, world.address_of_this_machine())
        reply = browser.sign_in(email, PASSWORD)
        check(reply.status in (303, 400, 401), f"answered {reply}")
        if reply.status == 303:
            # Forms of letters that Unicode calls compatible, their case, and spaces around may be one spelling.
            spelled = unicodedata.normalize("NFKC", email).strip().casefold()
            check(spelled in (ADMIN, "kate@example.com"), f"{email!r} signed in")
            check(spelled in browser.page("/dashboard/account").text, "as another member")

    return attack


@topic.attack("Two members whose addresses look alike are two with a password each, or the second is refused")
def lookalikes(world):
    emails = ["k\u00e9@example.com", "ke\u0301@example.com"]
    taken = []
    for number, email in enumerate(emails):
        try:
            world.invite_member(email, "viewer", f"{PASSWORD} {number}")
            taken.append(True)
        except AssertionError:
            taken.append(False)
    check(taken[0], "the first was not added")
    for number, email in enumerate(emails):
        if all(taken):
            other = guess(world, email, f"{PASSWORD} {1 - number}")
            check(other.status != 303, f"{email!r} signs in with the other's password")
    if not all(taken):
        check(guess(world, emails[0], f"{PASSWORD} 1").status != 303, "the second changed the first's password")


@topic.attack("The setup code cannot be guessed, and does not work in other spellings")
def setup_code(world):
    with world.instance("setup-code") as instance:
        code = instance.setup_code
        check(len(code) >= 16, f"{code} is short")
        for wrong in ("", code[:-1], code.swapcase(), code + "x", "0", code[:10], "*", "%"):
            browser = Browser(instance.port)
            fields = {"code": wrong, "name": "Eve", "email": "eve@example.com", "password": PASSWORD}
            reply = browser.post("/dashboard/setup", fields, token=browser.token("/dashboard/setup"))
            check(reply.status != 303 or "sign-in" in reply.header("location"), f"{wrong!r}: {reply}")
        check(not instance.database.rows("SELECT 1 FROM members"), "an account was made")
