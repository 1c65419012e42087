import CardModel
import Hummingbird
import WireJSON

/// `/v1/settings`.
struct AccessController: Sendable {
    let settings: SettingsService

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try settings.current().json)
    }

    /// Puts all settings in place of the old ones.
    @Sendable func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        // What is left out gets its default, which for security is off: a body that got lost must not reset everything.
        let body = try await request.readRequiredObject()
        return Response(json: try await settings.save(body, by: caller).json)
    }

    /// Changes some settings; the others stay.
    @Sendable func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readRequiredObject()
        return Response(json: try await settings.change(body, by: caller).json)
    }
}
