"""Who is who: docs/rest-api.md on tracking, aliases, identifying, exporting and deleting, computed from it."""

from decimal import Decimal

from .amounts import exact


class Profile:
    """What is known of a user."""

    def __init__(self, external_id=None):
        self.external_id = external_id
        self.aliases = {}
        self.custom = {}
        self.standard = {}
        self.events = []
        self.purchases = []
        self.cards = 0

    def set(self, attributes):
        """Sets attributes; `{"inc"}` adds, `{"add", "remove"}` changes a set, null removes."""
        for name, value in attributes.items():
            store = self.standard if name == "first_name" else self.custom
            if value is None:
                store.pop(name, None)
            elif isinstance(value, dict) and "inc" in value:
                known = store.get(name, 0)
                if isinstance(known, (int, Decimal)):
                    store[name] = known + exact(value["inc"])
            elif isinstance(value, dict):
                known = store.get(name, [])
                known = known if isinstance(known, list) else []
                gone = value.get("add", []) + value.get("remove", [])
                store[name] = [one for one in known if one not in gone] + value.get("add", [])
            else:
                store[name] = exact(value) if isinstance(value, float) else value

    def export(self):
        """What the export says, as far as the reference knows it."""
        found = {"user_aliases": sorted(self.aliases.items()), "custom_attributes": self.custom, **self.standard}
        for member, done in (("custom_events", self.events), ("purchases", self.purchases)):
            names = sorted({one["name"] for one in done})
            found[member] = [self._summary(name, [one for one in done if one["name"] == name]) for name in names]
        revenue = {}
        for one in self.purchases:
            revenue[one["currency"]] = revenue.get(one["currency"], 0) + one["amount"]
        found["revenue_by_currency"] = revenue
        if len(revenue) == 1:
            found["total_revenue"] = next(iter(revenue.values()))
        if self.external_id:
            found["external_id"] = self.external_id
        return found

    @staticmethod
    def _summary(name, done):
        times = [one["at"] for one in done]
        return {"name": name, "first": min(times), "last": max(times), "count": sum(one["count"] for one in done)}


class People:
    """Everybody."""

    def __init__(self):
        self.profiles = []

    def find(self, who):
        """The user who is meant, or None."""
        for profile in self.profiles:
            if "external_id" in who:
                if profile.external_id == who["external_id"]:
                    return profile
            elif profile.aliases.get(who["user_alias"]["alias_label"]) == who["user_alias"]["alias_name"]:
                return profile
        return None

    def make(self, who):
        """A new user of that name."""
        profile = Profile(who.get("external_id"))
        if "user_alias" in who:
            profile.aliases[who["user_alias"]["alias_label"]] = who["user_alias"]["alias_name"]
        self.profiles.append(profile)
        return profile

    def track(self, who, makes):
        """The user of a tracked object, who is made where that is meant."""
        profile = self.find(who)
        if profile or (not makes if "user_alias" in who else False):
            return profile
        return self.make(who)

    def alias(self, alias, external_id):
        """Gives an alias; returns whether that was done."""
        owner = self.find({"user_alias": alias})
        if external_id is None:
            if not owner:
                self.make({"user_alias": alias})
            return True
        user = self.find({"external_id": external_id})
        if not user or (owner and owner is not user):
            return False
        if owner is user:
            return True
        if alias["alias_label"] in user.aliases:
            return False
        user.aliases[alias["alias_label"]] = alias["alias_name"]
        return True

    def identify(self, alias, external_id):
        """Joins the user with an alias with the one with the id; returns whether that was done."""
        user = self.find({"user_alias": alias})
        if not user:
            return False
        if user.external_id:
            return user.external_id == external_id
        identity = self.find({"external_id": external_id})
        if identity is None:
            user.external_id = external_id
            return True
        if set(user.aliases) & set(identity.aliases):
            return False
        identity.aliases.update(user.aliases)
        identity.custom = {**user.custom, **identity.custom}
        identity.standard = {**user.standard, **identity.standard}
        identity.events += user.events
        identity.purchases += user.purchases
        identity.cards = max(identity.cards, user.cards)
        self.profiles.remove(user)
        return True

    def delete(self, who):
        """Forgets a user; returns whether there was one."""
        user = self.find(who)
        if user:
            self.profiles.remove(user)
        return user is not None
