"""Errors that are planted in a copy of the server one after the other, which the oracle has to find.

All of them are built at once; the environment variable PLANTED_ERROR says which one is in effect.
"""

HELPER = "Server/Sources/CardModel/PlantedError.swift"
HELPER_TEXT = """import Foundation

/// Says which error of scripts/check-planted-errors is in effect.
public enum PlantedError {
    private static let number = ProcessInfo.processInfo.environment["PLANTED_ERROR"].flatMap { Int($0) } ?? 0

    /// Returns whether an error is in effect.
    public static func isOn(_ other: Int) -> Bool { number == other }
}
"""

MODEL = "Server/Sources/CardModel/"
SERVER = "Server/Sources/CardServer/"
STORE = "Server/Sources/SQLiteCardStore/"


class Planted:
    """An error: which part of the oracle it concerns, and the text that takes the place of another in a file."""

    def __init__(self, name, part, path, right, wrong):
        self.name, self.part, self.path, self.right, self.wrong = name, part, path, right, wrong


ERRORS = {
    1: Planted(
        "a window that includes its own edge",
        "audiences",
        MODEL + "Audience/Matching/UserFacts.swift",
        "time <= now && time + seconds > now",
        "time <= now && (PlantedError.isOn(1) ? time + seconds >= now : time + seconds > now)",
    ),
    2: Planted(
        "daylight saving that changes a day late",
        "delivery",
        MODEL + "Time/TimeZoneClock.swift",
        "zone.secondsFromGMT(for: Date(timeIntervalSince1970: time))",
        "zone.secondsFromGMT(for: Date(timeIntervalSince1970: PlantedError.isOn(2) ? time - 86_400 : time))",
    ),
    3: Planted(
        "a cursor that moves past what a sync brought about",
        "cursors",
        SERVER + "Device/SyncController.swift",
        "if cursor?.version == outcome.versionBefore, !outcome.bringsNews {",
        "if PlantedError.isOn(3) || (cursor?.version == outcome.versionBefore && !outcome.bringsNews) {",
    ),
    4: Planted(
        "a frequency cap that lets one more through",
        "delivery",
        MODEL + "Feed/FrequencyBudget.swift",
        "guard times.count >= cap.cards else { continue }",
        "guard times.count >= (PlantedError.isOn(4) ? cap.cards + 1 : cap.cards) else { continue }",
    ),
    5: Planted(
        "re-eligibility a minute early",
        "delivery",
        MODEL + "Feed/FeedEligibility.swift",
        "seconds == 0 || due >= last + seconds",
        "seconds == 0 || due >= last + seconds - (PlantedError.isOn(5) ? 60 : 0)",
    ),
    6: Planted(
        "a merge that loses events",
        "identities",
        STORE + "Writing/WriteSession+Merging.swift",
        "try MergedLogRow.insert(user, of: writes.profile.id, into: database)",
        "if !PlantedError.isOn(6) {\n            "
        "try MergedLogRow.insert(user, of: writes.profile.id, into: database)\n        }",
    ),
    7: Planted(
        "a delta that forgets a removal",
        "cursors",
        MODEL + "Feed/FeedReply.swift",
        "if let cursor, hasChanged || card.leaves(with: status, since: cursor) {",
        "if let cursor, hasChanged || card.leaves(with: status, since: cursor), !PlantedError.isOn(7) {",
    ),
    8: Planted(
        "quiet hours that end at midnight",
        "delivery",
        MODEL + "Access/DeliveryLimits.swift",
        ": second >= start || second < end",
        ": second >= start || (second < end && !PlantedError.isOn(8))",
    ),
    9: Planted(
        "a repeated event that counts again",
        "counting",
        STORE + "Writing/WriteSession+Events.swift",
        "if try isKnown || !append(event, about: state.cards[ofEventAt: place]) { state.duplicates.insert(place) }",
        "if try isKnown || !append(event, about: state.cards[ofEventAt: place]), !PlantedError.isOn(9) {"
        " state.duplicates.insert(place) }",
    ),
    10: Planted(
        "a sum in binary fractions",
        "counting",
        STORE + "Writing/WriteSession+Counts.swift",
        "let amount = try countedAmount(of: key) + counts.amount",
        "let before = try countedAmount(of: key)\n            let amount =\n"
        "                PlantedError.isOn(10)\n"
        "                ? Amount(rounding: before.double + counts.amount.double) ?? before : before + counts.amount",
    ),
    11: Planted(
        "a control that uses up a frequency cap",
        "delivery",
        MODEL + "Feed/FrequencyBudget.swift",
        "return cap.concerns(entry.campaign) && entry.card(of: delivery.variant)?.isControl == false",
        "return cap.concerns(entry.campaign)\n"
        "                    && (PlantedError.isOn(11) || entry.card(of: delivery.variant)?.isControl == false)",
    ),
    12: Planted(
        "a card limit that drops the first cards",
        "delivery",
        MODEL + "Feed/FeedDecision.swift",
        "for rank in ranks.dropFirst(catalog.cardLimit) {",
        "let cut = PlantedError.isOn(12) ? ranks.dropLast(catalog.cardLimit) : ranks.dropFirst(catalog.cardLimit)\n"
        "        for rank in cut {",
    ),
    13: Planted(
        "variants that are allocated without their weights",
        "delivery",
        MODEL + "Campaigns/VariantAssignment.swift",
        "let time = -log(runner.place(of: user)) / runner.weight",
        "let time = -log(runner.place(of: user)) / (PlantedError.isOn(13) ? 1 : runner.weight)",
    ),
    14: Planted(
        "a conversion window that includes its end",
        "counting",
        MODEL + "Conversions/Conversion.swift",
        "return start <= time && time < start + window",
        "return start <= time && (time < start + window || PlantedError.isOn(14) && time == start + window)",
    ),
    15: Planted(
        "a trigger that is lost in quiet hours or beyond a cap",
        "delivery",
        MODEL + "Feed/FeedDecision.swift",
        "        recheckAt = min(recheckAt, reason.recheckAt ?? .infinity)\n        if explains {",
        "        if PlantedError.isOn(15), let trigger = candidate.trigger {\n"
        "            discards.append(FeedDecision.Discard(trigger, .notReeligible))\n        }\n"
        "        recheckAt = min(recheckAt, reason.recheckAt ?? .infinity)\n        if explains {",
    ),
    16: Planted(
        "a cursor of another history that is taken for one's own",
        "cursors",
        MODEL + "Deliveries/FeedCursor.swift",
        "epoch == self.epoch && self.generation <= generation",
        "(epoch == self.epoch || PlantedError.isOn(16)) && self.generation <= generation",
    ),
    17: Planted(
        "a broadcast that a second removal event brings back",
        "delivery",
        MODEL + "Recording/EventRecording+Consequences.swift",
        "let cancelled = waiting.own.filter { $0.at <= time && !$0.coversBroadcast }",
        "let cancelled = waiting.own.filter { $0.at <= time && (PlantedError.isOn(17) || !$0.coversBroadcast) }",
    ),
    18: Planted(
        "a merge that forgets what one of the two did",
        "identities",
        MODEL + "Recording/Recorder+Merging.swift",
        "writes.histories = state.mergedHistories",
        "writes.histories = PlantedError.isOn(18) ? [] : state.mergedHistories",
    ),
    19: Planted(
        "a purchase that is taken off when the window of another card moves",
        "conversions",
        MODEL + "Recording/Recorder+Purchases.swift",
        "guard let card = moved[purchase.card], !conversion.covers(purchase.at, of: card) else { continue }",
        "guard let card = moved[purchase.card] ?? (PlantedError.isOn(19) ? cards.first : nil),"
        " !conversion.covers(purchase.at, of: card) else { continue }",
    ),
    20: Planted(
        "a send that is given twice after a merge",
        "delivery",
        STORE + "Writing/WriteSession+Merging.swift",
        "for trigger in writes.used { try use(trigger, for: identity) }",
        "for trigger in writes.used where !PlantedError.isOn(20) { try use(trigger, for: identity) }",
    ),
}
