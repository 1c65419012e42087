public import CardModel
public import CardStore

/// A note of a folder in a bucket.
struct ReferenceBucketFolder: Sendable {
    var mediaID: String
    var notedAt: UnixTime
    var isClaimed = false
}

extension ReferenceCardStore {
    /// Notes a folder to which objects are about to be written.
    public func noteBucketFolder(_ folder: BucketFolder, of id: String, at now: UnixTime) async throws {
        try write { $0.noteBucketFolder(.bucket(folder), of: id, at: now) }
    }

    /// Claims folders that have been noted for long.
    public func claimBucketFolders(
        before time: UnixTime,
        at now: UnixTime,
        limit: Int
    ) async throws -> [UnusedBucketFolder] {
        let limit = PageLimit.clamp(limit)
        return try write { state in
            let used = Set(state.media.values.map(\.item.location))
            let due = state.bucketFolders.filter { $0.value.notedAt <= time && !used.contains(.bucket($0.key)) }
            let first = due.sorted { $0.value.notedAt < $1.value.notedAt }.prefix(limit)
            for (folder, note) in first {
                state.bucketFolders[folder] = ReferenceBucketFolder(
                    mediaID: note.mediaID,
                    notedAt: now,
                    isClaimed: true
                )
            }
            return first.map { UnusedBucketFolder(mediaID: $0.value.mediaID, folder: $0.key) }
        }
    }

    /// Forgets a folder whose objects are gone.
    public func forgetBucketFolder(_ folder: BucketFolder) async throws {
        try write { $0.forgetBucketFolder(.bucket(folder)) }
    }
}

extension ReferenceState {
    mutating func noteBucketFolder(_ place: MediaPlace, of id: String, at now: UnixTime) {
        guard case .bucket(let folder) = place, bucketFolders[folder] == nil else { return }
        bucketFolders[folder] = ReferenceBucketFolder(mediaID: id, notedAt: now)
    }

    /// Checks that the objects of a place aren't being removed.
    func requireKept(_ place: MediaPlace) throws(StoreError) {
        guard case .bucket(let folder) = place, bucketFolders[folder]?.isClaimed == true else { return }
        throw .uploadGivenUp
    }

    mutating func forgetBucketFolder(_ place: MediaPlace) {
        guard case .bucket(let folder) = place else { return }
        bucketFolders[folder] = nil
    }
}
