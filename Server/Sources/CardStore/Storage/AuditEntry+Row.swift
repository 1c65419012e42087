extension AuditEntry {
    /// Restores an entry from its row.
    package init(_ row: some StoredRow) throws {
        self.init(
            position: try row.integer("position"),
            at: try row.double("at"),
            actor: try row.text("actor"),
            actorKind: try row.text("actor_kind"),
            action: try row.text("action"),
            subject: try row.text("subject"),
            details: try row.optionalText("details"),
            hash: try row.bytes("hash")
        )
    }
}

extension AuditChain {
    /// Restores how the log begins and ends.
    package init(_ row: some StoredRow) throws {
        self.init(last: try Mark(row, "last"), anchor: try Mark(row, "anchor"))
    }
}

extension AuditChain.Mark {
    fileprivate init(_ row: some StoredRow, _ name: String) throws {
        self.init(
            count: try row.integer("\(name)_count"),
            position: try row.integer("\(name)_position"),
            hash: try row.bytes("\(name)_hash")
        )
    }
}
