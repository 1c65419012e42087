import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Appends an entry to the audit log at the end of the group.
    func audit(
        _ action: String,
        of subject: String,
        details: JSONValue = .null,
        at time: UnixTime,
        by actor: Actor
    ) {
        changes.auditNotes.append(AuditNote(action, of: subject, details: details, at: time, by: actor))
    }

    /// Reads how the log ends, and keeps other nodes from appending to it until the commit.
    func lockAuditChain() throws -> AuditChain {
        if let chain = changes.auditChain { return chain }
        guard let row = try connection.row("SELECT * FROM audit_chain WHERE id = 1 FOR UPDATE") else {
            throw StoreError.unreadable("how the audit log ends")
        }
        return try AuditChain(row)
    }

    /// Appends what the group has to say to the audit log.
    ///
    /// The entries of all nodes make one chain, so this comes near the end: the chain is locked for no longer than the
    /// commit takes.
    func flushAudit() throws {
        let notes = changes.auditNotes
        guard !notes.isEmpty || changes.auditChain != nil else { return }
        var chain = try lockAuditChain()
        if !notes.isEmpty { try insert(notes.map { chain.append($0) }) }
        let (last, anchor) = (chain.last, chain.anchor)
        try connection.execute(
            """
            UPDATE audit_chain SET last_count = $1, last_position = $2, last_hash = $3, anchor_count = $4,
                anchor_position = $5, anchor_hash = $6
            WHERE id = 1
            """,
            [last.count, last.position, last.hash, anchor.count, anchor.position, anchor.hash]
        )
    }

    private func insert(_ entries: [AuditEntry]) throws {
        try connection.execute(
            """
            INSERT INTO audit (position, at, actor, actor_kind, action, subject, details, hash)
            SELECT * FROM unnest($1::BIGINT[], $2::DOUBLE PRECISION[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[],
                $7::TEXT[], $8::BYTEA[])
            """,
            [
                entries.map(\.position), entries.map(\.at), entries.map(\.actor), entries.map(\.actorKind),
                entries.map(\.action), entries.map(\.subject), entries.map(\.details), entries.map(\.hash),
            ]
        )
    }
}
