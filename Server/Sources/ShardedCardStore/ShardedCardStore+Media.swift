public import CardModel
public import CardStore

// Pictures are at the home.

extension ShardedCardStore {
    /// Reads pictures, the newest first.
    public func mediaItems(offset: Int, limit: Int) async throws -> [MediaItem] {
        try await home.mediaItems(offset: offset, limit: limit)
    }

    /// Reads the pictures that a filter leaves, the newest first.
    public func searchMedia(matching filter: MediaFilter, offset: Int, limit: Int) async throws -> [MediaItem] {
        try await home.searchMedia(matching: filter, offset: offset, limit: limit)
    }

    /// Reads a picture, or `nil` where there is none of that id.
    public func mediaItem(_ id: String) async throws -> MediaItem? {
        try await home.mediaItem(id)
    }

    /// Reads pictures by their ids.
    public func findMedia(_ ids: [String]) async throws -> [String: MediaItem] {
        try await home.findMedia(ids)
    }

    /// Reads how many pictures there are and how many bytes they have.
    public func mediaTotals() async throws -> MediaTotals {
        try await home.mediaTotals()
    }

    /// Adds a picture.
    public func addMedia(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition {
        try await home.addMedia(item, files: files, totalBytes: limit, by: actor)
    }

    /// Changes the alternative text of a picture; returns whether there is one of that id.
    public func setMediaAlt(_ alt: String, of id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.setMediaAlt(alt, of: id, at: now, by: actor)
    }

    /// Replaces where the bytes of a picture are, which were lost or are to be elsewhere.
    public func replaceMediaFiles(of known: MediaItem, with item: MediaItem, files: [MediaFile]) async throws -> Bool {
        try await home.replaceMediaFiles(of: known, with: item, files: files)
    }

    /// Removes a picture with the bytes that the store has of it, at once; one that is marked as deleted is left.
    public func deleteMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await home.deleteMedia(id, at: now, by: actor)
    }

    /// Marks a picture as deleted.
    public func markMediaDeleted(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await home.markMediaDeleted(id, at: now, by: actor)
    }

    /// Restores a picture that is marked as deleted.
    public func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try await home.restoreMedia(id, at: now, by: actor)
    }

    /// Removes pictures that were marked as deleted, those marked first before others, with the bytes that the store
    /// has of them.
    public func dropDeletedMedia(before time: UnixTime, limit: Int) async throws -> [MediaItem] {
        try await home.dropDeletedMedia(before: time, limit: limit)
    }

    /// Returns how many bytes a size has, without reading them, or `nil` where there is none.
    public func mediaFileSize(_ id: String, width: Int) async throws -> Int? {
        try await home.mediaFileSize(id, width: width)
    }

    /// Reads a part of the bytes of a size.
    public func mediaFile(_ id: String, width: Int, in range: Range<Int>) async throws -> [UInt8]? {
        try await home.mediaFile(id, width: width, in: range)
    }
}
