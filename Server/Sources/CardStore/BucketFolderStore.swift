public import CardModel

/// Keeps which objects in the operator's bucket no picture needs, so that they are removed also where a server is
/// killed in the middle of an upload or a deletion.
///
/// A folder is noted before anything is written to it. The note is taken away in the transaction that gives the folder
/// to a picture, and made again in the one that takes the folder from it.
public protocol BucketFolderStore: Sendable {
    /// Notes a folder to which objects are about to be written.
    func noteBucketFolder(_ folder: BucketFolder, of id: String, at now: UnixTime) async throws

    /// Claims folders that have been noted for long, to remove their objects: no picture can get them any more.
    ///
    /// They are noted again, so that they are claimed again later unless they are forgotten.
    ///
    /// - Parameters:
    ///   - time: The time until which they were noted.
    ///   - now: The time at which they are noted again.
    ///   - limit: How many to claim, 1 to 1000.
    /// - Returns: The folders. No other caller gets them at the same time.
    /// - Throws: What keeps the store from writing; nothing was claimed then.
    func claimBucketFolders(before time: UnixTime, at now: UnixTime, limit: Int) async throws -> [UnusedBucketFolder]

    /// Forgets a folder whose objects are gone.
    func forgetBucketFolder(_ folder: BucketFolder) async throws
}

/// A folder in a bucket that no picture has.
public struct UnusedBucketFolder: Sendable, Hashable {
    /// The id of the picture of which it has objects.
    public let mediaID: String
    /// The folder.
    public let folder: BucketFolder

    /// Creates a folder.
    public init(mediaID: String, folder: BucketFolder) {
        self.mediaID = mediaID
        self.folder = folder
    }

    /// Restores a folder from its row.
    package init(_ row: some StoredRow) throws {
        guard let folder = BucketFolder(try row.text("folder")) else {
            throw StoreError.unreadable("a folder of a bucket")
        }
        self.init(mediaID: try row.text("media_id"), folder: folder)
    }
}

extension StoreError {
    /// Says that an upload took so long that its objects were given up.
    package static let uploadGivenUp = StoreError(
        .unavailable,
        "The upload took too long, and its objects in the bucket were removed. Upload the picture again."
    )
}
