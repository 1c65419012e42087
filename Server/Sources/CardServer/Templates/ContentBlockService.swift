package import CardModel
import CardStore
package import WireJSON

/// Saves, checks and deletes content blocks, for the management API and the dashboard.
package struct ContentBlockService: Sendable {
    /// The version that a save goes on top of.
    package enum Base: Sendable {
        /// Whatever there is.
        case any
        /// Nothing: there must be no block of that name.
        case none
        /// A block that has to be as it was read.
        case block(ContentBlock)
    }

    /// The most campaigns that are read of a block.
    package static let usesLimit = 100

    let services: Services

    /// The content blocks by name, as the server renders them.
    package var all: [ContentBlock] { services.catalog.current.engine.contentBlocks }

    /// Returns a content block.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that name.
    package func block(_ name: String) async throws -> ContentBlock {
        guard let block = try await services.store.contentBlocks().first(where: { $0.name == name }) else {
            throw RequestError.notFound("content block")
        }
        return block
    }

    /// Saves a content block; cards that include it change with it.
    ///
    /// - Parameters:
    ///   - json: Its `content` and `description`.
    ///   - name: Its name.
    ///   - base: What it replaces.
    ///   - caller: Who saves it.
    /// - Returns: The block as saved.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field, or says that the block is another by now.
    package func save(
        _ json: JSONValue,
        named name: String,
        over base: Base = .any,
        by caller: Caller
    ) async throws -> ContentBlock {
        try ReservedID.check(name, at: "name")
        let block = try ContentBlock(name: name, json: json, updatedAt: services.clock())
        // The block may have been read from the store, which another server has changed.
        if case .block = base { try await services.catalog.reload() }
        try await services.withCatalog { catalog in
            try Self.check(catalog.engine.contentBlocks.first { $0.name == name }, is: base)
            try TemplateRoom.check(block, beside: catalog.engine.contentBlocks)
            if let error = RequestError.templateInvalid(try await problems(in: block, catalog.engine)) { throw error }
            try await services.checkApprovalOfContentBlocks(by: caller)
            let generation = catalog.source.generation
            try await services.store.saveContentBlock(block, checkedAt: generation, by: caller.actor)
        }
        try await services.catalog.reload()
        return block
    }

    /// Returns what keeps the template of a block from being rendered.
    ///
    /// - Throws: `ModelError` where the name or the size is wrong.
    package func problems(in json: JSONValue, named name: String) async throws -> [TemplateProblem] {
        let block = try ContentBlock(name: name, json: json, updatedAt: services.clock())
        return try await problems(in: block, try await services.catalog.latest().engine)
    }

    /// Deletes a content block.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isForced: Whether it goes although something includes it: a card that does is then withheld.
    ///   - caller: Who deletes it.
    /// - Returns: The block as it was.
    /// - Throws: `RequestError` where there is none of that name, or something includes it.
    @discardableResult
    package func delete(_ name: String, isForced: Bool = false, by caller: Caller) async throws -> ContentBlock {
        try await services.checkApprovalOfContentBlocks(by: caller)
        guard var block = try await services.store.contentBlocks().first(where: { $0.name == name }) else {
            throw RequestError.notFound("content block")
        }
        try await services.withCatalog { catalog in
            // Unless it is forced, it is deleted as this catalog has it.
            block = catalog.engine.contentBlocks.first { $0.name == name } ?? block
            let uses = isForced ? ContentBlockUses() : try await self.uses(of: name)
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
        return block
    }

    /// Returns what includes a content block, archived campaigns too.
    package func uses(of name: String) async throws -> ContentBlockUses {
        try await uses(of: [name], limit: Self.usesLimit).first ?? ContentBlockUses()
    }

    /// Returns what includes content blocks, archived campaigns too, in the order of the names.
    ///
    /// - Parameters:
    ///   - names: The names of content blocks, 1000 at most.
    ///   - limit: The most campaigns that are read of each.
    /// - Returns: The uses of each.
    /// - Throws: What keeps the store from reading.
    package func uses(of names: [String], limit: Int) async throws -> [ContentBlockUses] {
        try await services.uses(ofContentBlocks: names, limit: limit)
    }

    private func problems(in block: ContentBlock, _ engine: TemplateEngine) async throws -> [TemplateProblem] {
        let others = engine.contentBlocks.filter { $0.name != block.name }
        return try await services.rendering.offload {
            TemplateEngine(
                filters: CryptographyFilters.all,
                contentBlocks: others + [block],
                connectedContent: engine.connectedContent
            ).problems(in: block.content, at: "content")
        }
    }

    private static func check(_ present: ContentBlock?, is base: Base) throws {
        switch base {
        case .any: return
        case .none:
            guard present != nil else { return }
            throw RequestError(
                .conflict,
                "already_exists",
                "A content block with this name already exists. Choose another name.",
                details: [("path", "name")]
            )
        case .block(let block):
            guard present != block else { return }
            throw RequestError(
                .conflict,
                "version_conflict",
                "The content block was changed in between. Read it again, then repeat the change."
            )
        }
    }
}
