"""The users that an audience means: docs/audiences.md, computed from it and from nothing else."""

import itertools
import re
from decimal import Decimal

from . import times
from .amounts import exact
from .audience_filters import Filters
from .times import DAY

NEGATIVE = {
    "not_equal": "equals",
    "does_not_equal": "equals",
    "is_none_of": "is_any_of",
    "does_not_exist": "exists",
    "does_not_include_value": "includes_value",
    "does_not_contain": "contains",
    "does_not_match_regex": "matches_regex",
}
STANDARD = {
    "country",
    "language",
    "time_zone",
    "first_name",
    "last_name",
    "email",
    "phone",
    "gender",
    "dob",
    "home_city",
    "email_subscribe",
    "push_subscribe",
    "bio",
    "image_url",
}
ORDERS = {
    "greater_than": lambda left, right: left > right,
    "greater_than_or_equal_to": lambda left, right: left >= right,
    "less_than": lambda left, right: left < right,
    "less_than_or_equal_to": lambda left, right: left <= right,
}
NUMBERS = {**ORDERS, "equals": lambda left, right: left == right, "not_equal": lambda left, right: left != right}
RECENT = 100


class Person:
    """What was told of a user, and when."""

    def __init__(self, user_id, created_at):
        self.user_id = user_id
        self.created_at = created_at
        self.first_seen_at = None
        self.last_seen_at = None
        self.custom = {}
        self.standard = {}
        self.device = {}
        self.events = {}
        self.purchases = {}
        self.sessions = []
        self.contacts = []
        self.buckets = {}

    def see(self, now):
        """A device of the user was heard of."""
        self.first_seen_at = now if self.first_seen_at is None else min(self.first_seen_at, now)
        self.last_seen_at = now if self.last_seen_at is None else max(self.last_seen_at, now)

    def absorb(self, other):
        """Gets what another person did, and what is known of that one alone."""
        for own, others in ((self.custom, other.custom), (self.standard, other.standard), (self.device, other.device)):
            own.update({name: value for name, value in others.items() if own.get(name) is None})
        for own, others in ((self.events, other.events), (self.purchases, other.purchases)):
            for name, done in others.items():
                own[name] = own.get(name, []) + done
        self.sessions = self.sessions + other.sessions
        for time in (other.first_seen_at, other.last_seen_at):
            if time is not None:
                self.see(time)

    def attribute(self, name):
        """The value of a standard attribute: what a backend set, or else what the device says."""
        if name in self.standard:
            return self.standard[name]
        locale = re.split(r"[@.]", self.device.get("locale") or "")[0]
        parts = [part for part in re.split(r"[-_]", locale) if part]
        if name == "time_zone":
            return self.device.get("time_zone")
        if name == "language":
            return parts[0].lower() if parts else None
        if name == "country":
            if chosen := self.chosen_region(parts):
                return chosen
            for part in parts[1:]:
                if len(part) == 1:
                    break
                if len(part) == 2 and part.isascii() and part.isalpha():
                    return part.upper()
        return None

    def chosen_region(self, parts):
        """The region that the user has chosen beside the language: `en_GB@rg=jpzzzz`, or `en-GB-u-rg-jpzzzz`."""
        keywords = (self.device.get("locale") or "").partition("@")[2].split(";")
        values = [keyword[3:] for keyword in keywords if keyword.startswith("rg=")]
        public = list(itertools.takewhile(lambda part: part.lower() != "x", parts))
        extension = list(itertools.dropwhile(lambda part: part.lower() != "u", public))
        values += [value for key, value in zip(extension, extension[1:]) if key.lower() == "rg"]
        region = values[0][:2] if values and len(values[0]) > 2 else ""
        return region.upper() if region.isascii() and region.isalpha() else None

    def value(self, name):
        if name in STANDARD:
            return self.attribute(name)
        if name in ("user_id", "created_at", "first_seen_at", "last_seen_at"):
            return getattr(self, name)
        if name in ("app_version", "locale"):
            return self.device.get(name)
        return self.custom.get(name)


class Matcher(Filters):
    """Answers for users at a moment, given the saved segments and the workspace's time zone."""

    def __init__(self, now, segments=None, workspace_zone="UTC"):
        self.now = now
        self.segments = segments or {}
        self.workspace_zone = workspace_zone

    def matches(self, audience, person):
        if not audience:
            return True
        ((kind, clause),) = audience.items() if len(audience) == 1 else (self._attribute_item(audience),)
        if kind in ("all", "AND"):
            return all(self.matches(branch, person) for branch in clause)
        if kind in ("any", "OR"):
            return any(self.matches(branch, person) for branch in clause)
        if kind == "none":
            return not any(self.matches(branch, person) for branch in clause)
        return getattr(self, f"_{kind}")(clause, person)

    @staticmethod
    def _attribute_item(audience):
        return ("attribute_clause", audience)

    # Attributes

    def _attribute(self, name, person):
        return self._attribute_clause({"attribute": name}, person)

    def _attribute_clause(self, clause, person):
        name = clause["attribute"]
        return self._compare(person.value(name), clause.get("comparison", "equals"), clause.get("value"), name)

    def _custom_attribute(self, clause, person):
        value = person.custom.get(clause["custom_attribute_name"])
        return self._compare(value, clause.get("comparison", "equals"), clause.get("value"), None)

    # Comparisons

    def _compare(self, value, comparison, wanted, name):
        if comparison in NEGATIVE:
            return not self._compare(value, NEGATIVE[comparison], wanted, name)
        if value is None:
            return False
        if comparison == "exists":
            return True
        if comparison == "equals":
            return same(value, wanted)
        if comparison == "is_any_of":
            return any(same(value, one) for one in wanted)
        if comparison == "includes_value":
            return isinstance(value, list) and any(same(one, wanted) for one in value)
        if comparison == "contains":
            return isinstance(value, str) and wanted in value
        if comparison == "matches_regex":
            return isinstance(value, str) and re.search(wanted, value, re.ASCII) is not None
        if comparison in ORDERS:
            return self._order(value, comparison, wanted, name)
        return self._time(time_of(value), comparison, wanted)

    def _order(self, value, comparison, wanted, name):
        if name == "app_version":
            left, right = version(value), version(wanted)
        elif is_number(value) and is_number(wanted):
            left, right = exact(value), exact(wanted)
        else:
            left, right = time_of(value), time_of(wanted)
        return left is not None and right is not None and ORDERS[comparison](left, right)

    def _time(self, time, comparison, wanted):
        if time is None:
            return False
        if comparison == "before":
            return time < time_of(wanted)
        if comparison == "after":
            return time > time_of(wanted)
        span = wanted * DAY
        if comparison == "less_than_x_days_ago":
            return time <= self.now < time + span
        if comparison == "greater_than_x_days_ago":
            return time + span <= self.now
        if comparison == "less_than_x_days_in_the_future":
            return time - span <= self.now < time
        if comparison == "greater_than_x_days_in_the_future":
            return self.now < time - span
        raise ValueError(comparison)

    # What users did

    def _event(self, clause, person):
        return self._history(clause, [(time, None) for time in person.events.get(clause["name"], [])], person)

    def _session(self, clause, person):
        return self._history(clause, [(time, None) for time in person.sessions], person)

    def _purchase(self, clause, person):
        found = []
        for (product, currency), purchases in person.purchases.items():
            if clause.get("product_id") not in (None, product):
                continue
            if clause.get("measure") == "revenue" and currency != clause["currency"].upper():
                continue
            # What is dated ahead takes the place of nothing that has happened.
            found += (
                sorted(one for one in purchases if one[0] <= self.now)[-RECENT:] if self._window(clause) else purchases
            )
        return self._history(clause, found, person)

    @staticmethod
    def _window(clause):
        return "within_days" in clause or "within_calendar_days" in clause

    def _history(self, clause, done, person):
        measure, comparison = clause.get("measure", "count"), clause.get("comparison")
        if measure in ("first", "last"):
            seen = [time for time, _ in done]
            value = (min if measure == "first" else max)(seen) if seen else None
            return self._compare(value, comparison, clause.get("value"), None)
        if self._window(clause):
            done = [one for one in done if self.recent(one[0], clause, person)]
        number = sum((amount for _, amount in done), Decimal(0)) if measure == "revenue" else Decimal(len(done))
        wanted = exact(clause.get("value", 1))
        return NUMBERS[comparison or "greater_than_or_equal_to"](number, wanted)

    def recent(self, time, clause, person):
        """Whether a time is within the window of a clause, up to this moment."""
        if time > self.now:
            return False
        if "within_days" in clause:
            return time + clause["within_days"] * DAY > self.now
        name = person.attribute("time_zone")
        name = name if name and times.zone(name) else self.workspace_zone
        today = times.local(self.now, name).date()
        return (today - times.local(time, name).date()).days < clause["within_calendar_days"]

    def _campaign(self, clause, person):
        contact, variants = clause.get("contact", "received"), clause.get("variants")
        found = [
            time
            for campaign, variant, what, time in person.contacts
            if campaign == clause["id"] and what == contact and (not variants or variant in variants)
        ]
        return bool(found) and (not self._window(clause) or self.recent(max(found), clause, person))


def is_number(value):
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def same(left, right):
    """Whether two values are of one kind and the same."""
    if is_number(left) and is_number(right):
        return exact(left) == exact(right)
    return type(left) is type(right) and left == right


def time_of(value):
    """The time that a value says, or None."""
    if is_number(value):
        return float(value)
    return times.parse_iso(value) if isinstance(value, str) else None


def version(value):
    """The numbers of a version, without zeros at the end, or None."""
    match = re.match(r"\d+(\.\d+)*", str(value)) if isinstance(value, (str, int, float)) else None
    if not match:
        return None
    numbers = [int(part) for part in match.group().split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return numbers
