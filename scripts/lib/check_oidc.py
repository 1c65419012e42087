"""Signs members in with an OpenID provider of its own, in a browser; see scripts/check-oidc.

usage: check_oidc.py PLACARD DIRECTORY, where a picture of each step goes
"""

import base64
import hashlib
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import placard_server
from dashboard_pages import LOOKS, WIDTHS, browser, is_too_wide, make_account, visit
from proofs import check, checks, prove
from security.base64url import encode

NAME = "Example ID"
SECRET = "a secret: with a+sign"
problems = []


class Provider:
    """A provider with one person, who is signed in by pressing a button, and whose tokens can be changed."""

    def __init__(self, directory):
        self.key = directory / "key.pem"
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        modulus = subprocess.run(
            ["openssl", "rsa", "-in", self.key, "-modulus", "-noout"], check=True, capture_output=True, text=True
        )
        self.modulus = bytes.fromhex(modulus.stdout.strip().split("=")[1])
        self.person = {
            "sub": "emil",
            "email": "emil@example.com",
            "email_verified": True,
            "name": "Emil",
            "groups": ["marketing"],
        }
        self.changes, self.requests, self.codes = {}, [], {}
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.get(self)

            def do_POST(self):
                provider.post(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def answer(handler, body, kind="application/json", status=200):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def get(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/.well-known/openid-configuration":
            self.answer(
                handler,
                {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/keys",
                },
            )
        elif url.path == "/keys":
            self.answer(
                handler,
                {
                    "keys": [
                        {
                            "kty": "RSA",
                            "alg": "RS256",
                            "use": "sig",
                            "kid": "one",
                            "n": encode(self.modulus),
                            "e": "AQAB",
                        }
                    ]
                },
            )
        elif url.path == "/authorize":
            self.requests.append(query)
            code = f"code-{len(self.requests)}"
            self.codes[code] = query
            back = urllib.parse.urlencode({"code": code, "state": query["state"], "iss": self.issuer})
            link = f"{query['redirect_uri']}?{back}".replace("&", "&amp;")
            page = f'<!doctype html><title>{NAME}</title><p><a href="{link}">Sign in as Emil</a></p>'
            self.answer(handler, page.encode(), "text/html")
        else:
            self.answer(handler, {}, status=404)

    def post(self, handler):
        form = dict(urllib.parse.parse_qsl(handler.rfile.read(int(handler.headers["Content-Length"])).decode()))
        query = self.codes.pop(form["code"], None)
        user = base64.b64encode(f"placard:{urllib.parse.quote(SECRET, safe='')}".encode()).decode()
        challenge = encode(hashlib.sha256(form["code_verifier"].encode()).digest())
        if query is None or handler.headers["Authorization"] != f"Basic {user}" or challenge != query["code_challenge"]:
            return self.answer(handler, {"error": "invalid_grant"}, status=400)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": "placard",
            "iat": now,
            "exp": now + 3_600,
            "nonce": query["nonce"],
            **self.person,
        }
        if query.get("prompt") == "login":
            claims["auth_time"] = now
        return self.answer(
            handler, {"access_token": "a", "token_type": "Bearer", "id_token": self.token({**claims, **self.changes})}
        )

    def token(self, claims):
        signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "one"}, claims))
        signature = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key], input=signed.encode(), check=True, capture_output=True
        ).stdout
        return f"{signed}.{encode(signature)}"


class World:
    """A server that trusts the provider, and where its pictures go."""

    def __init__(self, placard, directory, pictures, engine):
        self.provider, self.pictures, self.engine = Provider(directory), pictures, engine
        (directory / "secret").write_text(SECRET + "\n")
        settings = directory / "placard.yaml"
        port = placard_server.free_port()
        self.address = f"http://127.0.0.1:{port}"
        settings.write_text(
            "\n".join(
                [
                    f"public_url: {self.address}",
                    f"oidc_issuer: {self.provider.issuer}",
                    "oidc_client_id: placard",
                    f"oidc_client_secret_file: {directory / 'secret'}",
                    f"oidc_name: {NAME}",
                    "oidc_admin_groups: [heads]",
                    "oidc_editor_groups: [marketing]",
                    "oidc_create_members: true",
                    "",
                ]
            )
        )
        self.log = open(directory / "log", "w", encoding="utf-8")
        self.server = placard_server.Server.serve(
            placard, directory / "cards.sqlite", "--config", str(settings), port=port, log=self.log
        )
        with visit(engine, None, "light", "laptop") as page:
            make_account(page, self.server.dashboard)

    def look(self, page, name):
        """Takes a picture, and looks for what a page mustn't have."""
        page.screenshot(path=self.pictures / f"{name}.png")
        if is_too_wide(page):
            problems.append(f"{name}: wider than the window")
        for violation in Axe().run(page)["violations"]:
            problems.append(f"{name}: {violation['id']}: {violation['nodes'][0]['html']}")

    def sign_in(self, page, button=f"Sign in with {NAME}"):
        page.goto(f"{self.address}/dashboard/keys")
        page.get_by_role("link", name=button).click()
        page.get_by_role("link", name="Sign in as Emil").click()


@check("The sign-in page has a button for the provider, in light and dark, wide and narrow, English and Japanese")
def button(world):
    for look in LOOKS:
        for device in WIDTHS:
            with visit(world.engine, None, look, device) as page:
                page.goto(f"{world.address}/dashboard/sign-in")
                expect(page.get_by_role("link", name=f"Sign in with {NAME}")).to_be_visible()
                world.look(page, f"sign-in-{look}-{device}")
    with visit(world.engine, None, "light", "laptop", "ja-JP") as page:
        page.goto(f"{world.address}/dashboard/sign-in")
        expect(page.get_by_role("link", name=f"{NAME}でサインイン")).to_be_visible()
        world.look(page, "sign-in-ja")


@check("A group creates a member, who goes on to the page that was asked for")
def first(world):
    with visit(world.engine, None, "light", "laptop") as page:
        world.sign_in(page)
        page.wait_for_url("**/dashboard/keys")
        expect(page.locator("body")).to_contain_text("Emil")
        query = world.provider.requests[-1]
        assert query["code_challenge_method"] == "S256" and query["response_type"] == "code", query
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
        assert "placard_provider" not in cookies and cookies["placard_session"]["httpOnly"], cookies


@check("What is sensitive asks for another sign-in, in another tab, and keeps what was typed")
def again(world):
    world.provider.person["groups"] = ["heads"]
    with visit(world.engine, None, "light", "laptop") as page:
        world.sign_in(page)
        page.wait_for_url("**/dashboard/keys")
        form = page.locator("form[action='/dashboard/keys']")
        if not form.is_visible():
            page.get_by_text("Create", exact=False).first.click()
        form.locator("[name=name]").fill("Shop")
        form.get_by_role("button", name="Create").click()
        expect(page.get_by_role("heading", name="Confirm that it’s you")).to_be_visible()
        world.look(page, "confirm")
        with page.context.expect_page() as opened:
            page.get_by_role("link", name=f"Open {NAME} in another tab").click()
        tab = opened.value
        tab.get_by_role("link", name="Sign in as Emil").click()
        expect(tab.get_by_role("heading", name="Confirmed")).to_be_visible()
        assert world.provider.requests[-1]["prompt"] == "login", world.provider.requests[-1]
        world.look(tab, "confirmed")
        tab.close()
        page.get_by_role("button", name="I have signed in again").click()
        expect(page.locator("body")).to_contain_text("Shop")


@check("A token that isn't good lets nobody in, and the page says so in either language")
def refused(world):
    world.provider.changes = {"nonce": "another"}
    try:
        for language, words in [("en-US", "didn’t confirm who you are"), ("ja-JP", "本人確認ができませんでした")]:
            with visit(world.engine, None, "dark", "phone", language) as page:
                world.sign_in(page, re.compile(NAME))
                expect(page.get_by_role("alert")).to_contain_text(words)
                world.look(page, f"refused-{language}")
                assert not any(cookie["name"] == "placard_session" for cookie in page.context.cookies())
    finally:
        world.provider.changes = {}


@check("Who has left the groups is signed out everywhere, and the log has neither codes nor tokens")
def left(world):
    world.provider.person["groups"] = ["marketing"]
    with (
        visit(world.engine, None, "light", "laptop") as open_page,
        visit(world.engine, None, "light", "laptop") as page,
    ):
        world.sign_in(open_page)
        open_page.wait_for_url("**/dashboard/keys")
        world.provider.person["groups"] = ["others"]
        world.sign_in(page)
        expect(page.get_by_role("alert")).to_contain_text("None of your groups")
        world.look(page, "left")
        open_page.goto(f"{world.address}/dashboard/campaigns")
        expect(open_page.get_by_role("link", name=f"Sign in with {NAME}")).to_be_visible()
    world.log.flush()
    log = pathlib.Path(world.log.name).read_text(encoding="utf-8")
    assert not re.search(r"eyJ[\w-]{8,}\.[\w-]{8,}|code-\d|a secret", log), "the log has a code, a token or the secret"


def main():
    placard, pictures = sys.argv[1], pathlib.Path(sys.argv[2])
    held = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, browser(playwright) as engine:
        world = World(placard, pathlib.Path(folder), pictures, engine)
        try:
            held = prove(lambda function: function(world))
        finally:
            world.server.stop()
    for problem in problems:
        print(f"!!  {problem}")
    print(f"{held} of {len(checks)} checks of signing in held")
    sys.exit(held != len(checks) or bool(problems))


main()
