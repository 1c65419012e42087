public import CardModel
import CardStore
import GRDB

extension WriteSession {
    fileprivate func checkGeneration(_ expected: CatalogGeneration?) throws {
        guard let expected else { return }
        guard try StoreRow.generation(database) == expected else { throw StoreError.catalogChanged }
    }
}

extension SQLiteCardStore {
    /// Notes and counts what templates kept from a user.
    ///
    /// Most of it is known, so it is read before anything is written.
    public func recordSuppressions(_ cards: [Withholding], from user: UserID, at now: UnixTime) async throws {
        let news = try await read { database in
            try cards.filter { try !WithheldRow.isKnown($0, from: user, in: database) }
        }
        guard !news.isEmpty else { return }
        try await writer.write { session in
            for card in news where try WithheldRow.insert(card, from: user, at: now, into: session.database) {
                try WithheldRow.count(card, on: try session.day(of: now), in: session.database)
            }
        }
    }

    /// Reads the content blocks, by name.
    public func contentBlocks() async throws -> [ContentBlock] {
        try await read(ContentBlockRow.all)
    }

    /// Keeps a content block and gives the catalog the next generation.
    public func saveContentBlock(
        _ block: ContentBlock,
        checkedAt generation: CatalogGeneration?,
        by actor: Actor
    ) async throws {
        try await writer.write { session in
            try session.checkGeneration(generation)
            if try !ContentBlockRow.exists(block.name, in: session.database) {
                try session.checkRoom(.contentBlocks, in: "content_blocks")
            }
            try ContentBlockRow.save(block, into: session.database)
            _ = try session.advanceCatalog()
            try session.audit("content_block.save", of: block.name, at: block.updatedAt, by: actor)
        }
    }

    /// Removes a content block and gives the catalog the next generation.
    public func deleteContentBlock(
        _ name: String,
        checkedAt generation: CatalogGeneration?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Bool {
        try await writer.write { session in
            try session.checkGeneration(generation)
            try session.database.execute(sql: "DELETE FROM content_blocks WHERE name = ?", arguments: [name])
            guard session.database.changesCount > 0 else { return false }
            _ = try session.advanceCatalog()
            try session.audit("content_block.delete", of: name, at: now, by: actor)
            return true
        }
    }
}

/// A content block as a row keeps it.
enum ContentBlockRow {
    static func all(_ database: Database) throws -> [ContentBlock] {
        try rows(database).map(ContentBlock.init)
    }

    static func rows(_ database: Database) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT * FROM content_blocks ORDER BY name")
    }

    static func exists(_ name: String, in database: Database) throws -> Bool {
        try Row.fetchOne(database, sql: "SELECT 1 FROM content_blocks WHERE name = ?", arguments: [name]) != nil
    }

    static func save(_ block: ContentBlock, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO content_blocks (name, content, description, updated_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET
                    content = excluded.content, description = excluded.description, updated_at = excluded.updated_at
                """,
            arguments: [block.name, block.content, block.description, block.updatedAt]
        )
    }
}
