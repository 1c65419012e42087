public import CardModel
public import CardStore
import WireJSON

extension PostgresCardStore {
    /// Appends entries about things that changed nothing.
    public func appendAuditNotes(_ notes: [AuditNote]) async throws {
        guard !notes.isEmpty else { return }
        try await writer.write { $0.changes.auditNotes += notes }
    }

    /// Reads the audit log before a position, the newest first.
    public func latestAuditEntries(before position: Int64?, limit: Int) async throws -> [AuditEntry] {
        try await read { connection in
            try connection.rows(
                "SELECT * FROM audit WHERE position < $1 ORDER BY position DESC LIMIT $2",
                [position ?? .max, PageLimit.clamp(limit)]
            ).map(AuditEntry.init)
        }
    }

    /// Reads the audit log after a position, the oldest first.
    public func auditEntries(after position: Int64, limit: Int) async throws -> [AuditEntry] {
        try await read { try AuditRow.fetch(after: position, limit: PageLimit.clamp(limit), in: $0) }
    }

    /// Reads how long the audit log is and how it ends.
    public func auditChain() async throws -> AuditChain {
        try await read { connection in
            guard let row = try connection.row("SELECT * FROM audit_chain WHERE id = 1") else {
                throw StoreError.unreadable("how the audit log ends")
            }
            return try AuditChain(row)
        }
    }

    /// Removes the entries from before a moment, and appends one that says so.
    public func pruneAudit(before time: UnixTime, at now: UnixTime, by actor: Actor) async throws -> Int {
        var pruned = 0
        // One piece after another, so that nothing waits long for the log.
        while true {
            let count = try await writer.writeAlone { try $0.pruneAudit(before: time) }
            // safe: counts of rows
            pruned += count
            if count < AuditRow.pieceSize { break }
        }
        if pruned > 0 {
            // safe: Int64 holds every Int
            let details: JSONValue = ["entries": .integer(Int64(pruned))]
            try await appendAuditNotes([AuditNote("audit.prune", of: "audit", details: details, at: now, by: actor)])
        }
        return pruned
    }
}

/// The audit log as rows hold it.
enum AuditRow {
    /// The number of entries that are looked at in one transaction.
    static let pieceSize = 5_000

    static func fetch(after position: Int64, limit: Int, in connection: PostgresConnection) throws -> [AuditEntry] {
        try connection.rows(
            "SELECT * FROM audit WHERE position > $1 ORDER BY position LIMIT $2",
            [position, limit]
        ).map(AuditEntry.init)
    }
}

extension WriteSession {
    fileprivate func pruneAudit(before time: UnixTime) throws -> Int {
        var chain = try lockAuditChain()
        let piece = try AuditRow.fetch(after: -1, limit: AuditRow.pieceSize, in: connection).prefix { $0.at < time }
        guard let last = piece.last else { return 0 }
        chain.prune(piece.count, through: last)
        try connection.execute("DELETE FROM audit WHERE position <= $1", [last.position])
        changes.auditChain = chain
        return piece.count
    }
}
