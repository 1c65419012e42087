public import CardModel
import CardStore

extension PostgresCardStore {
    /// Saves a broadcast and gives the catalog the next generation.
    public func insertBroadcast(_ broadcast: Broadcast, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { try $0.insert(broadcast, by: actor) }
    }

    /// Reads the content blocks, by name.
    public func contentBlocks() async throws -> [ContentBlock] {
        try await read(ContentBlockRow.all)
    }

    /// Saves a content block and gives the catalog the next generation.
    public func saveContentBlock(
        _ block: ContentBlock,
        checkedAt generation: CatalogGeneration?,
        by actor: Actor
    ) async throws {
        try await writer.writeAlone { session in
            try session.checkGeneration(generation)
            if try !ContentBlockRow.exists(block.name, in: session.connection) {
                try session.checkRoom(.contentBlocks, in: "content_blocks")
            }
            try ContentBlockRow.save(block, into: session.connection)
            _ = try session.advanceCatalog()
            session.audit("content_block.save", of: block.name, at: block.updatedAt, by: actor)
        }
    }

    /// Removes a content block and gives the catalog the next generation.
    public func deleteContentBlock(
        _ name: String,
        checkedAt generation: CatalogGeneration?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Bool {
        try await writer.writeAlone { session in
            try session.checkGeneration(generation)
            guard try session.connection.execute("DELETE FROM content_blocks WHERE name = $1", [name]) > 0 else {
                return false
            }
            _ = try session.advanceCatalog()
            session.audit("content_block.delete", of: name, at: now, by: actor)
            return true
        }
    }
}

/// A content block as a row holds it.
enum ContentBlockRow {
    static func all(_ connection: PostgresConnection) throws -> [ContentBlock] {
        try rows(connection).map(ContentBlock.init)
    }

    static func rows(_ connection: PostgresConnection) throws -> [PostgresRow] {
        try connection.rows("SELECT * FROM content_blocks ORDER BY name")
    }

    static func exists(_ name: String, in connection: PostgresConnection) throws -> Bool {
        try connection.row("SELECT name FROM content_blocks WHERE name = $1", [name]) != nil
    }

    static func save(_ block: ContentBlock, into connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO content_blocks (name, content, description, updated_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (name) DO UPDATE SET
                content = excluded.content, description = excluded.description, updated_at = excluded.updated_at
            """,
            [block.name, block.content, block.description, block.updatedAt]
        )
    }
}
