public import WireJSON

/// Limits what devices may ask of the server, and how much of it is kept for one user.
///
/// A publishable key is in every copy of an app, so anybody may call the device API. What these limits refuse is
/// refused with the status 429 and the code `rate_limited`, or, for a single event, with the code `limit_reached`. Each
/// node counts for itself.
public struct DeviceLimits: Sendable, Hashable {
    /// A rate that allows bursts.
    ///
    /// A bucket holds ``burst`` tokens and gets ``perSecond`` back each second. Each request takes one.
    public struct Rate: Sendable, Hashable {
        /// The number of requests that may follow each other at once, 1 to 1,000,000,000.
        public var burst: Int
        /// The number of requests a second in the long run, 0.001 to 1,000,000,000.
        public var perSecond: Double

        /// Creates a rate.
        public init(burst: Int, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// The requests of one client address; of version 6, of one /64 network.
    ///
    /// Room for an office or a mobile carrier that shares an address.
    public var requestsPerAddress = Rate(burst: 600, perSecond: 50)
    /// The requests with one publishable key.
    public var requestsPerKey = Rate(burst: 100_000, perSecond: 20_000)
    /// The requests for one user.
    public var requestsPerUser = Rate(burst: 30, perSecond: 1)
    /// The users that one address may create by naming them for the first time.
    ///
    /// A user whose signed token was checked is not counted.
    public var newUsersPerAddress = Rate(burst: 60, perSecond: 1)
    /// The events of one user; more than a device keeps while it is offline.
    public var eventsPerUser = Rate(burst: 20_000, perSecond: 10)
    /// The bytes of events that one address may send.
    ///
    /// What a user whose signed token was checked sends is not counted.
    public var eventBytesPerAddress = Rate(burst: 64_000_000, perSecond: 100_000)
    /// The live streams that one address may open.
    public var liveOpensPerAddress = Rate(burst: 300, perSecond: 10)
    /// The requests of one address that are refused for their key or token; beyond it they get 429 in place of 401.
    public var failuresPerAddress = Rate(burst: 60, perSecond: 1)
    /// The number of live streams that one user may have open, 1 to 1,000.
    public var liveStreamsPerUser = 10
    /// The limits on what is kept of one user.
    public var user = UserLimits()

    /// Creates the defaults.
    public init() {}

    /// Rates that nothing reaches, for load that the operator makes.
    public static var unlimited: DeviceLimits {
        var limits = DeviceLimits()
        for (_, path) in rates { limits[keyPath: path] = Rate(burst: 1_000_000_000, perSecond: 1_000_000_000) }
        limits.liveStreamsPerUser = 1_000
        return limits
    }
}

// MARK: - JSON

extension DeviceLimits {
    /// The rates by their names on the wire.
    public static let rates: [(name: String, path: any WritableKeyPath<DeviceLimits, Rate> & Sendable)] = [
        ("requests_per_address", \.requestsPerAddress), ("requests_per_key", \.requestsPerKey),
        ("requests_per_user", \.requestsPerUser), ("new_users_per_address", \.newUsersPerAddress),
        ("events_per_user", \.eventsPerUser), ("event_bytes_per_address", \.eventBytesPerAddress),
        ("live_opens_per_address", \.liveOpensPerAddress),
        ("failures_per_address", \.failuresPerAddress),
    ]

    /// The plain numbers by their names on the wire, and what each may be.
    public static let counts:
        [(name: String, path: any WritableKeyPath<DeviceLimits, Int> & Sendable, range: ClosedRange<Int64>)] = [
            ("live_streams_per_user", \.liveStreamsPerUser, 1...1_000),
            ("attributes_per_user", \.user.attributes, 1...10_000),
            ("attribute_bytes_per_user", \.user.attributeBytes, 1_024...1_048_576),
            ("event_names_per_user", \.user.eventNames, 1...100_000),
            ("aliases_per_user", \.user.aliases, 1...1_000),
        ]

    /// The names of the rates.
    public static var rateNames: [String] { rates.map(\.name) }

    /// The names of the plain numbers, and what each may be.
    public static var countRanges: [(name: String, range: ClosedRange<Int64>)] { counts.map { ($0.name, $0.range) } }

    /// Reads `device_limits` of settings; what is absent or `null` has its default.
    ///
    /// - Throws: `ModelError` that names the wrong field.
    public init(json: JSONValue, at path: String) throws(ModelError) {
        var parts = PartReader()
        self = Self.read(json, at: path, &parts)
        if let failure = parts.failure { throw failure.first }
    }

    /// Reads `device_limits` of settings, and goes on after what is wrong; that has its default.
    static func read(_ json: JSONValue, at path: String, _ parts: inout PartReader) -> DeviceLimits {
        var limits = DeviceLimits()
        let names = Set(rateNames + counts.map(\.name))
        guard let fields = parts.open(json, at: path, known: names) else { return limits }
        for (name, path) in rates {
            guard let value = fields[name],
                let rate = parts.open(value, at: fields.place(name), known: ["burst", "per_second"])
            else { continue }
            let burst = parts.requiredCount("burst", of: rate, in: 1...1_000_000_000)
            let perSecond = parts.requiredDouble("per_second", of: rate, in: 0.001...1_000_000_000)
            if let burst, let perSecond { limits[keyPath: path] = Rate(burst: burst, perSecond: perSecond) }
        }
        for (name, path, range) in counts {
            if let count = parts.count(name, of: fields, in: range) { limits[keyPath: path] = count }
        }
        return limits
    }

    // safe: these are numbers of our own, of 64 bits
    /// The limits as they are read back and kept.
    public var json: JSONValue {
        var members: JSONObject = [:]
        for (name, path) in Self.rates {
            let rate = self[keyPath: path]
            members[name] = ["burst": .integer(Int64(rate.burst)), "per_second": .number(rate.perSecond)]
        }
        for (name, path, _) in Self.counts { members[name] = .integer(Int64(self[keyPath: path])) }
        return .object(members)
    }
}
