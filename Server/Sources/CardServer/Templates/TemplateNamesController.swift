import Hummingbird

/// `GET /v1/templates/names`: what an editor can offer to those who write a template or an audience.
struct TemplateNamesController: Sendable {
    let service: TemplateNamesService

    @Sendable func names(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await service.names())
    }
}
