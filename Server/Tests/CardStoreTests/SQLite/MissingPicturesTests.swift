import CardModel
import CardStore
import CardStoreConformance
import Foundation
import Testing

@testable import SQLiteCardStore

/// Pictures whose files were lost, such as by a backup without its folder.
struct MissingPicturesTests {
    private static func item(_ digit: String) -> MediaItem {
        MediaItem(
            id: String(repeating: digit, count: 32),
            name: "sale.png",
            format: .png,
            width: 960,
            height: 540,
            widths: [960, 480],
            bytes: 5,
            createdAt: 1_800_000_000
        )
    }

    private static let files = [MediaFile(width: 960, bytes: [1, 2, 3]), MediaFile(width: 480, bytes: [4, 5])]

    @Test func `A diagnosis says how many pictures lack files, one size of which is enough`() async throws {
        try await withFolder { folder in
            let path = "\(folder)/cards.sqlite"
            let store = try SQLiteCardStore(path: path)
            #expect(await store.finding("media")?.level == .good)
            for digit in ["a", "b", "c"] {
                _ = try await store.addMedia(Self.item(digit), files: Self.files, totalBytes: 100, by: .command)
            }
            #expect(await store.finding("media")?.level == .good)

            let media = SQLiteCardStore.mediaPath(of: path)
            try FileManager.default.removeItem(atPath: "\(media)/\(Self.item("b").id)-480")
            let cut = URL(filePath: "\(media)/\(Self.item("c").id)-960")
            try Data([1]).write(to: cut)
            #expect(await store.finding("media")?.message.hasPrefix("Of 3 pictures, 2 ") == true)
            try Data([1, 2, 3]).write(to: cut)

            let found = try #require(await store.finding("media"))
            #expect(found.level == .bad)
            #expect(found.message.hasPrefix("Of 3 pictures, 1 "))
            try FileManager.default.removeItem(atPath: media)
            #expect(await store.finding("media")?.message.hasPrefix("Of 3 pictures, 3 ") == true)
            try await store.close()
        }
    }

    @Test func `Pictures of a backup are missing where neither folder has them`() async throws {
        try await withFolder { folder in
            let (path, backup) = ("\(folder)/cards.sqlite", "\(folder)/backup.sqlite")
            let store = try SQLiteCardStore(path: path)
            for digit in ["a", "b"] {
                _ = try await store.addMedia(Self.item(digit), files: Self.files, totalBytes: 100, by: .command)
            }
            try await store.backUp(to: backup)
            try await store.close()

            let without = try await SQLiteCardStore.missingPictures(of: backup, beside: [backup])
            #expect(without == SQLiteCardStore.MissingPictures(count: 2, all: 2, inBucket: 0))
            let inLibrary = try await SQLiteCardStore.missingPictures(of: backup, beside: [backup, path])
            #expect(inLibrary == SQLiteCardStore.MissingPictures(count: 0, all: 2, inBucket: 0))
            let second = "\(folder)/second.sqlite"
            let pictures = try await SQLiteCardStore.backUp(databaseAt: path, to: second)
            #expect(pictures == SQLiteCardStore.BackedUpPictures(files: 4, missing: 0, inBucket: 0))
            let with = try await SQLiteCardStore.missingPictures(of: second, beside: [second])
            #expect(with == SQLiteCardStore.MissingPictures(count: 0, all: 2, inBucket: 0))
        }
    }

    @Test func `A picture of the library that was cut is taken from the backup`() async throws {
        try await withFolder { folder in
            let (path, backup) = ("\(folder)/cards.sqlite", "\(folder)/backup.sqlite")
            let store = try SQLiteCardStore(path: path)
            _ = try await store.addMedia(Self.item("a"), files: Self.files, totalBytes: 100, by: .command)
            try await store.backUp(to: backup)
            try await store.close()
            _ = try await SQLiteCardStore.backUp(databaseAt: path, to: "\(folder)/second.sqlite")
            let file = URL(filePath: "\(SQLiteCardStore.mediaPath(of: path))/\(Self.item("a").id)-960")
            try Data([1]).write(to: file)

            let second = "\(folder)/second.sqlite"
            #expect(try await SQLiteCardStore.missingPictures(of: second, beside: [second, path]).count == 0)
            _ = try await SQLiteCardStore.restore(second, to: path, at: 1_800_000_000)
            #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        }
    }

    @Test func `A picture in a bucket isn't missing, and a backup says that it isn't in the copy`() async throws {
        try await withFolder { folder in
            let (path, backup) = ("\(folder)/cards.sqlite", "\(folder)/backup.sqlite")
            let store = try SQLiteCardStore(path: path)
            _ = try await store.addMedia(Self.item("a"), files: Self.files, totalBytes: 100, by: .command)
            var away = Self.item("b")
            away.location = .bucket(try #require(BucketFolder(name: "Abc", sizes: [960: 3, 480: 2])))
            _ = try await store.addMedia(away, files: [], totalBytes: 100, by: .command)
            let found = try #require(await store.finding("media"))
            #expect(found.level == .good)
            #expect(found.message == "2 pictures, each with its files; 1 of them in a bucket")
            try await store.close()
            let pictures = try await SQLiteCardStore.backUp(databaseAt: path, to: backup)
            #expect(pictures == SQLiteCardStore.BackedUpPictures(files: 2, missing: 0, inBucket: 1))
            let missing = try await SQLiteCardStore.missingPictures(of: backup, beside: [folder + "/elsewhere"])
            #expect(missing == SQLiteCardStore.MissingPictures(count: 1, all: 2, inBucket: 1))
            let restored = try SQLiteCardStore(path: backup)
            #expect(try await restored.mediaItem(away.id) == away)
            try await restored.close()
        }
    }

    @Test func `A picture that can't be read fails a backup, which leaves nothing`() async throws {
        try await withFolder { folder in
            let path = try await Self.database(in: folder)
            let file = "\(SQLiteCardStore.mediaPath(of: path))/\(Self.item("b").id)-480"
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

            let error = await #expect(throws: StoreError.self) {
                try await SQLiteCardStore.backUpVerified(databaseAt: path, to: "\(folder)/backup.sqlite")
            }
            #expect(error?.message.hasPrefix("\(file) can't be read") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
        }
    }

    @Test func `A backup gets its name once its pictures are beside it, and takes away what an ended one left`()
        async throws
    {
        try await withFolder { folder in
            let path = try await Self.database(in: folder)
            let backup = "\(folder)/backup.sqlite"
            let left = "\(backup).\(UUID().uuidString).partial"
            try Data("left".utf8).write(to: URL(filePath: left))
            try FileManager.default.createDirectory(atPath: "\(left).media", withIntermediateDirectories: false)
            // Of a backup of that name whose database is gone.
            let media = SQLiteCardStore.mediaPath(of: backup)
            try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: false)
            try Data([9]).write(to: URL(filePath: "\(media)/\(Self.item("9").id)-480"))

            _ = try await SQLiteCardStore.backUp(databaseAt: path, to: backup)

            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.contains(".partial") })
            #expect(try FileManager.default.contentsOfDirectory(atPath: media).count == 5)
        }
    }

    @Test func `A backup in the place of a link that leads nowhere is refused, and leaves no pictures`() async throws {
        try await withFolder { folder in
            let path = try await Self.database(in: folder)
            let backup = "\(folder)/backup.sqlite"
            try FileManager.default.createSymbolicLink(atPath: backup, withDestinationPath: "missing")
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

            await expectFailure(.exists) { try await SQLiteCardStore.backUp(databaseAt: path, to: backup) }

            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: backup) == "missing")
        }
    }

    @Test func `A restoration that can't have the pictures leaves the database as it is`() async throws {
        try await withFolder { folder in
            let path = try await Self.database(in: folder)
            let backup = "\(folder)/backup.sqlite"
            try await SQLiteCardStore.backUp(databaseAt: path, to: backup)
            let (media, file) = (SQLiteCardStore.mediaPath(of: path), "\(Self.item("a").id)-960")
            try FileManager.default.removeItem(atPath: "\(media)/\(file)")
            try FileManager.default.removeItem(atPath: "\(backup).media/\(file)")
            try FileManager.default.createDirectory(
                atPath: "\(backup).media/\(file)",
                withIntermediateDirectories: false
            )
            let before = try Data(contentsOf: URL(filePath: path))

            let error = await #expect(throws: StoreError.self) {
                try await SQLiteCardStore.restore(backup, to: path, at: 1_800_000_000)
            }
            #expect(error?.message.hasSuffix("The database wasn't changed.") == true)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    /// Makes a database with two pictures, and returns its path.
    private static func database(in folder: String) async throws -> String {
        let path = "\(folder)/cards.sqlite"
        let store = try SQLiteCardStore(path: path)
        for digit in ["a", "b"] {
            _ = try await store.addMedia(item(digit), files: files, totalBytes: 100, by: .command)
        }
        try await store.close()
        return path
    }
}
