import CardModel
import CardStore
import Logging

/// Keeps the bytes of pictures in a bucket, and reads those of before from the store.
///
/// Every upload writes objects of its own, before the picture's row names them. So what has to be removed is known
/// exactly: an upload that failed removes its own objects, and a deletion removes those of the row that it removed.
/// Objects that are left of either by a server that was killed, or by a bucket that didn't answer, are noted in the
/// store.
struct BucketPictures: PictureStorage {
    let bucket: BucketClient
    let store: any CardStore
    let logger: Logger
    /// The time after which nothing of an upload is under way any more, in seconds: its requests end within minutes.
    static let uploadTime = 3_600.0
    /// Names an upload.
    var makeName: @Sendable () -> String = { RandomText.letters(16) }

    /// Returns the prefix of the keys of an upload's objects, behind the prefix of the settings.
    static func folder(_ folder: BucketFolder, of id: String) -> String { "\(id)/\(folder.name)/" }

    /// The key of an object, behind the prefix of the settings.
    static func key(_ folder: BucketFolder, _ width: Int, of id: String) -> String {
        "\(Self.folder(folder, of: id))\(width)"
    }

    private var ofStore: StorePictures { StorePictures(store: store, logger: logger) }

    // MARK: Adding

    func add(
        _ item: MediaItem,
        files: [MediaFile],
        totalBytes limit: Int,
        by actor: Actor
    ) async throws -> MediaAddition {
        _ = try await store.restoreMedia(item.id, at: item.createdAt, by: actor)
        if let known = try await store.mediaItem(item.id) { return try await restore(known, with: item, files) }
        // Before the bucket has something of it.
        guard try await store.mediaTotals().hasRoom(for: item.bytes, below: limit) else { return .full }
        let folder = try await upload(files, of: item)
        var added = item
        added.location = .bucket(folder)
        // Where this throws, the row may be there, or be written yet: what no picture has is removed later.
        let addition = try await store.addMedia(added, files: [], totalBytes: limit, by: actor)
        if addition != .added { await removeUnlessNamed(folder, of: added) }
        return addition
    }

    /// Uploads a picture again that is there, unless the bucket has all of it: what was lost is restored, and one that
    /// the store has moves to the bucket.
    private func restore(_ known: MediaItem, with item: MediaItem, _ files: [MediaFile]) async throws -> MediaAddition {
        if case .bucket(let folder) = known.location, try await isWhole(folder, of: known) { return .exists(known) }
        let folder = try await upload(files, of: item)
        var replaced = known
        replaced.location = .bucket(folder)
        replaced.bytes = item.bytes
        guard try await store.replaceMediaFiles(of: known, with: replaced, files: []) else {
            await removeUnlessNamed(folder, of: replaced)
            throw RequestError.unavailable
        }
        if case .bucket(let former) = known.location { await remove(former, of: known.id) }
        return .exists(replaced)
    }

    private func isWhole(_ folder: BucketFolder, of item: MediaItem) async throws -> Bool {
        for (width, size) in folder.sizes {
            let key = Self.key(folder, width, of: item.id)
            do throws(BucketError) {
                guard try await bucket.head(key) == size else { return false }
            } catch .refused {
                // A service says so of what is lost, where the key can't list the bucket.
                return false
            } catch {
                throw unavailable("A bucket couldn't be asked for a picture", key, error)
            }
        }
        return true
    }

    /// Writes the sizes of a picture at the same time; where one can't be written, none stays.
    private func upload(_ files: [MediaFile], of item: MediaItem) async throws -> BucketFolder {
        let sizes = Dictionary(files.map { ($0.width, $0.bytes.count) }) { first, _ in first }
        guard let folder = BucketFolder(name: makeName(), sizes: sizes) else { throw RequestError.unavailable }
        try await store.noteBucketFolder(folder, of: item.id, at: item.createdAt)
        let failures = await withTaskGroup(of: (String, BucketError)?.self) { group in
            for file in files {
                group.addTask { await put(file, in: folder, of: item) }
            }
            return await group.reduce(into: [(String, BucketError)]()) { failures, failure in
                if let failure { failures.append(failure) }
            }
        }
        guard let (key, error) = failures.first else { return folder }
        // Looked at again later: what wasn't answered in time may yet be written.
        _ = await removeObjects(of: folder, for: item.id)
        throw unavailable("A picture couldn't be written to the bucket", key, error)
    }

    private func put(_ file: MediaFile, in folder: BucketFolder, of item: MediaItem) async -> (String, BucketError)? {
        let key = Self.key(folder, file.width, of: item.id)
        do throws(BucketError) {
            try await bucket.put(file.bytes, at: key, type: item.format.mediaType)
            return nil
        } catch {
            return (key, error)
        }
    }

    /// Removes the objects of an upload whose row wasn't written, as far as the store says: where it tried again after
    /// an answer was lost, the row may be there, and needs them.
    private func removeUnlessNamed(_ folder: BucketFolder, of item: MediaItem) async {
        // Where the store can't say it, what no picture has is removed later.
        let isNamed = (try? await store.mediaItem(item.id)?.location == item.location) ?? true
        if !isNamed { await remove(folder, of: item.id) }
    }

    // MARK: Removing

    func delete(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        guard let item = try await store.deleteMedia(id, at: now, by: actor) else { return false }
        if case .bucket(let folder) = item.location { await remove(folder, of: id) }
        return true
    }

    func dropDeleted(before time: UnixTime, limit: Int) async throws -> Int {
        let items = try await store.dropDeletedMedia(before: time, limit: limit)
        for item in items {
            if case .bucket(let folder) = item.location { await remove(folder, of: item.id) }
        }
        return items.count
    }

    func removeUnused(at now: UnixTime, limit: Int) async throws -> Int {
        let unused = try await store.claimBucketFolders(before: now - Self.uploadTime, at: now, limit: limit)
        for item in unused { await remove(item.folder, of: item.mediaID) }
        return unused.count
    }

    /// Removes the objects of an upload; the log names each that stays, which is tried again later.
    private func remove(_ folder: BucketFolder, of id: String) async {
        guard await removeObjects(of: folder, for: id) else { return }
        // Where that fails, they are removed once more.
        try? await store.forgetBucketFolder(folder)
    }

    /// Removes the objects of an upload, and returns whether all are gone.
    ///
    /// Continues when the request that asked for it is canceled.
    private func removeObjects(of folder: BucketFolder, for id: String) async -> Bool {
        await Task {
            await withTaskGroup(of: Bool.self) { group in
                for width in folder.sizes.keys {
                    group.addTask { await remove(Self.key(folder, width, of: id)) }
                }
                return await group.reduce(true) { $0 && $1 }
            }
        }.value
    }

    private func remove(_ key: String) async -> Bool {
        do throws(BucketError) {
            try await bucket.delete(key)
            return true
        } catch {
            logger.error(
                "An object stays in the bucket, which nothing needs any more",
                metadata: ["key": "\(bucket.settings.prefix)\(key)", "error": "\(error)"]
            )
            return false
        }
    }

    // MARK: Reading

    func size(of file: PictureFiles.File) async throws -> Int? {
        guard case .bucket(let folder) = file.location else { return try await ofStore.size(of: file) }
        return folder.sizes[file.width]
    }

    func read(_ file: PictureFiles.File, in range: Range<Int>) async throws -> [UInt8]? {
        guard case .bucket(let folder) = file.location else { return try await ofStore.read(file, in: range) }
        guard let size = folder.sizes[file.width] else { return nil }
        let key = Self.key(folder, file.width, of: file.id)
        do throws(BucketError) {
            // safe: no size is below 1
            return try await bucket.get(key, in: range.clamped(to: 0..<size), of: size)
        } catch .missing {
            logger.error(
                "An object of a picture is missing in the bucket; upload the picture again",
                metadata: ["key": "\(bucket.settings.prefix)\(key)"]
            )
            return nil
        } catch .paused {
            throw RequestError.unavailable
        } catch {
            throw unavailable("A picture couldn't be read from the bucket", key, error)
        }
    }

    private func unavailable(_ message: Logger.Message, _ key: String, _ error: BucketError) -> RequestError {
        logger.error(message, metadata: ["key": "\(bucket.settings.prefix)\(key)", "error": "\(error)"])
        return RequestError.unavailable
    }
}
