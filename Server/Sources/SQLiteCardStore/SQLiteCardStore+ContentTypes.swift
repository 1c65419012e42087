public import CardModel
public import CardStore
import GRDB
import WireJSON

extension SQLiteCardStore {
    /// Keeps what the app's typed contents expect.
    public func save(_ types: [ContentType], at now: UnixTime) async throws {
        try await writer.write { session in
            for type in types { try session.save(type, at: now) }
        }
    }

    /// Reads what the app's typed contents expect, by class type.
    public func contentTypes() async throws -> [ContentType] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM content_types ORDER BY class_type").map { row in
                guard let schema = try? JSONValue(parsing: row["schema"] as String) else {
                    throw StoreError.unreadable("a content type")
                }
                return ContentType(classType: row["class_type"], schema: schema, updatedAt: row["updated_at"])
            }
        }
    }
}

extension WriteSession {
    fileprivate func save(_ type: ContentType, at now: UnixTime) throws {
        try database.execute(
            sql: """
                INSERT INTO content_types (class_type, schema, updated_at) VALUES (?, ?, ?)
                ON CONFLICT (class_type) DO UPDATE SET schema = excluded.schema, updated_at = excluded.updated_at
                """,
            arguments: [type.classType, type.schema.text, now]
        )
    }
}
