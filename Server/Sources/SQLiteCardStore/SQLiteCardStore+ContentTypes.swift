public import CardModel
public import CardStore
import GRDB
import WireJSON

extension SQLiteCardStore {
    /// Keeps what the app's typed contents expect.
    public func saveContentTypes(_ types: [ContentType], at now: UnixTime, by actor: Actor) async throws {
        try await writer.write { session in
            try session.save(types, at: now)
            try session.audit("content_types.publish", of: ContentType.auditSubject(of: types), at: now, by: actor)
        }
    }

    /// Reads what the app's typed contents expect, by class type.
    public func contentTypes() async throws -> [ContentType] {
        try await read { try ContentTypeRows.all($0) }
    }

    /// Keeps what an app proposes.
    public func proposeContentTypes(_ proposal: ContentTypeProposal) async throws {
        // Apps publish at each start: what is known already takes no write.
        guard try await read({ try ProposalRows.changes(proposal, in: $0) }) else { return }
        try await writer.write { try ProposalRows.keep(proposal, in: $0.database) }
    }

    /// Reads the proposals that say something new.
    public func contentTypeProposals() async throws -> [ContentTypeProposal] {
        try await read { database in
            try ProposalRows.all(database).filter { try ProposalRows.saysMore($0, in: database) }
        }
    }

    /// Accepts a proposal.
    public func acceptContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { session in
            guard let proposal = try ProposalRows.find(id, in: session.database) else { return false }
            try session.save(proposal.types, at: now)
            try ProposalRows.delete(id, in: session.database)
            let subject = ContentType.auditSubject(of: proposal.types)
            try session.audit("content_types.accept", of: subject, at: now, by: actor)
            return true
        }
    }

    /// Dismisses a proposal.
    public func dismissContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { session in
            guard let proposal = try ProposalRows.find(id, in: session.database) else { return false }
            try session.database.execute(
                sql: "UPDATE content_type_proposals SET dismissed = 1 WHERE id = ?",
                arguments: [id]
            )
            let subject = ContentType.auditSubject(of: proposal.types)
            try session.audit("content_types.dismiss", of: subject, at: now, by: actor)
            return true
        }
    }

    /// Forgets what a class type expects.
    public func deleteContentType(_ classType: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { session in
            let row = try Row.fetchOne(
                session.database,
                sql: "DELETE FROM content_types WHERE class_type = ? RETURNING *",
                arguments: [classType]
            )
            guard let type = try row.map(ContentType.init) else { return false }
            try session.audit("content_types.delete", of: ContentType.auditSubject(of: [type]), at: now, by: actor)
            return true
        }
    }
}

extension WriteSession {
    fileprivate func save(_ types: [ContentType], at now: UnixTime) throws {
        let before = try ContentTypeRows.size(database)
        for type in types {
            try database.execute(
                sql: """
                    INSERT INTO content_types (class_type, schema, updated_at) VALUES (?, ?, ?)
                    ON CONFLICT (class_type) DO UPDATE SET schema = excluded.schema, updated_at = excluded.updated_at
                    """,
                arguments: [type.classType, type.schema.text, now]
            )
        }
        try ContentTypeRows.size(database).check(after: before)
    }
}
