"""Which campaigns are candidates for a card of a user, and until when: what the document says of eligibility."""

from . import times
from .audience_reference import time_of
from .times import DAY
from .delivery_state import Card, MONTH


class Eligibility:
    """The questions of the reference, which change nothing of campaigns and users."""

    def rank(self, name, variant, since, frozen=None):
        """A card's place in the feed: pinned ones, then those of higher priority, then the newest."""
        card = self.campaigns[name].card(variant)
        return (*(frozen or (not card.get("pinned", False), -card.get("priority", 0))), -since, name)

    def since(self, campaign, trigger, user):
        """Since when a card that isn't given yet has been on offer."""
        if trigger:
            return self.due_of(trigger, user)
        if any(card.campaign == campaign.body["id"] for card in user.cards):
            return self.now
        start = None if campaign.delivery.get("local_time") else campaign.delivery.get("start_at")
        return max(campaign.launched_at, campaign.launched_at if start is None else time_of(start))

    def is_present(self, card, user):
        """Whether a card takes up room."""
        campaign = self.campaigns[card.campaign]
        if (
            card.dismissed
            or card.removed
            or card.limited
            or campaign.withdrawn
            or campaign.variant(card.variant) is None
        ):
            return False
        if self.expiry(campaign, card, user) <= self.now:
            return False
        follows = campaign.rules.get("follow_audience")
        return not follows or self.matcher().matches(campaign.body.get("audience"), user.person)

    def end_late(self, campaign, user):
        """What became due too soon after the last card that the user has waits no more."""
        given = [card for card in user.cards if card.campaign == campaign.body["id"]]
        if given and campaign.delivery["type"] != "scheduled" and self.open(campaign.delivery, self.now, user):
            for key, one in list(user.waiting.items()):
                if (
                    key[0] == campaign.body["id"]
                    and self.due_of(one, user) <= self.now
                    and not self.allowed_again(campaign, self.due_of(one, user), given[-1].at)
                ):
                    self.end(user, key)

    def drop_others(self, campaign, user, given):
        """What is due and came too soon after the card that was given waits no more; what isn't due may be put off."""
        for key, one in list(user.waiting.items()):
            due = self.due_of(one, user)
            if (
                key[0] == campaign.body["id"]
                and due <= self.now
                and not self.allowed_again(campaign, due, self.due_of(given, user))
            ):
                self.end(user, key)

    def candidates(self, campaign, user):
        """The cards that a campaign would give: each with its variant, and its trigger or None."""
        name = campaign.body["id"]
        given = [card for card in user.cards if card.campaign == name]
        variant = self.variant(campaign, given, user)
        if variant is None or self.expiry(campaign, Card(name, variant, self.now, None), user) <= self.now:
            return []
        if not self.renders(campaign, variant, user):
            return []
        if campaign.delivery["type"] == "scheduled":
            if not self.open(campaign.delivery, self.now, user):
                return []
            if not given:
                return [(campaign, variant, None)]
            span = self.again(campaign)
            last = given[-1]
            is_gone = self.is_gone(campaign, last, user)
            return [(campaign, variant, None)] if span is not None and is_gone and last.at + span <= self.now else []
        found = []
        last = given[-1].at if given else None
        for one in self.due(campaign, user):
            if last is None or self.allowed_again(campaign, self.due_of(one, user), last):
                found.append((campaign, variant, one))
                last = self.due_of(one, user)
        return found

    @staticmethod
    def variant(campaign, given, user):
        """The variant that a user was given before, unless its weight is 0 by now, or else the allocated one."""
        last = campaign.variant(given[-1].variant) if given else None
        return last["id"] if last and last.get("weight", 1) else campaign.allocated(user.person.user_id)

    def due(self, campaign, user):
        """The triggers whose time has come, in the order of their own times."""
        name = campaign.body["id"]
        if not self.open(campaign.delivery, self.now, user):
            return []
        found = [one for key, one in user.waiting.items() if key[0] == name]
        found += [
            one
            for one in campaign.broadcasts
            if user.triggers.get((name, one.id), "over") == "over" and self.matcher().matches(one.audience, user.person)
        ]
        found = [(self.due_of(one, user), one) for one in found if one.until > self.now]
        return [one for due, one in sorted(found, key=lambda pair: (pair[0], pair[1].id)) if due <= self.now]

    def edges(self, only_again=False):
        """The moments to come at which the rules change what users get, or at which they may get a card again."""
        if only_again:
            found = [
                card.at + (self.again(self.campaigns[card.campaign]) or 0)
                for user in self.users.values()
                for card in user.cards
            ]
            return sorted({round(moment, 3) for moment in found if moment > self.now})
        found = []
        broadcasts = [broadcast for campaign in self.campaigns.values() for broadcast in campaign.broadcasts]
        for user in self.users.values():
            for one in [*user.waiting.values(), *broadcasts]:
                found += [self.due_of(one, user), one.until]
            for campaign in self.campaigns.values():
                is_local = campaign.delivery.get("local_time")
                found += [self.moment(campaign.delivery.get(name), is_local, user) for name in ("start_at", "end_at")]
            for card in user.cards:
                campaign = self.campaigns[card.campaign]
                found += [card.at + (self.again(campaign) or 0), self.expiry(campaign, card, user)]
                found += [card.at + cap["days"] * DAY for cap in self.settings.get("frequency_caps", [])]
        return sorted({round(moment, 3) for moment in found if moment and self.now < moment < self.now + MONTH})

    def again(self, campaign):
        """After how many seconds a user may get the card again, or None for never."""
        may = campaign.rules.get("reeligible", campaign.delivery["type"] == "api_triggered")
        return campaign.rules.get("reeligible_after_days", 0) * DAY if may else None

    def allowed_again(self, campaign, due, last):
        span = self.again(campaign)
        return span is not None and (span == 0 or due >= last + span)

    def is_gone(self, campaign, card, user):
        """Whether another card may follow; one that the limit dropped counts as present until it would have expired."""
        if card.dismissed or card.removed or campaign.withdrawn or campaign.variant(card.variant) is None:
            return True
        return self.expiry(campaign, card, user) <= self.now

    def is_quiet(self, campaign, user):
        quiet = self.settings.get("quiet_hours")
        if not quiet or campaign.rules.get("ignore_quiet_hours"):
            return False
        clock = times.local(self.now, self.zone(user)).strftime("%H:%M")
        start, end = quiet["from"], quiet["to"]
        return start <= clock < end if start < end else clock >= start or clock < end

    def within_caps(self, chosen, user):
        """What the frequency caps leave room for; a control is held back and doesn't count."""
        caps = self.settings.get("frequency_caps", [])
        order = sorted(
            range(len(chosen)), key=lambda index: -chosen[index][0].card(chosen[index][1]).get("priority", 0)
        )
        new, kept = [], []
        for index in order:
            campaign, variant, _ = chosen[index]
            tags = campaign.body.get("tags", [])
            if not campaign.rules.get("ignore_frequency_caps"):
                if any(self.is_full(cap, user, new) for cap in caps if cap.get("tag") is None or cap["tag"] in tags):
                    continue
                if not campaign.is_control(variant):
                    new.append(tags)
            kept.append(index)
        return [chosen[index] for index in sorted(kept)]

    def is_full(self, cap, user, new):
        """Whether a cap is used up by what was given, and by what is given now."""
        tag = cap.get("tag")
        past = []
        for card in user.cards:
            campaign = self.campaigns[card.campaign]
            if card.at + cap["days"] * DAY > self.now and not campaign.rules.get("ignore_frequency_caps"):
                if campaign.variant(card.variant) and not campaign.is_control(card.variant):
                    past.append(campaign.body.get("tags", []))
        return sum(1 for tags in past + new if tag is None or tag in tags) >= cap["cards"]

    # The feed

    def renders(self, campaign, variant, user):
        """Whether a card can be shown; a control has nothing to render."""
        return campaign.is_control(variant) or self.title(campaign, variant, user) is not None
