"""What the server can be made to ask of others: of itself, of the network behind it, and without end."""

import json
import time

from ..clock import until
from ..listener import Listener, gzip_bomb, reply
from ..suite import Broken, Topic, check
from ..parts.outbound_hosts import (
    HOSTS,
    ask,
    content_host,
    from_attribute,
    is_loopback,
    no_scheme,
    remote_addresses,
    spelled,
)

topic = Topic("Requests to other hosts")


@topic.attack("A server that is set up to ask no other host connects to none")
def nothing_hidden(world):
    with world.instance("quiet") as quiet:
        quiet.device.sync("quiet")
        quiet.api.must("GET", "/v1/campaigns")
        end = time.monotonic() + 3
        while time.monotonic() < end:
            others = [address for address in remote_addresses(quiet.server.process.pid) if not is_loopback(address)]
            check(not others, f"it is connected to {others}")
            time.sleep(0.05)


@topic.family
def content_hosts(world):
    settings = world.api.must("GET", "/v1/settings")
    for host in HOSTS:
        yield (
            f"A template asks nothing of {host}, though the settings list it",
            content_host(world, settings, spelled(host)),
        )
    yield (
        "A template's host from an attribute leads nowhere that is not listed",
        lambda: from_attribute(world, settings),
    )
    world.api.must("PUT", "/v1/settings", settings)


@topic.family
def schemes(world):
    settings = world.api.must("GET", "/v1/settings")
    world.api.call("PUT", "/v1/settings", {**settings, "connected_content_hosts": ["listed.example", "localhost"]})
    for url in (
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1:6379/_INFO",
        "dict://127.0.0.1:11211/",
        "data:text/plain,inside",
        "ldap://127.0.0.1/",
        "//127.0.0.1/",
        "/etc/passwd",
        "javascript:1",
        "unix:///var/run/docker.sock",
        "jar:http://127.0.0.1!/",
        "http:127.0.0.1",
        "HTTP://127.0.0.1:1/",
        "http://",
        "http:///etc/passwd",
    ):
        yield f"A template asks nothing by the address {url}", lambda url=url: no_scheme(world, url)
    world.api.must("PUT", "/v1/settings", settings)


@topic.family
def webhooks(world):
    for host in HOSTS:
        yield f"A webhook is not sent to {host}", webhook(world, spelled(host))
    for url in (
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "//127.0.0.1/",
        "http://",
        "javascript:1",
        "http://user:password@listed.example/",
        "http://a" + "a" * 3000,
    ):
        yield (
            f"A webhook's address {url[:60]} is refused",
            lambda url=url: check(world.api.call("PUT", "/v1/webhook", {"url": url}).status == 400, "it was taken"),
        )
    yield "A webhook's failure does not tell an open port from a closed one", lambda: ports(world)
    yield "A webhook's secret is shown once, and never again", lambda: secret_once(world)
    world.api.call("DELETE", "/v1/webhook")


def settled(world):
    """Waits until a webhook has been tried, and returns what is told of it."""

    def state():
        reply = world.api.call("GET", "/v1/webhook")
        return reply if reply.status != 200 or reply.json["failures"] or reply.json["last_success_at"] else None

    return until(state, "the webhook is not tried")


def webhook(world, host):
    def attack():
        with Listener(reply(b"")) as listener:
            answer = world.api.call("PUT", "/v1/webhook", {"url": f"http://{host}:{listener.port}/", "after": 0})
            check(answer.status in (200, 400), f"answered {answer}")
            if answer.status == 200:
                state = settled(world)
                check(state.json["last_success_at"] is None, f"it was taken: {state}")
            check(listener.count == 0, "it was asked")

    return attack


def ports(world):
    told = []
    with (
        Listener() as listener,
        Listener(b"SSH-2.0-OpenSSH_9\r\n") as other,
        Listener(reply(b"no", "404 Not Found")) as http,
    ):
        closed = Listener()
        closed.close()
        for port in (listener.port, other.port, http.port, closed.port, 1):
            answer = world.api.call("PUT", "/v1/webhook", {"url": f"http://127.0.0.1:{port}/", "after": 0})
            state = settled(world) if answer.status == 200 else answer
            failure = state.json.get("last_failure", state.json.get("error"))
            told.append(json.dumps(failure).replace(str(port), "PORT"))
    check(len(set(told)) == 1, f"it says {told}")


def secret_once(world):
    world.api.call("DELETE", "/v1/webhook")
    # An address of the public internet that is nobody's.
    made = world.api.must("PUT", "/v1/webhook", {"url": "https://192.0.2.1/hook"})
    secret = made["secret"]
    check(len(secret) >= 32, f"{secret} is short")
    replies = {
        "GET": world.api.call("GET", "/v1/webhook"),
        "PUT": world.api.call("PUT", "/v1/webhook", {"url": "https://192.0.2.1/other"}),
        "audit": world.api.call("GET", "/v1/audit?limit=20"),
    }
    for name, answer in replies.items():
        check(secret not in answer.text, f"{name} shows it: {answer}")
    for path in ("/dashboard/settings", "/dashboard/audit"):
        check(secret not in world.admin.page(path).text, f"{path} shows it")


@topic.family
def hostile_hosts(world):
    with world.instance("private", "--private-content") as instance:
        for name, attack in hostile(instance):
            yield name, surviving(instance, attack)


def surviving(instance, attack):
    """The attack, failed also where it ends the server, which is started again for the next."""

    def run():
        try:
            attack()
        finally:
            time.sleep(0.1)
            if not instance.server.is_running:
                status = instance.server.process.returncode
                instance.server.start()
                raise Broken(f"the server died with status {status}")

    return run


def hostile(instance):
    def listed(listener):
        settings = instance.api.must("GET", "/v1/settings")
        instance.api.must(
            "PUT", "/v1/settings", {**settings, "connected_content_hosts": [f"127.0.0.1:{listener.port}"]}
        )
        return f"http://127.0.0.1:{listener.port}/"

    def control():
        with Listener(reply(b"inside")) as listener:
            answer = ask(instance.api, listed(listener))
            check("inside" in answer.text and listener.count == 1, f"answered {answer}")

    yield "Where private hosts are allowed, a listed one is asked, so that refusals mean something", control

    def bomb():
        with Listener(reply(gzip_bomb(200), Content_Encoding="gzip", Content_Type="text/plain")) as listener:
            with instance.memory(90), instance.effort(4):
                answer = ask(instance.api, listed(listener))
            check(answer.status == 200 and answer.json["withheld"], f"answered {answer}")

    yield "200 MB that a host sends as 200 KB of gzip are not unpacked in memory", bomb

    def endless(head, name):
        def attack():
            with Listener(head, is_endless=True) as listener:
                with instance.memory(90):
                    answer = ask(instance.api, listed(listener))
                check(answer.status == 200 and answer.json["withheld"], f"answered {answer}")

        return name, attack

    yield endless(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", "A host whose answer never ends is left after seconds"
    )
    yield endless(
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "A host that promises 100 GB is left after seconds"
    )
    yield endless(b"HTTP/1.1 200 OK\r\nX: ", "A host whose header never ends is left after seconds")
    yield endless(b"", "A host that speaks no HTTP is left after seconds")

    def silent():
        with Listener() as listener:
            listener.answer = b"HTTP/1.1 200 OK\r\n"
            answer = ask(instance.api, listed(listener))
            check(answer.status == 200, f"answered {answer}")
            time.sleep(0.5)  # What reads the answer may fail after ours was sent.

    yield "A host that says little and closes is left at once", silent

    def redirects():
        with Listener(reply(b"inside")) as inner:
            for status in ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"):
                with Listener(reply(b"", status, Location=f"http://127.0.0.1:{inner.port}/")) as listener:
                    answer = ask(instance.api, listed(listener))
                    check("inside" not in answer.text, f"{status}: {answer}")
            check(inner.count == 0, "a redirect was followed")

    yield "A redirect to a host that is not listed is not followed", redirects

    def ports():
        with Listener(reply(b"inside")) as other, Listener(reply(b"listed")) as listener:
            listed(listener)
            answer = ask(instance.api, f"http://127.0.0.1:{other.port}/")
            check(other.count == 0 and "inside" not in answer.text, f"answered {answer}")

    yield "Another port of a listed host is not asked", ports

    def injected():
        with Listener(reply(b"ok")) as listener:
            url = listed(listener)
            for value in (
                "a\r\nX-Injected: 1",
                "a\nX-Injected: 1",
                "a%0d%0aX-Injected: 1",
                "a\u2028X-Injected: 1",
                "č\u010aX-Injected: 1",
            ):
                title = (
                    "{% connected_content "
                    + url
                    + '{{custom_attribute.${v}}} :headers {"X-Name": "{{custom_attribute.${v}}}"} :method post :body'
                    " a={{custom_attribute.${v}}} :save x :no_cache %}"
                )
                instance.api.call(
                    "POST",
                    "/v1/preview",
                    {
                        "card": {"type": "classic", "title": "t", "description": title},
                        "custom_attributes": {"v": value},
                    },
                )
            heads = [request.split(b"\r\n\r\n")[0] for request in listener.requests]
            check(not any(b"\nX-Injected" in head for head in heads), f"it was sent: {heads}")

    yield "An attribute puts no header into a request to a host", injected

    def json_strings():
        with Listener(reply(b"ok")) as listener:
            url = listed(listener)
            quoted = 'M","x-user":"victim","X-Admin":"1'
            for value in (quoted, quoted + "\\", "\\" + quoted, 'M"}', "\\u0022,\\u0022X-Admin\\u0022:\\u00221"):
                for name in (
                    "{{custom_attribute.${v}}}",
                    "\\{{custom_attribute.${v}}}",
                    "{{custom_attribute.${v} | upcase}}",
                    "{{custom_attribute.${v} | json_escape}}",
                ):
                    object = '{"X-User":"kate","X-Name":"' + name + '"}'
                    title = (
                        "{% connected_content "
                        + url
                        + " :headers "
                        + object
                        + " :method post :content_type application/json :body "
                        + object
                        + " :save x :no_cache %}"
                    )
                    instance.api.call(
                        "POST",
                        "/v1/preview",
                        {
                            "card": {"type": "classic", "title": "t", "description": title},
                            "custom_attributes": {"v": value},
                        },
                    )
            check(listener.requests, "nothing was asked")
            for request in listener.requests:
                head, _, body = request.decode().partition("\r\n\r\n")
                check("x-admin:" not in head.lower() and "x-user: kate" in head.lower(), f"it was sent: {head}")
                check(
                    not body or set(json.loads(body)) == {"X-User", "X-Name"} and json.loads(body)["X-User"] == "kate",
                    f"it was sent: {body}",
                )

    yield "An attribute leaves the JSON string in which it stands in no header and no body", json_strings

    def own():
        answer = None
        settings = instance.api.must("GET", "/v1/settings")
        instance.api.must(
            "PUT", "/v1/settings", {**settings, "connected_content_hosts": [f"127.0.0.1:{instance.port}"]}
        )
        card = {
            "type": "classic",
            "title": "t",
            "description": (
                "{% connected_content "
                + f"http://127.0.0.1:{instance.port}/v1/keys"
                + ' :headers {"Authorization": "Bearer x"} :save x :no_cache %}{{ x.__http_status_code__ }}'
            ),
        }
        answer = instance.api.call("POST", "/v1/preview", {"card": card})
        check('"keys"' not in answer.text, f"answered {answer}")

    yield "A template that asks its own server gets what anybody gets", own

    def cookies():
        with Listener(reply(b"ok", Set_Cookie="a=1")) as listener:
            url = listed(listener)
            ask(instance.api, url), ask(instance.api, url)
            check(
                all(
                    b"\ncookie" not in request.lower() and b"authorization" not in request.lower()
                    for request in listener.requests
                ),
                f"sent {listener.requests}",
            )

    yield "A host gets no cookies and no keys", cookies
