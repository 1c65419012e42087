"""Bodies from the server's own OpenAPI document: a sample of each, and the place of every number, text and object in
it."""

import copy
import json
import pathlib
import re
import uuid

EVERYTHING = json.loads((pathlib.Path(__file__).parent.parent / "everything_campaign.json").read_text())
MARK = "@@raw@@"


class Schemas:
    """The schemas of a document."""

    def __init__(self, document):
        self.document, self.named = document, document["components"]["schemas"]

    def resolve(self, schema):
        """A schema without references, and the name that it had."""
        name = None
        while "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            schema = self.named[name]
        return schema, name

    @staticmethod
    def kinds(schema):
        kind = schema.get("type", [])
        return kind if isinstance(kind, list) else [kind]

    def sample(self, schema, depth=0):
        """A value that has what is required."""
        schema, _ = self.resolve(schema)
        if "enum" in schema:
            return schema["enum"][0]
        for key in ("oneOf", "anyOf", "allOf"):
            if key in schema:
                return self.sample(schema[key][0], depth + 1)
        kind = next((kind for kind in self.kinds(schema) if kind != "null"), "object")
        if kind == "object":
            members = schema.get("properties", {})
            return {
                name: self.sample(members[name], depth + 1) for name in schema.get("required", []) if name in members
            }
        if kind == "array":
            return [self.sample(schema.get("items", {}), depth + 1)] if schema.get("minItems") else []
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        if kind == "boolean":
            return False
        return str(uuid.uuid4()) if schema.get("format") == "uuid" else "x" * max(1, schema.get("minLength", 1))

    def places(self, schema, wanted, place=(), seen=()):
        """The places below a schema whose type is one of those that are wanted, each as names and 0 for an element."""
        schema, name = self.resolve(schema)
        if len(place) > 7 or seen.count(name) > (1 if name else 99):
            return
        if set(self.kinds(schema)) & set(wanted) and place:
            yield place
        for key in ("oneOf", "anyOf", "allOf"):
            for part in schema.get(key, []):
                yield from self.places(part, wanted, place, (*seen, name))
        for member, inner in schema.get("properties", {}).items():
            yield from self.places(inner, wanted, (*place, member), (*seen, name))
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict):
            yield from self.places(extra, wanted, (*place, "any"), (*seen, name))
        if "items" in schema:
            yield from self.places(schema["items"], wanted, (*place, 0), (*seen, name))

    def operations(self):
        """Every route with the schema of its JSON body, or None."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                content = operation.get("requestBody", {}).get("content", {})
                yield method.upper(), path, operation, content.get("application/json", {}).get("schema")

    def base(self, schema):
        """A body of a schema that goes as deep into the server as may be."""
        resolved, name = self.resolve(schema)
        if name in ("NewCampaign", "CampaignUpdate"):
            known = set(resolved["properties"])
            return {
                key: copy.deepcopy(value)
                for key, value in EVERYTHING.items()
                if key in known and key not in ("id", "version")
            }
        value = self.sample(schema)
        if isinstance(value, dict) and "user_id" in resolved.get("properties", {}):
            value.update(user_id="kate", device_id="device-kate")
        return value


def put(body, place, value):
    """A copy of a body with a value at a place; what is on the way there is made."""
    body = copy.deepcopy(body)
    if not place:
        return value
    node = body
    for step, following in zip(place, [*place[1:], None]):
        is_last = following is None
        empty = value if is_last else ([] if following == 0 else {})
        if step == 0:
            if not isinstance(node, list):
                return body
            if not node:
                node.append(empty)
            elif is_last or not isinstance(node[0], (dict, list)):
                node[0] = empty
            node = node[0]
        else:
            if not isinstance(node, dict):
                return body
            if is_last or not isinstance(node.get(step), list if following == 0 else dict):
                node[step] = empty
            node = node[step]
    return body


def with_raw(body, place, raw):
    """The JSON of a body with text as it is at a place, such as 1e400."""
    return re.sub(json.dumps(MARK), lambda _: raw, json.dumps(put(body, place, MARK)))


def spell(place):
    """A place as errors spell it."""
    return (
        "".join("[]" if step == 0 else ("." if index else "") + step for index, step in enumerate(place)) or "the body"
    )
