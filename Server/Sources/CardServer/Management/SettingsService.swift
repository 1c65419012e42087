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
    ///   - check: Throws where the present settings mayn't be changed.
    /// - Returns: The settings as saved.
    /// - Throws: What ``save(_:inPlaceOf:by:)`` and `check` throw.
    package func change(
        _ json: JSONValue,
        by caller: Caller,
        where check: (Settings) throws -> Void = { _ in }
    ) async throws -> Settings {
        let saved = try await edit(by: caller) { settings in
            try check(settings)
            return settings.members(with: json)
        }
        if let saved { return saved }
        return try await stored()
    }

    /// Changes the settings as they are by then, so that what others save at the same time isn't taken back.
    ///
    /// - Parameters:
    ///   - caller: Who changes them.
    ///   - change: Makes the new settings of the present ones, or `nil` to save nothing; called again where others have
    ///     saved settings in between.
    /// - Returns: The settings as saved, or `nil` where nothing was.
    /// - Throws: What ``save(_:inPlaceOf:by:)`` throws.
    package func edit(by caller: Caller, _ change: (Settings) throws -> JSONValue?) async throws -> Settings? {
        var attempt = 1
        while true {
            let current = try await stored()
            guard let json = try change(current) else { return nil }
            do {
                return try await save(json, inPlaceOf: current, by: caller)
            } catch let error as StoreError where error.code == .conflict && attempt < Self.attempts {
                attempt += 1
            }
        }
    }

    /// Saves all settings in place of the old ones.
    ///
    /// - Parameters:
    ///   - json: The settings. One that is left out gets its default.
    ///   - expected: The settings that these were made from, or `nil` to save them in place of any.
    ///   - caller: Who saves them.
    /// - Returns: The settings as saved.
    /// - Throws: `ModelError` that names the wrong field, `StoreError.conflict` where others have saved settings since
    ///   `expected` was read, or `RequestError` where keys can't be fetched or used.
    package func save(
        _ json: JSONValue,
        inPlaceOf expected: Settings? = nil,
        by caller: Caller
    ) async throws -> Settings {
        var settings = try Settings(json: json)
        let known: Settings? = if let expected { expected } else { try? await stored() }
        if settings.keySetURL == nil, known?.keySetURL != nil, settings.keySet == known?.keySet {
            // What was fetched from an address belongs to it: its provider isn't trusted any more.
            settings.keySet = nil
            settings = try Settings(json: settings.json)
        }
        if let url = settings.keySetURL {
            // Keys that were fetched before stay, so that settings can be changed while the provider is down.
            let isKnown = known?.keySetURL?.hasSameBytes(as: url) == true
            if isKnown, let set = known?.keySet {
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
        try await services.store.saveSettings(
            settings,
            inPlaceOf: expected,
            at: services.clock(),
            by: caller.actor
        )
        try await services.catalog.reload()
        return settings
    }

    /// The maximum number of attempts to change settings that others change at the same time.
    private static let attempts = 8
}

extension Settings {
    /// The settings as JSON, with some of them changed; of the limits, each one that is left out stays, too.
    fileprivate func members(with changes: JSONValue) -> JSONValue {
        var members = json.object ?? [:]
        for (name, value) in changes.object ?? [:] {
            let field = SettingsFieldName(rawValue: name)
            guard field == .rateLimits || field == .deviceLimits, let limits = value.object else {
                members[name] = value
                continue
            }
            let kept = (members[name]?.object ?? [:]).merging(limits) { $1 }
            members[name] = .object(kept.filter { !$0.value.isNull })
        }
        return .object(members)
    }
}
