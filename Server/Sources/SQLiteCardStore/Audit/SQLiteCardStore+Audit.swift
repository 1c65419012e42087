public import CardModel
public import CardStore
import GRDB
import WireJSON

extension SQLiteCardStore {
    /// Appends entries about things that changed nothing.
    public func appendAuditNotes(_ notes: [AuditNote]) async throws {
        guard !notes.isEmpty else { return }
        try await writer.write { session in
            for note in notes { try session.append(note) }
        }
    }

    /// Reads the audit log before a position, the newest first.
    public func latestAuditEntries(before position: Int64?, limit: Int) async throws -> [AuditEntry] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM audit WHERE position < ? ORDER BY position DESC LIMIT ?",
                arguments: [position ?? .max, PageLimit.clamp(limit)]
            ).map(AuditEntry.init)
        }
    }

    /// Reads the audit log after a position, the oldest first.
    public func auditEntries(after position: Int64, limit: Int) async throws -> [AuditEntry] {
        try await read { try AuditRow.fetch(after: position, limit: PageLimit.clamp(limit), in: $0) }
    }

    /// Reads how long the audit log is and how it ends.
    public func auditChain() async throws -> AuditChain { try await read(AuditRow.chain) }

    /// Removes the entries from before a moment, and appends one that says so.
    public func pruneAudit(before time: UnixTime, at now: UnixTime, by actor: Actor) async throws -> Int {
        var pruned = 0
        // One piece after another, so that nobody waits long for the writer.
        while true {
            let count = try await writer.write { try $0.pruneAudit(before: time) }
            // safe: counts rows
            pruned += count
            if count < WriteSession.auditPieceSize { break }
        }
        if pruned > 0 {
            // safe: Int64 holds every Int
            let details: JSONValue = ["entries": .integer(Int64(pruned))]
            try await appendAuditNotes([AuditNote("audit.prune", of: "audit", details: details, at: now, by: actor)])
        }
        return pruned
    }
}

extension WriteSession {
    /// The number of entries that are looked at in one transaction.
    static let auditPieceSize = 5_000

    func audit(
        _ action: String,
        of subject: String,
        details: JSONValue = .null,
        at time: UnixTime,
        by actor: Actor
    ) throws {
        try append(AuditNote(action, of: subject, details: details, at: time, by: actor))
    }

    func append(_ note: AuditNote) throws {
        var chain = try changes.auditChain ?? AuditRow.chain(database)
        try AuditRow.insert(chain.append(note), into: database)
        changes.auditChain = chain
    }

    /// Keeps how the log ends, once per group.
    func flushAuditChain() throws {
        if let chain = changes.auditChain { try AuditRow.set(chain, in: database) }
    }

    fileprivate func pruneAudit(before time: UnixTime) throws -> Int {
        let piece = try AuditRow.fetch(after: -1, limit: Self.auditPieceSize, in: database).prefix { $0.at < time }
        guard let last = piece.last else { return 0 }
        var chain = try changes.auditChain ?? AuditRow.chain(database)
        chain.prune(piece.count, through: last)
        try database.execute(sql: "DELETE FROM audit WHERE position <= ?", arguments: [last.position])
        changes.auditChain = chain
        return piece.count
    }
}
