import OrderedCollections
public import WireJSON

/// A limit on the new cards that a user gets in some days.
public struct FrequencyCap: Sendable, Hashable {
    /// The number of cards, 1 to 1000.
    public var cards: Int
    /// The number of days, 1 to 90; they are the last `days` times 24 hours, whatever the calendar says.
    public var days: Int
    /// Only cards of campaigns with that tag are counted and held back, or all where it is `nil`.
    @Bytewise public var tag: String?

    /// Creates a cap.
    public init(cards: Int, days: Int, tag: String? = nil) {
        self.cards = cards
        self.days = days
        self.tag = tag
    }

    /// The days in seconds.
    package var seconds: Double { Double(days) * 86_400 }

    /// Whether the campaign's cards are counted and held back.
    package func concerns(_ campaign: Campaign) -> Bool {
        guard !campaign.content.rules.ignoresFrequencyCaps else { return false }
        return tag.map { tag in campaign.content.tags.contains { $0.hasSameBytes(as: tag) } } ?? true
    }
}

/// A part of every day in which nobody gets a new card, by each user's own clock.
public struct QuietHours: Sendable, Hashable {
    /// The beginning, in minutes since midnight.
    public var from: Int
    /// The end, in minutes since midnight; before ``from`` where it lasts beyond midnight.
    public var to: Int

    /// Creates quiet hours.
    public init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    /// Returns the end of the quiet hours that a moment lies in, or `nil` where it lies in none.
    ///
    /// They may end as the clock is put forward or back, and begin again when it shows ``from`` once more.
    public func end(at now: UnixTime, in clock: TimeZoneClock) -> UnixTime? {
        guard let left = secondsLeft(from: clock.local(at: now)) else { return nil }
        let end = (now + left).rounded()
        guard end > now, let change = clock.offsetChange(in: now...end) else { return end }
        return secondsLeft(from: clock.local(at: change)).map { change + $0 } ?? change
    }

    /// Returns whether a clock shows nothing but quiet hours from one time to another.
    func last(from begin: LocalTime, to end: LocalTime) -> Bool {
        secondsLeft(from: begin).map { begin.seconds + $0 >= end.seconds } ?? false
    }

    /// Returns the seconds that they last from what a clock shows on, were it never changed, or `nil` where it shows no
    /// part of them.
    private func secondsLeft(from local: LocalTime) -> Double? {
        let second = local.seconds - (local.seconds / 86_400).rounded(.down) * 86_400
        let (start, end) = (Double(from) * 60, Double(to) * 60)
        let isQuiet = start < end ? (start..<end).contains(second) : second >= start || second < end
        guard isQuiet else { return nil }
        return second < end ? end - second : end - second + 86_400
    }
}

// MARK: JSON

extension FrequencyCap {
    /// Reads a cap, or returns `nil` after noting all that is wrong in it.
    static func read(_ json: JSONValue, at path: String, _ parts: inout PartReader) -> FrequencyCap? {
        guard let fields = parts.open(json, at: path, known: ["cards", "days", "tag"]) else { return nil }
        let cards = parts.requiredCount("cards", of: fields, in: 1...1000)
        let days = parts.requiredCount("days", of: fields, in: 1...90)
        let tag: String? = parts.read(or: nil) { () throws(ModelError) in try fields.optionalText("tag", of: 0...255) }
        guard let cards, let days else { return nil }
        return FrequencyCap(cards: cards, days: days, tag: tag)
    }

    /// The cap as it is read back and kept.
    public var json: JSONValue {
        var members: JSONObject = [
            "cards": .integer(Int64(cards)), "days": .integer(Int64(days)),
        ]
        members["tag"] = tag.map(JSONValue.string)
        return .object(members)
    }
}

extension QuietHours {
    /// Reads quiet hours, or returns `nil` after noting all that is wrong in them.
    static func read(_ json: JSONValue, at path: String, _ parts: inout PartReader) -> QuietHours? {
        guard let fields = parts.open(json, at: path, known: ["from", "to"]) else { return nil }
        let from: Int? = parts.read(or: nil) { () throws(ModelError) in try minutes("from", fields) }
        let to: Int? = parts.read(or: nil) { () throws(ModelError) in try minutes("to", fields) }
        guard let from, let to else { return nil }
        if from == to {
            parts.refuse(fields.invalid("to", "The quiet hours have to end at another time than they begin."))
        }
        return QuietHours(from: from, to: to)
    }

    /// Reads `22:30`.
    private static func minutes(_ name: String, _ fields: JSONFields) throws(ModelError) -> Int {
        let parts = try fields.requiredString(name).split(at: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw fields.invalid(name, "A time of day such as 22:30 is expected.") }
        // safe: hours and minutes of a day
        return hour * 60 + minute
    }

    /// The quiet hours as they are read back and kept.
    public var json: JSONValue { ["from": .string(fromText), "to": .string(toText)] }

    /// The beginning, such as `22:30`.
    public var fromText: String { Self.text(from) }
    /// The end, such as `08:00`.
    public var toText: String { Self.text(to) }

    private static func text(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension Settings {
    /// Reads the caps and quiet hours of an object with `frequency_caps` and `quiet_hours`.
    ///
    /// - Throws: `ModelError` that names the wrong field.
    public mutating func readDeliveryLimits(_ json: JSONValue) throws(ModelError) {
        var parts = PartReader()
        readDeliveryLimits(json, &parts)
        if let failure = parts.failure { throw failure.first }
    }

    /// Reads the caps and quiet hours, and goes on after what is wrong.
    mutating func readDeliveryLimits(_ json: JSONValue, _ parts: inout PartReader) {
        let caps = json["frequency_caps"] ?? .null
        if !caps.isNull, caps.array == nil || (caps.array ?? []).count > 10 {
            parts.refuse(ModelError(.fieldInvalid, at: "frequency_caps", "An array of at most 10 caps is expected."))
        }
        frequencyCaps = []
        for (index, cap) in (caps.array ?? []).prefix(10).enumerated() {
            let cap = FrequencyCap.read(cap, at: "frequency_caps[\(index)]", &parts)
            if let cap { frequencyCaps.append(cap) }
        }
        let quiet = json["quiet_hours"] ?? .null
        quietHours = quiet.isNull ? nil : QuietHours.read(quiet, at: "quiet_hours", &parts)
    }
}
