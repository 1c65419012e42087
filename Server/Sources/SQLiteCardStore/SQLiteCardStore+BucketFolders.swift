public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Notes a folder to which objects are about to be written.
    public func noteBucketFolder(_ folder: BucketFolder, of id: String, at now: UnixTime) async throws {
        try await writer.write { session in
            try BucketFolderRow.note(.bucket(folder), of: id, at: now, in: session.database)
        }
    }

    /// Claims folders that have been noted for long.
    public func claimBucketFolders(
        before time: UnixTime,
        at now: UnixTime,
        limit: Int
    ) async throws -> [UnusedBucketFolder] {
        let limit = PageLimit.clamp(limit)
        // Mostly there is none, and nothing is written.
        guard try await !read({ try BucketFolderRow.unused(before: time, limit: 1, in: $0) }).isEmpty else { return [] }
        return try await writer.write { session in
            let found = try BucketFolderRow.unused(before: time, limit: limit, in: session.database)
            for unused in found {
                try session.database.execute(
                    sql: "UPDATE bucket_folders SET is_claimed = 1, noted_at = ? WHERE folder = ?",
                    arguments: [now, unused.folder.text]
                )
            }
            return found
        }
    }

    /// Forgets a folder whose objects are gone.
    public func forgetBucketFolder(_ folder: BucketFolder) async throws {
        try await writer.write { session in
            try BucketFolderRow.forget(.bucket(folder), in: session.database)
        }
    }
}

/// A note of a folder in a bucket, as a row keeps it.
enum BucketFolderRow {
    /// Returns folders that no picture has, those noted first before others.
    static func unused(before time: UnixTime, limit: Int, in database: Database) throws -> [UnusedBucketFolder] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM bucket_folders f
                WHERE noted_at <= ? AND NOT EXISTS (SELECT 1 FROM media WHERE bucket_folder = f.folder)
                ORDER BY noted_at LIMIT ?
                """,
            arguments: [time, limit]
        ).map(UnusedBucketFolder.init)
    }

    /// Notes the folder of a place, if it has one.
    static func note(_ place: MediaPlace, of id: String, at time: UnixTime, in database: Database) throws {
        guard case .bucket(let folder) = place else { return }
        try database.execute(
            sql: """
                INSERT INTO bucket_folders (folder, media_id, noted_at, is_claimed) VALUES (?, ?, ?, 0)
                ON CONFLICT (folder) DO NOTHING
                """,
            arguments: [folder.text, id, time]
        )
    }

    /// Checks that the objects of a place aren't being removed.
    ///
    /// - Throws: `StoreError.uploadGivenUp`.
    static func requireKept(_ place: MediaPlace, in database: Database) throws {
        guard case .bucket(let folder) = place else { return }
        let sql = "SELECT is_claimed FROM bucket_folders WHERE folder = ?"
        guard try Bool.fetchOne(database, sql: sql, arguments: [folder.text]) != true else {
            throw StoreError.uploadGivenUp
        }
    }

    /// Forgets the folder of a place, if it has one.
    static func forget(_ place: MediaPlace, in database: Database) throws {
        guard case .bucket(let folder) = place else { return }
        try database.execute(sql: "DELETE FROM bucket_folders WHERE folder = ?", arguments: [folder.text])
    }
}
