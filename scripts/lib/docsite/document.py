"""The document of the API, and what it says of types."""

import html
import json


def cell(text):
    return html.escape(str(text), quote=False)


class Document:
    """An OpenAPI document, and how its parts are written."""

    def __init__(self, document):
        self.document = document
        self.schemas = document["components"]["schemas"]

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def resolved(self, part):
        """A part, or what it refers to."""
        while "$ref" in part:
            kind, name = part["$ref"].split("/")[-2:]
            part = self.document["components"][kind][name]
        return part

    def kind(self, schema):
        """The type of a value in a few words, with a link where the document names it."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return f'<a href="schemas.html#{name.lower()}">{name}</a>'
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return " or ".join(dict.fromkeys(self.kind(part) for part in schema[union]))
        if "allOf" in schema:
            return "object"
        kinds = schema.get("type", "any")
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return " or ".join(
            f"array of {self.kind(schema['items'])}" if kind == "array" and "items" in schema else kind
            for kind in kinds
        )

    @staticmethod
    def bounds(schema):
        """What a value has to keep to."""
        parts = []
        if "enum" in schema:
            parts.append("One of " + ", ".join(f"<code>{cell(value)}</code>" for value in schema["enum"]) + ".")
        if "const" in schema:
            parts.append(f"Always <code>{cell(schema['const'])}</code>.")
        for low, high, unit in (
            ("minimum", "maximum", ""),
            ("minLength", "maxLength", " characters"),
            ("minItems", "maxItems", " elements"),
        ):
            if low in schema and high in schema:
                parts.append(f"{schema[low]:,} to {schema[high]:,}{unit}.")
            elif high in schema:
                parts.append(f"At most {schema[high]:,}{unit}.")
            elif low in schema:
                parts.append(f"At least {schema[low]:,}{unit}.")
        if "format" in schema and schema["format"] != "binary":
            parts.append(f"Format <code>{cell(schema['format'])}</code>.")
        if "pattern" in schema:
            parts.append(f"Matches <code>{cell(schema['pattern'])}</code>.")
        if "default" in schema:
            parts.append(f"Default <code>{cell(json.dumps(schema['default']))}</code>.")
        return " ".join(parts)

    def described(self, schema):
        text = schema.get("description", "")
        if text and not text.endswith((".", "!", "?")):
            text += "."
        return f"{cell(text)} {self.bounds(schema)}".strip()

    def fields(self, schema, depth=0):
        """The members of an object as a list, with those of objects inside it below."""
        schema = self.resolved(schema)
        if "allOf" in schema:
            return "".join(self.fields(part, depth) for part in schema["allOf"])
        if schema.get("type") == "array" and "items" in schema and "$ref" not in schema["items"]:
            return self.fields(schema["items"], depth)
        rows = []
        for name, part in schema.get("properties", {}).items():
            need = ' <span class="required">required</span>' if name in schema.get("required", []) else ""
            inner = self.inner(part)
            below = self.fields(inner, depth + 1) if inner and depth < 4 else ""
            rows.append(
                f"<dt><code>{cell(name)}</code> <span"
                f' class="type">{self.kind(part)}</span>{need}</dt><dd>{self.described(part)}{below}</dd>'
            )
        return f'<dl class="fields">{"".join(rows)}</dl>' if rows else ""

    @staticmethod
    def inner(part):
        """The object that a member is, or that its elements are, where it has no name of its own."""
        if "properties" in part:
            return part
        items = part.get("items", {})
        return items if "properties" in items else None

    def body(self, content, label):
        """A request's or reply's body."""
        made = []
        kinds = list(content)
        schema = next(iter(content.values())).get("schema", {})
        name = schema.get("$ref", "").rpartition("/")[2]
        named = f', <a href="schemas.html#{name.lower()}">{name}</a>' if name and name != "Document" else ""
        made.append(
            f'<h3 class="minor">{label}</h3><p'
            f' class="media">{", ".join(f"<code>{kind}</code>" for kind in kinds)}{named}</p>'
        )
        fields = self.fields(schema)
        if fields and label == "Reply":
            fields = f"<details><summary>Fields of the reply</summary>{fields}</details>"
        return "".join(made) + fields
