"""The REST reference: every operation of the OpenAPI document, with an example that a server answered."""

import json

from . import code
from .page import Heading, Page
from .sdk import titled
from .document import Document, cell

LABELS = {
    "device": "Device API",
    "campaigns": "Campaigns",
    "segments": "Segments",
    "users": "Users",
    "access": "Keys, settings, audit",
    "backends": "Backends",
    "events": "Events out",
    "operations": "Operations",
}
LONGEST_TEXT = 120
LONGEST_LIST = 2


def anchor(method, path):
    return (
        f"{method.lower()}-{path}".replace("/", "-")
        .replace("{", "")
        .replace("}", "")
        .replace("--", "-")
        .replace(".", "-")
    )


def shortened(value):
    """A value with its long texts and lists cut short."""
    if isinstance(value, dict):
        return {name: shortened(part) for name, part in value.items()}
    if isinstance(value, list):
        short = [shortened(part) for part in value[:LONGEST_LIST]]
        return short + [f"… and {len(value) - LONGEST_LIST} more"] if len(value) > LONGEST_LIST else short
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + "…"
    return value


def shown(example):
    """What came back, as a block of code."""
    if example.kind == "application/json" and example.reply:
        value = json.loads(example.reply)
        if "openapi" in value:
            value = {"openapi": value["openapi"], "info": value["info"], "paths": "…", "components": "…"}
        return code.block(json.dumps(shortened(value), indent=2, ensure_ascii=False), "json")
    lines = example.reply.splitlines()
    cut = [line[:300] + ("…" if len(line) > 300 else "") for line in lines[:6]] + (["…"] if len(lines) > 6 else [])
    return code.block("\n".join(cut), "text") if example.reply else ""


def needs(operation):
    """The variable with the key that an operation needs, and who may call it in a sentence."""
    schemes = [scheme for scheme in operation.get("security", []) if "key" in scheme]
    if not schemes:
        return None, "Anyone may call it, without a key."
    names = list(dict.fromkeys(name for scheme in schemes for name in scheme["key"]))
    permissions = " and ".join(f"<code>{name}</code>" for name in names)
    if "device" in names:
        return "PLACARD_PUBLISHABLE_KEY", f"A publishable key (permission {permissions})."
    noun, them = ("permission", "it") if len(names) == 1 else ("permissions", "them")
    return (
        "PLACARD_KEY",
        f'A secret key with the {noun} {permissions}, or <a href="../keys.html#permissions">what includes {them}</a>.',
    )


def limit_of(rate):
    """Which limit of requests an operation has, where it has one of its own."""
    if rate in ("", "none", "shared"):
        return ""
    if rate == "device":
        return ' Limits: <a href="../limits.html#what-devices-may-ask-for">those of devices</a>.'
    return f' Limit: <a href="../rest-api.html#limits"><code>{cell(rate)}</code></a> of the key.'


def operation_part(document, method, path, operation, example, rate, headings):
    title = f"{method} {path}"
    name = anchor(method, path)
    heading = f'<span class="method {method.lower()}">{method}</span> <code>{cell(path).replace("/", "/<wbr>")}</code>'
    words = [operation["summary"]]
    made = [titled(2, name, heading, title), f"<p>{cell(operation['summary'])}</p>"]
    variable, who = needs(operation)
    limit = limit_of(rate)
    made.append(f'<p class="who"><strong>Permission</strong> {who}{limit}</p>')
    rows = []
    for parameter in operation.get("parameters", []):
        parameter = document.resolved(parameter)
        words.append(parameter["name"])
        need = ' <span class="required">required</span>' if parameter.get("required") else ""
        schema = document.resolved(parameter["schema"])
        description = parameter.get("description", schema.get("description", ""))
        rows.append(
            f'<dt><code>{cell(parameter["name"])}</code> <span class="type">{parameter["in"]},'
            f" {document.kind(parameter['schema'])}</span>{need}</dt>"
            f"<dd>{document.described({**schema, 'description': description})}</dd>"
        )
    if rows:
        made.append(f'<h3 class="minor">Parameters</h3><dl class="fields">{"".join(rows)}</dl>')
    if "requestBody" in operation:
        made.append(document.body(document.resolved(operation["requestBody"])["content"], "Body"))
    made.append(replies(document, operation))
    if example:
        made.append(
            f'<h3 class="minor">Example</h3>{code.block(example.command(variable), "sh")}<p class="status">Reply:'
            f" <code>{example.status}</code></p>{shown(example)}"
        )
    headings.append(Heading(2, name, title, " ".join(words)))
    return f'<section class="operation">{"".join(made)}</section>\n'


def replies(document, operation):
    rows, body = [], ""
    for status, reply in operation["responses"].items():
        reply = document.resolved(reply)
        if status == "default":
            rows.append(
                '<dt><code>4xx, 5xx</code></dt><dd>A <a href="index.html#errors">refusal</a>: a code and a message.'
                " Nothing of the request was kept.</dd>"
            )
        else:
            rows.append(f"<dt><code>{status}</code></dt><dd>{cell(reply['description'])}</dd>")
            if reply.get("content") and not body:
                body = document.body(reply["content"], "Reply")
    return f'<h3 class="minor">Statuses</h3><dl class="fields">{"".join(rows)}</dl>{body}'


def tag_page(document, tag, examples, rates):
    label = LABELS.get(tag["name"], tag["name"].capitalize())
    headings = [Heading(1, "", label, tag["description"])]
    parts = [
        f'<p class="eyebrow"><a href="index.html">REST reference</a></p><h1>{label}</h1><p'
        f' class="abstract">{cell(tag["description"])}</p>\n'
    ]
    found = [
        (method, path, operation)
        for method, path, operation in document.operations()
        if operation["tags"][0] == tag["name"]
    ]
    for method, path, operation in found:
        name = f"{method} {path}"
        parts.append(
            operation_part(document, method, path, operation, examples.get(name), rates.get(name, ""), headings)
        )
    return Page(f"rest/{tag['name']}.html", label, "".join(parts), headings, kind="REST", parent="rest/index.html")


def schemas_page(document):
    headings = [Heading(1, "", "Schemas")]
    parts = [
        '<p class="eyebrow"><a href="index.html">REST reference</a></p><h1>Schemas</h1><p class="abstract">What bodies'
        " and replies are made of, by name.</p>\n"
    ]
    for name, schema in document.schemas.items():
        if name == "Document":
            continue
        headings.append(Heading(2, name.lower(), name))
        fields = (
            document.fields(schema)
            or f'<p class="media">{document.kind(schema)}. {document.described({**schema, "description": ""})}</p>'
        )
        about = f"<p>{cell(schema['description'])}</p>" if schema.get("description") else ""
        parts.append(
            "<section"
            f' class="operation">{titled(2, name.lower(), f"<code>{name}</code>", name)}{about}{fields}</section>\n'
        )
    return Page(
        "rest/schemas.html",
        "Schemas",
        "".join(parts),
        headings,
        kind="REST",
        weight=0.6,
        parent="rest/index.html",
        indexed_depth=2,
    )


def index_page(document, refusals):
    headings = [Heading(1, "", "REST reference", "every operation of the server's API")]
    parts = [
        '<h1>REST reference</h1>\n<p>Every operation, from the <a href="../files/openapi.json">OpenAPI document</a>'
        " that each server has at <code>/openapi.json</code>. What the examples show is what a server with the demo's"
        ' data answered when these pages were made. The guides say when to use what: <a href="../rest-api.html">REST'
        ' API</a> for backends, <a href="../device-api.html">Device API</a> for clients without the SDK, <a'
        ' href="../keys.html">API keys</a>.</p>\n'
    ]
    parts.append(
        "<p>The commands below take the server’s address and the keys from the environment. <code>placard demo</code>"
        " prints them:</p>"
        + code.block(
            "export PLACARD_SERVER=http://127.0.0.1:8080\nexport PLACARD_KEY=sk_…\nexport PLACARD_PUBLISHABLE_KEY=pk_…",
            "sh",
        )
    )
    for tag in document.document["tags"]:
        label = LABELS.get(tag["name"], tag["name"].capitalize())
        headings.append(Heading(2, tag["name"], label, tag["description"]))
        rows = [
            f'<li><a href="{tag["name"]}.html#{anchor(method, path)}"><span class="method'
            f' {method.lower()}">{method}</span> <code>{cell(path).replace("/", "/<wbr>")}</code></a>'
            f"<span>{cell(operation['summary'])}</span></li>"
            for method, path, operation in document.operations()
            if operation["tags"][0] == tag["name"]
        ]
        link = f'<a href="{tag["name"]}.html">{label}</a>'
        parts.append(
            f"{titled(2, tag['name'], link, label)}<p>{cell(tag['description'])}</p>"
            f'<ul class="operations">{"".join(rows)}</ul>\n'
        )
    headings.append(Heading(2, "errors", "Errors", "refusal code message request_id"))
    parts.append(titled(2, "errors", "Errors", "Errors"))
    parts.append(
        "<p>Whatever is refused is answered in one form. <code>code</code> doesn’t change; <code>message</code> says"
        " what to do; <code>path</code> is the field that is wrong; <code>request_id</code> is in the server’s log. <a"
        ' href="../errors.html">Errors</a> has every code.</p>\n'
    )
    for example in refusals:
        variable = (
            None if example.status == 401 else "PLACARD_PUBLISHABLE_KEY" if example.status == 403 else "PLACARD_KEY"
        )
        parts.append(
            f'<h3 class="status-heading">{example.status}'
            f" {STATUSES[example.status]}</h3>{code.block(example.command(variable), 'sh')}{shown(example)}"
        )
    return Page("rest/index.html", "REST reference", "".join(parts), headings, kind="REST", weight=1.2)


STATUSES = {
    400: "Something is missing or wrong",
    401: "The key is missing, unknown, revoked or expired",
    403: "The key isn't allowed to do this",
    404: "There is no such thing",
    409: "It was changed in between, or can’t be done now",
}


def pages(openapi, examples, refusals, rates):
    document = Document(openapi)
    missing = [f"{method} {path}" for method, path, _ in document.operations() if f"{method} {path}" not in examples]
    if missing:
        raise SystemExit("These operations have no example in scripts/lib/docsite/requests.py: " + ", ".join(missing))
    made = [index_page(document, refusals)]
    made += [tag_page(document, tag, examples, rates) for tag in openapi["tags"]]
    return [*made, schemas_page(document)]
