public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Saves what the app's typed contents expect.
    public func saveContentTypes(_ types: [ContentType], at now: UnixTime, by actor: Actor) async throws {
        try await writer.writeAlone { session in
            try ContentTypeRow.save(types, at: now, into: session.connection)
            session.audit("content_types.publish", of: ContentType.auditSubject(of: types), at: now, by: actor)
        }
    }

    /// Reads what the app's typed contents expect, by class type.
    public func contentTypes() async throws -> [ContentType] {
        try await read { connection in
            try connection.rows("SELECT * FROM content_types ORDER BY class_type").map(ContentType.init)
        }
    }

    /// Saves what an app proposes.
    public func proposeContentTypes(_ proposal: ContentTypeProposal) async throws {
        // Apps publish at each start: what is known already takes no write.
        guard try await read({ try ProposalRow.changes(proposal, in: $0) }) else { return }
        try await writer.writeAlone { try ProposalRow.save(proposal, into: $0.connection) }
    }

    /// Reads the proposals that say something new.
    public func contentTypeProposals() async throws -> [ContentTypeProposal] {
        try await snapshot { connection in
            try ProposalRow.all(connection).filter { try ProposalRow.saysMore($0, in: connection) }
        }
    }

    /// Accepts a proposal.
    public func acceptContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            let rows = try session.connection.changing(
                "DELETE FROM content_type_proposals WHERE id = $1 AND NOT dismissed RETURNING *",
                [id]
            )
            guard let proposal = try rows.first.map(ContentTypeProposal.init) else { return false }
            try ContentTypeRow.save(proposal.types, at: now, into: session.connection)
            session.audit("content_types.accept", of: ContentType.auditSubject(of: proposal.types), at: now, by: actor)
            return true
        }
    }

    /// Dismisses a proposal.
    public func dismissContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            let rows = try session.connection.changing(
                "UPDATE content_type_proposals SET dismissed = TRUE WHERE id = $1 AND NOT dismissed RETURNING *",
                [id]
            )
            guard let proposal = try rows.first.map(ContentTypeProposal.init) else { return false }
            let subject = ContentType.auditSubject(of: proposal.types)
            session.audit("content_types.dismiss", of: subject, at: now, by: actor)
            return true
        }
    }

    /// Forgets what a class type expects.
    public func deleteContentType(_ classType: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            let rows = try session.connection.changing(
                "DELETE FROM content_types WHERE class_type = $1 RETURNING *",
                [classType]
            )
            guard let type = try rows.first.map(ContentType.init) else { return false }
            session.audit("content_types.delete", of: ContentType.auditSubject(of: [type]), at: now, by: actor)
            return true
        }
    }
}

/// The expectations of the app's typed contents, as rows hold them.
enum ContentTypeRow {
    /// The schema of a class type, or `nil`.
    static func schema(of classType: String, in connection: PostgresConnection) throws -> String? {
        try connection.row("SELECT schema FROM content_types WHERE class_type = $1", [classType])?.text("schema")
    }

    private static func size(_ connection: PostgresConnection) throws -> ContentTypesSize {
        let row = try connection.row(
            "SELECT count(*) AS count, coalesce(sum(octet_length(schema)), 0)::BIGINT AS bytes FROM content_types"
        )
        return ContentTypesSize(count: try row?.integer("count") ?? 0, bytes: try row?.integer("bytes") ?? 0)
    }

    static func save(_ types: [ContentType], at now: UnixTime, into connection: PostgresConnection) throws {
        let before = try size(connection)
        for type in types {
            try connection.execute(
                """
                INSERT INTO content_types (class_type, schema, updated_at) VALUES ($1, $2, $3)
                ON CONFLICT (class_type) DO UPDATE SET schema = excluded.schema, updated_at = excluded.updated_at
                """,
                [type.classType, type.schema.text, now]
            )
        }
        try size(connection).check(after: before)
    }
}

/// The proposals of apps, as rows hold them.
enum ProposalRow {
    static func all(_ connection: PostgresConnection) throws -> [ContentTypeProposal] {
        try connection.rows(
            "SELECT * FROM content_type_proposals WHERE NOT dismissed ORDER BY updated_at DESC, position DESC"
        ).map(ContentTypeProposal.init)
    }

    /// Whether a proposal says something that the accepted types don't.
    static func saysMore(_ proposal: ContentTypeProposal, in connection: PostgresConnection) throws -> Bool {
        try proposal.saysMore { try ContentTypeRow.schema(of: $0, in: connection) }
    }

    /// Whether saving a proposal changes anything.
    static func changes(_ proposal: ContentTypeProposal, in connection: PostgresConnection) throws -> Bool {
        let known = try connection.row(
            "SELECT id FROM content_type_proposals WHERE key_id = $1 AND app_version = $2",
            [proposal.keyID, proposal.appVersion]
        )
        guard let known = try known?.text("id") else { return try saysMore(proposal, in: connection) }
        return !known.hasSameBytes(as: proposal.id)
    }

    static func save(_ proposal: ContentTypeProposal, into connection: PostgresConnection) throws {
        // One after the other on all nodes: both the id and the app's version are unique.
        _ = try connection.row("SELECT generation FROM store WHERE id = 1 FOR NO KEY UPDATE")
        try connection.execute(
            "DELETE FROM content_type_proposals WHERE key_id = $1 AND app_version = $2 OR id = $3",
            [proposal.keyID, proposal.appVersion, proposal.id]
        )
        guard try saysMore(proposal, in: connection) else { return }
        try connection.execute(
            """
            INSERT INTO content_type_proposals (id, key_id, app_version, types, updated_at)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [proposal.id, proposal.keyID, proposal.appVersion, proposal.storedTypes, proposal.updatedAt]
        )
        try connection.execute(
            """
            DELETE FROM content_type_proposals WHERE position IN (
                SELECT position FROM content_type_proposals ORDER BY updated_at DESC, position DESC OFFSET $1
            )
            """,
            [ContentTypeProposal.limit]
        )
    }
}
