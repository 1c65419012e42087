import Foundation
import OrderedCollections
public import WireJSON

extension Settings {
    /// The settings, by their names on the wire.
    public enum Field: String, Sendable, CaseIterable {
        case timeZone = "time_zone"
        case userTokens = "user_tokens"
        case publicKeys = "public_keys"
        case keySet = "jwks"
        case keySetURL = "jwks_url"
        case tokenIssuer = "token_issuer"
        case tokenAudience = "token_audience"
        case tokenLifetime = "token_max_lifetime_seconds"
        case cardLimit = "card_limit"
        case cardSizeLimit = "card_size_limit"
        case refreshBurst = "refresh_burst"
        case refreshSeconds = "refresh_seconds"
        case rateLimits = "rate_limits"
        case deviceLimits = "device_limits"
        case eventDays = "event_days"
        case auditDays = "audit_days"
        case versionDays = "version_days"
        case frequencyCaps = "frequency_caps"
        case quietHours = "quiet_hours"
        case connectedContentHosts = "connected_content_hosts"
        case requireTwoFactor = "require_two_factor"
        case maskPersonalData = "mask_personal_data"
        case launchApproval = "launch_approval"
    }

    /// The names of all settings on the wire.
    public static let fieldNames = Set(Field.allCases.map(\.rawValue))

    /// Reads settings; a field that is absent keeps its default.
    ///
    /// - Throws: `ModelError` that names the wrong field.
    public init(json: JSONValue) throws(ModelError) {
        let fields = try JSONFields(json, at: "", known: Self.fieldNames)
        let defaults = Settings()
        timeZone = try fields.string("time_zone") ?? defaults.timeZone
        guard TimeZoneClock(named: timeZone) != nil else {
            throw fields.invalid("time_zone", "An IANA time zone such as Asia/Tokyo is expected.")
        }
        let mode = try fields.string("user_tokens") ?? defaults.userTokens.rawValue
        guard let mode = UserTokenMode(rawValue: mode) else {
            throw fields.invalid("user_tokens", "disabled, optional or required is expected.")
        }
        userTokens = mode
        publicKeys = try Self.publicKeys(fields)
        if let set = fields["jwks"] { keySet = try JSONWebKeySet(json: set, at: fields.place("jwks")) }
        keySetURL = try fields.string("jwks_url")
        if let url = keySetURL, !IdentityText.isValid(url, maximumBytes: 2_048) {
            throw fields.invalid("jwks_url", "1 to 2,048 bytes without control characters are expected.")
        }
        if userTokens == .required, publicKeys.isEmpty, keySet == nil, keySetURL == nil {
            throw fields.invalid("public_keys", "At least one key is needed where tokens are required.")
        }
        tokenRules = try Self.tokenRules(fields)
        cardLimit = Int(try fields.integer("card_limit", in: 1...1000) ?? Int64(defaults.cardLimit))
        cardSizeLimit = Int(try fields.integer("card_size_limit", in: 256...65_536) ?? Int64(defaults.cardSizeLimit))
        refreshBurst = Int(try fields.integer("refresh_burst", in: 1...1000) ?? Int64(defaults.refreshBurst))
        refreshSeconds = try fields.double("refresh_seconds", in: 0...86_400) ?? defaults.refreshSeconds
        rateLimits = try Self.rateLimits(fields)
        if let limits = fields["device_limits"] {
            deviceLimits = try DeviceLimits(json: limits, at: fields.place("device_limits"))
        }
        // safe: at most 3650
        eventDays = try fields.integer("event_days", in: 31...3650).map(Int.init)
        // safe: at most 3650
        auditDays = try fields.integer("audit_days", in: 30...3650).map(Int.init)
        // safe: at most 3650
        versionDays = try fields.integer("version_days", in: 1...3650).map(Int.init)
        try readDeliveryLimits(json)
        connectedContentHosts = try Self.contentHosts(fields)
        requiresTwoFactor = try fields.bool("require_two_factor") ?? defaults.requiresTwoFactor
        masksPersonalData = try fields.bool("mask_personal_data") ?? defaults.masksPersonalData
        let policy = try fields.string("launch_approval") ?? defaults.launchApproval.rawValue
        guard let policy = ApprovalPolicy(rawValue: policy) else {
            throw fields.invalid("launch_approval", "none, editors or everyone is expected.")
        }
        launchApproval = policy
    }

    private static func tokenRules(_ fields: JSONFields) throws(ModelError) -> TokenRules {
        var rules = TokenRules()
        rules.issuer = try fields.string("token_issuer")
        rules.audience = try fields.string("token_audience")
        for (name, text) in [("token_issuer", rules.issuer), ("token_audience", rules.audience)] {
            guard let text, !IdentityText.isValid(text) else { continue }
            throw fields.invalid(name, "1 to 255 bytes without control characters are expected.")
        }
        if let lifetime = try fields.double("token_max_lifetime_seconds", in: 60...3_153_600_000) {
            rules.maximumLifetime = lifetime
        }
        return rules
    }

    private static func contentHosts(_ fields: JSONFields) throws(ModelError) -> [ContentHost] {
        let texts = try fields.strings("connected_content_hosts") ?? []
        let hosts = texts.compactMap(ContentHost.init)
        guard hosts.count == texts.count, hosts.count <= ContentHost.limit else {
            throw fields.invalid(
                "connected_content_hosts",
                "At most \(ContentHost.limit) hosts such as api.example.com or *.example.com:8443 are expected."
            )
        }
        return Array(OrderedSet(hosts))
    }

    private static func rateLimits(_ fields: JSONFields) throws(ModelError) -> [RateLimit.Group: RateLimit] {
        guard let value = fields["rate_limits"] else { return [:] }
        let names = RateLimit.Group.allCases.map(\.rawValue)
        let groups = try JSONFields(value, at: fields.place("rate_limits"), known: Set(names))
        var limits: [RateLimit.Group: RateLimit] = [:]
        for group in RateLimit.Group.allCases {
            guard let limit = groups[group.rawValue] else { continue }
            let fields = try JSONFields(limit, at: groups.place(group.rawValue), known: ["requests", "seconds"])
            guard let requests = try fields.integer("requests", in: 1...1_000_000_000) else {
                throw fields.missing("requests")
            }
            guard let seconds = try fields.double("seconds", in: 1...86_400) else { throw fields.missing("seconds") }
            limits[group] = RateLimit(requests: Int(requests), seconds: seconds)
        }
        return limits
    }

    /// The limits of requests as the wire and the store have them.
    public static func json(_ limits: [RateLimit.Group: RateLimit]) -> JSONValue {
        var members: JSONObject = [:]
        for group in RateLimit.Group.allCases {
            guard let limit = limits[group] else { continue }
            members[group.rawValue] = [
                "requests": .integer(Int64(limit.requests)), "seconds": .number(limit.seconds),
            ]
        }
        return .object(members)
    }

    private static func publicKeys(_ fields: JSONFields) throws(ModelError) -> [PublicKey] {
        let elements = try fields.array("public_keys") ?? []
        guard elements.count <= 3 else { throw fields.invalid("public_keys", "At most 3 keys are possible.") }
        var keys: [PublicKey] = []
        for (index, element) in elements.enumerated() {
            let fields = try JSONFields(element, at: "public_keys[\(index)]", known: ["id", "pem"])
            let id = try fields.requiredString("id")
            guard id.isEmpty || IdentityText.isValid(id) else {
                throw fields.invalid("id", "At most 255 bytes without control characters are expected.")
            }
            guard id.isEmpty || !keys.contains(where: { $0.id.hasSameBytes(as: id) }) else {
                throw fields.invalid("id", "Two keys have the same id.")
            }
            let pem = try fields.requiredString("pem")
            guard pem.utf8.count <= PublicKey.maximumSize else {
                throw fields.invalid("pem", "At most \(PublicKey.maximumSize) bytes are expected.")
            }
            keys.append(PublicKey(id: id, pem: pem))
        }
        return keys
    }

    /// The settings as they are read back.
    public var json: JSONValue {
        [
            "time_zone": .string(timeZone), "user_tokens": .string(userTokens.rawValue),
            "public_keys": .array(publicKeys.map { ["id": .string($0.id), "pem": .string($0.pem)] }),
            "jwks": keySet?.json ?? .null, "jwks_url": keySetURL.map(JSONValue.string) ?? .null,
            "token_issuer": tokenRules.issuer.map(JSONValue.string) ?? .null,
            "token_audience": tokenRules.audience.map(JSONValue.string) ?? .null,
            "token_max_lifetime_seconds": tokenRules.maximumLifetime.map(JSONValue.number) ?? .null,
            "card_limit": .integer(Int64(cardLimit)), "card_size_limit": .integer(Int64(cardSizeLimit)),
            "refresh_burst": .integer(Int64(refreshBurst)), "refresh_seconds": .number(refreshSeconds),
            "event_days": eventDays.map { .integer(Int64($0)) } ?? .null,
            "audit_days": auditDays.map { .integer(Int64($0)) } ?? .null,
            "version_days": versionDays.map { .integer(Int64($0)) } ?? .null,
            "rate_limits": Self.json(rateLimits), "device_limits": deviceLimits.json,
            "frequency_caps": .array(frequencyCaps.map(\.json)), "quiet_hours": quietHours?.json ?? .null,
            "connected_content_hosts": .array(connectedContentHosts.map { .string($0.text) }),
            "require_two_factor": .bool(requiresTwoFactor), "mask_personal_data": .bool(masksPersonalData),
            "launch_approval": .string(launchApproval.rawValue),
        ]
    }
}
