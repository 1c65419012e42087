import CardModel
import CardStore
import Testing

/// Checks of what is noted of the objects that no picture has.
enum BucketFolderChecks {
    static let checks: [ConformanceCheck] = [uploads, claims, removals]

    private static func makeFolder(_ name: String) throws -> BucketFolder {
        try #require(BucketFolder(name: name, sizes: [960: 4, 480: 2]))
    }

    private static func item(_ digit: Character, in folder: BucketFolder? = nil) -> MediaItem {
        MediaItem(
            id: String(repeating: digit, count: 32),
            name: "sale.png",
            format: .png,
            width: 960,
            height: 540,
            widths: [960, 480],
            bytes: 6,
            createdAt: noon,
            location: folder.map(MediaPlace.bucket) ?? .store
        )
    }

    /// Returns the folders that can be claimed at any time.
    private static func unused(in store: any CardStore) async throws -> Set<UnusedBucketFolder> {
        let found = try await store.claimBucketFolders(before: noon + 1_000, at: noon + 1_000, limit: 10)
        return Set(found)
    }

    static let uploads = ConformanceCheck(
        "A folder that is noted is unused until a picture has it"
    ) { stores in
        try await stores.withStore { store in
            let (first, second) = (try makeFolder("One"), try makeFolder("Two"))
            try await store.noteBucketFolder(first, of: item("1").id, at: noon)
            try await store.noteBucketFolder(second, of: item("2").id, at: noon + 1)
            #expect(
                try await store.addMedia(item("1", in: first), files: [], totalBytes: 99, by: command) == .added
            )
            let left = UnusedBucketFolder(mediaID: item("2").id, folder: second)
            #expect(try await store.claimBucketFolders(before: noon, at: noon + 5, limit: 10).isEmpty)
            #expect(try await store.claimBucketFolders(before: noon + 1, at: noon + 5, limit: 10) == [left])
            try await store.forgetBucketFolder(second)
            #expect(try await unused(in: store).isEmpty)
        }
    }

    static let claims = ConformanceCheck(
        "A folder that was claimed is given to no picture, and can be claimed again later"
    ) { stores in
        try await stores.withStore { store in
            let folder = try makeFolder("One")
            try await store.noteBucketFolder(folder, of: item("1").id, at: noon)
            #expect(try await store.claimBucketFolders(before: noon, at: noon + 5, limit: 1).count == 1)
            #expect(try await store.claimBucketFolders(before: noon, at: noon + 5, limit: 1).isEmpty)
            await expectFailure(.unavailable) {
                try await store.addMedia(item("1", in: folder), files: [], totalBytes: 99, by: command)
            }
            #expect(try await store.mediaItem(item("1").id) == nil)
            let files = [MediaFile(width: 960, bytes: [0, 1, 2, 255]), MediaFile(width: 480, bytes: [3, 0])]
            #expect(try await store.addMedia(item("1"), files: files, totalBytes: 99, by: command) == .added)
            await expectFailure(.unavailable) {
                try await store.replaceMediaFiles(of: item("1"), with: item("1", in: folder), files: [])
            }
            #expect(try await store.mediaItem(item("1").id) == item("1"))
            #expect(try await store.claimBucketFolders(before: noon + 5, at: noon + 9, limit: 1).count == 1)
            try await store.forgetBucketFolder(folder)
            // As a server of the version before does, which notes nothing.
            #expect(try await store.replaceMediaFiles(of: item("1"), with: item("1", in: folder), files: []))
            #expect(try await unused(in: store).isEmpty)
        }
    }

    static let removals = ConformanceCheck(
        "The folder of a picture that is removed, dropped or moved is unused from then on"
    ) { stores in
        try await stores.withStore { store in
            var folders: [BucketFolder] = []
            for (digit, name) in [("1", "One"), ("2", "Two"), ("3", "Three"), ("4", "Four")] as [(Character, String)] {
                folders.append(try makeFolder(name))
                let item = item(digit, in: folders.last)
                #expect(try await store.addMedia(item, files: [], totalBytes: 99, by: command) == .added)
            }
            #expect(try await unused(in: store).isEmpty)
            #expect(try await store.deleteMedia(item("1").id, at: noon, by: command) != nil)
            _ = try await store.markMediaDeleted(item("2").id, at: noon, by: command)
            #expect(try await store.claimBucketFolders(before: noon, at: noon, limit: 10).map(\.folder) == [folders[0]])
            #expect(try await store.dropDeletedMedia(before: noon, limit: 10).count == 1)
            let moved = item("3", in: try makeFolder("Five"))
            #expect(try await store.replaceMediaFiles(of: item("3", in: folders[2]), with: moved, files: []))
            #expect(
                try await unused(in: store) == [
                    UnusedBucketFolder(mediaID: item("1").id, folder: folders[0]),
                    UnusedBucketFolder(mediaID: item("2").id, folder: folders[1]),
                    UnusedBucketFolder(mediaID: item("3").id, folder: folders[2]),
                ]
            )
        }
    }
}
