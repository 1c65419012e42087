public import CardModel

/// Keeps the media library: what is known of its pictures, and their bytes.
///
/// The bytes of a picture are there whenever its row is; what a crash leaves without a row is removed or replaced
/// later. Where a row says that the bytes are in a bucket, the store has none of them.
///
/// A picture that is marked as deleted is in no list and can't be read by its id; its row and bytes stay until
/// ``dropDeletedMedia(before:limit:)`` removes them, so that it can be restored for a moment.
public protocol MediaStore: Sendable {
    /// Reads pictures, the newest first.
    ///
    /// - Parameters:
    ///   - offset: How many of the newest are left out.
    ///   - limit: How many to read, 1 to 1000.
    /// - Returns: The pictures.
    /// - Throws: What keeps the store from reading.
    func mediaItems(offset: Int, limit: Int) async throws -> [MediaItem]

    /// Reads the pictures that a filter leaves, the newest first.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - offset: How many of the newest of them are left out.
    ///   - limit: How many to read, 1 to 1000.
    /// - Returns: The pictures.
    /// - Throws: What keeps the store from reading.
    func searchMedia(matching filter: MediaFilter, offset: Int, limit: Int) async throws -> [MediaItem]

    /// Reads a picture, or `nil` where there is none of that id.
    func mediaItem(_ id: String) async throws -> MediaItem?

    /// Reads pictures by their ids, without those that there aren't; of the first 1000 ids.
    func findMedia(_ ids: [String]) async throws -> [String: MediaItem]

    /// Reads how many pictures there are and how many bytes they have, with those that were marked as deleted and still
    /// have them.
    func mediaTotals() async throws -> MediaTotals

    /// Adds a picture; one that is marked as deleted is restored, and is there already.
    ///
    /// - Parameters:
    ///   - item: The picture.
    ///   - files: Its sizes; none where they are in a bucket.
    ///   - limit: The bytes that all pictures may have.
    ///   - actor: Who adds it.
    /// - Returns: Whether it was added, was there already, or has no room.
    /// - Throws: What keeps the store from writing; nothing was added then.
    func addMedia(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition

    /// Changes the alternative text of a picture; returns whether there is one of that id.
    func setMediaAlt(_ alt: String, of id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Replaces where the bytes of a picture are, which were lost or are to be elsewhere.
    ///
    /// - Parameters:
    ///   - known: The picture as it was read.
    ///   - item: The same picture, of which the place and the number of bytes are taken.
    ///   - files: Its sizes; none where they are in a bucket, and then the store removes its own.
    /// - Returns: Whether it was replaced; not where the picture was removed or has another place by now.
    /// - Throws: What keeps the store from writing; nothing was changed then.
    func replaceMediaFiles(of known: MediaItem, with item: MediaItem, files: [MediaFile]) async throws -> Bool

    /// Removes a picture with the bytes that the store has of it, at once; one that is marked as deleted is left.
    ///
    /// - Returns: The picture as it was, or `nil` where there was none of that id.
    func deleteMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem?

    /// Marks a picture as deleted.
    ///
    /// - Returns: The picture, or `nil` where there is none of that id.
    func markMediaDeleted(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem?

    /// Restores a picture that is marked as deleted.
    ///
    /// - Returns: The picture, or `nil` where none of that id is marked, such as one that was dropped.
    func restoreMedia(_ id: String, at now: UnixTime, by actor: Actor) async throws -> MediaItem?

    /// Removes pictures that were marked as deleted, those marked first before others, with the bytes that the store
    /// has of them.
    ///
    /// - Parameters:
    ///   - time: The time until which a mark counts.
    ///   - limit: How many to remove, 1 to 1000.
    /// - Returns: The pictures as they were. No other caller gets them, too.
    /// - Throws: What keeps the store from writing; nothing was removed then.
    func dropDeletedMedia(before time: UnixTime, limit: Int) async throws -> [MediaItem]

    /// Returns how many bytes a size has, without reading them, or `nil` where there is none.
    func mediaFileSize(_ id: String, width: Int) async throws -> Int?

    /// Reads a part of the bytes of a size.
    ///
    /// - Parameters:
    ///   - id: The picture.
    ///   - width: The size.
    ///   - range: Which bytes; there are fewer where the file ends before.
    /// - Returns: The bytes, or `nil` where there is no such size.
    /// - Throws: What keeps the store from reading.
    func mediaFile(_ id: String, width: Int, in range: Range<Int>) async throws -> [UInt8]?
}

extension MediaStore {
    /// Reads all bytes of a size, or returns `nil` where there is none.
    package func mediaFile(_ id: String, width: Int) async throws -> [UInt8]? {
        guard let size = try await mediaFileSize(id, width: width) else { return nil }
        // safe: not below 0
        return try await mediaFile(id, width: width, in: 0..<size)
    }
}

/// A search for pictures.
public struct MediaFilter: Sendable, Hashable {
    /// The text of which a picture's name and alternative text have every word, in any case and with accents or
    /// without; `nil` for any.
    public var text: String?
    /// The pictures that are used by something other than campaigns, where only unused pictures are looked for; `nil`
    /// for all pictures.
    public var unusedBut: Set<String>?

    /// Creates a filter.
    public init(text: String? = nil, unusedBut: Set<String>? = nil) {
        self.text = text
        self.unusedBut = unusedBut
    }

    /// The folded words of the text.
    package var words: [String] { SearchText.words(of: text ?? "") }

    /// The patterns that the folded text of a picture has to be like, each of them.
    package var patterns: [String] { words.map { "%\(SearchText.escaped($0))%" } }

    /// Returns the text in which a picture is looked for.
    package static func folded(name: String, alt: String) -> String { FoldedText.folded("\(name) \(alt)") }
}

/// The totals of a media library.
public struct MediaTotals: Sendable, Hashable {
    /// The number of pictures.
    public var count: Int
    /// The bytes of all their sizes.
    public var bytes: Int
    /// The bytes of those among them that were marked as deleted.
    public var deletedBytes: Int

    /// Creates totals.
    public init(count: Int = 0, bytes: Int = 0, deletedBytes: Int = 0) {
        self.count = count
        self.bytes = bytes
        self.deletedBytes = deletedBytes
    }

    /// The totals once what is marked as deleted is gone.
    package var withoutDeleted: MediaTotals {
        MediaTotals(count: count, bytes: bytes - deletedBytes)
    }

    /// Whether a picture of that many bytes fits below a limit.
    package func hasRoom(for more: Int, below limit: Int) -> Bool {
        let (sum, overflows) = bytes.addingReportingOverflow(more)
        return !overflows && sum <= limit
    }
}

/// The result of adding a picture.
public enum MediaAddition: Sendable, Hashable {
    case added
    /// The same picture is there already, as this.
    case exists(MediaItem)
    /// All pictures together would have more bytes than they may.
    case full
}
