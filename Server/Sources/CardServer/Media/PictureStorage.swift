import CardModel
import CardStore
import Logging

/// Keeps the bytes of pictures together with their rows.
///
/// Each picture's row says where its bytes are, so that pictures of before stay readable when another place is set.
protocol PictureStorage: Sendable {
    /// Adds a picture with its sizes.
    ///
    /// - Parameters:
    ///   - item: The picture, whose place is decided here.
    ///   - files: Its sizes.
    ///   - limit: The bytes that all pictures may have.
    ///   - actor: Who adds it.
    /// - Returns: What came of it. Of a picture that is there, bytes that were lost are restored.
    /// - Throws: `RequestError.unavailable` where the place can't be reached, or what keeps the store from writing.
    func add(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws
        -> MediaAddition

    /// Removes a picture and its bytes; returns whether there was one of that id.
    func delete(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Removes pictures that were marked as deleted until a time, with their bytes; returns how many.
    func dropDeleted(before time: UnixTime, limit: Int) async throws -> Int

    /// Removes what no picture has of uploads and deletions that didn't end; returns how many of them it looked at.
    func removeUnused(at now: UnixTime, limit: Int) async throws -> Int

    /// Returns how many bytes a size has, or `nil` where there is none.
    func size(of file: PictureFiles.File) async throws -> Int?

    /// Reads a part of a size, or `nil` where there is none.
    func read(_ file: PictureFiles.File, in range: Range<Int>) async throws -> [UInt8]?
}

/// Keeps the bytes where the store does: beside the database's file, or in the database.
struct StorePictures: PictureStorage {
    let store: any CardStore
    let logger: Logger

    func add(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition {
        let addition = try await store.addMedia(item, files: files, totalBytes: limit, by: actor)
        guard case .exists(let known) = addition, case .bucket(let folder) = known.location else { return addition }
        // It was uploaded when a bucket was set, and is from now on where pictures are.
        var replaced = known
        replaced.location = .store
        replaced.bytes = item.bytes
        guard try await store.replaceMediaFiles(of: known, with: replaced, files: files) else {
            throw RequestError.unavailable
        }
        noteLeft(folder, of: known.id)
        return .exists(replaced)
    }

    func delete(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        guard let item = try await store.deleteMedia(id, at: now, by: actor) else { return false }
        if case .bucket(let folder) = item.location { noteLeft(folder, of: id) }
        return true
    }

    func dropDeleted(before time: UnixTime, limit: Int) async throws -> Int {
        let items = try await store.dropDeletedMedia(before: time, limit: limit)
        for item in items {
            if case .bucket(let folder) = item.location { noteLeft(folder, of: item.id) }
        }
        return items.count
    }

    /// Notes wait until a bucket is set.
    func removeUnused(at now: UnixTime, limit: Int) async throws -> Int { 0 }

    func size(of file: PictureFiles.File) async throws -> Int? {
        guard file.location == .store else { throw noBucket(file) }
        return try await store.mediaFileSize(file.id, width: file.width)
    }

    func read(_ file: PictureFiles.File, in range: Range<Int>) async throws -> [UInt8]? {
        guard file.location == .store else { throw noBucket(file) }
        return try await store.mediaFile(file.id, width: file.width, in: range)
    }

    private func noBucket(_ file: PictureFiles.File) -> RequestError {
        logger.error("A picture is in a bucket, and none is set", metadata: ["picture": "\(file.id)"])
        return RequestError.unavailable
    }

    private func noteLeft(_ folder: BucketFolder, of id: String) {
        logger.warning(
            "Objects of a picture stay in a bucket, since none is set",
            metadata: ["folder": "\(BucketPictures.folder(folder, of: id))"]
        )
    }
}
