import WireJSON

/// An event as conditions and templates read it: its properties are read once, however many campaigns ask for them.
final class ReadableEvent {
    let event: DeviceEvent
    /// The work that all conditions together can take.
    private let patterns: PatternWork
    /// The values that can be read.
    private(set) lazy var properties: JSONObject = event.readableProperties
    /// The values as the attributes of a user, as which conditions compare them.
    private(set) lazy var facts: UserFacts = carried
    /// The values as JSON, or `nil` for none.
    private(set) lazy var json: [UInt8]? = properties.isEmpty ? nil : JSONValue.object(properties).bytes

    init(_ event: DeviceEvent, within patterns: PatternWork = .each) {
        self.event = event
        self.patterns = patterns
    }

    private var carried: UserFacts {
        var carrier = UserProfile(id: UserID(rawValue: ""), createdAt: 0)
        carrier.custom = properties
        var facts = UserFacts(UserState(profile: carrier), at: event.at)
        facts.patterns = patterns
        return facts
    }
}
