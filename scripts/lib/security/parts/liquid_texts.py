"""Templates that cost much, and values and filters of each kind."""

import json

# Templates that must be refused or read in no time.
PARSED = {
    "2,000 nested ifs": "{% if a %}" * 2_000 + "{% endif %}" * 2_000,
    "6,000 ifs that never end": "{% if a %}" * 6_000,
    "1,000 nested loops": "{% for i in a %}" * 1_000 + "{% endfor %}" * 1_000,
    "2,000 nested captures": "{% capture a %}" * 2_000 + "{% endcapture %}" * 2_000,
    "30,000 opening braces": "{{" * 15_000,
    "20,000 openings of tags": "{%" * 20_000,
    "5,000 openings of raw": "{% raw %}" * 5_000,
    "4,000 openings of comments": "{% comment %}" * 4_000,
    "a chain of 6,000 filters": "{{ a" + " | upcase" * 6_000 + " }}",
    "a path of 12,000 names": "{{ a" + ".b" * 12_000 + " }}",
    "brackets 8,000 deep": "{{ " + "a[" * 8_000 + "0" + "]" * 8_000 + " }}",
    "parentheses 10,000 deep": "{{ " + "(" * 10_000 + "1" + ")" * 10_000 + " }}",
    "a name of 60,000 letters": "{{ " + "a" * 60_000 + " }}",
    "a number of 60,000 digits": "{{ " + "9" * 60_000 + " }}",
    "a condition of 5,000 ands": "{% if a" + " and a" * 5_000 + " %}x{% endif %}",
    "a case of 3,000 whens": "{% case a %}" + "{% when 1 %}x" * 3_000 + "{% endcase %}",
    "a text that never ends": "{{ '" + "a" * 60_000,
    "a text of 30,000 quotes": "{{ " + "''" * 15_000 + " }}",
    "4,000 elsifs": "{% if a %}" + "{% elsif a %}" * 4_000 + "{% endif %}",
    "tags that nobody knows": "{% zzz %}" * 5_000,
    "a filter with 8,000 arguments": "{{ a | replace: " + "1," * 8_000 + "1 }}",
    "dollar braces 8,000 deep": "{{ " + "${" * 8_000 + "}" * 8_000 + " }}",
    "NULs and other marks": "{{ a\u0000 }}{%\u202e if %}\ufeff{{\u2028}}" * 1_000,
    "the ends of tags alone": "%}" * 20_000,
    "whitespace of 60,000 blanks": "{{" + " " * 60_000 + "a }}",
    "2,000 connected contents": "{% connected_content https://x.example/ %}" * 1_500,
    "a liquid tag of 8,000 lines": "{% liquid" + "\nassign a = 1" * 4_500 + " %}",
}

DOUBLE = "".join("{% assign a = a | append: a %}" for _ in range(40))

# Templates that must end, withheld or cut, soon and in little memory; `big` is a text of 32 KB, `min` is −2⁶³.
RENDERED = {
    "a loop of 10⁹ rounds": "{% for i in (1..1000000000) %}x{% endfor %}",
    "a loop up to 2⁶³ − 1": "{% for i in (1..9223372036854775807) %}x{% endfor %}",
    "a loop from −2⁶³": "{% for i in (-9223372036854775808..9223372036854775807) %}{{ i }}{% endfor %}",
    "a loop with an offset of 2⁶³ − 1": (
        "{% for i in (1..9) offset: 9223372036854775807 limit: 9223372036854775807 %}{{ i }}{% endfor %}"
    ),
    "four nested loops": (
        "{% for a in (1..999) %}{% for b in (1..999) %}{% for c in (1..999) %}{% for d in (1..999) %}{% endfor %}{%"
        " endfor %}{% endfor %}{% endfor %}"
    ),
    "a table of 10⁷ cells": "{% tablerow i in (1..10000000) cols: 9223372036854775807 %}x{% endtablerow %}",
    "a text that doubles 40 times": "{% assign a = 'xxxxxxxx' %}" + DOUBLE + "{{ a | size }}",
    "a capture that doubles 30 times": (
        "{% assign a = 'xxxxxxxx' %}" + "{% capture a %}{{ a }}{{ a }}{% endcapture %}" * 30 + "{{ a | size }}"
    ),
    "a replacement of 32 KB by 16 KB each": "{% assign b = big | slice: 0, 16000 %}{{ big | replace: 'a', b | size }}",
    "a replacement of nothing by 32 KB": "{{ big | replace: '', big | size }}",
    "a removal of what is nearly there": (
        "{% assign b = big | slice: 0, 15000 | append: 'b' %}{{ big | remove: b | size }}"
    ),
    "a list that doubles 40 times": (
        "{% assign a = big | split: '' %}" + "{% assign a = a | concat: a %}" * 40 + "{{ a | size }}"
    ),
    "a joined list of 32 KB separators": "{% assign a = big | split: '' %}{{ a | join: big | size }}",
    "a list in a list 60 times": (
        "{% assign a = 'x' | split: '' %}" + "{% assign a = a | concat: a | join: ',' | split: ',' %}" * 60
    ),
    "32,000 parts sorted and compared": (
        "{% assign a = big | split: '' %}{{ a | sort | uniq | reverse | sort_natural | size }}"
    ),
    "32,000 parts mapped and filtered": (
        "{% assign a = big | split: '' %}{{ a | map: 'x' | where: 'x', 'y' | compact | size }}"
    ),
    "a strip of 32,000 brackets": "{% assign b = big | replace: 'a', '<' %}{{ b | strip_html | size }}",
    "a strip of comments that never end": (
        "{% assign b = big | slice: 0, 8000 | replace: 'a', '<!--' %}{{ b | strip_html | size }}"
    ),
    "an escape of 32,000 ampersands, ten times": (
        "{% assign b = big | replace: 'a', '&' %}{{ b | escape | escape | escape | escape | escape | escape | escape |"
        " escape | escape | escape | size }}"
    ),
    "an encoding, twenty times": (
        "{% assign b = big | replace: 'a', '%' %}" + "{% assign b = b | url_encode %}" * 20 + "{{ b | size }}"
    ),
    "a date with a width of 10⁹": "{{ 'now' | date: '%1000000000Y' }}",
    "a date with a width below none": "{{ 'now' | date: '%-9223372036854775808d%^#10000000B' }}",
    "a date of 16,000 parts": "{% assign f = big | replace: 'a', '%c' %}{{ 'now' | date: f | size }}",
    "dates of 2⁶³ − 1 and beyond": (
        "{{ 9223372036854775807 | date: '%Y' }}{{ 99999999999999999999.5 | date: '%Y' }}{{ min | date: '%s' }}"
    ),
    "a truncation to −2⁶³": "{{ big | truncate: -9223372036854775808 }}{{ big | truncatewords: -9223372036854775808 }}",
    "a slice from −2⁶³": (
        "{{ big | slice: -9223372036854775808, 9223372036854775807 | size }}{{ big | slice: min, min }}"
    ),
    "a division of −2⁶³ by −1": "{{ min | divided_by: -1 }}{{ min | modulo: -1 }}{{ min | times: -1 }}",
    "the absolute value of −2⁶³": "{{ min | abs }}{{ min | times: 1.0 }}{{ min | minus: 1 }}{{ min | plus: min }}",
    "rounding to ±2⁶³ places": (
        "{{ 1.5 | round: 9223372036854775807 }}{{ 1.5 | round: -9223372036854775808 }}{{ min | round: min }}{{ min |"
        " round }}{{ min | ceil }}{{ min | floor }}"
    ),
    "numbers of 30,000 digits": (
        "{% assign b = big | replace: 'a', '9' %}{{ b | plus: 1 }}{{ b | times: b }}{{ b | divided_by: 3 }}{{ b |"
        " round }}"
    ),
    "a multiplication, 500 times": "{% assign a = 9.9 %}" + "{% assign a = a | times: a %}" * 500 + "{{ a }}",
    "a counter beyond 2⁶³": "{% assign n = 9223372036854775807 %}{% increment n %}{% decrement n %}{{ n | plus: 1 }}",
    "a cycle of 8,000": (
        "{% for i in (1..2000) %}{% cycle " + ",".join(f"'{n}'" for n in range(2_000)) + " %}{% endfor %}"
    ),
    "hashes of 32 KB, 300 times": "{% for i in (1..300) %}{{ big | sha256 | size }}{{ big | md5 | size }}{% endfor %}",
    "blocks that call others twice": "{{content_blocks.${loop-a}}}",
    "a division by zero": "{{ 1 | divided_by: 0 }}{{ 1.0 | divided_by: 0.0 }}{{ 1 | modulo: 0 }}",
}


def preview(world, template, api=None, **more):
    card = {"type": "classic", "title": "t", "description": template}
    return (api or world.api).call(
        "POST", "/v1/preview", {"card": card, "custom_attributes": {"min": -(2**63)}, **more}
    )


def with_names(template):
    """Assigns the names that templates here use: a text of 32 KB is made by doubling."""
    double = "{% assign big = big | append: big %}" * 12
    return "{% assign big = 'aaaaaaaa' %}" + double + "{% assign min = custom_attribute.${min} %}" + template


VALUES = {
    "−2⁶³": -(2**63),
    "2⁶³ − 1": 2**63 - 1,
    "1e308": 1e308,
    "−1e308": -1e308,
    "the text −9223372036854775808": "-9223372036854775808",
    "the text 1e400": "1e400",
    "the text NaN": "NaN",
    "a text of 8 KB of combining marks": "e" + "\u0301" * 4_000,
    "a text of 4,000 flags": "\U0001f1e9" * 4_000,
    "a list 30 deep": json.loads("[" * 30 + "]" * 30),
    "a text with a NUL": "\u0000\ufffe",
    "a template": "{{ ${user_id} }}{% for %}",
}

FILTERS = [
    "abs",
    "append: v",
    "at_least: v",
    "at_most: v",
    "capitalize",
    "ceil",
    "compact",
    "concat: v",
    "date: '%Y-%m-%d %s'",
    "date: v",
    "default: v",
    "divided_by: v",
    "downcase",
    "escape",
    "escape_once",
    "first",
    "floor",
    "join: v",
    "json",
    "last",
    "lstrip",
    "map: v",
    "minus: v",
    "modulo: v",
    "newline_to_br",
    "plus: v",
    "prepend: v",
    "remove: v",
    "remove_first: v",
    "replace: v, v",
    "replace_first: v, v",
    "reverse",
    "round",
    "round: v",
    "rstrip",
    "size",
    "slice: v",
    "slice: v, v",
    "sort",
    "sort_natural",
    "split: v",
    "strip",
    "strip_html",
    "strip_newlines",
    "sum",
    "times: v",
    "times: 1.0",
    "truncate: v",
    "truncate: 9, v",
    "truncatewords: v",
    "uniq",
    "upcase",
    "url_decode",
    "url_encode",
    "where: v",
    "md5",
    "sha1",
    "sha256",
    "base64_encode",
    "base64_decode",
]


def every_filter(name):
    """Small templates that together put a value through every filter that there is; those unknown are left out."""
    return [
        f"{{% assign v = {name} %}}" + "".join(f"{{{{ v | {one} }}}}" for one in FILTERS[start : start + 10])
        for start in range(0, len(FILTERS), 10)
    ]
