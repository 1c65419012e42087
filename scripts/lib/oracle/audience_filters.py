"""The filters of audiences but those of attributes and of what users did: each made up by chance, and answered.

A new filter is added here alone: a function in MADE, which makes one, and a method of Filters with the filter's name,
which says who it holds for, as docs/audiences.md has it.
"""

from . import times
from .times import DAY

SALTS = ["s", "", "é"]
DAYS = [0, 0.5, 1, 2, 3, 7, 30, 365]


def near(random, now):
    """A time around now, often just at an edge of a window."""
    days = random.choice(DAYS) * random.choice([-1, 1])
    return round(now + days * DAY + random.choice([0, 0.001, -0.001, 3600, -3600, random.randint(-80000, 80000)]), 3)


# Made up by chance


def listed_users(random, now, users, segments):
    return {"users": random.sample(users, random.randint(0, min(5, len(users))))}


def null(random, now, users, segments):
    return None


def everyone(random, now, users, segments):
    return {}


def random_bucket(random, now, users, segments):
    return {
        "random_bucket": {
            "from": random.randint(0, 5000),
            "to": random.randint(5000, 9999),
            **random.choice([{}, {"salt": random.choice(SALTS)}]),
        }
    }


def last_used_app(random, now, users, segments):
    return {"last_used_app": {"comparison": random.choice(["before", "after"]), "value": times.iso(near(random, now))}}


def subscription(random, now, users, segments):
    return {
        random.choice(["email", "push"]) + "_subscription_status": {
            "comparison": random.choice(["is", "is_not"]),
            "value": random.choice(["opted_in", "subscribed", "unsubscribed"]),
        }
    }


def segment(random, now, users, segments):
    return {"segment": random.choice(segments)}


MADE = [listed_users, null, everyone, random_bucket, last_used_app, subscription]


def made(random, now, users, segments):
    """One of the filters; of segments where there are any, as often as three others."""
    makers = MADE + [segment] * 3 if segments else MADE
    return random.choice(makers)(random, now, users, segments)


# Answered


class Filters:
    """A part of the matcher of audiences, which compares and has the segments: a method for each filter."""

    def _users(self, users, person):
        return person.user_id in users

    def _segment(self, name, person):
        return self.matches(self.segments[name], person)

    def _random_bucket(self, clause, person):
        number = person.buckets[clause.get("salt")]
        return clause.get("from", 0) <= number <= clause.get("to", 9999)

    def _last_used_app(self, clause, person):
        return self._compare(person.last_seen_at, clause["comparison"], clause["value"], "last_seen_at")

    def _email_subscription_status(self, clause, person):
        return self._subscription("email_subscribe", clause, person)

    def _push_subscription_status(self, clause, person):
        return self._subscription("push_subscribe", clause, person)

    @staticmethod
    def _subscription(name, clause, person):
        same = (person.attribute(name) or "subscribed") == clause["value"]
        return same if clause["comparison"] == "is" else not same
