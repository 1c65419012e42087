import Foundation
import OrderedCollections
public import WireJSON

extension Settings {
    /// The settings, by their names on the wire.
    public enum SettingsFieldName: String, Sendable, CaseIterable {
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
    public static let fieldNames = Set(SettingsFieldName.allCases.map(\.rawValue))

    /// Reads settings; a field that is absent keeps its default.
    ///
    /// - Throws: `ModelError` that names the wrong field.
    public init(json: JSONValue) throws(ModelError) {
        do throws(ModelErrors) {
            self = try Self.read(json)
        } catch {
            throw error.first
        }
    }

    /// Reads settings, and goes on after what is wrong; a field that is absent keeps its default.
    ///
    /// - Throws: `ModelErrors`, with an error for each wrong field.
    public static func read(_ json: JSONValue) throws(ModelErrors) -> Settings {
        var (settings, parts) = (Settings(), PartReader())
        let fields = try JSONFields.open(json, at: "", known: fieldNames, &parts)
        settings.readTimeZone(fields, &parts)
        settings.readTokens(fields, &parts)
        settings.readLimits(fields, &parts)
        settings.readRetention(fields, &parts)
        settings.readDeliveryLimits(json, &parts)
        settings.connectedContentHosts = parts.read(or: []) { () throws(ModelError) in try contentHosts(fields) }
        settings.readTeam(fields, &parts)
        if let failure = parts.failure { throw failure }
        return settings
    }

    private mutating func readTimeZone(_ fields: JSONFields, _ parts: inout PartReader) {
        timeZone = parts.string("time_zone", of: fields) ?? timeZone
        guard TimeZoneClock(named: timeZone) == nil else { return }
        parts.refuse(fields.invalid("time_zone", "An IANA time zone such as Asia/Tokyo is expected."))
    }

    private mutating func readTokens(_ fields: JSONFields, _ parts: inout PartReader) {
        let mode = parts.string("user_tokens", of: fields) ?? userTokens.rawValue
        if let mode = UserTokenMode(rawValue: mode) {
            userTokens = mode
        } else {
            parts.refuse(fields.invalid("user_tokens", "disabled, optional or required is expected."))
        }
        publicKeys = parts.read(or: []) { () throws(ModelError) in try Self.publicKeys(fields) }
        if let set = fields["jwks"] {
            keySet = parts.read(or: nil) { () throws(ModelError) in
                try JSONWebKeySet(json: set, at: fields.place("jwks"))
            }
        }
        keySetURL = parts.string("jwks_url", of: fields)
        if let url = keySetURL, !IdentityText.isValid(url, maximumBytes: 2_048) {
            parts.refuse(fields.invalid("jwks_url", "1 to 2,048 bytes without control characters are expected."))
        }
        // What is there and wrong has an error of its own.
        let hasKeys = fields["public_keys"]?.array?.isEmpty == false || fields["jwks"] != nil || keySetURL != nil
        if userTokens == .required, !hasKeys {
            parts.refuse(fields.invalid("public_keys", "At least one key is needed where tokens are required."))
        }
        readTokenRules(fields, &parts)
    }

    private mutating func readLimits(_ fields: JSONFields, _ parts: inout PartReader) {
        cardLimit = parts.count("card_limit", of: fields, in: 1...1000) ?? cardLimit
        cardSizeLimit = parts.count("card_size_limit", of: fields, in: 256...65_536) ?? cardSizeLimit
        refreshBurst = parts.count("refresh_burst", of: fields, in: 1...1000) ?? refreshBurst
        refreshSeconds = parts.double("refresh_seconds", of: fields, in: 0...86_400) ?? refreshSeconds
        rateLimits = Self.rateLimits(fields, &parts)
        if let limits = fields["device_limits"] {
            deviceLimits = DeviceLimits.read(limits, at: fields.place("device_limits"), &parts)
        }
    }

    private mutating func readRetention(_ fields: JSONFields, _ parts: inout PartReader) {
        eventDays = parts.count("event_days", of: fields, in: 31...3650)
        auditDays = parts.count("audit_days", of: fields, in: 30...3650)
        versionDays = parts.count("version_days", of: fields, in: 1...3650)
    }

    private mutating func readTeam(_ fields: JSONFields, _ parts: inout PartReader) {
        requiresTwoFactor = parts.bool("require_two_factor", of: fields) ?? requiresTwoFactor
        masksPersonalData = parts.bool("mask_personal_data", of: fields) ?? masksPersonalData
        let policy = parts.string("launch_approval", of: fields) ?? launchApproval.rawValue
        if let policy = ApprovalPolicy(rawValue: policy) {
            launchApproval = policy
        } else {
            parts.refuse(fields.invalid("launch_approval", "none, editors or everyone is expected."))
        }
    }

    private mutating func readTokenRules(_ fields: JSONFields, _ parts: inout PartReader) {
        tokenRules.issuer = parts.string("token_issuer", of: fields)
        tokenRules.audience = parts.string("token_audience", of: fields)
        for (name, text) in [("token_issuer", tokenRules.issuer), ("token_audience", tokenRules.audience)] {
            guard let text, !IdentityText.isValid(text) else { continue }
            parts.refuse(fields.invalid(name, "1 to 255 bytes without control characters are expected."))
        }
        let lifetime = parts.double("token_max_lifetime_seconds", of: fields, in: 60...3_153_600_000)
        if let lifetime { tokenRules.maximumLifetime = lifetime }
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

    private static func rateLimits(
        _ fields: JSONFields,
        _ parts: inout PartReader
    ) -> [RateLimit.Group: RateLimit] {
        guard let value = fields["rate_limits"] else { return [:] }
        let names = Set(RateLimit.Group.allCases.map(\.rawValue))
        guard let groups = parts.open(value, at: fields.place("rate_limits"), known: names) else { return [:] }
        var limits: [RateLimit.Group: RateLimit] = [:]
        for group in RateLimit.Group.allCases {
            guard let limit = groups[group.rawValue],
                let pair = parts.open(limit, at: groups.place(group.rawValue), known: ["requests", "seconds"])
            else { continue }
            let requests = parts.requiredCount("requests", of: pair, in: 1...1_000_000_000)
            let seconds = parts.requiredDouble("seconds", of: pair, in: 1...86_400)
            if let requests, let seconds { limits[group] = RateLimit(requests: requests, seconds: seconds) }
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
