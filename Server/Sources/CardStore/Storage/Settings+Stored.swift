package import CardModel
package import WireJSON

extension Settings {
    /// Reads settings as the store wrote them.
    ///
    /// What is absent has its default, so that new settings need no migration.
    package init(stored text: String) throws {
        self.init()
        guard let json = try? JSONValue(parsing: text), json.object != nil else {
            throw StoreError.unreadable("settings")
        }
        if let zone = json["time_zone"]?.string { timeZone = zone }
        try readAccess(json)
        if let limit = json["card_limit"]?.integer { cardLimit = Int(limit) }
        if let limit = json["card_size_limit"]?.integer { cardSizeLimit = Int(limit) }
        if let burst = json["refresh_burst"]?.integer { refreshBurst = Int(burst) }
        if let seconds = json["refresh_seconds"]?.double { refreshSeconds = seconds }
        // safe: an Int of 64 bits
        eventDays = json["event_days"]?.integer.map(Int.init)
        // safe: at most 3650
        auditDays = json["audit_days"]?.integer.map(Int.init)
        // safe: at most 3650
        versionDays = json["version_days"]?.integer.map(Int.init)
        connectedContentHosts = (json["connected_content_hosts"]?.array ?? []).compactMap(\.string)
            .compactMap(ContentHost.init)
        for group in RateLimit.Group.allCases {
            rateLimits[group] = RateLimit(stored: json["rate_limits"]?[group.rawValue])
        }
        do {
            try readDeliveryLimits(json)
            if let set = json["jwks"], !set.isNull { keySet = try JSONWebKeySet(json: set, at: "jwks") }
            if let limits = json["device_limits"] { deviceLimits = try DeviceLimits(json: limits, at: "device_limits") }
        } catch {
            throw StoreError.unreadable("settings")
        }
    }

    /// Reads who gets in and who sees what; a damaged value must not become a default, which is open.
    private mutating func readAccess(_ json: JSONValue) throws {
        userTokens = try json.stored("user_tokens") { $0.string.flatMap(UserTokenMode.init) } ?? userTokens
        publicKeys = (try json.stored("public_keys", \.array) ?? []).compactMap(PublicKey.init(stored:))
        keySetURL = try json.stored("jwks_url", \.string)
        tokenRules.issuer = try json.stored("token_issuer", \.string)
        tokenRules.audience = try json.stored("token_audience", \.string)
        let lifetime = try json.stored("token_max_lifetime_seconds", \.double)
        tokenRules.maximumLifetime = lifetime ?? tokenRules.maximumLifetime
        requiresTwoFactor = try json.stored("require_two_factor", \.bool) ?? requiresTwoFactor
        masksPersonalData = try json.stored("mask_personal_data", \.bool) ?? masksPersonalData
        launchApproval = try json.stored("launch_approval") { $0.string.flatMap(ApprovalPolicy.init) } ?? launchApproval
    }

    /// The settings as the store writes them.
    package var stored: JSONValue {
        [
            "time_zone": .string(timeZone), "user_tokens": .string(userTokens.rawValue),
            "public_keys": .array(publicKeys.map { ["id": .string($0.id), "pem": .string($0.pem)] }),
            "jwks": keySet?.json ?? .null, "jwks_url": keySetURL.map(JSONValue.string) ?? .null,
            "token_issuer": tokenRules.issuer.map(JSONValue.string) ?? .null,
            "token_audience": tokenRules.audience.map(JSONValue.string) ?? .null,
            "token_max_lifetime_seconds": tokenRules.maximumLifetime.map(JSONValue.number) ?? .null,
            "card_limit": .integer(Int64(cardLimit)), "card_size_limit": .integer(Int64(cardSizeLimit)),
            "refresh_burst": .integer(Int64(refreshBurst)), "refresh_seconds": .number(refreshSeconds),
            "rate_limits": Self.json(rateLimits), "device_limits": deviceLimits.json,
            "event_days": eventDays.map { .integer(Int64($0)) } ?? .null,
            "audit_days": auditDays.map { .integer(Int64($0)) } ?? .null,
            "version_days": versionDays.map { .integer(Int64($0)) } ?? .null,
            "frequency_caps": .array(frequencyCaps.map(\.json)), "quiet_hours": quietHours?.json ?? .null,
            "connected_content_hosts": .array(connectedContentHosts.map { .string($0.text) }),
            "require_two_factor": .bool(requiresTwoFactor), "mask_personal_data": .bool(masksPersonalData),
            "launch_approval": .string(launchApproval.rawValue),
        ]
    }
}

extension JSONValue {
    /// Returns a member, or `nil` where it is absent or `null`.
    ///
    /// - Throws: `StoreError.unreadable` where it has another type or an unknown value.
    fileprivate func stored<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let value = read(member) else { throw StoreError.unreadable("settings") }
        return value
    }
}

extension RateLimit {
    fileprivate init?(stored json: JSONValue?) {
        guard let requests = json?["requests"]?.integer, let seconds = json?["seconds"]?.double else { return nil }
        self.init(requests: Int(requests), seconds: seconds)
    }
}

extension Settings.PublicKey {
    fileprivate init?(stored json: JSONValue) {
        guard let id = json["id"]?.string, let pem = json["pem"]?.string else { return nil }
        self.init(id: id, pem: pem)
    }
}
