import CardModel
import CardStore
import Foundation
import GRDB

/// The audit log as rows keep it.
enum AuditRow {
    static func fetch(after position: Int64, limit: Int, in database: Database) throws -> [AuditEntry] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM audit WHERE position > ? ORDER BY position LIMIT ?",
            arguments: [position, limit]
        ).map(AuditEntry.init)
    }

    static func insert(_ entry: AuditEntry, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO audit (position, at, actor, actor_kind, action, subject, details, hash)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.position, entry.at, entry.actor, entry.actorKind, entry.action, entry.subject, entry.details,
                Data(entry.hash),
            ]
        )
    }

    /// Returns the beginning and the end of the log.
    static func chain(_ database: Database) throws -> AuditChain {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM audit_chain WHERE id = 1") else {
            throw StoreError.unreadable("how the audit log ends")
        }
        return try AuditChain(row)
    }

    static func set(_ chain: AuditChain, in database: Database) throws {
        let (last, anchor) = (chain.last, chain.anchor)
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO audit_chain
                    (id, last_count, last_position, last_hash, anchor_count, anchor_position, anchor_hash)
                VALUES (1, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                last.count, last.position, Data(last.hash), anchor.count, anchor.position, Data(anchor.hash),
            ]
        )
    }
}
