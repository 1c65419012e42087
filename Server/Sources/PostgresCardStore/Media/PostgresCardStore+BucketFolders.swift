public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Notes a folder to which objects are about to be written.
    public func noteBucketFolder(_ folder: BucketFolder, of id: String, at now: UnixTime) async throws {
        try await writer.writeAlone { session in
            try BucketFolderRow.note(.bucket(folder), of: id, at: now, in: session.connection)
        }
    }

    /// Claims folders that have been noted for long; of several nodes, each gets others.
    public func claimBucketFolders(
        before time: UnixTime,
        at now: UnixTime,
        limit: Int
    ) async throws -> [UnusedBucketFolder] {
        let limit = PageLimit.clamp(limit)
        // Mostly there is none, and nothing is written.
        let isNeeded = try await read { connection in
            try connection.row("SELECT 1 AS one FROM bucket_folders WHERE noted_at <= $1 LIMIT 1", [time]) != nil
        }
        guard isNeeded else { return [] }
        return try await writer.writeAlone { session in
            try session.connection.changing(
                """
                UPDATE bucket_folders SET is_claimed = TRUE, noted_at = $2 WHERE folder IN (
                    SELECT folder FROM bucket_folders f
                    WHERE noted_at <= $1 AND NOT EXISTS (SELECT 1 FROM media WHERE bucket_folder = f.folder)
                    ORDER BY noted_at LIMIT $3 FOR UPDATE SKIP LOCKED
                ) RETURNING *
                """,
                [time, now, limit]
            ).map(UnusedBucketFolder.init)
        }
    }

    /// Forgets a folder whose objects are gone.
    public func forgetBucketFolder(_ folder: BucketFolder) async throws {
        try await writer.writeAlone { session in
            try BucketFolderRow.forget(.bucket(folder), in: session.connection)
        }
    }
}

/// A note of a folder in a bucket, as rows hold it.
enum BucketFolderRow {
    /// Notes the folder of a place, if it has one.
    static func note(
        _ place: MediaPlace,
        of id: String,
        at time: UnixTime,
        in connection: PostgresConnection
    ) throws {
        guard case .bucket(let folder) = place else { return }
        try connection.execute(
            """
            INSERT INTO bucket_folders (folder, media_id, noted_at, is_claimed) VALUES ($1, $2, $3, FALSE)
            ON CONFLICT (folder) DO NOTHING
            """,
            [folder.text, id, time]
        )
    }

    /// Checks that the objects of a place aren't being removed, and keeps others from that until the transaction ends.
    ///
    /// - Throws: `StoreError.uploadGivenUp`.
    static func requireKept(_ place: MediaPlace, in connection: PostgresConnection) throws {
        guard case .bucket(let folder) = place else { return }
        let sql = "SELECT is_claimed FROM bucket_folders WHERE folder = $1 FOR UPDATE"
        guard try connection.row(sql, [folder.text])?.flag("is_claimed") != true else {
            throw StoreError.uploadGivenUp
        }
    }

    /// Forgets the folder of a place, if it has one.
    static func forget(_ place: MediaPlace, in connection: PostgresConnection) throws {
        guard case .bucket(let folder) = place else { return }
        try connection.execute("DELETE FROM bucket_folders WHERE folder = $1", [folder.text])
    }
}
