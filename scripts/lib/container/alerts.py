"""Holds the alert rules for Prometheus to telling installations apart."""

import re

import yaml

# Of a target: where it is, in a cluster and among clusters, and what it belongs to.
PLACE = {"cluster", "namespace", "job"}


def rules(path):
    """The rules of a file."""
    return [rule for group in yaml.safe_load(path.read_text())["groups"] for rule in group["rules"]]


def kept_labels(expression):
    """The labels that are left by each aggregation of an expression."""
    found = re.findall(r"\b(?:sum|max|min|avg|count)\b\s*(by\s*\(([^)]*)\))?", expression)
    return [{name.strip() for name in names.split(",")} if written else set() for written, names in found]


def check_alerts(check, path):
    """No aggregation mixes installations, both sides of an operator have the same labels, and texts name no others."""
    found = {rule["alert"]: [labels - {"le"} for labels in kept_labels(rule["expr"])] for rule in rules(path)}
    mixed = [name for name, kept in found.items() if not all(labels >= PLACE for labels in kept)]
    check("No alert mixes installations of one job.", any(found.values()) and not mixed, mixed)
    unlike = [name for name, kept in found.items() if any(labels != kept[0] for labels in kept)]
    check("Both sides of an alert's condition have the same labels.", not unlike, unlike)
    missing = [
        (rule["alert"], name)
        for rule in rules(path)
        for name in re.findall(r"\$labels\.(\w+)", " ".join(rule["annotations"].values()))
        if found[rule["alert"]] and name not in found[rule["alert"]][0]
    ]
    check("An alert's text has no label that its condition drops.", not missing, missing)
