import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/settings`.
struct AccessController: Sendable {
    let settings: SettingsService

    /// Reads the settings as the store has them, whichever node has saved them last.
    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        // Settings that can't be read are no defaults.
        _ = try settings.current()
        return Self.answer(try await settings.stored())
    }

    /// Puts all settings in place of the old ones.
    @Sendable func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let (caller, condition) = (try context.requireCaller(), Precondition(request))
        // What is left out gets its default, which for security is off: a body that got lost must not reset everything.
        let body = try await request.readRequiredObject()
        guard condition.isGiven else { return Self.answer(try await settings.save(body, by: caller)) }
        let saved = try await settings.edit(by: caller) { current in
            try condition.check(Self.tag(of: current))
            return body
        }
        guard let saved else { throw RequestError.unavailable }
        return Self.answer(saved)
    }

    /// Changes some settings; the others stay.
    @Sendable func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let (caller, condition) = (try context.requireCaller(), Precondition(request))
        let body = try await request.readRequiredObject()
        let changed = try await settings.change(body, by: caller) { try condition.check(Self.tag(of: $0)) }
        return Self.answer(changed)
    }

    private static func answer(_ settings: Settings) -> Response {
        Response(json: settings.json, tag: tag(of: settings))
    }

    private static func tag(of settings: Settings) -> String { Precondition.tag(of: settings.stored) }
}
