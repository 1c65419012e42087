import CardModel
import CommandSettings
import WireJSON

extension FuzzTarget {
    /// Times on the wire, by everybody who reads them.
    static let timestamps = FuzzTarget("timestamps", maximumLength: 64) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let time = Timestamp.unixTime(of: text) {
            let written = Timestamp.text(of: time)
            if Timestamp.range.contains(time) {
                try requireSame(Timestamp.unixTime(of: written), time.rounded(.down), "A time is read back")
            }
        }
        if let local = LocalTime(text) {
            try requireSame(LocalTime(local.text)?.seconds, local.seconds.rounded(.down), "A local time is read back")
            for zone in zones { _ = zone.moment(of: local) }
        }
        if let number = Double(text) { try tell(number) }
        if let value = try? JSONValue(parsing: input), let time = Timestamp.unixTime(of: value) {
            try require(Timestamp.range.contains(time), "A time is one that can be meant")
        }
    }

    private static let zones = ["UTC", "Asia/Tokyo", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"]
        .compactMap(TimeZoneClock.init(named:))

    private static func tell(_ time: Double) throws {
        _ = Timestamp.text(of: time)
        _ = Day(of: time).description
        for zone in zones {
            _ = zone.local(at: time)
            _ = QuietHours(from: 1_380, to: 60).end(at: time, in: zone)
        }
        var occurrences = Occurrences(at: time)
        for step in 0..<3 { occurrences.add(time + Double(step), now: time + 1) }
        var window = RateWindow(startingAt: time)
        _ = window.take(RateLimit(requests: 2, seconds: 60), at: time)
        let cursor = FeedCursor(epoch: 1, generation: 1, version: 1, issuedAt: time, recheckAt: time)
        try require(FeedCursor(cursor.text) != nil || time < 0, "A cursor is read back")
    }

    /// Names of users, languages, hosts and events.
    static let names = FuzzTarget("names", maximumLength: 600) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let id = UserID(checking: text) {
            try requireSame(Array(id.rawValue.utf8), Array(text.utf8), "An id is kept")
        }
        if let host = ContentHost(text) { _ = host.covers("api.example.com", port: nil) }
        if let id = EventID(utf8: input) {
            try requireSame(EventID(utf8: Array(id.description.utf8)), id, "An id is read back")
            try requireSame(EventID(bytes: id.bytes), id, "An id is read from its bytes")
        }
        _ = LanguageTag.bestMatch(for: text, among: ["en", "ja-JP", "zh-Hant-TW", text])
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        profile.device = DeviceContext(locale: text, timeZone: text, appVersion: text)
        for attribute in StandardAttribute.allCases { _ = profile.value(of: attribute) }
        _ = (profile.languageTag, profile.clock(orElse: .utc))
        profile.standard[.language] = .string(text)
        _ = profile.languageTag
        _ = (UserAlias(checkingLabel: text, name: text), TriggerID(checking: text), CampaignID(checking: text))
        for location in [text] { _ = try? SettingValues(file: location, environment: ["PLACARD_PORT": text]) }
    }

    /// The opaque string in which a device says where it stands.
    static let cursor = FuzzTarget("cursor", maximumLength: 128) { input in
        guard let cursor = FeedCursor(String(decoding: input, as: UTF8.self)) else { return }
        try requireSame(FeedCursor(cursor.text), cursor, "A cursor is read back")
        _ = cursor.isCurrent(epoch: 1, generation: 2, version: 3, at: 4)
    }
}
