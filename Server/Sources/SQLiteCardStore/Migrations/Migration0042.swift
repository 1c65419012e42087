import CardStore
import Foundation
import GRDB

/// Chains the entries of the audit log, so that one that is removed or changed shows.
///
/// The chain's ends have a row of their own: without it nobody could tell that the last entries are gone.
enum Migration0042: StoreMigration {
    static let identifier = "0042-audit-chain"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE audit ADD COLUMN actor_kind TEXT NOT NULL DEFAULT '';
                ALTER TABLE audit ADD COLUMN details TEXT;
                ALTER TABLE audit ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
                UPDATE audit SET actor_kind = CASE
                    WHEN actor IN ('command', 'server', 'unauthenticated') THEN actor WHEN instr(actor, '@') > 0 THEN 'member' ELSE 'key'
                END;

                ALTER TABLE store ADD COLUMN user_hash_key BLOB;
                UPDATE store SET user_hash_key = randomblob(32);

                CREATE TABLE audit_chain (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    last_count INTEGER NOT NULL,
                    last_position INTEGER NOT NULL,
                    last_hash BLOB NOT NULL,
                    anchor_count INTEGER NOT NULL,
                    anchor_position INTEGER NOT NULL,
                    anchor_hash BLOB NOT NULL
                );
                """
        )
        try chainEntries(in: database)
    }

    private static func chainEntries(in database: Database) throws {
        var last = AuditChain.Mark()
        while true {
            let piece = try AuditRow.fetch(after: last.position, limit: 1_000, in: database)
            for entry in piece {
                let hash = entry.chained(to: last.hash)
                try database.execute(
                    sql: "UPDATE audit SET hash = ? WHERE position = ?",
                    arguments: [Data(hash), entry.position]
                )
                last = AuditChain.Mark(count: last.count + 1, position: entry.position, hash: hash)
            }
            if piece.isEmpty { break }
        }
        try AuditRow.set(AuditChain(last: last), in: database)
    }
}
