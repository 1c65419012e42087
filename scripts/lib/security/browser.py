"""A member of the team at the dashboard: cookies, form tokens, pages."""

import re
import urllib.parse

from .client import Client
from .page import Page

PASSWORD = "tin-kettle 47 harbours"


class Browser(Client):
    """A browser without JavaScript."""

    def __init__(self, port, source=None):
        super().__init__(port, source)
        self.cookies = {}
        # Given again where a form asks for it; None for a browser that doesn't.
        self.password = None

    def request(self, method, path, body=None, headers=None):
        """Sends a request with the cookies, and keeps those of the reply."""
        headers = dict(headers or {})
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        reply = self.send(method, path, body, headers)
        for line in reply.all("set-cookie"):
            name, _, value = line.split(";")[0].partition("=")
            if re.search(r"max-age=0\b", line, re.IGNORECASE):
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return reply

    def page(self, path, **headers):
        """Reads a page."""
        return self.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def token(self, path="/dashboard/account"):
        """The form token of a page."""
        reply = self.page(path)
        found = re.search(r'name="csrf" value="([^"]+)"', reply.text)
        assert found, f"{path} has no form token: {reply}"
        return found[1]

    def post(self, path, fields, token=None, headers=None):
        """Sends a form as its page would."""
        fields = list(fields.items()) if isinstance(fields, dict) else list(fields)
        if token is None:
            token = self.token()
        if token is not False:
            fields = [("csrf", token), *fields]
        reply = self.post_raw(path, urllib.parse.urlencode(fields, errors="surrogatepass"), headers)
        if reply.status != 401 or not self.password or 'name="confirm_password"' not in reply.text:
            return reply
        token = re.search(r'name="csrf" value="([^"]+)"', reply.text)[1]
        fields = [("csrf", token), ("confirm_password", self.password), *fields[1:]]
        return self.post_raw(path, urllib.parse.urlencode(fields, errors="surrogatepass"), headers)

    def post_raw(self, path, body, headers=None):
        """Sends the body of a form as it is."""
        own = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Sec-Fetch-Site": "same-origin",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
        }
        return self.request("POST", path, body, {**own, **(headers or {})})

    def sign_in(self, email, password=PASSWORD):
        """Signs in by the form, and returns the reply to it."""
        token = self.token("/dashboard/sign-in")
        reply = self.post("/dashboard/sign-in", {"email": email, "password": password}, token=token)
        self.password = password if reply.status == 303 else None
        return reply

    @property
    def is_signed_in(self):
        return self.page("/dashboard/account").status == 200

    @property
    def session_cookie(self):
        """The name and value of the cookie that a session hangs on, which is the one that a page needs."""
        return next(((n, v) for n, v in self.cookies.items() if "session" in n), (None, None))

    def parsed(self, path):
        """Reads a page and parses it."""
        reply = self.page(path)
        assert reply.status == 200, f"{path}: {reply}"
        return Page(reply.text)
