import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/content-blocks`: pieces of text that templates name.
struct ContentBlocksController: Sendable {
    let services: Services

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: ["content_blocks": .array(try await services.store.contentBlocks().map(\.json))])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await services.contentBlocks.block(try context.pathParameter("id")).json)
    }

    /// Makes a block or puts another in its place; cards that name it change with it.
    @Sendable func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let name = try context.pathParameter("id")
        try ReservedID.check(name, at: "name")
        let json = try await request.readJSON()
        return Response(json: try await services.contentBlocks.save(json, named: name, by: caller).json)
    }

    /// Removes a block that nothing includes, or that is to go all the same: a card that names it is then withheld
    /// until there is one again.
    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let name = try context.pathParameter("id")
        let force = request.uri.queryParameters["force"].map(String.init) ?? "false"
        guard let isForced = Bool(force) else {
            throw RequestError.fieldInvalid("force", expected: Expected.boolean)
        }
        try await services.contentBlocks.delete(name, isForced: isForced, by: caller)
        return Response(status: .noContent)
    }
}
