public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Reads pictures, the newest first.
    public func mediaItems(offset: Int, limit: Int) async throws -> [MediaItem] {
        let limit = PageLimit.clamp(limit)
        return try await read { connection in
            try connection.rows(
                """
                SELECT * FROM media WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2
                """,
                [limit, max(0, offset)]
            ).map(MediaItem.init)
        }
    }

    /// Reads the pictures that a filter leaves, the newest first.
    public func searchMedia(matching filter: MediaFilter, offset: Int, limit: Int) async throws -> [MediaItem] {
        let query = MediaQuery(filter: filter, offset: max(0, offset), limit: PageLimit.clamp(limit))
        return try await read { try query.run($0) }
    }

    /// Reads a picture, or `nil` where there is none of that id.
    public func mediaItem(_ id: String) async throws -> MediaItem? {
        try await read { connection in
            try connection.row("SELECT * FROM media WHERE id = $1 AND deleted_at IS NULL", [id]).map(MediaItem.init)
        }
    }

    /// Reads pictures by their ids.
    public func findMedia(_ ids: [String]) async throws -> [String: MediaItem] {
        let wanted = Array(ids.prefix(PageLimit.highest))
        return try await read { connection in
            let items = try connection.rows("SELECT * FROM media WHERE id = ANY ($1) AND deleted_at IS NULL", [wanted])
                .map(MediaItem.init)
            return Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// Reads how many pictures there are and how many bytes they have.
    public func mediaTotals() async throws -> MediaTotals {
        try await read(MediaRow.totals)
    }

    /// Adds a picture with its bytes.
    public func addMedia(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition {
        try await writer.writeAlone { session in
            if try MediaRow.restore(item.id, in: session.connection) != nil {
                session.audit("media.restore", of: item.id, at: item.createdAt, by: actor)
            }
            if let known = try MediaRow.find(item.id, in: session.connection) {
                guard try MediaRow.isIncomplete(known, in: session.connection), !files.isEmpty else {
                    return .exists(known)
                }
                // What was lost of a picture is restored, by one node at a time.
                try MediaRow.awaitTurn(on: session.connection)
                guard try MediaRow.isIncomplete(known, in: session.connection) else { return .exists(known) }
                try MediaRow.replace(item, files: files, in: session.connection)
                return .exists(try MediaRow.find(item.id, in: session.connection) ?? known)
            }
            // Nodes that add pictures at once take turns, so that all together stay below the limit.
            try MediaRow.awaitTurn(on: session.connection)
            let totals = try MediaRow.totals(session.connection)
            guard totals.hasRoom(for: item.bytes, below: limit) else { return .full }
            try BucketFolderRow.requireKept(item.location, in: session.connection)
            // Of two nodes that add the same picture at once, one finds it there.
            guard try MediaRow.insert(item, into: session.connection) else { return .exists(item) }
            try BucketFolderRow.forget(item.location, in: session.connection)
            for file in files { try MediaRow.insert(file, of: item.id, into: session.connection) }
            session.audit("media.upload", of: item.id, at: item.createdAt, by: actor)
            return .added
        }
    }

    /// Changes the alternative text of a picture.
    public func setMediaAlt(_ alt: String, of id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            let found = "SELECT name FROM media WHERE id = $1 AND deleted_at IS NULL FOR UPDATE"
            guard let row = try session.connection.row(found, [id]) else { return false }
            try session.connection.execute(
                "UPDATE media SET alt = $1, folded = $2 WHERE id = $3",
                [alt, MediaFilter.folded(name: try row.text("name"), alt: alt), id]
            )
            session.audit("media.edit", of: id, at: now, by: actor)
            return true
        }
    }

    /// Replaces where the bytes of a picture are.
    public func replaceMediaFiles(
        of known: MediaItem,
        with item: MediaItem,
        files: [MediaFile]
    ) async throws -> Bool {
        try await writer.writeAlone { session in
            try BucketFolderRow.requireKept(item.location, in: session.connection)
            let isReplaced = try session.connection.execute(
                """
                UPDATE media SET bucket_folder = $1, bytes = $2
                WHERE id = $3 AND bucket_folder IS NOT DISTINCT FROM $4
                """,
                [item.bucketFolderText, item.bytes, known.id, known.bucketFolderText]
            )
            guard isReplaced > 0 else { return false }
            try BucketFolderRow.forget(item.location, in: session.connection)
            if item.location != known.location {
                try BucketFolderRow.note(known.location, of: known.id, at: item.createdAt, in: session.connection)
            }
            try session.connection.execute("DELETE FROM media_files WHERE media_id = $1", [known.id])
            for file in files { try MediaRow.insert(file, of: known.id, into: session.connection) }
            return true
        }
    }

    /// Removes a picture with its bytes.
    public func deleteMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await writer.writeAlone { session in
            let sql = "DELETE FROM media WHERE id = $1 AND deleted_at IS NULL RETURNING *"
            guard let row = try session.connection.changing(sql, [id]).first else { return nil }
            let item = try MediaItem(row)
            try BucketFolderRow.note(item.location, of: id, at: now, in: session.connection)
            session.audit("media.delete", of: id, at: now, by: actor)
            return item
        }
    }

    /// Marks a picture as deleted.
    public func markMediaDeleted(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await writer.writeAlone { session in
            let sql = "UPDATE media SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL RETURNING *"
            guard let row = try session.connection.changing(sql, [now, id]).first else { return nil }
            let item = try MediaItem(row)
            session.audit("media.delete", of: id, at: now, by: actor)
            return item
        }
    }

    /// Restores a picture that is marked as deleted.
    public func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await writer.writeAlone { session in
            guard let item = try MediaRow.restore(id, in: session.connection) else { return nil }
            session.audit("media.restore", of: id, at: now, by: actor)
            return item
        }
    }

    /// Removes pictures that were marked as deleted, with their bytes; of several nodes, each gets others.
    public func dropDeletedMedia(before time: UnixTime, limit: Int) async throws -> [MediaItem] {
        let limit = PageLimit.clamp(limit)
        // Mostly there is none, and nothing is written.
        let isNeeded = try await read { connection in
            try connection.row("SELECT 1 AS one FROM media WHERE deleted_at <= $1 LIMIT 1", [time]) != nil
        }
        guard isNeeded else { return [] }
        return try await writer.writeAlone { session in
            let rows = try session.connection.changing(
                """
                DELETE FROM media WHERE id IN (
                    SELECT id FROM media WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
                ) RETURNING *
                """,
                [time, limit]
            )
            return try rows.map { row in
                let item = try MediaItem(row)
                let deletedAt = try row.double("deleted_at")
                try BucketFolderRow.note(item.location, of: item.id, at: deletedAt, in: session.connection)
                return item
            }
        }
    }

    /// Reads the bytes of a size, or `nil` where there is none.
    public func mediaFileSize(_ id: String, width: Int) async throws -> Int? {
        try await read { connection in
            let row = try connection.row(
                "SELECT octet_length(bytes)::BIGINT AS size FROM media_files WHERE media_id = $1 AND width = $2",
                [id, width]
            )
            return try row.flatMap { Int(exactly: try $0.integer("size")) }
        }
    }

    /// Reads a part of the bytes of a size, or `nil` where there is none.
    public func mediaFile(_ id: String, width: Int, in range: Range<Int>) async throws -> [UInt8]? {
        // Pictures are far smaller than 2 GiB, and the bytes of one are counted from 1.
        let range = range.clamped(to: 0..<0x7FFF_FFFE)
        return try await read { connection in
            let row = try connection.row(
                """
                SELECT substring(bytes FROM $3::INTEGER + 1 FOR $4::INTEGER) AS bytes
                FROM media_files WHERE media_id = $1 AND width = $2
                """,
                [id, width, range.lowerBound, range.count]
            )
            return try row?.bytes("bytes")
        }
    }
}

/// A picture as rows hold it.
enum MediaRow {
    /// Waits until no other node adds a picture, and keeps others from it until the transaction ends.
    static func awaitTurn(on connection: PostgresConnection) throws {
        try connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('placard-media', 0))")
    }

    /// Takes the mark of a deleted picture away, and returns the picture, or `nil` where none of that id has one.
    static func restore(_ id: String, in connection: PostgresConnection) throws -> MediaItem? {
        let sql = "UPDATE media SET deleted_at = NULL WHERE id = $1 AND deleted_at IS NOT NULL RETURNING *"
        return try connection.changing(sql, [id]).first.map(MediaItem.init)
    }

    /// Finds a picture, though it is marked as deleted.
    static func find(_ id: String, in connection: PostgresConnection) throws -> MediaItem? {
        try connection.row("SELECT * FROM media WHERE id = $1", [id]).map(MediaItem.init)
    }

    static func totals(_ connection: PostgresConnection) throws -> MediaTotals {
        let sql = """
            SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS count, coalesce(sum(bytes), 0)::BIGINT AS bytes,
                coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0)::BIGINT AS deleted_bytes
            FROM media
            """
        return try connection.row(sql).map(MediaTotals.init) ?? MediaTotals()
    }

    static func insert(_ item: MediaItem, into connection: PostgresConnection) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO media (id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by,
                bucket_folder, folded)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (id) DO NOTHING
            """,
            [
                item.id, item.name, item.alt, item.format.rawValue, item.width, item.height, item.frames,
                item.widthsText, item.bytes, item.createdAt, item.createdBy, item.bucketFolderText,
                MediaFilter.folded(name: item.name, alt: item.alt),
            ]
        ) > 0
    }

    /// Whether sizes of a picture that is kept here are gone.
    static func isIncomplete(_ item: MediaItem, in connection: PostgresConnection) throws -> Bool {
        guard item.location == .store else { return false }
        let row = try connection.row("SELECT count(*) AS count FROM media_files WHERE media_id = $1", [item.id])
        return try (row?.integer("count") ?? 0) < item.widths.count
    }

    /// Replaces the sizes of a picture.
    static func replace(_ item: MediaItem, files: [MediaFile], in connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM media_files WHERE media_id = $1", [item.id])
        for file in files { try insert(file, of: item.id, into: connection) }
        try connection.execute(
            "UPDATE media SET widths = $1, bytes = $2 WHERE id = $3",
            [item.widthsText, item.bytes, item.id]
        )
    }

    static func insert(_ file: MediaFile, of id: String, into connection: PostgresConnection) throws {
        try connection.execute(
            "INSERT INTO media_files (media_id, width, bytes) VALUES ($1, $2, $3)",
            [id, file.width, file.bytes]
        )
    }
}
