public import CardModel
public import CardStore

/// A picture with its bytes.
struct ReferenceMedia: Sendable {
    var item: MediaItem
    var files: [MediaFile]
    /// The time at which it was marked as deleted.
    var deletedAt: UnixTime?
}

extension ReferenceCardStore {
    /// Reads pictures, the newest first.
    public func mediaItems(offset: Int, limit: Int) async throws -> [MediaItem] {
        try await searchMedia(matching: MediaFilter(), offset: offset, limit: limit)
    }

    /// Reads the pictures that a filter leaves, the newest first.
    public func searchMedia(matching filter: MediaFilter, offset: Int, limit: Int) async throws -> [MediaItem] {
        let limit = PageLimit.clamp(limit)
        return try read { state in
            let present = state.media.values.filter { $0.deletedAt == nil && state.matches($0.item, filter) }
            let items = present.map(\.item).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
            return Array(items.dropFirst(max(0, offset)).prefix(limit))
        }
    }

    /// Reads a picture, or `nil` where there is none of that id.
    public func mediaItem(_ id: String) async throws -> MediaItem? {
        try read { $0.presentMedia(id)?.item }
    }

    /// Reads pictures by their ids.
    public func findMedia(_ ids: [String]) async throws -> [String: MediaItem] {
        let wanted = Set(ids.prefix(PageLimit.highest))
        return try read { state in
            var found: [String: MediaItem] = [:]
            for id in wanted { found[id] = state.presentMedia(id)?.item }
            return found
        }
    }

    /// Reads how many pictures there are and how many bytes they have.
    public func mediaTotals() async throws -> MediaTotals {
        try read(\.mediaTotals)
    }

    /// Adds a picture with its bytes.
    public func addMedia(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition {
        try write { state in
            if let known = state.media[item.id] {
                _ = state.restoreMedia(item.id, at: item.createdAt, by: actor)
                return .exists(known.item)
            }
            guard state.mediaTotals.hasRoom(for: item.bytes, below: limit) else { return .full }
            try state.requireKept(item.location)
            state.forgetBucketFolder(item.location)
            state.media[item.id] = ReferenceMedia(item: item, files: files)
            state.appendAudit("media.upload", of: item.id, at: item.createdAt, by: actor)
            return .added
        }
    }

    /// Changes the alternative text of a picture.
    public func setMediaAlt(_ alt: String, of id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard state.presentMedia(id) != nil else { return false }
            state.media[id]?.item.alt = alt
            state.appendAudit("media.edit", of: id, at: now, by: actor)
            return true
        }
    }

    /// Removes a picture with its bytes.
    public func deleteMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try write { state in
            guard let removed = state.presentMedia(id) else { return nil }
            state.media[id] = nil
            state.noteBucketFolder(removed.item.location, of: id, at: now)
            state.appendAudit("media.delete", of: id, at: now, by: actor)
            return removed.item
        }
    }

    /// Marks a picture as deleted.
    public func markMediaDeleted(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try write { state in
            guard let marked = state.presentMedia(id) else { return nil }
            state.media[id]?.deletedAt = now
            state.appendAudit("media.delete", of: id, at: now, by: actor)
            return marked.item
        }
    }

    /// Restores a picture that is marked as deleted.
    public func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem? {
        try write { $0.restoreMedia(id, at: now, by: actor) }
    }

    /// Removes pictures that were marked as deleted.
    public func dropDeletedMedia(before time: UnixTime, limit: Int) async throws -> [MediaItem] {
        let limit = PageLimit.clamp(limit)
        return try write { state in
            let over = state.media.values.filter { ($0.deletedAt ?? .infinity) <= time }
            let first = over.sorted { ($0.deletedAt ?? 0) < ($1.deletedAt ?? 0) }.prefix(limit)
            for media in first {
                state.media[media.item.id] = nil
                state.noteBucketFolder(media.item.location, of: media.item.id, at: media.deletedAt ?? time)
            }
            return first.map(\.item)
        }
    }

    /// Replaces where the bytes of a picture are.
    public func replaceMediaFiles(
        of known: MediaItem,
        with item: MediaItem,
        files: [MediaFile]
    ) async throws -> Bool {
        try write { state in
            guard let media = state.media[known.id], media.item.location == known.location else { return false }
            try state.requireKept(item.location)
            state.forgetBucketFolder(item.location)
            if item.location != known.location {
                state.noteBucketFolder(known.location, of: known.id, at: item.createdAt)
            }
            var replaced = media.item
            replaced.location = item.location
            replaced.bytes = item.bytes
            state.media[known.id] = ReferenceMedia(item: replaced, files: files, deletedAt: media.deletedAt)
            return true
        }
    }

    /// Returns how many bytes a size has, or `nil` where there is none.
    public func mediaFileSize(_ id: String, width: Int) async throws -> Int? {
        try read { $0.mediaFile(id, width)?.count }
    }

    /// Reads a part of the bytes of a size, or `nil` where there is none.
    public func mediaFile(_ id: String, width: Int, in range: Range<Int>) async throws -> [UInt8]? {
        try read { $0.mediaFile(id, width).map { Array($0[range.clamped(to: 0..<$0.count)]) } }
    }
}

extension ReferenceState {
    fileprivate func matches(_ item: MediaItem, _ filter: MediaFilter) -> Bool {
        let text = MediaFilter.folded(name: item.name, alt: item.alt)
        guard filter.words.allSatisfy({ FoldedText.contains(text, anyOf: [$0]) }) else { return false }
        guard let used = filter.unusedBut else { return true }
        return !used.contains(item.id) && !isUsed(ContentName(.picture, item.id))
    }

    /// Returns a picture that isn't marked as deleted.
    fileprivate func presentMedia(_ id: String) -> ReferenceMedia? {
        media[id].flatMap { $0.deletedAt == nil ? $0 : nil }
    }

    fileprivate mutating func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) -> MediaItem? {
        guard let marked = media[id], marked.deletedAt != nil else { return nil }
        media[id]?.deletedAt = nil
        appendAudit("media.restore", of: id, at: now, by: actor)
        return marked.item
    }

    fileprivate func mediaFile(_ id: String, _ width: Int) -> [UInt8]? {
        media[id]?.files.first { $0.width == width }?.bytes
    }

    fileprivate var mediaTotals: MediaTotals {
        let deleted = media.values.filter { $0.deletedAt != nil }
        return MediaTotals(
            // safe: a test's pictures
            count: media.count - deleted.count,
            // safe: as above
            bytes: media.values.reduce(0) { $0 + $1.item.bytes },
            // safe: as above
            deletedBytes: deleted.reduce(0) { $0 + $1.item.bytes }
        )
    }
}
