import CardModel
import CardStore
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

            let found = try #require(await store.finding("media"))
            #expect(found.level == .bad)
            #expect(found.message.hasPrefix("1 of 3 pictures"))
            try FileManager.default.removeItem(atPath: media)
            #expect(await store.finding("media")?.message.hasPrefix("3 of 3 pictures") == true)
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
            try await store.close()
            try await SQLiteCardStore.backUp(databaseAt: path, to: backup)

            let without = try await SQLiteCardStore.missingPictures(of: backup, beside: [backup])
            #expect(without == SQLiteCardStore.MissingPictures(count: 2, all: 2))
            let inLibrary = try await SQLiteCardStore.missingPictures(of: backup, beside: [backup, path])
            #expect(inLibrary == SQLiteCardStore.MissingPictures(count: 0, all: 2))
            _ = try await SQLiteCardStore.copyMedia(from: path, to: backup)
            let with = try await SQLiteCardStore.missingPictures(of: backup, beside: [backup])
            #expect(with == SQLiteCardStore.MissingPictures(count: 0, all: 2))
        }
    }
}
