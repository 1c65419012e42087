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
        let name = try context.pathParameter("id")
        guard let block = try await services.store.contentBlocks().first(where: { $0.name == name }) else {
            throw RequestError.notFound("content block")
        }
        return Response(json: block.json)
    }

    /// Makes a block or puts another in its place; cards that name it change with it.
    @Sendable func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let name = try context.pathParameter("id")
        try ReservedID.check(name, at: "name")
        let block = try ContentBlock(name: name, json: try await request.readJSON(), updatedAt: services.clock())
        try await services.withCatalog { catalog in
            let engine = catalog.engine
            let others = engine.contentBlocks.filter { $0.name != name }
            let problems = try await services.rendering.offload {
                TemplateEngine(
                    filters: CryptographyFilters.all,
                    contentBlocks: others + [block],
                    connectedContent: engine.connectedContent
                ).problems(in: block.content, at: "content")
            }
            if let error = RequestError.templateInvalid(problems) { throw error }
            try await services.checkApprovalOfContentBlocks(by: caller)
            let generation = catalog.source.generation
            try await services.store.saveContentBlock(block, checkedAt: generation, by: caller.actor)
        }
        try await services.catalog.reload()
        return Response(json: block.json)
    }

    /// Removes a block that nothing includes, or that is to go all the same: a card that names it is then withheld
    /// until there is one again.
    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let name = try context.pathParameter("id")
        try await services.checkApprovalOfContentBlocks(by: caller)
        let force = request.uri.queryParameters["force"].map(String.init) ?? "false"
        guard let isForced = Bool(force) else { throw RequestError.fieldInvalid("force") }
        guard try await services.store.contentBlocks().contains(where: { $0.name == name }) else {
            throw RequestError.notFound("content block")
        }
        try await services.withCatalog { catalog in
            let uses = isForced ? [] : try await services.uses(ofContentBlock: name)
            if let error = RequestError.contentBlockInUse(uses) { throw error }
            let isDeleted = try await services.store.deleteContentBlock(
                name,
                checkedAt: isForced ? nil : catalog.source.generation,
                at: services.clock(),
                by: caller.actor
            )
            guard isDeleted else { throw RequestError.notFound("content block") }
        }
        try await services.catalog.reload()
        return Response(status: .noContent)
    }
}
