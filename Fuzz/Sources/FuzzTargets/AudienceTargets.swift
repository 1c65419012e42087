import WireJSON

@testable import CardModel

extension FuzzTarget {
    /// An audience, and after zero bytes what is known of a user and what the user did.
    static let audience = FuzzTarget("audience") { input in
        let parts = Parts(input, count: 3)
        guard let json = try? JSONValue(parsing: parts[0]), let audience = try? Audience(json: json) else { return }
        try requireSame(try Audience(json: audience.json), audience, "An audience is read back")
        _ = audience.summary
        try? audience.checkSegments(in: [SegmentID(rawValue: "s"): audience])
        let matcher = AudienceMatcher(audience, segments: [SegmentID(rawValue: "s"): .everyone])
        let facts = UserFacts(user(parts[1], parts[2]), at: 1_800_000_000)
        let verdict = matcher.answer(of: facts)
        try requireSame(matcher.matches(facts), verdict.matches, "An audience says the same twice")
        let explanation = matcher.explanation(of: facts)
        try requireSame(explanation.matches, verdict.matches, "An explanation agrees")
        _ = (explanation.json.bytes, explanation.reasons, matcher.needs, matcher.candidates)
        if let until = verdict.until { try require(until > facts.now, "An answer holds for a while: \(until)") }
    }

    /// A user with those attributes, who did those things: `[[name, time], …]`.
    static func user(_ attributes: [UInt8], _ history: [UInt8]) -> UserState {
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 1_700_000_000)
        if let json = try? JSONValue(parsing: attributes), let update = try? UserUpdate(id: profile.id, json: json) {
            _ = try? profile.apply(update, within: UserLimits())
        }
        var user = UserState(profile: profile)
        for entry in (try? JSONValue(parsing: history))?.array ?? [] {
            guard let items = entry.array, items.count >= 2, let name = items[0].string,
                let time = items[1].double
            else { continue }
            let kind: DeviceEvent.EventKind =
                items.count > 2
                ? .purchase(.init(productID: name, currency: "EUR", price: items[2].roundedDecimal ?? 0))
                : .custom(name: ByteString(name))
            user.history.add(DeviceEvent(id: EventID(high: 0, low: 0), kind: kind, at: time))
        }
        return user
    }

    /// A regular expression, and after a zero byte a text.
    static let pattern = FuzzTarget("pattern", maximumLength: 2_048) { input in
        let parts = Parts(input, count: 2)
        let (source, text) = (parts.text(0), parts.text(1))
        guard let pattern = try? TextPattern(source) else { return }
        let matches = pattern.matches(text)
        guard !source.hasPrefix("(?"), let group = try? TextPattern("(?:" + source + ")") else { return }
        try requireSame(group.matches(text), matches, "A group matches what is in it")
        guard let twice = try? TextPattern("(?:" + source + ")|(?:" + source + ")") else { return }
        try requireSame(twice.matches(text), matches, "One of two same expressions matches")
    }
}
