"""A browser as far as the server can tell: one connection, cookies, forms."""

import http.client
import re
import time
import urllib.parse


class Browser:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self.cookies = {}

    def request(self, method, path, form=None, headers=()):
        """Returns the status, the text and the seconds until all of it was there."""
        fields = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **dict(headers)}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form, doseq=True)
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        start = time.perf_counter()
        self.connection.request(method, path, body, fields)
        answer = self.connection.getresponse()
        text = answer.read()
        seconds = time.perf_counter() - start
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, text.decode(), seconds

    def form(self, path):
        """The fields of the page's largest form, as a browser would send them back."""
        _, text, _ = self.request("GET", path)
        forms = re.findall(r"<form.*?</form>", text, re.S)
        fields = []
        for tag in re.findall(r"<(?:input|button)[^>]*>", max(forms, key=len)):
            found = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if found.get("type") in ("checkbox", "radio") and " checked" not in tag or tag.startswith("<button"):
                continue
            if "name" in found:
                fields.append((found["name"], unescape(found.get("value", ""))))
        for name, inside in re.findall(
            r'<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', max(forms, key=len), re.S
        ):
            fields.append((name, unescape(inside)))
        for name, inside in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', max(forms, key=len), re.S):
            chosen = re.search(r'<option[^>]*value="([^"]*)"[^>]* selected', inside) or re.search(
                r'value="([^"]*)"', inside
            )
            if chosen:
                fields.append((name, unescape(chosen[1])))
        return fields

    def sign_in(self, email, password):
        fields = dict(self.form("/dashboard/sign-in"), email=email, password=password)
        status, _, seconds = self.request("POST", "/dashboard/sign-in", fields)
        if status != 303:
            raise SystemExit(f"signing in was answered with {status}")
        return seconds


def unescape(text):
    for name, character in (("&quot;", '"'), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(name, character)
    return text
