public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// The bytes of the pictures.
    var mediaFolder: MediaFolder { MediaFolder(DatabaseFiles(path)) }

    /// Reads pictures, the newest first.
    public func mediaItems(offset: Int, limit: Int) async throws -> [MediaItem] {
        let limit = PageLimit.clamp(limit)
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM media WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?
                    """,
                arguments: [limit, max(0, offset)]
            ).map(MediaItem.init)
        }
    }

    /// Reads the pictures that a filter leaves, the newest first.
    public func searchMedia(matching filter: MediaFilter, offset: Int, limit: Int) async throws -> [MediaItem] {
        let query = MediaQuery(filter, offset: max(0, offset), limit: PageLimit.clamp(limit))
        return try await read { try Row.fetchAll($0, sql: query.sql, arguments: query.arguments).map(MediaItem.init) }
    }

    /// Reads a picture, or `nil` where there is none of that id.
    public func mediaItem(_ id: String) async throws -> MediaItem? {
        try await read { try MediaRow.findPresent(id, in: $0) }
    }

    /// Reads pictures by their ids.
    public func findMedia(_ ids: [String]) async throws -> [String: MediaItem] {
        try await read { database in
            var found: [String: MediaItem] = [:]
            for id in ids.prefix(PageLimit.highest) { found[id] = try MediaRow.findPresent(id, in: database) }
            return found
        }
    }

    /// Reads how many pictures there are and how many bytes they have.
    public func mediaTotals() async throws -> MediaTotals {
        try await read(MediaRow.totals)
    }

    /// Adds a picture; its bytes are on the disk before its row.
    public func addMedia(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition {
        _ = try await restoreMedia(item.id, at: item.createdAt, by: actor)
        let (known, ids) = try await read { (try MediaRow.find(item.id, in: $0), try MediaRow.ids($0)) }
        let totals = try await mediaTotals()
        if known == nil, !totals.hasRoom(for: item.bytes, below: limit) { return .full }
        let folder = mediaFolder
        // The same picture may have other small sizes, made by another version of the library.
        if let known, known.location != .store || folder.isComplete(known) { return .exists(known) }
        do {
            // What was lost of a picture is restored.
            try await BackupWriter.onOwnThread { () throws(StoreError) in
                folder.removeStrays(but: ids)
                try folder.write(files, of: item.id)
            }
            return try await writer.write { session in
                // It may have been marked as deleted since.
                try session.restoreMedia(item.id, at: item.createdAt, by: actor)
                if let known = try MediaRow.find(item.id, in: session.database) {
                    // Of a picture in a bucket nothing is kept here.
                    if known.location != .store { folder.remove(item) }
                    let isWritten = files.allSatisfy { folder.contains($0, of: item.id) }
                    guard known.location == .store, isWritten, !files.isEmpty else { return .exists(known) }
                    try MediaRow.setSizes(of: item, in: session.database)
                    return .exists(try MediaRow.find(item.id, in: session.database) ?? known)
                }
                guard try MediaRow.totals(session.database).hasRoom(for: item.bytes, below: limit) else {
                    folder.remove(item)
                    return .full
                }
                // Another caller may have removed the same picture since its bytes were written.
                guard files.allSatisfy({ folder.contains($0, of: item.id) }) else { throw MediaFolder.lost }
                try BucketFolderRow.requireKept(item.location, in: session.database)
                try MediaRow.insert(item, into: session.database)
                try BucketFolderRow.forget(item.location, in: session.database)
                try session.audit("media.upload", of: item.id, at: item.createdAt, by: actor)
                return .added
            }
        } catch {
            try? await writer.write { session in
                if try MediaRow.find(item.id, in: session.database) == nil { folder.remove(item) }
            }
            throw error
        }
    }

    /// Changes the alternative text of a picture.
    public func setMediaAlt(_ alt: String, of id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { session in
            guard let item = try MediaRow.findPresent(id, in: session.database) else { return false }
            try session.database.execute(
                sql: "UPDATE media SET alt = ?, folded = ? WHERE id = ?",
                arguments: [alt, MediaFilter.folded(name: item.name, alt: alt), id]
            )
            try session.audit("media.edit", of: id, at: now, by: actor)
            return true
        }
    }

    /// Replaces where the bytes of a picture are; those of the folder are there before its row says so.
    public func replaceMediaFiles(
        of known: MediaItem,
        with item: MediaItem,
        files: [MediaFile]
    ) async throws -> Bool {
        let folder = mediaFolder
        try await BackupWriter.onOwnThread { () throws(StoreError) in try folder.write(files, of: known.id) }
        return try await writer.write { session in
            let present = try MediaRow.find(known.id, in: session.database)
            guard present?.location == known.location else {
                if present?.location != .store { folder.remove(known) }
                return false
            }
            guard files.allSatisfy({ folder.contains($0, of: known.id) }) else { throw MediaFolder.lost }
            try BucketFolderRow.requireKept(item.location, in: session.database)
            try session.database.execute(
                sql: "UPDATE media SET bucket_folder = ?, bytes = ? WHERE id = ?",
                arguments: [item.bucketFolderText, item.bytes, known.id]
            )
            try BucketFolderRow.forget(item.location, in: session.database)
            if item.location != known.location {
                try BucketFolderRow.note(known.location, of: known.id, at: item.createdAt, in: session.database)
            }
            if item.location != .store { folder.remove(known) }
            return true
        }
    }

    /// Removes a picture and its bytes.
    public func deleteMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        let folder = mediaFolder
        return try await writer.write { session in
            guard let item = try MediaRow.findPresent(id, in: session.database) else { return nil }
            try session.database.execute(sql: "DELETE FROM media WHERE id = ?", arguments: [id])
            try BucketFolderRow.note(item.location, of: id, at: now, in: session.database)
            try session.audit("media.delete", of: id, at: now, by: actor)
            // Here, and not later, so that it never removes what is added after this.
            folder.remove(item)
            return item
        }
    }

    /// Marks a picture as deleted.
    public func markMediaDeleted(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await writer.write { session in
            guard let item = try MediaRow.findPresent(id, in: session.database) else { return nil }
            try session.database.execute(sql: "UPDATE media SET deleted_at = ? WHERE id = ?", arguments: [now, id])
            try session.audit("media.delete", of: id, at: now, by: actor)
            return item
        }
    }

    /// Restores a picture that is marked as deleted.
    public func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await writer.write { session in
            guard try session.restoreMedia(id, at: now, by: actor) else { return nil }
            return try MediaRow.findPresent(id, in: session.database)
        }
    }

    /// Removes pictures that were marked as deleted, and their bytes.
    public func dropDeletedMedia(before time: UnixTime, limit: Int) async throws -> [MediaItem] {
        let limit = PageLimit.clamp(limit)
        // Mostly there is none, and nothing is written.
        guard try await !read({ try MediaRow.deleted(before: time, limit: 1, in: $0) }).isEmpty else { return [] }
        let folder = mediaFolder
        return try await writer.write { session in
            let items = try MediaRow.deleted(before: time, limit: limit, in: session.database)
            for item in items {
                try session.database.execute(sql: "DELETE FROM media WHERE id = ?", arguments: [item.id])
                // It was deleted before that.
                try BucketFolderRow.note(item.location, of: item.id, at: time, in: session.database)
                folder.remove(item)
            }
            return items
        }
    }

    /// Reads the bytes of a size, or `nil` where there is none.
    public func mediaFileSize(_ id: String, width: Int) async throws -> Int? { mediaFolder.size(id, width: width) }

    /// Reads a part of the bytes of a size, or `nil` where there is none.
    public func mediaFile(_ id: String, width: Int, in range: Range<Int>) async throws -> [UInt8]? {
        mediaFolder.read(id, width: width, in: range)
    }
}

/// A picture as a row keeps it.
enum MediaRow {
    /// Finds a picture that isn't marked as deleted.
    static func findPresent(_ id: String, in database: Database) throws -> MediaItem? {
        try Row.fetchOne(database, sql: "SELECT * FROM media WHERE id = ? AND deleted_at IS NULL", arguments: [id])
            .map(MediaItem.init)
    }

    /// Returns pictures that are marked as deleted, the first of them first.
    static func deleted(before time: UnixTime, limit: Int, in database: Database) throws -> [MediaItem] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM media WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?",
            arguments: [time, limit]
        ).map(MediaItem.init)
    }

    /// Finds a picture, though it is marked as deleted.
    static func find(_ id: String, in database: Database) throws -> MediaItem? {
        try Row.fetchOne(database, sql: "SELECT * FROM media WHERE id = ?", arguments: [id]).map(MediaItem.init)
    }

    static func ids(_ database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT id FROM media")
    }

    static func totals(_ database: Database) throws -> MediaTotals {
        let sql = """
            SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS count, coalesce(sum(bytes), 0) AS bytes,
                coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0) AS deleted_bytes
            FROM media
            """
        return try Row.fetchOne(database, sql: sql).map(MediaTotals.init) ?? MediaTotals()
    }

    /// Notes which sizes there are, and their bytes.
    static func setSizes(of item: MediaItem, in database: Database) throws {
        try database.execute(
            sql: "UPDATE media SET widths = ?, bytes = ? WHERE id = ?",
            arguments: [item.widthsText, item.bytes, item.id]
        )
    }

    static func insert(_ item: MediaItem, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO media
                    (id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by, bucket_folder,
                    folded)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                item.id, item.name, item.alt, item.format.rawValue, item.width, item.height, item.frames,
                item.widthsText, item.bytes, item.createdAt, item.createdBy, item.bucketFolderText,
                MediaFilter.folded(name: item.name, alt: item.alt),
            ]
        )
    }
}

extension WriteSession {
    /// Takes the mark of a deleted picture away; returns whether there is one of that id that had it.
    @discardableResult
    fileprivate func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        try database.execute(
            sql: "UPDATE media SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL",
            arguments: [id]
        )
        guard database.changesCount > 0 else { return false }
        try audit("media.restore", of: id, at: now, by: actor)
        return true
    }
}
