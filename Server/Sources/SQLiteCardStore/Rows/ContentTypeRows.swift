import CardModel
import CardStore
import GRDB

/// The expectations of the app's typed contents, as rows keep them.
enum ContentTypeRows {
    static func all(_ database: Database) throws -> [ContentType] {
        try Row.fetchAll(database, sql: "SELECT * FROM content_types ORDER BY class_type").map(ContentType.init)
    }

    static func size(_ database: Database) throws -> ContentTypesSize {
        let sql = "SELECT count(*) AS count, coalesce(sum(length(CAST(schema AS BLOB))), 0) AS bytes FROM content_types"
        let row = try Row.fetchOne(database, sql: sql)
        return ContentTypesSize(count: row?["count"] ?? 0, bytes: row?["bytes"] ?? 0)
    }

    /// The schema of a class type as it is kept, or `nil`.
    static func text(of classType: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database,
            sql: "SELECT schema FROM content_types WHERE class_type = ?",
            arguments: [classType]
        )
    }
}

/// The proposals of apps, as rows keep them.
enum ProposalRows {
    static func all(_ database: Database) throws -> [ContentTypeProposal] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM content_type_proposals WHERE dismissed = 0 ORDER BY updated_at DESC, position DESC
                """
        ).map(ContentTypeProposal.init)
    }

    static func find(_ id: String, in database: Database) throws -> ContentTypeProposal? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM content_type_proposals WHERE id = ? AND dismissed = 0",
            arguments: [id]
        ).map(ContentTypeProposal.init)
    }

    static func delete(_ id: String, in database: Database) throws {
        try database.execute(sql: "DELETE FROM content_type_proposals WHERE id = ?", arguments: [id])
    }

    /// Whether a proposal says something that the accepted types don't.
    static func saysMore(_ proposal: ContentTypeProposal, in database: Database) throws -> Bool {
        try proposal.saysMore { try ContentTypeRows.text(of: $0, in: database) }
    }

    /// Whether keeping a proposal changes anything.
    static func changes(_ proposal: ContentTypeProposal, in database: Database) throws -> Bool {
        let kept = try String.fetchOne(
            database,
            sql: "SELECT id FROM content_type_proposals WHERE key_id = ? AND app_version = ?",
            arguments: [proposal.keyID, proposal.appVersion]
        )
        guard let kept else { return try saysMore(proposal, in: database) }
        return !kept.hasSameBytes(as: proposal.id)
    }

    static func keep(_ proposal: ContentTypeProposal, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM content_type_proposals WHERE key_id = ? AND app_version = ?",
            arguments: [proposal.keyID, proposal.appVersion]
        )
        guard try saysMore(proposal, in: database) else { return }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO content_type_proposals (id, key_id, app_version, types, updated_at)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                proposal.id, proposal.keyID, proposal.appVersion,
                proposal.storedTypes, proposal.updatedAt,
            ]
        )
        try database.execute(
            sql: """
                DELETE FROM content_type_proposals WHERE position IN (
                    SELECT position FROM content_type_proposals
                    ORDER BY updated_at DESC, position DESC LIMIT -1 OFFSET ?
                )
                """,
            arguments: [ContentTypeProposal.limit]
        )
    }
}
