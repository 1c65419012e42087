public import CardModel
public import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Notes a folder to which objects are about to be written.
    public func noteBucketFolder(_ folder: BucketFolder, of id: String, at now: UnixTime) async throws {
        try await home.noteBucketFolder(folder, of: id, at: now)
    }

    /// Claims folders that have been noted for long.
    public func claimBucketFolders(
        before time: UnixTime,
        at now: UnixTime,
        limit: Int
    ) async throws -> [UnusedBucketFolder] {
        try await home.claimBucketFolders(before: time, at: now, limit: limit)
    }

    /// Forgets a folder whose objects are gone.
    public func forgetBucketFolder(_ folder: BucketFolder) async throws { try await home.forgetBucketFolder(folder) }
}
