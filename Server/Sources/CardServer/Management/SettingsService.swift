package import CardModel
import CardStore
package import WireJSON

/// Reads and saves the workspace's settings, for the management API and the dashboard.
package struct SettingsService: Sendable {
    let services: Services

    /// Returns the settings as this node knows them.
    ///
    /// - Throws: `RequestError` with 503 while they were not read yet.
    package func current() throws -> Settings {
        let snapshot = services.catalog.current
        guard snapshot.areSettingsKnown else { throw RequestError.unavailable }
        return snapshot.settings
    }

    /// Returns the settings as the store has them by now, whichever node has saved them.
    package func stored() async throws -> Settings { try await services.store.settings() }

    /// Changes some settings; what is left out stays as it is, and `null` stands for the default.
    ///
    /// - Parameters:
    ///   - json: What is to be different. Of the limits, each one that is left out stays, too.
    ///   - caller: Who changes them.
    /// - Returns: The settings as saved.
    /// - Throws: What ``save(_:by:)`` throws.
    package func change(_ json: JSONValue, by caller: Caller) async throws -> Settings {
        var members = try await stored().json.object ?? [:]
        for (name, value) in json.object ?? [:] {
            let field = Settings.Field(rawValue: name)
            guard field == .rateLimits || field == .deviceLimits, let limits = value.object else {
                members[name] = value
                continue
            }
            let kept = (members[name]?.object ?? [:]).merging(limits) { $1 }
            members[name] = .object(kept.filter { !$0.value.isNull })
        }
        return try await save(.object(members), by: caller)
    }

    /// Saves all settings in place of the old ones.
    ///
    /// - Parameters:
    ///   - json: The settings. One that is left out gets its default.
    ///   - caller: Who saves them.
    /// - Returns: The settings as saved.
    /// - Throws: `ModelError` that names the wrong field, or `RequestError` where keys can't be fetched or used.
    package func save(_ json: JSONValue, by caller: Caller) async throws -> Settings {
        var settings = try Settings(json: json)
        if let url = settings.keySetURL {
            // Keys that were fetched before stay, so that settings can be changed while the provider is down.
            let known = services.catalog.current.settings
            let isKnown = known.keySetURL?.hasSameBytes(as: url) == true
            if isKnown, let set = known.keySet {
                settings.keySet = set
            } else {
                settings.keySet = try await services.keySets.keys(at: url)
                services.catalog.keySetWatch.noteFetch(of: url, at: services.clock())
            }
        }
        if settings.keySetURL == nil, let set = settings.keySet {
            var unused: [String] = []
            settings.keySet = try UserTokenVerifier.usable(set, unused: &unused)
        }
        try UserTokenVerifier.checkKeys(of: settings)
        try await services.store.saveSettings(settings, at: services.clock(), by: caller.actor)
        try await services.catalog.reload()
        return settings
    }
}
