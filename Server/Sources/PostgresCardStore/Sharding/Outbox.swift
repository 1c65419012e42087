import CardModel
import CardStore
import WireJSON

/// A note for the audit log or a notice for the webhook that a shard has for the home.
package struct OutboxEntry: Sendable, Hashable {
    /// The place in the order in which they were committed.
    package let position: Int64
    /// The kind of ``payload``.
    package let kind: String
    /// The note or notice, as JSON.
    package let payload: String

    fileprivate static let audit = "audit"
    fileprivate static let notice = "notice"
}

/// The notes and notices that shards have for the home: it has the audit log and the webhook of all databases.
extension PostgresCardStore {
    /// Reads what waits for the home, the oldest first.
    package func outbox(limit: Int) async throws -> [OutboxEntry] {
        try await read { connection in
            try connection.rows(
                "SELECT position, kind, payload FROM outbox ORDER BY position LIMIT $1",
                [PageLimit.clamp(limit)]
            ).map { row in
                OutboxEntry(
                    position: try row.integer("position"),
                    kind: try row.text("kind"),
                    payload: try row.text("payload")
                )
            }
        }
    }

    /// Removes what the home has.
    package func removeOutbox(through position: Int64) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute("DELETE FROM outbox WHERE position <= $1", [position])
        }
    }

    /// Takes over what a shard had for the home; what was taken over before is passed over.
    ///
    /// - Parameters:
    ///   - entries: The oldest that wait there.
    ///   - shard: The number of the shard.
    /// - Throws: An error that keeps the home from writing them.
    package func applyOutbox(_ entries: [OutboxEntry], of shard: Int64) async throws {
        guard !entries.isEmpty else { return }
        try await writer.writeAlone(scope: .nobody) { try $0.apply(entries, of: shard) }
    }
}

extension WriteSession {
    /// Whoever adds to the outbox has this lock until the commit, so that positions are in the order of the commits,
    /// and the home misses none: `PLCO`.
    private static let outboxLock: Int64 = 0x504C_434F

    private static let lockOutbox = "SELECT pg_advisory_xact_lock($1) IS NULL AS is_locked"

    private static let appendOutbox = """
        INSERT INTO outbox (kind, payload)
        SELECT kind, payload FROM unnest($1::TEXT[], $2::TEXT[]) WITH ORDINALITY AS o (kind, payload, place)
        ORDER BY place
        """

    /// Leaves for the home what the group has to say to the audit log and the webhook.
    func flushOutbox() throws {
        let notes = changes.auditNotes.map { (kind: OutboxEntry.audit, payload: $0.outboxPayload.text) }
        let entries = notes + changes.notices.map { (kind: OutboxEntry.notice, payload: $0.outboxPayload.text) }
        guard !entries.isEmpty else { return }
        connection.later(Self.lockOutbox, [Self.outboxLock])
        connection.later(Self.appendOutbox, [entries.map(\.kind), entries.map(\.payload)])
    }

    fileprivate func apply(_ entries: [OutboxEntry], of shard: Int64) throws {
        // Without a row, two nodes would both find that nothing was taken over.
        try connection.execute(
            "INSERT INTO applied_outbox (shard, position) VALUES ($1, 0) ON CONFLICT (shard) DO NOTHING",
            [shard]
        )
        let row = try connection.row("SELECT position FROM applied_outbox WHERE shard = $1 FOR UPDATE", [shard])
        let applied = try row?.integer("position") ?? 0
        let news = entries.filter { $0.position > applied }
        guard let last = news.map(\.position).max() else { return }
        for entry in news {
            guard let json = try? JSONValue(parsing: entry.payload) else { throw OutboxEntry.unreadable }
            switch entry.kind {
            case OutboxEntry.audit: changes.auditNotes.append(try AuditNote(outbox: json))
            case OutboxEntry.notice: changes.notices.append(try WebhookNotice(outbox: json))
            default: throw OutboxEntry.unreadable
            }
        }
        try connection.execute("UPDATE applied_outbox SET position = $2 WHERE shard = $1", [shard, last])
    }
}

extension OutboxEntry {
    fileprivate static let unreadable = StoreError.unreadable("a note for the home")

    /// Returns a value that a payload must have.
    fileprivate static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw unreadable }
        return value
    }
}

extension AuditNote {
    /// The note as JSON.
    fileprivate var outboxPayload: JSONValue {
        [
            "action": .string(action), "subject": .string(subject), "at": .number(at),
            "actor": .string(actor.name), "actor_kind": .string(actor.kind.rawValue),
            "details": details.map(JSONValue.string) ?? .null,
        ]
    }

    fileprivate init(outbox json: JSONValue) throws {
        let kind = try OutboxEntry.required(json["actor_kind"]?.string.flatMap(Actor.ActorKind.init(rawValue:)))
        var details = JSONValue.null
        if let text = json["details"]?.string {
            details = try OutboxEntry.required(try? JSONValue(parsing: text))
        }
        self.init(
            try OutboxEntry.required(json["action"]?.string),
            of: try OutboxEntry.required(json["subject"]?.string),
            details: details,
            at: try OutboxEntry.required(json["at"]?.double),
            by: Actor(kind, name: try OutboxEntry.required(json["actor"]?.string))
        )
    }
}

extension Actor {
    /// Restores an actor from the name that the audit log shows.
    fileprivate init(_ kind: ActorKind, name: String) {
        self =
            switch kind {
            case .key: .key(name)
            case .member: .member(name)
            case .command: .command
            case .server: .server
            case .unauthenticated: .unauthenticated
            }
    }
}

extension WebhookNotice {
    /// The notice as JSON; it gets its place at the home.
    fileprivate var outboxPayload: JSONValue {
        [
            "id": .string(id.description), "kind": .string(kind.rawValue), "subject": .string(subject.text),
            "details": details, "at": .number(at),
        ]
    }

    fileprivate init(outbox json: JSONValue) throws {
        let kind = try OutboxEntry.required(json["kind"]?.string.flatMap(NoticeKind.init(rawValue:)))
        self.init(
            position: 0,
            id: try OutboxEntry.required(json["id"]?.string.flatMap { EventID(utf8: $0.utf8) }),
            kind: kind,
            subject: NoticeSubject(try OutboxEntry.required(json["subject"]?.string), of: kind),
            details: json["details"] ?? .null,
            at: try OutboxEntry.required(json["at"]?.double)
        )
    }
}
