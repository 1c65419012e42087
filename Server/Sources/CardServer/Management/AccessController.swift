import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/settings`.
struct AccessController: Sendable {
    let services: Services

    // MARK: Settings

    @Sendable func settings(_ request: Request, _ context: AppContext) async throws -> Response {
        let snapshot = services.catalog.current
        guard snapshot.areSettingsKnown else { throw RequestError.unavailable }
        return Response(json: snapshot.settings.json)
    }

    /// Puts all settings in place of the old ones.
    @Sendable func saveSettings(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        // What is left out gets its default, which for security is off: a body that got lost must not reset everything.
        var settings = try Settings(json: try await request.readRequiredObject())
        if let url = settings.keySetURL {
            // Keys that were fetched before stay, so that settings can be changed while the provider is down.
            let known = services.catalog.current.settings
            let isKnown = known.keySetURL?.hasSameBytes(as: url) == true
            if isKnown, let set = known.keySet {
                settings.keySet = set
            } else {
                settings.keySet = try await services.keySets.keys(at: url)
            }
        }
        try UserTokenVerifier.checkKeys(of: settings)
        try await services.store.saveSettings(settings, at: services.clock(), by: caller.actor)
        try await services.catalog.reload()
        return Response(json: settings.json)
    }
}
